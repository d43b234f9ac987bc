//! Children of a compound, or a geometry that is no compound as its only child.

use crate::{DetectError, downcast};
use palpate_contact::NONE;
use palpate_geometry::{Compound, Geometry};

pub(super) fn compound(geometry: &dyn Geometry) -> Option<&Compound> {
    downcast(geometry)
}

pub(super) fn changes(geometry: &dyn Geometry) -> Option<u64> {
    compound(geometry).map(Compound::changes)
}

/// Returns the indices of the children; `NONE` for a geometry that is not a compound.
pub(super) fn numbers(geometry: &dyn Geometry) -> Vec<u32> {
    match compound(geometry) {
        Some(compound) => compound.children().map(|(number, _)| number).collect(),
        None => vec![NONE],
    }
}

/// Returns the children with their numbers; a geometry that is no compound is its only child, without a number.
pub(super) fn children(geometry: &dyn Geometry) -> Vec<(u32, &dyn Geometry)> {
    match compound(geometry) {
        Some(compound) => compound.children().collect(),
        None => vec![(NONE, geometry)],
    }
}

pub(super) fn part(geometry: &dyn Geometry, number: u32) -> Option<&dyn Geometry> {
    match compound(geometry) {
        Some(compound) => compound.child(number),
        None => Some(geometry),
    }
}

/// Wraps the error of a pair of children, with their indices.
pub(super) fn of_children([a, b]: [u32; 2], source: DetectError) -> DetectError {
    let children = match (a, b) {
        (a, NONE) => format!("child {a} of the first geometry"),
        (NONE, b) => format!("child {b} of the second geometry"),
        (a, b) => format!("child {a} of the first geometry and child {b} of the second"),
    };
    DetectError::Child { children, source: Box::new(source) }
}
