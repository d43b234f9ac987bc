//! Sphere against cylinder.

use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::{Cylinder, Sphere};

/// Sphere against cylinder, in closed form: the signed distance of the centre.
pub struct SphereCylinder;

impl PairDetector for SphereCylinder {
    type A = Sphere;
    type B = Cylinder;
    type Settings = NoSettings;

    const NAME: &'static str = "sphere_cylinder";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "closed form: radius minus the centre's signed distance from the solid cylinder (wall, caps, rims); \
                 inside, the nearest of wall, +y cap, -y cap",
        cost: "O(1)",
        source: "Quilez 2020, Distance functions: capped cylinder",
    };

    fn new(_: NoSettings) -> Self {
        Self
    }

    fn detect(&mut self, a: &Sphere, b: &Cylinder, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let center = a.center();
        let signed = b.signed_distance(&center);
        let depth = a.radius() - signed.distance;
        if context.reports(depth) {
            let on_sphere = Feature::point(center - signed.gradient * a.radius());
            let on_cylinder = Feature::numbered(signed.feature, signed.nearest);
            out.push(Contact::exact(on_sphere, on_cylinder, signed.gradient, depth, 0));
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::Pose;
    use palpate_math::Point;

    /// A sphere of radius 0.5 at (x, y) against an upright cylinder of radius 1 and height 2.
    fn contact(x: f64, y: f64) -> Option<Contact> {
        let sphere = Sphere::new(Point::new(x, y, 0.0), 0.5).unwrap();
        let cylinder = Cylinder::new(Pose::identity(), 1.0, 2.0).unwrap();
        let mut out = CollisionData::new();
        SphereCylinder.detect(&sphere, &cylinder, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    // Cases in which a published detector is wrong: it misses every overlap at the wall, reports every sphere beside
    // the cylinder at any distance, and always uses the upper cap.

    #[test]
    fn beside_the_wall_overlap_is_a_contact_and_distance_is_none() {
        let wall = contact(1.25, 0.0).unwrap();
        assert_eq!((wall.depth, wall.direction, wall.b.point), (0.25, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
        assert!(contact(3.0, 0.0).is_none());
    }

    #[test]
    fn each_cap_has_its_own_normal() {
        let top = contact(0.0, 1.25).unwrap();
        assert_eq!((top.depth, top.direction, top.b.point), (0.25, [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]));
        let bottom = contact(0.0, -1.25).unwrap();
        assert_eq!(
            (bottom.depth, bottom.direction, bottom.b.point),
            (0.25, [0.0, -1.0, 0.0], [0.0, -1.0, 0.0])
        );
    }

    /// Beyond the rim the distance is diagonal: at an offset of (0.3, 0.4) it is 0.5, touching.
    #[test]
    fn the_rim_is_round() {
        assert!(contact(1.45, 1.45).is_none());
        let touching = contact(1.25, 1.25).unwrap();
        assert!((touching.depth - (0.5 - 0.125_f64.sqrt())).abs() < 1e-15);
        assert!((touching.direction[0] - 0.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_centre_on_the_axis_leaves_by_the_wall_along_local_x() {
        let inside = contact(0.0, 0.0).unwrap();
        assert_eq!((inside.depth, inside.direction), (1.5, [1.0, 0.0, 0.0]));
        assert_eq!(contact(0.0, 0.75).unwrap().direction, [0.0, 1.0, 0.0]);
    }
}
