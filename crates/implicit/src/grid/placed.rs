//! A grid with the place of its frame.

use super::Grid;
use crate::base::Pose;
use crate::function::{Description, ImplicitFunction};
use palpate_math::Point;

/// A grid of which a function is made.
#[derive(Clone, Copy)]
pub(crate) struct PlacedGrid<'a> {
    pub(crate) grid: &'a Grid,
    /// Where its frame is.
    pub(crate) pose: Pose,
    /// How many times its lengths and values, before the pose.
    pub(crate) scale: f64,
    /// What is subtracted from its value, metres.
    pub(crate) offset: f64,
}

impl PlacedGrid<'_> {
    /// Returns the same in the world, given the pose of its frame, and how many times its lengths.
    fn posed(&self, pose: &Pose, scale: f64) -> Self {
        let mut own = self.pose;
        own.translation.vector *= scale;
        Self { pose: pose * own, scale: scale * self.scale, offset: scale * self.offset, ..*self }
    }

    /// Returns a point, given it in the frame of the grid.
    pub(crate) fn to_world(self, point: &Point) -> Point {
        self.pose * (point * self.scale)
    }
}

/// Calls `visit` with the grid of which a function is made, posed, scaled and offset, and returns true; false, without a call, for other
/// functions.
pub(crate) fn with_grid(function: &dyn ImplicitFunction, visit: &mut dyn FnMut(&PlacedGrid<'_>)) -> bool {
    match function.describe() {
        Some(Description::Posed { of, pose, scale }) => {
            with_grid(of, &mut |placed| visit(&placed.posed(pose, scale)))
        }
        Some(Description::Offset { of, distance, .. }) => with_grid(of.as_ref(), &mut |placed| {
            visit(&PlacedGrid { offset: placed.offset + distance, ..*placed });
        }),
        Some(described) => described.own::<Grid>().is_some_and(|grid| {
            visit(&PlacedGrid { grid, pose: Pose::identity(), scale: 1.0, offset: 0.0 });
            true
        }),
        None => false,
    }
}
