//! Results of contact queries.

use crate::pose::RigidTransform;
use crate::vector::VectorSpace;

/// How a query terminated. The bounds of the [`QueryResult`] are valid in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Termination {
    /// By a closed form, exact to rounding.
    Exact,
    /// The bounds meet within the tolerance.
    Converged,
    /// A support point made no progress while the bounds differed.
    Stalled,
    /// The iteration limit was reached.
    Limit,
    /// Facets too thin for a more accurate distance.
    Rounding,
    /// Rounding broke the polytope.
    Broken,
}

impl Termination {
    /// Whether the bounds meet within the tolerance.
    pub fn converged(self) -> bool {
        matches!(self, Self::Exact | Self::Converged)
    }

    /// Returns the word used in traces.
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

/// The contact or the closest points of two convex shapes. All vectors in the world frame.
///
/// `point_a + depth * direction == point_b`, up to rounding error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryResult<V> {
    /// How far A must move along `direction` to separate from B; negative, the distance, when they are apart.
    pub depth: f64,
    /// Certified lower bound of the depth.
    pub depth_lower: f64,
    /// Upper bound of the depth, certified by `direction` alone: it is the overlap along it.
    pub depth_upper: f64,
    /// Unit; moves A out of B.
    pub direction: V,
    /// A's witness point, on its surface.
    pub point_a: V,
    /// B's witness point, on its surface.
    pub point_b: V,
    /// How the query terminated.
    pub status: Termination,
    /// Iterations of GJK and of EPA.
    pub iterations: [u32; 2],
}

impl<V: VectorSpace> QueryResult<V> {
    /// Returns the gap between the certified bounds.
    pub fn gap(&self) -> f64 {
        self.depth_upper - self.depth_lower
    }

    /// Transforms from the frame of A to the world.
    #[inline(always)]
    pub(crate) fn placed(mut self, pose_a: &RigidTransform<V>) -> Self {
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
    /// The error of B's witness point relative to `on_a` plus the direction times the depth; zero where that is exact.
    pub(crate) off: f64,
    pub(crate) status: Termination,
    pub(crate) iterations: [u32; 2],
}

impl<V: VectorSpace> CoreContact<V> {
    /// Adds the radii. `rounding_error` widens the bounds.
    #[inline(always)]
    pub(crate) fn rounded(self, radius_a: f64, radius_b: f64, rounding_error: f64) -> QueryResult<V> {
        let radii = radius_a + radius_b;
        let point_a = self.on_a - self.direction * radius_a;
        let depth = self.depth + radii;
        QueryResult {
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
