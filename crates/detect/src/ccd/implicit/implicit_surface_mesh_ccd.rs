//! A moving surface against a moving implicit body.

use super::element_contacts::{Elements, Ids, Relative, Times, collect_times, earliest, time_of};
use super::implicit_point_set_ccd::ImplicitPointSetCcd;
use crate::ccd::moving::{AnySurface, MovingSurface, SurfaceView};
use crate::pairs::NoSettings;
use crate::{About, Chunks, Context, LipschitzBody, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, ContactId, Feature, IdPart, NONE};
use palpate_geometry::{ImplicitBody, Needs, PointSet};

/// First contacts of the vertices, edges and triangles of a moving surface, with its thickness, or of the boundary of a
/// tetrahedral mesh, with a moving implicit body. A vertex that stays inside keeps the contact at which it entered, as
/// in [`ImplicitPointSetCcd`]. An edge or a triangle has a contact of its own if it is met before its vertices
/// and its edges.
///
/// Vertices have straight paths in the frame of the body; the contact is given with the body as it is at the end of the
/// step. Nothing on the path is skipped: the lowest value over an element has a certified lower bound, and the
/// Lipschitz constant bounds how fast it can fall.
#[derive(Default)]
pub struct ImplicitSurfaceMeshCcd {
    vertices: ImplicitPointSetCcd,
    vertex_times: Times,
    edge_times: Times,
    chunks: Chunks,
}

/// The vertices of either kind of mesh.
fn points_of<'a>(view: SurfaceView<'a>) -> &'a PointSet {
    match view {
        SurfaceView::Surface(mesh) => mesh.points(),
        SurfaceView::Boundary(mesh) => mesh.points(),
    }
}

impl PairDetector for ImplicitSurfaceMeshCcd {
    type A = LipschitzBody;
    type B = AnySurface;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_surface_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::SWEPT];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex, edge, triangle",
        at_most: "one per vertex, one per edge and one per triangle",
        sides: "one: the inside of the function is solid",
        method: "vertices as implicit_point_set_ccd; edges and triangles by steps in which the lowest value, by a certified \
            branch and bound, cannot fall to the surface; what is met no earlier than a vertex or an edge of its own has no \
            contact; order of vertices, then of edges, then of triangles",
        cost: "O(vertices + triangles), each element near the body some searches of some hundred function evaluations",
        source: "Hart 1996, Sphere tracing, section 2; Mirtich 1996, Impulse-based dynamic simulation, 2.3; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: SurfaceView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let points = points_of(b);
        let Some(surface) = MovingSurface::of(b) else { return Status::default() };
        let Some(relative) = Relative::new(a, surface.vertices, context) else { return Status::default() };
        let first = out.len();
        let boundary = |vertex| surface.has(vertex);
        let of_vertices = self.vertices.run(a, points, boundary, context, out);
        collect_times(&out.contacts[first..], |contact| contact.b.vertices[0], &mut self.vertex_times);
        let vertex_times = &self.vertex_times;
        let edges = Elements {
            count: surface.mesh.adjacency().edges.len(),
            ids: |edge| {
                let [start, end] = surface.edge(edge);
                Ids { vertices: [start, end, end], count: 2, part: IdPart::Edge(edge) }
            },
            bounding: |ids: &Ids| earliest(vertex_times, ids),
            feature: |edge, weights: &[f64; 4], point| {
                let cell = surface.cell(surface.triangle_of(edge));
                Feature::edge(surface.edge(edge), [weights[0], weights[1]], cell, point)
            },
        };
        let first = out.len();
        let of_edges = relative.run(&edges, &mut self.chunks, context, out);
        let number = |contact: &Contact| match ContactId::parts(contact.id) {
            [_, IdPart::Edge(edge)] => edge,
            _ => NONE,
        };
        collect_times(&out.contacts[first..], number, &mut self.edge_times);
        let edge_times = &self.edge_times;
        let triangles = Elements {
            count: surface.mesh.triangles().len(),
            ids: |triangle| Ids {
                vertices: surface.mesh.triangles()[triangle as usize],
                count: 3,
                part: IdPart::Triangle(triangle),
            },
            bounding: |ids: &Ids| {
                let IdPart::Triangle(triangle) = ids.part else { return f64::INFINITY };
                let edges = surface.mesh.adjacency().triangle_edges[triangle as usize];
                edges
                    .iter()
                    .map(|&edge| time_of(edge_times, edge))
                    .fold(earliest(vertex_times, ids), f64::min)
            },
            feature: |triangle, weights: &[f64; 4], point| {
                let ids = surface.mesh.triangles()[triangle as usize];
                Feature::triangle(ids, [weights[0], weights[1], weights[2]], surface.cell(triangle), point)
            },
        };
        let of_triangles = relative.run(&triangles, &mut self.chunks, context, out);
        (of_vertices | of_edges | of_triangles).into()
    }

    fn reset(&mut self) {
        PairDetector::reset(&mut self.vertices);
    }
}
