//! `palpate snapshot`: writes the contacts of a session as stable text, or compares them with it.

use crate::args::SnapshotArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::replay::pairs;
use crate::{terminal, text, words};
use palpate::replay::{ReplayOptions, SessionFiles};
use palpate::snapshot::{ContactSnapshot, Detail, SnapshotOptions};
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
    let replayed = ReplayOptions {
        margin: arguments.margin,
        mesh_scale: arguments.mesh.scale()?,
        limits: arguments.read.limits()?,
        allow_external: arguments.read.allow_external,
        ..ReplayOptions::default()
    };
    let mut replay = pairs::replay(&arguments.files, &arguments.pairs, replayed)?;
    let now = ContactSnapshot::take(&mut replay, &options)?;
    let frames = replay.frame_count().div_ceil(options.every);
    let differences = match &before {
        Some(before) => before.differences(&now)?,
        None => {
            write(&now, &path)?;
            Vec::new()
        }
    };
    let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
    if arguments.json {
        let (snapshot, checked) = (path.display().to_string(), arguments.check);
        terminal::print_json(&Report { snapshot, checked, frames, differences: &differences })?;
    } else {
        terminal::print(&words(&path, frames, arguments.check, &differences))?;
    }
    match differences.first() {
        None => Ok(()),
        Some(first) => {
            let count = words::plural(differences.len(), "difference");
            Err(CommandError::Differs { path, count, first: first.clone() })
        }
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    snapshot: String,
    /// Whether the snapshot was compared with, or else written.
    checked: bool,
    /// Frames in the snapshot.
    frames: usize,
    /// A line each; empty if the contacts are those of the snapshot.
    differences: &'a [String],
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
