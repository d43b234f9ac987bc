//! Files as others write them with an HDF5 library alone: composites, datasets of several parts, palpate's own
//! layout.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use palpate_recording::{Frame, Library, Point, Primitive, ReadOptions, Reader, State, Topology};
use rust_hdf5::{DatatypeMessage, H5File, H5Group};
use std::path::Path;

fn text(group: &H5Group, name: &str, value: &str) {
    let datatype = DatatypeMessage::FixedString { size: value.len() as u32, padding: 1, charset: 0 };
    group.set_attr_typed(name, datatype, value.as_bytes().to_vec()).unwrap();
}

fn integers(group: &H5Group, name: &str, shape: &[usize], values: &[i64]) {
    let dataset = group.new_dataset::<i64>().shape(shape).create(name).unwrap();
    if !values.is_empty() {
        dataset.write_raw(values).unwrap();
    }
}

fn floats(group: &H5Group, name: &str, shape: &[usize], values: &[f64]) {
    group.new_dataset::<f64>().shape(shape).create(name).unwrap().write_raw(values).unwrap();
}

/// PolyData of two parts, a triangle each, whose six points move along x by the step number.
fn two_triangles(group: &H5Group, times: &[f64]) {
    text(group, "Type", "PolyData");
    let steps = times.len();
    integers(group, "NumberOfPoints", &[2], &[3, 3]);
    for category in ["Vertices", "Lines", "Strips"] {
        let group = group.create_group(category).unwrap();
        integers(&group, "NumberOfCells", &[2], &[0, 0]);
        integers(&group, "NumberOfConnectivityIds", &[2], &[0, 0]);
        integers(&group, "Offsets", &[2], &[0, 0]);
        integers(&group, "Connectivity", &[0], &[]);
    }
    let polygons = group.create_group("Polygons").unwrap();
    integers(&polygons, "NumberOfCells", &[2], &[1, 1]);
    integers(&polygons, "NumberOfConnectivityIds", &[2], &[3, 3]);
    integers(&polygons, "Offsets", &[4], &[0, 3, 0, 3]);
    integers(&polygons, "Connectivity", &[6], &[0, 1, 2, 2, 1, 0]);
    let points: Vec<f64> =
        (0..steps).flat_map(|step| (0..6).flat_map(move |at| coordinates(step, at))).collect();
    floats(group, "Points", &[6 * steps, 3], &points);
    if steps > 1 {
        let group = group.create_group("Steps").unwrap();
        group.set_attr_numeric("NSteps", &(steps as i64)).unwrap();
        floats(&group, "Values", &[steps], times);
        integers(&group, "PartOffsets", &[steps], &vec![0; steps]);
        integers(&group, "NumberOfParts", &[steps], &vec![2; steps]);
        let starts: Vec<i64> = (0..steps).map(|step| 6 * step as i64).collect();
        integers(&group, "PointOffsets", &[steps], &starts);
        integers(&group, "CellOffsets", &[steps, 4], &vec![0; 4 * steps]);
        integers(&group, "ConnectivityIdOffsets", &[steps, 4], &vec![0; 4 * steps]);
    }
}

fn coordinates(step: usize, at: usize) -> [f64; 3] {
    [step as f64, at as f64, 0.5]
}

fn points(step: usize) -> State {
    State::Points((0..6).map(|at| Point::from(coordinates(step, at))).collect())
}

const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [5, 4, 3]];

#[test]
fn a_composite_gives_an_object_per_block_and_parts_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let times = [0.0, 0.25, 0.5];
    for vtk_type in ["MultiBlockDataSet", "PartitionedDataSetCollection"] {
        for has_assembly in [false, true] {
            let path = folder.path().join("scene.vtkhdf");
            let file = H5File::create(&path).unwrap();
            let root = file.create_group("VTKHDF").unwrap();
            text(&root, "Type", vtk_type);
            two_triangles(&root.create_group("Block_1").unwrap(), &times);
            two_triangles(&root.create_group("Block_2").unwrap(), &times[..1]);
            if has_assembly {
                // As VTK's own writer does: the assembly has the names.
                let assembly = root.create_group("Assembly").unwrap();
                assembly.create_soft_link("tool", "/VTKHDF/Block_1").unwrap();
                assembly.create_group("fixed").unwrap().create_soft_link("table", "/VTKHDF/Block_2").unwrap();
            }
            file.close().unwrap();
            for &library in Library::ALL {
                let mut reader =
                    Reader::open_with(&[&path], &ReadOptions { library, ..ReadOptions::default() }).unwrap();
                let mut names: Vec<_> =
                    reader.info().objects.iter().map(|object| object.name.as_str()).collect();
                let moving = usize::from(has_assembly);
                assert_eq!(names[moving], if has_assembly { "tool" } else { "Block_1" });
                names.sort_unstable();
                assert_eq!(names, if has_assembly { ["table", "tool"] } else { ["Block_1", "Block_2"] });
                assert_eq!(reader.times(), times);
                assert_eq!(reader.info().time_step, Some(0.25));
                assert_eq!(reader.info().objects[0].topology, Topology::Triangles(TRIANGLES.to_vec()));
                let mut frame = Frame::default();
                for step in 0..3 {
                    reader.read_frame(step, &mut frame).unwrap();
                    assert_eq!(frame.states[moving], points(step));
                    assert_eq!(frame.states[1 - moving], points(0));
                }
            }
        }
    }
}

/// A session of two triangles and a sphere as a few lines of any language write it; `header` is its description.
fn write_session(path: &Path, header: &str, times: &[f64], checksums: Option<&[u32]>, poses: usize) {
    let file = H5File::create(path).unwrap();
    two_triangles(&file.create_group("VTKHDF").unwrap(), times);
    let own = file.create_group("palpate").unwrap();
    // Both string types are accepted: fixed-length if the number of poses is even.
    if poses.is_multiple_of(2) {
        let datatype = DatatypeMessage::FixedString { size: header.len() as u32, padding: 1, charset: 0 };
        let dataset = own.new_dataset::<u8>().datatype(datatype).scalar().create("session").unwrap();
        dataset.write_raw_bytes(header.as_bytes()).unwrap();
    } else {
        own.write_vlen_strings("session", &[header]).unwrap();
    }
    floats(&own, "times", &[times.len()], times);
    let rows: Vec<f64> = (0..poses).flat_map(pose).collect();
    floats(&own, "ball", &[poses, 10], &rows);
    if let Some(checksums) = checksums {
        let dataset = own.new_dataset::<u32>().shape([checksums.len()]).create("frame_crc32").unwrap();
        dataset.write_raw(checksums).unwrap();
    }
    file.close().unwrap();
}

fn pose(step: usize) -> [f64; 10] {
    [step as f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0]
}

const HEADER: &str = r#"{"schema": 1, "objects": [
    {"name": "sheet", "kind": "surface_mesh", "data": "/VTKHDF"},
    {"name": "ball", "kind": "sphere", "data": "/palpate/ball"}],
    "pairs": [{"a": "sheet", "b": "ball"}]}"#;

#[test]
fn a_session_made_by_hand_needs_no_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let times = [0.0, 0.5, 1.0, 1.5];
    for poses in [4, 1] {
        write_session(&path, HEADER, &times, None, poses);
        // The C library does not read the variable-length strings of rust-hdf5; it does read those of h5py.
        let libraries = if poses.is_multiple_of(2) { Library::ALL } else { &[Library::Rust] };
        for &library in libraries {
            let mut reader =
                Reader::open_with(&[&path], &ReadOptions { library, ..ReadOptions::default() }).unwrap();
            assert!(!reader.has_checksums());
            assert_eq!(reader.info().pairs[0].margin, 0.0);
            assert_eq!(reader.info().time_step, Some(0.5));
            let mut frame = Frame::default();
            for step in 0..4 {
                reader.read_frame(step, &mut frame).unwrap();
                let [x, ..] = pose(step.min(poses - 1));
                let ball = Primitive {
                    position: Point::new(x, 0.0, 0.0),
                    rotation_wxyz: [1.0, 0.0, 0.0, 0.0],
                    size: [0.1, 0.0, 0.0],
                };
                assert_eq!(frame.states, [points(step), State::Primitive(ball)]);
            }
        }
    }
}

#[test]
fn checksums_made_by_hand_are_those_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let times = [0.0, 0.5, 1.0];
    let checksum = |step: usize| {
        let coordinates = (0..6).flat_map(|at| coordinates(step, at));
        let numbers = std::iter::once(times[step]).chain(coordinates).chain(pose(step));
        crc32fast::hash(&numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
    };
    let right: Vec<u32> = (0..3).map(checksum).collect();
    write_session(&path, HEADER, &times, Some(&right), 3);
    assert_eq!(Reader::open(&path).unwrap().verify().unwrap().frames, 3);
    let mut wrong = right.clone();
    wrong[1] ^= 1;
    write_session(&path, HEADER, &times, Some(&wrong), 3);
    let message = Reader::open(&path).unwrap().verify().unwrap_err().to_string();
    assert!(message.contains("frame 1") && message.contains("checksum"), "{message}");
}

#[test]
fn slips_in_a_session_made_by_hand_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let refuse = |from: &str, to: &str, words: &[&str]| {
        assert!(HEADER.contains(from));
        write_session(&path, &HEADER.replace(from, to), &[0.0, 0.5], None, 2);
        let message = Reader::open(&path).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)) && !message.contains('\n'), "{message}");
    };
    refuse("\"schema\": 1", "\"schema\": 4", &["schema 4", "from 1 to 3"]);
    refuse("\"schema\": 1", "\"schema\": 1, \"length_unit\": \"mm\"", &["'mm'", "'m'"]);
    refuse("\"schema\": 1", "\"schema\": 1, \"frames\": 3", &["2 times", "3"]);
    refuse("\"schema\": 1", "\"schema\": 1, \"checksums\": true", &["session_crc32"]);
    refuse("\"kind\"", "\"knid\"", &["knid"]);
    refuse("\"data\"", "\"sidedness\": \"left\", \"data\"", &["'sheet'", "'left'", "winding_number"]);
    refuse("\"data\"", "\"cells\": \"tiles\", \"data\"", &["'sheet'", "'tiles'", "tetra_mesh"]);
    refuse("{\"schema\"", "{schema", &["session header"]);
    refuse("/palpate/ball", "/palpate/balls", &["/palpate/balls"]);
    refuse("/palpate/ball", "/palpate/times", &["'ball'", "rows of ten numbers"]);
    refuse("surface_mesh", "line_mesh", &["'sheet'", "line_mesh", "surface_mesh"]);
    refuse("\"b\": \"ball\"", "\"b\": \"bell\"", &["'bell'", "sheet"]);
    write_session(&path, HEADER, &[0.0, 0.5, 1.0], None, 2);
    let message = Reader::open(&path).unwrap_err().to_string();
    assert!(message.contains("'ball'") && message.contains("2 frames") && message.contains('3'), "{message}");
}
