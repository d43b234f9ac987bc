//! Errors of results against the reference.

use nalgebra::Vector3;
use palpate::convex::{QueryResult, Termination};

use super::cell::Cell;
use super::oracle;

/// Rounding of the reference and of the oracle themselves, relative to the size of the pair.
const ROUNDING: f64 = 1e-13;

/// The check of one result. Lengths are relative to the size of the pair.
pub(super) struct Score {
    pub(super) error: f64,
    pub(super) width: f64,
    pub(super) wrong_sign: bool,
    pub(super) nan: bool,
    pub(super) not_converged: bool,
    pub(super) certificate_failed: bool,
}

/// Checks one result.
pub(super) fn judge(cell: &Cell, pair: usize, answer: &QueryResult<Vector3<f64>>) -> Score {
    let record = &cell.records[pair];
    let size = oracle::size(cell, pair);
    let truth = -record.distance;
    let slack = ROUNDING * size + record.gap.max(0.0);
    let direction = [answer.direction.x, answer.direction.y, answer.direction.z];
    let along = oracle::depth_along(cell, pair, direction);
    // A direction proves that the depth is no more than the extent along it.
    let proven = along <= answer.depth + ROUNDING * size;
    let error = if answer.depth < truth && proven { 0.0 } else { (answer.depth - truth).abs() };
    let certified = record.gap >= 0.0;
    let holds = answer.depth_lower <= truth + slack
        && along <= answer.depth_upper + ROUNDING * size
        && (truth <= answer.depth_upper + slack || !certified);
    let numbers = [answer.depth, answer.depth_lower, answer.depth_upper, along]
        .into_iter()
        .chain(answer.point_a.iter().copied())
        .chain(answer.point_b.iter().copied());
    let larger = answer.depth.abs().max(truth.abs());
    Score {
        error: (error - record.gap.max(0.0)).max(0.0) / size,
        width: (answer.depth_upper - answer.depth_lower) / size,
        wrong_sign: answer.depth * truth < 0.0 && larger > 1e-9 * size,
        nan: numbers.into_iter().any(|x| !x.is_finite()),
        not_converged: !matches!(answer.status, Termination::Exact | Termination::Converged),
        certificate_failed: !holds,
    }
}
