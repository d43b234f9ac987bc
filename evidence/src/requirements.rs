//! What palpate promises, by stable ids. The words of a requirement are those of the page that makes the promise.

use crate::EvidenceError;
use crate::error::{read, read_json};
use serde::Deserialize;
use std::path::Path;

/// An entry of `data/requirements.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    /// The page, from the root of the repository.
    page: String,
    /// The heading above the table, where rows of several tables have one name.
    below: Option<String>,
    /// The first cell of a row of a table of the page.
    row: Option<String>,
    /// Or words of the page; white space does not count.
    quote: Option<String>,
    /// Where the quoted words are code: what they mean.
    text: Option<String>,
}

/// A promise with a stable id.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// `REQ-…`; it never changes its meaning.
    pub id: String,
    /// The page that makes the promise, from the root of the repository.
    pub page: String,
    /// The promise in the words of the page, or why they were not found there.
    pub text: Result<String, String>,
    /// The row of the page that it stands for, with the heading above it.
    pub row: Option<(Option<String>, String)>,
}

/// The requirements of the repository at `root`, in the order of `data/requirements.json`.
///
/// # Errors
/// Where that file or a page cannot be read.
pub fn requirements(root: &Path) -> Result<Vec<Requirement>, EvidenceError> {
    let entries: Vec<Entry> = read_json(root.join("data/requirements.json"))?;
    entries.into_iter().map(|entry| resolved(root, entry)).collect()
}

fn resolved(root: &Path, entry: Entry) -> Result<Requirement, EvidenceError> {
    let page = read(root.join(&entry.page))?;
    let text = match (&entry.row, &entry.quote) {
        (Some(row), None) => rows(&page)
            .find(|found| {
                found.name == *row && entry.below.as_ref().is_none_or(|below| found.below == *below)
            })
            .map(|found| found.text)
            .ok_or_else(|| format!("{} has no row \"{row}\"", entry.page)),
        (None, Some(quote)) if !words(&page).contains(&words(quote)) => {
            Err(format!("{} does not say \"{quote}\"", entry.page))
        }
        (None, Some(quote)) => Ok(entry.text.unwrap_or_else(|| plain(quote))),
        _ => Err("wanted either a row or a quote".to_owned()),
    };
    let row = entry.row.map(|row| (entry.below, row));
    Ok(Requirement { id: entry.id, page: entry.page, text, row })
}

/// A row of a table of a page.
pub(crate) struct Row {
    /// The last line of text above its table.
    pub(crate) below: String,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The rows of all tables of a page, but for their heads.
pub(crate) fn rows(page: &str) -> impl Iterator<Item = Row> {
    let (mut below, mut rows, mut in_body) = (String::new(), Vec::new(), false);
    for line in page.lines() {
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        if line.starts_with("|---") {
            in_body = true;
        } else if let Some(cells) = cells {
            let mut cells = cells.split(" | ").map(str::trim);
            let name = cells.next().unwrap_or_default().to_owned();
            let text = plain(&cells.collect::<Vec<_>>().join("; "));
            if in_body {
                rows.push(Row { below: below.clone(), name, text });
            }
        } else if !line.trim().is_empty() && !line.starts_with('|') {
            in_body = false;
            line.clone_into(&mut below);
        }
    }
    rows.into_iter()
}

/// Text with one space between words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text without the targets of its links, which are relative to its page.
pub(crate) fn plain(text: &str) -> String {
    let text = words(text);
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some((before, after)) = rest.split_once("](") {
        let (Some((start, label)), Some((_, end))) = (before.rsplit_once('['), after.split_once(')')) else {
            break;
        };
        out += start;
        out += label;
        rest = end;
    }
    out + rest
}

#[test]
fn rows_and_links_are_read() {
    let page = "# A\n\nFirst:\n\n| | says |\n|---|---|\n| one | a [b](c.md) d |\n| two | `x` | y |\n\nNext:\n\n| a | b |\n|---|---|\n| one | other |\n";
    let found: Vec<Row> = rows(page).collect();
    let told: Vec<_> =
        found.iter().map(|row| (row.below.as_str(), row.name.as_str(), row.text.as_str())).collect();
    let wanted = [("First:", "one", "a b d"), ("First:", "two", "`x`; y"), ("Next:", "one", "other")];
    assert_eq!(told, wanted);
    assert_eq!(plain("0 [µm] and [a](b)"), "0 [µm] and [a](b)".replace("[a](b)", "a"));
}
