//! First time at which the lowest value of an implicit function over a moving set falls to a level.
//!
//! The lowest value over the set at a time has a certified lower bound. No point of the set moves by more than its speed, and
//! so the value can fall by no more than the Lipschitz constant times that. Until the bound can have fallen to the level, the
//! two are apart; from there the step is repeated. Nothing is sampled between.
//!
//! Termination:
//! - **apart** when the lowest value cannot fall to the level within the rest of the motion;
//! - **impact** when it is at the level, or above it by no more than falls in 2^-20 of the step;
//! - **open** when the budget is used up: the two are apart before the time returned, and what follows is not known.

use super::path::TIME_TOLERANCE;
use crate::pairs::ImplicitTolerance;
use palpate_geometry::implicit::internal::{Minimum, Search};

/// The gap of a search over an element, and over a solid, relative to their sizes: a slow motion falls by little more in the shortest
/// step.
const ELEMENT_TOLERANCE: ImplicitTolerance = ImplicitTolerance(1e-12);
pub(crate) const SOLID_TOLERANCE: ImplicitTolerance = ImplicitTolerance(1e-10);

/// The search over elements.
pub(crate) struct ElementSearch(pub(crate) Search);

impl Default for ElementSearch {
    fn default() -> Self {
        Self(ELEMENT_TOLERANCE.search())
    }
}

/// The first impact of a set.
pub(crate) struct FirstMinimum {
    /// The two are apart before it.
    pub(crate) time: f64,
    pub(crate) found: Minimum,
    /// Whether it is not known that there is an impact.
    pub(crate) open: bool,
}

/// Searches for the lowest value, each some hundred samples. A set that slides along the body at hardly more than the tolerance
/// needs more.
const BUDGET: u32 = 64;

/// Returns the first impact after `start`, before which the two are known to be apart. `fall` is the most that the value at a point of the set can fall over the whole motion; `lowest`
/// returns the lowest value at a time if it is no more than a cutoff.
pub(crate) fn first_minimum(
    level: f64,
    fall: f64,
    start: f64,
    mut lowest: impl FnMut(f64, f64) -> Option<Minimum>,
) -> Option<FirstMinimum> {
    let mut time = start;
    let mut spent = 0;
    loop {
        let reach = fall * (1.0 - time) * (1.0 + 32.0 * f64::EPSILON);
        let found = lowest(time, level + reach)?;
        spent += 1;
        let above = found.lower - level;
        if above > reach {
            return None;
        }
        let is_reached = found.sample.value - level <= fall * TIME_TOLERANCE;
        if is_reached || spent == BUDGET {
            return Some(FirstMinimum { time, found, open: !is_reached });
        }
        // Where the search gave up on the bound, the time is not proven to be any later.
        let step = above / fall * (1.0 - 32.0 * f64::EPSILON);
        if step < TIME_TOLERANCE * NO_PROGRESS {
            return Some(FirstMinimum { time, found, open: true });
        }
        time = (time + step).min(1.0);
    }
}

/// Steps of less than this part of the tolerance are none.
const NO_PROGRESS: f64 = 1.0 / 64.0;
