//! A moving thread against a moving surface.

use super::candidates::{Candidate, edges_near, of_vertices};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::{AnySurface, MovingSurface, SurfaceView, Vertices};
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, NONE};
use palpate_geometry::{LineMesh, Needs};

/// First contacts of a moving thread with a moving surface, with radius and thickness, or with the boundary of a tetrahedral
/// mesh: vertices of the thread against triangles, segments against edges. What leaves the inside of a solid has no
/// contact.
#[derive(Default)]
pub struct LineMeshSurfaceMeshCcd {
    impacts: Impacts,
}

impl PairDetector for LineMeshSurfaceMeshCcd {
    type A = LineMesh;
    type B = AnySurface;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_surface_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::SWEPT];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex, edge",
        elements_b: "triangle, edge",
        at_most: "one per vertex and triangle, one per pair of edges",
        sides: "two: both sides of a sheet; of a closed surface the outside",
        method: "first impact of each vertex of the thread and triangle, and of each segment and edge, whose swept boxes \
            overlap, vertices at constant velocity; without radii exact, with radii by conservative advancement; order: \
            vertices of the thread, then segments",
        cost: "O(segments log triangles + candidates)",
        source: "Bridson et al. 2002, Robust treatment of collisions, contact and friction for cloth animation; Mirtich 1996, \
            Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: SurfaceView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(b) = MovingSurface::of(b) else { return Status::default() };
        let Some(tree) = b.mesh.swept_tree() else { return Status::default() };
        let vertices = Vertices::of(a.points());
        let reach = a.radius() + b.vertices.radius() + context.margin();
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        of_vertices(
            &vertices,
            |vertex| vertices.owner(vertex) != NONE,
            tree,
            reach,
            |vertex, triangle| {
                candidates.push(Candidate::VertexTriangle(vertex, triangle));
            },
        );
        for (segment, &ids) in (0..).zip(a.cells()).filter(|&(segment, _)| !a.is_removed(segment)) {
            let swept = vertices.swept(ids).grown(reach);
            edges_near(&b, tree, &swept, |edge| candidates.push(Candidate::Edges(segment, edge)));
        }
        let (a, b) = (Moving::Lines(a, vertices), Moving::Surface(b));
        self.impacts.finish(&a, &b, context, out)
    }
}
