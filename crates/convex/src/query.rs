//! One question of two posed shapes: their distance when apart, their depth when not.

use crate::closed_form;
use crate::contact::{Contact, CoreContact, Status};
use crate::difference::Difference;
use crate::epa::{self, epa};
use crate::gjk::{self, Question, gjk};
use crate::pose::Pose;
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::{Recorder, Silent};
use crate::vector::Space;

/// What queries of one pair remember between calls: buffers, so that a settled query does not touch the heap.
#[derive(Clone, Debug, Default)]
pub struct Memory<V: Space> {
    polytope: V::Polytope,
}

/// The contact of two posed shapes.
#[inline]
pub fn contact<V: Space, A: Core<V>, B: Core<V>>(
    a: (&A, &Pose<V>),
    b: (&B, &Pose<V>),
    memory: &mut Memory<V>,
    settings: &Settings,
) -> Contact<V> {
    contact_recorded(a, b, memory, settings, &mut Silent)
}

/// The same, telling a recorder every iteration.
#[inline]
pub fn contact_recorded<V: Space, A: Core<V>, B: Core<V>, R: Recorder<V>>(
    (a, pose_a): (&A, &Pose<V>),
    (b, pose_b): (&B, &Pose<V>),
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> Contact<V> {
    let difference = Difference::new(a, b, pose_a.relative(pose_b));
    let core = match closed_form::contact(&difference) {
        Some(core) => core,
        None => by_iteration(&difference, memory, settings, recorder),
    };
    if R::ACTIVE {
        recorder.ended(core.status.word());
    }
    core.rounded(a.radius(), b.radius(), difference.noise).placed(pose_a)
}

/// How often GJK is started afresh, from the direction it has, when it stalls.
const RESTARTS: u32 = 3;

#[inline(always)]
fn by_iteration<V: Space, A: Core<V>, B: Core<V>, R: Recorder<V>>(
    difference: &Difference<'_, V, A, B>,
    memory: &mut Memory<V>,
    settings: &Settings,
    recorder: &mut R,
) -> CoreContact<V> {
    let gap = settings.gap(A::CURVED || B::CURVED, difference.size, difference.noise);
    let question =
        Question { beyond: f64::INFINITY, within: -1.0, gap, iterations: settings.gjk_iterations };
    let mut simplex = Simplex::empty();
    let mut found = gjk(difference, &mut simplex, difference.guess(), &question, recorder);
    if found.ended == gjk::Ended::Stalled {
        found = restarted(difference, &mut simplex, found, &question, recorder);
    }
    match found.ended {
        gjk::Ended::Inside => {
            let depth =
                epa(difference, &simplex, &mut memory.polytope, gap, settings.epa_iterations, recorder);
            overlapping(&depth, found.iterations)
        }
        _ => apart(&found, &simplex),
    }
}

/// A simplex of needles can leave GJK without a way on; a fresh one from the same direction finds it.
#[inline(never)]
pub(crate) fn restarted<V: Space, A: Core<V>, B: Core<V>, R: Recorder<V>>(
    difference: &Difference<'_, V, A, B>,
    simplex: &mut Simplex<V>,
    mut best: gjk::Found<V>,
    question: &Question,
    recorder: &mut R,
) -> gjk::Found<V> {
    for _ in 0..RESTARTS {
        let mut fresh = Simplex::empty();
        let mut found = gjk(difference, &mut fresh, best.nearest, question, recorder);
        found.iterations += best.iterations;
        let better = found.ended != gjk::Ended::Stalled || found.upper - found.lower < best.upper - best.lower;
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
pub(crate) fn overlapping<V: Space>(depth: &epa::Depth<V>, gjk_iterations: u32) -> CoreContact<V> {
    CoreContact {
        depth: depth.upper,
        lower: depth.lower,
        upper: depth.upper,
        direction: -depth.normal,
        on_a: depth.on_a,
        status: match depth.ended {
            epa::Ended::Converged => Status::Converged,
            epa::Ended::Rounding => Status::Rounding,
            epa::Ended::Broken => Status::Broken,
            epa::Ended::Limit => Status::Limit,
        },
        iterations: [gjk_iterations, depth.iterations],
    }
}

#[inline(always)]
pub(crate) fn apart<V: Space>(found: &gjk::Found<V>, simplex: &Simplex<V>) -> CoreContact<V> {
    CoreContact {
        depth: -found.upper,
        lower: -found.upper,
        upper: -found.lower,
        direction: found.nearest * (1.0 / found.upper),
        on_a: simplex.witness().0,
        status: match found.ended {
            gjk::Ended::Stalled => Status::Stalled,
            gjk::Ended::Limit => Status::Limit,
            _ => Status::Converged,
        },
        iterations: [found.iterations, 0],
    }
}
