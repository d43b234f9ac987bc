//! `palpate diff`: the contacts of two files of contacts, sessions or snapshots, compared.

use crate::args::DiffArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::{progress, terminal, text};
use indicatif::ProgressBar;
use palpate::diff::{
    ContactSource, DiffError, InputState, Options, Report, compare, compare_snapshots, open,
};
use palpate::recording::{ContactFrame, ContactPair};
use palpate::replay::{Replay, ReplayOptions};
use palpate::snapshot::ContactSnapshot;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// How a snapshot begins.
const SNAPSHOT: &[u8] = b"palpate contacts ";

/// Compares two files. Errors: files that cannot be used; contacts that differ.
pub(crate) fn run(arguments: &DiffArguments) -> Result<(), CommandError> {
    let (was, is) = (&arguments.was, &arguments.is);
    if let Some(path) = &arguments.junit {
        refuse_own_input(path, &[was.clone(), is.clone()])?;
    }
    let replayed = ReplayOptions {
        limits: arguments.read.limits()?,
        allow_external: arguments.read.allow_external,
        ..ReplayOptions::default()
    };
    let report = if is_snapshot(was) || is_snapshot(is) {
        of_snapshots([was, is], &replayed)?
    } else {
        let (mut was, mut is) = (open(was, &replayed)?, open(is, &replayed)?);
        let bar = progress::bar(is.frames().len(), "frames");
        let mut counted = Counted { source: &mut *is, bar: &bar };
        let report = compare(&mut *was, &mut counted, &options(arguments));
        bar.finish_and_clear();
        report?
    };
    if let Some(path) = &arguments.junit {
        let mut output = Output::create(Some(path))?;
        let written = output.write_all(report.junit().as_bytes());
        written.map_err(|error| CommandError::io(path, "writing", error))?;
        output.finish()?;
    }
    if arguments.json {
        terminal::print_json(&report)?;
    } else {
        let lines = report.to_string();
        terminal::print(&lines.lines().map(|line| text::line(line) + "\n").collect::<String>())?;
    }
    if report.agrees() { Ok(()) } else { Err(differs(arguments, &report)) }
}

/// A source whose frames are counted.
struct Counted<'a> {
    source: &'a mut dyn ContactSource,
    bar: &'a ProgressBar,
}

impl ContactSource for Counted<'_> {
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError> {
        self.source.pairs()
    }

    fn frames(&self) -> Vec<(u64, f64)> {
        self.source.frames()
    }

    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError> {
        self.bar.inc(1);
        self.source.read(index, frame)
    }

    fn input(&self) -> Result<Option<InputState>, DiffError> {
        self.source.input()
    }
}

fn differs(arguments: &DiffArguments, report: &Report) -> CommandError {
    let first = match (&report.first, report.input.first()) {
        (Some(first), _) => format!("the contacts differ, the first: {first}"),
        (None, Some(input)) => format!("the input differs, the contacts agree: {input}"),
        (None, None) => "the contacts differ".to_owned(),
    };
    CommandError::DiffersFrom { was: arguments.was.clone(), is: arguments.is.clone(), what: first }
}

fn options(arguments: &DiffArguments) -> Options {
    let (policy, allow_empty) = (arguments.policy.policy(), arguments.allow_empty);
    Options { policy, allow_empty, ..Options::default() }
}

fn is_snapshot(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SNAPSHOT.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == SNAPSHOT
}

/// Compares two snapshots. If one side is a session, its snapshot is taken with the options of the other side.
fn of_snapshots(paths: [&Path; 2], options: &ReplayOptions) -> Result<Report, CommandError> {
    let mut read = [None, None];
    for (path, read) in paths.iter().zip(&mut read).filter(|(path, _)| is_snapshot(path)) {
        let text = std::fs::read_to_string(path).map_err(|error| CommandError::io(path, "reading", error))?;
        let snapshot: Result<ContactSnapshot, _> = text.parse();
        *read = Some(snapshot.map_err(|source| CommandError::Snapshot { path: path.to_path_buf(), source })?);
    }
    let taken = |path: &Path, other: Option<&ContactSnapshot>| -> Result<ContactSnapshot, CommandError> {
        let mut replay = Replay::open(&[path], options)?;
        let of = other.map(ContactSnapshot::options).unwrap_or_default();
        Ok(ContactSnapshot::take(&mut replay, &of)?)
    };
    let [was, is] = read;
    let (was, is) = match (was, is) {
        (Some(was), Some(is)) => (was, is),
        (was, Some(is)) => (was.map_or_else(|| taken(paths[0], Some(&is)), Ok)?, is),
        (was, None) => {
            let is = taken(paths[1], was.as_ref())?;
            (was.map_or_else(|| taken(paths[0], None), Ok)?, is)
        }
    };
    Ok(compare_snapshots(&was, &is)?)
}
