//! `palpate snapshot`: the contacts of a session as a stable text, written or compared.

use crate::args::SnapshotArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::replay::pairs;
use crate::words;
use palpate::replay::ReplayOptions;
use palpate::snapshot::{Detail, Snapshot, SnapshotOptions};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How many differences are told, a line each.
const TOLD: usize = 20;

/// Writes the snapshot of a session, or compares it with the one that is there. Errors: a session or a snapshot that
/// cannot be used; options that cannot be, or are not those of the snapshot that is there; contacts that differ.
pub(crate) fn run(arguments: &SnapshotArguments) -> Result<(), CommandError> {
    let options = options(arguments);
    let path = arguments.out.clone().unwrap_or_else(|| beside(&arguments.session));
    refuse_own_input(&path, std::slice::from_ref(&arguments.session))?;
    // What cannot be compared with is found before the work, not after it.
    let before = if arguments.check { Some(read(&path, &options)?) } else { None };
    let replayed = ReplayOptions { margin: arguments.margin, ..ReplayOptions::default() };
    let mut replay = pairs::replay(&[&arguments.session], &arguments.pairs, replayed)?;
    let now = Snapshot::take(&mut replay, &options)?;
    let frames = words::plural(replay.reader().frame_count().div_ceil(options.every), "frame");
    match before {
        Some(before) => {
            check(&before, &now, &path)?;
            say(&format!("{frames}: the contacts are those of {}\n", path.display()))
        }
        None => {
            write(&now, &path)?;
            say(&format!("{frames}: contacts written to {}\n", path.display()))
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

/// The session's name with `.contacts.snap` in place of its ending.
fn beside(session: &Path) -> PathBuf {
    session.with_extension("contacts.snap")
}

fn read(path: &Path, options: &SnapshotOptions) -> Result<Snapshot, CommandError> {
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    let text = fs::read_to_string(path).map_err(|error| CommandError::io(path, "reading", error))?;
    let unusable = |source| CommandError::Snapshot { path: path.to_owned(), source };
    let snapshot: Snapshot = text.parse().map_err(unusable)?;
    snapshot.check_options(options).map_err(unusable)?;
    Ok(snapshot)
}

fn write(snapshot: &Snapshot, path: &Path) -> Result<(), CommandError> {
    let mut output = Output::create(Some(path))?;
    write!(output, "{snapshot}").map_err(|error| CommandError::io(path, "writing", error))?;
    output.finish()
}

fn check(before: &Snapshot, now: &Snapshot, path: &Path) -> Result<(), CommandError> {
    let differences = before.differences(now)?;
    let Some(first) = differences.first() else { return Ok(()) };
    for difference in differences.iter().take(TOLD) {
        say(&format!("{difference}\n"))?;
    }
    if differences.len() > TOLD {
        say(&format!("and {} more\n", differences.len() - TOLD))?;
    }
    let count = words::plural(differences.len(), "difference");
    Err(CommandError::Differs { path: path.to_owned(), count, first: first.to_string() })
}

fn say(text: &str) -> Result<(), CommandError> {
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}
