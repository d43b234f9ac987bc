//! A line mesh: suture thread in a tangle.

use crate::sample::Sample;
use palpate::math::Point;

/// The thread's radius in metres.
pub(crate) const THREAD_RADIUS: f64 = 0.000_25;

/// The length of a segment in metres.
const SEGMENT: f64 = 0.002;

/// The tangle's radius per cube root of its number of segments, in metres: one segment in about 64 cubic millimetres.
const TANGLE: f64 = 0.0025;

/// The vertices of a thread of `segments` segments, tangled in a ball around the origin with the same density for
/// all lengths. It turns by about 20 degrees per segment.
pub(crate) fn thread(sample: &mut Sample, segments: usize) -> Vec<Point> {
    let radius = TANGLE * (segments as f64).cbrt();
    let mut position = Point::from(sample.in_ball() * radius);
    let mut direction = sample.direction();
    let mut positions = vec![position];
    for _ in 0..segments {
        let inward = if position.coords.norm() > radius { -0.3 / radius } else { 0.0 };
        direction = (direction + sample.direction() * 0.4 + position.coords * inward).normalize();
        position += direction * SEGMENT;
        positions.push(position);
    }
    positions
}
