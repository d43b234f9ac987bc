//! The table of detectors for a terminal.

use super::row::Row;
use crate::text::{aligned, wrapped};

/// The detectors: the columns that fit on a line; `palpate detectors NAME` and the JSON have all of a row.
pub(super) fn table(rows: &[Row<'_>]) -> String {
    let mut lines = vec![["detector", "a", "b", "chosen"].map(str::to_owned)];
    lines.extend(rows.iter().map(|row| {
        let chosen = match (row.default, row.self_contact) {
            (true, false) => "default",
            (true, true) => "default, also A:A",
            (false, true) => "by name, also A:A",
            (false, false) => "by name",
        };
        [row.name.to_owned(), row.a.clone(), row.b.clone(), chosen.to_owned()]
    }));
    let mut text = aligned(&lines);
    let words = "A:A: also finds contacts of an object with itself. Elements, number of contacts, method, cost, \
                 settings, aliases: palpate detectors NAME. What detects a kind: palpate detectors KIND. All pairs of \
                 kinds: palpate detectors --matrix";
    text.push_str(&format!("\n{}\n", wrapped(words, 80, 0)));
    text
}
