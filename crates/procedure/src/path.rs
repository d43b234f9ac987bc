//! The tetrahedra that a shaft passes through.
//!
//! From a crossing of the boundary the path is followed from face to face: a line that enters a tetrahedron leaves it through
//! exactly one other face, as the shaft passes through no edge and no vertex ([`sides`](crate::sides)). Where tetrahedra are
//! turned inside out, and where no crossing leads in, all tetrahedra near the shaft are looked at.

use crate::across::Across;
use crate::crossing::{Crossing, Passing, Stay};
use crate::search::{crossed_at, line_weights};
use crate::shaft::{Shaft, ShaftPlace};
use crate::sides::{line_through, side, tissue_side, turn};
use palpate_contact::NONE;
use palpate_geometry::TetraMesh;
use palpate_math::tetrahedron::face_corners;
use palpate_math::{Point, barycentric};

/// A direction along the shaft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toward {
    Tip,
    Rear,
}

/// The path was led into a tetrahedron that is turned inside out.
struct Folded;

/// A place within a tetrahedron: on one of its faces, or inside.
#[derive(Clone, Copy)]
struct InCell {
    cell: u32,
    place: ShaftPlace,
    weights: [f64; 4],
}

/// How a line turns about the six edges of a tetrahedron: each is asked for once.
struct Turns<'a> {
    line: [&'a Point; 2],
    corners: &'a [Point; 4],
    /// From the lower corner to the higher.
    known: [[Option<i32>; 4]; 4],
}

impl<'a> Turns<'a> {
    fn new(line: [&'a Point; 2], corners: &'a [Point; 4]) -> Self {
        Self { line, corners, known: [[None; 4]; 4] }
    }

    /// [`line_through`] the face opposite a corner.
    fn through(&mut self, opposite: usize) -> i32 {
        let [a, b, c] = face_corners(opposite);
        let first = self.about(a, b);
        if first != 0 && self.about(b, c) == first && self.about(c, a) == first { first } else { 0 }
    }

    fn about(&mut self, a: usize, b: usize) -> i32 {
        let [low, high] = [a.min(b), a.max(b)];
        let (line, corners) = (self.line, self.corners);
        let known = self.known[low][high].get_or_insert_with(|| turn(line, &corners[low], &corners[high]));
        if a < b { *known } else { -*known }
    }
}

/// The search and its memory.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// Whether every tetrahedron near the shaft is looked at.
    pub(crate) looks_at_all: bool,
    across: Across,
    /// The parts of the shaft in the tetrahedra, the nearest to the tip first.
    pub(crate) stays: Vec<Stay>,
    /// The crossings out that a path from a crossing in has reached.
    reached: Vec<bool>,
}

impl Path {
    /// Finds the path of a shaft with these crossings of the mesh's boundary.
    pub(crate) fn find(&mut self, shaft: &Shaft, mesh: &TetraMesh, topology: u64, crossings: &[Crossing]) {
        self.across.update(mesh, topology);
        self.stays.clear();
        let is_inside = || mesh.holding_cell(&shaft.tip()).is_some();
        let looks_at_all = self.looks_at_all || crossings.is_empty() && is_inside();
        if looks_at_all || self.follow_all(shaft, mesh, crossings).is_err() {
            self.look_at_all(shaft, mesh);
        }
        let arcs = |stay: &Stay| stay.places.map(|place| place.arc);
        self.stays.sort_unstable_by(|x, y| {
            let ([from, to], [its, end]) = (arcs(x), arcs(y));
            from.total_cmp(&its).then(to.total_cmp(&end)).then(x.cell.cmp(&y.cell))
        });
    }

    /// Follows the path from every crossing in toward the tip, and from every crossing out that is not reached so, backward.
    fn follow_all(&mut self, shaft: &Shaft, mesh: &TetraMesh, crossings: &[Crossing]) -> Result<(), Folded> {
        self.reached.clear();
        self.reached.resize(crossings.len(), false);
        for entry in crossings.iter().rev().filter(|crossing| crossing.passing == Passing::In) {
            if let Some((left_by, place)) = self.follow(shaft, mesh, entry, Toward::Tip)? {
                let is_end = |exit: &Crossing| {
                    let same_segment =
                        exit.place.segment == place.segment && exit.place.section == place.section;
                    same_segment && left_by.iter().all(|id| exit.vertices.contains(id))
                };
                let at = crossings.iter().position(is_end).ok_or(Folded)?;
                self.reached[at] = true;
            }
        }
        for (index, exit) in crossings.iter().enumerate() {
            if exit.passing == Passing::Out && !self.reached[index] {
                self.follow(shaft, mesh, exit, Toward::Rear)?;
            }
        }
        Ok(())
    }

    /// Follows the path from a crossing. Returns the boundary face through which it leaves, and where; `None` if the shaft
    /// ends inside.
    fn follow(
        &mut self,
        shaft: &Shaft,
        mesh: &TetraMesh,
        start: &Crossing,
        toward: Toward,
    ) -> Result<Option<([u32; 3], ShaftPlace)>, Folded> {
        let cell = mesh.boundary_cells()[start.triangle as usize];
        let ids = mesh.cells()[cell as usize];
        let weight =
            |id: u32| start.vertices.iter().position(|&other| other == id).map(|at| start.weights[at]);
        let weights = ids.map(|id| weight(id).unwrap_or(0.0));
        let mut from = InCell { cell, place: start.place, weights };
        let mut segment = shaft.index(&start.place);
        let mut entry = ids.iter().position(|id| !start.vertices.contains(id));
        loop {
            let corners = mesh.corners(from.cell);
            let face = |corner: usize| face_corners(corner).map(|corner| &corners[corner]);
            let line = ends(shaft, segment, toward);
            let mut turns = Turns::new(line, &corners);
            if let Some(entry) = entry {
                let ahead = tissue_side(face(entry), &corners[entry]);
                if ahead != 0 && ahead != turns.through(entry) {
                    return Err(Folded);
                }
            }
            // The face ahead, and whether the line leads out along its normal.
            let is_ahead = |&(corner, through): &(usize, i32)| {
                through != 0 && (entry.is_some() || side(face(corner), line[0]) == -through)
            };
            let others = (0..4).filter(|&corner| Some(corner) != entry);
            let mut exits = others.map(|corner| (corner, turns.through(corner))).filter(is_ahead);
            let (exit, through) = exits.next().ok_or(Folded)?;
            if side(face(exit), line[1]) != through {
                entry = None;
                let last = match toward {
                    Toward::Tip => segment == 0,
                    Toward::Rear => segment + 1 == shaft.segments(),
                };
                if last {
                    let weight = f64::from(u8::from(toward == Toward::Rear));
                    self.leave(from, at_point(from.cell, shaft, shaft.place(segment, weight), &corners));
                    return Ok(None);
                }
                segment = if toward == Toward::Tip { segment - 1 } else { segment + 1 };
                continue;
            }
            let (to, left_by) = (on_face(mesh, from.cell, exit, shaft, segment), face_corners(exit));
            self.leave(from, to);
            let left_by = left_by.map(|corner| mesh.cells()[from.cell as usize][corner]);
            let next = self.across.cells[from.cell as usize][exit];
            if next == NONE {
                return Ok(Some((left_by, to.place)));
            }
            let ids = mesh.cells()[next as usize];
            let weights = of_ids(&ids, &mesh.cells()[from.cell as usize], &to.weights);
            from = InCell { cell: next, place: to.place, weights };
            entry = ids.iter().position(|id| !left_by.contains(id));
        }
    }

    /// Records a part of the shaft within a tetrahedron.
    fn leave(&mut self, from: InCell, to: InCell) {
        let [front, rear] = if to.place.arc < from.place.arc { [to, from] } else { [from, to] };
        let (places, weights) = ([front.place, rear.place], [front.weights, rear.weights]);
        self.stays.push(Stay { cell: from.cell, places, weights });
    }

    /// Looks at every tetrahedron near the shaft.
    pub(crate) fn look_at_all(&mut self, shaft: &Shaft, mesh: &TetraMesh) {
        self.stays.clear();
        let Some(tree) = mesh.tree() else { return };
        for segment in 0..shaft.segments() {
            let Some((direction, bound)) = shaft.toward_front(segment) else { continue };
            let [_, rear] = shaft.segment(segment);
            let first = self.stays.len();
            tree.along_line(rear, &direction, bound, |cell| {
                self.stays.extend(within(mesh, cell, shaft, segment));
                bound
            });
            self.join(first, segment);
        }
    }

    /// Joins the parts of a segment, from `first` on, with those of the segment before in the same tetrahedra.
    fn join(&mut self, first: usize, segment: u32) {
        let mut index = first;
        while index < self.stays.len() {
            let stay = self.stays[index];
            let begins = stay.places[0].weight == 0.0;
            let ends = |other: &Stay| other.cell == stay.cell && other.places[1].weight == 1.0;
            let before = self.stays[..first].iter().rposition(|other| ends(other) && segment > 0);
            match before.filter(|_| begins) {
                Some(before) if self.stays[before].places[1].arc == stay.places[0].arc => {
                    self.stays[before].places[1] = stay.places[1];
                    self.stays[before].weights[1] = stay.weights[1];
                    self.stays.swap_remove(index);
                }
                _ => index += 1,
            }
        }
    }
}

/// Returns the part of a segment within a tetrahedron.
fn within(mesh: &TetraMesh, cell: u32, shaft: &Shaft, segment: u32) -> Option<Stay> {
    let corners = mesh.corners(cell);
    let face = |corner: usize| face_corners(corner).map(|corner| &corners[corner]);
    let line = ends(shaft, segment, Toward::Rear);
    let mut passed = [None; 2];
    for (corner, opposite) in corners.iter().enumerate() {
        let through = line_through(line, face(corner));
        // Away from the opposite corner.
        let outward = -tissue_side(face(corner), opposite);
        if through != 0 && outward != 0 {
            let sides = line.map(|end| side(face(corner), end) * outward);
            passed[usize::from(through == outward)] = Some((corner, sides));
        }
    }
    let [Some((entry, enters)), Some((exit, leaves))] = passed else { return None };
    // In front of the entry, or behind the exit.
    if enters[1] > 0 || leaves[0] > 0 {
        return None;
    }
    let end = |weight: f64| at_point(cell, shaft, shaft.place(segment, weight), &corners);
    let from = if enters[0] > 0 { on_face(mesh, cell, entry, shaft, segment) } else { end(0.0) };
    let to = if leaves[1] > 0 { on_face(mesh, cell, exit, shaft, segment) } else { end(1.0) };
    Some(Stay { cell, places: [from.place, to.place], weights: [from.weights, to.weights] })
}

/// Returns the ends of a segment in the order of the walk.
fn ends(shaft: &Shaft, segment: u32, toward: Toward) -> [&Point; 2] {
    let [front, rear] = shaft.segment(segment);
    if toward == Toward::Tip { [rear, front] } else { [front, rear] }
}

/// Returns the place where a segment passes through a face.
fn on_face(mesh: &TetraMesh, cell: u32, opposite: usize, shaft: &Shaft, segment: u32) -> InCell {
    let corners = mesh.corners(cell);
    let face = face_corners(opposite);
    let [front, rear] = shaft.segment(segment);
    let triangle = face.map(|corner| &corners[corner]);
    let of_face = line_weights([front, rear], triangle);
    let mut weights = [0.0; 4];
    for (corner, weight) in face.into_iter().zip(of_face) {
        weights[corner] = weight;
    }
    InCell { cell, place: shaft.place(segment, crossed_at([front, rear], triangle)), weights }
}

/// Returns a place inside a tetrahedron.
fn at_point(cell: u32, shaft: &Shaft, place: ShaftPlace, corners: &[Point; 4]) -> InCell {
    let weights = barycentric::tetrahedron(&shaft.point(&place), corners.each_ref());
    InCell { cell, place, weights: weights.unwrap_or([0.25; 4]) }
}

/// Returns weights of the vertices of one tetrahedron as those of another that shares them.
fn of_ids(ids: &[u32; 4], others: &[u32; 4], weights: &[f64; 4]) -> [f64; 4] {
    ids.map(|id| others.iter().position(|&other| other == id).map_or(0.0, |at| weights[at]))
}
