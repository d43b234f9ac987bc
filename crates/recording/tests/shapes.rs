//! Shapes, placements and compounds: what the second version of the layout added.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod sample;

use palpate_recording::{
    Frame, ObjectInfo, PairInfo, PartOf, Placement, Point, Reader, RecordingError, SessionInfo, ShapeChange,
    Writer, WriterOptions, recover,
};
use sample::{every_kind, mesh, primitive};
use std::path::Path;

const SIDE: u32 = 3;
const FRAMES: usize = 7;

/// A cone whose shape changes, a placed liver, and a compound of a sphere and a placed thread.
fn session() -> SessionInfo {
    let part = |child| Some(PartOf { compound: "tool".into(), child });
    let shape = |index: usize| Some(shape(index));
    SessionInfo {
        objects: vec![
            ObjectInfo { shape: shape(0), ..primitive("cone", "convex") },
            ObjectInfo { placed: true, ..mesh("liver", "surface_mesh", SIDE) },
            ObjectInfo { placed: true, shape: shape(9), ..primitive("tool", "compound") },
            ObjectInfo { part_of: part(0), ..primitive("tool[0]", "sphere") },
            ObjectInfo { part_of: part(3), placed: true, ..mesh("tool[3]", "line_mesh", SIDE) },
        ],
        pairs: vec![PairInfo {
            a: "cone".into(),
            b: "liver".into(),
            settings: Some("{\"manifold\": \"no\"}".into()),
            exchanged: vec![true, false],
            ..PairInfo::default()
        }],
        time_step: Some(0.01),
        ..SessionInfo::default()
    }
}

fn shape(index: usize) -> String {
    format!("{{\"type\": \"Cone\", \"back\\\\slash\": \"ö\", \"radius\": {index}.5}}")
}

fn frame(info: &SessionInfo, index: usize) -> Frame {
    let mut frame = sample::frame(info, SIDE, index);
    let place = |object| {
        let position = Point::new(index as f64, -0.0, 0.1 + object as f64);
        Placement { object, position, rotation_wxyz: [0.1, 0.2, 0.3, 1.0 / 3.0] }
    };
    frame.placements = vec![place(1), place(4)];
    // In frames 2 and 5 the cone becomes another one, in frame 5 the tool too.
    if index == 2 || index == 5 {
        frame.shapes.push(ShapeChange { object: 0, shape: shape(index) });
    }
    if index == 5 {
        frame.shapes.push(ShapeChange { object: 2, shape: shape(50) });
    }
    frame
}

/// A session that is left as its journal.
fn abandon(path: &Path, frames: usize) -> SessionInfo {
    let info = session();
    let mut writer = Writer::create(path, &info, WriterOptions::default()).unwrap();
    for index in 0..frames {
        writer.append(&frame(&info, index)).unwrap();
    }
    info
}

fn assert_frames(path: &Path, info: &SessionInfo, frames: usize) {
    let mut reader = Reader::open(path).unwrap();
    assert_eq!((reader.info(), reader.frame_count()), (info, frames));
    assert!(reader.has_checksums());
    let mut found = Frame::default();
    for index in (0..frames).chain((0..frames).rev()) {
        reader.read_frame(index, &mut found).unwrap();
        assert_eq!(found, frame(info, index), "frame {index}");
        let wanted = shape([0, 0, 2, 2, 2, 5, 5][index]);
        assert_eq!(reader.shape(0, index).unwrap(), Some(wanted.as_str()), "frame {index}");
        assert_eq!(reader.shape(1, index).unwrap(), None);
    }
    assert!(reader.shape(5, 0).is_err() && reader.shape(0, frames).is_err());
}

#[test]
fn shapes_and_placements_are_read_back_from_the_journal_and_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = abandon(&path, FRAMES);
    assert_frames(&path, &info, FRAMES);
    recover(&path).unwrap();
    assert!(path.exists());
    assert_frames(&path, &info, FRAMES);
}

/// Wherever the journal ends, no frame has the shape of one that is cut off.
#[test]
fn a_shape_without_its_frame_is_not_part_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = abandon(&path, FRAMES);
    let journal = folder.path().join("session.vtkhdf.journal");
    let bytes = std::fs::read(&journal).unwrap();
    let mut counts = std::collections::BTreeSet::new();
    for length in (bytes.len() / 2..bytes.len()).step_by(7) {
        std::fs::write(&journal, &bytes[..length]).unwrap();
        let frames = Reader::open(&path).unwrap().frame_count();
        assert_frames(&path, &info, frames);
        counts.insert(frames);
    }
    assert!(counts.len() >= 3, "{counts:?}");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let refuse = |change: &dyn Fn(&mut SessionInfo), words: &str| {
        let mut info = session();
        change(&mut info);
        let message = Writer::create(&path, &info, WriterOptions::default()).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    refuse(&|info| info.objects[0].placed = true, "'cone': found a placed object of kind 'convex'");
    let elsewhere =
        |info: &mut SessionInfo| info.objects[3].part_of.as_mut().unwrap().compound = "cone".into();
    refuse(&elsewhere, "'tool[0]': found a part of 'cone'");
    let twice = "'tool[3]': found child 0 of 'tool', as 'tool[0]' is";
    refuse(&|info| info.objects[4].part_of = info.objects[3].part_of.clone(), twice);

    let info = session();
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    writer.append(&frame(&info, 0)).unwrap();
    let mut refuse = |change: &dyn Fn(&mut Frame), words: &str| {
        let mut made = frame(&info, 2);
        change(&mut made);
        let message = writer.append(&made).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    refuse(&|frame| frame.placements.clear(), "placements: found of the objects [], wanted");
    refuse(&|frame| frame.placements[1].object = 2, "of the objects [1, 2]");
    refuse(&|frame| frame.placements[0].position.x = f64::NAN, "'liver', frame 1: x is NaN");
    refuse(&|frame| frame.shapes[0].object = 1, "change of the shape of object 1");
    refuse(&|frame| frame.shapes.push(frame.shapes[0].clone()), "change of the shape of object 0");
    refuse(&|frame| frame.shapes[0].shape = "x".repeat(257 << 20), "the header has 2");
}

#[test]
fn a_damaged_placement_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = session();
    let options = WriterOptions { compression: 0, ..WriterOptions::default() };
    let mut writer = Writer::create(&path, &info, options).unwrap();
    for index in 0..FRAMES {
        writer.append(&frame(&info, index)).unwrap();
    }
    writer.finish().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // One third stands in the rotation of every placement.
    let third = (1.0_f64 / 3.0).to_le_bytes();
    let mut changed = 0;
    for at in 0..bytes.len() - 8 {
        if bytes[at..at + 8] == third {
            bytes[at] ^= 1;
            changed += 1;
        }
    }
    assert!(changed >= FRAMES, "{changed}");
    std::fs::write(&path, &bytes).unwrap();
    let found = Reader::open(&path).unwrap().verify();
    assert!(matches!(found, Err(RecordingError::Checksum { .. })), "{found:?}");
}

#[test]
fn sessions_without_what_is_new_stay_readable_for_older_versions() {
    let folder = tempfile::tempdir().unwrap();
    let mut third = session();
    third.objects[0].sidedness = Some("winding_number".to_string());
    for (info, schema) in [(every_kind(SIDE), 1), (session(), 2), (third, 3)] {
        let path = folder.path().join("session.vtkhdf");
        let writer = Writer::create(&path, &info, WriterOptions { overwrite: true, ..Default::default() });
        drop(writer.unwrap());
        let journal = std::fs::read(folder.path().join("session.vtkhdf.journal")).unwrap();
        let text = String::from_utf8_lossy(&journal);
        assert!(text.contains(&format!("\"schema\": {schema},")), "{text}");
        assert_eq!((text.contains("shape"), text.contains("sidedness")), (schema > 1, schema > 2));
    }
}
