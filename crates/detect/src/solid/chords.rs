//! Chords of a solid through a sheet: a solid of fine triangles passes through a sheet by edges that are shorter than it is
//! deep.
//!
//! A translation that separates a solid from a sheet also separates every segment within the solid ([`SheetExits`]). The
//! segments are those between four vertices that are far from each other, where they are within the solid.

use crate::mesh::sheet_exit::{SheetExit, SheetExits};
use crate::room;
use crate::solid::skin::Skin;
use crate::solid::solid_edges::{Looked, is_loose};
use palpate_contact::Contact;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::point_triangle;
use palpate_math::{Aabb, Point, Vector, intersect, separation};

/// Number of vertices whose chords are tried.
const VERTICES: usize = 4;

/// Distances that differ by less than this fraction are equal: ties go to the lowest vertex, however the solid is turned.
const EQUAL: f64 = 1e-9;

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct Chords {
    exits: SheetExits,
    met: Vec<(u32, f64)>,
}

impl Chords {
    /// Returns the deepest exit of a chord of a solid from a sheet, if it is deeper than `least`.
    pub(crate) fn deepest(&mut self, looked: &Looked<'_>, least: f64) -> Option<Contact> {
        let vertices = far_vertices(looked.of);
        let mut best: Option<Contact> = None;
        for (index, first) in vertices.iter().enumerate() {
            for second in &vertices[index + 1..] {
                let (Some(first), Some(second)) = (*first, *second) else { continue };
                let least = best.map_or(least, |best| best.depth);
                best = self.of_chord(looked, [first, second], least).or(best);
            }
        }
        best
    }

    /// Returns the deepest exit of the chord between two vertices, if it is deeper than `least`.
    fn of_chord(&mut self, looked: &Looked<'_>, vertices: [u32; 2], least: f64) -> Option<Contact> {
        let positions = looked.of.surface.points().positions();
        let ends = vertices.map(|vertex| &positions[vertex as usize]);
        let sheet = looked.into.surface;
        self.met.clear();
        let met = &mut self.met;
        sheet.tree()?.overlap(&Aabb::from_corners(ends[0], ends[1]), |triangle| {
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

/// Returns the contact of the vertex that exits. A chord that exits over an edge is pushed through the sheet by one of its
/// vertices instead, by as much; `None` if both are nearer to the sheet.
fn contact(looked: &Looked<'_>, vertices: [u32; 2], ends: [&Point; 2], exit: &SheetExit) -> Option<Contact> {
    let sheet = looked.into.surface;
    let (end, place, outward) = match exit {
        SheetExit::End { end, place, .. } => (*end, *place, exit.way(sheet, ends).2),
        _ => (0..2).find_map(|end| {
            let nearest = sheet.nearest(ends[end], f64::INFINITY)?;
            let (direction, distance) = separation::between(ends[end], &nearest.point);
            let triangle = sheet.owner(nearest.feature);
            let [a, b, c] = sheet.corners(triangle);
            let weights = point_triangle(&nearest.point, &a, &b, &c).weights;
            let place = SurfaceNearest { feature: SurfaceFeature::Face(triangle), weights, ..nearest };
            direction.filter(|_| distance >= exit.distance()).map(|direction| (end, place, direction))
        })?,
    };
    Some(looked.through_sheet(vertices[end], ends[end], &place, &outward, exit.distance()))
}

/// Returns vertices of a solid that are far from each other: the farthest from the mean, then in turn the farthest from
/// those before.
fn far_vertices(skin: Skin<'_>) -> [Option<u32>; VERTICES] {
    let positions = skin.surface.points().positions();
    let used = || (0..positions.len() as u32).filter(|&vertex| !is_loose(skin, vertex));
    let count = used().count().max(1) as f64;
    let mean = Point::from(used().map(|vertex| positions[vertex as usize].coords / count).sum::<Vector>());
    let mut found = [None; VERTICES];
    for index in 0..VERTICES {
        let farthest = used().map(|vertex| {
            let position = positions[vertex as usize];
            let before = found[..index].iter().flatten().map(|&other: &u32| positions[other as usize]);
            let others = if index == 0 { Some(mean) } else { None }.into_iter().chain(before);
            (others.map(|other| (position - other).norm_squared()).fold(f64::INFINITY, f64::min), vertex)
        });
        let farthest =
            farthest.reduce(|best, other| if other.0 > best.0 * (1.0 + EQUAL) { other } else { best });
        found[index] = farthest.filter(|(distance, _)| *distance > 0.0).map(|(_, vertex)| vertex);
    }
    found
}

/// How deep the middle of a chord must be inside, relative to its length: a chord along a face is within or not by rounding.
const INSIDE: f64 = 1e-6;

/// Whether a segment between two vertices of a solid is within it: it crosses no triangle that has neither of them, and its
/// middle is inside.
fn is_within(skin: Skin<'_>, vertices: [u32; 2], [start, end]: [&Point; 2]) -> bool {
    let Some(tree) = skin.surface.tree() else { return false };
    let mut crosses = false;
    tree.overlap(&Aabb::from_corners(start, end), |triangle| {
        let ids = skin.surface.triangles()[triangle as usize];
        if !crosses && !vertices.iter().any(|vertex| ids.contains(vertex)) {
            let [a, b, c] = skin.surface.corners(triangle);
            crosses = intersect::segment_triangle(start, end, &a, &b, &c).is_some();
        }
    });
    let middle = skin.place(&(start + (end - start) * 0.5), 0.0, None).filter(|_| !crosses);
    middle.is_some_and(|middle| middle.distance < -INSIDE * (end - start).norm())
}
