//! Writes a mesh to a path or to bytes.

use super::formats::{obj, ply, stl, vtu};
use super::parts::Parts;
use crate::{Format, Mesh, MeshIoError};
use std::path::Path;

/// Writes a mesh to the file at `path`, in the format of its extension: whole or not at all. A pipe or a device is written to
/// as it is. Coordinates keep all their digits, except in STL, which has 32 bits for each. Errors: an unknown extension, a format that is not written or cannot
/// represent the mesh, a file that cannot be written.
pub fn write(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), MeshIoError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let bytes = write_bytes(mesh, Format::of(path)?, &file)?;
    palpate_files::write(path, &bytes).map_err(|source| MeshIoError::Io { file, action: "writing", source })
}

/// The bytes of a mesh file; `file` is the name for messages. Errors: a format that is not written or cannot
/// represent the mesh.
pub fn write_bytes(mesh: &Mesh, format: Format, file: &str) -> Result<Vec<u8>, MeshIoError> {
    let parts = Parts::of(mesh);
    let refused = |wanted| {
        let (file, found) = (file.to_owned(), format!("{format} for {}", parts.name()));
        Err(MeshIoError::Unsupported { file, what: "the format", found, wanted })
    };
    match (format, parts.tetrahedra.is_empty()) {
        (Format::Vtu, _) => Ok(vtu(&parts)),
        (Format::Obj, true) => Ok(obj(&parts)),
        (Format::Ply, true) => Ok(ply(&parts)),
        (Format::Stl, true) if parts.lines.is_empty() => Ok(stl(&parts)),
        (Format::Obj | Format::Ply | Format::Stl, _) => refused("vtu, which holds all kinds"),
        _ => refused("obj, ply, stl or vtu"),
    }
}
