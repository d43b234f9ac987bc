//! Every file of a folder, with a verdict in a line.

use crate::args::InspectArguments;
use crate::error::CommandError;
use crate::{terminal, text};
use palpate::geometry::Sidedness;
use palpate::mesh_io::{self, Mesh, MeshIoError};
use palpate::recording::{ReadOptions, Reader};
use palpate::replay::SessionFiles;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The verdict on a file.
#[derive(Serialize)]
struct Verdict {
    file: String,
    /// `sound`, `flawed`, `recording`, `refused` or `unknown`.
    verdict: &'static str,
    /// What it holds, or why it is not read.
    what: String,
}

/// Prints a line for each file of the folder, in the order of their names; folders within it are passed over. Errors: it cannot
/// be read.
pub(super) fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    let folder = &arguments.file;
    let failed = |source| CommandError::Io { path: folder.clone(), action: "reading", source };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if !path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort();
    let verdicts: Vec<Verdict> =
        paths.iter().map(|path| verdict(path, arguments)).collect::<Result<_, CommandError>>()?;
    if arguments.json {
        return terminal::print_json(&verdicts);
    }
    let lines: Vec<[String; 3]> = verdicts
        .iter()
        .map(|found| [text::line(&found.file), found.verdict.to_owned(), text::line(&found.what)])
        .collect();
    terminal::print(&text::aligned(&lines))
}

fn verdict(path: &Path, arguments: &InspectArguments) -> Result<Verdict, CommandError> {
    let limits = arguments.read.limits()?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // The path is that of the line.
    let reason = |message: String| {
        let start = format!("{}: ", path.display());
        message.strip_prefix(&start).map_or_else(|| message.clone(), str::to_owned)
    };
    let (verdict, what) = if SessionFiles::is_mesh(path) {
        let options = mesh_io::ReadOptions { limits, ..mesh_io::ReadOptions::default() };
        match mesh_io::read_with(path, &options) {
            Ok(contents) => {
                let summary = contents.summary();
                match contents.into_mesh() {
                    Ok(mesh) => of_mesh(&mesh, &summary),
                    Err(_) => ("flawed", format!("{summary}: no mesh")),
                }
            }
            Err(error @ MeshIoError::UnknownFormat { .. }) => ("unknown", reason(error.to_string())),
            Err(error) => ("refused", reason(error.to_string())),
        }
    } else {
        let options = ReadOptions { limits, ..ReadOptions::default() };
        match Reader::open_with(&[path], &options) {
            Ok(reader) => {
                let info = reader.info();
                ("recording", format!("{} objects, {} frames", info.objects.len(), reader.frame_count()))
            }
            Err(error) => ("refused", reason(error.to_string())),
        }
    };
    Ok(Verdict { file, verdict, what })
}

/// A surface is sound if it is a solid by its normals, or a sheet that is oriented and manifold.
fn of_mesh(mesh: &Mesh, summary: &str) -> (&'static str, String) {
    let (is_sound, what) = match mesh {
        Mesh::Lines(_) => (true, "lines"),
        Mesh::Surface(mesh) => {
            let health = mesh.health();
            let is_sheet = !health.is_closed();
            let is_clean =
                health.is_oriented() && health.is_manifold() && health.self_intersections.is_empty();
            let is_sound = is_clean && (is_sheet || health.sidedness() == Sidedness::Pseudonormals);
            (is_sound, if is_sheet { "an open surface" } else { "a closed surface" })
        }
        Mesh::Tetra(mesh) => {
            let health = mesh.health();
            let is_sound = health.inverted_tetrahedra.is_empty()
                && health.duplicate_tetrahedra.is_empty()
                && health.non_manifold_faces.is_empty();
            (is_sound, "a solid")
        }
    };
    (if is_sound { "sound" } else { "flawed" }, format!("{what}: {summary}"))
}
