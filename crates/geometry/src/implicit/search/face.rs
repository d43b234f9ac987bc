//! A face of a polytope that is searched.

use super::minimum::Minimum;
use super::tolerance::Tolerance;
use crate::implicit::{ImplicitFunction, LeastOnTriangle, TriangleDomain};
use palpate_math::{Point, Vector};

/// How far outside a face's plane a ball may be, relative to its distance from the face's corner, before it is left out.
const ROUNDING: f64 = 1e-9;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [Point; 3],
    /// The unit normal, outward; zero for a degenerate triangle.
    normal: Vector,
    /// A lower bound of the values on the face.
    pub(super) lower: f64,
}

impl Face {
    pub(super) fn new(corners: [Point; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        Self { corners, normal, lower: f64::NEG_INFINITY }
    }

    /// Whether a ball is outside the face's plane.
    pub(super) fn is_below(&self, center: &Point, radius: f64) -> bool {
        let from = center - self.corners[0];
        let height = self.normal.dot(&from) - radius;
        height > 0.0 && (radius == 0.0 || height > ROUNDING * from.norm())
    }

    /// Returns a lower bound of a function by its value at the centre.
    pub(super) fn below(&self, function: &dyn ImplicitFunction, rate: f64) -> f64 {
        let [a, b, c] = &self.corners;
        let center = Point::from((a.coords + b.coords + c.coords) / 3.0);
        function.sample(&center).value - rate * self.radius_about(&center) * (1.0 + ROUNDING)
    }

    fn radius_about(&self, center: &Point) -> f64 {
        self.corners.iter().map(|corner| (corner - center).norm_squared()).fold(0.0, f64::max).sqrt()
    }

    /// Returns the minimum over the face, if it is at most `cutoff`. `None` if the function does not find it by a method of its
    /// own.
    pub(super) fn least(
        &self,
        function: &dyn ImplicitFunction,
        cutoff: f64,
        tolerance: Tolerance,
    ) -> Option<Option<Minimum>> {
        let gap = tolerance.gap(self.radius_about(&self.corners[0]), &self.corners);
        let LeastOnTriangle { weights: [first, second, third], lower } =
            function.least_on_triangle(&TriangleDomain {
                corners: self.corners,
                cutoff,
                gap,
                sides_are_above: false,
            })?;
        if lower > cutoff {
            return Some(None);
        }
        let [a, b, c] = &self.corners;
        let point = Point::from(a.coords * first + b.coords * second + c.coords * third);
        let sample = function.sample(&point);
        let lower = lower.min(sample.value);
        Some(Some(Minimum { weights: [first, second, third, 0.0], point, sample, lower, converged: true }))
    }
}
