//! The certified minimum of a convex function over a convex region: the search continues until the value found and
//! the proven bound differ by no more than a gap. It uses only values and sub-gradients.

use nalgebra::{SMatrix, SVector};

/// Iteration limit; a few hundred are usual.
const MOST_STEPS: usize = 4000;

/// The minimum over 0 to 1 of a convex function, given with its slope: between two points it is above the crossing
/// of their tangents. Evaluates the crossing and the midpoint alternately. `None` if the gap is not closed.
pub(super) fn over_interval(ask: &dyn Fn(f64) -> (f64, f64), gap: f64) -> Option<f64> {
    let at = |t: f64| {
        let (value, slope) = ask(t);
        (t, value, slope)
    };
    let (mut low, mut high) = (at(0.0), at(1.0));
    let mut best = low.1.min(high.1);
    for step in 0..MOST_STEPS {
        // A zero sub-gradient, or none at the deepest point of a ball: nothing is lower.
        if low.2.is_nan() || low.2 >= 0.0 {
            return Some(low.1.min(best));
        }
        if high.2.is_nan() || high.2 <= 0.0 {
            return Some(high.1.min(best));
        }
        let width = high.0 - low.0;
        let way = (high.1 - low.1 - high.2 * width) / (low.2 - high.2);
        if best - (low.1 + low.2 * way) <= gap {
            return Some(best);
        }
        let crossing = low.0 + way;
        let middle = low.0 + 0.5 * width;
        let between = |t: f64| t > low.0 && t < high.0;
        let t = if step % 2 == 0 && between(crossing) { crossing } else { middle };
        if !between(t) {
            // There is no floating-point number between them.
            return Some(best);
        }
        let asked = at(t);
        best = best.min(asked.1);
        if asked.2 < 0.0 { low = asked } else { high = asked }
    }
    None
}

/// Information about a point.
pub(super) enum Cut<const N: usize> {
    /// Outside the region: the excess of a convex constraint over zero, and its gradient.
    Outside(f64, SVector<f64, N>),
    /// In the region: the value and a sub-gradient.
    Inside(f64, SVector<f64, N>),
}

/// The minimum over a convex region inside a ball around the origin, in two or three dimensions, by the ellipsoid
/// method (Shor 1977; Yudin and Nemirovski 1976) with deep cuts: the part of an ellipsoid that is not cut off lies
/// in a smaller ellipsoid, where no value is below the minimum of the tangent. `None` if the gap is not closed.
pub(super) fn over_ball<const N: usize>(
    radius: f64,
    ask: &dyn Fn(&SVector<f64, N>) -> Cut<N>,
    gap: f64,
) -> Option<f64> {
    let n = N as f64;
    let mut center = SVector::<f64, N>::zeros();
    // The ellipsoid is an image of the unit ball, so it stays an ellipsoid in spite of rounding.
    let mut image = SMatrix::<f64, N, N>::identity() * radius;
    let mut best = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (excess, normal) = match ask(&center) {
            Cut::Outside(excess, normal) => (excess, normal),
            Cut::Inside(value, slope) => {
                best = best.min(value);
                let reach = image.tr_mul(&slope).norm();
                // The same if there is no gradient, at the deepest point of a ball.
                if best - (value - reach) <= gap || reach.is_nan() {
                    return Some(best);
                }
                (value - best, slope)
            }
        };
        let along = image.tr_mul(&normal);
        let reach = along.norm();
        let depth = excess / reach;
        if depth.is_nan() || depth >= 1.0 {
            // Nothing is left of it, within rounding.
            return Some(best).filter(|best| best.is_finite());
        }
        let along = along / reach;
        let toward = image * along;
        let step = (1.0 + n * depth) / (n + 1.0);
        let squeeze = 2.0 * step / (1.0 + depth);
        let growth = n * ((1.0 - depth * depth) / (n * n - 1.0)).sqrt();
        center -= toward * step;
        image = (image - toward * along.transpose() * (1.0 - (1.0 - squeeze).max(0.0).sqrt())) * growth;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Vector2, Vector3};

    #[test]
    fn along_an_interval_kinks_curves_and_ends_are_found() {
        for k in 1..40 {
            let s = f64::from(k) / 40.0;
            let kink = over_interval(&|t| ((t - s).abs() + 3.0, (t - s).signum()), 1e-13).unwrap();
            assert!((kink - 3.0).abs() < 1e-13);
            let steep =
                over_interval(&|t| ((t - s).max(100.0 * (s - t)), if t >= s { 1.0 } else { -100.0 }), 1e-13);
            assert!(steep.unwrap().abs() < 1e-13);
            let curve = over_interval(&|t| ((t - s).hypot(0.1), (t - s) / (t - s).hypot(0.1)), 1e-13);
            assert!((curve.unwrap() - 0.1).abs() < 1e-13);
            assert_eq!(over_interval(&|t| (s * t, s), 1e-13), Some(0.0));
            assert_eq!(over_interval(&|t| (-s * t, -s), 1e-13), Some(-s));
        }
    }

    /// A linear function over a disc, a ball and a flat ellipsoid; a cone whose tip is inside.
    #[test]
    fn over_round_regions_the_least_is_known() {
        let disc = |y: &Vector2<f64>| {
            let out = y.norm() - 0.75;
            if out > 0.0 {
                Cut::Outside(out, y.normalize())
            } else {
                Cut::Inside(3.0 * y.x - 4.0 * y.y, Vector2::new(3.0, -4.0))
            }
        };
        assert!((over_ball(2.0, &disc, 1e-12).unwrap() + 3.75).abs() < 1e-12);
        let flat = |y: &Vector3<f64>| {
            let scaled = Vector3::new(y.x, 2.0 * y.y, 1000.0 * y.z);
            let out = scaled.norm() - 1.0;
            if out > 0.0 {
                let slope = Vector3::new(scaled.x, 2.0 * scaled.y, 1000.0 * scaled.z);
                Cut::Outside(out, slope / scaled.norm())
            } else {
                Cut::Inside(y.sum(), Vector3::repeat(1.0))
            }
        };
        let wanted = -Vector3::new(1.0_f64, 0.5, 1e-3).norm();
        assert!((over_ball(1.0, &flat, 1e-12).unwrap() - wanted).abs() < 1e-11);
        let tip = Vector3::new(0.3, -0.2, 0.4);
        let cone = |y: &Vector3<f64>| Cut::Inside((y - tip).norm() - 0.5, (y - tip).normalize());
        assert!((over_ball(1.0, &cone, 1e-12).unwrap() + 0.5).abs() < 1e-12);
    }

    /// A valley with a level floor, and one that is much steeper across than along.
    #[test]
    fn in_valleys_the_least_is_known() {
        for steep in [1.0, 30.0, 1e3] {
            let across = Vector3::new(0.6, 0.64, 0.48);
            for fall in [0.0, 1e-3] {
                let ask = |y: &Vector3<f64>| {
                    let out = y.amax() - 1.0;
                    if out > 0.0 {
                        let axis = y.iamax();
                        return Cut::Outside(out, Vector3::ith(axis, y[axis].signum()));
                    }
                    let height = across.dot(y) - 0.1;
                    let slope = across * (steep * height.signum()) + Vector3::x() * fall;
                    Cut::Inside(steep * height.abs() + fall * y.x, slope)
                };
                let found = over_ball(2.0, &ask, 1e-11).unwrap();
                assert!((found + fall).abs() < 2e-11, "{steep} {fall}: {found}");
            }
        }
    }
}
