//! A cell of one grid in the lattice of another.

use super::cell::CellValue;
use super::lattice::Lattice;
use super::quadric_cell::{Within, rounding_of};
use super::twisted::axes_of;
use crate::implicit::means::linear;
use palpate_math::{Aabb, Point, Vector, rounding};

/// How far the sides of the piece are moved out, relative to how far its bounding box is.
const OUT: f64 = 16.0;

/// A cell of a grid in the frame of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) corners: [Point; 8],
    pub(super) samples: [f64; 8],
}

/// The same in sizes of the other grid's cells, from the first sample of that.
pub(super) struct PieceInLattice {
    /// The range of coordinates.
    low: Vector,
    high: Vector,
    /// What is between opposite sides, and where the linear function is not positive.
    slabs: [Slab; 4],
    /// A linear function that is in the piece nowhere above its value: at the first sample, and its slope.
    level: f64,
    slope: Vector,
}

/// Where a linear function is no less and no more than its limits.
struct Slab {
    /// Not negative along x; and the reciprocal of that.
    slope: Vector,
    per_x: f64,
    low: f64,
    high: f64,
}

impl Slab {
    /// Creates the slab for rows of cells, given by their first corners.
    fn new(slope: Vector, low: f64, high: f64) -> Self {
        let (slope, low, high) = if slope.x < 0.0 { (-slope, -high, -low) } else { (slope, low, high) };
        // Of the cells' faces across the axis.
        let reach = 0.5 * (slope.y.abs() + slope.z.abs());
        let middle = 0.5 * (slope.y + slope.z);
        Self { slope, per_x: 1.0 / slope.x, low: low - middle - reach, high: high - middle + reach }
    }

    /// Clips a range of x to where a row of cells along x, given the first corner of its faces, overlaps the slab.
    #[inline]
    fn clip(&self, [from, to]: [f64; 2], y: f64, z: f64) -> [f64; 2] {
        let beside = self.slope.y * y + self.slope.z * z;
        // For a slope of zero these are infinite, or not numbers where all places are in.
        let (low, high) = ((self.low - beside) * self.per_x, (self.high - beside) * self.per_x);
        [if low > from { low } else { from }, if high < to { high } else { to }]
    }
}

impl Piece {
    /// Returns the piece in a lattice.
    pub(super) fn in_lattice(&self, lattice: &Lattice) -> PieceInLattice {
        let Aabb { min, max } = Aabb::from_points(self.corners);
        let out = rounding::length(rounding::largest_coordinate(&[min, max, lattice.origin]));
        // Less than by how much the sides of the piece are farther out, so that those along the axes bound nothing more.
        let beside = lattice.spacing.map(|length| 0.5 * out / length);
        let slack = beside * OUT;
        let place = |point: Point| (point - lattice.origin).component_div(&lattice.spacing);
        let from = lattice.origin - self.corners[0];
        let sides = axes_of(&self.corners).map(|way| (way.component_mul(&lattice.spacing), way.dot(&from)));
        let value = CellValue::new(&self.samples);
        // The terms of second and third degree of the Taylor polynomial about the middle are largest at the corners.
        let local = value.at(&Vector::repeat(0.5));
        let rise = local.gradient;
        let mut level = local.value - 0.25 * local.mixed.abs().sum() - 0.125 * value.third().abs();
        let mut slope = Vector::zeros();
        for ((way, first), rise) in sides.iter().zip(rise.iter()) {
            level += rise * (first - 0.5);
            slope += way * *rise;
        }
        level -= slack.dot(&slope.abs()) + rounding_of(&self.samples);
        let slab = |(way, first): (Vector, f64)| {
            let slack = way.abs().dot(&slack);
            Slab::new(way, -slack - first, 1.0 + slack - first)
        };
        let [x, y, z] = sides.map(slab);
        let slabs = [x, y, z, Slab::new(slope, f64::NEG_INFINITY, -level)];
        PieceInLattice { low: place(min) - beside, high: place(max) + beside, slabs, level, slope }
    }
}

impl PieceInLattice {
    /// Calls `visit` with the cells of a lattice, given its number of samples along each axis, in which a part of the piece may be in the body.
    pub(super) fn for_each_cell<E>(
        &self,
        size: &[usize; 3],
        mut visit: impl FnMut([usize; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let range = |axis: usize, low: f64, high: f64| {
            let cell = |at: f64| (at.max(0.0) as usize).min(size[axis] - 2);
            cell(low)..cell(high) + 1
        };
        for k in range(2, self.low.z, self.high.z) {
            for j in range(1, self.low.y, self.high.y) {
                let mut along = [self.low.x, self.high.x];
                for slab in &self.slabs {
                    along = slab.clip(along, j as f64, k as f64);
                }
                let [low, high] = along;
                if low > high {
                    continue;
                }
                for i in range(0, low, high) {
                    visit([i, j, k])?;
                }
            }
        }
        Ok(())
    }

    /// Returns the part of a cell in the range of coordinates.
    pub(super) fn part_of(&self, cell: [usize; 3]) -> Within {
        let from = Vector::from(cell.map(|n| n as f64));
        let whole = Within::cell();
        Within { low: whole.clamp(&(self.low - from)), high: whole.clamp(&(self.high - from)) }
    }

    /// Returns the linear function at the corners of a box in a cell.
    pub(super) fn limits(&self, cell: [usize; 3], within: &Within) -> [f64; 8] {
        let from = Vector::from(cell.map(|n| n as f64));
        let first = self.level + self.slope.dot(&(from + within.low));
        linear(first, self.slope.component_mul(&(within.high - within.low)).into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_grid::Random;
    use super::*;
    use crate::Pose;

    /// Places of random pieces in the body, of which each is in a cell that is visited and in its part, and not below the linear
    /// function.
    #[test]
    fn no_place_in_the_body_is_left_out() {
        let mut random = Random(61);
        let (mut inside, mut visited, mut in_range, mut close, mut tight) = (0, 0, 0, 0, 0);
        for case in 0..400 {
            let lattice = Lattice::new(
                Point::from(random.vector()),
                Vector::repeat(0.6) + random.vector() * 0.3,
                [9, 8, 7],
            )
            .unwrap();
            let middle = nalgebra::center(&lattice.origin, &lattice.end());
            // Along the axes in every fourth case.
            let turn = if case % 4 == 0 { Vector::zeros() } else { random.vector() * 3.0 };
            let pose = Pose::new(middle.coords + random.vector(), turn);
            let edges = Vector::repeat(0.8) + random.vector() * 0.5;
            let at = |share: &Vector| pose * Point::from(edges.component_mul(share));
            let corners: [Point; 8] =
                std::array::from_fn(|corner| at(&Vector::from_fn(|axis, _| (corner >> axis & 1) as f64)));
            let rise = random.vector();
            let samples: [f64; 8] = std::array::from_fn(|corner| {
                let share = Vector::from_fn(|axis, _| (corner >> axis & 1) as f64);
                rise.dot(&share) + 0.05 * random.number()
            });
            let piece = Piece { corners, samples }.in_lattice(&lattice);
            let mut cells = Vec::new();
            let taken: Result<(), ()> = piece.for_each_cell(&lattice.size, |cell| {
                cells.push(cell);
                Ok(())
            });
            taken.unwrap();
            visited += cells.len();
            let count = |axis: usize| {
                let [first, last] = [piece.low, piece.high].map(|end| end[axis].max(0.0) as usize);
                last.min(lattice.size[axis] - 2) + 1 - first.min(lattice.size[axis] - 2)
            };
            in_range += (0..3).map(count).product::<usize>();
            let value = CellValue::new(&samples);
            for (corner, sample) in corners.iter().zip(samples) {
                let place = (corner - lattice.origin).component_div(&lattice.spacing);
                let limit = piece.level + piece.slope.dot(&place);
                assert!(limit <= sample + 1e-12, "{case}: {limit} {sample}");
                tight += usize::from(sample - limit < 1e-3);
            }
            for _ in 0..200 {
                let share = (random.vector() + Vector::repeat(1.0)) * 0.5;
                let share = share.map(|share| share.clamp(0.0, 1.0));
                let place = (at(&share) - lattice.origin).component_div(&lattice.spacing);
                if (0..3).any(|axis| place[axis] < 0.0 || place[axis] >= (lattice.size[axis] - 1) as f64) {
                    continue;
                }
                let (height, cell) = (value.value(&share), [0, 1, 2].map(|axis| place[axis] as usize));
                let local = place - Vector::from(cell.map(|n| n as f64));
                let part = piece.part_of(cell);
                assert!((part.clamp(&local) - local).amax() < 1e-12, "{case}: {local} {part:?}");
                let limit = piece.level + piece.slope.dot(&place);
                assert!(limit <= height + 1e-12, "{case}: {limit} {height}");
                close += usize::from(height - limit < 0.1);
                if height <= 0.0 {
                    inside += 1;
                    assert!(cells.contains(&cell), "{case}: {place} {cells:?}");
                }
            }
            for cell in cells {
                let part = piece.part_of(cell);
                for (number, limit) in piece.limits(cell, &part).into_iter().enumerate() {
                    let place = Vector::from(cell.map(|n| n as f64)) + part.corner(number);
                    let wanted = piece.level + piece.slope.dot(&place);
                    assert!((limit - wanted).abs() < 1e-13, "{case}: {limit} {wanted}");
                }
            }
        }
        assert!(inside > 20_000 && close > 20_000 && tight > 100, "{inside} {close} {tight}");
        assert!(visited > 1500 && 10 * visited < 8 * in_range, "{visited} {in_range}");
    }
}
