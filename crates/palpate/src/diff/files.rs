//! Comparison of two files, whatever they are.

use super::compare::compare;
use super::error::DiffError;
use super::of_snapshots::compare_snapshots;
use super::options::Options;
use super::report::Report;
use super::source::{ContactSource, InputState, open};
use crate::recording::{ContactFrame, ContactPair};
use crate::replay::{Replay, ReplayOptions};
use crate::snapshot::ContactSnapshot;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How a snapshot begins.
const SNAPSHOT: &[u8] = b"palpate contacts ";

/// Compares the contacts of the file `is` with those of `was`, the baseline: files of contacts, sessions, which are replayed, or
/// snapshots. A snapshot is compared with a session or a snapshot, by the tolerances that it states instead of those of `options`.
///
/// `progress` is called after every frame with the number of frames that are done, and of all.
///
/// Errors: as [`compare`]; a file that is none of the three.
pub fn compare_files(
    [was, is]: [&Path; 2],
    options: &Options,
    replay: &ReplayOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Report, DiffError> {
    if is_snapshot(was) || is_snapshot(is) {
        return snapshots([was, is], replay);
    }
    let (mut was, mut is) = (open(was, replay)?, open(is, replay)?);
    let all = is.frames().len();
    compare(&mut *was, &mut Counted { source: &mut *is, done: 0, all, progress }, options)
}

/// A source whose frames are counted.
struct Counted<'a> {
    source: &'a mut dyn ContactSource,
    done: usize,
    all: usize,
    progress: &'a mut dyn FnMut(usize, usize),
}

impl ContactSource for Counted<'_> {
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError> {
        self.source.pairs()
    }

    fn frames(&self) -> Vec<(u64, f64)> {
        self.source.frames()
    }

    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError> {
        self.done += 1;
        (self.progress)(self.done, self.all);
        self.source.read(index, frame)
    }

    fn input(&self) -> Result<Option<InputState>, DiffError> {
        self.source.input()
    }
}

fn is_snapshot(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SNAPSHOT.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == SNAPSHOT
}

/// Compares two snapshots. If one side is a session, its snapshot is taken with the options of the other side.
fn snapshots(paths: [&Path; 2], options: &ReplayOptions) -> Result<Report, DiffError> {
    let mut read = [None, None];
    for (path, read) in paths.iter().zip(&mut read).filter(|(path, _)| is_snapshot(path)) {
        let failed = |reason: String| DiffError::Snapshot { path: path.to_path_buf(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        *read = Some(text.parse::<ContactSnapshot>().map_err(|error| failed(error.to_string()))?);
    }
    let taken = |path: &Path, other: Option<&ContactSnapshot>| -> Result<ContactSnapshot, DiffError> {
        let mut replay = Replay::open(&[path], options)?;
        let of = other.map(ContactSnapshot::options).unwrap_or_default();
        Ok(ContactSnapshot::take(&mut replay, &of)?)
    };
    let [was, is] = read;
    let was = match was {
        Some(was) => was,
        None => taken(paths[0], is.as_ref())?,
    };
    let is = match is {
        Some(is) => is,
        None => taken(paths[1], Some(&was))?,
    };
    Ok(compare_snapshots(&was, &is)?)
}
