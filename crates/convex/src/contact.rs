//! The answer of a query.

use crate::pose::Pose;
use crate::vector::VectorSpace;

/// How a query ended. Whichever it is, the bounds of the [`Contact`] hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// By a closed form, exact to rounding.
    Exact,
    /// The bounds meet, to the tolerance.
    Converged,
    /// A support point brought nothing new while the bounds were apart.
    Stalled,
    /// The iterations ran out.
    Limit,
    /// Facets too thin for their distance to be known better.
    Rounding,
    /// Rounding broke the polytope.
    Broken,
}

impl Status {
    /// Whether the bounds meet, to the tolerance.
    pub fn converged(self) -> bool {
        matches!(self, Self::Exact | Self::Converged)
    }

    /// The word a trace uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::Stalled => "stalled",
            Self::Limit => "limit",
            Self::Rounding => "rounding",
            Self::Broken => "broken",
        }
    }
}

/// Where two convex shapes meet, or are nearest to each other. All vectors in the world frame.
///
/// `point_a + depth * direction == point_b`, to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<V> {
    /// How far A must move along `direction` to part from B; negative, the distance, when they are apart.
    pub depth: f64,
    /// The depth is at least this. Certified.
    pub depth_lower: f64,
    /// The depth is at most this. Certified by `direction` alone: along it the shapes reach into each other no farther.
    pub depth_upper: f64,
    /// Unit; moves A out of B.
    pub direction: V,
    /// A's point of the contact, on its surface.
    pub point_a: V,
    /// B's point of the contact, on its surface.
    pub point_b: V,
    /// How the query ended.
    pub status: Status,
    /// Iterations of GJK and of EPA.
    pub iterations: [u32; 2],
}

impl<V: VectorSpace> Contact<V> {
    /// The gap between the certified bounds.
    pub fn gap(&self) -> f64 {
        self.depth_upper - self.depth_lower
    }

    /// From the frame of A to the world.
    #[inline(always)]
    pub(crate) fn placed(mut self, pose_a: &Pose<V>) -> Self {
        self.direction = self.direction.rotated(&pose_a.rotation);
        self.point_a = pose_a.point(self.point_a);
        self.point_b = self.point_a + self.direction * self.depth;
        self
    }
}

/// A contact of the cores, before the radii are added; in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoreContact<V> {
    pub(crate) depth: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) direction: V,
    pub(crate) on_a: V,
    /// How far B's point that belongs to `on_a` is from where the direction and the depth lead; zero where that is exact.
    pub(crate) off: f64,
    pub(crate) status: Status,
    pub(crate) iterations: [u32; 2],
}

impl<V: VectorSpace> CoreContact<V> {
    /// Adds the radii. `rounding_error` widens the bounds by what rounding can have done.
    #[inline(always)]
    pub(crate) fn rounded(self, radius_a: f64, radius_b: f64, rounding_error: f64) -> Contact<V> {
        let radii = radius_a + radius_b;
        let point_a = self.on_a - self.direction * radius_a;
        let depth = self.depth + radii;
        Contact {
            depth,
            depth_lower: self.lower + radii - rounding_error,
            depth_upper: self.upper + radii + rounding_error,
            direction: self.direction,
            point_a,
            point_b: point_a + self.direction * depth,
            status: self.status,
            iterations: self.iterations,
        }
    }
}
