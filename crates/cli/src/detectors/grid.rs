//! The matrix of kinds as a grid for a terminal.

use super::row::CellRow;
use crate::text::wrapped;

/// The letters of the columns, and the meaning of the marks.
const LEGEND: &str = "D: a default detector. v: a default that looks at the vertices of a mesh only. c: the children of the \
                      compound have detectors. n: a detector by name only. -: none, or refused. Which: palpate detectors \
                      KIND, or --matrix --json";

/// Every pair of kinds: a row and a column for each, with a mark.
pub(super) fn grid(cells: &[CellRow]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for cell in cells {
        for kind in [&cell.a, &cell.b] {
            if !kinds.contains(&kind.as_str()) {
                kinds.push(kind);
            }
        }
    }
    let width = kinds.iter().map(|kind| kind.len()).max().unwrap_or(0);
    let mut text = format!("{:width$}   ", "");
    for number in 1..=kinds.len() {
        text.push_str(&format!(" {number:>2}"));
    }
    text.push('\n');
    for (number, row) in kinds.iter().enumerate() {
        text.push_str(&format!("{row:width$} {:>2}", number + 1));
        for column in &kinds {
            let pair = |cell: &&CellRow| {
                (cell.a == *row && cell.b == *column) || (cell.b == *row && cell.a == *column)
            };
            text.push_str(&format!("  {}", cells.iter().find(pair).map_or('-', mark)));
        }
        text.push('\n');
    }
    text.push_str(&format!("\n{}\n", wrapped(LEGEND, 80, 0)));
    text
}

fn mark(cell: &CellRow) -> char {
    match &cell.detector {
        Some(_) if cell.by_children() => 'c',
        Some(_) if cell.vertices_only => 'v',
        Some(_) => 'D',
        None if !cell.others.is_empty() => 'n',
        None => '-',
    }
}
