//! Writes a mesh to a path or to bytes.

use super::formats::{obj, ply, stl, vtu};
use super::parts::Parts;
use crate::{Format, Mesh, MeshIoError};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;

/// What was written of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// Vertices, those without cells included: they keep their numbers.
    pub vertices: usize,
    /// Cells.
    pub cells: usize,
    /// Cells that were removed from the mesh and are not in the file: the cells behind them have lower numbers there, those
    /// that [`compact`](palpate_geometry::SurfaceMesh::compact) would give.
    pub removed_cells: usize,
}

/// Writes a mesh to the file at `path`, in the format of its extension: whole or not at all; compressed by gzip if `.gz`
/// follows it. A pipe or a device is written to as it is. Coordinates keep all their digits, except in STL, which has 32
/// bits for each. Of a mesh that was cut the cells that are left are written. Errors: an unknown extension, a format that is
/// not written or cannot represent the mesh, a file that cannot be written.
pub fn write(path: impl AsRef<Path>, mesh: &Mesh) -> Result<WriteReport, MeshIoError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let (mut bytes, report) = write_bytes(mesh, Format::of(path)?, &file)?;
    let failed = |source| MeshIoError::Io { file: file.clone(), action: "writing", source };
    if crate::ending::is_gzip(path) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&bytes).map_err(failed)?;
        bytes = encoder.finish().map_err(failed)?;
    }
    palpate_files::write(path, &bytes).map_err(failed)?;
    Ok(report)
}

/// The bytes of a mesh file, and what they hold; `file` is the name for messages. Errors: a format that is not written or
/// cannot represent the mesh.
pub fn write_bytes(mesh: &Mesh, format: Format, file: &str) -> Result<(Vec<u8>, WriteReport), MeshIoError> {
    let parts = Parts::of(mesh);
    let refused = |wanted| {
        let (file, found) = (file.to_owned(), format!("{format} for {}", parts.name));
        Err(MeshIoError::Unsupported { file, what: "the format", found, wanted })
    };
    let bytes = match (format, mesh) {
        (Format::Vtu, _) => vtu(&parts),
        (Format::Obj, Mesh::Lines(_) | Mesh::Surface(_)) => obj(&parts),
        (Format::Ply, Mesh::Lines(_) | Mesh::Surface(_)) => ply(&parts),
        (Format::Stl, Mesh::Surface(_)) => stl(&parts),
        (Format::Obj | Format::Ply | Format::Stl, _) => return refused("vtu, which holds all kinds"),
        _ => return refused("obj, ply, stl or vtu"),
    };
    let (vertices, cells, removed_cells) = (parts.positions.len(), parts.cell_count(), parts.removed);
    Ok((bytes, WriteReport { vertices, cells, removed_cells }))
}
