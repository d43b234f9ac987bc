//! Sphere against oriented box.

use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::{OrientedBox, Sphere};

/// Sphere against oriented box, in closed form: the signed distance of the centre.
pub struct SphereOrientedBox;

impl PairDetector for SphereOrientedBox {
    type A = Sphere;
    type B = OrientedBox;
    type Settings = NoSettings;

    const NAME: &'static str = "sphere_oriented_box";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "closed form: radius minus the centre's signed distance from the solid box; inside, the \
            nearest face; ties go to the lowest number",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.4",
    };

    fn new(_: NoSettings) -> Self {
        Self
    }

    fn detect(
        &mut self,
        a: &Sphere,
        b: &OrientedBox,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let center = a.center();
        let signed = b.signed_distance(&center);
        let depth = a.radius() - signed.distance;
        if context.reports(depth) {
            let on_sphere = Feature::point(center - signed.gradient * a.radius());
            let on_box = Feature::numbered(signed.feature, signed.nearest);
            out.push(Contact::exact(on_sphere, on_box, signed.gradient, depth, 0));
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::NONE;
    use palpate_geometry::Pose;
    use palpate_math::{Point, Vector};

    /// A sphere of radius 0.5 against the box of half extents 1, 2, 3.
    fn contact(x: f64, y: f64, z: f64) -> Option<Contact> {
        let sphere = Sphere::new(Point::new(x, y, z), 0.5).unwrap();
        let solid = OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap();
        let mut out = CollisionData::new();
        SphereOrientedBox.detect(&sphere, &solid, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    #[test]
    fn over_a_face_and_past_an_edge() {
        let face = contact(0.5, -2.25, 1.0).unwrap();
        assert_eq!((face.depth, face.direction, face.b.cell), (0.25, [0.0, -1.0, 0.0], 3));
        assert_eq!((face.a.point, face.b.point), ([0.5, -1.75, 1.0], [0.5, -2.0, 1.0]));
        // (0.3, 0.4) beyond the edge: 0.5 away, touching up to rounding error.
        let edge = contact(1.1875, 2.25, 0.0).unwrap();
        assert_eq!((edge.depth, edge.b.cell), (0.1875, NONE));
        assert!(contact(1.375, 2.375, 0.0).is_none());
    }

    #[test]
    fn a_centre_inside_leaves_by_the_nearest_face() {
        let inside = contact(0.0, 1.75, 0.0).unwrap();
        assert_eq!((inside.depth, inside.direction, inside.b.cell), (0.75, [0.0, 1.0, 0.0], 2));
        let middle = contact(0.0, 0.0, 0.0).unwrap();
        assert_eq!((middle.depth, middle.direction, middle.b.cell), (1.5, [1.0, 0.0, 0.0], 0));
    }
}
