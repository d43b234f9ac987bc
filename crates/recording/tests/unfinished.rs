//! Unfinished sessions: every appended frame is readable, wherever the file ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_recording::{
    Durability, Frame, Reader, RecordingError, SessionInfo, Topology, TopologyChange, Writer, WriterOptions,
    discard, recover,
};
use sample::{every_kind, frame, mesh};
use std::path::{Path, PathBuf};

const SIDE: u32 = 4;

fn journal_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.journal", path.display()))
}

/// A session of `frames` frames whose writer is dropped unfinished.
fn abandoned(folder: &Path, frames: usize) -> (PathBuf, SessionInfo) {
    let path = folder.join("session.vtkhdf");
    let info = every_kind(SIDE);
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    for index in 0..frames {
        writer.append(&frame(&info, SIDE, index)).unwrap();
    }
    (path, info)
}

fn assert_frames(path: &Path, info: &SessionInfo, frames: usize) {
    let mut reader = Reader::open(path).unwrap();
    assert_eq!((reader.info(), reader.frame_count()), (info, frames));
    let mut found = Frame::default();
    for index in 0..frames {
        reader.read_frame(index, &mut found).unwrap();
        assert_eq!(found, frame(info, SIDE, index));
    }
}

#[test]
fn a_dropped_writer_leaves_its_frames_and_they_can_be_packed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, info) = abandoned(folder.path(), 7);
    assert!(!path.exists());
    assert!(Reader::open(&path).unwrap().is_unfinished());
    assert_frames(&path, &info, 7);
    let recovered = recover(&path).unwrap();
    assert_eq!((recovered.frames, recovered.lost), (7, 0));
    assert!(path.exists() && !journal_of(&path).exists());
    assert!(!Reader::open(&path).unwrap().is_unfinished());
    assert_frames(&path, &info, 7);
}

#[test]
fn a_session_is_read_while_it_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let durability = Durability::Power { frames: 2 };
    let mut writer =
        Writer::create(&path, &info, WriterOptions { durability, ..WriterOptions::default() }).unwrap();
    assert_frames(&path, &info, 0);
    for index in 0..5 {
        writer.append(&frame(&info, SIDE, index)).unwrap();
        assert_frames(&path, &info, index + 1);
    }
    writer.finish().unwrap();
    assert_frames(&path, &info, 5);
}

#[test]
fn a_journal_cut_anywhere_gives_the_frames_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let (path, info) = abandoned(folder.path(), 3);
    let whole = std::fs::read(journal_of(&path)).unwrap();
    // The ends of the frames: the same session with fewer frames is a prefix.
    let ends: Vec<usize> = (0..=3)
        .map(|frames| {
            let other = tempfile::tempdir().unwrap();
            let (path, _) = abandoned(other.path(), frames);
            let bytes = std::fs::read(journal_of(&path)).unwrap();
            assert_eq!(bytes, whole[..bytes.len()]);
            bytes.len()
        })
        .collect();
    let mut opened = 0;
    for length in (0..whole.len()).filter(|length| length % 7 == 0 || ends.contains(length)) {
        std::fs::write(journal_of(&path), &whole[..length]).unwrap();
        if length < ends[0] {
            assert!(Reader::open(&path).is_err(), "{length} bytes");
        } else {
            let frames = ends.iter().filter(|&&end| end <= length).count() - 1;
            assert_frames(&path, &info, frames);
            opened += 1;
        }
        // A disk after power loss may contain zeros instead of the data written.
        let zeros = [&whole[..length], &[0; 100]].concat();
        if ends.contains(&length) {
            std::fs::write(journal_of(&path), zeros).unwrap();
            assert_frames(&path, &info, ends.iter().filter(|&&end| end <= length).count() - 1);
        }
    }
    assert!(opened > 300, "{opened}");
}

#[test]
fn an_unfinished_session_is_not_written_over_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let (path, info) = abandoned(folder.path(), 2);
    let again = Writer::create(&path, &info, WriterOptions::default());
    assert!(matches!(again, Err(RecordingError::Exists { .. })));
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let writer = Writer::create(&path, &info, options).unwrap();
    assert!(writer.finish().is_err(), "a session without frames");
}

#[test]
fn an_unfinished_session_can_be_discarded() {
    let folder = tempfile::tempdir().unwrap();
    let (path, info) = abandoned(folder.path(), 2);
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let writer = Writer::create(&path, &info, options).unwrap();
    if cfg!(unix) {
        assert!(matches!(discard(&path), Err(RecordingError::Busy { .. })));
    }
    drop(writer);
    discard(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(matches!(discard(&path), Err(RecordingError::Missing { .. })));
}

#[test]
fn cells_that_change_are_kept_finished_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.vtkhdf");
    let kinds = ["surface_mesh", "tetra_mesh", "line_mesh", "point_set"];
    let objects = kinds.map(|kind| mesh(kind, kind, SIDE)).to_vec();
    let info = SessionInfo { objects, time_step: Some(0.01), ..SessionInfo::default() };
    let cut = |object: usize, cells: usize| match &info.objects[object].topology {
        Topology::Triangles(all) => Topology::Triangles(all[..cells].to_vec()),
        Topology::Tetrahedra(all) => Topology::Tetrahedra(all[..cells].to_vec()),
        Topology::Lines(all) => Topology::Lines(all[..cells].to_vec()),
        other => other.clone(),
    };
    let made = |index: usize| {
        // From frame 4 on there are more points, initially unused; point sets may grow freely.
        let side = if index < 4 { SIDE } else { SIDE + 1 };
        let mut made = frame(&info, side, index);
        if index % 3 == 1 {
            made.changes.push(TopologyChange { object: 0, topology: cut(0, 12 - index) });
            made.changes.push(TopologyChange { object: 1, topology: cut(1, index / 2) });
        }
        if index == 5 {
            made.changes.push(TopologyChange { object: 2, topology: Topology::Lines(vec![[24, 0]]) });
        }
        made
    };
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    (0..10).for_each(|index| writer.append(&made(index)).unwrap());
    drop(writer);
    for finished in [false, true] {
        if finished {
            recover(&path).unwrap();
        }
        let mut reader = Reader::open(&path).unwrap();
        assert_eq!(reader.info(), &info);
        let mut found = Frame::default();
        for index in (0..10).chain([7, 2, 9, 0]) {
            reader.read_frame(index, &mut found).unwrap();
            assert_eq!(found, made(index), "finished {finished}, frame {index}");
            let changed = (0..=index).rev().find(|index| index % 3 == 1);
            let wanted = changed.map_or(info.objects[0].topology.clone(), |at| cut(0, 12 - at));
            assert_eq!(reader.topology(0, index).unwrap(), wanted);
        }
        assert_eq!(reader.topology(2, 9).unwrap(), Topology::Lines(vec![[24, 0]]));
        assert_eq!(reader.topology(2, 4).unwrap(), info.objects[2].topology);
        assert_eq!(reader.verify().unwrap().frames, 10);
    }
}
