//! Moving A by the deepest contact's depth along its direction separates two convex shapes, and leaves them
//! touching.

use crate::{Case, Shape, Subject};
use palpate_math::Vector;

/// Remaining depth or distance after the motion, relative to the size of the case.
const PARTED: f64 = 1e-12;

/// The law of separation, for two convex primitives (including one-sided and two-sided planes).
pub(crate) fn separation(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    if !(is_convex(&case.a) && is_convex(&case.b)) {
        return Ok(0);
    }
    let found = subject.contacts(case)?;
    let Some(deepest) = found.deepest().filter(|contact| contact.depth >= 0.0) else { return Ok(0) };
    let step = Vector::from(deepest.direction) * deepest.depth;
    let mut parted = case.with_shapes(case.a.shifted(&step), case.b.clone());
    let tolerance = case.search_tolerance().unwrap_or(PARTED) * case.size();
    parted.margin = tolerance;
    match subject.contacts(&parted)?.deepest() {
        None => Err(format!("apart by more than {tolerance:e} after {deepest:?}")),
        Some(left) if left.depth > tolerance => {
            Err(format!("still {:e} deep after {deepest:?}: {left:?}", left.depth))
        }
        Some(_) => Ok(1),
    }
}

fn is_convex(shape: &Shape) -> bool {
    // The contact direction of an implicit body is that of its deepest point: exact for that point, not for a whole
    // solid.
    shape.vertices().is_empty() && !matches!(shape, Shape::Implicit { .. })
}
