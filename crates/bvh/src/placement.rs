//! Motions of a tree's boxes in the frame of another.

use palpate_math::{Aabb, Vector};

use crate::Bvh;
use crate::frame::Lanes;

/// A linear motion of points, such as a rigid one: `x` goes to `matrix * x + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The rows of the matrix: of a rotation, if the motion is rigid.
    pub rows: [[f64; 3]; 3],
    /// In metres.
    pub translation: Vector,
}

/// Relative rounding error of a placed coordinate, here and in the caller's own arithmetic, in any order of its sums.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Placement {
    /// Returns a box around what is in a box, placed: rounded outward by the error of points that are placed in double
    /// precision.
    pub(crate) fn placed(&self, bounds: &Aabb) -> Aabb {
        if bounds.is_empty() {
            return Aabb::EMPTY;
        }
        let (center, half) = (bounds.center(), 0.5 * (bounds.max - bounds.min));
        if !(center.iter().all(|x| x.is_finite()) && half.iter().all(|x| x.is_finite())) {
            return Aabb::ALL;
        }
        let mut placed = Aabb::EMPTY;
        for (axis, row) in self.rows.iter().enumerate() {
            let along = |k: usize| row[k] * center[k];
            let middle = along(0) + along(1) + along(2) + self.translation[axis];
            let reach = |k: usize| row[k].abs() * half[k];
            let size = |k: usize| (row[k] * center[k]).abs();
            let size = size(0) + size(1) + size(2) + self.translation[axis].abs();
            let reach = reach(0) + reach(1) + reach(2);
            let reach = reach + ROUNDING * (reach + size) + f64::MIN_POSITIVE;
            (placed.min[axis], placed.max[axis]) = (middle - reach, middle + reach);
        }
        placed
    }
}

/// The largest number in a mapped placement: beyond it single precision resolves the boxes too badly.
const LARGEST: f64 = 1024.0;

/// A placement from the frame of one tree to that of another, in single precision and rounded outward.
///
/// Every product and sum is monotone in the coordinates of a box: a larger box is placed to one no smaller, whatever the
/// rounding. Columns are split into their positive and negative parts, each the factor of one side of a box.
pub(crate) struct MappedPlacement {
    positive: [[f32; 4]; 3],
    negative: [[f32; 4]; 3],
    /// The translation, rounded down and up by the error of the whole.
    low: [f32; 4],
    high: [f32; 4],
}

impl MappedPlacement {
    /// From the frame of `b` to that of `a`; `None` where single precision is not enough, and for unbounded boxes.
    pub(crate) fn new(a: &Bvh, b: &Bvh, placement: &Placement) -> Option<Self> {
        let is_finite = |bounds: &Aabb| bounds.min.iter().chain(bounds.max.iter()).all(|x| x.is_finite());
        if !is_finite(&b.bounds) {
            return None;
        }
        let (from, to) = (b.frame.origin(), a.frame.origin());
        let ratio = a.frame.scale() / b.frame.scale();
        // How far the boxes of `b` extend in its frame.
        let extent = |k: usize| (b.bounds.min[k] - from[k]).abs().max((b.bounds.max[k] - from[k]).abs());
        let extent = (extent(0).max(extent(1)).max(extent(2)) * b.frame.scale()).max(f64::MIN_POSITIVE);
        let mut mapped =
            Self { positive: [[0.0; 4]; 3], negative: [[0.0; 4]; 3], low: [0.0; 4], high: [0.0; 4] };
        for (axis, row) in placement.rows.iter().enumerate() {
            let along = |k: usize| row[k] * from[k];
            let shift = along(0) + along(1) + along(2) + placement.translation[axis] - to[axis];
            let shift = shift * a.frame.scale();
            let row_sum = row[0].abs() + row[1].abs() + row[2].abs();
            let reach = row_sum * ratio * extent;
            // Of the caller's arithmetic and of the sum above, in double precision.
            let size = row_sum * from.coords.amax() + placement.translation[axis].abs() + to[axis].abs();
            let blur = ROUNDING * (size * a.frame.scale() + reach);
            // In halves of the unit of single precision: each of the boxes of both trees is rounded (5), and so are the
            // columns, products and sums (5 of the reach), the shift and the sums with it (4 of the shift). Twice that.
            let error = f64::from(f32::EPSILON) * (8.0 * reach + 6.0 * shift.abs() + 8.0) + 2.0 * blur;
            let largest = reach + shift.abs() + blur;
            if largest.is_nan() || largest > LARGEST {
                return None;
            }
            for (k, factor) in row.iter().enumerate() {
                let factor = (factor * ratio) as f32;
                mapped.positive[k][axis] = factor.max(0.0);
                mapped.negative[k][axis] = factor.min(0.0);
            }
            mapped.low[axis] = (shift - error) as f32;
            mapped.high[axis] = (shift + error) as f32;
        }
        Some(mapped)
    }

    /// Returns a box around a placed one, which is not empty.
    #[inline]
    pub(crate) fn placed(&self, bounds: &Lanes) -> Lanes {
        let (mut low, mut high) = (self.low, self.high);
        for k in 0..3 {
            for lane in 0..4 {
                let (positive, negative) = (self.positive[k][lane], self.negative[k][lane]);
                low[lane] += positive * bounds.low[k] + negative * bounds.high[k];
                high[lane] += positive * bounds.high[k] + negative * bounds.low[k];
            }
        }
        Lanes { low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use palpate_math::Point;

    /// The pairs of boxes whose corners, placed in double precision, span boxes that overlap.
    fn slowly(a: &[Aabb], b: &[Aabb], placement: &Placement) -> Vec<(u32, u32)> {
        let around = |bounds: &Aabb| {
            Aabb::from_points((0..8).map(|corner| {
                let side = |axis: usize| {
                    if corner >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
                };
                let along = |axis: usize| {
                    let [x, y, z] = placement.rows[axis];
                    x * side(0) + y * side(1) + z * side(2) + placement.translation[axis]
                };
                Point::new(along(0), along(1), along(2))
            }))
        };
        let mut pairs = Vec::new();
        for (j, bounds) in (0..).zip(b) {
            let bounds = around(bounds);
            pairs.extend((0..).zip(a).filter(|(_, a)| a.overlaps(&bounds)).map(|(i, _)| (i, j)));
        }
        pairs.sort_unstable();
        pairs
    }

    /// A rotation about an oblique axis, by Rodrigues' formula.
    fn rotation(axis: Vector, angle: f64) -> [[f64; 3]; 3] {
        let [x, y, z] = axis.normalize().into();
        let (sine, cosine) = angle.sin_cos();
        let c = 1.0 - cosine;
        [
            [cosine + x * x * c, x * y * c - z * sine, x * z * c + y * sine],
            [y * x * c + z * sine, cosine + y * y * c, y * z * c - x * sine],
            [z * x * c - y * sine, z * y * c + x * sine, cosine + z * z * c],
        ]
    }

    /// Near the origin and far from it, trees of like and unlike sizes: nothing is missed, hardly anything is added, and
    /// touching boxes are found.
    #[test]
    fn placed_boxes_meet_what_they_overlap() {
        let mut sample = Sample::new(61);
        let (mut met, mut more, mut slow) = (0, 0, 0);
        for round in 0..60 {
            let (size, away) = ([1.0, 1e-3, 1e6][round % 3], [0.0, 1.0, 1e3, 1e9][round % 4]);
            let other_size = size * [1.0, 0.01, 30.0, 1e-6, 1e6][round % 5];
            let (place, from) = (sample.vector() * (away * size), sample.vector() * (away * other_size));
            let rows = if round % 7 == 0 {
                [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
            } else {
                rotation(sample.vector(), 3.0 * sample.number())
            };
            let boxes = |size: f64, place: Vector, sample: &mut Sample| -> Vec<Aabb> {
                let scaled =
                    |bounds: Aabb| Aabb { min: bounds.min * size + place, max: bounds.max * size + place };
                (0..120).map(|_| scaled(sample.cuboid(0.3))).collect()
            };
            let (a, b) = (boxes(size, place, &mut sample), boxes(other_size, from, &mut sample));
            let moved = |row: [f64; 3]| row[0] * from.x + row[1] * from.y + row[2] * from.z;
            let [x, y, z] = rows.map(moved);
            let translation = place - Vector::new(x, y, z);
            let placement = Placement { rows, translation };
            let (tree_a, tree_b) = (Bvh::build(&a), Bvh::build(&b));
            slow += usize::from(MappedPlacement::new(&tree_a, &tree_b, &placement).is_none());
            let mut found = Vec::new();
            tree_a.overlap_pairs_placed(&tree_b, &placement, |i, j| found.push((i, j)));
            found.sort_unstable();
            let expected = slowly(&a, &b, &placement);
            assert!(expected.iter().all(|pair| found.binary_search(pair).is_ok()), "{round}");
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{round}");
            met += expected.len();
            more += found.len() - expected.len();
        }
        assert!(met > 1000 && more < met / 100 && (5..30).contains(&slow), "{met} {more} {slow}");
    }

    #[test]
    fn unbounded_and_empty_boxes_are_placed_too() {
        let cube = |low: f64| Aabb {
            min: Point::from(Vector::repeat(low)),
            max: Point::from(Vector::repeat(low + 1.0)),
        };
        let a = Bvh::build(&[cube(0.0), Aabb::ALL, cube(5.0)]);
        let b = [cube(0.0), Aabb::EMPTY, Aabb::ALL];
        let rows = rotation(Vector::new(1.0, 2.0, 3.0), 0.5);
        let placement = Placement { rows, translation: Vector::zeros() };
        let pairs = |b: &[Aabb]| {
            let mut pairs = Vec::new();
            a.overlap_pairs_placed(&Bvh::build(b), &placement, |i, j| pairs.push((i, j)));
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(pairs(&b), [(0, 0), (0, 2), (1, 0), (1, 2), (2, 2)]);
        assert_eq!(pairs(&b[..2]), [(0, 0), (1, 0)]);
        assert_eq!(pairs(&[]), []);
    }
}
