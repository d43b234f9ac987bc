//! Making the page.

use super::numbers::Numbers;
use super::page::{Bounds, Diff, Page, html};
use super::session::{Session, bytes_per_frame};
use crate::args::ReportArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::{terminal, text, words};
use palpate::diff::{Options, Report, compare};
use palpate::recording::Reader;
use palpate::replay::Replay;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of quantised positions, before compression, from which on frames are left out: they become about half as many in
/// the page.
const RAW_PART: f64 = 1.6;

/// The result as JSON.
#[derive(Serialize)]
struct Said<'a> {
    out: String,
    bytes: usize,
    frames: usize,
    drawn_frames: usize,
    /// Metres.
    position_error: f64,
    diff: Option<&'a Report>,
}

/// Writes the page. Errors: sessions that cannot be replayed; a page that cannot be written.
pub(crate) fn run(arguments: &ReportArguments) -> Result<(), CommandError> {
    let files: Vec<&[PathBuf]> = match &arguments.files[..] {
        [one, two] if arguments.other.is_empty() && are_two_sessions(one, two) => {
            vec![std::slice::from_ref(one), std::slice::from_ref(two)]
        }
        files if arguments.other.is_empty() => vec![files],
        files => vec![files, &arguments.other],
    };
    let out = arguments.out.clone().unwrap_or_else(|| {
        let first = palpate::replay::SessionFiles::leader(&arguments.files).unwrap_or_default();
        first.with_extension("html")
    });
    files.iter().try_for_each(|files| refuse_own_input(&out, files))?;
    let options = arguments.read.replay_options(&arguments.mesh, None)?;
    let mut replays = Vec::new();
    for files in &files {
        replays.push(crate::replay::pairs::replay(files, &arguments.pairs, options.clone())?);
    }
    let report = match &mut replays[..] {
        [was, is] => {
            let options = Options { policy: arguments.policy.policy(), allow_empty: true, described: 300 };
            Some(compare(was, is, &options)?)
        }
        _ => None,
    };
    let most = (arguments.size * 1e6) as usize;
    let mut step = first_step(&mut replays, most)?;
    loop {
        let (page, said, sessions) = made(&files, &mut replays, step, report.as_ref())?;
        let frames = replays[0].frame_count();
        if page.len() > most && step < frames {
            step *= 2;
            continue;
        }
        let mut output = Output::create(Some(&out))?;
        output.write_all(page.as_bytes()).map_err(|error| CommandError::io(&out, "writing", error))?;
        output.finish()?;
        let error = sessions.iter().map(Session::error).fold(0.0, f64::max);
        if arguments.json {
            let drawn_frames = sessions[0].kept.len();
            let (out, bytes, diff) = (out.display().to_string(), page.len(), report.as_ref());
            return terminal::print_json(&Said {
                out,
                bytes,
                frames,
                drawn_frames,
                position_error: error,
                diff,
            });
        }
        let size = words::significant(page.len() as f64 / 1e6, 3);
        let out = text::line(&out.display().to_string());
        return terminal::print(&format!("{out}: {size} MB. {said}\n"));
    }
}

/// Whether two recordings have an object of the same name: then they are no session together.
fn are_two_sessions(one: &Path, two: &Path) -> bool {
    let (Ok(one), Ok(two)) = (Reader::open(one), Reader::open(two)) else { return false };
    let names = |reader: &Reader| reader.info().objects.iter().map(|object| object.name.clone()).collect();
    let (one, two): (Vec<String>, Vec<String>) = (names(&one), names(&two));
    one.iter().any(|name| two.contains(name))
}

/// The smallest step with which the positions are likely to fit.
fn first_step(replays: &mut [Replay], most: usize) -> Result<usize, CommandError> {
    let mut bytes = 0;
    for replay in replays {
        replay.load(0)?;
        bytes += bytes_per_frame(replay.scene())? * replay.frame_count();
    }
    Ok((bytes as f64 / (RAW_PART * most as f64)).ceil().max(1.0) as usize)
}

/// The page with every `step`-th frame, and the line that says what is in it.
fn made(
    files: &[&[PathBuf]],
    replays: &mut [Replay],
    step: usize,
    report: Option<&Report>,
) -> Result<(String, String, Vec<Session>), CommandError> {
    let (mut sessions, mut numbers) = (Vec::new(), Vec::new());
    for (files, replay) in files.iter().zip(replays.iter_mut()) {
        let mut own = Numbers::default();
        sessions.push(Session::collect(replay, title(files), step, &mut own)?);
        numbers.push(own.text().map_err(|error| CommandError::io(Path::new("page"), "compressing", error))?);
    }
    let mut bounds = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
    for session in &sessions {
        for axis in 0..3 {
            bounds.low[axis] = bounds.low[axis].min(session.bounds.0[axis]);
            bounds.high[axis] = bounds.high[axis].max(session.bounds.1[axis]);
        }
    }
    if !(0..3).all(|axis| bounds.low[axis] <= bounds.high[axis]) {
        // Only planes.
        bounds = Bounds { low: [-0.5; 3], high: [0.5; 3] };
    }
    let frames = replays[0].frame_count();
    let error = sessions.iter().map(Session::error).fold(0.0, f64::max);
    let mut said = format!("Positions are drawn to {}, contacts are exact.", words::length(error));
    if step > 1 {
        let kept = sessions[0].kept.len();
        said.push_str(&format!(
            " {kept} of {frames} frames are drawn, every {step}th, to keep the page small."
        ));
    }
    let names: Vec<&str> = sessions.iter().map(|session| session.title.as_str()).collect();
    let diff = report.map(|report| Diff { verdict: report.to_string(), report: report.clone() });
    let page = Page {
        title: names.join(" and "),
        version: env!("CARGO_PKG_VERSION"),
        bounds,
        deepest: sessions.iter().map(|session| session.deepest).fold(0.0, f64::max),
        sessions: &sessions,
        diff,
    };
    Ok((html(&page, &said, &numbers), said, sessions))
}

fn title(files: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    files.iter().map(name).collect::<Vec<_>>().join(", ")
}
