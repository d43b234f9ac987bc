//! Boolean queries: whether two shapes intersect, or are closer than a distance.

use crate::closed_form;
use crate::contact::CoreContact;
use crate::dimension::Dimension;
use crate::gjk::{Ended, StopCriteria, gjk};
use crate::minkowski_difference::MinkowskiDifference;
use crate::pose::RigidTransform;
use crate::queries::contact_query::{restarted, search_afresh};
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::Silent;

/// Whether two posed shapes intersect; touching counts, up to rounding error.
///
/// Terminates at the first separating axis, or once the origin is found in the Minkowski difference: cheaper than
/// [`contact`](crate::contact()) if no more is needed.
pub fn intersects<V: Dimension, A: Core<V>, B: Core<V>>(
    a: (&A, &RigidTransform<V>),
    b: (&B, &RigidTransform<V>),
    settings: &Settings,
) -> bool {
    nearer_than(a, b, 0.0, settings)
}

/// Whether two posed shapes are no farther apart than `distance` (not negative), up to rounding error.
pub fn nearer_than<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    distance: f64,
    settings: &Settings,
) -> bool {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    decide(&difference, distance, settings, (Simplex::empty(), difference.guess())).meet
}

/// Result of a boolean query, reusable by further queries of the same pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntersectionResult<V> {
    pub(crate) meet: bool,
    /// GJK's final simplex, for a warm start, in the frame of A.
    pub(crate) simplex: Simplex<V>,
    pub(crate) nearest: V,
    /// The contact of the cores, if it was needed to decide.
    pub(crate) core: Option<CoreContact<V>>,
}

/// Like [`nearer_than`], from a simplex or a direction (frame of A), returning the state of the search.
#[inline(always)]
pub(crate) fn decide<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    distance: f64,
    settings: &Settings,
    (simplex, guess): (Simplex<V>, V),
) -> IntersectionResult<V> {
    let radii = difference.a.radius() + difference.b.radius();
    let enough = radii + distance + difference.rounding_error;
    let mut decided =
        IntersectionResult { meet: false, simplex, nearest: guess, core: closed_form::contact(difference) };
    if let Some(core) = decided.core {
        decided.meet = -core.depth <= enough;
        return decided;
    }
    // Only a bound answers the query; the gap is for pairs that just touch.
    let gap = 8.0 * difference.rounding_error;
    let question = StopCriteria { beyond: enough, within: enough, gap, iterations: settings.gjk_iterations };
    let mut found = gjk(difference, &mut decided.simplex, guess, &question, &mut Silent);
    if found.ended == Ended::Stalled {
        found = restarted(difference, &mut decided.simplex, found, &question, &mut Silent);
    }
    decided.nearest = found.nearest;
    decided.meet = match found.ended {
        Ended::Inside => true,
        Ended::Converged => found.lower <= enough,
        // GJK was inconclusive, which only rounding error causes: run the full search.
        Ended::Stalled | Ended::Limit if found.lower <= enough && found.upper > enough => {
            let core = search_afresh(difference, settings);
            decided.core = Some(core);
            -core.depth <= enough
        }
        _ => found.upper <= enough,
    };
    decided
}
