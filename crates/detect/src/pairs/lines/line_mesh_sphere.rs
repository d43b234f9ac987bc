//! Segments against a sphere.

use crate::pairs::NoSettings;
use crate::pairs::lines::line_mesh_round::{LineNearest, LineScratch, Round, lines_against};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, NONE};
use palpate_geometry::{LineMesh, Needs, Sphere};
use palpate_math::nearest::point_segment;
use palpate_math::{Aabb, direction};

/// Segments (bare, or a thread with a radius) against a sphere. A centre on a segment separates along a fixed
/// perpendicular of the segment.
#[derive(Default)]
pub struct LineMeshSphere {
    scratch: LineScratch,
}

impl PairDetector for LineMeshSphere {
    type A = LineMesh;
    type B = Sphere;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_sphere";
    const NEEDS: [Needs; 2] = [Needs::TREE, Needs::empty()];
    const ABOUT: About = About {
        elements_a: "edge, vertex",
        elements_b: "point",
        at_most: "one per edge or vertex",
        sides: "one: both are solids",
        method: "closest point of each segment to the centre, then two spheres; a shared vertex once; \
            segment order",
        cost: "O(log segments + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.2",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(&mut self, a: &LineMesh, b: &Sphere, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let center = b.center();
        let round = Round { bounds: Aabb::from_point(center), radius: b.radius() };
        let nearest = |start: &_, end: &_| {
            let on_line = point_segment(&center, start, end);
            let (t, feature, number) = (on_line.t, on_line.feature, NONE);
            LineNearest { t, feature, on_line: on_line.point, on_core: center, number }
        };
        lines_against(a, &round, nearest, direction::any_perpendicular, &mut self.scratch, context, out);
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn contacts(line: &[[f64; 3]], thickness: f64) -> Vec<Contact> {
        let points = line.iter().copied().map(Point::from).collect();
        let mut lines = LineMesh::polyline(points).unwrap().with_radius(thickness).unwrap();
        lines.prepare(Needs::TREE);
        let sphere = Sphere::new(Point::origin(), 0.5).unwrap();
        let mut out = CollisionData::new();
        LineMeshSphere::default().detect(&lines, &sphere, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn the_inside_of_a_segment_is_an_edge_contact() {
        let contact = contacts(&[[-1.0, 0.25, 0.0], [1.0, 0.25, 0.0]], 0.0)[0];
        assert_eq!((contact.depth, contact.direction), (0.25, [0.0, 1.0, 0.0]));
        assert_eq!(contact.a.vertex_weights(), [0.5, 0.5]);
        assert_eq!((contact.a.point, contact.b.point), ([0.0, 0.25, 0.0], [0.0, 0.5, 0.0]));
    }

    #[test]
    fn a_shared_vertex_is_reported_once() {
        let contacts = contacts(&[[-1.0, 1.0, 0.0], [0.0, 0.25, 0.0], [1.0, 1.0, 0.0]], 0.0);
        assert_eq!(contacts.len(), 1, "it is the closest point of both segments");
        assert_eq!((contacts[0].a.feature_kind(), contacts[0].a.vertices[0]), (FeatureKind::Vertex, 1));
        assert_eq!((contacts[0].depth, contacts[0].a.cell), (0.25, 0));
    }

    #[test]
    fn a_thread_reaches_by_its_radius() {
        let contact = contacts(&[[-1.0, 0.75, 0.0], [1.0, 0.75, 0.0]], 0.5)[0];
        assert_eq!((contact.depth, contact.a.point), (0.25, [0.0, 0.25, 0.0]));
    }

    #[test]
    fn a_centre_on_the_segment_parts_sideways() {
        let contact = contacts(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.0)[0];
        assert_eq!((contact.depth, contact.direction[0]), (0.5, 0.0));
    }
}
