//! Capsule against oriented box.

use crate::convex_body::placed;
use crate::pairs::ManifoldSettings;
use crate::pairs::primitive::manifold_points::{exactly, own_point, push_points};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::{Capsule as CapsuleCore, Cuboid, Manifold};
use palpate_geometry::{Capsule, OrientedBox};
use palpate_math::Point;
use palpate_math::nearest::segment_box;

/// Capsule against oriented box, in closed form: the axis against the solid box. A capsule lying on a face has two
/// points.
pub struct CapsuleOrientedBox {
    settings: ManifoldSettings,
    manifold: Manifold,
}

impl PairDetector for CapsuleOrientedBox {
    type A = Capsule;
    type B = OrientedBox;
    type Settings = ManifoldSettings;

    const NAME: &'static str = "capsule_oriented_box";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "two",
        sides: "one: both are solids",
        method: "closed form: distance of the axis from the box; an axis that pierces it exits along the \
            normal of a face or across an edge; manifold of the axis and the opposing face, the deepest \
            first, then by id",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.4; Gottschalk, Lin, Manocha 1996",
    };

    fn new(settings: ManifoldSettings) -> Self {
        Self { settings, manifold: Manifold::default() }
    }

    fn detect(
        &mut self,
        a: &Capsule,
        b: &OrientedBox,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let (pose, half_extents) = (b.pose(), b.half_extents());
        let rotation = &pose.rotation;
        // In the frame of the box; centres are subtracted first, to keep precision far from the origin.
        let ends = a.ends().map(|end| Point::from(rotation.inverse_transform_vector(&(end - b.center()))));
        let nearest = segment_box(&ends[0], &ends[1], &half_extents);
        let depth = a.radius() - nearest.distance;
        if context.reports(depth) {
            let direction = rotation * nearest.direction;
            let on_axis = b.center() + rotation * nearest.on_segment.coords;
            let found = exactly((on_axis - direction * a.radius()).coords, depth, direction);
            let capsule = CapsuleCore { radius: a.radius(), half_length: 0.5 * a.length() };
            let (cuboid, poses) = (Cuboid { half_extents }, [placed(a.pose()), placed(pose)]);
            let (a, b) = ((&capsule, &poses[0]), (&cuboid, &poses[1]));
            let own = own_point(&found);
            let points = if self.settings.manifold {
                self.manifold.find(a, b, &found, context.margin())
            } else {
                std::slice::from_ref(&own)
            };
            push_points(out, &found, points);
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::Pose;
    use palpate_math::Vector;

    /// A capsule of radius 0.25 between two points, against the box of half extents 1, 2, 3.
    fn contacts(start: [f64; 3], end: [f64; 3], manifold: bool) -> Vec<Contact> {
        let capsule = Capsule::from_ends(Point::from(start), Point::from(end), 0.25).unwrap();
        let solid = OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap();
        let mut out = CollisionData::new();
        let mut detector = CapsuleOrientedBox::new(ManifoldSettings { manifold });
        detector.detect(&capsule, &solid, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn lying_on_a_face_it_has_two_points_and_one_where_that_is_asked_for() {
        let two = contacts([1.125, -0.5, 0.5], [1.125, 0.5, 0.5], true);
        assert_eq!(two.len(), 2);
        for contact in &two {
            assert_eq!((contact.depth, contact.direction, contact.b.cell), (0.125, [1.0, 0.0, 0.0], 0));
            assert_eq!((contact.a.point[0], contact.b.point[0]), (0.875, 1.0));
        }
        let one = contacts([1.125, -0.5, 0.5], [1.125, 0.5, 0.5], false);
        assert_eq!((one.len(), one[0].a.point), (1, [0.875, 0.0, 0.5]));
    }

    #[test]
    fn standing_on_a_face_it_has_one_and_apart_none() {
        let standing = contacts([0.0, 2.125, 0.0], [0.0, 4.0, 0.0], true);
        assert_eq!((standing.len(), standing[0].depth, standing[0].b.cell), (1, 0.125, 2));
        assert!(contacts([0.0, 2.5, 0.0], [0.0, 4.0, 0.0], true).is_empty());
    }

    #[test]
    fn through_the_box_it_leaves_the_shorter_way() {
        let through = contacts([-4.0, 1.5, 0.5], [4.0, 1.5, 0.5], true);
        assert_eq!((through[0].depth, through[0].direction), (0.75, [0.0, 1.0, 0.0]));
        assert_eq!(through.len(), 2);
    }
}
