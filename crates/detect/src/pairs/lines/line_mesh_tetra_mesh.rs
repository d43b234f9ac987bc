//! Segments against a tetrahedral mesh.

use crate::contact_ids::{id_of, id_of_first};
use crate::mesh::ReportedFeatures;
use crate::mesh::segment_surface::{nearest_triangle, segment_on_surface};
use crate::mesh::volume::{boundary_feature, way_out, weights_inside};
use crate::pairs::NoSettings;
use crate::pairs::lines::line_mesh_round::{end_vertex, line_feature};
use crate::segment::segment_penetration::DeepestSearch;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{LineMesh, Needs, SurfaceMesh, TetraMesh};
use palpate_math::intersect::segment_tetrahedron;
use palpate_math::{Aabb, separation};

/// Segments (bare, or a thread with a radius) against a tetrahedral mesh, which is a solid: one contact for every
/// intersecting pair of segment and tetrahedron, at the deepest point of the segment's part in the tetrahedron, which
/// exits through the closest boundary point (`depth_upper` certifies that no point of that part is deeper). A thread
/// (or a margin) that reaches the boundary from outside without intersecting a tetrahedron has one contact per
/// segment with the boundary's nearest element; a vertex shared by several such segments is reported once, for the
/// lowest-index segment. Degenerate tetrahedra contain nothing.
#[derive(Default)]
pub struct LineMeshTetraMesh {
    search: DeepestSearch,
    candidates: Vec<u32>,
    seen: ReportedFeatures,
}

/// The two bodies.
struct Pair<'a> {
    lines: &'a LineMesh,
    mesh: &'a TetraMesh,
    boundary: &'a SurfaceMesh,
}

impl LineMeshTetraMesh {
    /// Adds the contacts of one segment with the tetrahedra it intersects; returns whether there were any.
    fn through(&mut self, pair: &Pair<'_>, cell: u32, flags: &mut Flags, out: &mut CollisionData) -> bool {
        let [start, end] = pair.lines.segment(cell);
        collect(&mut self.candidates, pair.mesh.tree(), &Aabb::from_corners(&start, &end));
        let before = out.len();
        for &tetrahedron in &self.candidates {
            let corners = pair.mesh.corners(tetrahedron);
            let Some((from, to)) = segment_tetrahedron(&start, &end, corners.each_ref()) else { continue };
            let Some(deepest) = self.search.between(pair.boundary, [&start, &end], from, to) else {
                continue;
            };
            flags.set(Flags::ITERATION_LIMIT, flags.contains(Flags::ITERATION_LIMIT) || !deepest.converged);
            let Some(weights) = weights_inside(&deepest.point, &corners) else { continue };
            let (outward, distance) = way_out(pair.boundary, &deepest.point, &deepest.nearest);
            let radius = pair.lines.radius();
            let ids = pair.lines.cells()[cell as usize];
            let bary = [1.0 - deepest.t, deepest.t];
            let a = Feature::edge(ids, bary, cell, deepest.point - outward * radius);
            let tetra_ids = pair.mesh.cells()[tetrahedron as usize];
            let b = Feature::tetrahedron(tetra_ids, weights, tetrahedron, deepest.nearest.point);
            let id = id_of(IdPart::Edge(cell), IdPart::Tetrahedron(tetrahedron));
            let contact = Contact::exact(a, b, outward, radius + distance, id);
            let depth_upper = contact.depth.max(radius + deepest.upper);
            out.push(Contact { depth_upper, ..contact });
        }
        out.len() > before
    }

    /// Returns the contact of one segment with the boundary's nearest element, if it is within contact distance.
    fn beside(&mut self, pair: &Pair<'_>, cell: u32, context: &Context<'_>) -> Option<Contact> {
        let [start, end] = pair.lines.segment(cell);
        let radius = pair.lines.radius();
        let reach = radius + context.margin();
        collect(&mut self.candidates, pair.boundary.tree(), &Aabb::from_corners(&start, &end).grown(reach));
        let (triangle, local) = nearest_triangle(pair.boundary, [&start, &end], &self.candidates, reach)?;
        let near = segment_on_surface(pair.boundary, triangle, &local, [&start, &end]);
        let nearest = near.on_surface;
        let (direction, distance) = separation::between(&nearest.point, &near.on_segment);
        let outward = direction.unwrap_or_else(|| pair.boundary.outward(nearest.feature));
        let depth = radius - distance;
        let vertex = end_vertex(pair.lines, cell, near.part);
        if !context.reports(depth) || vertex.is_some_and(|vertex| !self.seen.first_vertex(vertex)) {
            return None;
        }
        let (a, _) = line_feature(pair.lines, cell, vertex, near.t, near.on_segment - outward * radius);
        let b = boundary_feature(pair.mesh, pair.boundary, &nearest, nearest.point);
        let id = id_of_first(IdPart::Edge(cell));
        Some(Contact::exact(a, b, outward, depth, id))
    }
}

fn collect(candidates: &mut Vec<u32>, tree: Option<&palpate_bvh::Bvh>, reach: &Aabb) {
    candidates.clear();
    if let Some(tree) = tree {
        tree.overlap(reach, |cell| candidates.push(cell));
    }
    candidates.sort_unstable();
}

impl PairDetector for LineMeshTetraMesh {
    type A = LineMesh;
    type B = TetraMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_tetra_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::BOUNDARY)];
    const ABOUT: About = About {
        elements_a: "edge; vertex",
        elements_b: "tetrahedron; vertex, edge, triangle of the boundary",
        at_most: "one per segment and tetrahedron; one per segment outside the mesh",
        sides: "one: the tetrahedra are solid",
        method: "the part of each segment in each tetrahedron, by exact predicates; its deepest point \
            exits through the closest point of the boundary surface; order of segments, then of tetrahedra",
        cost: "O(segments log tetrahedra + contacts)",
        source: "Cyrus and Beck 1978, Generalized two- and three-dimensional clipping; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: &TetraMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = b.boundary() else { return Status::default() };
        let pair = Pair { lines: a, mesh: b, boundary };
        let mut flags = Flags::empty();
        self.seen.clear();
        for cell in (0..a.cells().len() as u32).filter(|&cell| !a.is_removed(cell)) {
            let met = self.through(&pair, cell, &mut flags, out);
            if !met && a.radius() + context.margin() > 0.0 {
                let contact = self.beside(&pair, cell, context);
                out.contacts.extend(contact);
            }
        }
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::FeatureKind;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn detect(line: [[f64; 3]; 2], radius: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let lines = LineMesh::polyline(line.map(Point::from).to_vec()).unwrap().with_radius(radius).unwrap();
        let mut out = CollisionData::new();
        LineMeshTetraMesh::default().detect(&lines, &mesh, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn a_segment_wholly_inside_is_in_contact_at_its_deepest_end() {
        let contacts = detect([[1.0, 0.5, 1.0], [1.0, 0.75, 1.0]], 0.0);
        assert_eq!(contacts.len(), 1);
        assert_eq!((contacts[0].depth, contacts[0].a.vertex_weights()), (0.75, &[0.0, 1.0][..]));
        assert_eq!(contacts[0].b.feature_kind(), FeatureKind::Tetrahedron);
    }

    #[test]
    fn a_segment_through_both_tetrahedra_has_a_contact_with_each() {
        let contacts = detect([[0.5, 0.5, 0.5], [6.0, 6.0, 6.0]], 0.0);
        assert_eq!(contacts.iter().map(|contact| contact.b.cell).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(contacts[1].id, id_of(IdPart::Edge(0), IdPart::Tetrahedron(1)));
        assert!(contacts.iter().all(|contact| contact.depth_upper >= contact.depth));
    }

    /// The deepest point of a part is often where the segment leaves the tetrahedron: on a face, up to rounding
    /// error.
    #[test]
    fn weights_are_never_outside_of_zero_to_one() {
        let mut on_a_face = 0;
        for k in 0..100 {
            let s = f64::from(k) / 100.0;
            for contact in detect([[0.3 + s, 0.7, 0.9 - 0.3 * s], [5.1, 6.2 - s, 5.9]], 0.0) {
                let weights = contact.b.vertex_weights();
                assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
                assert!((weights.iter().sum::<f64>() - 1.0).abs() <= 4.0 * f64::EPSILON, "{weights:?}");
                on_a_face += usize::from(weights.iter().any(|&weight| weight < 1e-12));
            }
        }
        assert!(on_a_face > 50, "{on_a_face}");
    }

    #[test]
    fn touching_a_corner_and_lying_in_a_face_are_contacts_of_depth_zero() {
        assert_eq!(detect([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 0.0)[0].depth, 0.0);
        let in_face = detect([[1.0, 1.0, 0.0], [3.0, 2.0, 0.0]], 0.0);
        assert_eq!((in_face[0].depth, in_face[0].direction), (0.0, [0.0, 0.0, -1.0]));
        assert!(detect([[-1.0, -1.0, 0.0], [-1.0, 5.0, 0.0]], 0.0).is_empty());
    }

    /// Near an edge of the boundary whose two triangles have it in opposite directions, the weights are the edge's.
    #[test]
    fn beside_an_edge_the_weights_are_the_edges_own() {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let mut edges = 0;
        for k in 0..100 {
            let s = f64::from(k) / 100.0;
            let line = [[0.3 + 7.0 * s, -0.4, -1.0 + s], [0.1 + 7.5 * s, -0.9, 0.2 + s]];
            for contact in detect(line, 2.0) {
                let weights = contact.b.vertex_weights().iter();
                let sum = contact.b.vertex_ids().iter().zip(weights).fold([0.0; 3], |sum, (&id, &weight)| {
                    [0, 1, 2].map(|axis| sum[axis] + corners[id as usize][axis] * weight)
                });
                let off = (Point::from(sum) - Point::from(contact.b.point)).norm();
                assert!(off < 1e-14, "{off:e}: {contact:?}");
                edges += usize::from(contact.b.feature_kind() == FeatureKind::Edge);
            }
        }
        assert!(edges > 30, "{edges}");
    }

    #[test]
    fn a_vertex_between_two_segments_is_beside_the_mesh_once() {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let bent = [[1.0, -3.0, 1.0], [2.0, -0.25, 2.0], [3.0, -3.0, 1.0]].map(Point::from).to_vec();
        let lines = LineMesh::polyline(bent).unwrap().with_radius(0.5).unwrap();
        let mut out = CollisionData::new();
        LineMeshTetraMesh::default().detect(&lines, &mesh, &Context::new(), &mut out);
        assert_eq!(out.len(), 1);
        assert_eq!((out.contacts[0].a.vertex_ids(), out.contacts[0].depth), (&[1][..], 0.25));
    }

    #[test]
    fn a_thread_reaches_from_outside() {
        let contact = detect([[0.5, -0.25, 1.0], [1.0, -0.25, 1.0]], 0.5)[0];
        assert!((contact.depth - 0.25).abs() < 1e-15 && (contact.direction[1] + 1.0).abs() < 1e-15);
        assert_eq!(contact.b.feature_kind(), FeatureKind::Triangle);
    }
}
