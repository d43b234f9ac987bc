//! Edges and triangles of a moving mesh against a moving implicit body.

use super::lowest_value::{ElementSearch, Fall, Secant, first_minimum, first_of_parts, rounding_of_values};
use super::path::{Motion, Path, TIME_TOLERANCE};
use crate::ccd::moving::Vertices;
use crate::contact_ids::id_of_second;
use crate::pairs::implicit::implicit_contact::{flags_of, settled};
use crate::{Chunk, Chunks, Context, Flags};
use palpate_contact::{CollisionData, Contact, Feature, IdPart, NONE};
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector, direction, rounding};
use std::ops::Range;

/// The two sides of a step, in the frame of the body as it is at the end.
pub(crate) struct Relative<'a> {
    body: &'a ImplicitBody,
    vertices: Vertices<'a>,
    motion: Motion,
    lipschitz: f64,
    bounds: Aabb,
    margin: f64,
}

/// An edge or a triangle: its vertices, and what tells it apart.
pub(crate) struct Ids {
    pub(crate) vertices: [u32; 3],
    pub(crate) count: usize,
    pub(crate) part: IdPart,
}

/// The elements of one kind.
pub(crate) struct Elements<I, B, F> {
    pub(crate) count: usize,
    /// The vertices of an element, by its number.
    pub(crate) ids: I,
    /// The earliest time at which an element that bounds this one is met.
    pub(crate) bounding: B,
    /// The feature at a place of an element, by its number, the weights and its surface point.
    pub(crate) feature: F,
}

/// Elements with contacts and their times, ascending by number.
pub(crate) type Times = Vec<(u32, f64)>;

/// An element takes some hundred samples for each of some searches.
const CHUNK: usize = 8;

/// Returns the time of the contact of an element; infinity if it has none.
pub(crate) fn time_of(times: &Times, number: u32) -> f64 {
    times.binary_search_by_key(&number, |&(number, _)| number).map_or(f64::INFINITY, |at| times[at].1)
}

/// Returns the earliest time at which a vertex of an element is met.
pub(crate) fn earliest(times: &Times, ids: &Ids) -> f64 {
    ids.vertices.iter().map(|&vertex| time_of(times, vertex)).fold(f64::INFINITY, f64::min)
}

/// Collects the times of the contacts from an index on, by the number in the second side's part of the id.
pub(crate) fn collect_times(contacts: &[Contact], number: impl Fn(&Contact) -> u32, times: &mut Times) {
    times.clear();
    times.extend(contacts.iter().map(|contact| (number(contact), contact.time_of_impact)));
    times.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    times.dedup_by_key(|&mut (number, _)| number);
}

impl<'a> Relative<'a> {
    /// Creates the motion; `None` if the function has no Lipschitz constant.
    pub(crate) fn new(body: &'a ImplicitBody, vertices: Vertices<'a>, context: &Context<'_>) -> Option<Self> {
        let margin = context.margin();
        let bounds = body.sublevel_bounds(0.0).grown(vertices.radius() + margin);
        let lipschitz = body.lipschitz()?;
        Some(Self { body, vertices, motion: Motion::of(body), lipschitz, bounds, margin })
    }

    /// The positions of a vertex at both ends.
    fn path(&self, vertex: u32) -> [Point; 2] {
        let moving = self.vertices.vertex(vertex);
        [self.motion.carried * moving.start, moving.end]
    }

    /// The time before which the ball about an element is apart from the body, by the path of its centre; `None` if it is apart
    /// throughout.
    fn apart_until(&self, paths: &[[Point; 2]], level: f64) -> Option<f64> {
        let share = 1.0 / paths.len() as f64;
        let middle = |end: usize| {
            Point::from(paths.iter().fold(Vector::zeros(), |sum, path| sum + path[end].coords * share))
        };
        let [start, end] = [middle(0), middle(1)];
        // The distance of a vertex from the middle is greatest at an end.
        let at_ends = |path: &[Point; 2]| (path[0] - start).norm().max((path[1] - end).norm());
        let radius = paths.iter().map(at_ends).fold(0.0, f64::max);
        let rounding = rounding::length(rounding::largest_coordinate(paths.iter().flatten()));
        let level = level + self.lipschitz * (radius + rounding);
        Path { body: self.body, start, end, level, lipschitz: self.lipschitz }.apart_until()
    }

    /// How fast the value at a point of an element can fall over the step, of a function that is convex or not.
    fn fall(&self, paths: &[[Point; 2]], is_convex: bool) -> Fall {
        let moves = |path: &[Point; 2]| path[1] - path[0];
        let mean = paths.iter().map(moves).sum::<Vector>() / paths.len() as f64;
        let fastest = |beside: Vector| {
            let speeds = paths.iter().map(|path| (moves(path) - beside).norm());
            self.lipschitz * speeds.fold(0.0, f64::max)
        };
        let secant = is_convex.then(|| {
            let largest = rounding::largest_coordinate(paths.iter().flatten());
            Secant { by_turning: fastest(mean), rounding: rounding_of_values(self.body, largest) }
        });
        Fall { most: fastest(Vector::zeros()), secant }
    }

    /// The contact of an element at its first impact, unless something that bounds it is met no later.
    fn contact(
        &self,
        ids: &Ids,
        search: &mut ElementSearch,
        bounding: impl Fn(&Ids) -> f64,
        feature: impl Fn(&[f64; 4], Point) -> Feature,
    ) -> Option<(Contact, Flags)> {
        let vertices = &ids.vertices[..ids.count];
        let mut paths = [[Point::origin(); 2]; 3];
        for (path, &vertex) in paths.iter_mut().zip(vertices) {
            *path = self.path(vertex);
        }
        let paths = &paths[..ids.count];
        if !Aabb::from_points(paths.iter().flatten()).overlaps(&self.bounds) {
            return None;
        }
        let radius = self.vertices.radius();
        let level = radius + self.margin;
        let start = self.apart_until(paths, level)?;
        let at = |time: f64| {
            let mut corners = [Point::origin(); 3];
            for (corner, [start, end]) in corners.iter_mut().zip(paths) {
                *corner = Point::from(start.coords * (1.0 - time) + end.coords * time);
            }
            corners
        };
        let first = first_of_parts(self.body, |part, end| {
            let fall = self.fall(paths, part.is_convex());
            first_minimum(level, fall, [start, end], |time, cutoff, gap| {
                search.to(gap).below(part, &at(time)[..ids.count], cutoff)
            })
        })?;
        if bounding(ids) <= first.time + 2.0 * TIME_TOLERANCE {
            return None;
        }
        let found = &first.found;
        let [a, b, c] = at(first.time);
        let size = (b - a).norm().max(if ids.count == 3 { (c - a).norm() } else { 0.0 });
        let sample = settled(self.body, &found.point, found.sample, size);
        let outward = direction::unit_or(&sample.gradient, &Vector::y());
        let on_surface = found.point - outward * sample.value;
        let corners = at(1.0);
        let end = corners
            .iter()
            .zip(&found.weights)
            .fold(Vector::zeros(), |sum, (corner, &w)| sum + corner.coords * w);
        let depth = radius - outward.dot(&(end - on_surface.coords));
        let contact = Contact {
            time_of_impact: first.time,
            ..Contact::exact(
                Feature::numbered(sample.feature, on_surface),
                feature(&found.weights, found.point - outward * radius),
                -outward,
                depth,
                id_of_second(ids.part),
            )
        };
        let open = if first.open { Flags::OPEN_IMPACT } else { Flags::empty() };
        Some((contact, open | flags_of(self.body, sample.value)))
    }

    /// Appends the contacts of the elements, in their order.
    pub(crate) fn run<I, B, F>(
        &self,
        elements: &Elements<I, B, F>,
        chunks: &mut Chunks,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags
    where
        I: Fn(u32) -> Ids + Sync,
        B: Fn(&Ids) -> f64 + Sync,
        F: Fn(u32, &[f64; 4], Point) -> Feature + Sync,
    {
        let Elements { count, ids, bounding, feature } = elements;
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            for number in range.start as u32..range.end as u32 {
                let of_element = ids(number);
                // Removed from the mesh.
                if of_element.vertices[0] == NONE {
                    continue;
                }
                let search = chunk.scratch.get::<ElementSearch>();
                let side = |weights: &[f64; 4], point| feature(number, weights, point);
                if let Some((contact, flags)) = self.contact(&of_element, search, bounding, side) {
                    chunk.contacts.push(contact);
                    chunk.flags |= flags;
                }
            }
        };
        chunks.run(context.executor(), *count, CHUNK, job, out)
    }
}
