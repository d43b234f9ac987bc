//! Balls of known clearance: vertices inside one are not in contact and need no query.

use palpate_math::{Point, rounding};

/// Number of balls: vertices with close numbers are often close to one of the last few.
const BALLS: usize = 8;

/// Relative rounding error of a squared distance, with room to spare.
const ROUNDING: f64 = 1e-12;

/// The last balls found around points that are not in contact. A point in one of them is on the same side of the surface as
/// the centre, and farther from it than the contact distance; it needs no query.
#[derive(Debug, Default)]
pub(crate) struct ClearBalls {
    /// Centres and squared radii.
    balls: [(Point, f64); BALLS],
    next: usize,
}

impl ClearBalls {
    /// Adds the ball around a point at a distance from the surface, outside of it, given the contact distance.
    pub(crate) fn add(&mut self, center: &Point, distance: f64, reach: f64) {
        let radius = distance - reach - rounding::length(center.coords.amax() + distance);
        if radius > 0.0 {
            self.balls[self.next] = (*center, radius * radius * (1.0 - ROUNDING));
            self.next = (self.next + 1) % BALLS;
        }
    }

    /// Whether a point is in one of the balls.
    pub(crate) fn hold(&self, point: &Point) -> bool {
        self.balls.iter().any(|(center, squared)| (point - center).norm_squared() < *squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_ends_before_the_contact_distance_and_the_oldest_goes() {
        let at = |x: f64| Point::new(x, 0.0, 0.0);
        let mut balls = ClearBalls::default();
        assert!(!balls.hold(&at(0.0)), "there is none");
        balls.add(&at(0.0), 3.0, 1.0);
        assert!(balls.hold(&at(1.999)) && !balls.hold(&at(2.0)) && !balls.hold(&at(-2.0)));
        balls.add(&at(10.0), 1.0, 1.0);
        assert!(!balls.hold(&at(10.0)), "within the contact distance");
        for k in 1..=BALLS {
            balls.add(&at(100.0 * k as f64), 2.0, 1.0);
        }
        assert!(!balls.hold(&at(0.0)) && balls.hold(&at(100.0)) && balls.hold(&at(800.5)));
    }
}
