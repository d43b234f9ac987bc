//! The recorded session of the demo: an organ, a tool and a thread, two seconds at 60 frames per second, computed
//! by formula.

use super::organ::Organ;
use super::thread;
use super::tool::Tool;
use crate::error::CommandError;
use crate::output::{completed, reserve};
use palpate::math::Point;
use palpate::recording::{
    Frame, ObjectInfo, PairInfo, RecordingError, SessionInfo, State, Topology, Writer, WriterOptions,
};
use std::path::Path;

/// Number of frames.
pub(crate) const FRAMES: usize = 120;

/// Frames per second.
const RATE: f64 = 60.0;

/// Positions are rounded to 2^-20 m, about a micrometre, finer than any tracker: the last bits of formulas are
/// noise and compress badly.
const RESOLUTION: f64 = 1.0 / 1_048_576.0;

/// Records the session to `path`; an existing file is replaced. Errors: a file that cannot be written.
pub(crate) fn record(path: &Path) -> Result<(), CommandError> {
    let replacement = reserve(path)?;
    // The journal of the writer is beside the companion, and is removed with it.
    let companion = replacement.companion();
    write(&companion).map_err(|error| {
        let [companion, target] = [&companion, replacement.target()].map(|path| path.display().to_string());
        CommandError::Writing(error.to_string().replace(&companion, &target))
    })?;
    completed(path, replacement.complete_companion())
}

fn write(path: &Path) -> Result<(), RecordingError> {
    let organ = Organ::new();
    let options = WriterOptions { compression: 9, overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, &info(&organ), options)?;
    for index in 0..FRAMES {
        writer.append(&frame(&organ, index))?;
    }
    writer.finish()
}

fn info(organ: &Organ) -> SessionInfo {
    let object = |name: &str, kind: &str, topology| ObjectInfo {
        name: name.to_owned(),
        kind: kind.to_owned(),
        topology,
        ..ObjectInfo::default()
    };
    let organ = ObjectInfo {
        closed: Some(true),
        ..object("organ", "surface_mesh", Topology::Triangles(organ.triangles().to_vec()))
    };
    let tool = object("tool", "capsule", Topology::None);
    let thread = ObjectInfo {
        radius: Some(thread::RADIUS),
        ..object("thread", "line_mesh", Topology::Lines(thread::segments()))
    };
    let pair = |a: &str, b: &str| PairInfo { a: a.to_owned(), b: b.to_owned(), ..PairInfo::default() };
    let metadata = [
        ("title", "A tool presses on a breathing organ, slides, and pushes a thread aside"),
        ("made by", "palpate demo --make"),
        ("units", "metres, seconds; +y is up"),
        ("resolution", "positions of vertices to 2^-20 m"),
    ];
    SessionInfo {
        objects: vec![organ, tool, thread],
        pairs: vec![
            pair("tool", "organ"),
            pair("thread", "tool"),
            pair("thread", "organ"),
            PairInfo {
                detector: Some("line_mesh_line_mesh_ccd+line_mesh_line_mesh".to_owned()),
                ..pair("thread", "thread")
            },
        ],
        time_step: Some(1.0 / RATE),
        metadata: metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
    }
}

fn frame(organ: &Organ, index: usize) -> Frame {
    let time = index as f64 / RATE;
    let tool = Tool::at(time);
    let states = vec![
        State::Points(recorded(organ.vertices(time, &tool.dent))),
        State::Primitive(tool.state()),
        State::Points(recorded(thread::points(time, &tool))),
    ];
    Frame { time, states, ..Frame::default() }
}

/// The positions as recorded.
fn recorded(mut points: Vec<Point>) -> Vec<Point> {
    for point in &mut points {
        point.coords.apply(|x| *x = (*x / RESOLUTION).round() * RESOLUTION);
    }
    points
}
