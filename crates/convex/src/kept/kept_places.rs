//! Places inside of a hull, kept from the last steps with their distances from the surface.

use nalgebra::Vector3;

type Vector = Vector3<f64>;

/// As many as a manifold has points.
const MOST: usize = 4;

/// Balls inside of a hull, each about the end of the stretch of a manifold point: while an end stays in its ball, it is not
/// compared with all planes.
#[derive(Clone, Debug)]
pub struct KeptPlaces {
    /// The fingerprint of the hull.
    shape: u64,
    /// The center and the radius, which is negative where nothing is kept.
    balls: [(Vector, f64); MOST],
    /// The oldest one.
    next: usize,
}

impl Default for KeptPlaces {
    fn default() -> Self {
        Self { shape: 0, balls: [(Vector::zeros(), -1.0); MOST], next: 0 }
    }
}

impl KeptPlaces {
    /// Discards all places.
    pub(super) fn forget(&mut self) {
        self.balls.iter_mut().for_each(|ball| ball.1 = -1.0);
    }

    /// Whether a place is known to be inside of the hull with this fingerprint.
    #[inline(always)]
    pub(crate) fn hold(&self, shape: u64, place: Vector) -> bool {
        let is_in = |&(center, radius): &(Vector, f64)| {
            radius > 0.0 && (place - center).norm_squared() < radius * radius
        };
        shape == self.shape && self.balls.iter().any(is_in)
    }

    /// Keeps a place at a depth below the surface of the hull, instead of the oldest.
    pub(crate) fn keep(&mut self, shape: u64, place: Vector, depth: f64) {
        if shape != self.shape {
            *self = Self { shape, ..Self::default() };
        }
        self.balls[self.next % MOST] = (place, depth);
        self.next = (self.next + 1) % MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_held_within_the_ball_about_it() {
        let mut kept = KeptPlaces::default();
        assert!(!kept.hold(0, Vector::zeros()), "nothing is kept");
        for k in 0..5 {
            kept.keep(7, Vector::x() * f64::from(k), 0.25);
        }
        assert!(kept.hold(7, Vector::new(4.0, 0.2, 0.0)) && kept.hold(7, Vector::x() * 0.9));
        assert!(!kept.hold(7, Vector::x() * 3.5) && !kept.hold(8, Vector::x()));
        assert!(!kept.hold(7, Vector::zeros()), "the oldest is replaced");
        kept.keep(8, Vector::zeros(), 0.25);
        assert!(kept.hold(8, Vector::zeros()) && !kept.hold(8, Vector::x()) && !kept.hold(7, Vector::x()));
        kept.forget();
        assert!(!kept.hold(8, Vector::zeros()));
    }
}
