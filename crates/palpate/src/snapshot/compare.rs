//! Two snapshots, compared.

use super::line::ContactLine;
use super::{FrameLines, LENGTH_TOLERANCE, Snapshot, UNIT_TOLERANCE};

impl Snapshot {
    /// What differs in `other`, in the order of the frames, a line each, `limit` at most; empty when the two agree.
    /// Counts, ids and names have to be the same; lengths may differ by 1e-9 of this snapshot's diagonal, directions and
    /// weights by 1e-6.
    pub fn differences(&self, other: &Self, limit: usize) -> Vec<String> {
        let lengths = LENGTH_TOLERANCE * self.diagonal;
        let mut found = Vec::new();
        compare("the diagonal of the scene", &[self.diagonal], &[other.diagonal], lengths, &mut found);
        if self.pairs != other.pairs {
            found.push(format!("pairs: was {}, is {}", self.pairs.join("; "), other.pairs.join("; ")));
        }
        if self.frames.len() != other.frames.len() {
            found.push(format!("frames: were {}, are {}", self.frames.len(), other.frames.len()));
        }
        for (was, is) in self.frames.iter().zip(&other.frames) {
            if found.len() >= limit {
                break;
            }
            compare_frames(was, is, lengths, &mut found);
        }
        found.truncate(limit);
        found
    }
}

fn compare_frames(was: &FrameLines, is: &FrameLines, lengths: f64, found: &mut Vec<String>) {
    if was.head != is.head {
        found.push(format!("was {}, is {}", was.head, is.head));
    }
    let name = was.head.split(" at ").next().unwrap_or_default();
    for index in 0..was.contacts.len().max(is.contacts.len()) {
        match (was.contacts.get(index), is.contacts.get(index)) {
            (Some(was), Some(is)) => compare_contacts(name, was, is, lengths, found),
            (Some(was), None) => found.push(format!("{name}: contact gone: {}", was.exact)),
            (None, Some(is)) => found.push(format!("{name}: contact new: {}", is.exact)),
            (None, None) => {}
        }
    }
}

fn compare_contacts(frame: &str, was: &ContactLine, is: &ContactLine, lengths: f64, found: &mut Vec<String>) {
    if was.exact != is.exact {
        found.push(format!("{frame}: was {}, is {}", was.exact, is.exact));
        return;
    }
    let name = format!("{frame}: {}", was.exact);
    compare(&format!("{name}: lengths"), &was.lengths, &is.lengths, lengths, found);
    compare(&format!("{name}: direction and weights"), &was.units, &is.units, UNIT_TOLERANCE, found);
}

/// Notes the first of two lists of numbers that differ by more than `tolerance`.
fn compare(name: &str, was: &[f64], is: &[f64], tolerance: f64, found: &mut Vec<String>) {
    if was.len() != is.len() {
        found.push(format!("{name}: were {} numbers, are {}", was.len(), is.len()));
        return;
    }
    // A NaN, of which there should be none, agrees with nothing but a NaN.
    let differs = |(a, b): (&f64, &f64)| a.is_nan() != b.is_nan() || (a - b).abs() > tolerance;
    if let Some(index) = was.iter().zip(is).position(differs) {
        found.push(format!(
            "{name}: number {index} was {}, is {} (tolerance {tolerance:e})",
            was[index], is[index]
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
        let line = |id: u32, depth: f64| ContactLine {
            exact: format!("0: vertex {id} ~ point id {id}"),
            lengths: vec![depth, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0 + depth],
            units: vec![0.0, 0.0, 1.0, 1.0],
        };
        let frame = |index: usize, contacts: Vec<ContactLine>| FrameLines {
            head: format!("frame {index} at {} s: {}", 0.5 * index as f64, contacts.len()),
            contacts,
        };
        Snapshot {
            diagonal: 4.0,
            pairs: vec!["a : b by x margin 0".to_owned()],
            frames: vec![frame(0, vec![]), frame(1, vec![line(4, 0.25), line(7, 1.0 / 3.0)])],
        }
    }

    #[test]
    fn a_snapshot_agrees_with_its_own_text() {
        let snapshot = snapshot();
        let again: Snapshot = snapshot.to_string().parse().unwrap();
        assert_ne!(again, snapshot, "a third is rounded");
        assert_eq!(again.differences(&snapshot, 10), Vec::<String>::new());
        assert_eq!(again.to_string(), snapshot.to_string());
    }

    #[test]
    fn a_change_beyond_the_tolerance_is_found_and_one_within_is_not() {
        let was = snapshot();
        for (change, differs) in [(3e-9, false), (5e-9, true), (f64::NAN, true)] {
            let mut is = snapshot();
            is.frames[1].contacts[0].lengths[0] += change;
            assert_eq!(!was.differences(&is, 10).is_empty(), differs, "{change}");
        }
        let mut is = snapshot();
        is.frames[1].contacts[1].units[2] += 2e-6;
        assert!(
            was.differences(&is, 10)[0].contains("frame 1: 0: vertex 7 ~ point id 7: direction and weights")
        );
    }

    #[test]
    fn ids_counts_pairs_and_frames_are_exact() {
        let was = snapshot();
        let mutants: [fn(&mut Snapshot); 6] = [
            |is| is.frames[1].contacts[0].exact = "0: vertex 5 ~ point id 4".to_owned(),
            |is| drop(is.frames[1].contacts.pop()),
            |is| is.frames[1].contacts.swap(0, 1),
            |is| is.pairs[0].push('1'),
            |is| drop(is.frames.pop()),
            |is| is.frames[0].head = "frame 0 at 0 s: 0 (open_surface)".to_owned(),
        ];
        for mutant in mutants {
            let mut is = snapshot();
            mutant(&mut is);
            assert!(!was.differences(&is, 10).is_empty());
            assert_eq!(was.differences(&is, 1).len(), 1);
        }
    }

    #[test]
    fn what_is_no_snapshot_names_its_line() {
        let error = |text: &str| text.parse::<Snapshot>().unwrap_err().to_string();
        assert!(error("").starts_with("line 1: found \"the end of the text\""));
        assert!(error("palpate contacts 2\n").starts_with("line 1: found \"palpate contacts 2\""));
        let text = snapshot().to_string().replace("| 0.25 ", "| x ");
        assert!(error(&text).starts_with("line 7: found"), "{}", error(&text));
    }
}
