//! `palpate detectors`: the detectors and the matrix of kinds, as tables, as JSON and as a page.

mod grid;
mod one;
mod page;
mod row;
mod settings_page;
mod text;

use crate::args::DetectorsArguments;
use crate::error::CommandError;
use crate::terminal;
use palpate::detect::Registry;
use row::{CellRow, Row};
use serde_json::json;

/// Prints the detectors, one of them, those of a kind, or the matrix of kinds. Errors: a name that is no detector, alias or kind.
pub(crate) fn run(arguments: &DetectorsArguments) -> Result<(), CommandError> {
    let registry = Registry::standard();
    if arguments.settings {
        return terminal::print(&settings_page::page(&registry));
    }
    let rows: Vec<Row<'_>> = registry.detectors().iter().map(|entry| Row::new(&registry, entry)).collect();
    let cells: Vec<CellRow> = registry.matrix().iter().map(CellRow::new).collect();
    if let Some(name) = &arguments.name {
        return match one::find(name, &registry, &rows, &cells)? {
            one::Found::Detector(row, settings) if arguments.json => {
                let settings: Vec<_> = settings.iter().map(one::setting_json).collect();
                let mut value = json!(row);
                value["settings"] = json!(settings);
                terminal::print_json(&value)
            }
            one::Found::Detector(row, settings) => terminal::print(&one::page(row, &settings)),
            one::Found::Kind(_, cells) if arguments.json => terminal::print_json(&cells),
            one::Found::Kind(kind, cells) => terminal::print(&one::kind(&kind, &cells)),
        };
    }
    match (arguments.markdown, arguments.matrix, arguments.json) {
        (true, ..) => terminal::print(&page::page(&rows, &cells)),
        (_, true, true) => terminal::print_json(&cells),
        (_, true, false) => terminal::print(&grid::grid(&cells)),
        (_, false, true) => terminal::print_json(&rows),
        (_, false, false) => terminal::print(&text::table(&rows)),
    }
}
