//! `palpate snapshot`: writes the contacts of a session as stable text, or compares them with it.

use crate::args::SnapshotArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::replay::pairs;
use crate::{progress, terminal, text, words};
use palpate::replay::SessionFiles;
use palpate::snapshot::{Change, ContactSnapshot, Detail, Difference, SnapshotOptions};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum number of differences printed, one per line.
const TOLD: usize = 20;

/// Writes the snapshot of a session, or compares it with the existing one. Errors: a session or a snapshot that cannot
/// be used; options that are invalid, or differ from those of the existing snapshot; contacts that differ.
pub(crate) fn run(arguments: &SnapshotArguments) -> Result<(), CommandError> {
    let options = options(arguments);
    let session = SessionFiles::leader(&arguments.files).unwrap_or_default();
    let path = arguments.out.clone().unwrap_or_else(|| beside(&session));
    refuse_own_input(&path, &arguments.files)?;
    // An unusable snapshot is reported before the replay, not after it.
    let before = if arguments.check { Some(read(&path, &options)?) } else { None };
    let (now, frames) = taken(arguments, &options)?;
    let differences = match &before {
        Some(before) => before.differences(&now)?,
        None => {
            write(&now, &path)?;
            Vec::new()
        }
    };
    let first = differences.iter().find(|difference| difference.change != Change::Input);
    let first = first.or(differences.first()).map(ToString::to_string);
    let input_changed = differences.first().is_some_and(|first| first.change == Change::Input);
    let count = differences.iter().filter(|difference| difference.change != Change::Input).count();
    // An input that changed while the contacts stayed is no difference, but worth a line.
    let input =
        before.as_ref().filter(|_| differences.is_empty()).map(|before| before.input_differences(&now));
    let input: Vec<String> = input.iter().flatten().map(ToString::to_string).collect();
    let table = by_pair(&differences);
    let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
    if arguments.json {
        let (snapshot, checked) = (path.display().to_string(), arguments.check);
        terminal::print_json(&Report {
            snapshot,
            checked,
            frames,
            input: &input,
            differences: &differences,
        })?;
    } else {
        terminal::print(
            &(input.join("\n")
                + if input.is_empty() { "" } else { "\n" }
                + &words(&path, frames, arguments.check, &differences)
                + &table),
        )?;
    }
    let Some(first) = first else { return Ok(()) };
    let what =
        if input_changed { "the input differs, and the contacts differ" } else { "the contacts differ" };
    Err(CommandError::Differs { path, what, count: words::plural(count, "difference"), first })
}

/// The snapshot of the session now, and the number of its frames.
fn taken(
    arguments: &SnapshotArguments,
    options: &SnapshotOptions,
) -> Result<(ContactSnapshot, usize), CommandError> {
    let replayed = arguments.read.replay_options(&arguments.mesh, arguments.margin)?;
    let mut replay = pairs::replay(&arguments.files, &arguments.pairs, replayed)?;
    let frames = replay.frame_count().div_ceil(options.every.max(1));
    let bar = progress::bar(frames, "frames");
    let now = ContactSnapshot::take_with(&mut replay, options, |count| bar.set_position(count as u64))?;
    bar.finish_and_clear();
    Ok((now, frames))
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    snapshot: String,
    /// Whether the snapshot was compared with, or else written.
    checked: bool,
    /// Frames in the snapshot.
    frames: usize,
    /// Differences of the input while the contacts agree, a line each.
    input: &'a [String],
    /// A line each, first those of the input; empty if the contacts are those of the snapshot.
    differences: &'a [String],
}

/// Where there are more differences than are printed, the counts of each pair: one line, with the first and the last frame.
fn by_pair(differences: &[Difference]) -> String {
    if differences.len() <= TOLD {
        return String::new();
    }
    let mut rows: Vec<Row<'_>> = Vec::new();
    for difference in differences {
        let Some(pair) = difference.pair.as_deref() else { continue };
        let at = rows.iter().position(|row| row.pair == pair).unwrap_or_else(|| {
            rows.push(Row { pair, ..Row::default() });
            rows.len() - 1
        });
        let row = &mut rows[at];
        match difference.change {
            Change::Added => row.added += 1,
            Change::Removed => row.removed += 1,
            _ => row.changed += 1,
        }
        row.first = row.first.or(difference.frame);
        row.last = difference.frame.or(row.last);
    }
    rows.iter().map(Row::line).collect()
}

/// The differences of a pair, counted.
#[derive(Default)]
struct Row<'a> {
    pair: &'a str,
    added: usize,
    removed: usize,
    changed: usize,
    first: Option<usize>,
    last: Option<usize>,
}

impl Row<'_> {
    fn line(&self) -> String {
        let Self { pair, added, removed, changed, first, last } = self;
        let frames = match (first, last) {
            (Some(first), Some(last)) => format!(", in frames {first} to {last}"),
            _ => String::new(),
        };
        format!("{}: {added} new, {removed} gone, {changed} changed{frames}\n", text::line(pair))
    }
}

/// The result as text: what was written or agrees, or the first differences.
fn words(path: &Path, frames: usize, checked: bool, differences: &[String]) -> String {
    let (frames, path) = (words::plural(frames, "frame"), text::line(&path.display().to_string()));
    match (checked, differences.len()) {
        (false, _) => format!("{frames}: contacts written to {path}\n"),
        (true, 0) => format!("{frames}: the contacts are those of {path}\n"),
        (true, count) => {
            let mut lines: String =
                differences.iter().take(TOLD).map(|difference| text::line(difference) + "\n").collect();
            if count > TOLD {
                lines.push_str(&format!("and {} more\n", count - TOLD));
            }
            lines
        }
    }
}

fn options(arguments: &SnapshotArguments) -> SnapshotOptions {
    let detail = match arguments.deepest {
        Some(most) => Detail::Deepest(most),
        None if arguments.counts => Detail::Counts,
        None => Detail::Contacts,
    };
    SnapshotOptions {
        every: arguments.every,
        detail,
        tolerance: arguments.tolerance,
        unit_tolerance: arguments.unit_tolerance,
    }
}

/// The session's path with the extension replaced by `.contacts.snap`.
fn beside(session: &Path) -> PathBuf {
    session.with_extension("contacts.snap")
}

fn read(path: &Path, options: &SnapshotOptions) -> Result<ContactSnapshot, CommandError> {
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    let text = fs::read_to_string(path).map_err(|error| CommandError::io(path, "reading", error))?;
    let unusable = |source| CommandError::Snapshot { path: path.to_owned(), source };
    let snapshot: ContactSnapshot = text.parse().map_err(unusable)?;
    snapshot.check_options(options).map_err(unusable)?;
    Ok(snapshot)
}

fn write(snapshot: &ContactSnapshot, path: &Path) -> Result<(), CommandError> {
    let mut output = Output::create(Some(path))?;
    write!(output, "{snapshot}").map_err(|error| CommandError::io(path, "writing", error))?;
    output.finish()
}
