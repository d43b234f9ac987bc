//! Mesh files that a description names in place of vertices and cells.

use crate::describe::{DescriptionError, Fields, text};
use crate::math::{Limits, Point};
use crate::mesh_io;
pub(super) use crate::mesh_io::Contents;
use std::path::PathBuf;

/// Where the mesh files of descriptions are, and their unit.
///
/// A `PointSet`, `LineMesh`, `SurfaceMesh` or `TetrahedralMesh` may have the key `file` in place of `vertices` and
/// `cells`. Only [`MeshFiles::from_json`] reads such files; [`describe::from_json`](crate::describe::from_json) refuses
/// the key, so that a description from elsewhere cannot make a program read a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFiles {
    /// The folder to which relative names refer.
    pub folder: PathBuf,
    /// Metres per unit of the files: 0.001 for files in millimetres.
    pub scale: f64,
    /// How much of a file is accepted.
    pub limits: Limits,
}

impl Default for MeshFiles {
    /// The working directory, and files in metres.
    fn default() -> Self {
        Self { folder: PathBuf::new(), scale: 1.0, limits: Limits::DEFAULT }
    }
}

impl MeshFiles {
    /// The contents of a file, its vertices in metres.
    fn read(&self, name: &str) -> Result<Contents, DescriptionError> {
        let refused = |reason: String| DescriptionError::File { field: String::new(), reason };
        let options = mesh_io::ReadOptions { limits: self.limits, ..mesh_io::ReadOptions::default() };
        let mut contents = mesh_io::read_with(self.folder.join(name), &options)
            .map_err(|error| refused(error.to_string()))?;
        scale(&mut contents.positions, self.scale);
        Ok(contents)
    }
}

/// Multiplies coordinates by a factor; does nothing to a bit for 1.
pub(crate) fn scale(points: &mut [Point], factor: f64) {
    if factor != 1.0 {
        points.iter_mut().for_each(|point| point.coords *= factor);
    }
}

/// The contents of the file that the fields name; `None` if they name none. Errors: a file where none are read, or beside
/// vertices or cells.
pub(super) fn named(
    fields: &mut Fields<'_>,
    files: Option<&MeshFiles>,
) -> Result<Option<Contents>, DescriptionError> {
    let file = fields.optional("file", |value| {
        let name = text(value)?;
        match files {
            Some(files) => files.read(name),
            None => Err(DescriptionError::found(value, "vertices and cells: files are not read here")),
        }
    })?;
    if file.is_some() {
        for key in ["vertices", "cells"] {
            if let Some(value) = fields.get(key) {
                return Err(DescriptionError::found(value, "nothing beside a file").at(key));
            }
        }
    }
    Ok(file)
}

/// The cells of a file. Errors: it has none of these.
pub(super) fn cells<T>(
    contents: &mut Contents,
    wanted: &str,
    of: impl Fn(&mut Contents) -> &mut Vec<T>,
) -> Result<Vec<T>, DescriptionError> {
    let cells = std::mem::take(of(contents));
    if cells.is_empty() {
        let held = contents.summary();
        let held = if held == "nothing" { "no cells" } else { held.as_str() };
        let reason = format!("{}: holds {held}: wanted {wanted}", contents.file);
        return Err(DescriptionError::File { field: "file".to_owned(), reason });
    }
    Ok(cells)
}
