//! Printing on standard output.

use crate::error::CommandError;
use crate::json;
use serde::Serialize;
use std::io::{self, Write};

/// Prints text. Errors: standard output cannot be written to.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(CommandError::stdout)
}

/// Prints a value as JSON, indented. Errors: as [`print`].
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    print(&json::lines(value))
}
