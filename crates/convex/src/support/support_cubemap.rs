//! Support cubemap: the candidate support vertices of a hull per direction, in cells on the faces of a cube.
//!
//! A direction, scaled so that its largest coordinate is ±1, is a point on a face of a cube. For every cell of a grid
//! on the six faces the table lists each vertex that is farthest for some direction of the cell (within a tolerance, so
//! that rounding loses none). A support is then the farthest of about three candidates: the same result as a scan over
//! all vertices, including ties, without hill climbing or a hint.

use nalgebra::Vector3;

use super::neighbours::Neighbours;
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// A cell's list, inline: up to four vertices, padded with the last one. A longer list is encoded as [`ELSEWHERE`], its
/// length and the two halves of its start in the overflow.
type Slots = [u16; 4];

/// Marks a list in the overflow; no vertex has this number.
const ELSEWHERE: u16 = u16::MAX;

/// Hulls with more vertices than this use hill climbing.
pub(super) const VERTICES_AT_MOST: usize = 4096;

/// Tolerance for listing a vertex as farthest, relative to the size of the hull.
const MARGIN: f64 = 1e-9;

/// The lists of all cells.
#[derive(Clone, Debug)]
pub(super) struct SupportCubemap {
    /// Cells along an edge of the cube.
    count: usize,
    /// Half of it, to scale a slope from -1 to 1 to a cell.
    half: f64,
    /// Half a cell less.
    to_first_middle: f64,
    slots: Vec<Slots>,
    overflow: Vec<u16>,
}

impl SupportCubemap {
    /// Builds the table of a hull with the given bounding radius. The surface must be convex.
    pub(super) fn new(points: &[Vector], neighbours: &Neighbours, bounding_radius: f64) -> Self {
        let count = ((points.len() as f64 * 0.5).sqrt().ceil() as usize).clamp(2, 48);
        let half = count as f64 * 0.5;
        let mut cells =
            Self { count, half, to_first_middle: half - 0.5, slots: Vec::new(), overflow: Vec::new() };
        let mut search = Search {
            points,
            neighbours,
            tolerance: MARGIN * bounding_radius,
            found: Vec::new(),
            seen: vec![u32::MAX; points.len()],
            polygon: Vec::new(),
            clipped: Vec::new(),
            last: 0,
        };
        let edge = |cell: usize| cell as f64 / half - 1.0;
        for side in 0..6 {
            for row in 0..count {
                for column in 0..count {
                    let corners = [
                        direction(side, edge(column), edge(row)),
                        direction(side, edge(column + 1), edge(row)),
                        direction(side, edge(column + 1), edge(row + 1)),
                        direction(side, edge(column), edge(row + 1)),
                    ];
                    search.run(cells.slots.len() as u32, &corners);
                    let slots = cells.stored(&search.found);
                    cells.slots.push(slots);
                }
            }
        }
        cells
    }

    /// Stores a list, in ascending order.
    fn stored(&mut self, found: &[u16]) -> Slots {
        if let (Some(&last), true) = (found.last(), found.len() <= 4) {
            return std::array::from_fn(|slot| found.get(slot).copied().unwrap_or(last));
        }
        let start = self.overflow.len() as u32;
        self.overflow.extend_from_slice(found);
        [ELSEWHERE, found.len() as u16, start as u16, (start >> 16) as u16]
    }

    /// Returns the index of the farthest point; ties go to the lowest. Branchless: a direction's largest coordinate and
    /// the farthest of a list are unpredictable.
    #[inline(always)]
    pub(super) fn farthest(&self, points: &[Vector], d: &Vector) -> usize {
        let coordinates = [d.x, d.y, d.z, 0.0];
        let (x, y, z) = (d.x.abs(), d.y.abs(), d.z.abs());
        let larger = if y > x { y } else { x };
        let (second, third) = (usize::from(y > x), usize::from(z > larger));
        let axis = (second | third << 1) & (3 ^ third);
        let major = coordinates[axis];
        let (u, v) = (coordinates[usize::from(axis == 0)], coordinates[2 - (axis >> 1)]);
        let scale = self.half / if z > larger { z } else { larger };
        let side = 2 * axis + usize::from(major < 0.0);
        let cell = (side * self.count + self.cell(v * scale)) * self.count + self.cell(u * scale);
        let slots = self.slots[cell];
        if slots[0] == ELSEWHERE {
            return self.farthest_elsewhere(points, d, slots);
        }
        let [a, b, c, d] = slots.map(|vertex| (points[vertex as usize].inner(*d), vertex));
        farther(farther(a, b), farther(c, d)).1 as usize
    }

    /// Returns the cell of a slope from `-half` to `half`. Adding 2^52 rounds to an integer in the lowest bits.
    #[inline(always)]
    fn cell(&self, slope: f64) -> usize {
        let from_first_middle = slope + self.to_first_middle;
        let positive = if from_first_middle > 0.0 { from_first_middle } else { 0.0 };
        let index = (positive + 4_503_599_627_370_496.0).to_bits() as usize & 0xffff;
        index.min(self.count - 1)
    }

    #[inline(never)]
    fn farthest_elsewhere(&self, points: &[Vector], d: &Vector, slots: Slots) -> usize {
        let start = slots[2] as usize | (slots[3] as usize) << 16;
        let (mut best, mut index) = (f64::NEG_INFINITY, 0);
        for &vertex in &self.overflow[start..start + slots[1] as usize] {
            let other = points[vertex as usize].inner(*d);
            if other > best {
                (best, index) = (other, vertex as usize);
            }
        }
        index
    }
}

/// Returns the farther of two; ties go to the first.
#[inline(always)]
fn farther(first: (f64, u16), second: (f64, u16)) -> (f64, u16) {
    let second_wins = second.0 > first.0;
    let height = if second_wins { second.0 } else { first.0 };
    let vertex = if second_wins { second.1 } else { first.1 };
    (height, vertex)
}

/// Returns the direction of a point on a face of the cube.
fn direction(side: usize, u: f64, v: f64) -> Vector {
    let major = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
    match side / 2 {
        0 => Vector::new(major, u, v),
        1 => Vector::new(u, major, v),
        _ => Vector::new(u, v, major),
    }
}

/// Finds the vertices that are farthest for some direction of a cell, by a search over the adjacency.
struct Search<'a> {
    points: &'a [Vector],
    neighbours: &'a Neighbours,
    tolerance: f64,
    found: Vec<u16>,
    /// The cell for which a vertex was last visited.
    seen: Vec<u32>,
    polygon: Vec<Vector>,
    clipped: Vec<Vector>,
    last: usize,
}

impl Search<'_> {
    /// Lists the vertices of a cell, a convex polygon of directions.
    fn run(&mut self, cell: u32, corners: &[Vector; 4]) {
        self.found.clear();
        for corner in corners {
            self.last = self.neighbours.climb(self.points, corner, self.last);
            if self.seen[self.last] != cell {
                self.seen[self.last] = cell;
                self.found.push(self.last as u16);
            }
        }
        let mut next = 0;
        while next < self.found.len() {
            let vertex = self.found[next] as usize;
            next += 1;
            for &neighbour in self.neighbours.of(vertex) {
                let neighbour = neighbour as usize;
                if self.seen[neighbour] != cell {
                    self.seen[neighbour] = cell;
                    if self.farthest_somewhere(neighbour, corners) {
                        self.found.push(neighbour as u16);
                    }
                }
            }
        }
        self.found.sort_unstable();
    }

    /// Whether a vertex is no lower than any of its neighbours for some direction of the cell: clips the cell by each.
    fn farthest_somewhere(&mut self, vertex: usize, corners: &[Vector; 4]) -> bool {
        self.polygon.clear();
        self.polygon.extend_from_slice(corners);
        for &neighbour in self.neighbours.of(vertex) {
            let over = self.points[vertex] - self.points[neighbour as usize];
            let above = |d: &Vector| over.inner(*d) + self.tolerance;
            self.clipped.clear();
            for (index, from) in self.polygon.iter().enumerate() {
                let to = &self.polygon[(index + 1) % self.polygon.len()];
                let (start, end) = (above(from), above(to));
                if start >= 0.0 {
                    self.clipped.push(*from);
                }
                if (start >= 0.0) != (end >= 0.0) {
                    self.clipped.push(from + (to - from) * (start / (start - end)));
                }
            }
            if self.clipped.is_empty() {
                return false;
            }
            std::mem::swap(&mut self.polygon, &mut self.clipped);
        }
        true
    }
}
