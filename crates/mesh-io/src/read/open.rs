//! Reading from a path or from bytes, in any format.

use super::{gmsh, obj, off, ply, stl, vtk_legacy, vtk_xml};
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;
use std::fs::{File, FileType};
use std::io::Read;
use std::path::Path;

/// What a reader of mesh files accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How much a file may hold.
    pub limits: Limits,
    /// Whether pipes and devices are read, to their ends; reading from a pipe waits for who writes to it. Refused
    /// otherwise, without opening them.
    pub special_files: bool,
}

/// Reads the mesh file at `path`, in the format of its extension, with the default [`ReadOptions`]. Errors: an unknown
/// extension, a file that is not a regular one, that cannot be read, is damaged, holds more than a limit allows, or uses
/// an unsupported part of its format.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, MeshIoError> {
    read_with(path, &ReadOptions::default())
}

/// Reads the mesh file at `path`, as [`read`], with options.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Contents, MeshIoError> {
    let path = path.as_ref();
    let format = Format::of(path)?;
    let file = path.display().to_string();
    let failed = |source| MeshIoError::Io { file: file.clone(), action: "reading", source };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    let special = special(metadata.file_type());
    if let Some(found) = special.filter(|_| !options.special_files || metadata.is_dir()) {
        let found = found.to_owned();
        return Err(MeshIoError::Unsupported { file, what: "the file", found, wanted: "a regular file" });
    }
    let limit = options.limits.mesh_bytes;
    let length = if special.is_some() { 0 } else { metadata.len() };
    let mut bytes = Vec::new();
    if length <= limit {
        // The file may have grown since.
        let most = usize::try_from(length).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(most).map_err(|error| failed(error.into()))?;
        let opened = File::open(path).map_err(failed)?;
        opened.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    }
    let found = length.max(bytes.len() as u64);
    if found > limit {
        let what = ": the number of bytes".to_owned();
        return Err(MeshIoError::Limit { file, what, found, limit: "mesh_bytes", value: limit });
    }
    read_bytes_with(&bytes, format, &file, &options.limits)
}

/// Reads the bytes of a mesh file; `file` is the name for messages. Errors: as [`read`].
pub fn read_bytes(bytes: &[u8], format: Format, file: &str) -> Result<Contents, MeshIoError> {
    read_bytes_with(bytes, format, file, &Limits::DEFAULT)
}

/// Reads the bytes of a mesh file, as [`read_bytes`], with limits.
pub fn read_bytes_with(
    bytes: &[u8],
    format: Format,
    file: &str,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    match format {
        Format::Obj => obj::read(bytes, file, limits),
        Format::Stl => stl::read(bytes, file, limits),
        Format::Ply => ply::read(bytes, file, limits),
        Format::Off => off::read(bytes, file, limits),
        Format::VtkLegacy => vtk_legacy::read(bytes, file, limits),
        Format::Vtu | Format::Vtp => vtk_xml::read(bytes, format, file, limits),
        Format::Gmsh => gmsh::read(bytes, file, limits),
    }
}

/// What a file is that is not a regular one.
fn special(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("a directory");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
}
