//! The pairs of a file of contacts.

use crate::error::RecordingError;
use crate::limits::{check_count, check_name};
use palpate_math::Limits;
use std::path::Path;

/// A pair of objects whose contacts a file contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactPair {
    /// Name of the first object, side A of the contacts.
    pub a: String,
    /// Name of the second object, side B.
    pub b: String,
    /// The name of its detector.
    pub detector: String,
}

/// Checks the pairs of a file, whether it is read or written: their number, and the names, of which the detector's may be
/// empty.
pub(super) fn check_pairs(path: &Path, pairs: &[ContactPair], limits: &Limits) -> Result<(), RecordingError> {
    check_count(path, "pairs", pairs.len() as u64, ("pairs", limits.pairs))?;
    for (number, pair) in pairs.iter().enumerate() {
        check_name(path, || format!("side A of pair {number}"), &pair.a, limits)?;
        check_name(path, || format!("side B of pair {number}"), &pair.b, limits)?;
        if !pair.detector.is_empty() {
            check_name(path, || format!("the detector of pair {number}"), &pair.detector, limits)?;
        }
    }
    Ok(())
}

/// The bytes of one string of a column: the longest name. HDF5 has no strings of length 0.
pub(super) fn column_width<'a>(names: impl Iterator<Item = &'a String>) -> usize {
    names.map(|name| name.len()).max().unwrap_or(0).max(1)
}

/// Checks the size of the columns of names, each as wide as its longest name: a few long names among many pairs would make a
/// table that no reader accepts.
pub(super) fn check_columns(
    path: &Path,
    pairs: &[ContactPair],
    limits: &Limits,
) -> Result<(), RecordingError> {
    let widths = [
        column_width(pairs.iter().map(|pair| &pair.a)),
        column_width(pairs.iter().map(|pair| &pair.b)),
        column_width(pairs.iter().map(|pair| &pair.detector)),
    ];
    // A reader counts eight bytes at least.
    let row = widths.iter().map(|&width| width.max(8) as u64).sum::<u64>();
    let bytes = row.saturating_mul(pairs.len() as u64);
    check_count(path, "bytes of the table of pairs", bytes, ("expanded_bytes", limits.expanded_bytes))
}
