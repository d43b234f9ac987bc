//! One face, divided in several ways.

use super::case::{Detectors, SheetCase};
use super::form::NOISE;
use super::grid::Division;
use super::stand::has_face_depth;
use crate::compound::Body;
use crate::laws::solids::unless_jump;
use crate::random::Random;

/// The divisions that are compared, with the noise of each.
const DIVISIONS: [(Division, f64); 9] = [
    (Division::Pair, 0.0),
    (Division::Grid([2, 2], true), 0.0),
    (Division::Grid([20, 20], false), 0.0),
    (Division::Shaken([5, 7]), 0.0),
    (Division::Scattered(20), 0.0),
    (Division::Needles(30), 0.0),
    (Division::Fan(9), 0.0),
    (Division::Grid([9, 5], true), NOISE),
    (Division::Needles(12), NOISE),
];

/// Difference of two depths, relative to the unit of the case.
const DIFFERENCE: f64 = 1e-6;

/// A flat rectangle has the same depth however it is divided.
pub(super) fn one_face(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    let Some(rectangle) = case.rectangle.as_ref().filter(|_| has_face_depth(case.cell.other())) else {
        return Ok(0);
    };
    let mut random = Random::named("one face", case.number as u64);
    let mut first = None;
    for (division, noise) in DIVISIONS {
        let a = Body::Whole(rectangle.divided(division, noise, &mut random));
        let depth = detectors.bound(&a, &case.b, None)?.run(0.0)?.depth();
        let before = *first.get_or_insert(depth);
        let slack = DIFFERENCE * case.unit + case.tolerance();
        unless_jump(before, depth, 0.0, slack)
            .map_err(|_| format!("{} as a pair, {} as {division:?}, noise {noise}", before[0], depth[0]))?;
    }
    Ok(usize::from(first.is_some_and(|depth| depth[0] > 0.0)))
}
