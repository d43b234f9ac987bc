//! Comparison of one pair between two snapshots.

use super::difference::{Change, Difference};
use super::line::{ContactLine, change};
use super::matching::Matching;
use super::model::{FrameRecord, PairRecord};
use super::tolerance::{Tolerance, agree};

/// A pair that is in both snapshots.
pub(super) struct CommonPair<'a> {
    /// The names of its objects.
    pub(super) names: &'a str,
    /// Its indices in the first and the second snapshot.
    pub(super) numbers: [usize; 2],
}

impl CommonPair<'_> {
    /// The difference in the order of the contacts, with the number of frames; `None` if the order is the same.
    pub(super) fn order(&self, frames: &[(&FrameRecord, &FrameRecord)]) -> Option<Difference> {
        let out_of_order = |(was, is): &(&FrameRecord, &FrameRecord)| {
            let [was_pair, is_pair] = self.records(was, is);
            let matching = Matching::new(&was_pair.contacts, &is_pair.contacts);
            let (first, second) = matching.out_of_order?;
            Some((was.number, first.name(), second.name()))
        };
        let mut found = frames.iter().filter_map(out_of_order);
        let (frame, was, is) = found.next()?;
        let count = 1 + found.count();
        let frames = if count == 1 { "this frame".to_owned() } else { format!("{count} frames from here") };
        let what = format!("contacts in another order in {frames}: {was} was where {is} is");
        Some(Difference::new(Change::Changed, Some(frame), Some(self.names), what))
    }

    /// The differences in a frame.
    pub(super) fn differences(
        &self,
        was: &FrameRecord,
        is: &FrameRecord,
        tolerance: &Tolerance,
    ) -> Vec<Difference> {
        let frame = was.number;
        let [was, is] = self.records(was, is);
        let mut found = Found { frame, names: self.names, all: Vec::new() };
        if was.flags != is.flags {
            let told = |flags: &str| if flags.is_empty() { "none".to_owned() } else { flags.to_owned() };
            found.note(Change::Changed, format!("flags were {}, are {}", told(&was.flags), told(&is.flags)));
        }
        if let (Some(was), Some(is)) = (was.greatest_depth, is.greatest_depth)
            && let Some(what) = change("greatest depth", was, is, tolerance.lengths, " m")
        {
            found.note(Change::Changed, what);
        }
        let matching = Matching::new(&was.contacts, &is.contacts);
        for (was, is) in &matching.common {
            let changes = was.changes(is, tolerance);
            if !changes.is_empty() {
                found.note(Change::Changed, format!("{}: {}", was.name(), changes.join("; ")));
            }
        }
        let mut explained = 0;
        for line in matching.removed.iter().filter(|line| !may_be_cut(line, is, tolerance)) {
            found.note(Change::Removed, line.summary());
            explained -= 1;
        }
        for line in matching.added.iter().filter(|line| !may_be_cut(line, was, tolerance)) {
            found.note(Change::Added, line.summary());
            explained += 1;
        }
        // If all contacts are listed, the added and removed ones explain the change of the count.
        if was.count != is.count && is.count as i64 - was.count as i64 != explained {
            found.note(Change::Changed, format!("number of contacts was {}, is {}", was.count, is.count));
        }
        found.all
    }

    fn records<'a>(&self, was: &'a FrameRecord, is: &'a FrameRecord) -> [&'a PairRecord; 2] {
        [&was.pairs[self.numbers[0]], &is.pairs[self.numbers[1]]]
    }
}

/// Differences in a frame of a pair.
struct Found<'a> {
    frame: usize,
    names: &'a str,
    all: Vec<Difference>,
}

impl Found<'_> {
    fn note(&mut self, change: Change, what: String) {
        self.all.push(Difference::new(change, Some(self.frame), Some(self.names), what));
    }
}

/// Whether a contact can be an unlisted one of `pair`: only the deepest are listed, and it is not deeper than the
/// shallowest of them. Among contacts of equal depth, rounding decides which are listed.
fn may_be_cut(line: &ContactLine, pair: &PairRecord, tolerance: &Tolerance) -> bool {
    let depths = pair.contacts.iter().map(ContactLine::depth);
    let is_least = |least: f64| line.depth() <= least || agree(line.depth(), least, tolerance.lengths);
    pair.count > pair.contacts.len() && depths.min_by(f64::total_cmp).is_some_and(is_least)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: Tolerance = Tolerance { lengths: 1e-3, units: 1e-6 };

    /// A frame with one pair: its count, and the ids and depths of the contacts that are listed.
    fn frame(count: usize, listed: &[(u32, f64)]) -> FrameRecord {
        let line = |(id, depth): &(u32, f64)| {
            ContactLine::parse(&format!("vertex {id} ~ point id {id} | {depth} 0 0 0 0 0 0 | 0 0 1 1"))
        };
        let contacts = listed.iter().map(line).collect::<Option<_>>().expect("lines as they are written");
        let pair = PairRecord { count, contacts, ..PairRecord::default() };
        FrameRecord { number: 7, time: 0.5, states: Vec::new(), pairs: vec![pair] }
    }

    fn told(was: &FrameRecord, is: &FrameRecord) -> Vec<String> {
        let pair = CommonPair { names: "a : b", numbers: [0, 0] };
        pair.differences(was, is, &TOLERANCE).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_deeper_contact_that_pushes_another_out_is_one_difference() {
        let was = frame(5, &[(1, 0.5), (2, 0.25), (3, 0.75)]);
        let is = frame(6, &[(1, 0.5), (9, 1.0), (3, 0.75)]);
        assert_eq!(told(&was, &is), ["+ frame 7, a : b: vertex 9 ~ point id 9, depth 1 m"]);
        assert_eq!(told(&is, &was), ["- frame 7, a : b: vertex 9 ~ point id 9, depth 1 m"]);
    }

    #[test]
    fn unlisted_contacts_are_compared_by_count() {
        let (was, is) = (frame(5, &[(1, 0.5), (2, 0.25)]), frame(6, &[(1, 0.5), (2, 0.25)]));
        assert_eq!(told(&was, &is), ["~ frame 7, a : b: number of contacts was 5, is 6"]);
    }

    #[test]
    fn a_depth_tie_at_the_end_of_the_list_is_no_difference() {
        let (was, is) = (frame(3, &[(1, 0.5), (2, 0.2504)]), frame(3, &[(1, 0.5), (3, 0.2501)]));
        assert_eq!((told(&was, &is).len(), told(&is, &was).len()), (0, 0));
        let is = frame(3, &[(1, 0.5), (3, 0.3)]);
        assert_eq!(told(&was, &is), ["+ frame 7, a : b: vertex 3 ~ point id 3, depth 0.3 m"]);
    }

    #[test]
    fn counts_compare_the_number_and_the_greatest_depth() {
        let counted = |count, greatest_depth| {
            let pair = PairRecord { count, greatest_depth, ..PairRecord::default() };
            FrameRecord { number: 7, time: 0.5, states: Vec::new(), pairs: vec![pair] }
        };
        assert_eq!(told(&counted(2, Some(0.5)), &counted(2, Some(0.501))), [""; 0]);
        assert_eq!(
            told(&counted(2, Some(0.5)), &counted(3, Some(0.625))),
            [
                "~ frame 7, a : b: greatest depth was 0.5, is 0.625 (by 1.25e-1 m)",
                "~ frame 7, a : b: number of contacts was 2, is 3"
            ]
        );
        assert_eq!(
            told(&counted(1, Some(0.5)), &counted(0, None)),
            ["~ frame 7, a : b: number of contacts was 1, is 0"]
        );
    }
}
