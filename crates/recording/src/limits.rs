//! The limits on sessions.

use crate::error::RecordingError;
use crate::session::{ObjectInfo, SessionInfo};
use palpate_math::Limits;
use std::path::Path;

/// Checks a number against a limit, which is given by its name and value.
pub(crate) fn check_count(
    path: &Path,
    what: impl Into<String>,
    found: u64,
    (limit, value): (&'static str, u64),
) -> Result<(), RecordingError> {
    if found <= value {
        return Ok(());
    }
    Err(RecordingError::Limit { path: path.to_path_buf(), what: what.into(), found, limit, value })
}

/// Checks the name of an object: one line, no longer than the limit. What is written keeps this rule of what is read.
pub(crate) fn check_name(
    path: &Path,
    what: impl FnOnce() -> String,
    name: &str,
    limits: &Limits,
) -> Result<(), RecordingError> {
    if name.len() as u64 > limits.name_bytes {
        let what = format!("bytes of the name of {}", what());
        return check_count(path, what, name.len() as u64, ("name_bytes", limits.name_bytes));
    }
    if name.is_empty() || name.contains(['\0', '\n']) {
        return Err(RecordingError::invalid(
            path,
            what(),
            format!("the name {name:?}"),
            "a name of one line",
        ));
    }
    Ok(())
}

/// Checks the numbers of objects and of pairs, and the names.
pub(crate) fn check_limits(path: &Path, info: &SessionInfo, limits: &Limits) -> Result<(), RecordingError> {
    check_count(path, "objects", info.objects.len() as u64, ("objects", limits.objects))?;
    check_count(path, "pairs", info.pairs.len() as u64, ("pairs", limits.pairs))?;
    for (number, object) in info.objects.iter().enumerate() {
        check_name(path, || format!("object {number}"), &object.name, limits)?;
    }
    Ok(())
}

/// How many pairs the objects of a session make, each with each other once; children of compounds are no objects of their
/// own. Errors: more than the limit.
pub(crate) fn all_pairs(path: &Path, objects: &[ObjectInfo], limits: &Limits) -> Result<u64, RecordingError> {
    let count = objects.iter().filter(|object| object.part_of.is_none()).count() as u64;
    let pairs = count.saturating_mul(count.saturating_sub(1)) / 2;
    check_count(path, format!("all pairs of {count} objects"), pairs, ("pairs", limits.pairs))?;
    Ok(pairs)
}
