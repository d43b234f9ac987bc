//! Moving surfaces: surface against surface, and a surface against itself.

use super::candidates::{Candidate, edges_near, of_vertices};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::{AnySurface, MovingSurface, SurfaceView};
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, NONE};
use palpate_geometry::Needs;

/// First contacts of moving surfaces, closed or open, with their thickness, and of the boundaries of tetrahedral meshes:
/// vertex against triangle both ways, and edge against edge. What leaves the inside of a solid has no contact. In
/// self-contact, elements that share a vertex are skipped.
#[derive(Default)]
pub struct SurfaceMeshSurfaceMeshCcd {
    impacts: Impacts,
}

impl SurfaceMeshSurfaceMeshCcd {
    fn find(&mut self, a: &MovingSurface<'_>, b: &MovingSurface<'_>, itself: bool, context: &Context<'_>) {
        let (Some(tree_a), Some(tree_b)) = (a.mesh.swept_tree(), b.mesh.swept_tree()) else { return };
        let reach = a.vertices.radius() + b.vertices.radius() + context.margin();
        let candidates = &mut self.impacts.candidates;
        let of_b = |triangle: u32| b.mesh.triangles()[triangle as usize];
        of_vertices(
            &a.vertices,
            |vertex| a.has(vertex),
            tree_b,
            reach,
            |vertex, triangle| {
                if !(itself && of_b(triangle).contains(&vertex)) {
                    candidates.push(Candidate::VertexTriangle(vertex, triangle));
                }
            },
        );
        if !itself {
            of_vertices(
                &b.vertices,
                |vertex| b.has(vertex),
                tree_a,
                reach,
                |vertex, triangle| {
                    candidates.push(Candidate::TriangleVertex(triangle, vertex));
                },
            );
        }
        let edges = (0..).zip(&a.mesh.adjacency().edges);
        for (first, &ids) in edges.filter(|(_, ids)| ids[0] != NONE) {
            let swept = a.vertices.swept(ids).grown(reach);
            edges_near(b, tree_b, &swept, |second| {
                let joined = || b.edge(second).iter().any(|id| ids.contains(id));
                if !itself || (first < second && !joined()) {
                    candidates.push(Candidate::Edges(first, second));
                }
            });
        }
    }

    fn run(
        &mut self,
        [a, b]: [SurfaceView<'_>; 2],
        itself: bool,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        let (a, b) = (MovingSurface::of(a)?, MovingSurface::of(b)?);
        self.impacts.begin();
        self.find(&a, &b, itself, context);
        let (a, b) = (Moving::Surface(a), Moving::Surface(b));
        Some(self.impacts.finish(&a, &b, context, out))
    }
}

impl PairDetector for SurfaceMeshSurfaceMeshCcd {
    type A = AnySurface;
    type B = AnySurface;
    type Settings = NoSettings;

    const NAME: &'static str = "surface_mesh_surface_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::SWEPT, Needs::SWEPT];
    const SELF_CONTACT: bool = true;
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "triangle, edge, vertex",
        at_most: "one per vertex and triangle, one per pair of edges",
        sides: "two: both sides of a sheet; of a closed surface the outside",
        method: "first impact of each vertex and triangle, both ways, and of each pair of edges whose swept boxes overlap, \
            vertices at constant velocity; without thickness exact, with thickness by conservative advancement; in \
            self-contact, elements that share a vertex are skipped; order: vertices of the first, triangles of the \
            first, edges",
        cost: "O((vertices + edges) log triangles + candidates)",
        source: "Provot 1997, Collision and self-collision handling in cloth model; Bridson et al. 2002; Mirtich 1996, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: SurfaceView<'_>,
        b: SurfaceView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.run([a, b], false, context, out).unwrap_or_default()
    }

    fn detect_self(
        &mut self,
        a: SurfaceView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        self.run([a, a], true, context, out)
    }
}
