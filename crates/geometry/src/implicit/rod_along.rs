//! The distance from a segment (or a point) along a straight line, as a function of the line's parameter alone.

use palpate_math::{Point, Vector};

/// Bounds the rounding error of the squares whose difference bounds the second derivative, relative to the line's.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The distance from a point or a line: `√(least² + square (t - nearest)²)`.
#[derive(Clone, Copy, Debug)]
struct Hyperbola {
    nearest: f64,
    least_squared: f64,
    square: f64,
}

impl Hyperbola {
    /// Creates the distance from the origin to `offset + t way`, counted from a parameter.
    fn new(offset: &Vector, way: &Vector, from: f64) -> Self {
        let square = way.norm_squared();
        let ahead = if square > 0.0 { -offset.dot(way) / square } else { 0.0 };
        Self { nearest: from + ahead, least_squared: (offset + way * ahead).norm_squared(), square }
    }

    /// Returns the distance and its derivative, which is zero where the distance is.
    fn at(&self, t: f64) -> (f64, f64) {
        let rise = self.square * (t - self.nearest);
        let distance = (self.least_squared + rise * (t - self.nearest)).sqrt();
        (distance, if distance > 0.0 { rise / distance } else { 0.0 })
    }
}

/// The distance from a segment along a line: that from its first end, from its own line, and from its second end.
#[derive(Clone, Copy, Debug)]
pub(super) struct RodAlong {
    pieces: [Hyperbola; 3],
    /// The projection on the segment, from 0 to 1 between its ends, at a parameter, and its derivative.
    from: f64,
    along: [f64; 2],
    radius: f64,
    /// The least square that may stand in the second derivative of the distance, for the rounding error of the squares.
    across: f64,
}

/// A rod at a point of a line.
pub(super) struct RodAt {
    /// The distance minus the radius.
    pub(super) value: f64,
    /// Its derivative by the parameter.
    pub(super) slope: f64,
    /// The distance.
    pub(super) distance: f64,
    /// The second derivative of the distance d is (|w|² − d′²) / d where the closest point is an end, with w from parameter 0 to 1;
    /// elsewhere the component of w across the segment takes its place, which is shorter. The square of that.
    pub(super) across: f64,
}

impl RodAlong {
    /// Creates the distance from a segment minus a radius along the line through `point`, where the parameter is `from`, that is `way`
    /// longer where the parameter is greater by one.
    pub(super) fn new(ends: &[Point; 2], radius: f64, point: &Point, way: &Vector, from: f64) -> Self {
        let axis = ends[1] - ends[0];
        let square = axis.norm_squared();
        let per_square = if square > 0.0 { 1.0 / square } else { 0.0 };
        let [offset, of_last] = ends.map(|end| point - end);
        // Subtracted twice: after the first time the rest is orthogonal only relative to the whole.
        let across = |v: &Vector| {
            let rest = v - axis * (v.dot(&axis) * per_square);
            rest - axis * (rest.dot(&axis) * per_square)
        };
        let (length, along) = (way.norm_squared(), way.dot(&axis));
        Self {
            pieces: [
                Hyperbola::new(&offset, way, from),
                Hyperbola::new(&across(&offset), &across(way), from),
                Hyperbola::new(&of_last, way, from),
            ],
            from,
            along: [offset.dot(&axis) * per_square, along * per_square],
            radius,
            across: length - along * along * per_square - ROUNDING * length,
        }
    }

    /// Returns the rod at a parameter.
    pub(super) fn at(&self, t: f64) -> RodAt {
        let along = self.along[0] + self.along[1] * (t - self.from);
        let piece = if along <= 0.0 {
            0
        } else if along < 1.0 {
            1
        } else {
            2
        };
        let (distance, slope) = self.pieces[piece].at(t);
        RodAt { value: distance - self.radius, slope, distance, across: self.across }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::Random;
    use super::*;
    use palpate_math::nearest::point_segment;

    /// Against the closest point of the segment: rods of all directions and lengths, a point, and such that the line passes through or
    /// is parallel to.
    #[test]
    fn along_a_line_the_distance_is_that_from_the_closest_point() {
        let mut random = Random(67);
        let (mut pieces, mut close) = ([0; 3], 0);
        for case in 0..3000 {
            let (start, axis) = (Point::from(random.vector()), random.vector());
            let axis = axis * [1.0, 1e-3, 0.0][case % 3];
            let way = if case % 5 == 0 { axis * 2.0 } else { random.vector() };
            // Some lines cross the axis.
            let offset = if case % 7 == 0 { Vector::zeros() } else { random.vector() };
            let point = start + axis * random.number() + offset;
            let (ends, radius) = ([start, start + axis], 0.125);
            let rod = RodAlong::new(&ends, radius, &point, &way, 0.25);
            for t in [-1.0, 0.0, 0.25, 0.3, 0.7, 1.0, 2.0] {
                let place = point + way * (t - 0.25);
                let nearest = point_segment(&place, &ends[0], &ends[1]);
                let distance = (place - nearest.point).norm();
                let found = rod.at(t);
                assert!(
                    (found.distance - distance).abs() < 1e-14,
                    "{case} {t}: {} {distance}",
                    found.distance
                );
                assert_eq!(found.value, found.distance - radius);
                if distance > 1e-3 {
                    let slope = (place - nearest.point).dot(&way) / distance;
                    assert!((found.slope - slope).abs() < 1e-12, "{case} {t}: {} {slope}", found.slope);
                }
                let own = usize::from(nearest.t > 0.0) + usize::from(nearest.t >= 1.0);
                pieces[own] += 1;
                close += usize::from(distance < 1e-12);
            }
        }
        assert!(pieces.iter().all(|count| *count > 2000) && close > 100, "{pieces:?} {close}");
    }
}
