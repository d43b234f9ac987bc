//! The bounds of a depth agree to the requested tolerance, unless a limit was reached; and a search that may end
//! early agrees with one that may not.

use crate::{Case, Subject};
use palpate_contact::CollisionData;
use palpate_detect::{Context, Flags};
use serde_json::json;

/// Gap between the bounds where nothing is curved, relative to the size of the case: GJK and EPA close the gap of
/// two polyhedra to a few rounding errors.
const FLAT: f64 = 1e-12;

/// A tolerance at which a search ends early, relative to the size of the bodies.
const LOOSE: f64 = 1e-5;

/// The bodies may extend farther than the largest coordinate of the case.
const REACH: f64 = 4.0;

/// The law of bounds.
pub(crate) fn bounds(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let (tight, limit) = answer(subject, case)?;
    let tolerance = case.search_tolerance().unwrap_or(FLAT);
    if !limit {
        near(&tight, tolerance * case.size())?;
    }
    let mut loose = case.clone();
    let settings = loose.settings.get_or_insert_with(|| json!({}));
    settings["tolerance"] = json!(LOOSE);
    // Most detectors have no tolerance setting.
    let Ok((found, limit)) = answer(subject, &loose) else { return Ok(tight.len()) };
    if !limit {
        near(&found, REACH * LOOSE * case.size())?;
    }
    agree(&tight, &found, REACH * LOOSE * case.size())?;
    Ok(tight.len())
}

/// The contacts, and whether a limit was reached.
fn answer(subject: &Subject<'_>, case: &Case) -> Result<(CollisionData, bool), String> {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let context = Context::new().with_margin(case.margin);
    let (found, flags) = subject.run_with_flags(&mut bound, a.as_ref(), b.as_ref(), &context)?;
    Ok((found, flags.intersects(Flags::ITERATION_LIMIT | Flags::BUDGET_EXHAUSTED)))
}

/// No gap between bounds is wider than this, or negative.
fn near(found: &CollisionData, apart: f64) -> Result<(), String> {
    for contact in &found.contacts {
        let width = contact.depth_upper - contact.depth;
        if !(0.0..=apart).contains(&width) {
            return Err(format!("the bounds are {width} apart, wanted {apart} at most: {contact:?}"));
        }
    }
    Ok(())
}

/// The deepest contact of a loose search agrees with that of a tight one, within the requested tolerance.
fn agree(tight: &CollisionData, loose: &CollisionData, slack: f64) -> Result<(), String> {
    let (Some(tight), Some(loose)) = (tight.deepest(), loose.deepest()) else { return Ok(()) };
    if tight.depth > loose.depth_upper + slack || loose.depth > tight.depth_upper + slack {
        return Err(format!("a loose search finds another depth: {tight:?}, {loose:?}"));
    }
    Ok(())
}
