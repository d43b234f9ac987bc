//! Points against a sphere.

use crate::pairs::NoSettings;
use crate::pairs::points::point_set_solid::points_against;
use crate::{About, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{PointSet, Sphere};

/// Points against a sphere: each vertex by its signed distance. A vertex at the centre exits along world +y.
#[derive(Default)]
pub struct PointSetSphere {
    chunks: Chunks,
}

impl PairDetector for PointSetSphere {
    type A = Points;
    type B = Sphere;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_sphere";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: the sphere is solid",
        method: "closed form per vertex: radius minus the distance to the centre; one at the centre exits \
            along +y",
        cost: "O(vertices)",
        source: "Ericson 2005, Real-Time Collision Detection, 4.3.1",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(&mut self, a: &PointSet, b: &Sphere, context: &Context<'_>, out: &mut CollisionData) -> Status {
        points_against(a, |point| b.signed_distance(point), &mut self.chunks, context, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_math::Point;

    fn contacts(points: &[[f64; 3]]) -> Vec<Contact> {
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let sphere = Sphere::new(Point::origin(), 1.0).unwrap();
        let mut out = CollisionData::new();
        PointSetSphere::default().detect(&points, &sphere, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn points_inside_and_on_the_sphere_are_in_contact_in_their_order() {
        let contacts = contacts(&[[0.0, 0.5, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
        assert_eq!(contacts.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.5, [0.0, 1.0, 0.0]));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([0.0, 0.5, 0.0], [0.0, 1.0, 0.0]));
        assert_eq!(contacts[1].depth, 0.0);
    }

    #[test]
    fn a_point_at_the_centre_leaves_upward() {
        let contact = contacts(&[[0.0; 3]])[0];
        assert_eq!((contact.depth, contact.direction), (1.0, [0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_radius_makes_the_points_balls() {
        let points = PointSet::new(vec![Point::new(1.25, 0.0, 0.0)]).unwrap().with_radius(0.5).unwrap();
        let mut out = CollisionData::new();
        let sphere = Sphere::new(Point::origin(), 1.0).unwrap();
        PointSetSphere::default().detect(&points, &sphere, &Context::new(), &mut out);
        assert_eq!((out.contacts[0].depth, out.contacts[0].a.point), (0.25, [0.75, 0.0, 0.0]));
    }
}
