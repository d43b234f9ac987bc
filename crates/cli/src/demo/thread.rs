//! The thread: it lies in a loop on the organ, is pulled across it, and is pushed aside by the tool.

use super::motion::{bump, ramp};
use super::organ::{dented, normal, surface};
use super::tool::{self, Tool};
use palpate::math::nearest::point_segment;
use palpate::math::{Point, Vector};

/// Metres.
pub(super) const RADIUS: f64 = 0.0008;

/// Number of points, one more than segments.
const POINTS: usize = 61;

/// Points computed along the thread before it is divided into equal segments.
const FINE: usize = 600;

/// Penetration of the thread into the organ and the tool where it lies on them, metres.
const GRAZE: f64 = 0.000_25;

/// Number of segments to each side that move with a segment pushed by the tool.
const SPREAD: f64 = 4.0;

/// The loop is a prolate trochoid, x = q - k sin q: it crosses itself at q = ±1.9.
const TROCHOID: f64 = 2.0;
const CROSSING: f64 = 1.8955;

/// The thread's ends, as parameters of the trochoid.
const START: f64 = -4.0;
const END: f64 = 4.5;

/// The points of the thread at `time`: a segment is about two millimetres long.
pub(super) fn points(time: f64, tool: &Tool) -> Vec<Point> {
    let parameter = |index: usize| START + (END - START) * index as f64 / FINE as f64;
    let fine: Vec<Point> = (0..=FINE).map(|index| lying(parameter(index), time, tool)).collect();
    pushed_aside(equal_segments(&fine), tool)
}

/// The thread's cells.
pub(super) fn segments() -> Vec<[u32; 2]> {
    (1..POINTS as u32).map(|end| [end - 1, end]).collect()
}

/// A point of the thread at rest on the organ.
fn lying(q: f64, time: f64, tool: &Tool) -> Point {
    let drawn = 0.06 * ramp(time, 0.2, 1.9);
    let x = 0.32 + drawn + 0.095 * (q - TROCHOID * libm::sin(q));
    let z = 0.02 - 0.31 * libm::cos(q) + 0.03 * q;
    let (x, z) = within_disc(x, z);
    let direction = Vector::new(x, (1.0 - x * x - z * z).sqrt(), z);
    let ground = dented(&surface(&direction, time), &tool.dent);
    ground + normal(&direction, time) * (RADIUS + lift(q, time))
}

/// Height of the thread above the organ, metres: it touches the organ along a wave, crosses itself, and has one end
/// lifted.
fn lift(q: f64, time: f64) -> f64 {
    // No wave at the crossing: it would separate the two strands or press them together.
    let crossing = bump((q - CROSSING) / 0.5);
    let calm = 1.0 - crossing - bump((q + CROSSING) / 0.5);
    let wave = 0.0003 * (1.0 + libm::sin(2.1 * q - 5.0 * time)) * calm - GRAZE;
    let over_itself = (2.0 * RADIUS - 0.5 * GRAZE) * crossing;
    let held = 0.03 * ramp(q, 3.2, 4.7) * ramp(time, 0.1, 1.2);
    wave + over_itself + held
}

/// Keeps a point of the unit disc away from its rim, where the organ's side begins.
fn within_disc(x: f64, z: f64) -> (f64, f64) {
    const RIM: f64 = 0.93;
    let length = (x * x + z * z).sqrt();
    let factor = if length > RIM { RIM / length } else { 1.0 };
    (x * factor, z * factor)
}

/// Points at equal distances along a fine line, its ends included.
fn equal_segments(fine: &[Point]) -> Vec<Point> {
    let mut lengths = vec![0.0];
    for pair in fine.windows(2) {
        let length = lengths.last().copied().unwrap_or(0.0) + (pair[1] - pair[0]).norm();
        lengths.push(length);
    }
    let total = lengths.last().copied().unwrap_or(0.0);
    let at = |index: usize| {
        let wanted = total * index as f64 / (POINTS - 1) as f64;
        let after = lengths.partition_point(|&length| length < wanted).clamp(1, fine.len() - 1);
        let (start, end) = (lengths[after - 1], lengths[after]);
        fine[after - 1] + (fine[after] - fine[after - 1]) * ((wanted - start) / (end - start))
    };
    (0..POINTS).map(at).collect()
}

/// The thread as displaced by the tool, together with its neighbouring points.
fn pushed_aside(points: Vec<Point>, tool: &Tool) -> Vec<Point> {
    let pushes: Vec<f64> = points.iter().map(|point| push(point, tool)).collect();
    let spread = |index: usize| {
        let shares = pushes
            .iter()
            .enumerate()
            .map(|(other, push)| push * bump((other as f64 - index as f64) / SPREAD));
        shares.fold(0.0, f64::max)
    };
    points.iter().enumerate().map(|(index, point)| point + tool.forward * spread(index)).collect()
}

/// Displacement of a point in the tool's direction of motion until the tool only just touches it.
fn push(point: &Point, tool: &Tool) -> f64 {
    let clear = tool::RADIUS + RADIUS - GRAZE;
    let handle = tool.tip + tool.axis * tool::LENGTH;
    let offset = point - point_segment(point, &tool.tip, &handle).point;
    let inside = clear * clear - offset.norm_squared();
    if inside <= 0.0 {
        return 0.0;
    }
    // |offset + s sideways| = clear, a quadratic in s with one positive root.
    let sideways = tool.forward - tool.axis * tool.forward.dot(&tool.axis);
    let (a, b) = (sideways.norm_squared(), offset.dot(&sideways));
    ((b * b + a * inside).sqrt() - b) / a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_segments_are_equally_long_before_the_tool_comes() {
        let points = points(0.0, &Tool::at(0.0));
        let lengths: Vec<f64> = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        assert!(mean > 2.0 * RADIUS, "every second neighbour would touch: {mean}");
        let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(shortest > 0.9 * mean, "segments at bends are only slightly shorter: {shortest} of {mean}");
    }
}
