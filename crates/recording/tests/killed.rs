//! A writer that is killed, at moments of all sorts, leaves every frame that it had finished.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]
#![cfg(unix)]

mod sample;

use palpate_recording::{Frame, Reader, Writer, WriterOptions, recover};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sample::{every_kind, frame};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIDE: u32 = 30;
const FRAMES: usize = 40;
const KILLS: u64 = 24;
/// Names the session's file to the child process, which is this program again.
const CHILD: &str = "PALPATE_RECORDING_KILLED_CHILD";

/// Not a test by itself: what the child process runs. Tells every step on its standard output.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let info = every_kind(SIDE);
    let tell = |what: &str| {
        // Straight to the pipe: a killed process writes no buffers.
        let mut out = std::io::stdout().lock();
        writeln!(out, "{what}").and_then(|()| out.flush()).unwrap();
    };
    let frames: Vec<Frame> = (0..FRAMES).map(|index| frame(&info, SIDE, index)).collect();
    tell("start");
    let mut writer =
        Writer::create(&path, &info, WriterOptions { compression: 6, ..WriterOptions::default() }).unwrap();
    for frame in &frames {
        writer.append(frame).unwrap();
        tell("frame");
    }
    tell("finish");
    writer.finish().unwrap();
    tell("done");
    // To be killed at the latest now.
    std::thread::sleep(Duration::from_secs(60));
}

fn spawn(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Starts a writer, waits for the line number `lines` of what it tells and `delay` more, and kills it. Returns how many
/// frames it had told to be finished.
fn kill_after(path: &Path, lines: usize, delay: Duration) -> usize {
    let mut child = spawn(path);
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut frames = 0;
    let mut seen = 0;
    let known = |line: &str| ["start", "frame", "finish", "done"].iter().any(|word| line.ends_with(word));
    for line in told.by_ref().filter(|line| known(line)) {
        frames += usize::from(line.ends_with("frame"));
        seen += 1;
        if seen == lines {
            break;
        }
    }
    let start = Instant::now();
    while start.elapsed() < delay {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    frames + told.filter(|line| line.ends_with("frame")).count()
}

#[test]
fn every_finished_frame_is_read_back() {
    let info = every_kind(SIDE);
    // How long it takes to finish: kills are spread over it.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    sample::write(&path, &info, SIDE, FRAMES, 6);
    let start = Instant::now();
    let again = Writer::create(
        &path,
        &info,
        WriterOptions { overwrite: true, compression: 6, ..WriterOptions::default() },
    );
    let mut again = again.unwrap();
    (0..FRAMES).for_each(|index| again.append(&frame(&info, SIDE, index)).unwrap());
    again.finish().unwrap();
    let duration = start.elapsed();

    let (mut in_midst, mut in_finish, mut finished) = (0, 0, 0);
    for seed in 0..KILLS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.vtkhdf");
        // "start" is line 1, frames come then, "finish" is line FRAMES + 2.
        let (lines, delay) = if seed % 3 == 0 {
            (FRAMES + 2, duration.mul_f64(random.random_range(0.0..1.5)))
        } else {
            (random.random_range(2..FRAMES + 2), Duration::from_micros(random.random_range(0..200)))
        };
        let told = kill_after(&path, lines, delay);
        let is_finished = path.exists();
        finished += usize::from(is_finished);
        in_finish += usize::from(!is_finished && told == FRAMES);
        in_midst += usize::from(told < FRAMES);
        assert_frames(&path, told);
        if !is_finished {
            let recovered = recover(&path).unwrap();
            assert!(recovered.frames >= told && recovered.lost == 0, "seed {seed}: {recovered:?}");
            assert_frames(&path, told);
        }
        let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> =
            left.filter(|name| name != "session.vtkhdf" && name != "session.vtkhdf.journal").collect();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
    }
    assert!(
        in_midst >= 8 && in_finish >= 2,
        "{in_midst} in midst, {in_finish} while finishing, {finished} after"
    );
}

/// All frames that were told, and at most one more whose telling was cut off, as they were written.
fn assert_frames(path: &Path, told: usize) {
    let info = every_kind(SIDE);
    let mut reader = Reader::open(path).unwrap();
    assert!(reader.info() == &info);
    let count = reader.frame_count();
    assert!(count == told || count == told + 1, "{count} frames, {told} told");
    let mut found = Frame::default();
    for index in 0..count {
        reader.read_frame(index, &mut found).unwrap();
        assert!(found == frame(&info, SIDE, index), "frame {index} is another");
    }
}
