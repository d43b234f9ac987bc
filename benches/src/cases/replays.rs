//! The demo recording, replayed: time per frame.

use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use palpate::replay::{Replay, ReplayOptions};

/// The recording, beside this package in the repository.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/demo.vtkhdf");

/// Number of frames.
const FRAMES: usize = 120;

/// All frames of the recording, one after the other: read only, and read and detected, on one thread and on two.
pub fn replays() -> Vec<Case> {
    let makes: [(&'static str, Make); 3] = [
        ("demo, frames loaded", |frames| replay(frames, 1, false)),
        ("demo, frames loaded and detected", |frames| replay(frames, 1, true)),
        ("demo, the same on two threads", |frames| replay(frames, 2, true)),
    ];
    makes.map(|(input, make)| Case { name: "replay", input, size: FRAMES, item: "frame", make }).to_vec()
}

/// Counts the contacts of all frames, or the frames loaded.
fn replay(frames: usize, threads: usize, detects: bool) -> Fallible<Workload> {
    let mut replay = Replay::open(&[DEMO], &ReplayOptions { threads, ..ReplayOptions::default() })?;
    let found = replay.frame_count();
    if found != frames {
        return Err(format!("{DEMO} has {found} frames: wanted {frames}").into());
    }
    Ok(Workload::new(frames, move || {
        let mut count = 0;
        for frame in 0..frames {
            replay.load(frame)?;
            count += if detects { replay.detect()?.contacts } else { 1 };
        }
        Ok(count)
    }))
}
