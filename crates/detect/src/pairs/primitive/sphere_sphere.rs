//! Sphere against sphere.

use crate::pairs::NoSettings;
use crate::rounded_contact::rounded_contact;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::Sphere;
use palpate_math::Vector;

/// Sphere against sphere, in closed form. Coincident centres separate along world +y.
pub struct SphereSphere;

impl PairDetector for SphereSphere {
    type A = Sphere;
    type B = Sphere;
    type Settings = NoSettings;

    const NAME: &'static str = "sphere_sphere";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "closed form: radii minus the distance of the centres; coincident centres separate along +y",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 4.3.1",
    };

    fn new(_: NoSettings) -> Self {
        Self
    }

    fn detect(&mut self, a: &Sphere, b: &Sphere, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let balls = rounded_contact(&a.center(), a.radius(), &b.center(), b.radius(), Vector::y);
        if context.reports(balls.depth) {
            let (point_a, point_b) = (Feature::point(balls.point_a), Feature::point(balls.point_b));
            out.push(Contact::exact(point_a, point_b, balls.direction, balls.depth, 0));
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    fn contacts(distance: f64, margin: f64) -> Vec<Contact> {
        let a = Sphere::new(Point::new(distance, 0.0, 0.0), 1.0).unwrap();
        let b = Sphere::new(Point::origin(), 2.0).unwrap();
        let mut out = CollisionData::new();
        SphereSphere.detect(&a, &b, &Context::new().with_margin(margin), &mut out);
        out.contacts
    }

    #[test]
    fn overlapping_spheres_part_along_their_centres() {
        let contact = contacts(2.5, 0.0)[0];
        assert_eq!((contact.depth, contact.direction), (0.5, [1.0, 0.0, 0.0]));
        assert_eq!((contact.a.point, contact.b.point), ([1.5, 0.0, 0.0], [2.0, 0.0, 0.0]));
    }

    #[test]
    fn touching_is_a_contact_and_apart_is_one_only_within_the_margin() {
        assert_eq!(contacts(3.0, 0.0)[0].depth, 0.0);
        assert!(contacts(3.5, 0.25).is_empty());
        assert_eq!(contacts(3.5, 0.5)[0].depth, -0.5);
    }

    #[test]
    fn coincident_centres_part_upward() {
        let contact = contacts(0.0, 0.0)[0];
        assert_eq!((contact.depth, contact.direction), (3.0, [0.0, 1.0, 0.0]));
    }
}
