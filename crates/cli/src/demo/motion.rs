//! Functions of movement: from 0 to 1 and back.

/// 0 before `start`, 1 after `end` (seconds), smooth between.
pub(super) fn ramp(time: f64, start: f64, end: f64) -> f64 {
    let u = ((time - start) / (end - start)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// A bell of height 1 around 0.
pub(super) fn bump(u: f64) -> f64 {
    libm::exp(-u * u)
}

/// `value` where it is positive, 0 elsewhere, smoothed over about `softness`.
pub(super) fn soft_positive(value: f64, softness: f64) -> f64 {
    0.5 * (value + (value * value + softness * softness).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_start_and_end_at_the_given_times() {
        assert_eq!([0.0, 1.0, 2.0, 3.0, 4.0].map(|time| ramp(time, 1.0, 3.0)), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(bump(0.0), 1.0);
        assert!((soft_positive(1.0, 1e-3) - 1.0).abs() < 1e-6 && soft_positive(-1.0, 1e-3) < 1e-6);
    }
}
