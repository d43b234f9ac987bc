//! The contents of a mesh file, and the health of the mesh.

use super::health::{Surface, Tetra};
use super::mend;
use crate::args::{Cells, InspectArguments};
use crate::error::CommandError;
use crate::{terminal, text, words};
use palpate::math::Aabb;
use palpate::mesh_io::{self, Contents, Mesh};
use serde::Serialize;
use std::collections::BTreeMap;

/// Parts that are listed; all are in JSON.
const PARTS: usize = 30;

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
    /// Hexahedra, wedges and pyramids that were cut into tetrahedra, and curved cells that were taken by their corners.
    cut_cells: BTreeMap<String, usize>,
    straightened: BTreeMap<String, usize>,
    left_out: BTreeMap<String, usize>,
    /// The named parts, with their numbers of lines, triangles and tetrahedra.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<(String, [usize; 3])>,
    bounds: Option<[[f64; 3]; 2]>,
    /// The kind of mesh that is reported below.
    mesh: &'static str,
    surface: Option<Surface>,
    tetra: Option<Tetra>,
    /// What was changed, and the surface then.
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<Mended>,
}

#[derive(Serialize)]
struct Mended {
    file: String,
    changes: BTreeMap<&'static str, usize>,
    surface: Surface,
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
    let report = report(contents, arguments, unit)?;
    if arguments.json { terminal::print_json(&report) } else { terminal::print(&words(&report)) }
}

fn report(
    contents: Contents,
    arguments: &InspectArguments,
    unit: &'static str,
) -> Result<Report, CommandError> {
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
        cut_cells: contents.cut_cells.clone(),
        straightened: contents.straightened.clone(),
        left_out: contents.left_out.clone(),
        parts: contents.parts.iter().map(|part| (part.name.clone(), part.counts())).collect(),
        bounds: (!bounds.is_empty()).then(|| [bounds.min.coords.into(), bounds.max.coords.into()]),
        mesh: "line_mesh",
        surface: None,
        tetra: None,
        mended: None,
    };
    let file = contents.file.clone();
    let mesh = match arguments.cells {
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
            if let Some(out) = &arguments.mend {
                let (changes, mesh) = mend::mended(&mesh, out, arguments)?;
                let surface = (&mesh.health()).into();
                report.mended = Some(Mended { file: out.display().to_string(), changes, surface });
            }
        }
        Mesh::Tetra(mesh) => {
            report.mesh = "tetra_mesh";
            report.tetra = Some((&mesh.health()).into());
        }
    }
    if arguments.mend.is_some() && report.mended.is_none() {
        let found = format!("a {} in {file}", report.mesh);
        let wanted = "a surface; --cells triangles takes the triangles of a file".to_owned();
        return Err(CommandError::Argument { argument: "--mend", found, wanted });
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
    for (sort, count) in &report.cut_cells {
        text.push_str(&format!("{} {sort} cut into tetrahedra\n", words::count(*count)));
    }
    for (sort, count) in &report.straightened {
        text.push_str(&format!("{} {sort} taken by their corners\n", words::count(*count)));
    }
    for (sort, count) in &report.left_out {
        text.push_str(&format!("left out: {} {}\n", words::count(*count), text::name(sort)));
    }
    for (name, counts) in report.parts.iter().take(PARTS) {
        let held = ["lines", "triangles", "tetrahedra"].iter().zip(counts).filter(|(_, count)| **count > 0);
        let held: Vec<String> =
            held.map(|(what, count)| format!("{} {what}", words::count(*count))).collect();
        text.push_str(&format!("part {}: {}\n", text::name(name), held.join(", ")));
    }
    if report.parts.len() > PARTS {
        text.push_str(&format!("and {} other parts\n", words::count(report.parts.len() - PARTS)));
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
    if let Some(mended) = &report.mended {
        text.push_str(&mend::words(&mended.file, &mended.changes));
        text.push_str(&format!("\n{}", mended.surface.words(report.unit)));
    }
    text
}
