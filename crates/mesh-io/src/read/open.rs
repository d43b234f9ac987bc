//! Reading from a path or from bytes, in any format.

use super::{gmsh, obj, off, ply, stl, vtk_legacy, vtk_xml};
use crate::{Contents, Format, MeshIoError};
use std::path::Path;

/// Reads the mesh file at `path`, in the format of its extension. Errors: an unknown extension, a file that cannot
/// be read, is damaged, or uses an unsupported part of its format.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, MeshIoError> {
    let path = path.as_ref();
    let format = Format::of(path)?;
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| MeshIoError::Io {
        file: file.clone(),
        action: "reading",
        source,
    })?;
    read_bytes(&bytes, format, &file)
}

/// Reads the bytes of a mesh file; `file` is the name for messages. Errors: as [`read`].
pub fn read_bytes(bytes: &[u8], format: Format, file: &str) -> Result<Contents, MeshIoError> {
    match format {
        Format::Obj => obj::read(bytes, file),
        Format::Stl => stl::read(bytes, file),
        Format::Ply => ply::read(bytes, file),
        Format::Off => off::read(bytes, file),
        Format::VtkLegacy => vtk_legacy::read(bytes, file),
        Format::Vtu | Format::Vtp => vtk_xml::read(bytes, format, file),
        Format::Gmsh => gmsh::read(bytes, file),
    }
}
