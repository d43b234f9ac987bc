//! `palpate detectors`: the table of detectors.

use crate::args::DetectorsArguments;
use crate::error::CommandError;
use palpate::detect::{Entry, Registry};
use serde::Serialize;
use std::io::{self, Write};

/// A row of the table.
#[derive(Serialize)]
struct Row<'a> {
    a: String,
    b: String,
    name: &'a str,
    aliases: Vec<&'a str>,
    default: bool,
    #[serde(skip)]
    self_contact: bool,
    elements_a: &'a str,
    elements_b: &'a str,
    at_most: &'a str,
    sides: &'a str,
    method: &'a str,
    cost: &'a str,
    source: &'a str,
}

impl<'a> Row<'a> {
    fn new(registry: &'a Registry, entry: &'a Entry) -> Self {
        Self {
            a: entry.a.kind().to_string(),
            b: entry.b.kind().to_string(),
            name: entry.name,
            aliases: registry.aliases_of(entry.name).collect(),
            default: entry.default,
            self_contact: entry.self_contact,
            elements_a: entry.about.elements_a,
            elements_b: entry.about.elements_b,
            at_most: entry.about.at_most,
            sides: entry.about.sides,
            method: entry.about.method,
            cost: entry.about.cost,
            source: entry.about.source,
        }
    }
}

/// Prints the detectors as a table or as JSON.
pub(crate) fn run(arguments: &DetectorsArguments) -> Result<(), CommandError> {
    let registry = Registry::standard();
    let rows: Vec<Row<'_>> = registry.detectors().iter().map(|entry| Row::new(&registry, entry)).collect();
    let text = if arguments.json { json(&rows) } else { table(&rows) };
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}

fn json(rows: &[Row<'_>]) -> String {
    let mut text =
        serde_json::to_string_pretty(rows).expect("a row has text keys and no value that JSON lacks");
    text.push('\n');
    text
}

/// An aligned table of what fits on a line; the rest of a row is in the JSON.
fn table(rows: &[Row<'_>]) -> String {
    let titles =
        ["a", "b", "detector", "a's elements", "b's elements", "cost", "also called"].map(str::to_owned);
    let mut lines = vec![titles];
    lines.extend(rows.iter().map(|row| {
        let mark = if row.default { "" } else { " (by name only)" };
        [
            row.a.clone(),
            row.b.clone(),
            format!("{}{mark}", row.name),
            row.elements_a.to_owned(),
            row.elements_b.to_owned(),
            row.cost.to_owned(),
            row.aliases.join(", "),
        ]
    }));
    let itself: Vec<&str> = rows.iter().filter(|row| row.self_contact).map(|row| row.name).collect();
    let mut text = aligned(&lines);
    if !itself.is_empty() {
        text.push_str(&format!("\nwith itself (A:A): {}\n", itself.join(", ")));
    }
    text.push_str("\nHow each finds its contacts, and after whom: palpate detectors --json\n");
    text
}

/// Columns as wide as their widest cell.
pub(crate) fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> =
            line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
