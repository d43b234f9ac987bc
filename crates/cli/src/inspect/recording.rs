//! The contents of a recording.

use crate::args::InspectArguments;
use crate::error::CommandError;
use crate::text::{self, aligned};
use crate::{terminal, words};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use palpate::geometry::SurfaceMesh;
use palpate::math::{Aabb, Point};
use palpate::recording::{Frame, ObjectInfo, ReadOptions, Reader, State, Topology};
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Bounds of the coordinates over all frames, in the world, without radii.
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
    let read = &arguments.read;
    let (limits, allow_external) = (read.limits()?, read.allow_external);
    let options = ReadOptions { limits, allow_external, ..ReadOptions::default() };
    let mut reader = Reader::open_with(&[&arguments.file], &options)?;
    crate::notes::print(reader.notes());
    let report = report(&mut reader, arguments.file.display().to_string())?;
    if arguments.json { terminal::print_json(&report) } else { terminal::print(&words(&report)) }
}

fn report(reader: &mut Reader, file: String) -> Result<Report, CommandError> {
    let mut objects = Vec::new();
    let mut boxes = vec![Aabb::EMPTY; reader.info().objects.len()];
    let mut frame = Frame::default();
    let bar = crate::progress::bar(reader.frame_count(), "frames");
    for index in 0..reader.frame_count() {
        reader.read_frame(index, &mut frame)?;
        if index == 0 {
            let infos = &reader.info().objects;
            objects = infos.iter().zip(&frame.states).map(|(info, state)| object(info, state)).collect();
        }
        for (object, bounds) in boxes.iter_mut().enumerate() {
            let pose = placed_at(&reader.info().objects, &frame, object);
            let world = |point: &Point| pose.map_or(*point, |pose| pose * point);
            points_of(&frame.states[object]).iter().for_each(|point| bounds.include(&world(point)));
        }
        frame.changes.iter().for_each(|change| objects[change.object].topology_changes += 1);
        bar.inc(1);
    }
    bar.finish_and_clear();
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
            // For a plane this field may contain its normal.
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

fn words(report: &Report) -> String {
    let mut text = format!("{}\n", text::line(&report.file));
    let rate = report.time_step.map(|step| format!(", {} a second", words::significant(1.0 / step, 4)));
    text.push_str(&format!(
        "{}, {} s to {} s{}\n",
        words::plural(report.frames, "frame"),
        words::significant(report.time_first, 6),
        words::significant(report.time_last, 6),
        rate.unwrap_or_default()
    ));
    let sums = if report.checksums { "right for every frame" } else { "none in the file" };
    text.push_str(&format!("checksums: {sums}\n"));
    if report.unfinished {
        text.push_str("unfinished: its writer is still at work, or died\n");
    }
    text.push('\n');
    text.push_str(&object_table(&report.objects));
    text.push_str("\nbounds over all frames, without radii (m)\n");
    text.push_str(&bounds_table(&report.objects));
    if !report.pairs.is_empty() {
        text.push_str("\npairs to detect\n");
    }
    for pair in &report.pairs {
        let detector = pair.detector.as_deref().map_or_else(|| "the default detector".to_owned(), text::name);
        text.push_str(&format!("  {} : {} by {detector}", text::name(&pair.a), text::name(&pair.b)));
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
        let line = format!("{}: {}", text::name(key), text::printed(value, text::VALUE));
        text.push_str(&format!("  {}\n", text::wrapped(&line, 78, 4)));
    }
    text
}

fn object_table(objects: &[ObjectReport]) -> String {
    let mut lines = vec![["object", "kind", "points", "cells", "shape"].map(str::to_owned)];
    for object in objects {
        let number = |number: Option<usize>| number.map_or_else(|| "-".to_owned(), words::count);
        lines.push([
            text::name(&object.name),
            text::name(&object.kind),
            number(object.points),
            number(object.cells),
            shape(object),
        ]);
    }
    aligned(&lines)
}

/// Where the coordinates of an object are placed in a frame: a mesh by its own pose, a child by that of its compound.
fn placed_at(objects: &[ObjectInfo], frame: &Frame, object: usize) -> Option<Isometry3<f64>> {
    if let Some(part) = &objects[object].part_of {
        let compound = objects.iter().position(|other| other.name == part.compound && other.placed)?;
        let State::Primitive(pose) = &frame.states[compound] else { return None };
        return Some(isometry(pose.position, pose.rotation_wxyz));
    }
    let own = frame.placements.iter().find(|placement| placement.object == object)?;
    Some(isometry(own.position, own.rotation_wxyz))
}

fn isometry(position: Point, [w, x, y, z]: [f64; 4]) -> Isometry3<f64> {
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(position.coords), rotation)
}

fn bounds_table(objects: &[ObjectReport]) -> String {
    let mut lines = vec![["object", "from", "to"].map(str::to_owned)];
    for object in objects {
        let corner = |index: usize| match object.bounds {
            Some(bounds) => bounds[index].map(|x| words::significant(x, 4)).join(" "),
            None => "-".to_owned(),
        };
        lines.push([text::name(&object.name), corner(0), corner(1)]);
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
