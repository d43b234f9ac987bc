//! The contents of a recording.

use crate::args::InspectArguments;
use crate::detectors::aligned;
use crate::error::CommandError;
use crate::words;
use palpate::geometry::SurfaceMesh;
use palpate::math::{Aabb, Point};
use palpate::recording::{Frame, ObjectInfo, Reader, State, Topology};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The report of a recording.
#[derive(Serialize)]
struct Report {
    file: String,
    frames: usize,
    time_first: f64,
    time_last: f64,
    time_step: Option<f64>,
    /// Whether every frame was read and matches its stored checksum; false if none are stored.
    checksums: bool,
    unfinished: bool,
    objects: Vec<ObjectReport>,
    pairs: Vec<PairReport>,
    metadata: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct ObjectReport {
    name: String,
    kind: String,
    /// In the first frame; `None` for a primitive.
    points: Option<usize>,
    cells: Option<usize>,
    closed: Option<bool>,
    two_sided: Option<bool>,
    radius: Option<f64>,
    /// Radius and length, or half extents, of a primitive in the first frame.
    size: Option<[f64; 3]>,
    /// Bounds of the coordinates over all frames, without radii.
    bounds: Option<[[f64; 3]; 2]>,
    topology_changes: usize,
}

#[derive(Serialize)]
struct PairReport {
    a: String,
    b: String,
    detector: Option<String>,
    margin: f64,
}

/// Reads the whole recording and reports its contents. Errors: it cannot be read, or is damaged.
pub(super) fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    let mut reader = Reader::open(&arguments.file)?;
    let report = report(&mut reader, arguments.file.display().to_string())?;
    let text = if arguments.json { json(&report) } else { text(&report) };
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}

fn report(reader: &mut Reader, file: String) -> Result<Report, CommandError> {
    let mut objects = Vec::new();
    let mut boxes = vec![Aabb::EMPTY; reader.info().objects.len()];
    let mut frame = Frame::default();
    for index in 0..reader.frame_count() {
        reader.read_frame(index, &mut frame)?;
        if index == 0 {
            let infos = &reader.info().objects;
            objects = infos.iter().zip(&frame.states).map(|(info, state)| object(info, state)).collect();
        }
        for (state, bounds) in frame.states.iter().zip(&mut boxes) {
            points_of(state).iter().for_each(|point| bounds.include(point));
        }
        frame.changes.iter().for_each(|change| objects[change.object].topology_changes += 1);
    }
    for (report, bounds) in objects.iter_mut().zip(&boxes) {
        report.bounds = (!bounds.is_empty()).then(|| [bounds.min.coords.into(), bounds.max.coords.into()]);
    }
    let info = reader.info();
    let pair = |pair: &palpate::recording::PairInfo| PairReport {
        a: pair.a.clone(),
        b: pair.b.clone(),
        detector: pair.detector.clone(),
        margin: pair.margin,
    };
    Ok(Report {
        file,
        frames: reader.frame_count(),
        time_first: reader.times().first().copied().unwrap_or(0.0),
        time_last: reader.times().last().copied().unwrap_or(0.0),
        time_step: info.time_step,
        checksums: reader.has_checksums(),
        unfinished: reader.is_unfinished(),
        objects,
        pairs: info.pairs.iter().map(pair).collect(),
        metadata: info.metadata.clone(),
    })
}

fn object(info: &ObjectInfo, state: &State) -> ObjectReport {
    let cells = (info.topology.points_per_cell() > 0).then(|| info.topology.cell_count());
    ObjectReport {
        name: info.name.clone(),
        kind: info.kind.clone(),
        points: state.point_count(),
        cells,
        closed: info.closed.or_else(|| is_closed(&info.topology, state)),
        two_sided: info.two_sided,
        radius: info.radius,
        size: match state {
            // What stands there may be its normal.
            State::Primitive(_) if info.kind == "plane" => Some([0.0; 3]),
            State::Primitive(primitive) => Some(primitive.size),
            State::Points(_) => None,
        },
        bounds: None,
        topology_changes: 0,
    }
}

/// Whether a surface is closed by its edges.
fn is_closed(topology: &Topology, state: &State) -> Option<bool> {
    let (Topology::Triangles(triangles), State::Points(points)) = (topology, state) else { return None };
    SurfaceMesh::new(points.clone(), triangles.clone()).ok().map(|mesh| mesh.is_closed())
}

/// The coordinates of a state: all points, or the position of a primitive.
fn points_of(state: &State) -> &[Point] {
    match state {
        State::Points(points) => points,
        State::Primitive(primitive) => std::slice::from_ref(&primitive.position),
    }
}

fn json(report: &Report) -> String {
    let mut text =
        serde_json::to_string_pretty(report).expect("a report has text keys and no value that JSON lacks");
    text.push('\n');
    text
}

fn text(report: &Report) -> String {
    let mut text = format!("{}\n", report.file);
    let rate = report.time_step.map(|step| format!(", {} a second", words::significant(1.0 / step, 4)));
    text.push_str(&format!(
        "{}, {} s to {} s{}\n",
        words::plural(report.frames, "frame"),
        report.time_first,
        report.time_last,
        rate.unwrap_or_default()
    ));
    let sums = if report.checksums { "right for every frame" } else { "none in the file" };
    text.push_str(&format!("checksums: {sums}\n"));
    if report.unfinished {
        text.push_str("unfinished: its writer is still at work, or died\n");
    }
    text.push('\n');
    text.push_str(&object_table(&report.objects));
    if !report.pairs.is_empty() {
        text.push_str("\npairs to detect\n");
    }
    for pair in &report.pairs {
        let detector = pair.detector.as_deref().unwrap_or("the default of the two kinds");
        text.push_str(&format!("  {} : {} by {detector}", pair.a, pair.b));
        text.push_str(&if pair.margin > 0.0 {
            format!(", margin {}\n", words::length(pair.margin))
        } else {
            "\n".into()
        });
    }
    if !report.metadata.is_empty() {
        text.push_str("\nmetadata\n");
    }
    for (key, value) in &report.metadata {
        text.push_str(&format!("  {key}: {value}\n"));
    }
    text
}

fn object_table(objects: &[ObjectReport]) -> String {
    let mut lines =
        vec![["object", "kind", "points", "cells", "shape", "from (m)", "to (m)"].map(str::to_owned)];
    for object in objects {
        let number = |number: Option<usize>| number.map_or_else(|| "-".to_owned(), words::count);
        let corner = |index: usize| match object.bounds {
            Some(bounds) => bounds[index].map(|x| format!("{x:.4}")).join(" "),
            None => "-".to_owned(),
        };
        lines.push([
            object.name.clone(),
            object.kind.clone(),
            number(object.points),
            number(object.cells),
            shape(object),
            corner(0),
            corner(1),
        ]);
    }
    aligned(&lines)
}

fn shape(object: &ObjectReport) -> String {
    let mut words = Vec::new();
    match (object.kind.as_str(), object.size) {
        ("sphere", Some([radius, ..])) => words.push(format!("radius {}", words::length(radius))),
        ("capsule" | "cylinder", Some([radius, length, _])) => {
            words.push(format!("radius {}, length {}", words::length(radius), words::length(length)));
        }
        ("oriented_box", Some(half)) => {
            words.push(format!("half extents {}", half.map(words::length).join(", ")))
        }
        _ => {}
    }
    words.extend(object.closed.map(|closed| if closed { "closed" } else { "open" }.to_owned()));
    words.extend(object.two_sided.filter(|&two_sided| two_sided).map(|_| "two-sided".to_owned()));
    words.extend(object.radius.map(|radius| format!("radius {}", words::length(radius))));
    if object.topology_changes > 0 {
        words.push(format!("cells change {} times", object.topology_changes));
    }
    words.join(", ")
}
