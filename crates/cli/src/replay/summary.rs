//! The summary of a replay: counts, the deepest contact, times.

use super::sink::pair_of;
use crate::error::CommandError;
use crate::text::{self, aligned, wrapped};
use crate::words;
use palpate::detect::Flags;
use palpate::replay::Replay;
use serde::Serialize;
use std::time::Duration;

/// Counts contacts and times frame by frame.
pub(crate) struct Tally {
    pairs: Vec<PairTally>,
    steps: Vec<Duration>,
}

#[derive(Clone, Default)]
struct PairTally {
    contacts: u64,
    frames_in_contact: u64,
    deepest: Option<Deepest>,
    flags: Flags,
}

/// The deepest contact of a pair; ties go to the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Deepest {
    /// Metres.
    pub(crate) depth: f64,
    /// The frame, from 0.
    pub(crate) frame: usize,
    /// Seconds.
    pub(crate) time: f64,
}

/// The summary of a replay.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) frames: usize,
    pub(crate) first_frame: usize,
    pub(crate) contacts: u64,
    pub(crate) pairs: Vec<PairSummary>,
    /// Index of the pair with the deepest contact.
    pub(crate) deepest_pair: Option<usize>,
    /// Pairs without a detector, if all pairs were requested.
    pub(crate) unsupported: Vec<(String, String)>,
    pub(crate) timing: Timing,
}

#[derive(Debug, Serialize)]
pub(crate) struct PairSummary {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) detector: String,
    pub(crate) margin: f64,
    pub(crate) contacts: u64,
    pub(crate) frames_in_contact: u64,
    pub(crate) deepest: Option<Deepest>,
    pub(crate) flags: Vec<&'static str>,
}

/// Seconds of detection for one frame, without reading and writing.
#[derive(Debug, Serialize)]
pub(crate) struct Timing {
    pub(crate) median: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    pub(crate) frames_per_second: f64,
    pub(crate) recorded_frames_per_second: Option<f64>,
    /// Reading, detecting and writing together.
    pub(crate) overall_frames_per_second: f64,
}

impl Tally {
    /// A tally for the pairs of a replay.
    pub(crate) fn new(replay: &Replay) -> Self {
        Self { pairs: vec![PairTally::default(); replay.pairs().count()], steps: Vec::new() }
    }

    /// Counts the frame that was detected in `step`.
    pub(crate) fn count(
        &mut self,
        frame: usize,
        step: Duration,
        replay: &Replay,
    ) -> Result<(), CommandError> {
        self.steps.push(step);
        for (tally, id) in self.pairs.iter_mut().zip(replay.pairs()) {
            let pair = pair_of(replay, id)?;
            let contacts = pair.contacts();
            tally.contacts += contacts.len() as u64;
            tally.frames_in_contact += u64::from(!contacts.is_empty());
            tally.flags |= pair.status().flags;
            let depth = contacts.deepest().map(|contact| contact.depth);
            if let Some(depth) = depth.filter(|&depth| tally.deepest.is_none_or(|best| depth > best.depth)) {
                tally.deepest = Some(Deepest { depth, frame, time: replay.time() });
            }
        }
        Ok(())
    }

    /// The summary of the frames from `first_frame` on, which took `overall` including reading and writing.
    pub(crate) fn summary(
        mut self,
        first_frame: usize,
        overall: Duration,
        replay: &Replay,
    ) -> Result<Summary, CommandError> {
        let mut pairs = Vec::new();
        for (tally, id) in self.pairs.iter().zip(replay.pairs()) {
            pairs.push(tally.summary(replay, id)?);
        }
        let deepest_pair = deepest(&pairs);
        self.steps.sort_unstable();
        let detection: Duration = self.steps.iter().sum();
        let frames = self.steps.len();
        let rate = |time: Duration| frames as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE);
        Ok(Summary {
            frames,
            first_frame,
            contacts: pairs.iter().map(|pair| pair.contacts).sum(),
            pairs,
            deepest_pair,
            unsupported: replay.unsupported().to_vec(),
            timing: Timing {
                median: quantile(&self.steps, 0.5),
                p99: quantile(&self.steps, 0.99),
                max: quantile(&self.steps, 1.0),
                frames_per_second: rate(detection),
                recorded_frames_per_second: replay.time_step().map(|step| 1.0 / step),
                overall_frames_per_second: rate(overall),
            },
        })
    }
}

impl PairTally {
    fn summary(&self, replay: &Replay, id: palpate::scene::PairId) -> Result<PairSummary, CommandError> {
        let pair = pair_of(replay, id)?;
        let [a, b] = replay.names(id)?.map(str::to_owned);
        Ok(PairSummary {
            a,
            b,
            detector: pair.detector().to_owned(),
            margin: pair.margin(),
            contacts: self.contacts,
            frames_in_contact: self.frames_in_contact,
            deepest: self.deepest,
            flags: self.flags.names().collect(),
        })
    }
}

/// The pair with the deepest contact; ties go to the first.
fn deepest(pairs: &[PairSummary]) -> Option<usize> {
    let depth = |index: &usize| pairs[*index].deepest.map_or(f64::NEG_INFINITY, |deepest| deepest.depth);
    let touched = (0..pairs.len()).filter(|&index| pairs[index].deepest.is_some());
    touched.reduce(|best, next| if depth(&next) > depth(&best) { next } else { best })
}

/// The `q` quantile of the sorted times, in seconds.
fn quantile(sorted: &[Duration], q: f64) -> f64 {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).map_or(0.0, Duration::as_secs_f64)
}

impl Summary {
    /// The summary as text.
    pub(crate) fn text(&self) -> String {
        let mut text = aligned(&self.table());
        if let Some(pair) = self.deepest_pair.map(|index| &self.pairs[index]) {
            let at = pair.deepest.map_or_else(String::new, |at| at.text());
            text.push_str(&format!("\ndeepest: {}, {at}\n", pair.names()));
        }
        for pair in self.pairs.iter().filter(|pair| !pair.flags.is_empty()) {
            text.push_str(&format!("note: {}: {}\n", pair.names(), pair.flags.join(", ")));
        }
        for (a, b) in &self.unsupported {
            let note = format!("note: {} : {} was not detected:", text::name(a), text::name(b));
            text.push_str(&format!("{note}\n  the two kinds have no default detector\n"));
        }
        text.push_str(&self.timing.text(self.frames));
        text
    }

    fn table(&self) -> Vec<[String; 6]> {
        let titles = ["pair", "detector", "contacts", "frames", "deepest", "frame"];
        let mut lines = vec![titles.map(str::to_owned)];
        for pair in &self.pairs {
            let depth = pair.deepest.map_or_else(|| "-".to_owned(), |at| words::length(at.depth));
            let frame = pair.deepest.map_or_else(|| "-".to_owned(), |at| at.frame.to_string());
            // A continuous detector and the static one after it: the second on a line of its own.
            let (first, then) = match pair.detector.find('+') {
                Some(at) => pair.detector.split_at(at),
                None => (pair.detector.as_str(), ""),
            };
            lines.push([
                pair.names(),
                first.to_owned(),
                words::count(pair.contacts),
                words::count(pair.frames_in_contact),
                depth,
                frame,
            ]);
            if !then.is_empty() {
                lines.push(["", then, "", "", "", ""].map(str::to_owned));
            }
        }
        lines
    }
}

impl PairSummary {
    /// The names for a table or a sentence.
    pub(crate) fn names(&self) -> String {
        format!("{} : {}", text::name(&self.a), text::name(&self.b))
    }
}

impl Deepest {
    fn text(&self) -> String {
        format!(
            "{} in frame {} ({} s)",
            words::length(self.depth),
            self.frame,
            words::significant(self.time, 4)
        )
    }
}

impl Timing {
    fn text(&self, frames: usize) -> String {
        let mut text = format!(
            "{} detected, a frame in {} (median), {} (p99), {} (max): {} frames a second",
            words::plural(frames, "frame"),
            words::seconds(self.median),
            words::seconds(self.p99),
            words::seconds(self.max),
            words::count(self.frames_per_second as u64),
        );
        if let Some(recorded) = self.recorded_frames_per_second {
            let factor = words::significant(self.frames_per_second / recorded, 2);
            let own = words::significant(recorded, 4);
            text.push_str(&format!(", {factor} times the recording's own {own}"));
        }
        let overall = words::count(self.overall_frames_per_second as u64);
        format!("{}\nwith reading and writing: {overall} frames a second\n", wrapped(&text, 80, 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_measured_values() {
        let times: Vec<_> = (1..=200).map(Duration::from_secs).collect();
        assert_eq!(
            (quantile(&times, 0.5), quantile(&times, 0.99), quantile(&times, 1.0)),
            (100.0, 198.0, 200.0)
        );
        assert_eq!(quantile(&times[..1], 0.99), 1.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
