//! Contact query of two posed shapes: distance when apart, penetration depth when overlapping.

use crate::closed_form;
use crate::contact::{CoreContact, QueryResult, Termination};
use crate::dimension::Dimension;
use crate::epa::{self, epa, grow};
use crate::gjk::{self, StopCriteria, gjk, gjk_careful};
use crate::gjk_few::gjk_few;
use crate::memory::{Last, Memory};
use crate::minkowski_difference::{Difference, MinkowskiDifference};
use crate::polytope::Polytope;
use crate::pose::RigidTransform;
use crate::refine::deepen;
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::{Core, NO_ID};
use crate::trace::{Silent, Tracer};
use crate::vector::VectorSpace;

/// Computes the contact of two posed shapes.
#[inline]
pub fn contact<V: Dimension, A: Core<V>, B: Core<V>>(
    a: (&A, &RigidTransform<V>),
    b: (&B, &RigidTransform<V>),
    memory: &mut Memory<V>,
    settings: &Settings,
) -> QueryResult<V> {
    contact_recorded(a, b, memory, settings, &mut Silent)
}

/// Like [`contact`], passing every iteration to a recorder.
#[inline]
pub fn contact_recorded<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> QueryResult<V> {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let core = match closed_form::contact(&difference) {
        Some(core) => core,
        None if !R::ACTIVE => iterated(&difference, f64::INFINITY, memory, settings),
        None => by_iteration(&difference, f64::INFINITY, memory, settings, recorder),
    };
    if R::ACTIVE {
        recorder.ended(core.status.word());
    }
    core.rounded(a.radius(), b.radius(), difference.rounding_error).placed(pose_a)
}

/// Computes the contact of two posed shapes no farther apart than `distance` (not negative); `None` if they are.
///
/// Early out at the first direction along which the shapes are farther apart, so that a miss is much cheaper than by
/// [`contact`]; near shapes give the same result. Pairs undecided by rounding count as near.
#[inline]
pub fn contact_within<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    distance: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> Option<QueryResult<V>> {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let core = core_within(&difference, beyond(&difference, distance), memory, settings);
    let contact = core.rounded(a.radius(), b.radius(), difference.rounding_error);
    (contact.depth_upper >= -distance).then(|| contact.placed(pose_a))
}

/// Like [`contact`], warm started from the last warm query with this memory: for pairs with little motion between
/// queries. With large motion it costs little more; the result is equally accurate.
#[inline]
pub fn contact_warm<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    memory: &mut Memory<V>,
    settings: &Settings,
) -> QueryResult<V> {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let core = match closed_form::contact(&difference) {
        Some(core) => core,
        None => {
            let start = memory.last.start(&difference, pose_a);
            warm(&difference, pose_a, start, memory, settings)
        }
    };
    core.rounded(a.radius(), b.radius(), difference.rounding_error).placed(pose_a)
}

/// Like [`contact_within`], for a pair that is asked again and again: one that is still farther apart than `distance` along the
/// direction of the last query with this memory takes one support point of each. The result is that of `contact_within`.
#[inline]
pub fn contact_within_again<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    distance: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> Option<QueryResult<V>> {
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let beyond = beyond(&difference, distance);
    if is_still_beyond(&difference, beyond, memory, settings) {
        return None;
    }
    memory.forget();
    let core = core_within(&difference, beyond, memory, settings);
    within(&difference, &core, distance, memory).map(|contact| contact.placed(pose_a))
}

/// Like [`contact_within_again`], and overlapping polyhedra start from what the last query found: the result is that of
/// `contact_within`, up to rounding. Where the point of deepest contact is not unique (parallel faces), it may be another one.
#[inline]
pub fn contact_coherent<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    distance: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> Option<QueryResult<V>> {
    let curved = MinkowskiDifference::<V, A, B>::CURVED;
    if curved || A::POINT || B::POINT || V::DIMENSION != 3 {
        return contact_within_again((a, pose_a), (b, pose_b), distance, memory, settings);
    }
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let beyond = beyond(&difference, distance);
    if is_still_beyond(&difference, beyond, memory, settings) {
        return None;
    }
    let gap = settings.gap(curved, difference.size, difference.rounding_error);
    let kept = match memory.certificate.answer(&difference, gap, &memory.kept.faces) {
        Some(core) => Some(core),
        None => recertified(&difference, gap, memory, settings),
    };
    if let Some(core) = kept {
        let contact = core.rounded(a.radius(), b.radius(), difference.rounding_error);
        return Some(contact.placed(pose_a));
    }
    memory.forget();
    let core = iterated(&difference, beyond, memory, settings);
    if core.depth > 0.0 && core.status == Termination::Converged && core.iterations[1] > 0 {
        memory.last = Last::Polytope;
        memory.certificate.keep(&difference, &memory.polytope);
    }
    within(&difference, &core, distance, memory).map(|contact| contact.placed(pose_a))
}

/// Returns the contact of two cores, in closed form where there is one.
#[inline(always)]
fn core_within<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    beyond: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> CoreContact<V> {
    match closed_form::contact(difference) {
        Some(core) => core,
        None => iterated(difference, beyond, memory, settings),
    }
}

/// Returns the contact of two shapes, frame of A, if they are no farther apart than `distance`; else remembers along which direction they are.
#[inline(always)]
fn within<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    core: &CoreContact<V>,
    distance: f64,
    memory: &mut Memory<V>,
) -> Option<QueryResult<V>> {
    let contact = core.rounded(difference.a.radius(), difference.b.radius(), difference.rounding_error);
    if contact.depth_upper >= -distance {
        return Some(contact);
    }
    if core.iterations[0] > 0 {
        memory.last = Last::Beyond { direction: core.direction };
    }
    None
}

/// Whether two cores are farther apart than a distance along the direction in which they were in the last query, by so much that a
/// search from scratch would find it too.
#[inline(always)]
fn is_still_beyond<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    beyond: f64,
    memory: &Memory<V>,
    settings: &Settings,
) -> bool {
    let Last::Beyond { direction } = memory.last else { return false };
    let curved = MinkowskiDifference::<V, A, B>::CURVED;
    let gap = settings.gap(curved, difference.size, difference.rounding_error);
    difference.support(-direction, [NO_ID; 2]).point.inner(direction) > beyond + gap
}

/// Returns the distance of two cores beyond which their shapes are farther apart than `distance`.
#[inline(always)]
fn beyond<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    distance: f64,
) -> f64 {
    // One more rounding error than the bounds need, so that an early out is also farther in the rounded sum.
    distance + (difference.a.radius() + difference.b.radius()) + 2.0 * difference.rounding_error
}

/// Moves the polytope of the last query along with the cores, grows it where they have left it, and certifies the contact
/// with its facets.
#[inline(never)]
fn recertified<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    gap: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> Option<CoreContact<V>> {
    if !matches!(memory.last, Last::Polytope) || !memory.certificate.is_of(difference) {
        return None;
    }
    let depth = regrown(difference, gap, &mut memory.polytope, settings)?;
    if depth.upper <= 0.0 || depth.ended != epa::Ended::Converged {
        return None;
    }
    memory.certificate.keep(difference, &memory.polytope);
    memory.certificate.answer(difference, gap, &memory.kept.faces)
}

/// Maximum number of restarts of GJK from its current direction when it stalls.
const RESTARTS: u32 = 3;

/// The search without a recorder: one copy for two types of cores, whichever query asks.
#[inline(never)]
fn iterated<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    beyond: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
) -> CoreContact<V> {
    by_iteration(difference, beyond, memory, settings, &mut Silent)
}

#[inline(always)]
fn by_iteration<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    beyond: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> CoreContact<V> {
    let guess = difference.guess();
    if let (Some(a), Some(b)) = (difference.a.few(), difference.b.few()) {
        // Transform B to A's frame once, rather than every direction and support point.
        let placed = b.placed(&difference.b_in_a);
        let MinkowskiDifference { b_in_a, size, rounding_error, .. } = *difference;
        let few = || MinkowskiDifference { a, b: &placed, b_in_a, size, rounding_error };
        if !R::ACTIVE {
            let (gap, limits) = (settings.gap(false, size, rounding_error), settings.gjk_iterations);
            let question = StopCriteria { beyond, within: -1.0, gap, iterations: limits };
            let (found, simplex) = gjk_few([a, &placed], rounding_error, guess, &question);
            return match found.ended {
                gjk::Ended::Converged => apart_at(&found, found.upper, simplex.witness(a)),
                gjk::Ended::Settled => parted(&found),
                _ => {
                    let mut simplex = simplex.with_points_of(a);
                    concluded(&few(), (found, &mut simplex), &question, memory, settings, recorder)
                }
            };
        }
        return search(&few(), (&mut Simplex::empty(), guess), beyond, memory, settings, recorder);
    }
    search(difference, (&mut Simplex::empty(), guess), beyond, memory, settings, recorder)
}

/// Runs the full search with its own buffers: for the rare pair that a shorter one could not decide.
#[inline(never)]
pub(crate) fn search_afresh<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    settings: &Settings,
) -> CoreContact<V> {
    iterated(difference, f64::INFINITY, &mut Memory::default(), settings)
}

/// Starts from the polytope of the last query if there is one, else from a simplex or a direction.
pub(crate) fn warm<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    pose_a: &RigidTransform<V>,
    (mut simplex, mut guess): (Simplex<V>, V),
    memory: &mut Memory<V>,
    settings: &Settings,
) -> CoreContact<V> {
    if matches!(memory.last, Last::Polytope) {
        let gap =
            settings.gap(MinkowskiDifference::<V, A, B>::CURVED, difference.size, difference.rounding_error);
        if let Some(depth) = regrown(difference, gap, &mut memory.polytope, settings) {
            if depth.upper >= 0.0 && depth.ended == epa::Ended::Converged {
                return overlapping(&depth, 0);
            }
            guess = -depth.normal;
        }
    }
    let core = search(difference, (&mut simplex, guess), f64::INFINITY, memory, settings, &mut Silent);
    memory.last = if core.depth < 0.0 {
        Last::at(&simplex, core.direction.rotated(&pose_a.rotation))
    } else if core.status == Termination::Converged && !(A::CURVED || B::CURVED) && core.iterations[1] > 0 {
        Last::Polytope
    } else {
        Last::Nothing
    };
    core
}

/// Runs EPA from the polytope of the last query, at the current positions of its vertices; `None` if it cannot be used.
#[inline(always)]
fn regrown<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    gap: f64,
    polytope: &mut V::Polytope,
    settings: &Settings,
) -> Option<epa::Depth<V>> {
    if !polytope.refresh(|ids| difference.vertex(ids), difference.rounding_error) {
        return None;
    }
    let least = polytope.least();
    let (normal, near) = (polytope.facet(least).normal, polytope.corner(least, 0).ids);
    let vertex = difference.support(normal, near);
    polytope.queue_all_but(least, vertex.point.inner(normal));
    let (known, first) = ((vertex.on_a, vertex.point), Some((least, vertex)));
    let stop = (gap, settings.epa_iterations);
    Some(grow(difference, polytope, known, first, stop, &mut Silent))
}

/// Runs GJK from a simplex or a direction, and EPA where the cores touch or overlap; only reports that they are apart
/// once their distance is known to exceed `beyond`.
#[inline(always)]
fn search<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    (simplex, guess): (&mut Simplex<V>, V),
    beyond: f64,
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> CoreContact<V> {
    let gap =
        settings.gap(MinkowskiDifference::<V, A, B>::CURVED, difference.size, difference.rounding_error);
    let question = StopCriteria { beyond, within: -1.0, gap, iterations: settings.gjk_iterations };
    let found = gjk(difference, simplex, guess, &question, recorder);
    concluded(difference, (found, simplex), &question, memory, settings, recorder)
}

/// Returns the contact where GJK has ended: restarts it where it has stalled, runs EPA where the cores touch or overlap.
#[inline(always)]
fn concluded<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    (mut found, simplex): (gjk::Found<V>, &mut Simplex<V>),
    question: &StopCriteria,
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> CoreContact<V> {
    if found.ended == gjk::Ended::Stalled {
        found = restarted(difference, simplex, found, question, recorder);
    }
    let (gap, limit) = (question.gap, settings.epa_iterations);
    let core = match found.ended {
        gjk::Ended::Inside => {
            let depth = epa(difference, simplex, &mut memory.polytope, gap, limit, recorder);
            overlapping(&depth, found.iterations)
        }
        gjk::Ended::Stalled | gjk::Ended::Limit if found.lower <= 0.0 => {
            undecided(difference, simplex, found, &mut memory.polytope, (gap, limit), recorder)
        }
        gjk::Ended::Settled => parted(&found),
        _ => apart(&found, simplex.witness()),
    };
    // Known at compile time: searches of cores without curved parts always converge.
    if MinkowskiDifference::<V, A, B>::CURVED { improved(difference, core) } else { core }
}

/// Improves the contact of a search that did not converge.
#[inline(always)]
fn improved<V: Dimension, A: Core<V>, B: Core<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    core: CoreContact<V>,
) -> CoreContact<V> {
    if core.status.converged() {
        return core;
    }
    if MinkowskiDifference::<V, A, B>::HAS_CORNERS
        && let Some(found) = closed_form::by_corner(difference, core.direction)
    {
        return found;
    }
    deepen(difference, &core).unwrap_or(core)
}

/// Lets EPA decide where GJK could neither separate the cores nor find the origin between them.
#[inline(never)]
fn undecided<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    simplex: &Simplex<V>,
    mut found: gjk::Found<V>,
    polytope: &mut V::Polytope,
    (gap, limit): (f64, u32),
    recorder: &mut R,
) -> CoreContact<V> {
    let depth = epa(difference, simplex, polytope, gap, limit, recorder);
    if depth.upper >= 0.0 {
        return overlapping(&depth, found.iterations);
    }
    // Apart after all, and EPA has found the separating direction.
    (found.lower, found.nearest) = (-depth.upper, -depth.normal);
    if found.upper - found.lower <= gap {
        found.ended = gjk::Ended::Converged;
    }
    apart(&found, simplex.witness())
}

/// Restarts GJK from the same direction: a simplex of needles can make it stall, a fresh one does not.
#[inline(never)]
pub(crate) fn restarted<V: Dimension, R: Tracer<V>>(
    difference: &dyn Difference<V>,
    simplex: &mut Simplex<V>,
    mut best: gjk::Found<V>,
    question: &StopCriteria,
    recorder: &mut R,
) -> gjk::Found<V> {
    for _ in 0..RESTARTS {
        let mut fresh = Simplex::empty();
        let mut found = gjk_careful(difference, &mut fresh, best.nearest, question, recorder);
        found.iterations += best.iterations;
        let better =
            found.ended != gjk::Ended::Stalled || found.upper - found.lower < best.upper - best.lower;
        best.iterations = found.iterations;
        if !better {
            break;
        }
        (best, *simplex) = (found, fresh);
        if best.ended != gjk::Ended::Stalled {
            break;
        }
    }
    best
}

#[inline(always)]
pub(crate) fn overlapping<V: VectorSpace>(depth: &epa::Depth<V>, gjk_iterations: u32) -> CoreContact<V> {
    CoreContact {
        depth: depth.upper,
        lower: depth.lower,
        upper: depth.upper,
        direction: -depth.normal,
        on_a: depth.on_a,
        off: depth.off,
        status: match depth.ended {
            epa::Ended::Converged => Termination::Converged,
            epa::Ended::Rounding => Termination::Rounding,
            epa::Ended::Broken => Termination::Broken,
            epa::Ended::Limit => Termination::Limit,
        },
        iterations: [gjk_iterations, depth.iterations],
    }
}

/// Farther apart than requested: a direction and a bound, no witness points.
#[inline(always)]
fn parted<V: VectorSpace>(found: &gjk::Found<V>) -> CoreContact<V> {
    CoreContact {
        depth: -found.lower,
        lower: f64::NEG_INFINITY,
        upper: -found.lower,
        direction: found.nearest * (1.0 / found.nearest.length()),
        on_a: V::zero(),
        off: 0.0,
        status: Termination::Converged,
        iterations: [found.iterations, 0],
    }
}

#[inline(always)]
pub(crate) fn apart<V: VectorSpace>(found: &gjk::Found<V>, witness: (V, V)) -> CoreContact<V> {
    apart_at(found, found.nearest.length(), witness)
}

/// Returns the contact of separate cores, given the length of `nearest`.
#[inline(always)]
fn apart_at<V: VectorSpace>(found: &gjk::Found<V>, nearest: f64, (on_a, between): (V, V)) -> CoreContact<V> {
    // The upper bound is certified by two points of the shapes; GJK's length is accurate to rounding only where its
    // simplex is no needle.
    let length = between.length();
    let distance = if found.upper > length { found.upper } else { length };
    CoreContact {
        depth: -distance,
        lower: -distance,
        upper: -found.lower,
        direction: found.nearest * (1.0 / nearest),
        on_a,
        off: 0.0,
        status: match found.ended {
            gjk::Ended::Stalled => Termination::Stalled,
            gjk::Ended::Limit => Termination::Limit,
            _ => Termination::Converged,
        },
        iterations: [found.iterations, 0],
    }
}
