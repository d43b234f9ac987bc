//! Taking a snapshot of a session.

use super::line::ContactLine;
use super::{FrameLines, Snapshot, SnapshotError};
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
        let mut snapshot =
            Self { diagonal: diagonal(replay)?, pairs: pair_lines(replay)?, frames: Vec::new() };
        for index in 0..replay.reader().frame_count() {
            replay.load(index)?;
            replay.detect()?;
            snapshot.frames.push(frame_lines(replay, index)?);
        }
        Ok(snapshot)
    }
}

/// The diagonal of the box round everything that is bounded.
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
    // Nothing but planes: no size, and numbers are compared exactly.
    Ok(if all.is_empty() { 0.0 } else { all.diagonal_length() })
}

fn pair_lines(replay: &Replay) -> Result<Vec<String>, ReplayError> {
    let line = |id| {
        let pair = replay.scene().pair(id)?;
        let [a, b] = replay.names(id)?;
        Ok(format!("{a} : {b} by {} margin {}", pair.detector(), pair.margin()))
    };
    replay.pairs().map(line).collect()
}

fn frame_lines(replay: &Replay, index: usize) -> Result<FrameLines, ReplayError> {
    let mut head = format!("frame {index} at {} s:", replay.time());
    let mut contacts = Vec::new();
    for (number, id) in replay.pairs().enumerate() {
        let pair = replay.scene().pair(id)?;
        head.push_str(&format!(" {}", pair.contacts().len()));
        let flags: Vec<_> = pair.status().flags.names().collect();
        if !flags.is_empty() {
            head.push_str(&format!(" ({})", flags.join(" ")));
        }
        contacts.extend(pair.contacts().contacts.iter().map(|contact| ContactLine::new(number, contact)));
    }
    Ok(FrameLines { head, contacts })
}
