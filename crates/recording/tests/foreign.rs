//! Recordings by other simulators, if available: `PALPATE_SHARED` names the folder that contains them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use palpate_recording::{Frame, Reader, State, Topology};
use std::path::PathBuf;

fn recordings() -> Option<PathBuf> {
    std::env::var_os("PALPATE_SHARED").map(|folder| PathBuf::from(folder).join("data/recordings"))
}

/// Files of one session; frames; per object its name, kind, points, cells.
type Wanted<'a> = (&'a [&'a str], usize, &'a [(&'a str, &'a str, usize, usize)]);

const SESSIONS: [Wanted<'static>; 6] = [
    (
        &["r1a_liver2_capsule/organ_surface", "r1a_liver2_capsule/organ_tets", "r1a_liver2_capsule/tool"],
        240,
        &[
            ("organ_surface", "surface_mesh", 432, 860),
            ("organ_tets", "tetra_mesh", 507, 1493),
            ("tool", "surface_mesh", 770, 1536),
        ],
    ),
    (&["r1b_liver2_dental_probe/organ_surface"], 240, &[("organ_surface", "surface_mesh", 432, 860)]),
    (&["r2a_thread_self/thread"], 325, &[("thread", "line_mesh", 64, 63)]),
    (
        &["r2b_thread_liver2/thread", "r2b_thread_liver2/organ_tets"],
        325,
        &[("thread", "line_mesh", 61, 60), ("organ_tets", "tetra_mesh", 507, 1493)],
    ),
    (
        &["r3a/bodies", "r3a/tray"],
        370,
        &[("bodies", "surface_mesh", 1190, 2332), ("tray", "surface_mesh", 40, 60)],
    ),
    (&["large/liver2_150k/organ_large"], 50, &[("organ_large", "surface_mesh", 74754, 149_504)]),
];

#[test]
fn frames_points_and_cells_are_those_of_the_files() {
    let Some(folder) = recordings() else { return };
    for (files, frames, objects) in SESSIONS {
        let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(format!("{file}.vtkhdf"))).collect();
        let mut reader = Reader::open_many(&paths).unwrap();
        assert_eq!(reader.frame_count(), frames, "{files:?}");
        let mut frame = Frame::default();
        for index in 0..frames {
            reader.read_frame(index, &mut frame).unwrap();
            assert!(frame.changes.is_empty(), "{files:?}");
            for (state, wanted) in frame.states.iter().zip(objects) {
                assert_eq!(state.point_count(), Some(wanted.2), "{} in frame {index}", wanted.0);
            }
        }
        let found = reader.info().objects.iter();
        let found: Vec<_> = found
            .map(|object| (object.name.as_str(), object.kind.as_str(), object.topology.cell_count()))
            .collect();
        let wanted: Vec<_> = objects.iter().map(|&(name, kind, _, cells)| (name, kind, cells)).collect();
        assert_eq!(found, wanted);
        assert!(!reader.has_checksums() && !reader.is_unfinished());
    }
}

#[test]
fn a_polyline_becomes_segments_and_constant_point_data_a_radius() {
    let Some(folder) = recordings() else { return };
    for (file, segments, radius) in [("r2a_thread_self", 63, 0.0012_f32), ("r2b_thread_liver2", 60, 0.0015)] {
        let reader = Reader::open(folder.join(file).join("thread.vtkhdf")).unwrap();
        let thread = &reader.info().objects[0];
        let wanted: Vec<[u32; 2]> = (0..segments).map(|point| [point, point + 1]).collect();
        assert_eq!(thread.topology, Topology::Lines(wanted));
        assert_eq!(thread.radius, Some(f64::from(radius)));
    }
}

#[test]
fn what_does_not_move_is_there_in_every_frame() {
    let Some(folder) = recordings() else { return };
    let mut reader =
        Reader::open_many(&[folder.join("r3a/tray.vtkhdf"), folder.join("r3a/bodies.vtkhdf")]).unwrap();
    assert_eq!(reader.frame_count(), 370);
    assert!((reader.info().time_step.unwrap() / 0.0065 - 1.0).abs() < 1e-9);
    let (mut first, mut last) = (Frame::default(), Frame::default());
    reader.read_frame(0, &mut first).unwrap();
    reader.read_frame(369, &mut last).unwrap();
    assert_eq!(first.states[0], last.states[0]);
    assert_ne!(first.states[1], last.states[1]);
    assert!(matches!(&last.states[0], State::Points(points) if points.len() == 40));
}

#[test]
fn files_of_different_sessions_are_refused() {
    let Some(folder) = recordings() else { return };
    let files = [folder.join("r2a_thread_self/thread.vtkhdf"), folder.join("r1a_liver2_capsule/tool.vtkhdf")];
    let message = Reader::open_many(&files).unwrap_err().to_string();
    assert!(
        message.contains("number of frames") && message.contains("240") && message.contains("325"),
        "{message}"
    );
    let files =
        [folder.join("r2a_thread_self/thread.vtkhdf"), folder.join("r2b_thread_liver2/organ_tets.vtkhdf")];
    let opened = Reader::open_many(&files);
    assert!(opened.is_ok(), "both have a step of 0.008 s: {opened:?}");
}
