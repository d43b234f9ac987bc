//! Penetration depth along a given direction.

use crate::dimension::Dimension;
use crate::gjk::{Ended, StopCriteria, gjk};
use crate::minkowski_difference::MinkowskiDifference;
use crate::pose::RigidTransform;
use crate::queries::contact_query::restarted;
use crate::queries::intersection_test::decide;
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::{Core, NO_ID};
use crate::trace::Silent;
use crate::vector::VectorSpace;

/// Penetration depth along a given direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionalDepth<V> {
    /// How far A must move along the direction until it no longer overlaps B: no less than the minimum depth. Zero for
    /// shapes that are apart. Certified sufficient by `normal`.
    pub depth: f64,
    /// The unit normal of the plane that then separates the shapes, from B to A, world frame.
    pub normal: V,
    /// Whether moving less is known to be insufficient, within the tolerance; otherwise `depth` is sufficient but may
    /// be too large.
    pub converged: bool,
}

/// Returns how far A must move along a direction (any non-zero length) to lie beyond B's supporting plane perpendicular
/// to the direction: an upper bound of the depth, by two supports. Negative if it lies beyond it already, by that much.
pub fn overlap_along<V: VectorSpace, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    direction: V,
) -> f64 {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let along = direction.unrotated(&pose_a.rotation);
    extent(&difference, along * (1.0 / along.length()))
}

/// Like [`overlap_along`], for a unit direction in the frame of A.
pub(crate) fn extent<V: VectorSpace, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    along: V,
) -> f64 {
    let radii = difference.a.radius() + difference.b.radius();
    radii - difference.support(-along, [NO_ID; 2]).point.inner(along)
}

/// Iteration limit. Polyhedra need a few; each step on a curved shape doubles the digits.
const PLANES: u32 = 64;

/// Returns how far A must move along a direction (any non-zero length, world frame) until it separates from B.
///
/// Iterates from the far side: once A has moved so far that some plane separates it from B, the plane through their
/// closest points gives how much less suffices (Dinkelbach 1967; the ray cast of van den Bergen 2004, backwards). It
/// never overshoots.
pub fn directional_depth<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    direction: V,
    settings: &Settings,
) -> DirectionalDepth<V> {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let along = direction.unrotated(&pose_a.rotation);
    let along = along * (1.0 / along.length());
    let placed = |depth, normal: V, converged| DirectionalDepth {
        depth,
        normal: normal.rotated(&pose_a.rotation),
        converged,
    };
    if !decide(&difference, 0.0, settings, (Simplex::empty(), difference.guess())).meet {
        return placed(0.0, along, true);
    }
    let gap = settings.gap(A::CURVED || B::CURVED, difference.size, difference.rounding_error);
    let question =
        StopCriteria { beyond: f64::INFINITY, within: -1.0, gap, iterations: settings.gjk_iterations };
    let radii = a.radius() + b.radius();
    let (mut depth, mut normal) = (extent(&difference, along), along);
    for _ in 0..PLANES {
        let mut moved = difference.b_in_a;
        moved.translation = moved.translation - along * depth;
        let moved = MinkowskiDifference { b_in_a: moved, ..difference };
        let mut simplex = Simplex::empty();
        let mut found = gjk(&moved, &mut simplex, normal, &question, &mut Silent);
        if found.ended == Ended::Stalled {
            found = restarted(&moved, &mut simplex, found, &question, &mut Silent);
        }
        if found.ended == Ended::Inside || found.upper - radii <= 2.0 * gap {
            return placed(depth, normal, true);
        }
        let plane = found.nearest * (1.0 / found.nearest.length());
        let (slope, apart) = (plane.inner(along), found.lower - radii);
        let less = depth - apart / slope;
        if !(slope > 0.0 && apart > 0.0 && less < depth) {
            return placed(depth, normal, false);
        }
        (depth, normal) = (less, plane);
    }
    placed(depth, normal, false)
}
