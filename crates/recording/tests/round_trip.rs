//! Written data is read back to the last bit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_recording::{
    ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Frame, Limits, ObjectInfo, Reader,
    SessionInfo, State, Topology, TopologyChange, Writer, WriterOptions,
};
use sample::{every_kind, frame, mesh, primitive, write};
use std::path::Path;

/// Reads all frames and compares them with the written ones.
fn assert_same(path: &Path, info: &SessionInfo, side: u32, frames: usize) {
    let mut reader = Reader::open(path).unwrap();
    assert_eq!(reader.info(), info);
    assert_eq!(reader.frame_count(), frames);
    assert!(reader.has_checksums());
    let mut found = Frame::default();
    // Backwards too: the previously read frame must not matter.
    for index in (0..frames).chain((0..frames).rev()) {
        reader.read_frame(index, &mut found).unwrap();
        assert_eq!(found, frame(info, side, index), "frame {index}");
        assert_eq!(reader.times()[index], found.time);
    }
}

#[test]
fn every_kind_in_one_session() {
    let folder = tempfile::tempdir().unwrap();
    let info = every_kind(6);
    for (compression, frames) in [(0, 1), (0, 40), (4, 1), (9, 40)] {
        let path = folder.path().join("session.vtkhdf");
        write(&path, &info, 6, frames, compression);
        assert_same(&path, &info, 6, frames);
    }
}

#[test]
fn a_single_object_of_each_kind() {
    let folder = tempfile::tempdir().unwrap();
    let meshes = ["point_set", "line_mesh", "surface_mesh", "tetra_mesh"].map(|kind| mesh("thing", kind, 9));
    let shapes = ["sphere", "capsule", "cylinder", "plane", "oriented_box", "convex"]
        .map(|kind| primitive("thing", kind));
    for object in meshes.into_iter().chain(shapes) {
        let path = folder.path().join(format!("{}.vtkhdf", object.kind));
        let info = SessionInfo { objects: vec![object], time_step: Some(0.5), ..SessionInfo::default() };
        write(&path, &info, 9, 25, 4);
        assert_same(&path, &info, 9, 25);
    }
}

/// A session of one object of a kind of its own, with these cells, then none.
fn own_kind(first: Topology, then: Option<Topology>) -> (SessionInfo, Vec<Frame>) {
    let object =
        ObjectInfo { name: "own".into(), kind: "rope".into(), topology: first, ..ObjectInfo::default() };
    let points = State::Points(vec![palpate_recording::Point::origin(); 4]);
    let mut frames: Vec<Frame> = (0..3)
        .map(|index| Frame { time: f64::from(index), states: vec![points.clone()], ..Frame::default() })
        .collect();
    frames[1].changes = then.map(|topology| TopologyChange { object: 0, topology }).into_iter().collect();
    (SessionInfo { objects: vec![object], time_step: Some(1.0), ..SessionInfo::default() }, frames)
}

#[test]
fn cells_of_a_kind_of_its_own_stay_what_they_are_when_there_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let none = [Topology::Lines(vec![]), Topology::Triangles(vec![]), Topology::Tetrahedra(vec![])];
    let some = [
        Topology::Lines(vec![[0, 1]]),
        Topology::Triangles(vec![[0, 1, 2]]),
        Topology::Tetrahedra(vec![[0, 1, 2, 3]]),
    ];
    let mut cases = vec![(Topology::Points, None)];
    for (none, some) in none.into_iter().zip(some) {
        cases.extend([(none.clone(), None), (none.clone(), Some(some.clone())), (some, Some(none))]);
    }
    for (case, (first, then)) in cases.into_iter().enumerate() {
        let path = folder.path().join(format!("{case}.vtkhdf"));
        let (info, frames) = own_kind(first, then);
        let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
        frames.iter().for_each(|frame| writer.append(frame).unwrap());
        let assert_same = || {
            let mut reader = Reader::open(&path).unwrap();
            assert_eq!(reader.info(), &info);
            let mut found = Frame::default();
            for (index, frame) in frames.iter().enumerate() {
                reader.read_frame(index, &mut found).unwrap();
                assert_eq!(&found, frame, "case {case}");
            }
        };
        assert_same();
        writer.finish().unwrap();
        assert_same();
    }
}

#[test]
fn the_sidedness_of_a_surface_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    for word in ["pseudonormals", "winding_number"] {
        let path = folder.path().join(format!("{word}.vtkhdf"));
        let mut info = every_kind(3);
        info.objects[0].sidedness = Some(word.to_string());
        write(&path, &info, 3, 2, 0);
        assert_eq!(Reader::open(&path).unwrap().info(), &info);
    }
    let mut info = every_kind(3);
    info.objects[0].sidedness = Some("left".to_string());
    let refused = Writer::create(folder.path().join("s.vtkhdf"), &info, WriterOptions::default());
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("'left'") && message.contains("winding_number"), "{message}");
}

#[test]
fn a_step_that_is_not_constant_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let cases: [(&[f64], Option<f64>); 5] = [
        (&[0.0, 1.0, 10.0], None),
        (&[0.0, 0.5, 1.0, 1.5], Some(0.5)),
        (&[1e4, 1e4 + 0.005, 1e4 + 0.02], None),
        (&[-3.0, 0.0], Some(3.0)),
        (&[2.0], None),
    ];
    for (times, wanted) in cases {
        let (info, frames) = own_kind(Topology::Points, None);
        let info = SessionInfo { time_step: None, ..info };
        let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
        let mut writer = Writer::create(&path, &info, options).unwrap();
        for &time in times {
            writer.append(&Frame { time, ..frames[0].clone() }).unwrap();
        }
        assert_eq!(Reader::open(&path).unwrap().info().time_step, wanted, "{times:?}, the journal");
        writer.finish().unwrap();
        assert_eq!(Reader::open(&path).unwrap().info().time_step, wanted, "{times:?}");
    }
}

/// A name of one line, whatever is in it, is written and read; what a reader would refuse is refused when it is written.
#[test]
fn names_are_written_as_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (session, contacts) = (folder.path().join("session.vtkhdf"), folder.path().join("contacts.h5"));
    let longest = usize::try_from(Limits::DEFAULT.name_bytes).unwrap();
    let session_of = |name: &str| {
        let objects = every_kind(3).objects.into_iter().enumerate().map(|(number, object)| ObjectInfo {
            name: format!("{name}{}", if number == 0 { String::new() } else { format!("{number}") }),
            ..object
        });
        SessionInfo { objects: objects.collect(), ..SessionInfo::default() }
    };
    let pair_of = |name: &str| ContactPair { a: name.into(), b: "b".into(), detector: String::new() };
    let good = [" ", "a/b", "..", "/", "a\tb\r", "\u{7f}\u{1b}[31m", "größe 面", "Steps", "\"\\"];
    for name in good.map(str::to_string).into_iter().chain(["x".repeat(70_000), "ö".repeat(longest / 4)]) {
        let info = session_of(&name);
        write(&session, &info, 3, 2, 1);
        let mut reader = Reader::open(&session).unwrap();
        assert_eq!(reader.info().objects, info.objects);
        reader.verify().unwrap();
        let options = ContactsOptions { overwrite: true, ..ContactsOptions::default() };
        ContactsWriter::create(&contacts, &[pair_of(&name)], options).unwrap().finish().unwrap();
        assert_eq!(ContactsReader::open(&contacts).unwrap().pairs(), [pair_of(&name)]);
    }
    for name in [String::new(), "a\0b".to_string(), "a\nb".to_string(), "x".repeat(longest + 1)] {
        let refused = folder.path().join("refused.h5");
        let error = Writer::create(&refused, &session_of(&name), WriterOptions::default()).unwrap_err();
        let other = ContactsWriter::create(&refused, &[pair_of(&name)], ContactsOptions::default());
        for message in [error.to_string(), other.map(drop).unwrap_err().to_string()] {
            assert!(
                message.contains("name_bytes") || message.contains("a name of one line"),
                "{message:.200}"
            );
        }
    }
    // Few long names among many pairs: each is as wide as the longest.
    let mut pairs = vec![pair_of("a"); 1000];
    pairs[7].a = "x".repeat(longest);
    let error = ContactsWriter::create(folder.path().join("c.h5"), &pairs, ContactsOptions::default());
    assert!(error.map(drop).unwrap_err().to_string().contains("expanded_bytes"));
}

/// Objects are found by their number, not by a search among all others. They have no blocks: of these, the HDF5 library searches
/// among all groups.
#[test]
fn ten_thousand_objects() {
    const COUNT: usize = 10_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    // Their names in the file are alike, but for their numbers.
    let name = |number: usize| char::from_u32(0x4e00 + number as u32).map(String::from).unwrap();
    let object =
        |number: usize| ObjectInfo { name: name(number), kind: "ellipsoid".into(), ..ObjectInfo::default() };
    let info = SessionInfo { objects: (0..COUNT).map(object).collect(), ..SessionInfo::default() };
    write(&path, &info, 3, 1, 0);
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.info().objects, info.objects);
    reader.verify().unwrap();
}
