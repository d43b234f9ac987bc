//! Invalid or unusable recordings are rejected with a one-line reason.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_recording::{
    Frame, ObjectInfo, PairInfo, Point, Primitive, Reader, RecordingError, SessionInfo, State, Topology,
    TopologyChange, Writer, WriterOptions,
};
use rust_hdf5::{DatatypeMessage, H5File};
use sample::{every_kind, frame, mesh, primitive};
use std::path::Path;

/// The error of opening a file; it is one line.
fn refusal(path: &Path) -> (RecordingError, String) {
    let error = Reader::open(path).unwrap_err();
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    assert!(message.contains(&path.file_name().unwrap().to_string_lossy().into_owned()), "{message}");
    (error, message)
}

/// A PolyData or UnstructuredGrid without time, of three points and the given cells.
fn write_plain(
    path: &Path,
    vtk_type: &str,
    cells: &[(&str, &[i64], &[i64])],
    types: &[u8],
    points: [f64; 9],
) {
    let file = H5File::create(path).unwrap();
    let group = file.create_group("VTKHDF").unwrap();
    group.set_attr_array_numeric("Version", &[2_i64, 0]).unwrap();
    let size = vtk_type.len() as u32;
    let text = DatatypeMessage::FixedString { size, padding: 1, charset: 0 };
    group.set_attr_typed("Type", text, vtk_type.as_bytes().to_vec()).unwrap();
    group.new_dataset::<f64>().shape([3, 3]).create("Points").unwrap().write_raw(&points).unwrap();
    group.new_dataset::<i64>().shape([1]).create("NumberOfPoints").unwrap().write_raw(&[3_i64]).unwrap();
    let places =
        if vtk_type == "PolyData" { vec!["Vertices", "Lines", "Polygons", "Strips"] } else { vec![""] };
    for place in places {
        let (_, offsets, ids) = *cells.iter().find(|(name, ..)| *name == place).unwrap_or(&("", &[0], &[]));
        let inner = (!place.is_empty()).then(|| group.create_group(place).unwrap());
        let group = inner.as_ref().unwrap_or(&group);
        let write = |name: &str, values: &[i64]| {
            let dataset = group.new_dataset::<i64>().shape([values.len()]).create(name).unwrap();
            if !values.is_empty() {
                dataset.write_raw(values).unwrap();
            }
        };
        write("NumberOfCells", &[offsets.len() as i64 - 1]);
        write("NumberOfConnectivityIds", &[ids.len() as i64]);
        write("Offsets", offsets);
        write("Connectivity", ids);
    }
    if !types.is_empty() {
        group.new_dataset::<u8>().shape([types.len()]).create("Types").unwrap().write_raw(types).unwrap();
    }
    file.close().unwrap();
}

const POINTS: [f64; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

#[test]
fn paths_that_are_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    assert!(matches!(refusal(&path).0, RecordingError::Missing { .. }));
    assert!(matches!(refusal(folder.path()).0, RecordingError::IsDirectory { .. }));
    std::fs::write(&path, "").unwrap();
    assert!(matches!(refusal(&path).0, RecordingError::Empty { .. }));
    std::fs::write(&path, "a text of some length, which is no HDF5 at all\n".repeat(50)).unwrap();
    assert!(matches!(refusal(&path).0, RecordingError::NotHdf5 { .. }));
    let file = H5File::create(&path).unwrap();
    file.new_dataset::<f64>().shape([2]).create("numbers").unwrap().write_raw(&[1.0, 2.0]).unwrap();
    file.close().unwrap();
    let (error, message) = refusal(&path);
    assert!(matches!(error, RecordingError::NoSession { .. }) && message.contains("/VTKHDF"), "{message}");
    let none: [&Path; 0] = [];
    assert!(Reader::open_many(&none).is_err());
}

#[test]
fn cells_of_files_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thing.vtkhdf");
    let seen = |vtk_type: &str, cells: &[(&str, &[i64], &[i64])], types: &[u8]| {
        write_plain(&path, vtk_type, cells, types, POINTS);
        Reader::open(&path).map(|reader| {
            let object = &reader.info().objects[0];
            assert_eq!(
                (object.name.as_str(), reader.frame_count(), reader.times()),
                ("thing", 1, [0.0].as_slice())
            );
            (object.kind.clone(), object.topology.clone())
        })
    };
    let points = ("point_set".to_string(), Topology::Points);
    let lines = ("line_mesh".to_string(), Topology::Lines(vec![[0, 2], [2, 1]]));
    let triangle = ("surface_mesh".to_string(), Topology::Triangles(vec![[0, 1, 2]]));
    assert_eq!(seen("PolyData", &[], &[]).unwrap(), points);
    assert_eq!(seen("PolyData", &[("Vertices", &[0, 1, 3], &[0, 1, 2])], &[]).unwrap(), points);
    assert_eq!(seen("PolyData", &[("Lines", &[0, 3], &[0, 2, 1])], &[]).unwrap(), lines);
    assert_eq!(seen("PolyData", &[("Polygons", &[0, 3], &[0, 1, 2])], &[]).unwrap(), triangle);
    assert_eq!(seen("UnstructuredGrid", &[("", &[0, 2, 4], &[0, 2, 2, 1])], &[3, 3]).unwrap(), lines);
    assert_eq!(seen("UnstructuredGrid", &[("", &[0, 3], &[0, 1, 2])], &[5]).unwrap(), triangle);

    type Cells<'a> = &'a [(&'a str, &'a [i64], &'a [i64])];
    let refused: [(&str, Cells<'_>, &[u8], &[&str]); 9] = [
        (
            "PolyData",
            &[("Polygons", &[0, 3, 7], &[0, 1, 2, 0, 1, 2, 1])],
            &[],
            &["cell 1", "polygon of 4 corners"],
        ),
        ("PolyData", &[("Strips", &[0, 3], &[0, 1, 2])], &[], &["cell 0", "strip"]),
        (
            "PolyData",
            &[("Lines", &[0, 2], &[0, 1]), ("Polygons", &[0, 3], &[0, 1, 2])],
            &[],
            &["cell 1", "another kind"],
        ),
        ("PolyData", &[("Lines", &[0, 1], &[0])], &[], &["cell 0", "a line of 1 points"]),
        (
            "PolyData",
            &[("Polygons", &[0, 3], &[0, 1, 3])],
            &[],
            &["'thing'", "cell 0", "vertex 3 of 3 points"],
        ),
        ("PolyData", &[("Polygons", &[0, 3], &[0, 1, -1])], &[], &["vertex -1"]),
        ("PolyData", &[("Polygons", &[0, 4], &[0, 1, 2])], &[], &["Polygons/Offsets", "rise from 0 to 3"]),
        ("UnstructuredGrid", &[("", &[0, 8], &[0; 8])], &[12], &["cell type 12 (hexahedron)"]),
        ("ImageData", &[], &[], &["type ImageData", "PolyData or UnstructuredGrid"]),
    ];
    for (vtk_type, cells, types, words) in refused {
        let message = seen(vtk_type, cells, types).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
    }
}

#[test]
fn coordinates_that_are_not_finite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thing.vtkhdf");
    for value in [f64::NAN, f64::INFINITY] {
        let mut points = POINTS;
        points[7] = value;
        write_plain(&path, "PolyData", &[], &[], points);
        let message =
            Reader::open(&path).unwrap().read_frame(0, &mut Frame::default()).unwrap_err().to_string();
        assert!(message.contains("'thing', frame 0: y of vertex 2 is"), "{message}");
    }
}

#[test]
fn frames_that_do_not_fit_their_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(4);
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    writer.append(&frame(&info, 4, 0)).unwrap();
    let mut refuse = |change: fn(&mut Frame), words: &[&str]| {
        let mut made = frame(&info, 4, 1);
        change(&mut made);
        let message = writer.append(&made).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
    };
    fn points(frame: &mut Frame, object: usize) -> &mut Vec<Point> {
        match &mut frame.states[object] {
            State::Points(points) => points,
            State::Primitive(_) => panic!("a primitive"),
        }
    }
    refuse(|frame| points(frame, 1)[3].z = f64::NAN, &["'liver tets'", "frame 1", "z of vertex 3", "NaN"]);
    refuse(|frame| points(frame, 0).truncate(10), &["'liver'", "frame 1", "vertex 10 of 10 points"]);
    refuse(|frame| frame.states.truncate(8), &["frame 1", "8", "9 states"]);
    refuse(|frame| frame.states.swap(0, 5), &["'liver'", "a pose"]);
    refuse(|frame| frame.time = f64::NAN, &["frame 1", "finite time"]);
    refuse(|frame| frame.time = 0.0, &["frame 1", "a time after 0 s"]);
    refuse(
        |frame| {
            let State::Primitive(Primitive { rotation_wxyz, .. }) = &mut frame.states[5] else { panic!() };
            rotation_wxyz[2] = f64::NEG_INFINITY;
        },
        &["'capsule'", "rotation y is -inf"],
    );
    refuse(
        |frame| frame.changes.push(TopologyChange { object: 0, topology: Topology::Points }),
        &["object 0"],
    );
    refuse(
        |frame| frame.changes.push(TopologyChange { object: 9, topology: Topology::Points }),
        &["object 9"],
    );
    refuse(
        |frame| {
            frame.changes.push(TopologyChange { object: 2, topology: Topology::Lines(vec![[0, 1], [1, 16]]) })
        },
        &["'thread'", "cell 1", "vertex 16 of 16"],
    );
    // None of these became part of the session.
    writer.append(&frame(&info, 4, 1)).unwrap();
    writer.finish().unwrap();
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.verify().unwrap().frames, 2);
    let message = reader.read_frame(2, &mut Frame::default()).unwrap_err().to_string();
    assert!(message.contains("frame 2 asked for, it has 2 frames"), "{message}");
}

#[test]
fn sessions_that_are_not_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let refuse = |change: fn(&mut SessionInfo), words: &[&str]| {
        let mut info = every_kind(4);
        change(&mut info);
        let path = folder.path().join("session.vtkhdf");
        let message = Writer::create(&path, &info, WriterOptions::default()).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
    };
    refuse(|info| info.objects.clear(), &["no objects"]);
    refuse(|info| info.objects.push(primitive("liver", "sphere")), &["two objects named 'liver'"]);
    refuse(|info| info.objects[0] = ObjectInfo::default(), &["name"]);
    refuse(|info| info.objects[0].kind = "line_mesh".into(), &["'liver'", "'line_mesh'", "surface_mesh"]);
    refuse(|info| info.objects[0] = mesh("x", "point_set", 3), &["liver", "one of"]);
    refuse(|info| info.objects[4].kind = "point_set".into(), &["'sphere'", "primitive"]);
    refuse(|info| info.objects[2].radius = Some(-1.0), &["'thread'", "radius -1"]);
    refuse(|info| info.pairs[0].margin = f64::NAN, &["pair liver:capsule", "margin", "NaN"]);
    refuse(
        |info| info.pairs.push(PairInfo { a: "liver".into(), b: "scalpel".into(), ..PairInfo::default() }),
        &["pair liver:scalpel", "'scalpel'", "one of"],
    );
    refuse(|info| info.time_step = Some(0.0), &["time step"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a rejected session leaves no file");
}

#[test]
fn finished_sessions_are_not_written_over_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(4);
    sample::write(&path, &info, 4, 2, 0);
    let again = Writer::create(&path, &info, WriterOptions::default());
    assert!(matches!(again, Err(RecordingError::Exists { .. })));
    assert_eq!(Reader::open(&path).unwrap().frame_count(), 2);
    let nowhere =
        Writer::create(folder.path().join("no/such/folder.vtkhdf"), &info, WriterOptions::default());
    assert!(matches!(nowhere, Err(RecordingError::Io { .. })));
}
