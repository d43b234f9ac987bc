//! Yes or no: do two shapes meet, are they nearer than a distance?

use crate::closed_form;
use crate::difference::Difference;
use crate::gjk::{Ended, Question, gjk};
use crate::memory::Last;
use crate::pose::Pose;
use crate::query::{restarted, search_afresh};
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::Silent;
use crate::vector::Space;

/// Whether two posed shapes have a point in common; touching counts, to rounding.
///
/// Ends with the first direction that parts the shapes, or as soon as the origin is found in their difference: cheaper than
/// [`contact`](crate::contact()) where that is all one wants to know.
pub fn intersects<V: Space, A: Core<V>, B: Core<V>>(
    a: (&A, &Pose<V>),
    b: (&B, &Pose<V>),
    settings: &Settings,
) -> bool {
    nearer_than(a, b, 0.0, settings)
}

/// Whether two posed shapes are no farther apart than `distance` (which is not negative), to rounding.
pub fn nearer_than<V: Space, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &Pose<V>),
    (b, pose_b): (&B, &Pose<V>),
    distance: f64,
    settings: &Settings,
) -> bool {
    let difference = Difference::new(a, b, pose_a.relative(pose_b));
    decide(&difference, distance, settings, &mut Last::Nothing)
}

/// The same, remembering where the search ended, in the frame of A.
pub(crate) fn decide<V: Space, A: Core<V>, B: Core<V>>(
    difference: &Difference<'_, V, A, B>,
    distance: f64,
    settings: &Settings,
    last: &mut Last<V>,
) -> bool {
    let radii = difference.a.radius() + difference.b.radius();
    let enough = radii + distance + difference.noise;
    if let Some(core) = closed_form::contact(difference) {
        return -core.depth <= enough;
    }
    // Only a bound settles the question; the gap is for pairs that just touch.
    let gap = 8.0 * difference.noise;
    let question = Question { beyond: enough, within: enough, gap, iterations: settings.gjk_iterations };
    let mut simplex = Simplex::empty();
    let mut found = gjk(difference, &mut simplex, difference.guess(), &question, &mut Silent);
    if found.ended == Ended::Stalled {
        found = restarted(difference, &mut simplex, found, &question, &mut Silent);
    }
    *last = Last::at(&simplex, found.nearest);
    match found.ended {
        Ended::Inside => true,
        Ended::Converged => found.lower <= enough,
        // GJK could not tell, which only rounding does: the whole search can.
        Ended::Stalled | Ended::Limit if found.lower <= enough && found.upper > enough => {
            -search_afresh(difference, settings).depth <= enough
        }
        _ => found.upper <= enough,
    }
}
