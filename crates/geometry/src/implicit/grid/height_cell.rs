//! The lowest place in a box of one cell where the trilinear value is not positive.
//!
//! Positions are in sizes of the cell from its first corner, along whose axes the height over a plane is linear. At the lowest
//! place the slopes of the height and of the value are opposite, up to the sides of the box (Lagrange; Karush 1939, Kuhn and
//! Tucker 1951). A place so found proves itself: for a level below it the sum
//!
//! ```text
//! g = f + a (h - level) + m (h - level) (h - low)
//! ```
//!
//! of the value `f` and the height `h` is negative wherever a point of the body is lower than the level, if nothing of the
//! body in the box is below `low`. The second product makes the sum bend upward along the slope, where a trilinear function does
//! not bend. Where the sum is convex in the box, its tangent at the place shows that it is positive everywhere.

use super::cell::hessian;
use super::cell::{CellValue, Local};
use super::quadric_cell::{Within, held_by, stiffened};
use crate::implicit::factors::Factors;
use crate::implicit::means::least_within;
use crate::implicit::program::{Answer, Behind, PLANES, solve};
use arrayvec::ArrayVec;
use nalgebra::Matrix3;
use palpate_math::Vector;

/// Iteration limit of Newton's method; four steps are typical.
const MOST_STEPS: usize = 16;

/// A step shorter than this is the last.
const SHORTEST: f64 = 1e-14;

/// How much the square of the value's slope is added to the second derivatives, relative to these: on the surface, and on a side
/// that holds the place, it changes no step.
const STIFF: [f64; 2] = [4.0, 64.0];

/// Which part of the sum bends along the slope.
const BENT: [f64; 3] = [0.0, 0.5, 0.9];

/// Bounds the rounding error of a polynomial, relative to its largest term.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The most steps of Newton's method to the body from a place on its surface.
const MOST_STEPS_IN: usize = 4;

/// A place that may be the lowest, and the weight of the value there: with its slope times this, that of the height is balanced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stationary {
    pub(super) place: Vector,
    weight: f64,
}

/// A cell, and the heights of its corners.
pub(super) struct HeightCell {
    value: CellValue,
    /// The height of the first corner, and its change along each axis.
    first: f64,
    slope: Vector,
    /// The largest sample, by magnitude.
    largest: f64,
}

impl HeightCell {
    /// Creates the cell from the heights of its corners and the samples there, x varying fastest.
    pub(super) fn new(heights: &[f64; 8], samples: &[f64; 8]) -> Self {
        let [first, x, y, _, z, ..] = *heights;
        let largest = samples.iter().fold(0.0, |most: f64, sample| most.max(sample.abs()));
        Self {
            value: CellValue::new(samples),
            first,
            slope: Vector::new(x - first, y - first, z - first),
            largest,
        }
    }

    pub(super) fn height(&self, place: &Vector) -> f64 {
        self.first + self.slope.dot(place)
    }

    /// Returns a lower bound of the heights of the body in a box; infinity if there is nothing of it.
    pub(super) fn below(&self, within: &Within) -> f64 {
        let corners: [Vector; 8] = std::array::from_fn(|number| within.corner(number));
        let limits = corners.map(|corner| self.value.at(&corner).value - ROUNDING * self.largest);
        least_within(&corners.map(|corner| self.height(&corner)), &limits)
    }

    /// Returns the faces of the cell that hold its lowest places, or the whole cell, and by how much another place may be lower than
    /// these. Where the height hardly changes along an axis, there are places as low on both sides, since the value is linear along
    /// the axis; the lowest ones may be a whole line.
    pub(super) fn faces(&self, small: f64) -> (ArrayVec<Within, 8>, f64) {
        let (mut faces, mut loose): (ArrayVec<Within, 8>, f64) =
            ([Within::cell()].into_iter().collect(), 0.0);
        for axis in (0..3).filter(|&axis| self.slope[axis].abs() <= small) {
            loose += self.slope[axis].abs();
            let at = |end: f64| {
                move |mut face: Within| {
                    (face.low[axis], face.high[axis]) = (end, end);
                    face
                }
            };
            let whole = faces.clone();
            faces = whole.iter().copied().map(at(0.0)).chain(whole.iter().copied().map(at(1.0))).collect();
        }
        (faces, loose)
    }

    /// Returns where the height may be least in a box, about: by Newton's method from a place, each step a quadratic program.
    pub(super) fn settle(&self, within: &Within, near: &Vector) -> Option<Stationary> {
        let mut found = Stationary { place: within.clamp(near), weight: 0.0 };
        let mut on_sides = Vector::zeros();
        for _ in 0..MOST_STEPS {
            let Local { value, gradient, mixed } = self.value.at(&found.place);
            let gradient = within.along(&gradient);
            let mut planes: ArrayVec<Behind, PLANES> = ArrayVec::new();
            planes.push(Behind { normal: gradient, offset: -value });
            for axis in 0..3 {
                // Nothing moves across a face.
                let (below, above) = if within.is_flat(axis) {
                    (1.0, 1.0)
                } else {
                    (found.place[axis] - within.low[axis], within.high[axis] - found.place[axis])
                };
                planes.push(Behind { normal: Vector::ith(axis, -1.0), offset: below });
                planes.push(Behind { normal: Vector::ith(axis, 1.0), offset: above });
            }
            let across = gradient * gradient.transpose() / gradient.norm_squared();
            let across = across + Matrix3::from_diagonal(&on_sides);
            let (mut bend, _) = stiffened(&(hessian(&mixed) * found.weight), &across, &self.slope, &STIFF);
            for axis in (0..3).filter(|&axis| within.is_flat(axis)) {
                let own = bend[(axis, axis)];
                separate(&mut bend, axis, own);
            }
            let Some(Answer::Least(solution)) = solve(&bend, &within.along(&self.slope), &planes) else {
                return None;
            };
            let [of_value, sides @ ..] = solution.weights;
            found.weight = of_value;
            on_sides = held_by(&sides);
            let moved = within.clamp(&(found.place + solution.place));
            // A place that is held by a side is on it to the last bit.
            found.place = Vector::from_fn(|axis, _| match [sides[2 * axis], sides[2 * axis + 1]] {
                [low, _] if low > 0.0 => within.low[axis],
                [_, high] if high > 0.0 => within.high[axis],
                _ => moved[axis],
            });
            if solution.place.amax() <= SHORTEST {
                break;
            }
        }
        Some(found)
    }

    /// Returns a place of the body beside a place on its surface, in a box.
    pub(super) fn inside(&self, place: &Vector, within: &Within) -> Option<Vector> {
        let mut place = *place;
        for _ in 0..MOST_STEPS_IN {
            let Local { value, gradient, .. } = self.value.at(&place);
            if value <= 0.0 {
                return Some(place);
            }
            let gradient = within.along(&gradient);
            let beyond = value + f64::EPSILON * self.largest;
            place = within.clamp(&(place - gradient * (beyond / gradient.norm_squared())));
        }
        None
    }

    /// Whether nothing of the body in a box is below a level, by a stationary place in it. Nothing is below `low`.
    pub(super) fn is_above(&self, found: &Stationary, within: &Within, level: f64, low: f64) -> bool {
        let (whole, height) = (1.0 / found.weight, self.height(&found.place));
        let (beyond, width) = (height - level, (height - low).max(0.0));
        if !(whole > 0.0 && whole.is_finite() && beyond > 0.0) {
            return false;
        }
        let about = self.value.at(&found.place);
        BENT.into_iter().any(|part| self.is_positive(&about, found, within, whole, part, [beyond, width]))
    }

    /// Whether the sum is positive in the box: with the value's weight as one, that of the height is `whole`, a part of which goes
    /// to the product.
    fn is_positive(
        &self,
        about: &Local,
        found: &Stationary,
        within: &Within,
        whole: f64,
        part: f64,
        [beyond, width]: [f64; 2],
    ) -> bool {
        let (single, product) = ((1.0 - part) * whole, part * whole / (beyond + width));
        let room = beyond * (single + product * width);
        let mut slope = about.gradient + self.slope * (single + product * (beyond + width));
        let mut bend = about.bend() + self.slope * self.slope.transpose() * (2.0 * product);
        let (before, behind) = (within.low - found.place, within.high - found.place);
        let far = before.abs().sup(&behind.abs());
        // The mixed derivatives change linearly.
        let third = self.value.third().abs();
        let change = [far.y + far.z, far.z + far.x, far.x + far.y].map(|sum| third * sum);
        let lift = 0.5 * room / far.norm_squared();
        for axis in 0..3 {
            if far[axis] == 0.0 {
                // In a face nothing moves across it.
                separate(&mut bend, axis, 1.0);
                continue;
            }
            bend[(axis, axis)] += lift - change[axis];
            // In the box the product of the distances from two opposite sides is not negative: at a side the slope is changed for
            // bending.
            let (rise, space) = if before[axis] == 0.0 {
                (slope[axis], behind[axis])
            } else if behind[axis] == 0.0 {
                (-slope[axis], -before[axis])
            } else {
                continue;
            };
            if rise > 0.0 {
                bend[(axis, axis)] += 2.0 * rise / space;
                slope[axis] = 0.0;
            }
        }
        let terms = self.largest + whole * (self.slope.abs().sum() + beyond + width);
        let sum = about.value + room + within.least_fall(&found.place, &slope);
        Factors::of(&bend).is_some() && sum - 0.25 * room - ROUNDING * terms > 0.0
    }
}

/// Sets the second derivatives of an axis with all others to zero, and its own to a number.
fn separate(bend: &mut Matrix3<f64>, axis: usize, own: f64) {
    bend.row_mut(axis).fill(0.0);
    bend.column_mut(axis).fill(0.0);
    bend[(axis, axis)] = own;
}
