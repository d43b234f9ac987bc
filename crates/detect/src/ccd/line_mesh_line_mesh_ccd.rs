//! Moving threads: thread against thread, and a thread against itself.

use super::candidates::{Candidate, of_segments};
use super::elements::Moving;
use super::impacts::Impacts;
use super::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{LineMesh, Needs};

/// First contacts of moving threads: segment against segment with the radii of both, at every speed. In self-contact,
/// segments that share a vertex are skipped.
#[derive(Default)]
pub struct LineMeshLineMeshCcd {
    impacts: Impacts,
}

impl LineMeshLineMeshCcd {
    fn finish(
        &mut self,
        a: &LineMesh,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let [a, b] = [a, b].map(|lines| Moving::Lines(lines, Vertices::of(lines.points())));
        self.impacts.finish(&a, &b, context, out)
    }
}

impl PairDetector for LineMeshLineMeshCcd {
    type A = LineMesh;
    type B = LineMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "line_mesh_line_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::SWEPT, Needs::SWEPT];
    const SELF_CONTACT: bool = true;
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "edge",
        elements_b: "edge",
        at_most: "one per pair of edges",
        sides: "one: both are solids",
        method: "first impact of each pair of segments whose swept boxes overlap, vertices at constant velocity; without \
            radii exact, with radii by conservative advancement; in self-contact, segments that share a vertex are \
            skipped; order of the first's segments, then the second's",
        cost: "O(segments log segments + candidates)",
        source: "Bridson et al. 2002, Robust treatment of collisions, contact and friction for cloth animation; Mirtich 1996, \
            Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &LineMesh,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(tree) = b.swept_tree() else { return Status::default() };
        self.impacts.begin();
        let reach = a.radius() + b.radius() + context.margin();
        let candidates = &mut self.impacts.candidates;
        of_segments(a, tree, reach, |first, second| candidates.push(Candidate::Edges(first, second)));
        self.finish(a, b, context, out)
    }

    fn detect_self(
        &mut self,
        a: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        let tree = a.swept_tree()?;
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        of_segments(a, tree, 2.0 * a.radius() + context.margin(), |first, second| {
            let ids = a.cells()[first as usize];
            let joined = a.cells()[second as usize].iter().any(|id| ids.contains(id));
            if first < second && !joined {
                candidates.push(Candidate::Edges(first, second));
            }
        });
        Some(self.finish(a, a, context, out))
    }
}
