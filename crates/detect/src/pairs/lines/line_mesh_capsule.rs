//! Segments against a capsule.

use crate::pairs::NoSettings;
use crate::pairs::lines::line_mesh_round::{LineNearest, LineScratch, Round, lines_against};
use crate::pairs::primitive::capsule_capsule::common_perpendicular;
use crate::rounded_contact::capsule_end;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Capsule, LineMesh, Needs};
use palpate_math::nearest::segment_segment;
use palpate_math::{Aabb, direction};

/// Segments (bare, or a thread with a radius) against a capsule. A segment that crosses the axis separates along the
/// common perpendicular; a collinear one along the capsule's local +x (for a capsule without length, along a fixed
/// perpendicular of the segment); a parallel one has its contact in the middle of the overlap.
#[derive(Default)]
pub struct LineMeshCapsule {
    scratch: LineScratch,
}

impl PairDetector for LineMeshCapsule {
    type A = LineMesh;
    type B = Capsule;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_capsule";
    const NEEDS: [Needs; 2] = [Needs::TREE, Needs::empty()];
    const ABOUT: About = About {
        elements_a: "edge, vertex",
        elements_b: "point",
        at_most: "one per edge or vertex",
        sides: "one: both are solids",
        method: "closest points of each segment and the axis, then two spheres; a shared vertex once; \
            intersecting lines separate along their common perpendicular; segment order",
        cost: "O(log segments + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.9",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let [bottom, top] = b.ends();
        let round = Round { bounds: Aabb::from_corners(&bottom, &top), radius: b.radius() };
        let nearest = |start: &_, end: &_| {
            let pair = segment_segment(start, end, &bottom, &top);
            LineNearest {
                t: pair.s,
                feature: pair.feature_a,
                on_line: pair.point_a,
                on_core: pair.point_b,
                number: capsule_end(pair.feature_b),
            }
        };
        let fallback = |along: &_| {
            // Through a sphere: its local +x may be parallel to the segment.
            let aside =
                if b.length() == 0.0 { direction::any_perpendicular(along) } else { b.side_direction() };
            common_perpendicular(along, &(top - bottom), aside)
        };
        lines_against(a, &round, nearest, fallback, &mut self.scratch, context, out);
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::{Geometry, Pose};
    use palpate_math::Point;

    /// Against an upright capsule of radius 0.25 and length 1.
    fn contact(line: [[f64; 3]; 2]) -> Contact {
        let mut lines = LineMesh::polyline(line.map(Point::from).to_vec()).unwrap();
        lines.prepare(Needs::TREE);
        let capsule = Capsule::new(Pose::identity(), 0.25, 1.0).unwrap();
        let mut out = CollisionData::new();
        LineMeshCapsule::default().detect(&lines, &capsule, &Context::new(), &mut out);
        assert_eq!(out.len(), 1);
        out.contacts[0]
    }

    #[test]
    fn skew_lines_part_between_their_nearest_points() {
        let contact = contact([[-1.0, 0.125, 0.125], [1.0, 0.125, 0.125]]);
        assert_eq!((contact.depth, contact.direction), (0.125, [0.0, 0.0, 1.0]));
        assert_eq!(contact.a.feature_kind(), FeatureKind::Edge);
    }

    #[test]
    fn crossing_the_axis_parts_along_the_common_perpendicular() {
        let contact = contact([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
        assert_eq!((contact.depth, contact.direction[2].abs()), (0.25, 1.0));
    }

    #[test]
    fn a_line_through_a_ball_parts_sideways() {
        let mut lines =
            LineMesh::polyline([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]].map(Point::from).to_vec()).unwrap();
        lines.prepare(Needs::TREE);
        let ball = Capsule::new(Pose::identity(), 0.25, 0.0).unwrap();
        let mut out = CollisionData::new();
        LineMeshCapsule::default().detect(&lines, &ball, &Context::new(), &mut out);
        assert_eq!((out.contacts[0].depth, out.contacts[0].direction[0]), (0.25, 0.0));
    }

    #[test]
    fn a_line_in_the_axis_parts_sideways() {
        let contact = contact([[0.0, -0.25, 0.0], [0.0, 0.25, 0.0]]);
        assert_eq!((contact.depth, contact.direction), (0.25, [1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_parallel_line_is_met_in_the_middle_of_the_overlap() {
        let contact = contact([[0.125, -0.25, 0.0], [0.125, 0.25, 0.0]]);
        assert_eq!((contact.depth, contact.a.point), (0.125, [0.125, 0.0, 0.0]));
        assert_eq!(contact.a.vertex_weights(), [0.5, 0.5]);
    }

    #[test]
    fn an_end_is_a_vertex_contact() {
        let contact = contact([[0.125, 0.0, 0.0], [1.0, 0.0, 0.0]]);
        assert_eq!(
            (contact.a.feature_kind(), contact.a.vertices[0], contact.depth),
            (FeatureKind::Vertex, 0, 0.125)
        );
    }
}
