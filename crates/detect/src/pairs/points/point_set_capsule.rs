//! Points against a capsule.

use crate::pairs::NoSettings;
use crate::pairs::points::point_set_solid::points_against;
use crate::{About, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Capsule, PointSet};

/// Points against a capsule: each vertex by its signed distance. A vertex on the axis exits along the capsule's local
/// +x.
#[derive(Default)]
pub struct PointSetCapsule {
    chunks: Chunks,
}

impl PairDetector for PointSetCapsule {
    type A = Points;
    type B = Capsule;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_capsule";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: the capsule is solid",
        method: "closed form per vertex: radius minus the distance to the axis; one on the axis exits \
            along local +x",
        cost: "O(vertices)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.2",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        points_against(a, |point| b.signed_distance(point), &mut self.chunks, context, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::Pose;
    use palpate_math::Point;

    fn contacts(points: &[[f64; 3]], length: f64) -> Vec<Contact> {
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let capsule = Capsule::new(Pose::identity(), 0.5, length).unwrap();
        let mut out = CollisionData::new();
        PointSetCapsule::default().detect(&points, &capsule, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn beside_the_axis_and_past_its_end() {
        let contacts = contacts(&[[0.25, 0.5, 0.0], [0.0, 1.25, 0.0], [0.0, 2.0, 0.0]], 2.0);
        assert_eq!(contacts.len(), 2);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [1.0, 0.0, 0.0]));
        assert_eq!((contacts[1].depth, contacts[1].b.cell, contacts[1].b.point), (0.25, 1, [0.0, 1.5, 0.0]));
    }

    #[test]
    fn on_the_axis_and_in_a_capsule_without_length_the_way_out_is_stated() {
        for length in [2.0, 0.0] {
            let contact = contacts(&[[0.0; 3]], length)[0];
            assert_eq!((contact.depth, contact.direction), (0.5, [1.0, 0.0, 0.0]));
        }
    }
}
