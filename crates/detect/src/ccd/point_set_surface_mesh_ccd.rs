//! Moving points against a moving surface.

use super::candidates::{Candidate, of_vertices};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::{AnySurface, MovingSurface, SurfaceView, Vertices};
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, PointSet};

/// First contacts of moving points (bare, particles with a radius, or the vertices of a mesh) with a moving surface, with its
/// thickness, or with the boundary of a tetrahedral mesh. What leaves the inside of a solid has no contact.
#[derive(Default)]
pub struct PointSetSurfaceMeshCcd {
    impacts: Impacts,
}

impl PairDetector for PointSetSurfaceMeshCcd {
    type A = Points;
    type B = AnySurface;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_surface_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::SWEPT];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "triangle",
        at_most: "one per vertex and triangle",
        sides: "two: both sides of a sheet; of a closed surface the outside",
        method: "first impact of each vertex and triangle whose swept boxes overlap, vertices at constant velocity; without radii \
            exact, with radii by conservative advancement; vertex order",
        cost: "O(vertices log triangles + candidates)",
        source: "Bridson et al. 2002, Robust treatment of collisions, contact and friction for cloth animation; Mirtich 1996, \
            Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: SurfaceView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(b) = MovingSurface::of(b) else { return Status::default() };
        let Some(tree) = b.mesh.swept_tree() else { return Status::default() };
        let vertices = Vertices::of(a);
        let reach = a.radius() + b.vertices.radius() + context.margin();
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        of_vertices(
            &vertices,
            |_| true,
            tree,
            reach,
            |vertex, triangle| {
                candidates.push(Candidate::VertexTriangle(vertex, triangle));
            },
        );
        let (a, b) = (Moving::Points(vertices), Moving::Surface(b));
        self.impacts.finish(&a, &b, context, out)
    }
}
