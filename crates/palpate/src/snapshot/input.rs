//! Fingerprints of what the contacts were computed from: geometry, its state in every frame, settings, version.

use super::difference::{Change, Difference};
use super::input_line::{Fingerprint, ObjectLine};
use super::model::{ContactSnapshot, FrameRecord, PairLine};
use super::value_changes::value_changes;

impl ContactSnapshot {
    /// The differences of the input of `now` from that of this snapshot: version, objects, settings, and the first frame in
    /// which the state of an object differs. Empty if the two agree, or where one of them does not state its input.
    pub fn input_differences(&self, now: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut note = |frame, what| found.push(Difference::new(Change::Input, frame, None, what));
        if let (Some(was), Some(is)) = (&self.version, &now.version)
            && was != is
        {
            note(None, format!("palpate was {was}, is {is}"));
        }
        let state = |was: &FrameRecord| {
            let place = now.frames.binary_search_by_key(&was.number, |frame| frame.number).ok()?;
            Some((was.number, now.frames[place].states.clone()))
        };
        let frames: Vec<_> = self.frames.iter().filter_map(|was| Some((was, state(was)?))).collect();
        let frames: Vec<_> =
            frames.iter().map(|(was, (number, is))| (*number, &was.states[..], &is[..])).collect();
        found.extend(object_differences(&self.objects, &now.objects, &frames));
        for (was, is) in common_pairs(&self.pairs, &now.pairs) {
            found.extend(settings_difference(&was.names, [&was.settings, &is.settings]));
        }
        found
    }
}

/// A frame that is in both: its number, and the states of the objects of the first and of the second.
pub(crate) type CommonFrame<'a> = (usize, &'a [Fingerprint], &'a [Fingerprint]);

/// The differences of the objects, and for each the first frame in which its state differs. None where one of the two has no
/// objects.
pub(crate) fn object_differences(
    was: &[ObjectLine],
    is: &[ObjectLine],
    frames: &[CommonFrame<'_>],
) -> Vec<Difference> {
    let mut found = Vec::new();
    if was.is_empty() || is.is_empty() {
        return found;
    }
    let mut note = |frame, what| found.push(Difference::new(Change::Input, frame, None, what));
    for (number, object) in was.iter().enumerate() {
        let Some(other) = is.iter().position(|is| is.name == object.name) else {
            note(None, format!("object {:?} is gone", object.name));
            continue;
        };
        let now = &is[other];
        if object.kind != now.kind {
            note(None, format!("object {:?}: kind was {}, is {}", object.name, object.kind, now.kind));
        } else if let Some(what) = value_changes(&object.shape, &now.shape) {
            note(None, format!("object {:?}: {what}", object.name));
        }
        for (frame, what) in state_changes(frames, [number, other]) {
            note(Some(frame), format!("object {:?}: {what}", object.name));
        }
    }
    for new in is.iter().filter(|is| was.iter().all(|was| was.name != is.name)) {
        note(None, format!("object {:?} is new", new.name));
    }
    found
}

/// The difference of the settings of a pair, first of the first.
pub(crate) fn settings_difference(names: &str, [was, is]: [&serde_json::Value; 2]) -> Option<Difference> {
    let what = value_changes(was, is)?;
    Some(Difference::new(Change::Input, None, None, format!("pair {names}: {what}")))
}

/// The pairs of the same names and detector that both state settings.
fn common_pairs<'a>(
    was: &'a [PairLine],
    is: &'a [PairLine],
) -> impl Iterator<Item = (&'a PairLine, &'a PairLine)> {
    let is_same = |was: &PairLine, is: &&PairLine| was.names == is.names && was.detector == is.detector;
    let both = was.iter().filter_map(move |was| Some((was, is.iter().find(|is| is_same(was, is))?)));
    both.filter(|(was, is)| !was.settings.is_null() && !is.settings.is_null())
}

/// For state and cells: the first frame in which they differ, and in how many they do.
fn state_changes(frames: &[CommonFrame<'_>], objects: [usize; 2]) -> Vec<(usize, String)> {
    let mut first = [None; 2];
    let mut counts = [0; 2];
    for (number, was, is) in frames {
        let (Some(one), Some(two)) = (was.get(objects[0]), is.get(objects[1])) else { continue };
        let differs = [one.state != two.state, one.cells != two.cells];
        for (part, _) in differs.into_iter().enumerate().filter(|(_, differs)| *differs) {
            first[part].get_or_insert(*number);
            counts[part] += 1;
        }
    }
    let words = ["coordinates differ", "cells differ"];
    let told = (0..2).filter_map(|part| {
        let frame = first[part]?;
        let count = counts[part];
        let more =
            if count == 1 { "in this frame".to_owned() } else { format!("in {count} frames from here") };
        Some((frame, format!("{} {more}", words[part])))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "palpate contacts 3
every 1, all contacts
lengths to 1e-9 m, directions and weights to 1e-6
pair: element of a ~ element of b, id | depth, point of a, point of b, metres | direction, weights
by palpate 0.1.0
object 0: sphere \"ball \\\" : 1\" {\"radius\":0.002,\"type\":\"Sphere\"}
object 1: surface_mesh \"organ\" {\"closed\":true,\"type\":\"SurfaceMesh\"}
pair 0: ball : organ by x margin 0 settings {\"sides\":\"both\"}
frame 0 at 0 s, 00000001 00000002-00000003: 0
frame 1 at 0.5 s, 00000001 00000004-00000003: 0
frame 2 at 1 s, 00000001 00000005-00000003: 0
";

    fn told(from: &str, to: &str) -> Vec<String> {
        let was: ContactSnapshot = HEAD.parse().expect("as it is written");
        assert!(HEAD.contains(from));
        let is: ContactSnapshot = HEAD.replace(from, to).parse().expect("as it is written");
        was.input_differences(&is).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_input_is_written_and_read() {
        let snapshot: ContactSnapshot = HEAD.parse().unwrap();
        assert_eq!(snapshot.to_string(), HEAD);
        assert_eq!(snapshot.objects[0].name, "ball \" : 1");
        assert_eq!(snapshot.frames[1].states[1], Fingerprint { state: 4, cells: 3 });
    }

    #[test]
    fn each_change_of_the_input_has_a_line_of_its_own() {
        assert_eq!(told("by palpate 0.1.0", "by palpate 0.2.0"), ["! input: palpate was 0.1.0, is 0.2.0"]);
        assert_eq!(
            told("0.002", "0.002001"),
            ["! input: object \"ball \\\" : 1\": radius was 0.002, is 0.002001"]
        );
        assert_eq!(
            told("\"both\"", "\"one\""),
            ["! input: pair ball : organ: sides was \"both\", is \"one\""]
        );
        assert_eq!(
            told("00000004-00000003", "00000009-00000003"),
            ["! input, frame 1: object \"organ\": coordinates differ in this frame"]
        );
        assert_eq!(
            told("-00000003", ""),
            ["! input, frame 0: object \"organ\": cells differ in 3 frames from here"]
        );
        assert_eq!(
            told("surface_mesh \"organ\"", "surface_mesh \"liver\""),
            ["! input: object \"organ\" is gone", "! input: object \"liver\" is new"]
        );
    }

    #[test]
    fn a_snapshot_without_its_input_has_no_differences_of_it() {
        let mut without = HEAD.replace(" 00000002-00000003", "").replace(", 00000001", "");
        without = without.replace(" 00000004-00000003", "").replace(" 00000005-00000003", "");
        let lines: Vec<&str> =
            without.lines().filter(|line| !line.starts_with("object") && !line.starts_with("by ")).collect();
        let was: ContactSnapshot = lines.join("\n").parse().unwrap();
        assert_eq!(was.input_differences(&HEAD.parse().unwrap()), []);
    }
}
