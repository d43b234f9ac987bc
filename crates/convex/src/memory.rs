//! State of a pair kept between queries.

use crate::certificate::Certificate;
use crate::dimension::Dimension;
use crate::kept::Kept;
use crate::minkowski_difference::MinkowskiDifference;
use crate::polytope::Polytope;
use crate::pose::RigidTransform;
use crate::simplex::Simplex;
use crate::support::{Core, NO_ID};
use crate::vector::VectorSpace;

/// State of a pair kept between queries: buffers, so that a settled query does not allocate, and the end of the last
/// search, from which [`contact_warm`](crate::contact_warm) warm starts. Affects only the cost of a query.
#[derive(Clone, Debug, Default)]
pub struct Memory<V: Dimension> {
    pub(crate) polytope: V::Polytope,
    pub(crate) last: Last<V>,
    pub(crate) certificate: Certificate<V>,
    pub(crate) kept: Kept,
}

impl<V: Dimension> Memory<V> {
    /// Makes room for so many iterations of EPA, some 640 bytes for each. For the memory of many queries in turn, of which a
    /// late one may be the first that takes as many: without it the buffers grow when they have to.
    pub fn make_room(&mut self, epa_iterations: u32) {
        self.polytope.make_room(epa_iterations as usize);
    }

    /// Discards the warm start; keeps the buffers.
    pub fn forget(&mut self) {
        self.last = Last::Nothing;
        self.certificate.forget();
        self.kept.forget();
    }

    /// Returns the ids of the support points of A and of B along the direction of the last contact of
    /// [`contact_coherent`](crate::contact_coherent); [`NO_ID`] where they are unknown.
    pub fn supports(&self) -> [u32; 2] {
        self.certificate.supports
    }
}

/// Where the last search ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Last<V> {
    #[default]
    Nothing,
    /// A simplex, by the ids of its vertices, and a direction from B to A in the world.
    Simplex { ids: [[u32; 2]; 4], count: usize, direction: V },
    /// Overlapping, with a polytope for the warm start.
    Polytope,
    /// Farther apart than asked, along a unit direction from B to A, frame of A.
    Beyond { direction: V },
}

impl<V: VectorSpace> Last<V> {
    /// Stores a simplex and a direction.
    pub(crate) fn at(simplex: &Simplex<V>, direction: V) -> Self {
        let mut ids = [[NO_ID; 2]; 4];
        for (id, vertex) in ids.iter_mut().zip(&simplex.vertices[..simplex.count]) {
            *id = vertex.ids;
        }
        Self::Simplex { ids, count: simplex.count, direction }
    }

    /// Returns the simplex of the last search with the current positions of its vertices; empty if one has no ids.
    fn simplex<A: Core<V>, B: Core<V>>(&self, difference: &MinkowskiDifference<'_, V, A, B>) -> Simplex<V> {
        let mut simplex = Simplex::empty();
        if let Self::Simplex { ids, count, .. } = self {
            for &ids in &ids[..*count] {
                match difference.vertex(ids) {
                    Some(vertex) => simplex.push(vertex),
                    None => return Simplex::empty(),
                }
            }
        }
        simplex
    }

    /// Returns the start of the next search: that simplex, or the last direction, or a fresh guess; in the frame of A,
    /// whose pose is `pose_a`.
    pub(crate) fn start<A: Core<V>, B: Core<V>>(
        &self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        pose_a: &RigidTransform<V>,
    ) -> (Simplex<V>, V) {
        let guess = match self {
            Self::Simplex { direction, .. } if direction.largest() > 0.0 => {
                direction.unrotated(&pose_a.rotation)
            }
            _ => difference.guess(),
        };
        (self.simplex(difference), guess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact;
    use crate::settings::Settings;
    use crate::support::{Core, Ellipsoid, Extreme, Triangle};
    use nalgebra::Vector3;

    type Vector = Vector3<f64>;

    /// An ellipsoid that is all core: without a radius, overlaps take the most iterations.
    struct Bare(Ellipsoid);

    impl Core<Vector> for Bare {
        const CURVED: bool = true;

        fn support(&self, direction: Vector, near: u32) -> Extreme<Vector> {
            let of_core = self.0.support(direction, near);
            Extreme { point: of_core.point + direction.normalize() * self.0.radius(), ..of_core }
        }

        fn vertex(&self, _id: u32) -> Option<Vector> {
            None
        }

        fn bounding_radius(&self) -> f64 {
            self.0.radii.max()
        }
    }

    /// Ellipsoids deep in one another, with a tolerance that most do not reach before the limit.
    #[test]
    fn the_room_is_enough_for_as_many_iterations_as_a_query_may_take() {
        let settings = Settings { tolerance: 0.0, ..Settings::default() };
        let mut memory = Memory::<Vector>::default();
        memory.make_room(settings.epa_iterations);
        let room = memory.polytope.room();
        let (mut most, mut many) = (0, 0);
        for case in 0..60 {
            let s = f64::from(case);
            let radii = |t: f64| Vector::new(1.0 + 0.3 * t.sin(), 0.8 + 0.3 * (2.3 * t).cos(), 0.9);
            let [a, b] = [s, 1.7 * s + 1.0].map(|t| Bare(Ellipsoid { radii: radii(t) }));
            let place = Vector::new((0.9 * s).cos(), (1.3 * s).sin(), (0.7 * s).cos()) * (0.01 * s);
            let found = contact(
                (&a, &RigidTransform::identity()),
                (&b, &RigidTransform::at(place)),
                &mut memory,
                &settings,
            );
            most = most.max(found.iterations[1]);
            many += u32::from(found.iterations[1] > 100);
        }
        assert!(most == settings.epa_iterations && many > 20, "{most} {many}");
        assert_eq!(memory.polytope.room(), room);
    }

    /// A triangle against ellipsoids, flat and round, anywhere in and around them.
    #[test]
    fn few_queries_of_a_triangle_take_more_than_a_quarter_of_the_limit() {
        let mut memory = Memory::<Vector>::default();
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut most, mut beyond) = (0, 0);
        for case in 0..20_000 {
            let size = [0.05, 0.5, 5.0][case % 3];
            let mut vector = |size: f64| Vector::new(random(), random(), random()) * size;
            let radii = vector(1.0).map(|radius| radius.abs().max(0.02));
            let middle = vector(1.0).component_mul(&radii);
            let triangle = Triangle { corners: [0; 3].map(|_| middle + vector(size)) };
            let found = contact(
                (&triangle, &RigidTransform::identity()),
                (&Bare(Ellipsoid { radii }), &RigidTransform::identity()),
                &mut memory,
                &Settings::default(),
            );
            memory.forget();
            most = most.max(found.iterations[1]);
            beyond += u32::from(found.iterations[1] > 128);
        }
        assert!(most > 128 && beyond < 40, "{most} {beyond}");
    }
}
