//! The point of a segment nearest to a convex solid, or deepest in it.
//!
//! The signed distance to a convex solid is a convex function of the point, inside as well as outside. Along a
//! segment its slope never decreases, so the minimum is where the slope changes sign: regula falsi with the Illinois
//! rule (Dowell and Jarratt 1971), and a bisection step whenever that does not at least halve the bracket in two
//! steps.

use palpate_geometry::SignedDistance;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_math::{Point, Vector};

/// Slopes up to this size, relative to the length of the segment, are zero up to rounding error.
const LEVEL: f64 = 32.0 * f64::EPSILON;

/// How far beside a stationary point the slope is tested for being zero too, as a fraction of the segment.
const ASIDE: f64 = 1e-6;

/// After this many bisections a bracket contains no further number.
const MOST_STEPS: usize = 200;

/// The nearest or deepest point of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPlace {
    /// The parameter along the segment: the weight of its end.
    pub(crate) t: f64,
    pub(crate) point: Point,
    pub(crate) signed: SignedDistance,
}

/// Returns the point of the segment from `start` to `end` with the least signed distance from `solid`, which is
/// convex. If a part of the segment is equally near, returns the middle of that part.
pub(crate) fn nearest_place(solid: &dyn ImplicitFunction, start: &Point, end: &Point) -> NearestPlace {
    let line = Line { solid, start, end, along: end - start };
    let (first, last) = (line.at(0.0), line.at(1.0));
    let slopes = [line.slope(&first), line.slope(&last)];
    let level = LEVEL * line.along.norm();
    if slopes[0] > level || line.along.amax() == 0.0 {
        return first;
    }
    if slopes[1] < -level {
        return last;
    }
    let turns = match (slopes[0] < -level, slopes[1] > level) {
        (true, true) => line.turn(slopes, level),
        // Zero slope from one of the ends on, or everywhere.
        (true, false) => [line.edge(0.0, 1.0, |slope| slope < -level), 1.0],
        (false, true) => [0.0, line.edge(1.0, 0.0, |slope| slope > level)],
        (false, false) => [0.0, 1.0],
    };
    line.at(turns[0] + 0.5 * (turns[1] - turns[0]))
}

struct Line<'a> {
    solid: &'a dyn ImplicitFunction,
    start: &'a Point,
    end: &'a Point,
    along: Vector,
}

impl Line<'_> {
    fn at(&self, t: f64) -> NearestPlace {
        let point = if t == 1.0 { *self.end } else { self.start + self.along * t };
        NearestPlace { t, point, signed: self.solid.signed_distance(&point) }
    }

    fn slope(&self, place: &NearestPlace) -> f64 {
        place.signed.gradient.dot(&self.along)
    }

    fn slope_at(&self, t: f64) -> f64 {
        self.slope(&self.at(t))
    }

    /// Returns the range of zero slope between the decreasing start and the increasing end: usually a single point.
    fn turn(&self, slopes: [f64; 2], level: f64) -> [f64; 2] {
        let (mut low, mut high) = (0.0, 1.0);
        let [mut at_low, mut at_high] = slopes;
        let mut width = 1.0;
        for step in 0..MOST_STEPS {
            let guess = low + (high - low) * (at_low / (at_low - at_high));
            let halve = step % 3 == 2 && high - low > 0.5 * width;
            if step % 3 == 2 {
                width = high - low;
            }
            let t = if halve || !(guess > low && guess < high) { low + 0.5 * (high - low) } else { guess };
            if t <= low || t >= high {
                break;
            }
            let slope = self.slope_at(t);
            if slope < -level {
                (low, at_low) = (t, slope);
                at_high *= 0.5;
            } else if slope > level {
                (high, at_high) = (t, slope);
                at_low *= 0.5;
            } else {
                return self.level_part(low, t, high, level);
            }
        }
        [low, high]
    }

    /// Returns the range around `t` where the slope is zero, or `t` alone if the range is no longer than rounding
    /// error.
    fn level_part(&self, low: f64, t: f64, high: f64, level: f64) -> [f64; 2] {
        let (before, after) = (t - ASIDE, t + ASIDE);
        let falls = |slope: f64| slope < -level;
        let rises = |slope: f64| slope > level;
        let starts_here = before <= low || falls(self.slope_at(before));
        let ends_here = after >= high || rises(self.slope_at(after));
        if starts_here && ends_here {
            return [t, t];
        }
        [self.edge(low, t, falls), self.edge(high, t, rises)]
    }

    /// Returns the boundary, from `inside` toward `outside`, of the range where `holds` is true of the slope; it is
    /// true at `inside`.
    fn edge(&self, inside: f64, outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
        let (mut inside, mut outside) = (inside, outside);
        for _ in 0..MOST_STEPS {
            let middle = inside + 0.5 * (outside - inside);
            if middle == inside || middle == outside {
                break;
            }
            if holds(self.slope_at(middle)) { inside = middle } else { outside = middle }
        }
        outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{Cylinder, Ellipsoid, OrientedBox, Pose};

    fn block() -> OrientedBox {
        OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 4.0)).unwrap()
    }

    fn nearest(solid: &dyn ImplicitFunction, start: [f64; 3], end: [f64; 3]) -> (f64, f64) {
        let place = nearest_place(solid, &Point::from(start), &Point::from(end));
        (place.t, place.signed.distance)
    }

    #[test]
    fn beside_a_face_an_end_or_the_middle_of_the_overlap_is_nearest() {
        assert_eq!(nearest(&block(), [2.0, 0.0, 0.0], [5.0, 0.0, 1.0]), (0.0, 1.0));
        assert_eq!(nearest(&block(), [5.0, 0.0, 0.0], [2.0, 0.0, 1.0]), (1.0, 1.0));
        assert_eq!(nearest(&block(), [3.0, -1.0, 0.0], [3.0, 1.0, 0.0]), (0.5, 2.0));
        let (t, distance) = nearest(&block(), [3.0, 0.0, 0.0], [3.0, 8.0, 0.0]);
        assert!((t - 0.125).abs() < 1e-12 && distance == 2.0, "the overlap is 0 to 2 of 8: {t}");
        let (t, _) = nearest(&block(), [3.0, -8.0, 0.0], [3.0, 8.0, 0.0]);
        assert!((t - 0.5).abs() < 1e-12, "{t}");
    }

    /// Across the edge at x = 1, y = 2: from (5, 2) to (1, 6) the nearest point is the midpoint (3, 4).
    #[test]
    fn across_an_edge_the_foot_is_nearest() {
        let (t, distance) = nearest(&block(), [5.0, 2.0, -1.0], [1.0, 6.0, 3.0]);
        assert!((t - 0.5).abs() < 1e-12 && (distance - 8.0_f64.sqrt()).abs() < 1e-15, "{t} {distance}");
    }

    #[test]
    fn a_segment_without_length_answers_with_its_start() {
        assert_eq!(nearest(&block(), [3.0, 0.0, 0.0], [3.0, 0.0, 0.0]), (0.0, 2.0));
    }

    /// Slanted segments against dense sampling, outside and through.
    #[test]
    fn no_sample_is_nearer_than_the_answer() {
        let cylinder = Cylinder::new(Pose::identity(), 1.0, 3.0).unwrap();
        let ellipsoid = Ellipsoid::new(Pose::identity(), Vector::new(1.0, 0.5, 2.0)).unwrap();
        let block = block();
        let solids: [&dyn ImplicitFunction; 3] = [&cylinder, &ellipsoid, &block];
        let mut within = 0;
        for k in 0..60 {
            let s = f64::from(k) / 60.0;
            let start = Point::new(-3.0 + s, 2.5 - 4.0 * s, -2.9 + 3.0 * s);
            let end = Point::new(2.9 - 1.3 * s, 1.9 - s, 4.9 - 5.0 * s);
            for solid in solids {
                let place = nearest_place(solid, &start, &end);
                let at = |n: i32| start + (end - start) * (f64::from(n) / 1000.0);
                let sampled =
                    (0..=1000).map(|n| solid.signed_distance(&at(n)).distance).fold(f64::INFINITY, f64::min);
                assert!(place.signed.distance <= sampled + 1e-14, "{place:?} {sampled}");
                assert!(place.signed.distance >= sampled - 1e-2, "{place:?} {sampled} {start} {end}");
                within += u32::from(place.signed.distance < 0.0);
            }
        }
        assert!((20..160).contains(&within), "{within}");
    }
}
