//! A moving thread against a moving implicit body.

use super::element_contacts::{Elements, Ids, Relative, Times, collect_times, earliest};
use super::implicit_point_set_ccd::ImplicitPointSetCcd;
use crate::ccd::moving::Vertices;
use crate::pairs::NoSettings;
use crate::{About, Chunks, Context, LipschitzBody, PairDetector, Status};
use palpate_contact::{CollisionData, Feature, IdPart, NONE};
use palpate_geometry::{ImplicitBody, LineMesh, Needs};

/// First contacts of the vertices and the segments of a moving thread, with its radius, with a moving implicit body. A vertex that
/// stays inside keeps the contact at which it entered, as in [`ImplicitPointSetCcd`]. A segment has a contact of its own if
/// it is met before its ends.
///
/// Vertices have straight paths in the frame of the body; the contact is given with the body as it is at the end of the
/// step. Nothing on the path is skipped: the lowest value over a segment has a certified lower bound, and the
/// Lipschitz constant bounds how fast it can fall.
#[derive(Default)]
pub struct ImplicitLineMeshCcd {
    vertices: ImplicitPointSetCcd,
    times: Times,
    chunks: Chunks,
}

impl PairDetector for ImplicitLineMeshCcd {
    type A = LipschitzBody;
    type B = LineMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_line_mesh_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex, edge",
        at_most: "one per vertex and one per segment",
        sides: "one: the inside of the function is solid",
        method: "vertices as implicit_point_set_ccd; a segment by steps in which its lowest value, by a certified branch and \
            bound, cannot fall to the surface; a segment met no earlier than one of its ends has no contact; order of vertices, \
            then of segments",
        cost: "O(vertices + segments), each segment near the body some searches of some hundred function evaluations",
        source: "Hart 1996, Sphere tracing, section 2; Mirtich 1996, Impulse-based dynamic simulation, 2.3; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &LineMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let vertices = Vertices::of(b.points());
        let Some(relative) = Relative::new(a, vertices, context) else { return Status::default() };
        let first = out.len();
        let wanted = |vertex| vertices.owner(vertex) != NONE;
        let of_vertices = self.vertices.run(a, b.points(), wanted, context, out);
        collect_times(&out.contacts[first..], |contact| contact.b.vertices[0], &mut self.times);
        let times = &self.times;
        let segments = Elements {
            count: b.cells().len(),
            ids: |segment| {
                let [start, end] = b.cells()[segment as usize];
                Ids { vertices: [start, end, end], count: 2, part: IdPart::Edge(segment) }
            },
            bounding: |ids: &Ids| earliest(times, ids),
            feature: |segment, weights: &[f64; 4], point| {
                let ids = b.cells()[segment as usize];
                Feature::edge(ids, [weights[0], weights[1]], segment, point)
            },
        };
        let flags = relative.run(&segments, &mut self.chunks, context, out);
        (of_vertices | flags).into()
    }

    fn reset(&mut self) {
        PairDetector::reset(&mut self.vertices);
    }
}
