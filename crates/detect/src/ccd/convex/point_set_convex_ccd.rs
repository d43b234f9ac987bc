//! Moving points against a moving convex body.

use super::element_impacts::{ElementImpacts, Elements, swept_bounds};
use super::moving_element::Place;
use crate::ccd::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Points, Status};
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::{Needs, PointSet};
use palpate_math::Point;
use palpate_math::continuous::MovingPoint;

/// First contacts of moving points (bare, particles with a radius, or the vertices of a mesh) with a moving convex body, which
/// turns as [`RigidMotion`](palpate_geometry::RigidMotion) says.
#[derive(Default)]
pub struct PointSetConvexCcd {
    impacts: ElementImpacts,
}

impl Elements for Vertices<'_> {
    fn element(&self, number: u32) -> ([MovingPoint; 3], usize) {
        ([self.vertex(number); 3], 1)
    }

    fn feature(&self, number: u32, _: &Place, point: Point) -> (Feature, IdPart) {
        (Feature::vertex(number, self.owner(number), point), IdPart::Vertex(number))
    }

    fn radius(&self) -> f64 {
        Vertices::radius(self)
    }
}

impl PairDetector for PointSetConvexCcd {
    type A = Points;
    type B = AnyConvex;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: both are solids",
        method: "conservative advancement of each vertex in the box that the body sweeps, vertices at constant velocity, the \
            body's rotation at constant angular velocity; vertex order",
        cost: "O(vertices + candidates), some distance queries of each candidate",
        source: "Mirtich 1996, Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let vertices = Vertices::of(a);
        let bounds = swept_bounds(&b, a.radius() + context.margin());
        self.impacts.begin();
        let near = (0..vertices.len() as u32).filter(|&vertex| vertices.swept([vertex]).overlaps(&bounds));
        self.impacts.candidates.extend(near);
        self.impacts.finish(&vertices, b, context, out)
    }
}
