//! Plane against any convex body.

use crate::convex_body::with_core;
use crate::pairs::primitive::plane_body::{PlaneBody, PlaneBodySettings};
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{ConvexCore, Plane};

/// Plane against any convex body, in closed form: the body's lowest point by its support map, and the corners of its
/// face that faces the plane. A two-sided plane pushes to the side with the shorter translation.
pub struct PlaneConvex(PlaneBody);

impl PairDetector for PlaneConvex {
    type A = Plane;
    type B = AnyConvex;
    type Settings = PlaneBodySettings;

    const NAME: &'static str = "plane_convex";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form: the lowest point by the support map, and the corners of the face facing the \
            plane, by id; a two-sided plane pushes to the side with the shorter translation",
        cost: "O(1), for a hull that of its support map",
        source: "Ericson 2005, Real-Time Collision Detection, 5.2.2",
    };

    fn new(settings: PlaneBodySettings) -> Self {
        Self(PlaneBody::new(settings))
    }

    fn detect(
        &mut self,
        a: &Plane,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        with_core!(b, core, pose => self.0.detect(a, (core, pose), context, out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::{Geometry, OrientedBox, Pose};
    use palpate_math::{Point, Vector};

    fn contact(height: f64, two_sided: bool) -> Option<Contact> {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap().with_two_sided(two_sided);
        let shape =
            OrientedBox::new(Pose::translation(1.0, height, 0.0), Vector::new(0.5, 1.0, 0.25)).unwrap();
        let body = ConvexBody::new(&shape as &dyn Geometry).unwrap();
        let mut out = CollisionData::new();
        PlaneConvex::new(PlaneBodySettings::default()).detect(&plane, body, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    #[test]
    fn the_lowest_corner_is_the_contact() {
        let sunk = contact(0.75, false).unwrap();
        assert_eq!((sunk.depth, sunk.direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((sunk.a.point[1], sunk.b.point[1]), (0.0, -0.25));
        assert_eq!(contact(1.0, false).unwrap().depth, 0.0, "touching");
        assert!(contact(1.5, false).is_none());
        assert_eq!(contact(-5.0, false).unwrap().depth, 6.0);
    }

    #[test]
    fn a_sheet_is_left_by_the_shorter_way() {
        assert_eq!(contact(-0.75, true).unwrap().direction, [0.0, 1.0, 0.0]);
        assert!(contact(-1.5, true).is_none());
    }
}
