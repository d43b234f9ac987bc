//! Every HDF5 library of this build reads the files of each of them, and foreign files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Frame, Library, Point,
    ReadOptions, Reader, State, Topology, TopologyChange, Writer, WriterOptions,
};
use sample::{every_kind, frame, mesh};
use std::path::{Path, PathBuf};

const SIDE: u32 = 7;
const FRAMES: usize = 15;

fn reading(library: Library) -> ReadOptions {
    ReadOptions { library, ..ReadOptions::default() }
}

#[test]
fn sessions_of_each_library_are_read_by_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    for &writes in Library::ALL {
        for compression in [0, 3] {
            let info = every_kind(SIDE);
            let made = |index: usize| {
                let mut made = frame(&info, SIDE, index);
                if index == 9 {
                    made.changes.push(TopologyChange {
                        object: 1,
                        topology: Topology::Tetrahedra(vec![[0, 1, 2, 3]]),
                    });
                }
                made
            };
            let options =
                WriterOptions { compression, library: writes, overwrite: true, ..WriterOptions::default() };
            let mut writer = Writer::create(&path, &info, options).unwrap();
            (0..FRAMES).for_each(|index| writer.append(&made(index)).unwrap());
            writer.finish().unwrap();
            for &reads in Library::ALL {
                let mut reader = Reader::open_with(&[&path], &reading(reads)).unwrap();
                assert!(reader.info() == &info, "written by {writes:?}, read by {reads:?}");
                assert_eq!(reader.frame_count(), FRAMES);
                assert!(reader.has_checksums());
                let mut found = Frame::default();
                for index in 0..FRAMES {
                    reader.read_frame(index, &mut found).unwrap();
                    assert!(found == made(index), "written by {writes:?}, read by {reads:?}, frame {index}");
                }
            }
        }
    }
}

#[test]
fn contacts_of_each_library_are_read_by_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    let pairs = [ContactPair { a: "liver".into(), b: "tool ö".into(), detector: String::new() }];
    let contacts = |frame: u64| -> Vec<Contact> {
        let one = |number: u64| {
            let (x, y) = (Point::new(number as f64, 0.1, 0.2), Point::new(0.3, frame as f64, 0.7));
            let a = Feature::edge([3, number as u32], [0.3, 0.7], 2, x);
            Contact::exact(a, Feature::numbered(1, y), nalgebra::Vector3::y(), 0.1, number)
        };
        (0..frame * 10 % 37).map(one).collect()
    };
    for &writes in Library::ALL {
        for vtk in [false, true] {
            let options =
                ContactsOptions { library: writes, overwrite: true, vtk, ..ContactsOptions::default() };
            let mut writer = ContactsWriter::create(&path, &pairs, options).unwrap();
            for frame in 0..20 {
                let contacts = contacts(frame);
                writer.append(frame, frame as f64, &vec![0; contacts.len()], &contacts).unwrap();
            }
            writer.finish().unwrap();
            for &reads in Library::ALL {
                let mut reader = ContactsReader::open_with(&path, &reading(reads)).unwrap();
                assert_eq!(reader.pairs(), pairs);
                let mut found = ContactFrame::default();
                for frame in 0..20 {
                    reader.read_frame(frame as usize, &mut found).unwrap();
                    let wanted = contacts(frame);
                    assert_eq!(found.contacts.len(), wanted.len());
                    assert!(
                        found.contacts.iter().zip(&wanted).all(|(a, b)| a.same_bits(b)),
                        "{writes:?}, {reads:?}"
                    );
                }
            }
        }
    }
}

/// Points and point ids of a file as a third library reads them.
fn read_elsewhere(path: &Path, group: &str, ids: &str) -> (Vec<f64>, Vec<i64>) {
    let file = hdf5_reader::Hdf5File::open(path).unwrap();
    let points = file.dataset(&format!("{group}/Points")).unwrap();
    let bytes = points.read_raw_bytes().unwrap();
    let numbers = match points.raw_element_size().unwrap() {
        4 => bytes.as_chunks().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect(),
        _ => bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
    };
    let bytes = file.dataset(&format!("{group}/{ids}")).unwrap().read_raw_bytes().unwrap();
    (numbers, bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
}

/// All points of an object over all frames, and its point ids in the first.
fn read_here(path: &Path, object: usize, library: Library) -> (Vec<f64>, Vec<i64>) {
    let mut reader = Reader::open_with(&[path], &reading(library)).unwrap();
    let ids = reader.info().objects[object].topology.indices().iter().map(|&id| i64::from(id)).collect();
    let mut frame = Frame::default();
    let mut points = Vec::new();
    for index in 0..reader.frame_count() {
        reader.read_frame(index, &mut frame).unwrap();
        let State::Points(found) = &frame.states[object] else { panic!("no points") };
        points.extend(found.iter().flat_map(|point| [point.x, point.y, point.z]));
    }
    (points, ids)
}

#[test]
fn a_third_library_reads_the_same_sessions() {
    let folder = tempfile::tempdir().unwrap();
    for &library in Library::ALL {
        for (kind, group, ids) in [
            ("surface_mesh", "/VTKHDF", "Polygons/Connectivity"),
            ("line_mesh", "/VTKHDF", "Lines/Connectivity"),
            ("tetra_mesh", "/VTKHDF", "Connectivity"),
        ] {
            let path = folder.path().join(format!("{kind}-{library:?}.vtkhdf"));
            let object = mesh("thing", kind, 20);
            let info = palpate_recording::SessionInfo { objects: vec![object], ..Default::default() };
            let options = WriterOptions { compression: 2, library, ..WriterOptions::default() };
            let mut writer = Writer::create(&path, &info, options).unwrap();
            (0..30).for_each(|index| writer.append(&frame(&info, 20, index)).unwrap());
            writer.finish().unwrap();
            assert!(
                read_here(&path, 0, Library::Rust) == read_elsewhere(&path, group, ids),
                "{kind}, {library:?}"
            );
        }
    }
}

#[test]
fn a_third_library_reads_the_same_of_recordings_by_others() {
    let Some(shared) = std::env::var_os("PALPATE_SHARED") else { return };
    let folder = PathBuf::from(shared).join("data/recordings");
    for &library in Library::ALL {
        for (file, ids) in [
            ("r1a_liver2_capsule/organ_surface", "Polygons/Connectivity"),
            ("r1b_liver2_dental_probe/organ_tets", "Connectivity"),
            ("r3a/bodies", "Polygons/Connectivity"),
            ("large/liver2_150k/organ_large", "Polygons/Connectivity"),
        ] {
            let path = folder.join(format!("{file}.vtkhdf"));
            assert!(
                read_here(&path, 0, library) == read_elsewhere(&path, "/VTKHDF", ids),
                "{file}, {library:?}"
            );
        }
        // Here a polyline is one cell, so point ids differ; points do not.
        let path = folder.join("r2a_thread_self/thread.vtkhdf");
        let (points, _) = read_elsewhere(&path, "/VTKHDF", "Lines/Connectivity");
        assert_eq!(read_here(&path, 0, library).0, points);
    }
}
