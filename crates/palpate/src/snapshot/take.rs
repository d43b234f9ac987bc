//! Taking a snapshot of a session.

use super::error::SnapshotError;
use super::line::ContactLine;
use super::model::{FrameRecord, PairLine, PairRecord, Snapshot};
use super::tolerance::Tolerance;
use crate::math::{Aabb, Point};
use crate::replay::{Replay, ReplayError, ReplayOptions};
use std::path::Path;

/// The snapshot of the session in a file, with the pairs it names (or all that have a detector), as a text to compare
/// with an earlier one: counts and ids exact, numbers rounded relative to the scene's size.
///
/// Errors: a session that cannot be read or replayed. Cost: one replay of the session.
pub fn session(path: impl AsRef<Path>) -> Result<String, SnapshotError> {
    let mut replay = Replay::open(&[path], &ReplayOptions::default())?;
    Ok(Snapshot::take(&mut replay)?.to_string())
}

impl Snapshot {
    /// The snapshot of all frames of a replay. Errors: a frame that cannot be read or detected. Cost: one replay.
    pub fn take(replay: &mut Replay) -> Result<Self, ReplayError> {
        replay.load(0)?;
        let tolerance = Tolerance::of_scene(diagonal(replay)?);
        let mut snapshot = Self { tolerance, pairs: pair_lines(replay)?, frames: Vec::new() };
        for index in 0..replay.reader().frame_count() {
            replay.load(index)?;
            replay.detect()?;
            snapshot.frames.push(frame_record(replay, index, &tolerance)?);
        }
        Ok(snapshot)
    }
}

/// The diagonal of the box round everything that is bounded, in metres; zero when nothing is.
fn diagonal(replay: &Replay) -> Result<f64, ReplayError> {
    let mut all = Aabb::EMPTY;
    let scene = replay.scene();
    for id in scene.geometries() {
        let bounds = scene.geometry(id)?.bounds();
        let is_finite = |point: &Point| point.iter().all(|x| x.is_finite());
        if is_finite(&bounds.min) && is_finite(&bounds.max) {
            all = all.merged(&bounds);
        }
    }
    Ok(if all.is_empty() { 0.0 } else { all.diagonal_length() })
}

fn pair_lines(replay: &Replay) -> Result<Vec<PairLine>, ReplayError> {
    let line = |id| {
        let pair = replay.scene().pair(id)?;
        let [a, b] = replay.names(id)?;
        let names = format!("{a} : {b}");
        Ok(PairLine { names, detector: pair.detector().to_owned(), margin: pair.margin() })
    };
    replay.pairs().map(line).collect()
}

fn frame_record(replay: &Replay, number: usize, tolerance: &Tolerance) -> Result<FrameRecord, ReplayError> {
    let record = |id| {
        let pair = replay.scene().pair(id)?;
        let contacts = &pair.contacts().contacts;
        let flags: Vec<_> = pair.status().flags.names().collect();
        Ok(PairRecord {
            count: contacts.len(),
            flags: flags.join(" "),
            contacts: contacts.iter().map(|contact| ContactLine::new(contact, tolerance)).collect(),
        })
    };
    let pairs = replay.pairs().map(record).collect::<Result<_, ReplayError>>()?;
    Ok(FrameRecord { number, time: replay.time(), pairs })
}
