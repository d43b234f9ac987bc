//! Comparison of two snapshots.

use super::compare_pair::CommonPair;
use super::difference::{Change, Difference};
use super::error::SnapshotError;
use super::line::change;
use super::model::{ContactSnapshot, PairLine};
use std::collections::BTreeMap;

impl ContactSnapshot {
    /// The differences of `now` from this snapshot, empty if the contacts agree: first those of the
    /// [input](Self::input_differences), then those of whole pairs, then frame by frame. An input that differs while the
    /// contacts agree is no difference.
    ///
    /// Contacts are matched by key within their frame and pair, pairs by the names of their objects. Numbers may differ
    /// by the larger of the tolerances of the two snapshots. The same contacts in a different order are one difference
    /// of the pair, regardless of the number of frames.
    ///
    /// If only the deepest contacts are listed, a missing contact may have been displaced by deeper ones: it is a
    /// difference only if it is deeper than the shallowest listed contact.
    ///
    /// Errors: the snapshots were taken with different options.
    pub fn differences(&self, now: &Self) -> Result<Vec<Difference>, SnapshotError> {
        self.selection.check_same(&now.selection)?;
        let tolerance = self.tolerance.coarser(&now.tolerance);
        let mut found = Vec::new();
        let pairs = match_pairs(&self.pairs, &now.pairs, &mut found);
        if self.frames.len() != now.frames.len() {
            let what = format!("number of frames was {}, is {}", self.frames.len(), now.frames.len());
            found.push(Difference::new(Change::Changed, None, None, what));
        }
        let frames: BTreeMap<_, _> = now.frames.iter().map(|frame| (frame.number, frame)).collect();
        let common: Vec<_> =
            self.frames.iter().filter_map(|was| Some((was, *frames.get(&was.number)?))).collect();
        found.extend(pairs.iter().filter_map(|pair| pair.order(&common)));
        for (was, is) in common {
            // Times are recorded, not computed: they have no tolerance.
            if let Some(what) = change("time", was.time, is.time, 0.0, " s") {
                found.push(Difference::new(Change::Changed, Some(was.number), None, what));
            }
            found.extend(pairs.iter().flat_map(|pair| pair.differences(was, is, &tolerance)));
        }
        // The first in time comes first: the order of contacts was found for all frames.
        found.sort_by_key(|difference| difference.frame);
        if !found.is_empty() {
            found.splice(..0, self.input_differences(now));
        }
        Ok(found)
    }
}

/// Matches pairs by name, in order if several have the same names; returns the common pairs and adds the differences to
/// `found`.
fn match_pairs<'a>(was: &'a [PairLine], is: &[PairLine], found: &mut Vec<Difference>) -> Vec<CommonPair<'a>> {
    let mut note = |change, pair: &PairLine, what| {
        found.push(Difference::new(change, None, Some(&pair.names), what));
    };
    let mut common = Vec::new();
    let mut is_matched = vec![false; is.len()];
    for (number, pair) in was.iter().enumerate() {
        let same = (0..is.len()).find(|&other| !is_matched[other] && is[other].names == pair.names);
        let Some(other) = same else {
            note(Change::Removed, pair, format!("pair by {}", pair.detector));
            continue;
        };
        is_matched[other] = true;
        common.push(CommonPair { names: &pair.names, numbers: [number, other] });
        let now = &is[other];
        if pair.detector != now.detector {
            note(Change::Changed, pair, format!("detector was {}, is {}", pair.detector, now.detector));
        }
        // A margin is an input, not computed: it has no tolerance.
        if let Some(what) = change("margin", pair.margin, now.margin, 0.0, " m") {
            note(Change::Changed, pair, what);
        }
    }
    for (pair, _) in is.iter().zip(is_matched).filter(|(_, is_matched)| !is_matched) {
        note(Change::Added, pair, format!("pair by {}", pair.detector));
    }
    common
}

#[cfg(test)]
mod tests {
    use super::super::model::FrameRecord;
    use super::super::selection::Detail;
    use super::*;

    /// A frame without contacts, and one with `ids.len()` contacts of a first pair and one of a second.
    fn snapshot(ids: &[u32]) -> ContactSnapshot {
        let mut text = "palpate contacts 3
every 1, all contacts
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

    fn told(was: &ContactSnapshot, is: &ContactSnapshot) -> Vec<String> {
        was.differences(is).expect("the same options").iter().map(ToString::to_string).collect()
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
    fn only_changes_beyond_the_tolerance_are_differences() {
        let was = snapshot(&fifty());
        let changed = |by: f64| {
            let mut is = snapshot(&fifty());
            is.frames[1].pairs[0].contacts[7].lengths[0] += by;
            was.differences(&is).unwrap().len()
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
    fn swapped_contacts_are_one_difference_of_the_pair() {
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
                "~ frame 1, a : b: contacts in another order in 2 frames from here: vertex 3 cell 0 ~ point id 3 was where \
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
        let check = |mutant: fn(&mut ContactSnapshot), wanted: &str| {
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

    #[test]
    fn different_options_are_an_error_that_names_both() {
        let (was, mut is) = (snapshot(&[4]), snapshot(&[4]));
        is.selection.every = 10;
        is.selection.detail = Detail::Deepest(3);
        let error = was.differences(&is).unwrap_err().to_string();
        assert!(
            error.contains("\"every 10, deepest 3\"") && error.contains("\"every 1, all contacts\""),
            "{error}"
        );
    }
}
