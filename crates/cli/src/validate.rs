//! `palpate validate`: what a reader refuses or guesses of a recording, line by line.

use crate::args::ValidateArguments;
use crate::error::CommandError;
use crate::{progress, terminal, text};
use palpate::geometry::TypedGeometry;
use palpate::recording::{Frame, ObjectInfo, ReadOptions, Reader};
use palpate::replay::{Replay, ReplayError, ReplayOptions};
use serde::Serialize;
use std::path::Path;

/// The most frames whose errors are told one by one.
const TOLD: usize = 20;

/// What is wrong with an item, or not said of it.
#[derive(Serialize)]
struct Remark {
    /// `refused`, or `guessed`.
    verdict: &'static str,
    what: String,
}

/// The result as JSON.
#[derive(Serialize)]
struct Said<'a> {
    file: String,
    frames: usize,
    refused: usize,
    remarks: &'a [Remark],
}

#[derive(Default)]
struct Remarks(Vec<Remark>);

impl Remarks {
    fn refused(&mut self, what: impl ToString) {
        self.0.push(Remark { verdict: "refused", what: what.to_string() });
    }

    fn guessed(&mut self, what: impl ToString) {
        self.0.push(Remark { verdict: "guessed", what: what.to_string() });
    }
}

/// Prints a line for each remark. Errors: something is refused.
pub(crate) fn run(arguments: &ValidateArguments) -> Result<(), CommandError> {
    let (limits, allow_external) = (arguments.read.limits()?, arguments.read.allow_external);
    let read = ReadOptions { limits, allow_external, ..ReadOptions::default() };
    let mut remarks = Remarks::default();
    let mut frames = 0;
    match Reader::open_with(&[&arguments.file], &read) {
        Err(error) => remarks.refused(error),
        Ok(mut reader) => {
            frames = reader.frame_count();
            header(&reader, &mut remarks);
            if all_frames(&mut reader, &mut remarks) {
                let options = ReplayOptions { limits, allow_external, ..ReplayOptions::default() };
                match Replay::open(&[&arguments.file], &options) {
                    Err(error) => remarks.refused(error),
                    Ok(replay) => scene(&replay, &mut remarks)?,
                }
            }
        }
    }
    finish(arguments, frames, &remarks.0)
}

fn finish(arguments: &ValidateArguments, frames: usize, remarks: &[Remark]) -> Result<(), CommandError> {
    let is_refused = |remark: &&Remark| remark.verdict == "refused";
    let refused = remarks.iter().filter(is_refused).count();
    if arguments.json {
        let file = arguments.file.display().to_string();
        terminal::print_json(&Said { file, frames, refused, remarks })?;
    } else {
        let line = |remark: &Remark| format!("{}: {}\n", remark.verdict, text::line(&remark.what));
        let mut lines: String = remarks.iter().map(line).collect();
        if remarks.is_empty() {
            lines = format!("{frames} frames: nothing is refused, nothing guessed\n");
        }
        terminal::print(&lines)?;
    }
    match remarks.iter().find(is_refused) {
        None => Ok(()),
        Some(first) => {
            let (path, first) = (arguments.file.clone(), first.what.clone());
            Err(CommandError::Refused { path, count: refused, first })
        }
    }
}

/// What the recording does not say of itself.
fn header(reader: &Reader, remarks: &mut Remarks) {
    reader.notes().iter().for_each(|note| remarks.guessed(note));
    let info = reader.info();
    if !reader.has_checksums() {
        remarks.guessed("there are no checksums: damage that leaves numbers finite is not seen");
    }
    if reader.is_unfinished() {
        remarks.guessed("the session is unfinished: its journal is read");
    }
    if info.pairs.is_empty() {
        remarks.guessed("no pairs are named: all that have a detector are detected, without margin");
    }
    for pair in info.pairs.iter().filter(|pair| pair.detector.is_none()) {
        remarks.guessed(format!("pair {} : {} names no detector: the default of the kinds", pair.a, pair.b));
    }
    if info.time_step.is_none() && reader.frame_count() > 1 {
        remarks.guessed("no time step: the times are taken as they are");
    }
    info.objects.iter().for_each(|object| guesses(object, remarks));
}

fn guesses(object: &ObjectInfo, remarks: &mut Remarks) {
    let name = &object.name;
    if object.shape.is_some() {
        return;
    }
    match object.kind.as_str() {
        "surface_mesh" if object.closed.is_none() => remarks.guessed(format!(
            "object {name:?} does not say whether it is closed: it is if every edge has two triangles"
        )),
        "plane" if object.two_sided.is_none() => {
            remarks.guessed(format!("object {name:?} does not say whether it has two sides: it has one"));
        }
        "tetra_mesh" => remarks.guessed(format!(
            "object {name:?} does not name its inverted cells: those of negative volume in the first frame"
        )),
        _ => {}
    }
    if object.topology.kind().is_some() && object.radius.is_none() {
        remarks.guessed(format!("object {name:?} has no radius: it is 0"));
    }
}

/// Reads every frame. Returns whether all can be read.
fn all_frames(reader: &mut Reader, remarks: &mut Remarks) -> bool {
    let mut frame = Frame::default();
    let mut failed = 0;
    let bar = progress::bar(reader.frame_count(), "frames");
    for index in 0..reader.frame_count() {
        if let Err(error) = reader.read_frame(index, &mut frame) {
            failed += 1;
            if failed <= TOLD {
                remarks.refused(error);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if failed > TOLD {
        remarks.refused(format!("and {} more frames", failed - TOLD));
    }
    let missing = reader.missing();
    if missing.frames > 0 {
        let paths: Vec<_> = reader.paths().map(Path::display).map(|path| path.to_string()).collect();
        remarks.refused(format!("{}: {} frames are lost to damage", paths.join(", "), missing.frames));
    }
    failed == 0
}

/// What of the geometry decides contacts in another way than it may seem.
fn scene(replay: &Replay, remarks: &mut Remarks) -> Result<(), CommandError> {
    for (a, b) in replay.unsupported() {
        remarks.guessed(format!("pair {a} : {b} has no detector: it is left out"));
    }
    for id in replay.scene().geometries() {
        let name = replay.scene().name(id).map_err(ReplayError::from)?;
        let geometry = replay.scene().geometry(id).map_err(ReplayError::from)?;
        let words = match TypedGeometry::of(geometry) {
            TypedGeometry::SurfaceMesh(mesh) => {
                let health = mesh.health();
                let is_sound =
                    health.is_closed() && health.is_oriented() && health.self_intersections.is_empty();
                (!is_sound).then(|| crate::inspect::surface_line(&health))
            }
            TypedGeometry::TetraMesh(mesh) => {
                let health = mesh.health();
                (!health.inverted_tetrahedra.is_empty()).then(|| crate::inspect::tetra_line(&health))
            }
            _ => None,
        };
        if let Some(words) = words {
            remarks.guessed(format!(
                "object {name:?} is no sound solid, its inside is told as well as it can be: {words}"
            ));
        }
    }
    Ok(())
}
