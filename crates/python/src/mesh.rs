//! Mesh files.

use crate::error::{Failure, Outcome, detached};
use crate::geometry::Geometry;
use crate::input::triples;
use crate::memory::{Bytes, bytes_of};
use palpate::geometry::TypedGeometry;
use palpate::mesh_io::{Mesh, read, write};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a file holds: points, lines, triangles and tetrahedra, the names of its parts, and a summary.
type Contents<'py> = (Bytes<'py>, Bytes<'py>, Bytes<'py>, Bytes<'py>, Vec<String>, String);

/// Reads a mesh file, or one of its named parts.
#[pyfunction]
#[pyo3(signature = (path, part))]
pub(crate) fn read_mesh<'py>(py: Python<'py>, path: PathBuf, part: Option<&str>) -> Outcome<Contents<'py>> {
    let mut contents = detached(py, || Ok(read(&path)?))?;
    let parts: Vec<String> = contents.parts.iter().map(|part| part.name.clone()).collect();
    if let Some(name) = part {
        let text = || format!("{}: no part {name:?}, wanted one of {}", path.display(), parts.join(", "));
        contents = contents.part(name).ok_or_else(|| Failure::Own("NotFoundError", text()))?;
    }
    let summary = contents.summary();
    Ok((
        bytes_of(py, triples(&contents.positions))?,
        bytes_of(py, contents.lines)?,
        bytes_of(py, contents.triangles)?,
        bytes_of(py, contents.tetrahedra)?,
        parts,
        summary,
    ))
}

/// Writes a line mesh, a surface mesh or a tetra mesh in the format of the file's extension.
#[pyfunction]
pub(crate) fn write_mesh(py: Python<'_>, path: PathBuf, geometry: &Geometry) -> Outcome {
    let shape = geometry.read();
    let mesh = match TypedGeometry::of(&*shape) {
        TypedGeometry::LineMesh(mesh) => Mesh::Lines(mesh.clone()),
        TypedGeometry::SurfaceMesh(mesh) => Mesh::Surface(mesh.clone()),
        TypedGeometry::TetraMesh(mesh) => Mesh::Tetra(mesh.clone()),
        _ => {
            return Err(Failure::unsupported(format!(
                "the geometry is a {}: wanted a mesh with cells",
                shape.kind()
            )));
        }
    };
    detached(py, || Ok(write(&path, &mesh).map(|_| ())?))
}
