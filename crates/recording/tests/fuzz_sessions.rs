//! Random sessions against what was written: finished, dropped, on full disks, killed, damaged.
//!
//! `PALPATE_FUZZ_SESSIONS=2000` runs so many sessions, in place of those of the gate.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod session_model;

use palpate_recording::{CompactOptions, Frame, Missing, Reader, State, Writer, compact, recover};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use session_model::{Model, Read};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Sessions of the gate.
const SESSIONS: u64 = 120;
/// Of so many sessions each is treated in another way: finished, dropped, two on full disks, killed, damaged.
const WAYS: u64 = 6;
const COUNT: &str = "PALPATE_FUZZ_SESSIONS";
/// Passes a folder to the child process, which is this program again; then the seed of its session.
const CHILD: &str = "PALPATE_FUZZ_SESSIONS_CHILD";
const SEED: &str = "PALPATE_FUZZ_SESSIONS_SEED";
/// Passes that the child process has to die.
const DIES: &str = "PALPATE_FUZZ_SESSIONS_DIES";

fn path_of(folder: &Path, seed: u64) -> PathBuf {
    folder.join(format!("{seed}.vtkhdf"))
}

fn journal_of(path: &Path) -> PathBuf {
    path.with_extension("vtkhdf.journal")
}

fn with_extension(path: &Path, extension: &str) -> PathBuf {
    path.with_extension(extension)
}

/// Appends what can be; returns the frames whose append returned `Ok`, and tells each to `each` when it did.
fn append_all(writer: &mut Writer, model: &Model, mut each: impl FnMut(usize)) -> Vec<usize> {
    let mut kept = Vec::new();
    for (index, frame) in model.frames.iter().enumerate() {
        if writer.append(frame).is_ok() {
            kept.push(index);
            each(index);
        }
    }
    kept
}

/// Not a test of its own: code of the child process. It writes down every frame that is appended.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let seed: u64 = std::env::var(SEED).unwrap().parse().unwrap();
    let dies = std::env::var_os(DIES).is_some();
    let model = Model::new(seed);
    let path = path_of(&folder, seed);
    let mut writer = Writer::create(&path, &model.info, model.options).unwrap();
    let mut log = File::create(with_extension(&path, "log")).unwrap();
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    // The number of frames means: in finishing.
    let last = random.random_range(1..=model.frames.len() + 2);
    let mut appended = 0;
    append_all(&mut writer, &model, |index| {
        writeln!(log, "{index}").unwrap();
        appended += 1;
        if dies && appended == last {
            std::process::abort();
        }
    });
    if dies {
        let wait = Duration::from_micros(random.random_range(0..8000));
        std::thread::spawn(move || {
            std::thread::sleep(wait);
            std::process::abort();
        });
    }
    let result = if writer.finish().is_ok() { "finished" } else { "unfinished" };
    File::create(with_extension(&path, result)).unwrap();
}

/// Runs the child process on this seed; no file of it grows beyond `blocks` of 512 bytes.
fn run_child(folder: &Path, seed: u64, blocks: Option<u64>, dies: bool) {
    let program = std::env::current_exe().unwrap();
    let limit = blocks.map_or("unlimited".to_string(), |blocks| blocks.to_string());
    let mut command = Command::new("sh");
    // A write beyond the limit is an error then, and no signal.
    let script = "trap '' XFSZ; ulimit -c 0; ulimit -f \"$1\"; exec \"$2\" child --exact --test-threads=1";
    command.args(["-c", script, "sh", &limit]).arg(program);
    command.env(CHILD, folder).env(SEED, seed.to_string());
    if dies {
        command.env(DIES, "1");
    }
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(dies || status.success(), "{status}");
}

/// The frames that the child process says to have appended.
fn kept_by_child(path: &Path) -> Vec<usize> {
    let log = fs::read_to_string(with_extension(path, "log")).unwrap();
    log.lines().map(|line| line.parse().unwrap()).collect()
}

#[derive(Debug, Default)]
struct Totals {
    sessions: usize,
    frames: usize,
    changes: usize,
    refused: usize,
    unfinished: usize,
    lost: usize,
    /// Frames read after a damaged one.
    after_damage: usize,
}

impl Totals {
    fn add(&mut self, read: Read) {
        self.sessions += 1;
        self.frames += read.frames;
        self.changes += read.changes;
    }
}

/// Packs what was left unfinished, and reads it again: the same frames.
fn check_recovered(model: &Model, path: &Path, kept: &[usize], may_miss: bool, what: &str) -> Read {
    let read = model.check(path, kept, may_miss, what);
    if read.frames == 0 {
        assert!(recover(path).is_err() && journal_of(path).exists(), "{what}");
        return read;
    }
    let recovered = recover(path).unwrap_or_else(|error| panic!("{what}: {error}"));
    let Missing { frames, bytes, .. } = read.missing;
    let wanted = (read.frames, frames, bytes);
    assert_eq!((recovered.frames, recovered.lost, recovered.skipped_bytes), wanted, "{what}");
    let again = model.check(path, kept, may_miss, what);
    assert_eq!((again.frames, again.missing), (read.frames, Missing::default()), "{what}");
    assert!(!Reader::open(path).unwrap().is_unfinished(), "{what}");
    read
}

fn record(model: &Model, path: &Path) -> (Writer, Vec<usize>) {
    let mut writer = Writer::create(path, &model.info, model.options).unwrap();
    let kept = append_all(&mut writer, model, |_| {});
    assert_eq!(kept.len(), model.frames.len());
    (writer, kept)
}

/// Damages a journal after its beginning, of `front` bytes.
fn damage(bytes: &mut Vec<u8>, front: usize, random: &mut impl Rng) {
    for _ in 0..random.random_range(1..4) {
        let place = |random: &mut dyn FnMut(std::ops::Range<usize>) -> usize, length| random(front..length);
        if bytes.len() <= front {
            return;
        }
        let at = place(&mut |range| random.random_range(range), bytes.len());
        let end = (at + random.random_range(1..400)).min(bytes.len());
        match random.random_range(0..6) {
            0 | 1 => bytes[at] ^= 1 << random.random_range(0..8),
            2 => bytes.truncate(at),
            3 => bytes[at..end].fill(0),
            4 => drop(bytes.drain(at..end)),
            _ => drop(bytes.splice(at..at, (0..end - at).map(|_| random.random::<u8>()))),
        }
    }
}

/// The files of a session whose writer is gone and that was recovered.
fn assert_no_leftovers(folder: &Path, what: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.ends_with(".part"), "{what}: {name}");
    }
}

#[test]
fn random_sessions_are_read_back_as_they_were_written() {
    let count = std::env::var(COUNT).map_or(SESSIONS, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut totals = Totals::default();
    for seed in 0..count {
        let path = &path_of(folder.path(), seed);
        let what = &format!("seed {seed}");
        let model = Model::new(seed);
        let random = &mut ChaCha8Rng::seed_from_u64(!seed);
        match seed % WAYS {
            0 => {
                let (writer, kept) = record(&model, path);
                writer.finish().unwrap();
                totals.add(model.check(path, &kept, false, what));
                assert!(Reader::open(path).unwrap().verify().unwrap().checksums);
            }
            1 => {
                let (writer, kept) = record(&model, path);
                totals.add(model.check(path, &kept, false, what));
                drop(writer);
                check_recovered(&model, path, &kept, false, what);
            }
            2 | 3 => full_disk(&model, path, random, what, &mut totals),
            4 => {
                run_child(folder.path(), seed, None, true);
                let kept = kept_by_child(path);
                if path.exists() {
                    totals.add(model.check(path, &kept, false, what));
                } else {
                    totals.unfinished += 1;
                    totals.add(check_recovered(&model, path, &kept, false, what));
                }
            }
            _ => {
                let (writer, kept) = record(&model, path);
                drop(writer);
                let mut bytes = fs::read(journal_of(path)).unwrap();
                let front = front_of(&model, folder.path());
                damage(&mut bytes, front, random);
                fs::write(journal_of(path), bytes).unwrap();
                let read = check_recovered(&model, path, &kept, true, what);
                totals.lost += read.missing.frames;
                totals.after_damage += if read.missing.frames > 0 { read.frames } else { 0 };
                totals.add(read);
            }
        }
        assert_no_leftovers(folder.path(), what);
        clear(folder.path());
    }
    let _ = writeln!(std::io::stdout(), "{count} sessions: {totals:?}");
    let sessions = totals.sessions;
    assert_eq!(sessions as u64, count);
    assert!(totals.frames > 2 * sessions && totals.changes > sessions / 2, "{totals:?}");
    assert!(totals.refused > sessions / 4 && totals.unfinished > sessions / 10, "{totals:?}");
    assert!(totals.lost > sessions / 20 && totals.after_damage > sessions / 20, "{totals:?}");
}

/// A session in a child process whose files cannot grow beyond a random size; then it is recovered without that limit.
fn full_disk(model: &Model, path: &Path, random: &mut impl Rng, what: &str, totals: &mut Totals) {
    let folder = path.parent().unwrap();
    drop(record(model, path));
    let bytes = fs::read(journal_of(path)).unwrap().len();
    fs::remove_file(journal_of(path)).unwrap();
    // Sometimes large enough for the finished file as well.
    let limit = match random.random_range(0..6) {
        0 => 20 * bytes,
        _ => random.random_range(front_of(model, folder)..2 * bytes),
    };
    let seed = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    run_child(folder, seed, Some(limit as u64 / 512 + 1), false);
    let kept = kept_by_child(path);
    totals.refused += model.frames.len() - kept.len();
    if with_extension(path, "finished").exists() {
        assert!(!journal_of(path).exists(), "{what}");
        totals.add(model.check(path, &kept, false, what));
    } else {
        assert!(!path.exists(), "{what}");
        totals.unfinished += 1;
        totals.add(check_recovered(model, path, &kept, false, what));
    }
}

/// Bytes of the journal before the first frame.
fn front_of(model: &Model, folder: &Path) -> usize {
    let path = folder.join("empty.vtkhdf");
    drop(Writer::create(&path, &model.info, model.options).unwrap());
    let bytes = fs::read(journal_of(&path)).unwrap().len();
    fs::remove_file(journal_of(&path)).unwrap();
    bytes
}

fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

/// The session of a model, finished.
fn finished(folder: &Path, seed: u64) -> (Model, PathBuf, Vec<usize>) {
    let (model, path) = (Model::new(seed), path_of(folder, seed));
    let mut writer = Writer::create(&path, &model.info, model.options).unwrap();
    let kept = append_all(&mut writer, &model, |_| {});
    writer.finish().unwrap();
    (model, path, kept)
}

/// Every so many frames, with the cells and shapes of their time, whatever changed in between.
fn check_every(path: &Path, kept: &Path, every: usize) {
    let options = CompactOptions { every, ..CompactOptions::default() };
    compact(&mut Reader::open(path).unwrap(), kept, &options).unwrap();
    let [mut one, mut two] = [path, kept].map(|path| Reader::open(path).unwrap());
    let [mut was, mut is] = [Frame::default(), Frame::default()];
    assert_eq!(two.frame_count(), one.frame_count().div_ceil(every));
    for frame in 0..two.frame_count() {
        one.read_frame(frame * every, &mut was).unwrap();
        two.read_frame(frame, &mut is).unwrap();
        assert_eq!((was.time, &was.states, &was.placements), (is.time, &is.states, &is.placements));
        for object in 0..one.info().objects.len() {
            assert_eq!(one.topology(object, frame * every).unwrap(), two.topology(object, frame).unwrap());
            assert_eq!(one.shape(object, frame * every).unwrap(), two.shape(object, frame).unwrap());
        }
    }
}

#[test]
fn compact_sessions_have_every_bit_or_the_stated_error() {
    let folder = tempfile::tempdir().unwrap();
    let (mut changes, mut moved) = (0, 0);
    for seed in 5000..5060 {
        let (model, path, kept) = finished(folder.path(), seed);
        let (exact, rounded) = (with_extension(&path, "palpate"), with_extension(&path, "rounded.palpate"));
        compact(&mut Reader::open(&path).unwrap(), &exact, &CompactOptions::default()).unwrap();
        changes += model.check(&exact, &kept, false, "compact").changes;
        check_every(&path, &with_extension(&path, "every.palpate"), 2 + seed as usize % 3);
        let options = CompactOptions { error: 1e-3, ..CompactOptions::default() };
        let report = compact(&mut Reader::open(&path).unwrap(), &rounded, &options).unwrap();
        assert!(report.error <= 1e-3 && report.error > 0.49e-3, "{report:?}");
        let [mut one, mut two] = [&path, &rounded].map(|path| Reader::open(path).unwrap());
        assert!(two.notes().iter().any(|note| note.to_string().contains("points are kept to")));
        let [mut was, mut is] = [Frame::default(), Frame::default()];
        for frame in 0..one.frame_count() {
            one.read_frame(frame, &mut was).unwrap();
            two.read_frame(frame, &mut is).unwrap();
            for (was, is) in was.states.iter().zip(&is.states) {
                match (was, is) {
                    (State::Points(was), State::Points(is)) => {
                        assert_eq!(was.len(), is.len());
                        let largest =
                            was.iter().zip(is).map(|(was, is)| (was - is).norm()).fold(0.0, f64::max);
                        assert!(largest <= report.error, "{largest}");
                        moved += usize::from(largest > 0.0);
                    }
                    (was, is) => assert_eq!(was, is),
                }
            }
        }
    }
    assert!(changes > 30 && moved > 100, "{changes} {moved}");
}

#[test]
fn damaged_compact_sessions_are_errors_or_whole() {
    let folder = tempfile::tempdir().unwrap();
    let random = &mut ChaCha8Rng::seed_from_u64(77);
    let (mut refused, mut whole) = (0, 0);
    for seed in 6000..6012 {
        let (model, path, kept) = finished(folder.path(), seed);
        let packed = with_extension(&path, "palpate");
        compact(&mut Reader::open(&path).unwrap(), &packed, &CompactOptions::default()).unwrap();
        let bytes = fs::read(&packed).unwrap();
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            let at = random.random_range(0..damaged.len());
            if random.random_ratio(1, 3) {
                damaged.truncate(at);
            } else {
                damaged[at] ^= 1 << random.random_range(0..8);
            }
            let name = folder.path().join("damaged.palpate");
            fs::write(&name, &damaged).unwrap();
            match Reader::open(&name).and_then(|mut reader| reader.verify()) {
                Err(_) => refused += 1,
                Ok(_) => {
                    model.check(&name, &kept, false, "damaged");
                    whole += 1;
                }
            }
        }
    }
    assert!(refused > 400 && whole < 80, "{refused} {whole}");
}
