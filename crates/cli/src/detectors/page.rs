//! The page of the detectors.

use super::row::{CellRow, Row};

const HEAD: &str = "\
# Detectors

Every pair of kinds, in either order, and every detector. This page is made from the registry; after a change of a detector make it again:

```sh
cargo run -- detectors --markdown > docs/detectors.md
```

Conventions of points, directions and depths are in [conventions.md](conventions.md), what every detector promises in
[architecture.md](architecture.md).

## Which detector for which two kinds

The default stands first; the others take the two kinds when they are named. *Vertices only*: a mesh is looked at by its vertices alone, and
the answer says so (`vertices_only`). A compound is served child by child: each child meets the other geometry with the detector of the two
kinds, and the contact names the child.

| a | b | detector | by name |
|---|---|---|---|
";

/// The page, as Markdown.
pub(super) fn page(rows: &[Row<'_>], cells: &[CellRow]) -> String {
    let mut text = HEAD.to_owned();
    for cell in cells {
        let others: Vec<String> = cell.others.iter().map(|name| link(name)).collect();
        let served = match &cell.detector {
            Some(_) if cell.by_children() => "by its children".to_owned(),
            Some(name) if cell.vertices_only => format!("{}, *vertices only*", link(name)),
            Some(name) => link(name),
            None => cell.served(),
        };
        text.push_str(&format!("| {} | {} | {served} | {} |\n", cell.a, cell.b, others.join(", ")));
    }
    text.push_str("\n## The detectors\n");
    for row in rows {
        text.push_str(&detector(row));
    }
    text
}

fn detector(row: &Row<'_>) -> String {
    let Row { takes: [a, b], name, elements_a, elements_b, at_most, sides, method, cost, source, .. } = row;
    let mut lines = vec![
        ("takes", format!("{a}; {b}")),
        ("elements", format!("a: {elements_a}. b: {elements_b}")),
        ("contacts at most", (*at_most).to_owned()),
        ("sides", (*sides).to_owned()),
        ("method", (*method).to_owned()),
        ("cost", (*cost).to_owned()),
        ("source", (*source).to_owned()),
    ];
    if !row.aliases.is_empty() {
        lines.push((
            "aliases",
            row.aliases.iter().map(|alias| format!("`{alias}`")).collect::<Vec<_>>().join(", "),
        ));
    }
    if row.self_contact {
        lines.push(("with itself", "yes".to_owned()));
    }
    if !row.default {
        lines.push(("chosen", "by name only".to_owned()));
    }
    let table: String =
        lines.iter().map(|(key, value)| format!("| {key} | {} |\n", escaped(value))).collect();
    format!("\n### {name}\n\n| | |\n|---|---|\n{table}")
}

fn link(name: &str) -> String {
    format!("[`{name}`](#{name})")
}

/// Escapes text for a table cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\\\|")
}
