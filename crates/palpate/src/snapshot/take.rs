//! Functions that take a snapshot of a session.

use super::error::SnapshotError;
use super::line::ContactLine;
use super::model::{ContactSnapshot, FrameRecord, PairLine, PairRecord};
use super::options::SnapshotOptions;
use super::selection::Detail;
use super::take_input::{fingerprints, object_lines};
use super::tolerance::Tolerance;
use crate::contact::Contact;
use crate::math::{Aabb, Point};
use crate::replay::{Replay, ReplayError, ReplayOptions};
use std::path::Path;

/// Takes a snapshot of the session in a file, with the pairs it names (or all pairs that have a detector).
///
/// Errors: a session that cannot be read or replayed; invalid options. Cost: one replay of the session.
pub fn session(path: impl AsRef<Path>, options: &SnapshotOptions) -> Result<ContactSnapshot, SnapshotError> {
    ContactSnapshot::take(&mut Replay::open(&[path], &ReplayOptions::default())?, options)
}

impl ContactSnapshot {
    /// Takes a snapshot of a replay. Errors: invalid options; a frame that cannot be read or detected. Cost: one replay
    /// of the selected frames.
    pub fn take(replay: &mut Replay, options: &SnapshotOptions) -> Result<Self, SnapshotError> {
        Self::take_with(replay, options, |_| {})
    }

    /// [`take`](Self::take) that tells `progress` after each frame how many were taken. Errors: as [`take`](Self::take).
    pub fn take_with(
        replay: &mut Replay,
        options: &SnapshotOptions,
        mut progress: impl FnMut(usize),
    ) -> Result<Self, SnapshotError> {
        let selection = options.selection()?;
        replay.load(0)?;
        let tolerance = options.tolerance(diagonal(replay)?)?;
        let mut snapshot = Self {
            selection,
            tolerance,
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            objects: object_lines(replay.scene()).map_err(ReplayError::from)?,
            pairs: pair_lines(replay)?,
            frames: Vec::new(),
        };
        for index in (0..replay.frame_count()).step_by(selection.every) {
            replay.load(index)?;
            replay.detect()?;
            snapshot.frames.push(frame_record(replay, index, selection.detail, &tolerance)?);
            progress(snapshot.frames.len());
        }
        Ok(snapshot)
    }

    /// The options with which this snapshot was taken.
    pub fn options(&self) -> SnapshotOptions {
        SnapshotOptions {
            every: self.selection.every,
            detail: self.selection.detail,
            tolerance: Some(self.tolerance.lengths),
            unit_tolerance: self.tolerance.units,
        }
    }

    /// Checks that a snapshot taken with these options can be compared with this one. Errors: invalid options; options
    /// that differ from those of this snapshot in more than the tolerances.
    pub fn check_options(&self, options: &SnapshotOptions) -> Result<(), SnapshotError> {
        self.selection.check_same(&options.selection()?)
    }
}

/// The diagonal of the bounding box of all bounded objects, in metres; zero if there are none.
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
        let names = on_one_line(&format!("{a} : {b}"));
        let (detector, settings) = (pair.detector().to_owned(), pair.settings());
        Ok(PairLine { names, detector, margin: pair.margin(), settings })
    };
    replay.pairs().map(line).collect()
}

/// Names with their control characters escaped: a pair is a line.
fn on_one_line(names: &str) -> String {
    let mut line = String::new();
    for letter in names.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

fn frame_record(
    replay: &Replay,
    number: usize,
    detail: Detail,
    tolerance: &Tolerance,
) -> Result<FrameRecord, ReplayError> {
    let record = |id| {
        let pair = replay.scene().pair(id)?;
        let contacts = &pair.contacts().contacts;
        let flags: Vec<_> = pair.status().flags.names().collect();
        let depths = contacts.iter().map(|contact| contact.depth);
        let greatest = depths.max_by(f64::total_cmp).filter(|_| detail == Detail::Counts);
        let listed = match detail {
            Detail::Contacts => contacts.iter().collect(),
            Detail::Deepest(most) => deepest(contacts, most),
            Detail::Counts => Vec::new(),
        };
        Ok(PairRecord {
            count: contacts.len(),
            flags: flags.join(" "),
            greatest_depth: greatest.map(|depth| tolerance.length(depth)),
            contacts: listed.into_iter().map(|contact| ContactLine::new(contact, tolerance)).collect(),
        })
    };
    let pairs = replay.pairs().map(record).collect::<Result<_, ReplayError>>()?;
    let states = fingerprints(replay.scene())?;
    Ok(FrameRecord { number, time: replay.time(), states, pairs })
}

/// The deepest contacts, at most `most`, in their original order; ties go to the first.
fn deepest(contacts: &[Contact], most: usize) -> Vec<&Contact> {
    let mut places: Vec<usize> = (0..contacts.len()).collect();
    places.sort_by(|&a, &b| contacts[b].depth.total_cmp(&contacts[a].depth));
    places.truncate(most);
    places.sort_unstable();
    places.into_iter().map(|place| &contacts[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Feature;
    use crate::math::Vector;

    #[test]
    fn the_deepest_keep_their_order_and_ties_go_to_the_first() {
        let contact = |(id, depth): (u64, f64)| {
            let point = Feature::point(Point::origin());
            Contact::exact(point, point, Vector::y(), depth, id)
        };
        let contacts = [(0, 0.5), (1, 0.25), (2, 0.75), (3, 0.5), (4, -1.0)].map(contact);
        let ids = |most| deepest(&contacts, most).iter().map(|contact| contact.id).collect::<Vec<_>>();
        assert_eq!(ids(1), [2]);
        assert_eq!(ids(2), [0, 2]);
        assert_eq!(ids(9), [0, 1, 2, 3, 4]);
    }
}
