//! The contents of a mesh file, and the health of the mesh.

use super::health::{Surface, Tetra};
use crate::args::{Cells, InspectArguments};
use crate::error::CommandError;
use crate::{terminal, text, words};
use palpate::math::Aabb;
use palpate::mesh_io::{self, Contents, Mesh};
use serde::Serialize;
use std::collections::BTreeMap;

/// The report of a mesh file.
#[derive(Serialize)]
struct Report {
    file: String,
    format: &'static str,
    /// Of all lengths: metres where the unit of the file was given.
    unit: &'static str,
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
    let read = &arguments.read;
    let options = mesh_io::ReadOptions { limits: read.limits()?, special_files: read.allow_external };
    let mut contents = mesh_io::read_with(&arguments.file, &options)?;
    let scale = arguments.mesh.given()?;
    if let Some(scale) = scale {
        contents.positions.iter_mut().for_each(|point| point.coords *= scale);
    }
    let unit = if scale.is_some() { "m" } else { "the unit of the file" };
    let report = report(contents, arguments.cells, unit)?;
    if arguments.json { terminal::print_json(&report) } else { terminal::print(&words(&report)) }
}

fn report(contents: Contents, cells: Option<Cells>, unit: &'static str) -> Result<Report, CommandError> {
    let bounds = Aabb::from_points(&contents.positions);
    let mut report = Report {
        file: contents.file.clone(),
        format: contents.format.ending(),
        unit,
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

fn words(report: &Report) -> String {
    let mut text = format!("{}\n", text::line(&report.file));
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
        text.push_str(&format!("left out: {} {}\n", words::count(*count), text::name(sort)));
    }
    if let Some([from, to]) = report.bounds {
        let corner = |point: [f64; 3]| point.map(|x| words::significant(x, 6)).join(" ");
        text.push_str(&format!("from {} to {}\n", corner(from), corner(to)));
    }
    if let Some(surface) = &report.surface {
        text.push_str(&format!("\n{}", surface.words(report.unit)));
    }
    if let Some(tetra) = &report.tetra {
        text.push_str(&format!("\n{}", tetra.words(report.unit)));
    }
    text
}
