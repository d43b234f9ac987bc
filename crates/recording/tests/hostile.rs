//! Files that lead elsewhere, claim more than they hold, or are otherwise odd: read as the HDF5 library and VTK read them, or
//! refused by name.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod sample;

use palpate_recording::{
    ContactsReader, Frame, Library, Limits, Note, Point, ReadOptions, Reader, RecordingError, State,
    Topology, Writer, WriterOptions,
};
use plain::{POINTS, Plain, TRIANGLES, all_coordinates, big_endian, coordinates, floats};
use rust_hdf5::{H5File, H5Group, Hyperslab, HyperslabBlock, RegularHyperslab, Selection};
use sample::{frame, primitive};
use std::path::Path;
use std::time::{Duration, Instant};

const STEPS: usize = 3;

fn state(coordinates: &[f64]) -> State {
    State::Points(coordinates.as_chunks().0.iter().map(|&[x, y, z]| Point::new(x, y, z)).collect())
}

/// Opens a file and reads all its frames, by every library; both must do the same.
fn read(path: &Path, options: &ReadOptions) -> Result<Vec<State>, String> {
    let all = Library::ALL.iter().map(|&library| {
        let options = ReadOptions { library, ..options.clone() };
        let mut reader = Reader::open_with(&[path], &options).map_err(|error| error.to_string())?;
        assert_eq!(reader.info().objects[0].topology, Topology::Triangles(TRIANGLES.to_vec()));
        let mut frame = Frame::default();
        (0..reader.frame_count())
            .map(|index| {
                reader.read_frame(index, &mut frame).map_err(|error| error.to_string())?;
                assert!(frame.changes.is_empty());
                Ok(frame.states[0].clone())
            })
            .collect()
    });
    let mut all: Vec<Result<Vec<State>, String>> = all.collect();
    assert!(all.iter().all(|found| *found == all[0]), "{all:?}");
    all.remove(0)
}

fn refusal(path: &Path, options: &ReadOptions, words: &[&str]) {
    let message = read(path, options).unwrap_err();
    assert!(!message.contains('\n') && !message.contains("Some("), "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message}, wanted {words:?}");
}

fn external() -> ReadOptions {
    ReadOptions { allow_external: true, ..ReadOptions::default() }
}

fn rows(start: usize, end: usize) -> Selection {
    let block = HyperslabBlock { start: vec![start as u64, 0], end: vec![end as u64 - 1, 2] };
    Selection::Hyperslab { rank: 2, form: Hyperslab::Blocks(vec![block]) }
}

/// `Points` that come step by step from dataset `dataset` of the files.
fn virtual_points<T: rust_hdf5::H5Type>(root: &H5Group, files: [&str; STEPS], dataset: &str) {
    let mut points = root.new_dataset::<T>().shape([POINTS * STEPS, 3]);
    for (step, file) in files.into_iter().enumerate() {
        points =
            points.virtual_mapping(rows(step * POINTS, (step + 1) * POINTS), file, dataset, Selection::All);
    }
    points.create("Points").unwrap();
}

/// A file with one step's coordinates as `/points`, converted by `write`.
fn source(path: &Path, step: usize, write: impl FnOnce(&H5File, &[f64])) {
    let file = H5File::create(path).unwrap();
    write(&file, &coordinates(step));
    file.close().unwrap();
}

fn doubles(file: &H5File, values: &[f64]) {
    floats(&file.root_group(), "points", &[POINTS, 3], values);
}

#[test]
fn sources_of_a_virtual_dataset_are_converted_to_its_type() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    source(&place("f4.h5"), 0, |file, values| {
        let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        file.new_dataset::<f32>().shape([POINTS, 3]).create("points").unwrap().write_raw(&single).unwrap();
    });
    source(&place("be.h5"), 1, |file, values| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        let builder = file.new_dataset::<f64>().datatype(big_endian()).shape([POINTS, 3]);
        builder.create("points").unwrap().write_raw_bytes(&bytes).unwrap();
    });
    source(&place("integers.h5"), 2, |file, _| {
        let values: Vec<i16> = (0..3 * POINTS as i16).map(|value| value - 5).collect();
        file.new_dataset::<i16>().shape([POINTS, 3]).create("points").unwrap().write_raw(&values).unwrap();
    });
    let files = ["f4.h5", "be.h5", "integers.h5"];
    let path = place("virtual.vtkhdf");
    Plain::default().write(&path, |root| virtual_points::<f64>(root, files, "/points"));
    let single: Vec<f64> = coordinates(0).iter().map(|&value| f64::from(value as f32)).collect();
    let whole: Vec<f64> = (0..3 * POINTS).map(|value| value as f64 - 5.0).collect();
    let wanted = vec![state(&single), state(&coordinates(1)), state(&whole)];
    assert_eq!(read(&path, &ReadOptions::default()), Ok(wanted));

    // To a dataset of single floats, doubles are rounded.
    Plain::default().write(&path, |root| virtual_points::<f32>(root, files, "/points"));
    let rounded: Vec<f64> = coordinates(1).iter().map(|&value| f64::from(value as f32)).collect();
    let wanted = vec![state(&single), state(&rounded), state(&whole)];
    assert_eq!(read(&path, &ReadOptions::default()), Ok(wanted));
}

#[test]
fn what_a_virtual_dataset_leads_to_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    (0..STEPS).for_each(|step| source(&place(&format!("{step}.h5")), step, doubles));
    let path = place("virtual.vtkhdf");
    let write = |files, dataset: &str| {
        Plain::default().write(&path, |root| virtual_points::<f64>(root, files, dataset))
    };
    let plain = ReadOptions::default();
    write(["0.h5", "1.h5", "2.h5"], "/points");
    let wanted: Vec<State> = (0..STEPS).map(|step| state(&coordinates(step))).collect();
    assert_eq!(read(&path, &plain), Ok(wanted));
    write(["0.h5", "none.h5", "2.h5"], "/points");
    refusal(&path, &plain, &["VTKHDF/Points", "none.h5", "missing"]);
    write(["0.h5", "1.h5", "2.h5"], "/none");
    refusal(&path, &plain, &["/none", "0.h5", "no such dataset"]);
    // A pattern of names is not followed, as the library writes it.
    Plain::default().write(&path, |root| {
        let unlimited = RegularHyperslab {
            start: vec![0, 0],
            stride: vec![4, 3],
            count: vec![u64::MAX, 1],
            block: vec![4, 3],
        };
        let unlimited = Selection::Hyperslab { rank: 2, form: Hyperslab::Regular(unlimited) };
        let points = root.new_dataset::<f64>().shape([POINTS * STEPS, 3]).max_shape(&[None, Some(3)]);
        points.virtual_mapping(unlimited, "%b.h5", "/points", Selection::All).create("Points").unwrap();
    });
    refusal(&path, &plain, &["pattern", "%b.h5"]);
    // Elements without a source have the fill value, as the HDF5 library has it.
    Plain::default().write(&path, |root| {
        let points = root.new_dataset::<f64>().shape([POINTS * STEPS, 3]).fill_value(7.5);
        points.virtual_mapping(rows(0, POINTS), "0.h5", "/points", Selection::All).create("Points").unwrap();
    });
    let filled = vec![7.5; 3 * POINTS];
    assert_eq!(read(&path, &plain), Ok(vec![state(&coordinates(0)), state(&filled), state(&filled)]));
}

// Proves: REQ-NO-OUTSIDE
#[test]
fn a_folder_is_left_only_on_request() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir_in(outside.path()).unwrap();
    (0..STEPS).for_each(|step| source(&outside.path().join(format!("{step}.h5")), step, doubles));
    let wanted: Vec<State> = (0..STEPS).map(|step| state(&coordinates(step))).collect();
    let path = folder.path().join("session.vtkhdf");
    let absolute = outside.path().join("1.h5").to_string_lossy().into_owned();
    for name in ["../1.h5", absolute.as_str()] {
        let files = ["../0.h5", name, "../2.h5"];
        Plain::default().write(&path, |root| virtual_points::<f64>(root, files, "/points"));
        refusal(&path, &ReadOptions::default(), &["../0.h5", "outside"]);
        assert_eq!(read(&path, &external()), Ok(wanted.clone()), "{name}");
    }
    // A symbolic link leads out of the folder too.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path().join("0.h5"), folder.path().join("in.h5")).unwrap();
        Plain::default().write(&path, |root| virtual_points::<f64>(root, ["in.h5"; STEPS], "/points"));
        refusal(&path, &ReadOptions::default(), &["in.h5", "outside"]);
    }

    // External links: to a dataset, and to the whole group.
    source(&outside.path().join("all.h5"), 0, |file, _| {
        floats(&file.root_group(), "points", &[POINTS * STEPS, 3], &all_coordinates(STEPS));
    });
    for (name, options) in [("../all.h5", external()), ("in_all.h5", ReadOptions::default())] {
        Plain::default().write(&path, |root| root.create_external_link("Points", name, "/points").unwrap());
        if options.allow_external {
            refusal(&path, &ReadOptions::default(), &["VTKHDF/Points", name, "outside"]);
        } else {
            refusal(&path, &options, &[name, "missing"]);
            std::fs::copy(outside.path().join("all.h5"), folder.path().join(name)).unwrap();
        }
        assert_eq!(read(&path, &options), Ok(wanted.clone()));
    }
    let whole = folder.path().join("whole.vtkhdf");
    Plain::default().write_whole(&whole);
    let file = H5File::create(&path).unwrap();
    file.create_external_link("VTKHDF", "whole.vtkhdf", "/VTKHDF").unwrap();
    file.close().unwrap();
    assert_eq!(read(&path, &ReadOptions::default()), Ok(wanted));
    // A link to itself has no end.
    let file = H5File::create(&path).unwrap();
    file.create_external_link("VTKHDF", "session.vtkhdf", "/VTKHDF").unwrap();
    file.close().unwrap();
    refusal(&path, &ReadOptions::default(), &["links"]);
}

// Proves: REQ-NO-OUTSIDE
#[test]
fn raw_data_outside_hdf5_are_read_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let raw = folder.path().join("raw");
    let bytes: Vec<u8> = all_coordinates(STEPS).iter().flat_map(|value| value.to_le_bytes()).collect();
    std::fs::write(&raw, &bytes).unwrap();
    let name = raw.to_string_lossy().into_owned();
    let write = || {
        Plain::default().write(&path, |root| {
            let points = root.new_dataset::<f64>().shape([POINTS * STEPS, 3]);
            points.external(&[(&name, 0, bytes.len() as u64)]).create("Points").unwrap();
        });
    };
    write();
    refusal(&path, &ReadOptions::default(), &["VTKHDF/Points", &name, "external"]);
    let wanted: Vec<State> = (0..STEPS).map(|step| state(&coordinates(step))).collect();
    assert_eq!(read(&path, &external()), Ok(wanted));
    std::fs::remove_file(&raw).unwrap();
    refusal(&path, &external(), &[&name, "missing"]);
    #[cfg(unix)]
    {
        pipe(&raw);
        refusal(&path, &external(), &[&name, "no regular file"]);
    }
}

#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
// Proves: REQ-NO-PIPES
#[test]
fn a_pipe_or_a_device_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.vtkhdf");
    pipe(&path);
    for path in [path.as_path(), Path::new("/dev/zero")] {
        assert!(matches!(Reader::open(path), Err(RecordingError::NotRegular { .. })));
        assert!(matches!(ContactsReader::open(path), Err(RecordingError::NotRegular { .. })));
    }
    let session = folder.path().join("session.vtkhdf");
    Plain::default().write(&session, |root| virtual_points::<f64>(root, ["pipe.vtkhdf"; STEPS], "/points"));
    refusal(&session, &ReadOptions::default(), &["pipe.vtkhdf", "no regular file"]);
    Plain::default()
        .write(&session, |root| root.create_external_link("Points", "pipe.vtkhdf", "/points").unwrap());
    refusal(&session, &ReadOptions::default(), &["pipe.vtkhdf", "no regular file"]);
}

/// A deflated stream of zeros, as zlib writes it.
fn zeros(count: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zeros.h5");
    let file = H5File::create(&path).unwrap();
    let dataset = file.new_dataset::<u8>().shape([count]).chunk(&[count]).deflate(9).create("zeros").unwrap();
    dataset.write_chunk(0, &vec![0; count]).unwrap();
    file.close().unwrap();
    let file = H5File::open(&path).unwrap();
    file.dataset("zeros").unwrap().read_chunk_raw_at(&[0]).unwrap().0
}

// Proves: REQ-LIMIT-EXPANDED-BYTES, REQ-LIMIT-EXPANSION-RATIO
#[test]
fn data_expand_up_to_the_limits() {
    const ROWS: usize = 3_000_000;
    const CHUNK: usize = 300_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.vtkhdf");
    let chunk = zeros(CHUNK * 24);
    let file = Plain { points: Some(ROWS as i64), times: vec![0.0], ..Plain::default() };
    file.write(&path, |root| {
        let points = root.new_dataset::<f64>().shape([ROWS, 3]).chunk(&[CHUNK, 3]).deflate(9);
        let points = points.create("Points").unwrap();
        (0..ROWS / CHUNK).for_each(|at| points.write_chunk_raw(at, &chunk, 0).unwrap());
    });
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 200_000, "{size} bytes");
    let limits = |expanded_bytes, expansion_ratio| ReadOptions {
        limits: Limits { expanded_bytes, expansion_ratio, ..Limits::DEFAULT },
        ..ReadOptions::default()
    };
    let start = Instant::now();
    refusal(
        &path,
        &limits(1 << 20, 100),
        &["72000000 bytes", "expanded_bytes = 1048576", "expansion_ratio = 100"],
    );
    assert!(start.elapsed() < Duration::from_secs(1));
    for options in [limits(80 << 20, 0), limits(0, 2000), ReadOptions::default()] {
        assert_eq!(read(&path, &options).unwrap()[0].point_count(), Some(ROWS));
    }
}

#[test]
fn many_objects_that_share_their_data_are_counted_each() {
    // 10,000 objects over one mesh of 24,000 bytes, as a header of 700 kB asks for.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    Plain { times: vec![0.0], points: Some(1000), ..Plain::default() }.write(&path, |root| {
        floats(root, "Points", &[1000, 3], &vec![0.5; 3000]);
    });
    let objects: Vec<String> = (0..10_000)
        .map(|at| format!(r#"{{"name":"o{at}","kind":"surface_mesh","data":"/VTKHDF"}}"#))
        .collect();
    add_header(&path, &format!(r#"{{"schema":1,"objects":[{}]}}"#, objects.join(",")), &[0.0]);
    let limits = Limits { expanded_bytes: 1 << 20, ..Limits::DEFAULT };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    refusal(&path, &options, &["expanded_bytes = 1048576"]);
}

/// Makes a file of [`Plain`] a session.
fn add_header(path: &Path, header: &str, times: &[f64]) {
    let file = H5File::open_rw(path).unwrap();
    let group = file.create_group("palpate").unwrap();
    let datatype =
        rust_hdf5::DatatypeMessage::FixedString { size: header.len() as u32, padding: 1, charset: 0 };
    let dataset = group.new_dataset::<u8>().datatype(datatype).scalar().create("session").unwrap();
    dataset.write_raw_bytes(header.as_bytes()).unwrap();
    floats(&group, "times", &[times.len()], times);
    floats(&group, "pose", &[1, 10], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0]);
    file.close().unwrap();
}

// Proves: REQ-LIMIT-OBJECTS, REQ-LIMIT-PAIRS, REQ-LIMIT-NAME-BYTES
#[test]
fn objects_pairs_and_names_have_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    Plain::default().write_whole(&path);
    let sphere = |at: usize| format!(r#"{{"name":"o{at}","kind":"sphere","data":"/palpate/pose"}}"#);
    let objects: Vec<String> = (0..100_000).map(sphere).collect();
    let header = |pairs: &str| format!(r#"{{"schema":1,"objects":[{}]{pairs}}}"#, objects.join(","));
    add_header(&path, &header(""), &[0.0]);
    let reader = Reader::open(&path).unwrap();
    let message = reader.all_pairs().unwrap_err().to_string();
    assert!(
        message.ends_with("all pairs of 100000 objects: found 4999950000, the limit pairs is 500000"),
        "{message}"
    );
    let limited = |limits| Reader::open_with(&[&path], &ReadOptions { limits, ..ReadOptions::default() });
    let raised = limited(Limits { pairs: 5_000_000_000, ..Limits::DEFAULT }).unwrap();
    assert_eq!(raised.all_pairs().unwrap(), 4_999_950_000);
    drop((reader, raised));
    let refused = |limits: Limits, words: &str| {
        let error = limited(limits).unwrap_err();
        assert!(
            matches!(error, RecordingError::Limit { .. }) && error.to_string().ends_with(words),
            "{error}"
        );
    };
    refused(Limits { objects: 99_999, ..Limits::DEFAULT }, "found 100000, the limit objects is 99999");
    refused(Limits { name_bytes: 5, ..Limits::DEFAULT }, "object 10000: found 6, the limit name_bytes is 5");

    let named: Vec<String> = (1..objects.len()).map(|at| format!(r#"{{"a":"o0","b":"o{at}"}}"#)).collect();
    Plain::default().write_whole(&path);
    add_header(&path, &header(&format!(r#","pairs":[{}]"#, named.join(","))), &[0.0]);
    let start = Instant::now();
    assert_eq!(Reader::open(&path).unwrap().info().pairs.len(), 99_999);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let limits = Limits { pairs: 10, ..Limits::DEFAULT };
    let error = Reader::open_with(&[&path], &ReadOptions { limits, ..ReadOptions::default() }).unwrap_err();
    assert!(error.to_string().ends_with("pairs: found 99999, the limit pairs is 10"), "{error}");
}

#[test]
fn parts_that_advance_may_share_cells() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.vtkhdf");
    Plain { parts_advance: true, ..Plain::default() }.write_whole(&path);
    let wanted: Vec<State> = (0..STEPS).map(|step| state(&coordinates(step))).collect();
    assert_eq!(read(&path, &ReadOptions::default()), Ok(wanted));
}

#[test]
fn absurd_counts_are_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.vtkhdf");
    for (points, parts_advance, words) in
        [(1 << 62, false, "4611686018427387904 points"), (i64::MAX, true, "2^64")]
    {
        Plain { points: Some(points), parts_advance, ..Plain::default() }.write_whole(&path);
        refusal(&path, &ReadOptions::default(), &[words, "12 rows"]);
    }
}

#[test]
fn newer_versions_and_times_that_run_back_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.vtkhdf");
    let notes = |file: Plain| {
        file.write_whole(&path);
        let all = Library::ALL.iter().map(|&library| {
            let options = ReadOptions { library, ..ReadOptions::default() };
            Reader::open_with(&[&path], &options).unwrap().notes().to_vec()
        });
        let mut all: Vec<Vec<Note>> = all.collect();
        assert!(all.iter().all(|found| *found == all[0]));
        all.remove(0)
    };
    assert_eq!(notes(Plain::default()), []);
    assert_eq!(notes(Plain { version: [2, 7], times: vec![0.0, 0.0, 1.0], ..Plain::default() }), []);
    let newer = notes(Plain { version: [3, 0], ..Plain::default() });
    assert_eq!(newer, [Note::NewerVersion { path: path.clone(), major: 3 }]);
    assert!(newer[0].to_string().ends_with("odd.vtkhdf: VTKHDF 3, read as version 2"));
    let back = notes(Plain { times: vec![0.0, 1.0, 0.5], ..Plain::default() });
    assert_eq!(back, [Note::TimesRunBack { path: path.clone(), frame: 2, time: 0.5, before: 1.0 }]);
    assert!(back[0].to_string().ends_with("frame 2 is at 0.5 s, the frame before it at 1 s"));
}

#[test]
fn a_mapping_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.vtkhdf");
    let unlimited =
        RegularHyperslab { start: vec![0], stride: vec![2], count: vec![u64::MAX], block: vec![2] };
    let unlimited = Selection::Hyperslab { rank: 1, form: Hyperslab::Regular(unlimited) };
    let file = H5File::create(&path).unwrap();
    file.new_dataset::<f64>().shape([2]).create("a%").unwrap().write_raw(&[1.0, 2.0]).unwrap();
    let endless = file.new_dataset::<f64>().shape([2]).max_shape(&[None]);
    endless.virtual_mapping(unlimited, ".", "a%b", Selection::All).create("endless").unwrap();
    file.close().unwrap();
    // The library writes patterns only; here the pattern becomes a name, with its checksum.
    let mut bytes = std::fs::read(&path).unwrap();
    let name = bytes.windows(4).position(|window| window == b"a%b\0").unwrap();
    let start = (0..name).rev().find(|&at| bytes[at..].starts_with(b"GCOL")).unwrap() + 32;
    let checksum = rust_hdf5::format::checksum::checksum_metadata;
    let stored = |bytes: &[u8], end: usize| u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
    let end =
        (name..bytes.len() - 4).find(|&end| stored(&bytes, end) == checksum(&bytes[start..end])).unwrap();
    bytes[name + 2] = b'%';
    let sum = checksum(&bytes[start..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let start = Instant::now();
    let message = Reader::open(&path).unwrap_err().to_string();
    assert!(message.contains("a%%") && message.contains("any number of blocks"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn times_that_are_damaged_are_refused_when_the_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info =
        palpate_recording::SessionInfo { objects: vec![primitive("ball", "sphere")], ..Default::default() };
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    (0..5).for_each(|index| writer.append(&frame(&info, 1, index)).unwrap());
    writer.finish().unwrap();
    let times = Reader::open(&path).unwrap().times().to_vec();
    let whole = std::fs::read(&path).unwrap();
    let stored: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
    let places: Vec<usize> =
        (0..whole.len() - stored.len()).filter(|&at| whole[at..].starts_with(&stored)).collect();
    // Once for VTK, once with a checksum.
    assert_eq!(places.len(), 2);
    let mut refused = 0;
    for &place in &places {
        for byte in 0..stored.len() {
            let mut bytes = whole.clone();
            bytes[place + byte] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            match Reader::open(&path) {
                Ok(reader) => assert_eq!(reader.times(), times),
                Err(error) => {
                    assert!(error.to_string().contains("times"), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert_eq!(refused, stored.len());
}
