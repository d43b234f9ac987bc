//! A torus, the implicit body of the benchmarks.

use crate::Fallible;
use crate::sample::Sample;
use palpate::geometry::implicit::Torus;
use palpate::geometry::{ImplicitBody, Pose};
use palpate::math::Point;
use std::sync::Arc;

/// The major and the minor radius of a torus, in metres.
pub(crate) const RING: [f64; 2] = [0.01, 0.003];

/// A torus at a position, with a random rotation.
pub(crate) fn ring(sample: &mut Sample, place: Point) -> Fallible<ImplicitBody> {
    let torus = Torus::new(Pose::identity(), RING[0], RING[1])?;
    Ok(ImplicitBody::new(sample.pose_at(place)?, Arc::new(torus))?)
}
