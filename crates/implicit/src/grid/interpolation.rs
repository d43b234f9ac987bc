//! Trilinear interpolation in the cells of a grid.

use super::samples::Grid;
use palpate_math::{Point, Vector};

/// A bound on the rounding error of samples that should be the same, and of their interpolation, relative to their size.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A position in the lattice: the cell, and the local coordinates from 0 to 1.
pub(super) struct InCell {
    pub(super) cell: [usize; 3],
    pub(super) weight: Vector,
}

/// The trilinear value about a point with its derivatives, exact to third order.
pub(super) struct Trilinear {
    pub(super) value: f64,
    pub(super) gradient: Vector,
    /// Second derivatives along y and z, z and x, x and y.
    pub(super) mixed: Vector,
    pub(super) third: f64,
}

impl Grid {
    /// Returns the eight samples of a cell, x varying fastest.
    pub(super) fn samples(&self, cell: [usize; 3]) -> [f64; 8] {
        self.lattice.samples(&self.values, cell)
    }

    pub(super) fn in_cell(&self, inside: &Point) -> InCell {
        let place = (inside - self.lattice.origin).component_div(&self.lattice.spacing);
        let cell = [0, 1, 2].map(|axis| (place[axis].max(0.0) as usize).min(self.lattice.size[axis] - 2));
        InCell { cell, weight: place - Vector::from(cell.map(|n| n as f64)) }
    }

    pub(super) fn trilinear(&self, inside: &Point) -> Trilinear {
        self.trilinear_in(&self.in_cell(inside))
    }

    /// Returns the trilinear value alone at a point in the lattice's box.
    pub(super) fn trilinear_value(&self, inside: &Point) -> f64 {
        let InCell { cell, weight } = self.in_cell(inside);
        AlongX::of(&self.samples(cell), &weight).value_and_slopes(&weight).0
    }

    /// Returns the trilinear value at a point in the lattice's box, and its gradient: zero where all samples are the same but for
    /// rounding, as at the bottom of a grid that is cut off at a depth.
    pub(super) fn interpolated(&self, inside: &Point) -> (f64, Vector) {
        let InCell { cell, weight } = self.in_cell(inside);
        let (value, slopes) = AlongX::of(&self.samples(cell), &weight).value_and_slopes(&weight);
        if slopes.amax() <= ROUNDING * value.abs() {
            return (value, Vector::zeros());
        }
        (value, slopes.component_div(&self.lattice.spacing))
    }

    /// Returns the value of a cell about a point in it, or on its boundary.
    pub(super) fn trilinear_in(&self, InCell { cell, weight }: &InCell) -> Trilinear {
        let along_x = AlongX::of(&self.samples(*cell), weight);
        let (value, slopes) = along_x.value_and_slopes(weight);
        let [yz, third] = [&along_x.values, &along_x.slopes].map(twist);
        let [_, zx, xy] = bilinear(&along_x.slopes, weight);
        let h = self.lattice.spacing;
        Trilinear {
            value,
            gradient: slopes.component_div(&h),
            mixed: Vector::new(yz / (h.y * h.z), zx / (h.z * h.x), xy / (h.x * h.y)),
            third: third / (h.x * h.y * h.z),
        }
    }
}

/// The values on the four edges of a cell along x, and their slopes, at a place between their ends.
struct AlongX {
    values: [f64; 4],
    slopes: [f64; 4],
}

impl AlongX {
    #[inline]
    fn of(s: &[f64; 8], weight: &Vector) -> Self {
        let slopes = [s[1] - s[0], s[3] - s[2], s[5] - s[4], s[7] - s[6]];
        Self { values: std::array::from_fn(|k| s[2 * k] + weight.x * slopes[k]), slopes }
    }

    /// Returns the value, and its slopes in sizes of the cell.
    #[inline]
    fn value_and_slopes(&self, weight: &Vector) -> (f64, Vector) {
        let [value, along_z, along_y] = bilinear(&self.values, weight);
        let [along_x, ..] = bilinear(&self.slopes, weight);
        (value, Vector::new(along_x, along_y, along_z))
    }
}

/// Interpolates along y, then z: returns the value, and its slopes along z and y.
#[inline]
fn bilinear(v: &[f64; 4], weight: &Vector) -> [f64; 3] {
    let (first, second) = (v[1] - v[0], v[3] - v[2]);
    let (low, high) = (v[0] + weight.y * first, v[2] + weight.y * second);
    [low + weight.z * (high - low), high - low, first + weight.z * (second - first)]
}

/// Returns the second derivative along y and z.
fn twist(v: &[f64; 4]) -> f64 {
    (v[3] - v[2]) - (v[1] - v[0])
}
