//! A ring, the implicit body that the others are put against.

use crate::Fallible;
use crate::sample::Sample;
use palpate::geometry::implicit::Torus;
use palpate::geometry::{ImplicitBody, Pose};
use palpate::math::Point;
use std::sync::Arc;

/// The radius of a ring and that of its wire, in metres.
pub(crate) const RING: [f64; 2] = [0.01, 0.003];

/// A ring at a place, turned at random.
pub(crate) fn ring(sample: &mut Sample, place: Point) -> Fallible<ImplicitBody> {
    let torus = Torus::new(Pose::identity(), RING[0], RING[1])?;
    Ok(ImplicitBody::new(sample.pose_at(place)?, Arc::new(torus))?)
}
