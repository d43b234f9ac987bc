//! If a writer is killed after any number of writes, or during one, every completed frame survives.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod sample;

use palpate_recording::{Frame, Reader, Writer, WriterOptions, recover};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sample::{every_kind, frame};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const SIDE: u32 = 30;
const FRAMES: usize = 40;
/// Number of kills after a counted write, and during packing of the journal.
const KILLS: u64 = 16;
const KILLS_IN_FINISH: u64 = 8;
/// Passes the session file to the child process, which is this program again.
const CHILD: &str = "PALPATE_RECORDING_KILLED_CHILD";
/// Passes the number of frames after which the child process stops and waits; without it the session is finished.
const STOP_AFTER: &str = "PALPATE_RECORDING_KILLED_STOP_AFTER";

/// Not a test of its own: code of the child process. Prints every step to standard output.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let stop_after = std::env::var(STOP_AFTER).ok().map(|count| count.parse::<usize>().unwrap());
    let info = every_kind(SIDE);
    let tell = |what: &str| {
        // Unbuffered: a killed process flushes no buffers.
        let mut out = std::io::stdout().lock();
        writeln!(out, "{what}").and_then(|()| out.flush()).unwrap();
    };
    let frames: Vec<Frame> = (0..FRAMES).map(|index| frame(&info, SIDE, index)).collect();
    let mut writer =
        Writer::create(&path, &info, WriterOptions { compression: 6, ..WriterOptions::default() }).unwrap();
    for frame in frames.iter().take(stop_after.unwrap_or(FRAMES)) {
        writer.append(frame).unwrap();
    }
    if stop_after.is_none() {
        tell("finish");
        writer.finish().unwrap();
    }
    tell("wait");
    // The process is killed by now.
    std::thread::sleep(Duration::from_secs(60));
}

/// Starts a writer, waits until it prints `line` and for `delay` more, and kills it.
fn kill_at(path: &Path, stop_after: Option<usize>, line: &str, delay: Duration) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    if let Some(count) = stop_after {
        command.env(STOP_AFTER, count.to_string());
    }
    let mut child = command
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!({ told }.any(|told| told.ends_with(line)), "the writer ends before it prints {line}");
    std::thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn journal(path: &Path) -> PathBuf {
    path.with_extension("vtkhdf.journal")
}

/// Only the session and its journal exist.
fn assert_nothing_else(folder: &Path) {
    let left = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> =
        left.filter(|name| name != "session.vtkhdf" && name != "session.vtkhdf.journal").collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Killed after a counted number of frames.
#[test]
fn every_finished_frame_is_read_back() {
    for seed in 0..KILLS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.vtkhdf");
        let frames = random.random_range(0..=FRAMES);
        kill_at(&path, Some(frames), "wait", Duration::ZERO);
        assert!(!path.exists(), "an unfinished session has no file");
        assert_frames(&path, frames);
        assert_recovered(&path, frames);
        assert_nothing_else(folder.path());
        println!("counted: processes killed while they recorded: 1");
    }
}

/// Killed during a write: some bytes of the next frame are in the journal.
#[test]
fn a_frame_cut_short_takes_no_other_with_it() {
    let info = every_kind(SIDE);
    let written = |frames: usize| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.vtkhdf");
        let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
        (0..frames).for_each(|index| writer.append(&frame(&info, SIDE, index)).unwrap());
        drop(writer);
        std::fs::read(journal(&path)).unwrap()
    };
    for seed in 0..KILLS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let frames = random.random_range(0..FRAMES);
        let (before, after) = (written(frames), written(frames + 1));
        assert!(after.len() > before.len() && after.starts_with(&before), "a frame is appended");
        let mut lengths = vec![before.len(), before.len() + 1, after.len() - 1];
        lengths.push(random.random_range(before.len()..after.len()));
        for length in lengths {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("session.vtkhdf");
            std::fs::write(journal(&path), &after[..length]).unwrap();
            assert_frames(&path, frames);
            assert_recovered(&path, frames);
            assert_nothing_else(folder.path());
        }
    }
}

/// Killed while it packs the journal: all frames survive, in the file or in the journal.
#[test]
fn a_session_is_whole_or_in_its_journal() {
    for kill in 0..KILLS_IN_FINISH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.vtkhdf");
        let (line, delay) =
            if kill == 0 { ("wait", Duration::ZERO) } else { ("finish", Duration::from_millis(kill * kill)) };
        kill_at(&path, None, line, delay);
        assert!(kill > 0 || path.exists(), "a finished session has a file");
        assert_frames(&path, FRAMES);
        if !path.exists() {
            assert_recovered(&path, FRAMES);
        }
        assert_nothing_else(folder.path());
    }
}

/// The frames left in the journal become the session file.
fn assert_recovered(path: &Path, frames: usize) {
    let recovered = recover(path).unwrap();
    assert!(recovered.frames == frames, "{recovered:?}, wanted {frames} frames");
    assert_frames(path, frames);
}

/// All frames are as written.
fn assert_frames(path: &Path, frames: usize) {
    let info = every_kind(SIDE);
    let mut reader = Reader::open(path).unwrap();
    assert!(reader.info() == &info);
    let count = reader.frame_count();
    assert!(count == frames, "{count} frames, wanted {frames}");
    let mut found = Frame::default();
    for index in 0..count {
        reader.read_frame(index, &mut found).unwrap();
        assert!(found == frame(&info, SIDE, index), "frame {index} differs");
    }
}
