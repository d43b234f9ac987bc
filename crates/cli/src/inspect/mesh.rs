//! The contents of a mesh file, and the health of the mesh.

use super::health::{Surface, Tetra};
use crate::args::{Cells, InspectArguments};
use crate::error::CommandError;
use crate::words;
use palpate::math::Aabb;
use palpate::mesh_io::{self, Contents, Mesh};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The report of a mesh file. Lengths are in the unit of the file.
#[derive(Serialize)]
struct Report {
    file: String,
    format: &'static str,
    points: usize,
    lines: usize,
    triangles: usize,
    tetrahedra: usize,
    /// Number of polygons with more than three corners.
    split_polygons: usize,
    left_out: BTreeMap<String, usize>,
    bounds: Option<[[f64; 3]; 2]>,
    /// The kind of mesh that is reported below.
    mesh: &'static str,
    surface: Option<Surface>,
    tetra: Option<Tetra>,
}

/// Reads the mesh and reports on it. Errors: it cannot be read, is damaged, or lacks the requested cells.
pub(super) fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    let contents = mesh_io::read(&arguments.file)?;
    let report = report(contents, arguments.cells)?;
    let text = if arguments.json { json(&report) } else { text(&report) };
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}

fn report(contents: Contents, cells: Option<Cells>) -> Result<Report, CommandError> {
    let bounds = Aabb::from_points(&contents.positions);
    let mut report = Report {
        file: contents.file.clone(),
        format: contents.format.ending(),
        points: contents.positions.len(),
        lines: contents.lines.len(),
        triangles: contents.triangles.len(),
        tetrahedra: contents.tetrahedra.len(),
        split_polygons: contents.split_polygons,
        left_out: contents.left_out.clone(),
        bounds: (!bounds.is_empty()).then(|| [bounds.min.coords.into(), bounds.max.coords.into()]),
        mesh: "line_mesh",
        surface: None,
        tetra: None,
    };
    let mesh = match cells {
        None => contents.into_mesh()?,
        Some(Cells::Lines) => Mesh::Lines(contents.into_lines()?),
        Some(Cells::Triangles) => Mesh::Surface(contents.into_surface()?),
        Some(Cells::Tetrahedra) => Mesh::Tetra(contents.into_tetra()?),
    };
    match mesh {
        Mesh::Lines(_) => {}
        Mesh::Surface(mesh) => {
            report.mesh = "surface_mesh";
            report.surface = Some((&mesh.health()).into());
        }
        Mesh::Tetra(mesh) => {
            report.mesh = "tetra_mesh";
            report.tetra = Some((&mesh.health()).into());
        }
    }
    Ok(report)
}

fn json(report: &Report) -> String {
    let mut text =
        serde_json::to_string_pretty(report).expect("a report has text keys and no value that JSON lacks");
    text.push('\n');
    text
}

fn text(report: &Report) -> String {
    let mut text = format!("{}\n", report.file);
    let counts = [
        (report.points, "points"),
        (report.lines, "lines"),
        (report.triangles, "triangles"),
        (report.tetrahedra, "tetrahedra"),
    ];
    let held: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", words::count(*count)))
        .collect();
    text.push_str(&format!("{}; taken as a {}\n", held.join(", "), report.mesh));
    if report.split_polygons > 0 {
        text.push_str(&format!("{} cut into triangles\n", words::plural(report.split_polygons, "polygon")));
    }
    for (sort, count) in &report.left_out {
        text.push_str(&format!("left out: {} {sort}\n", words::count(*count)));
    }
    if let Some([from, to]) = report.bounds {
        let corner = |point: [f64; 3]| point.map(|x| words::significant(x, 6)).join(" ");
        text.push_str(&format!("from {} to {}\n", corner(from), corner(to)));
    }
    if let Some(surface) = &report.surface {
        text.push_str(&format!("\n{}", surface.words()));
    }
    if let Some(tetra) = &report.tetra {
        text.push_str(&format!("\n{}", tetra.words()));
    }
    text
}
