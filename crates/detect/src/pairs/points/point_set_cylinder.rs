//! Points against a cylinder.

use crate::pairs::NoSettings;
use crate::pairs::points::point_set_solid::points_against;
use crate::{About, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Cylinder, PointSet};

/// Points against a cylinder: each vertex by its signed distance. A vertex on the axis, if the wall is nearest, exits
/// along the cylinder's local +x.
#[derive(Default)]
pub struct PointSetCylinder {
    chunks: Chunks,
}

impl PairDetector for PointSetCylinder {
    type A = Points;
    type B = Cylinder;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_cylinder";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: the cylinder is solid",
        method: "closed form per vertex: the nearest of wall, +y cap, -y cap; one on the axis exits \
            through the wall along local +x",
        cost: "O(vertices)",
        source: "Quilez 2020, Distance functions: capped cylinder",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &Cylinder,
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

    fn contacts(points: &[[f64; 3]]) -> Vec<Contact> {
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let cylinder = Cylinder::new(Pose::identity(), 1.0, 4.0).unwrap();
        let mut out = CollisionData::new();
        PointSetCylinder::default().detect(&points, &cylinder, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn wall_and_caps_are_left_by_the_nearer() {
        let contacts = contacts(&[[0.5, 0.0, 0.0], [0.0, -1.75, 0.0], [0.0, 2.0, 0.0], [1.1, 0.0, 0.0]]);
        assert_eq!(contacts.len(), 3);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.5, [1.0, 0.0, 0.0]));
        assert_eq!((contacts[1].depth, contacts[1].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((contacts[2].depth, contacts[2].b.cell), (0.0, 1));
    }

    #[test]
    fn on_the_axis_the_way_out_is_stated() {
        let contact = contacts(&[[0.0; 3]])[0];
        assert_eq!((contact.depth, contact.direction), (1.0, [1.0, 0.0, 0.0]));
    }
}
