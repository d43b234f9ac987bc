//! Journals with damaged bytes: every whole frame before and after is read, with the right cells, and the loss is counted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_recording::{
    Frame, Reader, RecordingError, SessionInfo, ShapeChange, Topology, TopologyChange, Writer, WriterOptions,
    recover,
};
use sample::{every_kind, frame};
use std::path::{Path, PathBuf};

const SIDE: u32 = 4;
const FRAMES: usize = 6;
const HEAD: usize = 24;
/// Tags of frames, of the first layout and of this one, and of shapes.
const OLD_FRAME: u32 = 3;
const SHAPE: u32 = 4;
const FRAME: u32 = 5;

type Change = fn(usize, &mut Frame);

/// No changes.
const STILL: Change = |_, _| {};
/// Object 0 is cut in frame 2.
const CUT_ONCE: Change = |index, frame| {
    if index == 2 {
        frame.changes.push(cut(0, index));
    }
};
/// Object 0 is cut in frames 2 and 4, object 1 in frame 3.
const CUT_OFTEN: Change = |index, frame| match index {
    2 | 4 => frame.changes.push(cut(0, index)),
    3 => frame.changes.push(cut(1, index)),
    _ => {}
};

fn cut(object: usize, index: usize) -> TopologyChange {
    let side = index as u32;
    let topology = match object {
        0 => Topology::Triangles(vec![[0, 1, side]; index]),
        _ => Topology::Tetrahedra(vec![[0, 1, 2, side + 1]; index]),
    };
    TopologyChange { object, topology }
}

fn journal_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.journal", path.display()))
}

fn made(info: &SessionInfo, change: Change, index: usize) -> Frame {
    let mut made = frame(info, SIDE, index);
    change(index, &mut made);
    made
}

/// The journal of an unfinished session, and where its records begin.
fn journal(path: &Path, info: &SessionInfo, change: Change) -> (Vec<u8>, Vec<Record>) {
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, info, options).unwrap();
    (0..FRAMES).for_each(|index| writer.append(&made(info, change, index)).unwrap());
    drop(writer);
    let bytes = std::fs::read(journal_of(path)).unwrap();
    let mut records = Vec::new();
    let mut start = 16;
    while start < bytes.len() {
        let number = |at: usize| u32::from_le_bytes(bytes[start + at..start + at + 4].try_into().unwrap());
        let end = start + HEAD + number(8) as usize;
        records.push(Record { tag: number(0), start, end });
        start = end;
    }
    (bytes, records)
}

#[derive(Clone, Copy)]
struct Record {
    tag: u32,
    start: usize,
    end: usize,
}

/// The frames of a journal are these of those made, with the cells of their time; returns what is missing.
fn assert_left(path: &Path, info: &SessionInfo, change: Change, left: &[usize]) -> (usize, u64) {
    let mut reader = Reader::open(path).unwrap();
    let times: Vec<f64> = left.iter().map(|&index| frame(info, SIDE, index).time).collect();
    assert_eq!(reader.times(), times);
    let cells_at = |object: usize, frame: usize| {
        let changes = (0..=frame).rev().flat_map(|index| made(info, change, index).changes);
        let newest = { changes }.find(|change| change.object == object);
        newest.map_or(info.objects[object].topology.clone(), |change| change.topology)
    };
    let mut found = Frame::default();
    for (at, &index) in left.iter().enumerate() {
        reader.read_frame(at, &mut found).unwrap();
        assert_eq!(found.states, made(info, change, index).states);
        for object in 0..info.objects.len() {
            assert_eq!(reader.topology(object, at).unwrap(), cells_at(object, index), "frame {index}");
            let before = at.checked_sub(1).map(|before| cells_at(object, left[before]));
            let changes = found.changes.iter().any(|change| change.object == object);
            assert_eq!(changes, before.is_some_and(|before| before != cells_at(object, index)));
        }
    }
    let is_interrupted = left.windows(2).any(|pair| pair[0] + 1 != pair[1]);
    assert_eq!(reader.info().time_step.is_none(), is_interrupted && reader.is_unfinished());
    let missing = reader.missing();
    (missing.frames, missing.bytes)
}

/// The same in the journal, and in the file that `recover` makes of it.
fn assert_recovered(path: &Path, info: &SessionInfo, change: Change, left: &[usize], lost: usize) -> u64 {
    let (missing, bytes) = assert_left(path, info, change, left);
    assert_eq!(missing, lost);
    let recovered = recover(path).unwrap();
    assert_eq!((recovered.frames, recovered.lost, recovered.skipped_bytes), (left.len(), lost, bytes));
    assert_eq!(journal_of(path).exists(), lost > 0);
    let mut reader = Reader::open(path).unwrap();
    assert_eq!(reader.missing().bytes, 0);
    assert_eq!(reader.verify().unwrap().frames, left.len());
    let is_interrupted = left.windows(2).any(|pair| pair[0] + 1 != pair[1]);
    // One step is even.
    assert!(!is_interrupted || left.len() == 2 || reader.info().time_step.is_none());
    std::fs::remove_file(path).unwrap();
    bytes
}

fn frames(records: &[Record]) -> Vec<Record> {
    records.iter().copied().filter(|record| record.tag == FRAME).collect()
}

#[test]
fn a_damaged_head_costs_its_frame_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (whole, records) = journal(&path, &info, CUT_ONCE);
    for byte in 0..HEAD {
        for lost in [0, 3, 5] {
            let mut bytes = whole.clone();
            bytes[frames(&records)[lost].start + byte] ^= 0x10;
            std::fs::write(journal_of(&path), &bytes).unwrap();
            let left: Vec<usize> = (0..FRAMES).filter(|&index| index != lost).collect();
            let (missing, skipped) = assert_left(&path, &info, CUT_ONCE, &left);
            let record = frames(&records)[lost];
            assert_eq!(
                (missing, skipped),
                (1, (record.end - record.start) as u64),
                "frame {lost}, byte {byte}"
            );
        }
    }
    assert_recovered(&path, &info, CUT_ONCE, &[0, 1, 2, 3, 4], 1);
}

#[test]
fn frames_after_a_lost_cut_wait_for_the_next_of_that_object() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let cases: [(Change, usize, &[usize]); 5] = [
        (STILL, 2, &[0, 1, 3, 4, 5]),
        (CUT_ONCE, 2, &[0, 1]),
        (CUT_OFTEN, 2, &[0, 1, 4, 5]),
        (CUT_OFTEN, 3, &[0, 1, 2]),
        (CUT_OFTEN, 4, &[0, 1, 2, 3]),
    ];
    for (change, damaged, left) in cases {
        let (mut bytes, records) = journal(&path, &info, change);
        let record = frames(&records)[damaged];
        // In the payload, near its end: among the coordinates.
        bytes[record.end - 9] ^= 1;
        std::fs::write(journal_of(&path), &bytes).unwrap();
        let skipped = assert_recovered(&path, &info, change, left, FRAMES - left.len());
        assert_eq!(skipped, (record.end - record.start) as u64);
    }
}

#[test]
fn a_session_may_begin_with_a_later_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (mut bytes, records) = journal(&path, &info, CUT_OFTEN);
    for record in &frames(&records)[..4] {
        bytes[record.start] ^= 0x40;
    }
    // Object 1 is cut in frame 3, which is lost.
    std::fs::write(journal_of(&path), &bytes).unwrap();
    assert_eq!(Reader::open(&path).unwrap().frame_count(), 0);
    assert!(recover(&path).is_err() && journal_of(&path).exists());
    // With frame 3 the cells of frame 4 are known, but not those of frame 3: object 0 is cut in frame 2.
    bytes[frames(&records)[3].start] ^= 0x40;
    std::fs::write(journal_of(&path), &bytes).unwrap();
    assert_recovered(&path, &info, CUT_OFTEN, &[4, 5], 4);
}

#[test]
fn what_is_cut_short_at_the_end_is_no_lost_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (whole, records) = journal(&path, &info, STILL);
    let last = frames(&records)[FRAMES - 1];
    for kept in [0, 1, HEAD / 2, HEAD, HEAD + 1, last.end - last.start - 1] {
        for zeros in [0, 5, HEAD, 1000] {
            let mut bytes = whole[..last.start + kept].to_vec();
            bytes.resize(bytes.len() + zeros, 0);
            let is_whole = bytes.len() >= last.end;
            if is_whole && kept > HEAD {
                continue;
            }
            std::fs::write(journal_of(&path), &bytes).unwrap();
            let (missing, skipped) = assert_left(&path, &info, STILL, &[0, 1, 2, 3, 4]);
            assert_eq!((missing, skipped), (0, (kept + zeros) as u64), "{kept} bytes and {zeros} zeros");
        }
    }
    // The whole head, and zeros for the whole frame: after power loss.
    let mut bytes = whole.clone();
    bytes[last.start + HEAD..].fill(0);
    std::fs::write(journal_of(&path), &bytes).unwrap();
    assert_recovered(&path, &info, STILL, &[0, 1, 2, 3, 4], 1);
}

/// As a writer that did not cut back after a failed write left it: half a frame, then whole ones.
#[test]
fn frames_after_half_a_frame_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (whole, records) = journal(&path, &info, STILL);
    let third = frames(&records)[3];
    for kept in [1, HEAD - 1, HEAD, HEAD + 1, (third.end - third.start) / 2, third.end - third.start - 1] {
        let bytes = [&whole[..third.start + kept], &whole[third.end..]].concat();
        std::fs::write(journal_of(&path), &bytes).unwrap();
        let (missing, skipped) = assert_left(&path, &info, STILL, &[0, 1, 2, 4, 5]);
        assert_eq!((missing, skipped), (1, kept as u64), "{kept} bytes");
    }
}

#[test]
fn a_lost_shape_costs_the_frames_that_have_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let mut info = every_kind(SIDE);
    let ball = info.objects.iter().position(|object| object.kind == "sphere").unwrap();
    info.objects[ball].shape = Some("{\"type\": \"Sphere\"}".to_string());
    // The fourth object after the meshes.
    let change: Change = |index, frame| {
        if [2, 4].contains(&index) {
            frame.shapes.push(ShapeChange { object: 4, shape: format!("{{\"number\": {index}}}") });
        }
    };
    assert_eq!(ball, 4);
    let (mut bytes, records) = journal(&path, &info, change);
    let shapes: Vec<Record> = records.iter().copied().filter(|record| record.tag == SHAPE).collect();
    bytes[shapes[0].start + HEAD + 6] ^= 1;
    std::fs::write(journal_of(&path), &bytes).unwrap();
    let reader = Reader::open(&path).unwrap();
    let shape = |frame: usize| reader.shape(ball, frame).unwrap().unwrap().to_string();
    assert_eq!(reader.times().len(), 4);
    assert_eq!(
        (shape(1), shape(2), shape(3)),
        ("{\"type\": \"Sphere\"}".into(), shape(2), "{\"number\": 4}".into())
    );
    assert_recovered(&path, &info, change, &[0, 1, 4, 5], 2);
}

/// A journal of the first layout: its frames say neither their numbers nor what they depend on.
fn of_first_layout(bytes: &[u8], records: &[Record]) -> (Vec<u8>, Vec<Record>) {
    let mut old = bytes[..16].to_vec();
    let mut places = Vec::new();
    for record in records {
        let start = old.len();
        if record.tag == FRAME {
            let payload = &bytes[record.start + HEAD..record.end];
            let count = |at: usize| u32::from_le_bytes(payload[at..at + 4].try_into().unwrap()) as usize;
            let shapes = 12 + 12 * count(8);
            let payload = &payload[shapes + 4 + 12 * count(shapes)..];
            let mut head = OLD_FRAME.to_le_bytes().to_vec();
            head.extend(crc32fast::hash(payload).to_le_bytes());
            head.extend((payload.len() as u64).to_le_bytes());
            head.extend(crc32fast::hash(&head).to_le_bytes());
            head.extend([0; 4]);
            old.extend([&head, payload].concat());
        } else {
            old.extend_from_slice(&bytes[record.start..record.end]);
        }
        places.push(Record { start, end: old.len(), ..*record });
    }
    (old, places)
}

#[test]
fn journals_of_the_first_layout_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (bytes, records) = journal(&path, &info, CUT_OFTEN);
    let (old, places) = of_first_layout(&bytes, &records);
    std::fs::write(journal_of(&path), &old).unwrap();
    assert_recovered(&path, &info, CUT_OFTEN, &[0, 1, 2, 3, 4, 5], 0);
    // After damage it is not known which cells hold: all later frames are lost.
    let mut damaged = old.clone();
    damaged[frames(&places)[3].start] ^= 1;
    std::fs::write(journal_of(&path), &damaged).unwrap();
    assert_recovered(&path, &info, CUT_OFTEN, &[0, 1, 2], 3);
    // Without cells and shapes nothing can have changed.
    let mut points = every_kind(SIDE);
    points.objects.drain(..3);
    points.pairs.clear();
    let (bytes, records) = journal(&path, &points, STILL);
    let (mut old, places) = of_first_layout(&bytes, &records);
    old[frames(&places)[3].start] ^= 1;
    std::fs::write(journal_of(&path), &old).unwrap();
    assert_recovered(&path, &points, STILL, &[0, 1, 2, 4, 5], 1);
}

/// Heads that lie in each other, each of a record to the end of the file, must not cost more than the file is long.
#[test]
fn a_journal_full_of_heads_takes_no_longer_than_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (mut bytes, _) = journal(&path, &info, STILL);
    let end = bytes.len() + 40_000 * HEAD;
    while bytes.len() < end {
        let mut head = FRAME.to_le_bytes().to_vec();
        head.extend([1; 4]);
        // The end of the file would be taken for the end of a damaged record.
        head.extend(((end - bytes.len() - HEAD) as u64).saturating_sub(1).to_le_bytes());
        head.extend(crc32fast::hash(&head).to_le_bytes());
        head.extend([0; 4]);
        bytes.extend(head);
    }
    std::fs::write(journal_of(&path), &bytes).unwrap();
    let start = std::time::Instant::now();
    let (missing, _) = assert_left(&path, &info, STILL, &[0, 1, 2, 3, 4, 5]);
    assert!(missing > 0 && start.elapsed().as_secs() < 5, "{missing}, {:?}", start.elapsed());
}

#[test]
fn without_its_description_a_journal_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let (whole, records) = journal(&path, &info, STILL);
    for record in records.iter().filter(|record| record.tag < OLD_FRAME) {
        let mut bytes = whole.clone();
        bytes[record.start + HEAD + 1] ^= 1;
        std::fs::write(journal_of(&path), &bytes).unwrap();
        let message = Reader::open(&path).unwrap_err().to_string();
        assert!(message.contains(&format!("byte {}", record.start)), "{message}");
        assert!(recover(&path).is_err() && journal_of(&path).exists());
    }
}

#[cfg(unix)]
#[test]
fn a_session_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    writer.append(&frame(&info, SIDE, 0)).unwrap();
    for overwrite in [false, true] {
        let options = WriterOptions { overwrite, ..WriterOptions::default() };
        let second = Writer::create(&path, &info, options).unwrap_err();
        assert!(matches!(second, RecordingError::Busy { .. }), "{second}");
    }
    assert!(matches!(recover(&path), Err(RecordingError::Busy { .. })));
    writer.append(&frame(&info, SIDE, 1)).unwrap();
    assert_eq!(Reader::open(&path).unwrap().frame_count(), 2);
    writer.finish().unwrap();
    assert_eq!(assert_left(&path, &info, STILL, &[0, 1]), (0, 0));
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1, "only the session is left");
}
