//! `palpate replay`: a recorded session through the detectors.

pub(crate) mod pairs;
mod range;
pub(crate) mod sink;
pub(crate) mod summary;

use crate::args::ReplayArguments;
use crate::error::CommandError;
use crate::output::refuse_own_input;
use crate::{progress, terminal, text};
use palpate::detect::Detection;
use palpate::replay::{Replay, ReplayOptions};
use sink::Sink;
use std::ops::Range;
use std::time::Instant;
use summary::{Summary, Tally};

/// Replays a session and prints a summary. Errors: unusable files, pairs or frames; an output that cannot be
/// written.
pub(crate) fn run(arguments: &ReplayArguments) -> Result<(), CommandError> {
    let options = ReplayOptions {
        detection: if arguments.continuous { Detection::ContinuousThenStatic } else { Detection::Static },
        threads: arguments.read.threads(arguments.threads)?,
        ..arguments.read.replay_options(&arguments.mesh, arguments.margin)?
    };
    let mut replay = pairs::replay(&arguments.files, &arguments.pairs, options)?;
    let frames = range::parse(&arguments.frames, replay.frame_count())?;
    let sink = match &arguments.out {
        None => None,
        Some(path) => {
            refuse_own_input(path, &arguments.files)?;
            Some(sink::create(path, arguments.vtk, &replay)?)
        }
    };
    let summary = run_frames(&mut replay, frames, sink)?;
    if arguments.json {
        return terminal::print_json(&summary);
    }
    let mut words = summary.text();
    if let Some(path) = &arguments.out {
        words.push_str(&format!("contacts: {}\n", text::line(&path.display().to_string())));
    }
    terminal::print(&words)
}

/// Loads and detects frame by frame, and passes each to the sink.
pub(crate) fn run_frames(
    replay: &mut Replay,
    frames: Range<usize>,
    mut sink: Option<Box<dyn Sink>>,
) -> Result<Summary, CommandError> {
    let mut tally = Tally::new(replay);
    let bar = progress::bar(frames.len(), "frames");
    let first = frames.start;
    let begun = Instant::now();
    for frame in frames {
        replay.load(frame)?;
        let started = Instant::now();
        replay.detect()?;
        tally.count(frame, started.elapsed(), replay)?;
        if let Some(sink) = &mut sink {
            sink.append(frame, replay)?;
        }
        bar.inc(1);
    }
    if let Some(sink) = sink {
        sink.finish()?;
    }
    bar.finish_and_clear();
    tally.summary(first, begun.elapsed(), replay)
}
