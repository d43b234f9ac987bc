//! Moving threads: thread against thread, and a thread against itself.

use super::candidates::{Candidate, of_segments};
use super::impacts::{Elements, Impacts, never_leaves};
use super::moving::vertices_of;
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
        let elements = |candidate| {
            let Candidate::Edges(first, second) = candidate else {
                unreachable!("only segments are candidates")
            };
            let ([a0, a1], [b0, b1]) = (a.cells()[first as usize], b.cells()[second as usize]);
            let (of_a, of_b) = (vertices_of(a), vertices_of(b));
            Elements {
                moving: [of_a.vertex(a0), of_a.vertex(a1), of_b.vertex(b0), of_b.vertex(b1)],
                ids: [a0, a1, b0, b1],
                of_a: 2,
                count: 4,
                cells: [first, second],
                numbers: [first, second],
                radii: [a.radius(), b.radius()],
            }
        };
        self.impacts.finish(elements, never_leaves, context, out)
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
