//! A moving thread against a moving convex body.

use super::element_impacts::{ElementImpacts, Elements, swept_bounds};
use super::moving_element::{Part, Place};
use crate::ccd::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Status};
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::{LineMesh, Needs};
use palpate_math::Point;
use palpate_math::continuous::MovingPoint;

/// First contacts of the segments of a moving thread, with its radius, with a moving convex body, which turns as
/// [`RigidMotion`](palpate_geometry::RigidMotion) says. A vertex between two segments has one contact.
#[derive(Default)]
pub struct LineMeshConvexCcd {
    impacts: ElementImpacts,
}

/// The segments of a thread.
struct Segments<'a> {
    lines: &'a LineMesh,
    vertices: Vertices<'a>,
}

impl Elements for Segments<'_> {
    fn element(&self, number: u32) -> ([MovingPoint; 3], usize) {
        let [start, end] = self.vertices.element(self.lines.cells()[number as usize]);
        ([start, end, end], 2)
    }

    fn feature(&self, number: u32, place: &Place, point: Point) -> (Feature, IdPart) {
        let ids = self.lines.cells()[number as usize];
        match place.part {
            Part::Vertex(which) => {
                let vertex = ids[which];
                (Feature::vertex(vertex, self.vertices.owner(vertex), point), IdPart::Vertex(vertex))
            }
            _ => {
                let [first, second, _] = place.weights;
                (Feature::edge(ids, [first, second], number, point), IdPart::Edge(number))
            }
        }
    }

    fn radius(&self) -> f64 {
        self.vertices.radius()
    }
}

impl PairDetector for LineMeshConvexCcd {
    type A = LineMesh;
    type B = AnyConvex;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::SWEPT, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex, edge",
        elements_b: "point",
        at_most: "one per vertex, one per edge",
        sides: "one: both are solids",
        method: "conservative advancement of each segment whose swept box overlaps that of the body, vertices at constant \
            velocity, the body's rotation at constant angular velocity; a segment that is met at an end has the contact of that \
            vertex; segment order",
        cost: "O(log segments + candidates), some distance queries of each candidate",
        source: "Mirtich 1996, Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = a.swept_tree() else { return Status::default() };
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        tree.overlap(&swept_bounds(&b, a.radius() + context.margin()), |segment| candidates.push(segment));
        self.impacts.finish(&Segments { lines: a, vertices: Vertices::of(a.points()) }, b, context, out)
    }
}
