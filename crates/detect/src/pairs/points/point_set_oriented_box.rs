//! Points against a box.

use crate::pairs::NoSettings;
use crate::pairs::points::point_set_solid::points_against;
use crate::{About, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{OrientedBox, PointSet};

/// Points against a box: each vertex by its signed distance. Of equally near faces, the lowest-numbered is the exit.
#[derive(Default)]
pub struct PointSetOrientedBox {
    chunks: Chunks,
}

impl PairDetector for PointSetOrientedBox {
    type A = Points;
    type B = OrientedBox;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_oriented_box";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: the box is solid",
        method: "closed form per vertex: the nearest face; ties go to the lowest number",
        cost: "O(vertices)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.4",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &OrientedBox,
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
    use palpate_math::Vector;

    fn contacts(points: &[[f64; 3]]) -> Vec<Contact> {
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let shape = OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap();
        let mut out = CollisionData::new();
        PointSetOrientedBox::default().detect(&points, &shape, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn the_nearest_face_is_the_way_out_also_from_the_middle_planes() {
        let contacts = contacts(&[[0.0, 0.875, 0.0], [0.0, 0.125, -0.25], [1.0, 0.0, 0.0], [1.5, 0.0, 0.0]]);
        assert_eq!(contacts.len(), 3);
        assert_eq!((contacts[0].depth, contacts[0].b.cell, contacts[0].b.point), (0.125, 2, [0.0, 1.0, 0.0]));
        assert_eq!((contacts[1].depth, contacts[1].direction), (0.75, [0.0, 0.0, -1.0]));
        assert_eq!(contacts[2].depth, 0.0);
    }

    #[test]
    fn equally_near_faces_give_the_lowest_number() {
        for point in [[0.0; 3], [0.5; 3]] {
            assert_eq!(contacts(&[point])[0].direction, [1.0, 0.0, 0.0]);
        }
    }
}
