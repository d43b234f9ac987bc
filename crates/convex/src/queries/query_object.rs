//! Cached queries of one pair: each step is computed once, and again only when a pose changes.
//!
//! After A. Casalino's GJK_EPA: `closest` and `penetration` continue from where `intersects` terminated.

use crate::contact::QueryResult;
use crate::dimension::Dimension;
use crate::memory::{Last, Memory};
use crate::minkowski_difference::MinkowskiDifference;
use crate::pose::RigidTransform;
use crate::queries::contact_query::{contact_warm, warm};
use crate::queries::intersection_test::{IntersectionResult, decide};
use crate::settings::Settings;
use crate::support::Core;

/// Two shapes and the cached results of their queries. Queries may come in any order; each reuses the results of
/// earlier ones.
///
/// ```text
///                 intersects()                      contact(), distance(), closest(), penetration()
///   nothing known ------------> meet or apart known ----------------------------------> contact known
///        ^                                                                                    |
///        '------------------------- place_a(), place_b() with another pose -------------------'
/// ```
#[derive(Clone, Debug)]
pub struct Query<'a, V: Dimension, A, B> {
    a: &'a A,
    b: &'a B,
    pose_a: RigidTransform<V>,
    pose_b: RigidTransform<V>,
    settings: Settings,
    memory: Memory<V>,
    decided: Option<IntersectionResult<V>>,
    contact: Option<QueryResult<V>>,
    searches: u32,
}

impl<'a, V: Dimension, A: Core<V>, B: Core<V>> Query<'a, V, A, B> {
    /// Creates a query of two posed shapes; nothing is computed yet.
    pub fn new(a: (&'a A, RigidTransform<V>), b: (&'a B, RigidTransform<V>), settings: Settings) -> Self {
        Self {
            a: a.0,
            b: b.0,
            pose_a: a.1,
            pose_b: b.1,
            settings,
            memory: Memory::default(),
            decided: None,
            contact: None,
            searches: 0,
        }
    }

    /// Moves A. The same pose keeps the cache.
    pub fn place_a(&mut self, pose: RigidTransform<V>) {
        if pose != self.pose_a {
            self.pose_a = pose;
            (self.decided, self.contact) = (None, None);
        }
    }

    /// Moves B. The same pose keeps the cache.
    pub fn place_b(&mut self, pose: RigidTransform<V>) {
        if pose != self.pose_b {
            self.pose_b = pose;
            (self.decided, self.contact) = (None, None);
        }
    }

    /// Whether the shapes intersect; touching counts.
    pub fn intersects(&mut self) -> bool {
        if let Some(meet) = self.meet() {
            return meet;
        }
        self.searches += 1;
        let difference = MinkowskiDifference::new(self.a, self.b, self.pose_a.relative(&self.pose_b));
        let start = self.memory.last.start(&difference, &self.pose_a);
        let decided = decide(&difference, 0.0, &self.settings, start);
        self.decided = Some(decided);
        decided.meet
    }

    /// Returns the contact, whether they intersect or not.
    pub fn contact(&mut self) -> QueryResult<V> {
        if let Some(contact) = self.contact {
            return contact;
        }
        self.searches += 1;
        let contact = match self.decided {
            None => {
                let (a, b) = ((self.a, &self.pose_a), (self.b, &self.pose_b));
                contact_warm(a, b, &mut self.memory, &self.settings)
            }
            Some(decided) => {
                let difference = MinkowskiDifference::new(self.a, self.b, self.pose_a.relative(&self.pose_b));
                contact_of_decided(&difference, &self.pose_a, decided, &mut self.memory, &self.settings)
            }
        };
        self.contact = Some(contact);
        contact
    }

    /// Returns the distance between the shapes; `None` if they intersect.
    pub fn distance(&mut self) -> Option<f64> {
        let contact = self.contact_if(false)?;
        Some((-contact.depth).max(0.0))
    }

    /// Returns the closest points of A and of B; `None` if they intersect.
    pub fn nearest(&mut self) -> Option<[V; 2]> {
        let contact = self.contact_if(false)?;
        Some([contact.point_a, contact.point_b])
    }

    /// Returns the penetration depth and the unit direction that moves A out of B; `None` if they are apart.
    pub fn penetration(&mut self) -> Option<(f64, V)> {
        let contact = self.contact_if(true)?;
        Some((contact.depth.max(0.0), contact.direction))
    }

    /// Whether they intersect, if that is known.
    fn meet(&self) -> Option<bool> {
        let decided = self.decided.map(|decided| decided.meet);
        decided.or(self.contact.map(|contact| contact.depth >= 0.0))
    }

    /// Returns the contact if intersecting is as wanted; not computed if it is known not to be.
    fn contact_if(&mut self, meet: bool) -> Option<QueryResult<V>> {
        if self.meet() == Some(!meet) {
            return None;
        }
        let contact = self.contact();
        (self.meet() == Some(meet)).then_some(contact)
    }

    /// Returns the number of searches run since the query was created.
    pub fn searches(&self) -> u32 {
        self.searches
    }
}

/// The contact of a pair of which it has been decided whether it meets.
fn contact_of_decided<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    pose_a: &RigidTransform<V>,
    decided: IntersectionResult<V>,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> QueryResult<V> {
    if !decided.meet && matches!(memory.last, Last::Polytope) {
        memory.forget();
    }
    let core = match decided.core {
        Some(core) => core,
        None => warm(difference, pose_a, (decided.simplex, decided.nearest), memory, settings),
    };
    core.rounded(difference.a.radius(), difference.b.radius(), difference.rounding_error).placed(pose_a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Cuboid;
    use nalgebra::Vector3;

    type Vector = Vector3<f64>;

    const CUBE: Cuboid<Vector> = Cuboid { half_extents: Vector::new(1.0, 1.0, 1.0) };

    fn query(x: f64) -> Query<'static, Vector, Cuboid<Vector>, Cuboid<Vector>> {
        Query::new(
            (&CUBE, RigidTransform::identity()),
            (&CUBE, RigidTransform::at(Vector::new(x, 0.0, 0.0))),
            Settings::default(),
        )
    }

    #[test]
    fn penetration_of_a_separated_pair_gives_nothing_and_costs_nothing_more() {
        let mut query = query(3.0);
        assert!(!query.intersects());
        assert_eq!(query.penetration(), None);
        assert_eq!(query.searches(), 1);
        assert_eq!(query.distance(), Some(1.0));
        assert_eq!(query.nearest().map(|[a, b]| b.x - a.x), Some(1.0));
        assert_eq!(query.searches(), 2);
    }

    #[test]
    fn nearest_of_an_intersecting_pair_gives_nothing_and_costs_nothing_more() {
        let mut query = query(1.5);
        assert!(query.intersects());
        assert_eq!((query.nearest(), query.distance()), (None, None));
        assert_eq!(query.searches(), 1);
        assert_eq!(query.penetration(), Some((0.5, -Vector::x())));
        assert_eq!(query.searches(), 2);
    }

    #[test]
    fn the_contact_first_answers_everything_with_one_search() {
        let mut query = query(1.5);
        assert_eq!(query.contact().depth, 0.5);
        assert!(query.intersects() && query.nearest().is_none() && query.penetration().is_some());
        assert_eq!(query.searches(), 1);
    }

    #[test]
    fn only_another_pose_costs_another_search() {
        let mut query = query(3.0);
        query.contact();
        query.place_b(RigidTransform::at(Vector::new(3.0, 0.0, 0.0)));
        query.contact();
        assert_eq!(query.searches(), 1);
        query.place_b(RigidTransform::at(Vector::new(1.0, 0.0, 0.0)));
        assert_eq!(query.contact().depth, 1.0);
        query.place_a(RigidTransform::at(Vector::new(4.0, 0.0, 0.0)));
        assert_eq!(query.distance(), Some(1.0));
        assert_eq!(query.searches(), 3);
    }
}
