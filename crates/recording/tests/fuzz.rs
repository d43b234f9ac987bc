//! Random damage to files of every kind that is read: no panic, the same result twice, bounded time and memory.
//!
//! `PALPATE_FUZZ` is the number of inputs per target, 120 without it; 100,000 take about an hour in release. The seed is
//! fixed, so input *n* of a target is always the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod sample;

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Frame, Limits, Point,
    ReadOptions, Reader, State, Writer, WriterOptions,
};
use plain::{POINTS, Plain, all_coordinates, floats};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdf5::{H5File, Selection};
use sample::{every_kind, frame};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Inputs per target.
const INPUTS: u64 = 120;
/// The longest that one input may take, on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);
/// Memory that all inputs together may take, beside what is there before them: several times what the limits accept.
const MOST_MEMORY: u64 = 512 << 20;
const FRAMES: usize = 4;
const SIDE: u32 = 3;

/// Where rust-hdf5 has panicked.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn options() -> ReadOptions {
    let limits = Limits { expanded_bytes: 16 << 20, expansion_ratio: 50, ..Limits::DEFAULT };
    ReadOptions { limits, ..ReadOptions::default() }
}

/// A kind of file: what its seeds are, and what is done to them beside damage to any bytes.
struct Target {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    repair: fn(&mut [u8]),
    read: fn(&Path) -> Result<u32, String>,
}

/// A number that stands for all that was read.
fn read_session(path: &Path) -> Result<u32, String> {
    let mut reader = Reader::open_with(&[path], &options()).map_err(|error| error.to_string())?;
    let mut frame = Frame::default();
    let mut hash = crc32fast::Hasher::new();
    for index in 0..reader.frame_count().min(2 * FRAMES) {
        reader.read_frame(index, &mut frame).map_err(|error| error.to_string())?;
        hash.update(&frame.time.to_le_bytes());
        for (object, state) in frame.states.iter().enumerate() {
            if let State::Points(points) = state {
                points.iter().for_each(|point| hash.update(&point.x.to_le_bytes()));
                let cells = reader.topology(object, index).map_err(|error| error.to_string())?;
                cells.indices().iter().for_each(|id| assert!((*id as usize) < points.len()));
                assert!(points.iter().all(|point| point.iter().all(|value| value.is_finite())));
            }
            hash.update(format!("{:?}", state.point_count()).as_bytes());
        }
    }
    Ok(hash.finalize())
}

fn read_contacts(path: &Path) -> Result<u32, String> {
    let mut reader = ContactsReader::open_with(path, &options()).map_err(|error| error.to_string())?;
    let mut frame = ContactFrame::default();
    let mut hash = crc32fast::Hasher::new();
    for index in 0..reader.frame_count().min(2 * FRAMES) {
        reader.read_frame(index, &mut frame).map_err(|error| error.to_string())?;
        frame.contacts.iter().for_each(|contact| hash.update(&contact.depth.to_le_bytes()));
    }
    Ok(hash.finalize())
}

fn session_bytes(folder: &Path, compression: u32, finish: bool) -> Vec<u8> {
    let path = folder.join("made.vtkhdf");
    let info = every_kind(SIDE);
    let options = WriterOptions { compression, overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(&path, &info, options).unwrap();
    (0..FRAMES).for_each(|index| writer.append(&frame(&info, SIDE, index)).unwrap());
    if finish {
        writer.finish().unwrap();
        return std::fs::read(&path).unwrap();
    }
    let bytes = std::fs::read(folder.join("made.vtkhdf.journal")).unwrap();
    drop(writer);
    bytes
}

fn contacts_bytes(folder: &Path) -> Vec<u8> {
    let path = folder.join("made.h5");
    let options = ContactsOptions { overwrite: true, ..ContactsOptions::default() };
    let pairs = [ContactPair { a: "a".into(), b: "b".into(), detector: "sphere_sphere".into() }];
    let mut writer = ContactsWriter::create(&path, &pairs, options).unwrap();
    for index in 0..FRAMES {
        let point = |x: usize| Feature::point(Point::new(x as f64, 0.5, 0.25));
        let contact = Contact::exact(point(index), point(1), nalgebra::Vector3::x(), index as f64, 7);
        writer.append(index as u64, 0.1 * index as f64, &vec![0; index], &vec![contact; index]).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(&path).unwrap()
}

fn plain_bytes(folder: &Path, file: &Plain, write: impl FnOnce(&rust_hdf5::H5Group)) -> Vec<u8> {
    let path = folder.join("made.vtkhdf");
    file.write(&path, write);
    std::fs::read(&path).unwrap()
}

fn targets(folder: &Path) -> Vec<Target> {
    let session = |compression| session_bytes(folder, compression, true);
    let points = |root: &rust_hdf5::H5Group| {
        floats(root, "Points", &[POINTS * 3, 3], &all_coordinates(3));
    };
    let chunked = |root: &rust_hdf5::H5Group| {
        let dataset = root.new_dataset::<f64>().shape([POINTS * 3, 3]).chunk(&[5, 3]).deflate(4);
        dataset.create("Points").unwrap().write_raw(&all_coordinates(3)).unwrap();
    };
    let led = |root: &rust_hdf5::H5Group| {
        let dataset = root.new_dataset::<f64>().shape([POINTS * 3, 3]);
        dataset
            .virtual_mapping(Selection::All, "source.h5", "/points", Selection::All)
            .create("Points")
            .unwrap();
    };
    let source = H5File::create(folder.join("source.h5")).unwrap();
    floats(&source.root_group(), "points", &[POINTS * 3, 3], &all_coordinates(3));
    source.close().unwrap();
    let (plain, old) = (Plain::default(), Plain { old: true, ..Plain::default() });
    let parts = Plain { parts_advance: true, ..Plain::default() };
    let files = vec![
        plain_bytes(folder, &plain, points),
        plain_bytes(folder, &parts, points),
        plain_bytes(folder, &old, points),
        plain_bytes(folder, &old, chunked),
        plain_bytes(folder, &plain, led),
    ];
    let sessions = vec![session(0), session(1)];
    let journals = vec![session_bytes(folder, 1, false)];
    let target =
        |name, seeds: &Vec<Vec<u8>>, repair, read| Target { name, seeds: seeds.clone(), repair, read };
    vec![
        target("session", &sessions, |_| {}, read_session),
        target("session, checksums of metadata repaired", &sessions, repair_metadata, read_session),
        target("VTKHDF", &files, |_| {}, read_session),
        target("VTKHDF, checksums of metadata repaired", &files, repair_metadata, read_session),
        target("journal", &journals, |_| {}, read_session),
        target("journal, checksums repaired", &journals, repair_journal, read_session),
        target("contacts", &vec![contacts_bytes(folder)], |_| {}, read_contacts),
        target(
            "contacts, checksums of metadata repaired",
            &vec![contacts_bytes(folder)],
            repair_metadata,
            read_contacts,
        ),
    ]
}

/// Corrects the checksums of superblock and object headers, so that what they protect is read.
fn repair_metadata(bytes: &mut [u8]) {
    let checksum = rust_hdf5::format::checksum::checksum_metadata;
    if bytes.len() > 48 && matches!(bytes[8], 2 | 3) {
        let sum = checksum(&bytes[..44]);
        bytes[44..48].copy_from_slice(&sum.to_le_bytes());
    }
    for at in 0..bytes.len().saturating_sub(12) {
        if !bytes[at..].starts_with(b"OHDR") {
            continue;
        }
        let flags = bytes[at + 5];
        let width = 1 << (flags & 3);
        let mut head = at + 6;
        head += if flags & 0x20 == 0 { 0 } else { 16 };
        head += if flags & 0x10 == 0 { 0 } else { 4 };
        let mut size = [0; 8];
        let Some(stored) = bytes.get(head..head + width) else { continue };
        size[..width].copy_from_slice(stored);
        let end = (head + width).saturating_add(u64::from_le_bytes(size) as usize);
        if end.checked_add(4).is_some_and(|end| end <= bytes.len()) {
            let sum = checksum(&bytes[at..end]);
            bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        }
    }
}

/// Corrects the checksums of all records.
fn repair_journal(bytes: &mut [u8]) {
    let mut at = 16;
    while at < bytes.len().saturating_sub(24) {
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap()) as usize;
        if let Some(end) = (at + 24).checked_add(length).filter(|&end| end <= bytes.len()) {
            let sum = crc32fast::hash(&bytes[at + 24..end]);
            bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[at..at + 16]);
        bytes[at + 16..at + 20].copy_from_slice(&sum.to_le_bytes());
        at = (at + 24).saturating_add(length);
    }
}

/// Damages a file; `other` is another to take bytes from.
fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut impl Rng) {
    for _ in 0..random.random_range(1..4) {
        let length = bytes.len();
        let at = random.random_range(0..length);
        match random.random_range(0..8) {
            0 | 1 => bytes[at] ^= 1 << random.random_range(0..8),
            2 => bytes[at] = random.random_range(0..=255),
            3 => {
                // A count, a size or an address.
                const NUMBERS: [u64; 12] = [
                    0,
                    1,
                    2,
                    3,
                    255,
                    1 << 16,
                    1 << 31,
                    1 << 32,
                    (1 << 40) + 1,
                    1 << 62,
                    u64::MAX - 1,
                    u64::MAX,
                ];
                let number = NUMBERS[random.random_range(0..NUMBERS.len())].to_le_bytes();
                let width = 1 << random.random_range(0..4);
                let at = at / width * width;
                let end = (at + width).min(length);
                bytes[at..end].copy_from_slice(&number[..end - at]);
            }
            4 => {
                // Bytes of the same or another file.
                let from = random.random_range(0..other.len());
                let count = random.random_range(1..=64).min(other.len() - from).min(length - at);
                bytes[at..at + count].copy_from_slice(&other[from..from + count]);
            }
            5 => {
                let end = (at + random.random_range(1..=64)).min(length);
                bytes[at..end].fill(if random.random_bool(0.5) { 0 } else { 0xff });
            }
            6 => {
                // A small change of a number.
                bytes[at] = bytes[at].wrapping_add(if random.random_bool(0.5) { 1 } else { 0xff });
            }
            _ => {
                if random.random_bool(0.2) {
                    bytes.truncate(at.max(1));
                } else {
                    let end = (at + random.random_range(1..=16)).min(length);
                    bytes.drain(at..end);
                    if bytes.is_empty() {
                        bytes.push(0);
                    }
                }
            }
        }
    }
}

/// The most memory that the process ever had; `None` where the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

#[test]
fn damaged_files_of_every_kind_give_an_error_or_data() {
    let inputs = std::env::var("PALPATE_FUZZ").map_or(INPUTS, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("damaged.vtkhdf");
    // Before the hook below: writing and reading puts one there that says nothing of the library's panics.
    let targets = targets(folder.path());
    for target in &targets {
        std::fs::write(&path, &target.seeds[0]).unwrap();
        (target.read)(&path).unwrap();
    }
    let shown = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        if place.contains("rust-hdf5") {
            PANICS.lock().unwrap().push(place);
        } else {
            shown(info);
        }
    }));
    let before = peak_memory();
    for (number, target) in targets.iter().enumerate() {
        for seed in &target.seeds {
            std::fs::write(&path, seed).unwrap();
            (target.read)(&path).unwrap();
        }
        let (mut read, mut slowest) = (0, (Duration::ZERO, 0));
        let mut reasons = std::collections::BTreeSet::new();
        // A damaged journal is read as far as it is whole: its outcomes are data more often than errors.
        let mut outcomes = std::collections::HashSet::new();
        for input in 0..inputs {
            let mut random = ChaCha8Rng::seed_from_u64(((number as u64) << 40) + input);
            let seed = random.random_range(0..target.seeds.len());
            let other = random.random_range(0..target.seeds.len());
            let mut bytes = target.seeds[seed].clone();
            damage(&mut bytes, &target.seeds[other], &mut random);
            (target.repair)(&mut bytes);
            std::fs::write(&path, &bytes).unwrap();
            let start = Instant::now();
            let found = (target.read)(&path);
            let spent = start.elapsed();
            assert!(spent < LONGEST, "{}, input {input}: {spent:?}", target.name);
            slowest = slowest.max((spent, input));
            assert_eq!(found, (target.read)(&path), "{}, input {input}, read twice", target.name);
            let mut hasher = DefaultHasher::new();
            found.hash(&mut hasher);
            outcomes.insert(hasher.finish());
            match found {
                Ok(_) => read += 1,
                Err(reason) => {
                    assert!(!reason.contains(['\n']) && !reason.contains("Some("), "{reason}");
                    // The words without the numbers.
                    reasons.insert(reason.replace(|letter: char| letter.is_ascii_digit(), ""));
                }
            }
        }
        let (time, which) = slowest;
        println!("counted: damaged recordings read: {inputs}");
        println!(
            "{}: {read} of {inputs} read, {} reasons, slowest {time:?} (input {which})",
            target.name,
            reasons.len()
        );
        // Neither all harmless nor all refused at once.
        if inputs >= INPUTS {
            assert!(read > inputs / 100 && read < inputs, "{}: {read} read", target.name);
            assert!(reasons.len() > 1 && outcomes.len() > 5, "{}: {reasons:?}", target.name);
        }
    }
    let mut panics = PANICS.lock().unwrap().clone();
    let count = panics.len();
    panics.sort_unstable();
    panics.dedup();
    println!("{count} panics of rust-hdf5 were caught, at {panics:?}");
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        println!("peak memory {} MiB, {} MiB before", after >> 20, before >> 20);
        assert!(after - before < MOST_MEMORY, "{} bytes", after - before);
    }
}
