//! Moving points against a moving thread.

use super::candidates::{Candidate, of_vertices};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{LineMesh, Needs, PointSet};

/// First contacts of moving points (bare, particles with a radius, or the vertices of a mesh) with the segments of a moving thread.
#[derive(Default)]
pub struct PointSetLineMeshCcd {
    impacts: Impacts,
}

impl PairDetector for PointSetLineMeshCcd {
    type A = Points;
    type B = LineMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_line_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::SWEPT];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "edge",
        at_most: "one per vertex and edge",
        sides: "one: both are solids",
        method: "first impact of each vertex and segment whose swept boxes overlap, vertices at constant velocity; without radii \
            exact, with radii by conservative advancement; vertex order",
        cost: "O(vertices log segments + candidates)",
        source: "Bridson et al. 2002, Robust treatment of collisions, contact and friction for cloth animation; Mirtich 1996, \
            Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.swept_tree() else { return Status::default() };
        let vertices = Vertices::of(a);
        let reach = a.radius() + b.radius() + context.margin();
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        of_vertices(
            &vertices,
            |_| true,
            tree,
            reach,
            |vertex, segment| {
                candidates.push(Candidate::VertexEdge(vertex, segment));
            },
        );
        let (a, b) = (Moving::Points(vertices), Moving::Lines(b, Vertices::of(b.points())));
        self.impacts.finish(&a, &b, context, out)
    }
}
