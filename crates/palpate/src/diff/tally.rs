//! Counting of findings.

use super::report::{Finding, FrameReport, Kind, PairReport, Report};

/// A difference whose words are written only if they are kept.
pub(super) struct Found<'a> {
    pub(super) kinds: &'a [Kind],
    pub(super) frame: Option<u64>,
    /// An index into the pairs of the report.
    pub(super) pair: Option<usize>,
    pub(super) size: f64,
}

/// Collects findings: all are counted, the first are kept in words.
pub(super) struct Tally {
    pub(super) report: Report,
    described: usize,
}

impl Tally {
    /// For these pairs, as `a : b`.
    pub(super) fn new(pairs: impl Iterator<Item = String>, described: usize) -> Self {
        let pairs = pairs.map(|pair| PairReport { pair, ..PairReport::default() }).collect();
        Self { report: Report { pairs, ..Report::default() }, described }
    }

    /// Adds a difference; `words` is called if it is kept.
    pub(super) fn add(&mut self, found: &Found<'_>, words: impl FnOnce() -> String) {
        let report = &mut self.report;
        report.differences += 1;
        if let Some(pair) = found.pair.and_then(|pair| report.pairs.get_mut(pair)) {
            for &kind in found.kinds {
                *pair.counts.entry(kind).or_insert(0) += 1;
            }
            if let Some(frame) = found.frame {
                pair.frames += u64::from(pair.last_frame != Some(frame));
                pair.first_frame.get_or_insert(frame);
                pair.last_frame = Some(frame);
            }
            pair.largest = pair.largest.max(found.size);
        }
        if let Some(frame) = found.frame {
            match report.differing_frames.last_mut().filter(|last| last.frame == frame) {
                Some(last) => last.differences += 1,
                None => report.differing_frames.push(FrameReport { frame, differences: 1 }),
            }
        }
        let is_worst = report.worst.as_ref().is_none_or(|worst| found.size > worst.size);
        // Pairs come before the frames, which come in the order of time.
        let is_first = report.first.is_none();
        let is_kept = report.findings.len() < self.described;
        if !(is_worst || is_first || is_kept) {
            return;
        }
        let finding = Finding {
            kinds: found.kinds.to_vec(),
            frame: found.frame,
            pair: found.pair.and_then(|pair| report.pairs.get(pair)).map(|pair| pair.pair.clone()),
            what: words(),
            size: found.size,
        };
        if is_worst {
            report.worst = Some(finding.clone());
        }
        if is_first {
            report.first = Some(finding.clone());
        }
        if is_kept {
            report.findings.push(finding);
        }
    }
}
