//! Sphere against capsule.

use crate::pairs::NoSettings;
use crate::rounded_contact::{capsule_end, rounded_contact};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::{Capsule, Sphere};
use palpate_math::nearest::point_segment;

/// Sphere against capsule, in closed form. A centre on the axis separates along the capsule's local +x.
pub struct SphereCapsule;

impl PairDetector for SphereCapsule {
    type A = Sphere;
    type B = Capsule;
    type Settings = NoSettings;

    const NAME: &'static str = "sphere_capsule";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "closed form: closest point of the axis, then two spheres; a centre on the axis separates \
            along local +x",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 4.5.1",
    };

    fn new(_: NoSettings) -> Self {
        Self
    }

    fn detect(&mut self, a: &Sphere, b: &Capsule, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let [start, end] = b.ends();
        let axis = point_segment(&a.center(), &start, &end);
        let balls = rounded_contact(&a.center(), a.radius(), &axis.point, b.radius(), || b.side_direction());
        if context.reports(balls.depth) {
            let on_capsule = Feature::numbered(capsule_end(axis.feature), balls.point_b);
            out.push(Contact::exact(
                Feature::point(balls.point_a),
                on_capsule,
                balls.direction,
                balls.depth,
                0,
            ));
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::NONE;
    use palpate_geometry::Pose;
    use palpate_math::Point;

    fn contact(center: Point, length: f64) -> Option<Contact> {
        let sphere = Sphere::new(center, 0.5).unwrap();
        let capsule = Capsule::new(Pose::identity(), 0.25, length).unwrap();
        let mut out = CollisionData::new();
        SphereCapsule.detect(&sphere, &capsule, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    #[test]
    fn beside_the_straight_part_and_past_an_end() {
        let side = contact(Point::new(0.5, 0.25, 0.0), 1.0).unwrap();
        assert_eq!((side.depth, side.direction, side.b.cell), (0.25, [1.0, 0.0, 0.0], NONE));
        assert_eq!((side.a.point, side.b.point), ([0.0, 0.25, 0.0], [0.25, 0.25, 0.0]));
        let top = contact(Point::new(0.0, 1.0, 0.0), 1.0).unwrap();
        assert_eq!((top.depth, top.b.cell), (0.25, 1));
        assert!(contact(Point::new(2.0, 0.0, 0.0), 1.0).is_none());
    }

    /// On the axis all perpendicular directions are equal, and along the axis is longer: half a metre of capsule lies
    /// that way.
    #[test]
    fn a_centre_on_the_axis_parts_sideways() {
        for (center, length) in
            [(Point::origin(), 1.0), (Point::new(0.0, 0.1, 0.0), 1.0), (Point::origin(), 0.0)]
        {
            let contact = contact(center, length).unwrap();
            assert_eq!((contact.depth, contact.direction), (0.75, [1.0, 0.0, 0.0]));
        }
    }
}
