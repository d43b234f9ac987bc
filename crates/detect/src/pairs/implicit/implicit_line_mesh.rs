//! Implicit body against segments.

use crate::contact_ids::id_of_second;
use crate::mesh::ReportedFeatures;
use crate::pairs::ImplicitSettings;
use crate::pairs::implicit::implicit_contact::{OF_ITS_OWN, Reach, flags_of_search};
use crate::port::LipschitzBody;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::Search;
use palpate_geometry::{ImplicitBody, LineMesh, Needs};

/// Implicit body against segments (bare, or a thread with a radius): every vertex of a segment within contact
/// distance, and every segment whose deepest point lies between its ends and is deeper than both. A segment has at
/// most one contact, at the minimum over the whole segment (a certified global search), so that a rod thinner than
/// the segments' length is found wherever it crosses. `depth_upper` certifies that no point is deeper.
#[derive(Default)]
pub struct ImplicitLineMesh {
    search: Search,
    seen: ReportedFeatures,
    cells: Vec<u32>,
    vertices: Vec<u32>,
    values: Vec<f64>,
}

impl PairDetector for ImplicitLineMesh {
    type A = LipschitzBody;
    type B = LineMesh;
    type Settings = ImplicitSettings;

    const NAME: &'static str = "implicit_line_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE];
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex, edge",
        at_most: "one per vertex and one per segment",
        sides: "one: the inside of the function is solid",
        method: "value and gradient at each vertex; the minimum over each segment by a certified branch \
            and bound, if it is between the ends; order of vertices, then of segments",
        cost: "O(log segments + segments near the body), each some hundred function evaluations",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; Piyavskii 1972",
    };

    fn new(settings: ImplicitSettings) -> Self {
        Self { search: settings.tolerance.search(), ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.tree() else { return Status::default() };
        self.search.relative_to(a.radius());
        let reach = Reach { body: a, radius: b.radius(), context };
        let bounds = a.sublevel_bounds(0.0).grown(reach.cutoff());
        self.cells.clear();
        tree.overlap(&bounds, |cell| self.cells.push(cell));
        self.cells.sort_unstable();
        let positions = b.points().positions();
        self.seen.clear();
        self.vertices.clear();
        for &cell in &self.cells {
            let ends = b.cells()[cell as usize];
            self.vertices.extend(ends.into_iter().filter(|&vertex| self.seen.first_vertex(vertex)));
        }
        self.vertices.sort_unstable();
        self.values.resize(positions.len(), 0.0);
        let mut flags = Flags::empty();
        for &vertex in &self.vertices {
            let place = positions[vertex as usize];
            let sample = a.sample(&place);
            self.values[vertex as usize] = sample.value;
            let other = |point| Feature::vertex(vertex, b.points().owner(vertex), point);
            let contact = reach.at_place(&place, &sample, id_of_second(IdPart::Vertex(vertex)), other);
            if let Some(contact) = contact.filter(|_| bounds.contains_point(&place)) {
                flags |= reach.flags(sample.value);
                out.push(contact);
            }
        }
        for &cell in &self.cells {
            let (ids, ends) = (b.cells()[cell as usize], b.segment(cell));
            let [start, end] = ids.map(|id| self.values[id as usize]);
            let length = (ends[1] - ends[0]).norm();
            let own = start.min(end) - OF_ITS_OWN * length;
            let Some(found) = self.search.below(a, &ends, own.min(reach.cutoff())) else { continue };
            if found.sample.value > own || !bounds.contains_point(&found.point) {
                continue;
            }
            let [w0, w1, ..] = found.weights;
            let other = |point| Feature::edge(ids, [w0, w1], cell, point);
            flags |= reach.flags(found.sample.value) | flags_of_search(&found);
            out.push(reach.at_minimum(&found, length, id_of_second(IdPart::Edge(cell)), other));
        }
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::{Geometry, OrientedBox, Pose, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    fn detect(function: Arc<dyn ImplicitFunction>, line: &[[f64; 3]], radius: f64) -> Vec<Contact> {
        let body = ImplicitBody::new(Pose::identity(), function).unwrap();
        let lines = LineMesh::polyline(line.iter().copied().map(Point::from).collect()).unwrap();
        let mut lines = lines.with_radius(radius).unwrap();
        lines.prepare(Needs::TREE);
        let mut out = CollisionData::new();
        ImplicitLineMesh::default().detect(&body, &lines, &Context::new(), &mut out);
        out.contacts
    }

    fn ball() -> Arc<dyn ImplicitFunction> {
        Arc::new(Sphere::new(Point::origin(), 1.0).unwrap())
    }

    #[test]
    fn a_segment_is_met_between_its_ends() {
        let contacts = detect(ball(), &[[-50.0, 0.5, 0.0], [70.0, 0.5, 0.0]], 0.25);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].depth - 0.75).abs() < 1e-9 && contacts[0].depth_upper >= contacts[0].depth);
        assert_eq!(
            (contacts[0].b.feature_kind(), contacts[0].id),
            (FeatureKind::Edge, id_of_second(IdPart::Edge(0)))
        );
        assert!((contacts[0].a.point[1] - 1.0).abs() < 1e-6 && (contacts[0].b.point[1] - 0.25).abs() < 1e-6);
        assert!((contacts[0].b.weights[1] - 50.0 / 120.0).abs() < 1e-6);
    }

    #[test]
    fn a_segment_whose_end_is_deepest_is_met_there_once() {
        let contacts = detect(ball(), &[[-3.0, 0.0, 0.0], [-0.5, 0.0, 0.0], [-3.0, 1.0, 0.0]], 0.0);
        assert_eq!(contacts.len(), 1);
        assert_eq!((contacts[0].b.feature_kind(), contacts[0].depth), (FeatureKind::Vertex, 0.5));
    }

    #[test]
    fn a_segment_along_a_face_is_met_at_its_ends() {
        let block: Arc<dyn ImplicitFunction> =
            Arc::new(OrientedBox::new(Pose::identity(), Vector::new(4.0, 1.0, 4.0)).unwrap());
        let contacts = detect(block.clone(), &[[-1.0, 0.75, 0.0], [1.0, 0.75, 0.0]], 0.0);
        assert_eq!(contacts.iter().map(|contact| contact.depth).collect::<Vec<_>>(), [0.25, 0.25]);
        let through = detect(block, &[[0.0, -3.0, 0.0], [0.0, 5.0, 0.0]], 0.0);
        assert_eq!(through.len(), 1);
        assert!((through[0].depth - 1.0).abs() < 1e-11);
    }
}
