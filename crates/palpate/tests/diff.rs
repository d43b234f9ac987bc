//! Injected regressions: a comparison finds each, names it and its frame, and nothing where nothing is wrong.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

use palpate::contact::{Contact, ContactId};
use palpate::diff::{ContactList, ContactSource, Kind, Options, Policy, Report, Tolerance, compare, open};
use palpate::recording::{
    ContactFrame, ContactsOptions, ContactsReader, ContactsWriter, Frame, ObjectInfo, PairInfo, Point,
    Primitive, SessionInfo, State, Topology, Writer, WriterOptions,
};
use palpate::replay::{Replay, ReplayOptions};
use std::path::{Path, PathBuf};

/// A generator of fixed numbers (Marsaglia 2003, xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

fn demo() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../data/demo.vtkhdf"].iter().collect()
}

/// The contacts of some frames of the demo.
fn demo_contacts() -> ContactList {
    let mut replay = Replay::open(&[demo()], &ReplayOptions::default()).unwrap();
    let mut list = ContactList { pairs: ContactSource::pairs(&replay).unwrap(), frames: Vec::new() };
    for index in (30..90).step_by(5) {
        let mut frame = ContactFrame::default();
        replay.read(index, &mut frame).unwrap();
        list.frames.push(frame);
    }
    assert!(list.frames.iter().all(|frame| frame.contacts.len() > 4));
    list
}

fn report(was: &ContactList, is: &ContactList, policy: Policy) -> Report {
    let options = Options { policy, ..Options::default() };
    compare(&mut was.clone(), &mut is.clone(), &options).unwrap()
}

fn written(list: &ContactList, path: &Path) -> ContactsReader {
    let options = ContactsOptions { overwrite: true, ..ContactsOptions::default() };
    let mut writer = ContactsWriter::create(path, &list.pairs, options).unwrap();
    for frame in &list.frames {
        writer.append(frame.frame, frame.time, &frame.pairs, &frame.contacts).unwrap();
    }
    writer.finish().unwrap();
    ContactsReader::open(path).unwrap()
}

fn tolerance(length: f64) -> Policy {
    Policy::Tolerance(Tolerance { length, ..Tolerance::default() })
}

fn same_within(length: f64) -> Policy {
    let place = Some(length);
    Policy::SameWithin(Tolerance { length, place, ..Tolerance::default() })
}

/// A change of a list, what kind of difference it is, and under which policies it counts.
type Injected = (Kind, u64, Vec<(Policy, bool)>);

/// Injects one regression; `None` where it has no effect in this frame.
fn inject(list: &mut ContactList, kind: usize, random: &mut Random) -> Option<Injected> {
    let at = random.below(list.frames.len());
    let frame = &mut list.frames[at];
    let number = frame.frame;
    let count = frame.contacts.len();
    let one = random.below(count);
    let contact = &mut frame.contacts[one];
    let (exact, fine, near) = (Policy::Exact, tolerance(1e-7), same_within(1e-5));
    let strict = vec![(exact, true), (fine, true), (near, false)];
    let always = vec![(exact, true), (fine, true), (near, true)];
    Some(match kind {
        0 => {
            contact.id ^= 1 << 40;
            (Kind::Renamed, number, strict)
        }
        1 => {
            frame.contacts.remove(one);
            frame.pairs.remove(one);
            (Kind::Lost, number, always)
        }
        2 => {
            let (pair, contact) = (frame.pairs[one], frame.contacts[one]);
            frame.contacts.insert(one, contact);
            frame.pairs.insert(one, pair);
            (Kind::Added, number, always)
        }
        3 => {
            contact.depth = contact.depth.next_up();
            contact.depth_upper = contact.depth_upper.max(contact.depth);
            (Kind::Deeper, number, vec![(exact, true), (fine, false), (near, false)])
        }
        4 => {
            contact.a.point[random.below(3)] += 1e-6;
            (Kind::Moved, number, vec![(exact, true), (fine, true), (tolerance(1e-5), false), (near, false)])
        }
        5 => {
            let other = (0..count).find(|&other| {
                frame.pairs[other] == frame.pairs[one]
                    && frame.contacts[other].key() != frame.contacts[one].key()
            })?;
            frame.contacts.swap(one, other);
            (Kind::Reordered, number, strict)
        }
        6 => {
            list.frames.remove(at);
            (Kind::Frame, number, always)
        }
        7 => {
            let [a, b] = ContactId::parts(contact.id);
            let id = ContactId::new(b, a).number();
            *contact = Contact { id, ..contact.mirrored() };
            (Kind::Exchanged, number, vec![(exact, true), (fine, true)])
        }
        8 => {
            let pair = frame.pairs[one] as usize;
            list.pairs[pair].a.push_str("_2");
            (Kind::Pair, u64::MAX, always)
        }
        _ => {
            let [x, y, z] = contact.direction;
            // A thousandth of a degree about an axis that is not the direction.
            contact.direction = if x.abs() < 0.7 {
                [x, y - 1.7e-5 * z, z + 1.7e-5 * y]
            } else {
                [x - 1.7e-5 * y, y + 1.7e-5 * x, z]
            };
            (Kind::Turned, number, always)
        }
    })
}

#[test]
fn a_thousand_injected_regressions_are_found_and_named() {
    let base = demo_contacts();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    let mut random = Random(88_172_645_463_325_252);
    for policy in [Policy::Exact, tolerance(1e-7), same_within(1e-5)] {
        assert!(report(&base, &base, policy).agrees());
    }
    let mut counts = [0; 10];
    let mut injected = 0;
    while injected < 900 {
        let kind = injected % 10;
        let mut changed = base.clone();
        let Some((wanted, frame, policies)) = inject(&mut changed, kind, &mut random) else { continue };
        injected += 1;
        counts[kind] += 1;
        for (policy, counts) in policies {
            let found = if injected % 25 == 0 {
                let options = Options { policy, ..Options::default() };
                compare(&mut base.clone(), &mut written(&changed, &path), &options).unwrap()
            } else {
                report(&base, &changed, policy)
            };
            assert_eq!(found.agrees(), !counts, "{wanted:?} {policy:?}: {found}");
            let Some(first) = found.first.as_ref() else { continue };
            assert!(first.kinds.contains(&wanted), "{wanted:?} {policy:?}: {found}");
            if frame != u64::MAX {
                assert_eq!(first.frame, Some(frame), "{wanted:?}: {found}");
            }
            assert_eq!(found.differences, 1, "{wanted:?} {policy:?}: {found}");
        }
    }
    assert!(counts.iter().all(|&count| count == 90), "{counts:?}");
}

#[test]
fn pairs_with_exchanged_sides_are_one_difference() {
    let base = demo_contacts();
    let mut changed = base.clone();
    let pair = base.frames[0].pairs[0];
    let own = &mut changed.pairs[pair as usize];
    std::mem::swap(&mut own.a, &mut own.b);
    for frame in &mut changed.frames {
        for (_, contact) in frame.pairs.iter().zip(&mut frame.contacts).filter(|(own, _)| **own == pair) {
            let [a, b] = ContactId::parts(contact.id);
            *contact = Contact { id: ContactId::new(b, a).number(), ..contact.mirrored() };
        }
    }
    let found = report(&base, &changed, Policy::Exact);
    assert_eq!((found.differences, found.first.unwrap().kinds), (1, vec![Kind::Pair]));
}

/// A ball and a square of two triangles under it, changed by `change`.
fn session(path: &Path, change: impl Fn(&mut SessionInfo, &mut Vec<Frame>)) {
    let object = |name: &str, kind: &str, topology| ObjectInfo {
        name: name.into(),
        kind: kind.into(),
        topology,
        ..ObjectInfo::default()
    };
    let pair = |a: &str, b: &str| PairInfo { a: a.into(), b: b.into(), ..PairInfo::default() };
    let mut info = SessionInfo {
        objects: vec![
            object("ball", "sphere", Topology::None),
            object("sheet", "surface_mesh", Topology::Triangles(vec![[0, 1, 2], [0, 2, 3]])),
        ],
        pairs: vec![pair("ball", "sheet")],
        ..SessionInfo::default()
    };
    let corners = [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
    let mut frames: Vec<Frame> = (0..8)
        .map(|index| {
            let position = Point::new(0.25, 0.5 - 0.03125 * f64::from(index), 0.1);
            let ball = Primitive { position, rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size: [0.5, 0.0, 0.0] };
            let sheet = corners.iter().map(|&[x, y, z]| Point::new(x, y, z)).collect();
            let states = vec![State::Primitive(ball), State::Points(sheet)];
            Frame { time: 0.125 * f64::from(index), states, ..Frame::default() }
        })
        .collect();
    change(&mut info, &mut frames);
    let mut writer =
        Writer::create(path, &info, WriterOptions { overwrite: true, ..WriterOptions::default() }).unwrap();
    frames.iter().for_each(|frame| writer.append(frame).unwrap());
    writer.finish().unwrap();
}

#[test]
fn a_hundred_changed_sessions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let [base, changed] = ["base.h5", "changed.h5"].map(|name| folder.path().join(name));
    session(&base, |_, _| {});
    let options = Options::default();
    let diff = || {
        let open = |path: &Path| open(path, &ReplayOptions::default()).unwrap();
        compare(&mut *open(&base), &mut *open(&changed), &options).unwrap()
    };
    session(&changed, |_, _| {});
    assert!(diff().agrees());
    let mut random = Random(2_463_534_242);
    for number in 0..100 {
        let frame = 1 + random.below(6);
        let vertex = random.below(4);
        session(&changed, |info, frames| match number % 5 {
            0 => {
                let State::Points(points) = &mut frames[frame].states[1] else { panic!("a mesh") };
                points[vertex].x = points[vertex].x.next_up();
            }
            1 => {
                let State::Primitive(ball) = &mut frames[frame].states[0] else { panic!("a ball") };
                ball.size[0] += 1e-6;
            }
            2 => drop(frames.remove(frame)),
            3 => {
                info.objects[0].name = "tool".into();
                info.pairs[0].a = "tool".into();
            }
            _ => info.pairs[0].settings = Some("{\"internal_edges\": \"report\"}".into()),
        });
        if number % 5 == 4 {
            // The detector's own settings are in the report whatever they are called.
            session(&changed, |info, _| info.pairs[0].margin = 0.75);
        }
        let found = diff();
        assert!(!found.agrees(), "{number}: {found}");
        let input = found.input.join("\n");
        match number % 5 {
            0 => assert!(
                input.contains(&format!("frame {frame}: object \"sheet\": coordinates differ in this")),
                "{found}"
            ),
            1 => {
                assert!(input.contains(&format!("frame {frame}: object \"ball\"")), "{found}");
                assert!(found.first.is_some_and(|first| first.frame == Some(frame as u64)));
            }
            2 => assert_eq!(
                (found.first.as_ref().unwrap().frame, found.differences),
                (Some(frame as u64), 1),
                "{found}"
            ),
            3 => assert!(
                input.contains("object \"ball\" is gone") && found.first.unwrap().what.contains("renamed")
            ),
            _ => assert!(found.first.unwrap().kinds.contains(&Kind::Added)),
        }
    }
}

#[test]
fn an_empty_or_missing_baseline_is_a_failure() {
    let full = demo_contacts();
    let empty = ContactList { pairs: full.pairs.clone(), frames: Vec::new() };
    let found = report(&empty, &empty, Policy::Exact);
    assert_eq!(found.first.as_ref().unwrap().kinds, [Kind::EmptyBaseline], "{found}");
    let options = Options { allow_empty: true, ..Options::default() };
    assert!(compare(&mut empty.clone(), &mut empty.clone(), &options).unwrap().agrees());
    let error = open("no/such/file.h5", &ReplayOptions::default()).err().unwrap().to_string();
    assert!(error.contains("no such file"), "{error}");
    let wrong = Options { policy: tolerance(-1.0), ..Options::default() };
    let error = compare(&mut full.clone(), &mut full.clone(), &wrong).unwrap_err().to_string();
    assert_eq!(error, "tolerance: found -1, wanted a finite number that is not negative");
}

#[test]
fn contacts_without_common_keys_are_matched_by_place() {
    let base = demo_contacts();
    let mut changed = base.clone();
    for frame in &mut changed.frames {
        for (number, contact) in frame.contacts.iter_mut().enumerate() {
            contact.id = 1_000_000 + number as u64;
            contact.a.point[0] += 1e-7;
            contact.b.point[0] += 1e-7;
        }
    }
    let all = base.frames.iter().map(|frame| frame.contacts.len() as u64).sum::<u64>();
    assert!(report(&base, &changed, same_within(1e-6)).agrees());
    let near = Tolerance { place: Some(1e-6), ..Tolerance::default() };
    let found = report(&base, &changed, Policy::Tolerance(near));
    let renamed: u64 = found.pairs.iter().filter_map(|pair| pair.counts.get(&Kind::Renamed)).sum();
    assert!(renamed * 10 > all * 9, "{renamed} of {all}: {found}");
}

#[test]
fn a_report_is_json_and_junit() {
    let base = demo_contacts();
    let mut changed = base.clone();
    changed.pairs[0].a = "a<b & \"c\"".into();
    changed.frames[3].contacts.remove(0);
    changed.frames[3].pairs.remove(0);
    let found = report(&base, &changed, Policy::Exact);
    let value = palpate::serde_json::to_value(&found).unwrap();
    assert_eq!(value["differences"], 2);
    assert_eq!(
        (&value["first"]["kinds"][0], &value["findings"][1]["frame"]),
        (&"pair".into(), &base.frames[3].frame.into())
    );
    let junit = found.junit();
    assert!(junit.contains("a&lt;b &amp; &quot;c&quot;") && junit.contains("failures=\""), "{junit}");
}

/// `PALPATE_DIFF_CONTACTS=1000000` with `--release --nocapture` prints the figure of the documentation.
#[test]
fn many_contacts_are_compared_quickly() {
    let count: usize = std::env::var("PALPATE_DIFF_CONTACTS").map_or(20_000, |text| text.parse().unwrap());
    let base = demo_contacts();
    let mut list = ContactList { pairs: base.pairs.clone(), frames: Vec::new() };
    let sample: Vec<(u32, Contact)> = base
        .frames
        .iter()
        .flat_map(|frame| frame.pairs.iter().copied().zip(frame.contacts.iter().copied()))
        .collect();
    for start in (0..count).step_by(1000) {
        let mut frame =
            ContactFrame { frame: (start / 1000) as u64, time: start as f64, ..ContactFrame::default() };
        for number in start..(start + 1000).min(count) {
            let (pair, contact) = sample[number % sample.len()];
            frame.pairs.push(pair);
            frame.contacts.push(Contact { id: number as u64, ..contact });
        }
        list.frames.push(frame);
    }
    let mut changed = list.clone();
    let mut reversed = list.clone();
    for frame in &mut changed.frames {
        frame.contacts.iter_mut().for_each(|contact| contact.depth += 1e-3);
    }
    for frame in &mut reversed.frames {
        frame.contacts.reverse();
        frame.pairs.reverse();
        frame.contacts.iter_mut().for_each(|contact| contact.id += 10_000_000);
    }
    let options = Options { policy: tolerance(1e-9), ..Options::default() };
    let mut same = list.clone();
    for (name, other) in
        [("equal", &mut same), ("deeper", &mut changed), ("other ids, reversed", &mut reversed)]
    {
        let begun = std::time::Instant::now();
        let found = compare(&mut list, other, &options).unwrap();
        let (seconds, count) = (begun.elapsed().as_secs_f64(), found.contacts[0]);
        println!("{count} contacts, {name}: {seconds:.3} s, {} differences", found.differences);
        assert_eq!(found.differences == 0, name == "equal");
    }
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.h5", "two.h5"].map(|name| folder.path().join(name));
    let (mut one, mut two) = (written(&list, &one), written(&changed, &two));
    let begun = std::time::Instant::now();
    let found = compare(&mut one, &mut two, &options).unwrap();
    println!("{count} contacts of two files: {:.3} s", begun.elapsed().as_secs_f64());
    assert_eq!(found.differences as usize, count);
}
