//! Moving particles: two sets, and a set against itself.

use super::candidates::{Candidate, of_vertices};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, PointSet};

/// First contacts of moving points (bare, or particles with a radius) with each other.
#[derive(Default)]
pub struct PointSetPointSetCcd {
    impacts: Impacts,
}

impl PairDetector for PointSetPointSetCcd {
    type A = PointSet;
    type B = PointSet;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_point_set_ccd";
    const NEEDS: [Needs; 2] = [Needs::SWEPT, Needs::SWEPT];
    const SELF_CONTACT: bool = true;
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "vertex",
        at_most: "one per pair of vertices",
        sides: "one: points are spheres",
        method: "first impact of each pair of points whose swept boxes overlap, points at constant velocity; without radii \
            exact, with radii by conservative advancement; order of the first's points, then the second's",
        cost: "O(points log points + candidates)",
        source: "Bridson et al. 2002, Robust treatment of collisions, contact and friction for cloth animation; Mirtich 1996, \
            Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.find(a, b, |_, _| true, context, out)
    }

    fn detect_self(
        &mut self,
        a: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        Some(self.find(a, a, |first, second| first < second, context, out))
    }
}

impl PointSetPointSetCcd {
    fn find(
        &mut self,
        a: &PointSet,
        b: &PointSet,
        counts: impl Fn(u32, u32) -> bool,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.swept_tree() else { return Status::default() };
        let [of_a, of_b] = [Vertices::of(a), Vertices::of(b)];
        let reach = a.radius() + b.radius() + context.margin();
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        of_vertices(
            &of_a,
            |_| true,
            tree,
            reach,
            |first, second| {
                if counts(first, second) {
                    candidates.push(Candidate::Vertices(first, second));
                }
            },
        );
        let (a, b) = (Moving::Points(of_a), Moving::Points(of_b));
        self.impacts.finish(&a, &b, context, out)
    }
}
