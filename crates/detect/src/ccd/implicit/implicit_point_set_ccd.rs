//! Moving points against a moving implicit body, with the place at which each entered.

use super::path::{Meeting, Motion, Path};
use crate::contact_ids::id_of_second;
use crate::pairs::NoSettings;
use crate::pairs::implicit::implicit_contact::flags_of;
use crate::pairs::implicit::values_at::values_at;
use crate::{About, Chunk, Chunks, Context, Flags, LipschitzBody, PairDetector, Points, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_geometry::{ImplicitBody, Needs, PointSet};
use palpate_math::{Aabb, Point, Vector, direction};
use std::ops::Range;

/// First contacts of moving points (bare, particles with a radius, or the vertices of a mesh) with a moving implicit body. A
/// point that stays inside keeps the contact at which it entered, until it has left: it is not pushed out through the
/// nearest side.
///
/// The path of a point is followed in the frame of the body, where it is straight, by steps that the Lipschitz constant of
/// the function bounds: nothing on the path is skipped. A point that was inside before it was first seen leaves by the
/// gradient.
#[derive(Default)]
pub struct ImplicitPointSetCcd {
    chunks: Chunks,
    /// Where each point entered; in the frame of the body.
    entries: Vec<Option<Entry>>,
    changed: Vec<(usize, Option<Entry>)>,
}

/// Where a point entered the body: in the body's frame, so that it moves with the body.
#[derive(Clone, Copy)]
struct Entry {
    on_surface: Point,
    outward: Vector,
    number: u32,
}

/// Points per chunk: a path costs about ten samples.
const CHUNK: usize = 64;

/// The vertices of a chunk whose remembered entry changes, with the new one.
#[derive(Default)]
struct ChangedEntries(Vec<(usize, Option<Entry>)>);

impl ImplicitPointSetCcd {
    /// Appends the contacts of the vertices that are wanted.
    pub(crate) fn run(
        &mut self,
        a: &ImplicitBody,
        b: &PointSet,
        wanted: impl Fn(u32) -> bool + Sync,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let Some(lipschitz) = a.lipschitz() else { return Flags::empty() };
        self.keep(b.len());
        let motion = Motion::of(a);
        let (radius, margin) = (b.radius(), context.margin());
        let bounds = a.sublevel_bounds(0.0).grown(radius + margin);
        let ([previous, current], entries) = (b.motion(), &self.entries);
        let level = radius + margin;
        let start_of = |vertex: usize| motion.carried * previous[vertex];
        let is_near =
            |vertex: usize, start: Point| Aabb::from_points([start, current[vertex]]).overlaps(&bounds);
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            let Chunk { contacts, flags, scratch, .. } = chunk;
            let changed = &mut scratch.get::<ChangedEntries>().0;
            changed.clear();
            let asked = range.filter(|&vertex| wanted(vertex as u32));
            let left = asked
                .clone()
                .filter(|&vertex| entries[vertex].is_some() && !is_near(vertex, start_of(vertex)));
            changed.extend(left.map(|vertex| (vertex, None)));
            let near = asked.map(|vertex| (vertex, start_of(vertex)));
            let near = near.filter(|&(vertex, start)| is_near(vertex, start));
            values_at(a, &bounds, near, |vertex, start, least| {
                let (end, remembered) = (current[vertex], entries[vertex]);
                let is_apart = least > level + lipschitz * (end - start).norm();
                let met = if is_apart {
                    Meeting::Never
                } else {
                    Path { body: a, start, end, level, lipschitz }.follow()
                };
                let (contact, entry, own) =
                    meet(a, b, vertex as u32, [start, end], &motion, &met, remembered);
                contacts.extend(contact);
                *flags |= own;
                // What is outside at the end has left.
                let inside = entry.is_some() && a.sample(&end).value < radius;
                let entry = entry.filter(|_| inside);
                if entry.is_some() || remembered.is_some() {
                    changed.push((vertex, entry));
                }
            });
        };
        let changed = &mut self.changed;
        changed.clear();
        let join = |chunk: &mut Chunk| {
            out.contacts.extend_from_slice(&chunk.contacts);
            changed.append(&mut chunk.scratch.get::<ChangedEntries>().0);
        };
        let flags = self.chunks.run_joined(context.executor(), b.len(), CHUNK, job, join);
        for &(vertex, entry) in &self.changed {
            self.entries[vertex] = entry;
        }
        flags
    }

    fn keep(&mut self, count: usize) {
        if self.entries.len() != count {
            self.entries.clear();
            self.entries.resize(count, None);
        }
    }
}

impl PairDetector for ImplicitPointSetCcd {
    type A = LipschitzBody;
    type B = Points;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_point_set_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex",
        at_most: "one per vertex",
        sides: "one: the inside of the function is solid",
        method: "the path of each vertex in the frame of the body, by steps that the Lipschitz constant bounds; a vertex that \
            is still inside keeps the contact at which it entered; vertex order",
        cost: "O(vertices)",
        source: "Hart 1996, Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces, section 2",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.run(a, b, |_| true, context, out).into()
    }

    fn reset(&mut self) {
        self.entries.clear();
    }
}

/// Returns the contact of a vertex, and where it entered.
fn meet(
    body: &ImplicitBody,
    points: &PointSet,
    vertex: u32,
    [start, end]: [Point; 2],
    motion: &Motion,
    met: &Meeting,
    remembered: Option<Entry>,
) -> (Option<Contact>, Option<Entry>, Flags) {
    let at = |time: f64| Point::from(start.coords * (1.0 - time) + end.coords * time);
    let outward_of = |sample: &Sample| direction::unit_or(&sample.gradient, &Vector::y());
    let (time, place, sample, flags) = match met {
        Meeting::Never => return (None, None, Flags::empty()),
        Meeting::Inside(sample) => (0.0, start, sample, Flags::empty()),
        Meeting::At { lower, upper, sample } => (*lower, at(*upper), sample, Flags::empty()),
        Meeting::Open { lower, sample } => (*lower, at(*lower), sample, Flags::OPEN_IMPACT),
    };
    let entry = remembered.filter(|_| matches!(met, Meeting::Inside(_))).unwrap_or_else(|| {
        let outward = outward_of(sample);
        let on_surface = place - outward * sample.value;
        Entry {
            on_surface: motion.pose.inverse_transform_point(&on_surface),
            outward: motion.pose.inverse_transform_vector(&outward),
            number: sample.feature,
        }
    });
    let (on_surface, outward) = (motion.pose * entry.on_surface, motion.pose.rotation * entry.outward);
    let radius = points.radius();
    let depth = radius - outward.dot(&(end - on_surface));
    let on_vertex = place - outward * radius;
    let contact = Contact {
        time_of_impact: time,
        ..Contact::exact(
            Feature::numbered(entry.number, on_surface),
            Feature::vertex(vertex, points.owner(vertex), on_vertex),
            -outward,
            depth,
            id_of_second(IdPart::Vertex(vertex)),
        )
    };
    (Some(contact), Some(entry), flags | flags_of(body, sample.value))
}
