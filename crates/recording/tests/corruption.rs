//! Damaged files: an error or the right data, quickly, and in bounded memory; never a panic.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Frame, Point, Reader,
    SessionInfo, Topology, TopologyChange, Writer, WriterOptions,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sample::{every_kind, frame};
use std::path::Path;
use std::time::{Duration, Instant};

const SIDE: u32 = 6;
const FRAMES: usize = 12;
const LONGEST: Duration = Duration::from_secs(5);

fn session() -> SessionInfo {
    every_kind(SIDE)
}

/// Frame `index`, with a cut in the middle of the session.
fn made(info: &SessionInfo, index: usize) -> Frame {
    let mut made = frame(info, SIDE, index);
    if index == FRAMES / 2 {
        made.changes.push(TopologyChange { object: 0, topology: Topology::Triangles(vec![[5, 6, 7]; 20]) });
    }
    made
}

fn write_session(path: &Path, compression: u32, finish: bool) {
    let info = session();
    let options = WriterOptions { compression, ..WriterOptions::default() };
    let mut writer = Writer::create(path, &info, options).unwrap();
    (0..FRAMES).for_each(|index| writer.append(&made(&info, index)).unwrap());
    if finish {
        writer.finish().unwrap();
    }
}

/// One kind of damage each: bits or bytes, anywhere or near the front where structure is densest, truncation,
/// blanking.
fn damage(bytes: &mut Vec<u8>, random: &mut impl Rng) -> &'static str {
    let length = bytes.len();
    match random.random_range(0..6) {
        0 => {
            bytes[random.random_range(0..length)] ^= 1 << random.random_range(0..8);
            "a bit"
        }
        1 => {
            let front = (length / 8).max(64);
            bytes[random.random_range(0..front)] ^= 1 << random.random_range(0..8);
            "a bit near the front"
        }
        2 => {
            for _ in 0..random.random_range(2..40) {
                bytes[random.random_range(0..length)] = random.random();
            }
            "some bytes"
        }
        3 => {
            bytes.truncate(random.random_range(0..length));
            "a cut"
        }
        4 => {
            let start = random.random_range(0..length);
            let end = (start + random.random_range(1..512)).min(length);
            bytes[start..end].fill(if random.random() { 0 } else { 0xff });
            "a blank"
        }
        _ => {
            // An address or a size: eight bytes from elsewhere in the file.
            let (from, to) = (random.random_range(0..length - 8), random.random_range(0..length - 8));
            bytes.copy_within(from..from + 8, to);
            "a wrong number"
        }
    }
}

/// Peak virtual memory of this process, in bytes; `None` where the system does not report it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Damages the file `original` `copies` times; `check` returns whether a copy could be read, and panics on wrong
/// data.
fn damage_often(original: &Path, copies: u64, check: impl Fn(&Path) -> bool) -> u64 {
    let whole = std::fs::read(original).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(original.file_name().unwrap());
    let before = peak_memory();
    let mut readable = 0;
    for seed in 0..copies {
        let mut bytes = whole.clone();
        let what = damage(&mut bytes, &mut ChaCha8Rng::seed_from_u64(seed));
        std::fs::write(&copy, &bytes).unwrap();
        let start = Instant::now();
        readable += u64::from(check(&copy));
        assert!(start.elapsed() < LONGEST, "seed {seed}, {what}: {:?}", start.elapsed());
    }
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before < 1 << 30, "{} MiB more than before", (after - before) >> 20);
    }
    readable
}

/// Reads a whole session; whatever is read must equal what was written.
fn right_or_error(path: &Path) -> bool {
    let Ok(mut reader) = Reader::open(path) else { return false };
    let info = session();
    assert!(reader.info() == &info, "the session differs");
    assert!(reader.frame_count() == FRAMES);
    let mut found = Frame::default();
    let mut whole = true;
    for index in 0..reader.frame_count() {
        assert_eq!(reader.times()[index], made(&info, index).time);
        match reader.read_frame(index, &mut found) {
            Ok(()) => assert!(found == made(&info, index), "frame {index} differs"),
            Err(_) => whole = false,
        }
        for object in 0..info.objects.len() {
            if let Ok(topology) = reader.topology(object, index) {
                let cut = object == 0 && index >= FRAMES / 2;
                let wanted = if cut {
                    &made(&info, FRAMES / 2).changes[0].topology
                } else {
                    &info.objects[object].topology
                };
                assert!(&topology == wanted, "wrong cells in frame {index}");
            }
        }
    }
    whole
}

#[test]
fn damaged_sessions_give_an_error_or_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    for compression in [0, 4] {
        let path = folder.path().join(format!("session{compression}.vtkhdf"));
        write_session(&path, compression, true);
        assert!(right_or_error(&path));
        let readable = damage_often(&path, 300, right_or_error);
        // Data that only VTK reads may be damaged without effect; most of the file must be protected.
        println!("counted: recordings with flipped or missing bytes: 300");
        assert!((10..240).contains(&readable), "{readable} of 300 readable");
    }
}

/// How many frames of a damaged journal are left; `None` if its description of the session is damaged. Each is one that was
/// written, with the cells of its time.
fn frames_left(path: &Path) -> Option<usize> {
    let mut reader = Reader::open(path).ok()?;
    let info = session();
    let written = |time: f64| (0..FRAMES).find(|&index| made(&info, index).time == time).unwrap();
    let numbers: Vec<usize> = reader.times().iter().map(|&time| written(time)).collect();
    assert!(numbers.is_sorted_by(|one, two| one < two));
    let is_interrupted = numbers.windows(2).any(|pair| pair[0] + 1 != pair[1]);
    assert_eq!(reader.info().pairs, info.pairs);
    assert!(reader.info().time_step == info.time_step || is_interrupted);
    let mut found = Frame::default();
    for (index, &number) in numbers.iter().enumerate() {
        reader.read_frame(index, &mut found).unwrap();
        let wanted = made(&info, number);
        assert!(found.time == wanted.time && found.states == wanted.states, "frame {number} differs");
        for object in 0..info.objects.len() {
            let is_cut = object == 0 && number >= FRAMES / 2;
            let cut = || made(&info, FRAMES / 2).changes[0].topology.clone();
            let wanted = if is_cut { cut() } else { info.objects[object].topology.clone() };
            assert!(reader.topology(object, index).unwrap() == wanted, "wrong cells in frame {number}");
        }
    }
    let missing = reader.missing();
    assert!(numbers.len() + missing.frames <= FRAMES, "{missing:?} with {numbers:?}");
    // A flipped byte is found, whatever it hits; only a cut between two frames leaves no trace.
    assert!(missing.bytes > 0 || numbers == Vec::from_iter(0..numbers.len()), "{numbers:?}");
    Some(numbers.len())
}

#[test]
fn damaged_journals_keep_their_other_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    write_session(&path, 0, false);
    let path = folder.path().join("session.vtkhdf.journal");
    assert_eq!(frames_left(&path), Some(FRAMES));
    let left = std::cell::RefCell::new(Vec::new());
    let opened = damage_often(&path, 300, |path| {
        let frames = frames_left(path);
        left.borrow_mut().extend(frames);
        frames.is_some()
    });
    println!("counted: recordings with flipped or missing bytes: 300");
    let left = left.into_inner();
    let nearly_whole = left.iter().filter(|&&frames| frames >= FRAMES - 2).count();
    let whole = left.iter().filter(|&&frames| frames == FRAMES).count();
    assert!(opened > 200 && nearly_whole > 100, "{opened} opened, {nearly_whole} with nearly all frames");
    assert!(whole < 10, "{whole} journals with all frames: damage should cost some");
}

#[test]
fn damaged_contacts_give_an_error_or_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    let contacts = |frame: u64| -> Vec<Contact> {
        let point = |x: u64| Feature::point(Point::new(x as f64, 0.5, 0.25));
        let one = |number| Contact::exact(point(frame), point(number), nalgebra::Vector3::x(), 0.125, number);
        (0..60).map(one).collect()
    };
    let pairs = [ContactPair { a: "liver".into(), b: "tool".into(), detector: "any".into() }];
    let mut writer = ContactsWriter::create(&path, &pairs, ContactsOptions::default()).unwrap();
    (0..20).for_each(|frame| writer.append(frame, frame as f64, &[0; 60], &contacts(frame)).unwrap());
    writer.finish().unwrap();
    let readable = damage_often(&path, 300, |path| {
        let Ok(mut reader) = ContactsReader::open(path) else { return false };
        let mut found = ContactFrame::default();
        let mut whole = true;
        for index in 0..reader.frame_count() {
            match reader.read_frame(index, &mut found) {
                Ok(()) => {
                    assert_eq!(
                        (found.frame, found.time, found.pairs.len()),
                        (index as u64, index as f64, 60)
                    );
                    assert!(found.contacts.iter().zip(contacts(found.frame)).all(|(a, b)| a.same_bits(&b)));
                }
                Err(_) => whole = false,
            }
        }
        whole
    });
    assert!((1..200).contains(&readable), "{readable} of 300 readable");
}

#[test]
fn damaged_files_by_others_do_no_harm() {
    let Some(shared) = std::env::var_os("PALPATE_SHARED") else { return };
    let recordings = Path::new(&shared).join("data/recordings");
    for file in ["r2b_thread_liver2/thread.vtkhdf", "r3a/tray.vtkhdf", "r1a_liver2_capsule/organ_tets.vtkhdf"]
    {
        damage_often(&recordings.join(file), 60, |path| {
            Reader::open(path).is_ok_and(|mut reader| reader.verify().is_ok())
        });
    }
}
