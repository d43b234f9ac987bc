//! Projection of points to a body.

use super::{ImplicitFunction, Sample};
use palpate_math::Point;

/// Iteration limit of the projection to the surface along the gradient.
const MOST_STEPS: usize = 8;

/// Returns the point itself, or its projection to the surface of a constraint along the gradient, with the constraint's value there.
/// `None` if that does not come within `slack` of the surface.
pub(super) fn feasible(
    constraint: &dyn ImplicitFunction,
    point: &Point,
    slack: f64,
) -> Option<(Point, Sample)> {
    let mut point = *point;
    for _ in 0..MOST_STEPS {
        let sample = constraint.sample(&point);
        if sample.value <= slack {
            return Some((point, sample));
        }
        let square = sample.gradient.norm_squared();
        if square == 0.0 {
            return None;
        }
        point -= sample.gradient * (sample.value / square);
    }
    None
}
