//! Notes on what is unusual in a recording, on standard error.

use palpate::recording::Note;
use std::io::{self, Write};

/// Prints each on a line of its own.
pub(crate) fn print(notes: &[Note]) {
    for note in notes {
        let line = note.to_string().replace(['\n', '\r'], " ");
        // Nothing can be reported when standard error is closed.
        let _ = writeln!(io::stderr(), "palpate: note: {line}");
    }
}
