//! Chords of a solid through a sheet: a solid of fine triangles passes through a sheet by edges that are shorter than it is
//! deep.
//!
//! A translation that separates a solid from a sheet also separates every segment within the solid ([`SheetExits`]). The
//! segments are those between some vertices that are far from each other, where they are within the solid.

use crate::mesh::sheet_exit::{SheetExit, SheetExits, visit_along};
use crate::room;
use crate::solid::skin::Skin;
use crate::solid::solid_edges::{Looked, is_loose};
use palpate_contact::Contact;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::point_triangle;
use palpate_math::{Point, Vector, intersect, separation};

/// Number of vertices whose chords are tried: as many as a box has corners and sides. With four, 59 of 1,200 fine boxes, balls,
/// needles and bars through a sheet were not out of it after twelve moves by the deepest contact, with fourteen 2.
const VERTICES: usize = 14;

/// Distances that differ by less than this fraction are equal: ties go to the lowest vertex, however the solid is turned.
const EQUAL: f64 = 1e-9;

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct Chords {
    exits: SheetExits,
    met: Vec<(u32, f64)>,
    vertices: Vec<u32>,
    /// Per vertex, its squared distance from the nearest of those chosen.
    apart: Vec<f64>,
}

impl Chords {
    /// Returns the deepest exit of a chord of a solid from a sheet, if it is deeper than `least`.
    pub(crate) fn deepest(&mut self, looked: &Looked<'_>, least: f64) -> Option<Contact> {
        self.choose_vertices(looked.of);
        let mut best: Option<Contact> = None;
        for first in 0..self.vertices.len() {
            for second in first + 1..self.vertices.len() {
                let chord = [first, second].map(|index| self.vertices[index]);
                let least = best.map_or(least, |best| best.depth);
                best = self.of_chord(looked, chord, least).or(best);
            }
        }
        best
    }

    /// Chooses vertices of a solid that are far from each other: the farthest from the mean, then in turn the farthest from those
    /// before.
    fn choose_vertices(&mut self, of: Skin<'_>) {
        let positions = of.surface.points().positions();
        // A vertex of no triangle is never the farthest.
        let apart = |vertex: usize| if is_loose(of, vertex as u32) { -1.0 } else { f64::INFINITY };
        self.apart.clear();
        self.apart.extend((0..positions.len()).map(apart));
        let used = || positions.iter().zip(&self.apart).filter(|(_, apart)| **apart > 0.0);
        let count = used().count().max(1) as f64;
        let mut last = Point::from(used().map(|(position, _)| position.coords).sum::<Vector>() / count);
        self.vertices.clear();
        for number in 0..VERTICES {
            let mut farthest = (0.0, None);
            for (vertex, (position, apart)) in positions.iter().zip(&mut self.apart).enumerate() {
                let nearest = apart.min((position - last).norm_squared());
                // The first is the farthest from the mean, which later ones need not be far from.
                if number > 0 {
                    *apart = nearest;
                }
                if nearest > farthest.0 * (1.0 + EQUAL) {
                    farthest = (nearest, Some(vertex));
                }
            }
            let Some(vertex) = farthest.1 else { return };
            self.vertices.push(vertex as u32);
            last = positions[vertex];
        }
    }

    /// Returns the deepest exit of the chord between two vertices, if it is deeper than `least`.
    fn of_chord(&mut self, looked: &Looked<'_>, vertices: [u32; 2], least: f64) -> Option<Contact> {
        let positions = looked.of.surface.points().positions();
        let ends = vertices.map(|vertex| &positions[vertex as usize]);
        let sheet = looked.into.surface;
        self.met.clear();
        let met = &mut self.met;
        visit_along(sheet, ends, |triangle| {
            let [a, b, c] = sheet.corners(triangle);
            if let Some(meeting) = intersect::segment_triangle(ends[0], ends[1], &a, &b, &c) {
                room::push(met, (triangle, meeting.t));
            }
        });
        if self.met.is_empty() || !is_within(looked.of, vertices, ends) {
            return None;
        }
        self.met.sort_unstable_by_key(|met| met.0);
        self.exits.pierce(sheet, ends, self.met.iter().copied());
        let mut best: Option<SheetExit> = None;
        for &(triangle, _) in &self.met {
            let least = best.map_or(least - looked.rims(), |best| best.distance());
            best = self.exits.least_above(least, sheet, ends, triangle, [true; 2]).or(best);
        }
        contact(looked, vertices, ends, &best?)
    }
}

/// Returns the contact of the vertex that exits. A chord that exits over an edge is pushed through the sheet by the vertex that is
/// farther from it instead, by as much.
fn contact(looked: &Looked<'_>, vertices: [u32; 2], ends: [&Point; 2], exit: &SheetExit) -> Option<Contact> {
    let sheet = looked.into.surface;
    let (end, place, outward) = match exit {
        SheetExit::End { end, place, .. } => (*end, *place, exit.way(sheet, ends).2),
        _ => {
            let places = ends.map(|end| sheet.nearest(end, f64::INFINITY));
            let [first, second] = [places[0]?, places[1]?];
            let distance = |end: usize, place: &SurfaceNearest| (place.point - ends[end]).norm();
            let (end, nearest) =
                if distance(1, &second) > distance(0, &first) { (1, second) } else { (0, first) };
            let (direction, _) = separation::between(ends[end], &nearest.point);
            let triangle = sheet.owner(nearest.feature);
            let [a, b, c] = sheet.corners(triangle);
            let weights = point_triangle(&nearest.point, &a, &b, &c).weights;
            (end, SurfaceNearest { feature: SurfaceFeature::Face(triangle), weights, ..nearest }, direction?)
        }
    };
    Some(looked.through_sheet(vertices[end], ends[end], &place, &outward, exit.distance()))
}

/// How deep the middle of a chord must be inside, relative to its length: a chord along a face is within or not by rounding.
const INSIDE: f64 = 1e-6;

/// Whether a segment between two vertices of a solid is within it: it crosses no triangle that has neither of them, and its
/// middle is inside.
fn is_within(skin: Skin<'_>, vertices: [u32; 2], [start, end]: [&Point; 2]) -> bool {
    let mut crosses = false;
    visit_along(skin.surface, [start, end], |triangle| {
        let ids = skin.surface.triangles()[triangle as usize];
        if !crosses && !vertices.iter().any(|vertex| ids.contains(vertex)) {
            let [a, b, c] = skin.surface.corners(triangle);
            crosses = intersect::segment_triangle(start, end, &a, &b, &c).is_some();
        }
    });
    let middle = skin.place(&(start + (end - start) * 0.5), 0.0, None).filter(|_| !crosses);
    middle.is_some_and(|middle| middle.distance < -INSIDE * (end - start).norm())
}
