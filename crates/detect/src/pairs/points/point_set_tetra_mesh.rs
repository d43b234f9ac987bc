//! Points against a tetrahedral mesh.

use crate::contact_ids::id_of_first;
use crate::mesh::volume::{boundary_feature, way_out};
use crate::pairs::NoSettings;
use crate::{About, Chunk, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Needs, PointSet, SurfaceMesh, TetraMesh};
use palpate_math::barycentric;

/// Points against a tetrahedral mesh, which is a solid: a vertex inside a tetrahedron exits through the closest point
/// of the boundary; the contact names the lowest-index tetrahedron that contains it. A particle (or a margin) that
/// reaches the boundary from outside is in contact with the boundary's nearest element. Degenerate tetrahedra contain
/// nothing.
#[derive(Default)]
pub struct PointSetTetraMesh {
    chunks: Chunks,
}

/// Vertices per chunk: each costs two tree traversals.
const VERTICES_PER_CHUNK: usize = 128;

impl PairDetector for PointSetTetraMesh {
    type A = Points;
    type B = TetraMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_tetra_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::BOUNDARY)];
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "tetrahedron; vertex, edge, triangle of the boundary",
        at_most: "one per vertex",
        sides: "one: the tetrahedra are solid",
        method: "containment by exact predicates, the lowest-index tetrahedron that contains the vertex; \
            depth and direction from the closest point of the boundary surface; vertex order",
        cost: "O(vertices log tetrahedra)",
        source: "Ericson 2005, Real-Time Collision Detection, 3.4; Shewchuk 1997, Adaptive precision predicates",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &TetraMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let (Some(tree), Some(boundary)) = (b.tree(), b.boundary()) else { return Status::default() };
        let reach = a.radius() + context.margin();
        let bounds = tree.bounds().grown(reach);
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            for vertex in range {
                let position = a.positions()[vertex];
                if !bounds.contains_point(&position) {
                    continue;
                }
                let contact = match b.holding_cell(&position) {
                    Some(cell) => inside(a, vertex as u32, b, cell, boundary),
                    None if reach > 0.0 => outside(a, vertex as u32, b, boundary, context),
                    None => None,
                };
                chunk.contacts.extend(contact);
            }
        };
        self.chunks.run(context.executor(), a.len(), VERTICES_PER_CHUNK, job, out).into()
    }
}

fn inside(
    points: &PointSet,
    vertex: u32,
    mesh: &TetraMesh,
    cell: u32,
    boundary: &SurfaceMesh,
) -> Option<Contact> {
    let position = points.positions()[vertex as usize];
    let nearest = boundary.nearest(&position, f64::INFINITY)?;
    let (outward, distance) = way_out(boundary, &position, &nearest);
    let corners = mesh.corners(cell);
    let weights = barycentric::tetrahedron(&position, corners.each_ref())?;
    let a = Feature::vertex(vertex, points.owner(vertex), position - outward * points.radius());
    let b = Feature::tetrahedron(mesh.cells()[cell as usize], weights, cell, nearest.point);
    Some(Contact::exact(a, b, outward, points.radius() + distance, id_of_first(IdPart::Vertex(vertex))))
}

fn outside(
    points: &PointSet,
    vertex: u32,
    mesh: &TetraMesh,
    boundary: &SurfaceMesh,
    context: &Context<'_>,
) -> Option<Contact> {
    let position = points.positions()[vertex as usize];
    let nearest = boundary.nearest(&position, f64::INFINITY)?;
    let (inward, distance) = way_out(boundary, &position, &nearest);
    // Outside, the closest point lies in the opposite direction. Within rounding error the surface's normal is used.
    let outward = if distance > 0.0 { -inward } else { inward };
    let depth = points.radius() - distance;
    let a = Feature::vertex(vertex, points.owner(vertex), position - outward * points.radius());
    let b = boundary_feature(mesh, boundary, &nearest, nearest.point);
    context.reports(depth).then(|| Contact::exact(a, b, outward, depth, id_of_first(IdPart::Vertex(vertex))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::FeatureKind;
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn detect(points: &[[f64; 3]], radius: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let points = points.with_radius(radius).unwrap();
        let mut out = CollisionData::new();
        PointSetTetraMesh::default().detect(&points, &mesh, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn a_point_inside_names_its_tetrahedron_and_leaves_through_the_boundary() {
        let contact = detect(&[[1.0, 0.5, 1.0]], 0.0)[0];
        assert_eq!((contact.b.cell, contact.depth, contact.direction), (0, 0.5, [0.0, -1.0, 0.0]));
        assert_eq!(contact.b.vertex_weights(), [0.6875, 0.125, 0.0625, 0.125]);
        assert_eq!(contact.b.point, [1.0, 0.0, 1.0]);
    }

    /// On the face shared by both tetrahedra the lowest-index one is named, and the exit is not through that face.
    #[test]
    fn a_point_on_a_shared_face_belongs_to_the_lowest_and_is_deep_inside() {
        let contact = detect(&[[2.0, 2.0, 4.0]], 0.0)[0];
        assert_eq!(contact.b.cell, 0);
        assert!(contact.depth > 0.5, "{contact:?}");
    }

    #[test]
    fn touching_a_corner_counts_and_outside_does_not() {
        assert_eq!(detect(&[[0.0, 0.0, 0.0]], 0.0)[0].depth, 0.0);
        assert!(detect(&[[-0.25, 1.0, 1.0]], 0.0).is_empty());
    }

    #[test]
    fn a_particle_reaches_from_outside() {
        let contact = detect(&[[1.0, -0.25, 1.0]], 0.5)[0];
        assert_eq!((contact.depth, contact.direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((contact.b.feature_kind(), contact.b.cell), (FeatureKind::Triangle, 0));
        assert_eq!(contact.a.point, [1.0, 0.25, 1.0]);
    }
}
