//! Tables for a terminal.

use super::row::{CellRow, Row};

/// The detectors: the columns that fit on a line; the JSON has all of a row.
pub(super) fn table(rows: &[Row<'_>]) -> String {
    let titles = ["a", "b", "detector", "a's elements", "b's elements", "at most", "cost", "also called"]
        .map(str::to_owned);
    let mut lines = vec![titles];
    lines.extend(rows.iter().map(|row| {
        let mark = if row.default { "" } else { " (by name only)" };
        [
            row.a.clone(),
            row.b.clone(),
            format!("{}{mark}", row.name),
            row.elements_a.to_owned(),
            row.elements_b.to_owned(),
            row.at_most.to_owned(),
            row.cost.to_owned(),
            row.aliases.join(", "),
        ]
    }));
    let itself: Vec<&str> = rows.iter().filter(|row| row.self_contact).map(|row| row.name).collect();
    let mut text = aligned(&lines);
    if !itself.is_empty() {
        text.push_str(&format!("\nwith itself (A:A): {}\n", itself.join(", ")));
    }
    text.push_str("\nWho serves which two kinds: palpate detectors --matrix\n");
    text.push_str("How each finds its contacts, and after whom: palpate detectors --json\n");
    text
}

/// The matrix, one line per pair of kinds.
pub(super) fn matrix(cells: &[CellRow]) -> String {
    let mut lines = vec![["a", "b", "detector", "also by name"].map(str::to_owned)];
    lines.extend(
        cells.iter().map(|cell| [cell.a.clone(), cell.b.clone(), cell.served(), cell.others.join(", ")]),
    );
    aligned(&lines)
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
