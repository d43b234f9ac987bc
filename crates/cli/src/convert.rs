//! `palpate convert`: converts between mesh files and recordings, and reports what is lost.

use crate::args::ConvertArguments;
use crate::error::CommandError;
use crate::output::refuse_own_input;
use crate::{progress, terminal, text, words};
use palpate::geometry::{Geometry, LineMesh, SurfaceMesh, TetraMesh, TypedGeometry, cells_left};
use palpate::math::Point;
use palpate::mesh_io::{self, Contents, Format, Mesh};
use palpate::record::{RecordError, Recorder};
use palpate::recording::{CompactOptions, CompactReport, ReadOptions, Reader, WriterOptions, compact_with};
use palpate::replay::{Replay, ReplayError, SessionFiles};
use serde::Serialize;
use std::path::Path;

/// The result.
#[derive(Serialize)]
struct Said {
    out: String,
    written: bool,
    kind: &'static str,
    vertices: usize,
    cells: usize,
    /// Metres if a unit was given, else the unit of the file.
    unit: &'static str,
    health: String,
    /// What the result does not hold, a line each.
    lost: Vec<String>,
}

/// Converts a file. Errors: one that cannot be read, an object that does not exist, a format that cannot hold the mesh.
pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), CommandError> {
    refuse_own_input(&arguments.out, std::slice::from_ref(&arguments.file))?;
    let is_recording = matches!(ending(&arguments.out), "vtkhdf" | "h5" | "hdf5");
    if ending(&arguments.out) == "palpate" {
        return to_compact(arguments);
    }
    let said = match (SessionFiles::is_mesh(&arguments.file), is_recording) {
        (true, false) => of_mesh(arguments)?,
        (_, true) => to_recording(arguments)?,
        (false, false) => of_object(arguments)?,
    };
    if arguments.json {
        return terminal::print_json(&said);
    }
    let what = if said.written { "written" } else { "would be written" };
    let mut lines = format!(
        "{}: {} of {} vertices and {} cells {what}, in {}\n",
        text::line(&said.out),
        said.kind,
        words::count(said.vertices),
        words::count(said.cells),
        said.unit
    );
    if !said.health.is_empty() {
        lines.push_str(&format!("health: {}\n", said.health));
    }
    said.lost.iter().for_each(|lost| lines.push_str(&format!("lost: {}\n", text::line(lost))));
    terminal::print(&lines)
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

fn of_mesh(arguments: &ConvertArguments) -> Result<Said, CommandError> {
    let limits = arguments.read.limits()?;
    let read = mesh_io::ReadOptions { limits, special_files: arguments.read.allow_external };
    let mut contents = mesh_io::read_with(&arguments.file, &read)?;
    let scale = arguments.mesh.given()?;
    if let Some(scale) = scale {
        contents.positions.iter_mut().for_each(|point| point.coords *= scale);
    }
    let mut lost = lost_by_reading(&contents);
    let mesh = contents.into_mesh()?;
    let unit = if scale.is_some() { "metres" } else { "the unit of the file" };
    lost.extend(lost_by_writing(&mesh, &arguments.out)?);
    written(&mesh, arguments, unit, lost)
}

/// What a mesh does not hold of a file.
fn lost_by_reading(contents: &Contents) -> Vec<String> {
    let mut lost = Vec::new();
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            lost.push(format!("{} {what}", words::count(count)));
        }
    };
    if !contents.tetrahedra.is_empty() {
        note(contents.triangles.len(), "triangles beside the tetrahedra");
    }
    if !contents.tetrahedra.is_empty() || !contents.triangles.is_empty() {
        note(contents.lines.len(), "lines beside the other cells");
    }
    note(contents.split_polygons, "polygons, cut into triangles");
    note(contents.parts.len(), "names of parts");
    for (shapes, what) in [
        (&contents.cut_cells, "cut into tetrahedra"),
        (&contents.straightened, "taken by their corners"),
        (&contents.left_out, "left out"),
    ] {
        shapes.iter().for_each(|(shape, count)| note(*count, &format!("{shape} {what}")));
    }
    lost
}

/// What reading the written file does not give back: nothing, or digits of coordinates and vertex numbers.
fn lost_by_writing(mesh: &Mesh, out: &Path) -> Result<Vec<String>, CommandError> {
    let file = out.display().to_string();
    let inner = if ending(out) == "gz" { out.with_extension("") } else { out.to_path_buf() };
    let format = Format::of(&inner)?;
    let (bytes, report) = mesh_io::write_bytes(mesh, format, &file)?;
    let back = mesh_io::read_bytes(&bytes, format, &file)?;
    let own = points(mesh);
    let mut lost = Vec::new();
    if report.removed_cells > 0 {
        lost.push(format!("the numbers of cells: {} were removed from the mesh", report.removed_cells));
    }
    if back.positions.len() != own.len() {
        lost.push(format!("the numbers of vertices: {} instead of {}", back.positions.len(), own.len()));
    }
    let cells: Vec<Vec<u32>> = match mesh {
        Mesh::Lines(_) => back.lines.iter().map(|cell| cell.to_vec()).collect(),
        Mesh::Surface(_) => back.triangles.iter().map(|cell| cell.to_vec()).collect(),
        Mesh::Tetra(_) => back.tetrahedra.iter().map(|cell| cell.to_vec()).collect(),
    };
    let far =
        cells.iter().flatten().zip(corners(mesh)).filter_map(|(&id, corner)| {
            Some((back.positions.get(id as usize)? - own[corner as usize]).norm())
        });
    let largest = far.fold(0.0, f64::max);
    if largest > 0.0 {
        lost.push(format!("digits of coordinates: points move by up to {largest:.3e}"));
    }
    Ok(lost)
}

fn points(mesh: &Mesh) -> &[Point] {
    match mesh {
        Mesh::Lines(mesh) => mesh.points().positions(),
        Mesh::Surface(mesh) => mesh.points().positions(),
        Mesh::Tetra(mesh) => mesh.points().positions(),
    }
}

/// The corners of all cells that are left.
fn corners(mesh: &Mesh) -> Vec<u32> {
    let all: Vec<u32> = match mesh {
        Mesh::Lines(mesh) => mesh.cells().as_flattened().to_vec(),
        Mesh::Surface(mesh) => mesh.triangles().as_flattened().to_vec(),
        Mesh::Tetra(mesh) => mesh.cells().as_flattened().to_vec(),
    };
    // Those of removed cells name no vertex.
    let count = points(mesh).len() as u32;
    all.into_iter().filter(|&id| id < count).collect()
}

fn written(
    mesh: &Mesh,
    arguments: &ConvertArguments,
    unit: &'static str,
    lost: Vec<String>,
) -> Result<Said, CommandError> {
    let (kind, cells, health) = match mesh {
        Mesh::Lines(mesh) => ("a line mesh", cells_left(mesh.cells()).count(), String::new()),
        Mesh::Surface(mesh) => {
            ("a surface", cells_left(mesh.triangles()).count(), crate::inspect::surface_line(&mesh.health()))
        }
        Mesh::Tetra(mesh) => {
            ("a tetra mesh", cells_left(mesh.cells()).count(), crate::inspect::tetra_line(&mesh.health()))
        }
    };
    if !arguments.validate {
        mesh_io::write(&arguments.out, mesh)?;
    }
    let (out, written) = (arguments.out.display().to_string(), !arguments.validate);
    Ok(Said { out, written, kind, vertices: points(mesh).len(), cells, unit, health, lost })
}

/// What was kept of a session, as JSON.
#[derive(Serialize)]
struct Kept {
    out: String,
    frames: usize,
    bytes: u64,
    /// Metres.
    position_error: f64,
}

/// A session as a compact one.
fn to_compact(arguments: &ConvertArguments) -> Result<(), CommandError> {
    let (limits, allow_external) = (arguments.read.limits()?, arguments.read.allow_external);
    let read = ReadOptions { limits, allow_external, ..ReadOptions::default() };
    let mut reader = Reader::open_with(&[&arguments.file], &read)?;
    let options = CompactOptions { error: arguments.error, every: arguments.every, overwrite: true };
    let bar = progress::bar(reader.frame_count().div_ceil(arguments.every.max(1)), "frames");
    let report = compact_with(&mut reader, &arguments.out, &options, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    let report = report?;
    let (out, CompactReport { frames, bytes, error, .. }) = (arguments.out.display().to_string(), report);
    if arguments.json {
        return terminal::print_json(&Kept { out, frames, bytes, position_error: error });
    }
    let kept =
        if error > 0.0 { format!("points to {}", words::length(error)) } else { "every bit".to_owned() };
    let (out, frames) = (text::line(&out), words::plural(frames, "frame"));
    terminal::print(&format!("{out}: {frames} in {} bytes, {kept}\n", words::count(bytes)))
}

fn replay(arguments: &ConvertArguments) -> Result<Replay, CommandError> {
    let options = arguments.read.replay_options(&arguments.mesh, None)?;
    Ok(Replay::open_undetected(&[&arguments.file], &options)?)
}

/// An object of a recording in a frame, placed in the world, as a mesh file.
fn of_object(arguments: &ConvertArguments) -> Result<Said, CommandError> {
    let mut replay = replay(arguments)?;
    replay.load(arguments.frame)?;
    let scene = replay.scene();
    let names: Vec<&str> = scene.geometries().filter_map(|id| scene.name(id).ok()).collect();
    let name = match (&arguments.object, &names[..]) {
        (Some(name), _) => name.as_str(),
        (None, [only]) => only,
        (None, names) => {
            let wanted = format!("--object and one of {}", names.join(", "));
            return Err(CommandError::Argument { argument: "--object", found: "nothing".to_owned(), wanted });
        }
    };
    let id = scene.id(name).ok_or_else(|| CommandError::Unknown {
        argument: "--object",
        found: name.to_owned(),
        nearest: palpate::detect::nearest_name(name, names.iter().copied()).map(str::to_owned),
        known: names.join(", "),
    })?;
    let geometry = scene.geometry(id).map_err(ReplayError::from)?;
    let placement = scene.placement(id).map_err(ReplayError::from)?;
    let mut mesh = mesh_of(geometry).ok_or_else(|| CommandError::Argument {
        argument: "--object",
        found: format!("{name}, a {}", geometry.kind()),
        wanted: "an object with lines, triangles or tetrahedra".to_owned(),
    })?;
    if let Some(pose) = placement {
        let moved: Vec<Point> = points(&mesh).iter().map(|point| pose * point).collect();
        let set = match &mut mesh {
            Mesh::Lines(mesh) => mesh.set_positions(&moved),
            Mesh::Surface(mesh) => mesh.set_positions(&moved),
            Mesh::Tetra(mesh) => mesh.set_positions(&moved),
        };
        set.map_err(|error| CommandError::Writing(error.to_string()))?;
    }
    let mut lost = Vec::new();
    if replay.frame_count() > 1 {
        lost.push(format!("{} other frames", replay.frame_count() - 1));
    }
    if geometry.as_points().is_some_and(|points| points.radius() > 0.0) {
        lost.push("the radius".to_owned());
    }
    lost.extend(lost_by_writing(&mesh, &arguments.out)?);
    written(&mesh, arguments, "metres", lost)
}

fn mesh_of(geometry: &dyn Geometry) -> Option<Mesh> {
    Some(match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => Mesh::Lines(LineMesh::clone(mesh)),
        TypedGeometry::SurfaceMesh(mesh) => Mesh::Surface(SurfaceMesh::clone(mesh)),
        TypedGeometry::TetraMesh(mesh) => Mesh::Tetra(TetraMesh::clone(mesh)),
        _ => return None,
    })
}

/// A mesh as a recording of one frame, or a foreign recording as a session of palpate, with checksums.
fn to_recording(arguments: &ConvertArguments) -> Result<Said, CommandError> {
    let mut replay = replay(arguments)?;
    let out = &arguments.out;
    let failed = |error: RecordError| CommandError::Writing(format!("{}: {error}", out.display()));
    if !arguments.validate {
        let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
        let mut recorder = Recorder::create_with(out, replay.scene(), options).map_err(failed)?;
        let bar = progress::bar(replay.frame_count(), "frames");
        for frame in 0..replay.frame_count() {
            replay.load(frame)?;
            recorder.record(replay.scene(), replay.time()).map_err(failed)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        recorder.finish().map_err(failed)?;
    }
    let (mut vertices, mut cells) = (0, 0);
    for id in replay.scene().geometries() {
        let geometry = replay.scene().geometry(id).map_err(ReplayError::from)?;
        vertices += geometry.as_points().map_or(0, |points| points.len());
        cells += match TypedGeometry::of(geometry) {
            TypedGeometry::LineMesh(mesh) => cells_left(mesh.cells()).count(),
            TypedGeometry::SurfaceMesh(mesh) => cells_left(mesh.triangles()).count(),
            TypedGeometry::TetraMesh(mesh) => cells_left(mesh.cells()).count(),
            _ => 0,
        };
    }
    let metadata = replay.reader().map_or(0, |reader| reader.info().metadata.len());
    let lost = (metadata > 0).then(|| format!("{metadata} entries of metadata"));
    let (out, written) = (out.display().to_string(), !arguments.validate);
    let lost = lost.into_iter().collect();
    Ok(Said {
        out,
        written,
        kind: "a recording",
        vertices,
        cells,
        unit: "metres",
        health: String::new(),
        lost,
    })
}
