//! Point clouds: the vertices of a tool, or particles.

use crate::sample::Sample;
use palpate::math::{Aabb, Point};

/// `count` points uniformly distributed in a box, in random order.
pub(crate) fn cloud_in_box(sample: &mut Sample, bounds: &Aabb, count: usize) -> Vec<Point> {
    (0..count).map(|_| sample.in_box(&bounds.min, &bounds.max)).collect()
}

/// `count` points uniformly distributed in a ball, in random order.
pub(crate) fn cloud_in_ball(sample: &mut Sample, center: Point, radius: f64, count: usize) -> Vec<Point> {
    (0..count).map(|_| center + sample.in_ball() * radius).collect()
}
