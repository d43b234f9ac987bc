//! `palpate detectors`: the detectors and the matrix of kinds, as tables, as JSON and as a page.

mod page;
mod row;
mod settings_page;
mod text;

use crate::args::DetectorsArguments;
use crate::error::CommandError;
use palpate::detect::Registry;
use row::{CellRow, Row};
use serde::Serialize;
use std::io::{self, Write};
pub(crate) use text::aligned;

/// Prints the detectors, or the matrix of kinds.
pub(crate) fn run(arguments: &DetectorsArguments) -> Result<(), CommandError> {
    let registry = Registry::standard();
    if arguments.settings {
        let page = settings_page::page(&registry);
        return io::stdout().lock().write_all(page.as_bytes()).map_err(CommandError::stdout);
    }
    let rows: Vec<Row<'_>> = registry.detectors().iter().map(|entry| Row::new(&registry, entry)).collect();
    let cells: Vec<CellRow> = registry.matrix().iter().map(CellRow::new).collect();
    let text = match (arguments.markdown, arguments.matrix, arguments.json) {
        (true, ..) => page::page(&rows, &cells),
        (_, true, true) => json(&cells),
        (_, true, false) => text::matrix(&cells),
        (_, false, true) => json(&rows),
        (_, false, false) => text::table(&rows),
    };
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}

fn json(rows: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(rows).expect("a row has text keys and no value that JSON lacks");
    text.push('\n');
    text
}
