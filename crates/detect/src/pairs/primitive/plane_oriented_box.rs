//! Plane against oriented box.

use crate::convex_body::placed;
use crate::pairs::primitive::plane_body::{PlaneBody, PlaneBodySettings};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::Cuboid;
use palpate_geometry::{OrientedBox, Plane};

/// Plane against oriented box, in closed form: the corners of the face that faces the plane, the deepest first.
pub struct PlaneOrientedBox(PlaneBody);

impl PairDetector for PlaneOrientedBox {
    type A = Plane;
    type B = OrientedBox;
    type Settings = PlaneBodySettings;

    const NAME: &'static str = "plane_oriented_box";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form: the lowest corner, and the corners of the face facing the plane, by id; a \
            two-sided plane pushes to the side with the shorter translation",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.2.3",
    };

    fn new(settings: PlaneBodySettings) -> Self {
        Self(PlaneBody::new(settings))
    }

    fn detect(
        &mut self,
        a: &Plane,
        b: &OrientedBox,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let cuboid = Cuboid { half_extents: b.half_extents() };
        self.0.detect(a, (&cuboid, &placed(b.pose())), context, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PlaneSides;
    use palpate_geometry::Pose;
    use palpate_math::{Point, Vector};

    /// Returns the contacts of a box of half extents 0.5, 1, 0.25 over the plane y = 0.
    fn contacts(pose: Pose, settings: PlaneBodySettings, margin: f64) -> CollisionData {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let solid = OrientedBox::new(pose, Vector::new(0.5, 1.0, 0.25)).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        PlaneOrientedBox::new(settings).detect(&plane, &solid, &context, &mut out);
        out
    }

    #[test]
    fn a_box_that_stands_on_a_plane_has_its_four_corners() {
        let pose = Pose::translation(1.0, 0.875, 0.0);
        let four = contacts(pose, PlaneBodySettings::default(), 0.0);
        assert_eq!(four.len(), 4);
        for contact in &four.contacts {
            assert_eq!((contact.depth, contact.direction, contact.b.cell), (0.125, [0.0, -1.0, 0.0], 3));
            assert_eq!((contact.a.point[1], contact.b.point[1]), (0.0, -0.125));
            assert_eq!(((contact.b.point[0] - 1.0).abs(), contact.b.point[2].abs()), (0.5, 0.25));
        }
        let one = contacts(pose, PlaneBodySettings { manifold: false, ..Default::default() }, 0.0);
        assert_eq!((one.len(), one.contacts[0].depth), (1, 0.125));
    }

    /// Tilted by 0.1 about z: two corners are low, the others 0.1 higher.
    #[test]
    fn a_leaning_box_has_two_and_four_with_a_margin() {
        let low = 0.5 * 0.1_f64.sin() + 0.1_f64.cos();
        let pose = Pose::new(Vector::new(0.0, low - 0.0625, 0.0), Vector::z() * 0.1);
        let two = contacts(pose, PlaneBodySettings::default(), 0.0);
        assert_eq!(two.len(), 2);
        assert!(two.contacts.iter().all(|contact| (contact.depth - 0.0625).abs() < 1e-15));
        let four = contacts(pose, PlaneBodySettings::default(), 0.0625);
        assert_eq!(four.len(), 4);
        let least = four.contacts.iter().map(|contact| contact.depth).fold(f64::INFINITY, f64::min);
        assert!((least - (0.0625 - 0.1_f64.sin())).abs() < 1e-15);
    }

    #[test]
    fn a_sheet_is_left_by_the_shorter_way() {
        let settings = PlaneBodySettings { sides: PlaneSides::Two, ..Default::default() };
        let above = contacts(Pose::translation(0.0, -0.875, 0.0), settings, 0.0);
        assert_eq!(
            (above.len(), above.contacts[0].direction, above.contacts[0].depth),
            (4, [0.0, 1.0, 0.0], 0.125)
        );
        assert!(contacts(Pose::translation(0.0, -1.5, 0.0), settings, 0.0).is_empty());
    }
}
