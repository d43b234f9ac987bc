//! Prints what the reader makes of recordings, one line of JSON each: times, objects with their cells, and the points or
//! poses of every frame; or the error. For comparison with other readers (`tests/python/check_vtk_files.py`).

use palpate_recording::{Frame, Library, Limits, ReadOptions, Reader, RecordingError, State};
use serde_json::{Value, json};

fn main() {
    let mut options = ReadOptions::default();
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix("--") {
            Some("external") => options.allow_external = true,
            Some("last") => options.library = Library::ALL.last().copied().unwrap_or_default(),
            Some("large") => {
                options.limits = Limits { expanded_bytes: u64::MAX, ..Limits::DEFAULT };
            }
            _ => {
                let found = dump(&argument, &options);
                #[expect(clippy::print_stdout, reason = "the purpose of the example")]
                {
                    println!("{}", found.unwrap_or_else(|error| json!({"error": error.to_string()})));
                }
            }
        }
    }
}

fn dump(path: &str, options: &ReadOptions) -> Result<Value, RecordingError> {
    let mut reader = Reader::open_with(&[path], options)?;
    let mut frames = Vec::new();
    let mut frame = Frame::default();
    for index in 0..reader.frame_count() {
        reader.read_frame(index, &mut frame)?;
        let mut states = Vec::new();
        for (object, state) in frame.states.iter().enumerate() {
            let cells = reader.topology(object, index)?;
            let state = match state {
                State::Points(points) => {
                    json!(points.iter().map(|point| [point.x, point.y, point.z]).collect::<Vec<_>>())
                }
                State::Primitive(primitive) => json!(primitive.size),
            };
            states.push(json!({"state": state, "cells": cells.indices()}));
        }
        frames.push(states);
    }
    let objects: Vec<Value> = reader
        .info()
        .objects
        .iter()
        .map(|object| json!({"name": object.name, "kind": object.kind, "radius": object.radius}))
        .collect();
    let notes: Vec<String> = reader.notes().iter().map(ToString::to_string).collect();
    Ok(json!({"times": reader.times(), "objects": objects, "frames": frames, "notes": notes}))
}
