//! Minimum of the distance from a circle along a segment, with a certified lower bound.
//!
//! With `q(t)` from the centre to the point of the segment and `ρ(t)` its distance from the axis, the square of the distance
//! is `|q|² + R² - 2 R ρ`. Its second derivative, `2 - 2 R D / ρ³` with a constant `D`, changes its sign where `ρ³ = R D`, at
//! two parameters: the square is concave between them, and convex on either side. So every minimum is an end of the
//! segment or the only one of a convex part, where the derivative increases, and a bracket of its root bounds the value.

use crate::base::Circle;
use palpate_math::{Point, Vector, rounding};

/// The maximum number of steps to a root: Newton's method takes five.
const MOST_STEPS: usize = 60;

/// The closest point of a segment to a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The parameter, 0 to 1.
    pub(super) t: f64,
    pub(super) distance: f64,
    /// Certified lower bound of the distance.
    pub(super) lower: f64,
}

/// A segment in the circle's frame, by its arc length.
struct Stretch {
    radius: f64,
    length: f64,
    /// The component of the start along the segment.
    along: f64,
    /// The components along the axis of the vector from the centre to the start, and of the unit direction.
    height: [f64; 2],
    /// Their components perpendicular to the axis.
    across: [Vector; 2],
    /// `D`: the squared norm of the cross product of the two perpendicular components.
    apart: f64,
    /// The rounding error of a derivative.
    error: f64,
}

/// Half of the first and second derivatives of the squared distance.
struct Slopes {
    first: f64,
    second: f64,
}

impl Stretch {
    fn new(circle: &Circle, [start, end]: [&Point; 2]) -> Self {
        let whole = end - start;
        let length = whole.norm();
        let unit = if length > 0.0 { whole / length } else { whole };
        let offset = start - circle.center;
        let [height, rise] = [offset, unit].map(|vector| vector.dot(&circle.axis));
        let across = [offset - circle.axis * height, unit - circle.axis * rise];
        let apart = across[1].cross(&across[0]).norm_squared();
        let size = rounding::largest_coordinate([start, end, &circle.center]) + circle.radius + length;
        let error = rounding::length(size);
        let along = offset.dot(&unit);
        Self { radius: circle.radius, length, along, height: [height, rise], across, apart, error }
    }

    fn distance(&self, t: f64) -> f64 {
        let from_axis = (self.across[0] + self.across[1] * t).norm() - self.radius;
        let height = self.height[0] + self.height[1] * t;
        (height * height + from_axis * from_axis).sqrt()
    }

    fn slopes(&self, t: f64) -> Slopes {
        let offset = self.across[0] + self.across[1] * t;
        let from_axis = offset.norm();
        if from_axis == 0.0 {
            // Along the axis, or where the segment crosses it.
            let is_along = self.across[1] == Vector::zeros();
            let first = if is_along { self.along + t } else { f64::NAN };
            return Slopes { first, second: 1.0 };
        }
        let first = self.along + t - self.radius * (offset.dot(&self.across[1]) / from_axis);
        let second = 1.0 - self.radius * self.apart / (from_axis * from_axis * from_axis);
        Slopes { first, second }
    }

    /// Returns the interval in which the squared distance is concave, if there is one.
    fn concave(&self) -> Option<[f64; 2]> {
        let square = self.across[1].norm_squared();
        let reach = libm::cbrt(self.radius * self.apart);
        let spread = square * reach * reach - self.apart;
        // Where the segment crosses the axis the interval is a point.
        if spread < 0.0 || square == 0.0 {
            return None;
        }
        let (middle, half) = (-self.across[0].dot(&self.across[1]) / square, spread.sqrt() / square);
        Some([middle - half, middle + half])
    }

    /// Returns the minimum of a convex part and a lower bound of the distance there.
    fn least(&self, [from, to]: [f64; 2]) -> (f64, f64) {
        let (mut low, mut high) = (from, to);
        // The magnitude of the slope at the ends of the bracket: where it is convex no slope between them is greater.
        let mut steepest = [f64::INFINITY; 2];
        let mut t = 0.5 * (low + high);
        for end in [0, 1] {
            let place = [from, to][end];
            let first = self.slopes(place).first;
            let inward = if end == 0 { first } else { -first };
            if inward >= self.error {
                return (place, self.distance(place));
            }
            if !inward.is_nan() {
                steepest[end] = inward.abs();
            }
        }
        for _ in 0..MOST_STEPS {
            let slopes = self.slopes(t);
            if slopes.first.is_nan() || slopes.first.abs() <= self.error {
                break;
            }
            if slopes.first < 0.0 {
                (low, steepest[0]) = (t, -slopes.first);
            } else {
                (high, steepest[1]) = (t, slopes.first);
            }
            let next = t - slopes.first / slopes.second;
            t = if next > low && next < high { next } else { 0.5 * (low + high) };
            if t <= low || t >= high {
                break;
            }
        }
        // Close the bracket around the root.
        let mut width = 4.0 * self.error;
        while width < high - low {
            let (below, above) = ((t - width).max(low), (t + width).min(high));
            let [left, right] = [below, above].map(|place| self.slopes(place).first);
            let is_left = below == low || left < -self.error;
            let is_right = above == high || right > self.error;
            if is_left && is_right {
                steepest = [left.abs(), right.abs()];
                (low, high) = (below, above);
                break;
            }
            width *= 8.0;
        }
        let distance = self.distance(t);
        let (width, slope) = (high - low, 2.0 * (steepest[0].max(steepest[1]) + self.error));
        let by_slope = (distance * distance - slope * width).max(0.0).sqrt();
        (t, by_slope.max(distance - width))
    }
}

/// Returns the closest point of a segment to a circle.
pub(super) fn nearest(circle: &Circle, ends: [&Point; 2]) -> Nearest {
    let stretch = Stretch::new(circle, ends);
    let length = stretch.length;
    let [start, end] = [0.0, length].map(|t| stretch.distance(t));
    let (mut best, mut lower) = if end < start { ((length, end), end) } else { ((0.0, start), start) };
    let mut take = |from: f64, to: f64| {
        if from < to {
            let (t, bound) = stretch.least([from, to]);
            let distance = stretch.distance(t);
            if distance < best.1 {
                best = (t, distance);
            }
            lower = lower.min(bound);
        }
    };
    match stretch.concave() {
        Some([first, second]) => {
            take(0.0, first.min(length));
            take(second.max(0.0), length);
        }
        None => take(0.0, length),
    }
    let t = if length > 0.0 { (best.0 / length).clamp(0.0, 1.0) } else { 0.0 };
    Nearest { t, distance: best.1, lower: (lower.min(best.1) - stretch.error).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CIRCLE: Circle =
        Circle { center: Point::new(0.0, 0.0, 0.0), axis: Vector::new(0.0, 0.0, 1.0), radius: 2.0 };

    /// By steps of a ten-thousandth of the segment: also segments that cross the axis, are tangent to the circle, parallel to the
    /// axis, in the plane, of no length.
    #[test]
    fn small_steps_along_the_segment_find_nothing_closer() {
        let number = |k: usize, step: f64| (step * (k as f64 + 1.0)).sin();
        let mut two_minima = 0;
        for case in 0..600 {
            let at = |shift: f64| {
                Point::new(number(case, 1.37 + shift), number(case, 2.71 + shift), number(case, 0.73 + shift))
                    * 3.0
            };
            let (mut start, mut end) = (at(0.0), at(0.19));
            match case % 10 {
                0 => (start.z, end.z) = (0.0, 0.0),
                1 => end = Point::from(-start.coords * 0.8),
                2 => end = Point::new(start.x, start.y, -start.z * 0.5),
                3 => (start, end) = (Point::new(2.0, -1.0, 0.0), Point::new(2.0, 0.7, 0.0)),
                4 => end = start,
                5 => (start.x, start.y, end.x, end.y) = (0.0, 0.0, 0.0, 0.0),
                6 => (start.z, end.z) = (0.3, 0.3),
                _ => {}
            }
            let found = nearest(&CIRCLE, [&start, &end]);
            let place = start + (end - start) * found.t;
            let distance = |place: &Point| (place.xy().coords.norm() - 2.0).hypot(place.z);
            assert!((distance(&place) - found.distance).abs() < 1e-14, "{case}");
            assert!(found.lower <= found.distance, "{case}: {found:?}");
            let gap = found.distance - found.lower;
            assert!(gap < 1e-13 || (case % 10 == 3 && gap < 1e-4), "{case}: {found:?}");
            let sampled: Vec<f64> =
                (0..=10_000).map(|k| distance(&(start + (end - start) * (f64::from(k) * 1e-4)))).collect();
            let least = sampled.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(found.lower <= least, "{case}: {found:?} {least}");
            // Between two steps it is lower by less than a step.
            assert!(
                least - found.distance <= 1e-4 * (end - start).norm() + 1e-15,
                "{case}: {found:?} {least}"
            );
            let minima =
                sampled.windows(3).filter(|three| three[1] < three[0] && three[1] < three[2]).count();
            two_minima += usize::from(minima > 1);
        }
        assert!(two_minima > 30, "{two_minima}");
    }
}
