//! One detector with its settings, or one kind with its detectors.

use super::row::{CellRow, Row};
use crate::error::CommandError;
use crate::text::{aligned, wrapped};
use palpate::detect::{Registry, Setting, SettingValues, nearest_name};
use serde_json::{Value, json};

/// What the argument names: a detector, an alias or a kind.
pub(super) enum Found<'a> {
    /// A detector and its settings.
    Detector(&'a Row<'a>, Vec<Setting>),
    /// A kind, and its pair with each kind.
    Kind(String, Vec<&'a CellRow>),
}

/// The detector, the alias's detector or the kind of this name. Errors: there is none.
pub(super) fn find<'a>(
    name: &str,
    registry: &Registry,
    rows: &'a [Row<'a>],
    cells: &'a [CellRow],
) -> Result<Found<'a>, CommandError> {
    let is_named = |row: &&Row<'_>| row.name == name || row.aliases.contains(&name);
    if let Some(row) = rows.iter().find(is_named) {
        let settings = registry.entry(row.name).map(|entry| entry.settings()).unwrap_or_default();
        return Ok(Found::Detector(row, settings));
    }
    let of_kind: Vec<&CellRow> = cells.iter().filter(|cell| cell.a == name || cell.b == name).collect();
    if !of_kind.is_empty() {
        return Ok(Found::Kind(name.to_owned(), of_kind));
    }
    let mut kinds: Vec<&str> = Vec::new();
    for cell in cells {
        if !kinds.contains(&cell.a.as_str()) {
            kinds.push(&cell.a);
        }
    }
    let names = rows.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
    Err(CommandError::Unknown {
        argument: "detectors",
        found: name.to_owned(),
        nearest: nearest_name(name, names.chain(kinds.iter().copied())).map(str::to_owned),
        known: format!("the detectors (palpate detectors lists them) and the kinds {}", kinds.join(", ")),
    })
}

/// All about a detector, in lines of 80 characters.
pub(super) fn page(row: &Row<'_>, settings: &[Setting]) -> String {
    let [a, b] = &row.takes;
    let mut lines = vec![
        ("takes", format!("{a} and {b}")),
        ("elements of a", row.elements_a.to_owned()),
        ("elements of b", row.elements_b.to_owned()),
        ("contacts", format!("at most {}", row.at_most)),
        ("sides", row.sides.to_owned()),
        ("method", row.method.to_owned()),
        ("cost", row.cost.to_owned()),
        ("source", row.source.to_owned()),
        ("chosen", if row.default { "by default" } else { "by name only" }.to_owned()),
        ("with itself", if row.self_contact { "yes" } else { "no" }.to_owned()),
    ];
    if !row.aliases.is_empty() {
        lines.push(("aliases", row.aliases.join(", ")));
    }
    let mut text = format!("{}\n", row.name);
    for (key, value) in lines {
        text.push_str(&format!("  {key:16}{}\n", wrapped(&value, 80, 18)));
    }
    if settings.is_empty() {
        text.push_str("\nno settings\n");
        return text;
    }
    text.push_str("\nsettings\n");
    for setting in settings {
        let head = format!("{} ({}; default {})", setting.name, values(setting), setting.default);
        text.push_str(&format!("  {head}\n    {}\n", wrapped(setting.meaning, 80, 4)));
    }
    text
}

fn values(setting: &Setting) -> String {
    match setting.values {
        SettingValues::Boolean => "true, false".to_owned(),
        SettingValues::Number => "a number".to_owned(),
        SettingValues::Words(words) => words.join(", "),
        _ => "any".to_owned(),
    }
}

/// A setting for JSON.
pub(super) fn setting_json(setting: &Setting) -> Value {
    let values = match setting.values {
        SettingValues::Boolean => json!([true, false]),
        SettingValues::Number => json!("number"),
        SettingValues::Words(words) => json!(words),
        _ => Value::Null,
    };
    json!({"name": setting.name, "values": values, "default": setting.default, "meaning": setting.meaning})
}

/// A kind with each kind: the default, and what can be named.
pub(super) fn kind(kind: &str, cells: &[&CellRow]) -> String {
    let mut lines = vec![["with", "detector"].map(str::to_owned)];
    let mut refused = String::new();
    for cell in cells {
        let other = if cell.a == kind { &cell.b } else { &cell.a };
        let served = match (&cell.detector, cell.refused) {
            (None, Some(reason)) => {
                let line = format!("{kind} with {other}: refused, {reason}");
                refused.push_str(&format!("{}\n", wrapped(&line, 80, 2)));
                "-".to_owned()
            }
            _ => cell.served(),
        };
        lines.push([other.clone(), served]);
        for name in &cell.others {
            lines.push([String::new(), format!("{name}, by name")]);
        }
    }
    let mut text = aligned(&lines);
    if !refused.is_empty() {
        text.push_str(&format!("\n{refused}"));
    }
    text
}
