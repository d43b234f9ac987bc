//! Two snapshots, compared.

use super::difference::{Change, Difference};
use super::line::change;
use super::matching::Matching;
use super::model::{FrameRecord, PairLine, PairRecord, Snapshot};
use super::tolerance::Tolerance;
use std::collections::BTreeMap;

impl Snapshot {
    /// What differs in `now`: what is of pairs as a whole first, then frame by frame; empty when the two agree.
    ///
    /// Contacts are matched by key within their frame and pair, pairs by the names of their objects. Numbers may differ
    /// by the larger of the tolerances that the two snapshots state. Where the same contacts come in another order, that is
    /// one difference of the pair, however many frames it is in.
    pub fn differences(&self, now: &Self) -> Vec<Difference> {
        let mut comparison =
            Comparison { tolerance: self.tolerance.coarser(&now.tolerance), found: Vec::new() };
        let pairs = comparison.pairs(&self.pairs, &now.pairs);
        if self.frames.len() != now.frames.len() {
            let what = format!("number of frames was {}, is {}", self.frames.len(), now.frames.len());
            comparison.found.push(Difference::new(Change::Changed, None, None, what));
        }
        let frames: BTreeMap<_, _> = now.frames.iter().map(|frame| (frame.number, frame)).collect();
        let common: Vec<_> =
            self.frames.iter().filter_map(|was| Some((was, *frames.get(&was.number)?))).collect();
        for &pair in &pairs {
            comparison.order(&common, pair);
        }
        for (was, is) in common {
            comparison.frame(was, is, &pairs);
        }
        comparison.found
    }
}

/// A pair of both snapshots: its names, and its number in each.
type CommonPair<'a> = (&'a str, [usize; 2]);

struct Comparison {
    tolerance: Tolerance,
    found: Vec<Difference>,
}

impl Comparison {
    fn note(&mut self, change: Change, frame: Option<usize>, pair: &str, what: String) {
        self.found.push(Difference::new(change, frame, Some(pair), what));
    }

    /// Matches pairs by name, in turn where several have the same; returns those of both.
    fn pairs<'a>(&mut self, was: &'a [PairLine], is: &'a [PairLine]) -> Vec<CommonPair<'a>> {
        let mut common = Vec::new();
        let mut is_matched = vec![false; is.len()];
        for (number, pair) in was.iter().enumerate() {
            let same = (0..is.len()).find(|&other| !is_matched[other] && is[other].names == pair.names);
            let Some(other) = same else {
                self.note(Change::Removed, None, &pair.names, format!("pair by {}", pair.detector));
                continue;
            };
            is_matched[other] = true;
            common.push((pair.names.as_str(), [number, other]));
            let now = &is[other];
            if pair.detector != now.detector {
                let what = format!("detector was {}, is {}", pair.detector, now.detector);
                self.note(Change::Changed, None, &pair.names, what);
            }
            // A margin is asked for, not computed: it has no tolerance.
            if let Some(what) = change("margin", pair.margin, now.margin, 0.0, " m") {
                self.note(Change::Changed, None, &pair.names, what);
            }
        }
        for (pair, _) in is.iter().zip(is_matched).filter(|(_, is_matched)| !is_matched) {
            self.note(Change::Added, None, &pair.names, format!("pair by {}", pair.detector));
        }
        common
    }

    /// Notes once in how many frames the common contacts of a pair come in another order.
    fn order(&mut self, frames: &[(&FrameRecord, &FrameRecord)], (names, numbers): CommonPair) {
        let mut first = None;
        let mut count = 0;
        for (was, is) in frames {
            let matching = Matching::new(&was.pairs[numbers[0]].contacts, &is.pairs[numbers[1]].contacts);
            if let Some(lines) = matching.out_of_order {
                count += 1;
                first.get_or_insert((was.number, lines));
            }
        }
        if let Some((frame, (was, is))) = first {
            let (was, is) = (was.name(), is.name());
            let frames = if count == 1 { "1 frame".to_owned() } else { format!("{count} frames") };
            let what = format!(
                "contacts in another order in {frames}, first in frame {frame}: {was} was where {is} is"
            );
            self.note(Change::Changed, None, names, what);
        }
    }

    fn frame(&mut self, was: &FrameRecord, is: &FrameRecord, pairs: &[CommonPair]) {
        // Times are recorded, not computed: they have no tolerance.
        if let Some(what) = change("time", was.time, is.time, 0.0, " s") {
            self.found.push(Difference::new(Change::Changed, Some(was.number), None, what));
        }
        for &(names, numbers) in pairs {
            self.pair(was.number, names, &was.pairs[numbers[0]], &is.pairs[numbers[1]]);
        }
    }

    fn pair(&mut self, frame: usize, names: &str, was: &PairRecord, is: &PairRecord) {
        let frame = Some(frame);
        if was.flags != is.flags {
            let told = |flags: &str| if flags.is_empty() { "none".to_owned() } else { flags.to_owned() };
            let what = format!("flags were {}, are {}", told(&was.flags), told(&is.flags));
            self.note(Change::Changed, frame, names, what);
        }
        let matching = Matching::new(&was.contacts, &is.contacts);
        for (was, is) in &matching.common {
            let changes = was.changes(is, &self.tolerance);
            if !changes.is_empty() {
                self.note(Change::Changed, frame, names, format!("{}: {}", was.name(), changes.join("; ")));
            }
        }
        for line in &matching.removed {
            self.note(Change::Removed, frame, names, line.summary());
        }
        for line in &matching.added {
            self.note(Change::Added, frame, names, line.summary());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame without contacts, and one with `ids.len()` contacts of a first pair and one of a second.
    fn snapshot(ids: &[u32]) -> Snapshot {
        let mut text = "palpate contacts 2
lengths to 1e-9 m, directions and weights to 1e-6
the columns
pair 0: a : b by x margin 0
pair 1: a : c by y margin 0.5
frame 0 at 0 s: 0 0
"
        .to_owned();
        text += &format!("frame 1 at 0.5 s: {} 1\n", ids.len());
        for id in ids {
            text +=
                &format!("  0: vertex {id} cell 0 ~ point id {id} | 0.25 {id} 2 3 {id} 2 3.25 | 0 0 1 1\n");
        }
        text += "  1: point ~ point id 0 | 0 0 0 0 0 0 0 | 1 0 0\n";
        text.parse().expect("a snapshot as it is written")
    }

    fn fifty() -> Vec<u32> {
        (0..50).collect()
    }

    fn told(was: &Snapshot, is: &Snapshot) -> Vec<String> {
        was.differences(is).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_snapshot_agrees_with_itself() {
        assert_eq!(told(&snapshot(&fifty()), &snapshot(&fifty())), [""; 0]);
    }

    #[test]
    fn one_contact_among_fifty_that_is_new_is_one_difference() {
        let mut ids = fifty();
        ids.insert(20, 99);
        let found = told(&snapshot(&fifty()), &snapshot(&ids));
        assert_eq!(found, ["+ frame 1, a : b: vertex 99 cell 0 ~ point id 99, depth 0.25 m"]);
    }

    #[test]
    fn one_contact_among_fifty_that_is_gone_is_one_difference() {
        let mut ids = fifty();
        ids.remove(20);
        let found = told(&snapshot(&fifty()), &snapshot(&ids));
        assert_eq!(found, ["- frame 1, a : b: vertex 20 cell 0 ~ point id 20, depth 0.25 m"]);
    }

    #[test]
    fn a_number_that_has_changed_is_named() {
        let (was, mut is) = (snapshot(&fifty()), snapshot(&fifty()));
        is.frames[1].pairs[0].contacts[7].lengths[0] = 0.375;
        is.frames[1].pairs[0].contacts[7].direction[1] = 0.5;
        let found = told(&was, &is);
        assert_eq!(
            found,
            [
                "~ frame 1, a : b: vertex 7 cell 0 ~ point id 7: depth was 0.25, is 0.375 (by 1.25e-1 m); direction, y was \
              0, is 0.5 (by 5.00e-1)"
            ]
        );
    }

    #[test]
    fn a_change_within_the_tolerance_is_none_and_one_beyond_is() {
        let was = snapshot(&fifty());
        let changed = |by: f64| {
            let mut is = snapshot(&fifty());
            is.frames[1].pairs[0].contacts[7].lengths[0] += by;
            was.differences(&is).len()
        };
        assert_eq!([1e-9, -1e-9, 1.25e-9, -1.25e-9, f64::NAN].map(changed), [0, 0, 1, 1, 1]);
        let mut coarse = snapshot(&fifty());
        coarse.tolerance.lengths = 1e-3;
        coarse.frames[1].pairs[0].contacts[7].lengths[0] += 0.9e-3;
        assert_eq!(
            (told(&was, &coarse).len(), told(&coarse, &was).len()),
            (0, 0),
            "the larger tolerance counts"
        );
    }

    #[test]
    fn two_that_are_swapped_are_one_difference_of_the_pair() {
        let mut ids = fifty();
        ids.swap(3, 4);
        let (mut was, mut is) = (snapshot(&fifty()), snapshot(&ids));
        // The same in a further frame.
        for snapshot in [&mut was, &mut is] {
            let further = FrameRecord { number: 2, ..snapshot.frames[1].clone() };
            snapshot.frames.push(further);
        }
        let found = told(&was, &is);
        assert_eq!(
            found,
            [
                "~ a : b: contacts in another order in 2 frames, first in frame 1: vertex 3 cell 0 ~ point id 3 was where \
              vertex 4 cell 0 ~ point id 4 is"
            ]
        );
    }

    #[test]
    fn pairs_are_matched_by_name() {
        let (was, mut is) = (snapshot(&[4]), snapshot(&[4]));
        is.pairs.swap(0, 1);
        is.frames.iter_mut().for_each(|frame| frame.pairs.swap(0, 1));
        assert_eq!(told(&was, &is), [""; 0]);
        is.pairs[0].margin = 0.0;
        is.pairs[1].names = "a : d".to_owned();
        assert_eq!(
            told(&was, &is),
            ["- a : b: pair by x", "~ a : c: margin was 0.5, is 0 (by -5.00e-1 m)", "+ a : d: pair by x"]
        );
    }

    #[test]
    fn frames_times_flags_and_elements_are_exact() {
        let was = snapshot(&[4]);
        let check = |mutant: fn(&mut Snapshot), wanted: &str| {
            let mut is = snapshot(&[4]);
            mutant(&mut is);
            assert_eq!(told(&was, &is), [wanted]);
        };
        check(|is| drop(is.frames.pop()), "~ number of frames was 2, is 1");
        check(|is| is.frames[0].time = 0.125, "~ frame 0: time was 0, is 0.125 (by 1.25e-1 s)");
        check(
            |is| is.frames[0].pairs[1].flags = "open_surface".to_owned(),
            "~ frame 0, a : c: flags were none, are open_surface",
        );
        check(
            |is| is.frames[1].pairs[1].contacts[0].elements = "point cell 1 ~ point".to_owned(),
            "~ frame 1, a : c: point ~ point id 0: elements were point ~ point, are point cell 1 ~ point",
        );
    }
}
