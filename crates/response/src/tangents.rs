//! Tangent frames that turn as little as possible from step to step.

use palpate_math::Vector;
use palpate_math::direction::{across, any_perpendicular, unit_or};

/// Two unit vectors that complete a unit direction to a right-handed frame.
pub(crate) fn tangents(direction: &Vector) -> [Vector; 2] {
    let first = any_perpendicular(direction);
    [first, direction.cross(&first)]
}

/// The frame of the previous step, turned to the new direction: the first tangent is the previous one projected onto the
/// tangent plane. A new frame if the first tangent has become the direction.
pub(crate) fn transported(direction: &Vector, previous: &[Vector; 2]) -> [Vector; 2] {
    let projected = across(&previous[0], direction);
    // Below this sine the projection is mostly rounding error.
    if projected.norm_squared() < 1e-12 {
        return tangents(direction);
    }
    let first = unit_or(&projected, &previous[0]);
    [first, direction.cross(&first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off_frame(direction: &Vector, [first, second]: &[Vector; 2]) -> f64 {
        let dots = [first.dot(second), first.dot(direction), second.dot(direction)];
        let lengths = [first.norm() - 1.0, second.norm() - 1.0, direction.cross(first).dot(second) - 1.0];
        dots.into_iter().chain(lengths).fold(0.0, |worst, off| worst.max(off.abs()))
    }

    /// Over a whole turn of the normal, through every axis, the frame turns no faster than the normal.
    #[test]
    fn the_frame_turns_with_the_normal() {
        let normal = |k: i32| {
            let angle = f64::from(k) * 0.01;
            Vector::new(libm::cos(angle), 0.8 * libm::sin(angle), 0.6 * libm::sin(angle))
        };
        let mut frame = tangents(&normal(0));
        for k in 1..=629 {
            let next = transported(&normal(k), &frame);
            assert!(off_frame(&normal(k), &next) < 1e-14);
            let turned = (next[0] - frame[0]).norm().max((next[1] - frame[1]).norm());
            assert!(turned <= 0.01 + 1e-9, "{turned} at {k}");
            frame = next;
        }
    }

    #[test]
    fn a_normal_along_the_old_tangent_begins_a_new_frame() {
        let frame = transported(&Vector::x(), &[Vector::x(), Vector::y()]);
        assert!(off_frame(&Vector::x(), &frame) < 1e-15);
    }
}
