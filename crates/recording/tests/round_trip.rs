//! Written data is read back to the last bit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_recording::{Frame, Reader, SessionInfo};
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
