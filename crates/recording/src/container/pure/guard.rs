//! Errors and panics of the library as errors.

use crate::container::Outcome;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn text(error: impl ToString) -> String {
    error.to_string()
}

/// The result of an operation of the library, which may panic on a damaged file: then an error. Aborts (memory, stack)
/// cannot be caught, and are prevented by checks of sizes.
pub(super) fn caught<T>(operation: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let result = catch_unwind(AssertUnwindSafe(operation));
    result.unwrap_or_else(|_| Err("the HDF5 library failed: the file is damaged".to_string()))
}
