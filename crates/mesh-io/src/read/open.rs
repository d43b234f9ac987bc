//! Reading from a path or from bytes, in any format.

use super::beside::Beside;
use super::{abaqus, gltf, gmsh, medit, obj, off, ply, stl, tetgen, vega, vtk_legacy, vtk_xml};
use crate::cells::syntax;
use crate::guess;
use crate::{Contents, Format, MeshIoError, Place};
use flate2::read::MultiGzDecoder;
use palpate_math::Limits;
use std::borrow::Cow;
use std::fs::{File, FileType};
use std::io::Read;
use std::path::Path;

/// The first bytes of a file that is compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

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
    let format = Format::of(path).map_err(|_| guess::unknown_file(path))?;
    let bytes = bytes_of(path, options)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    // Files beside are regular ones, whatever the options say.
    let regular = ReadOptions { special_files: false, ..*options };
    let find = |name: &str| bytes_of(&folder.join(name), &regular).ok();
    read_bytes_beside(&bytes, format, &path.display().to_string(), &options.limits, &find)
}

/// The bytes of a file. Errors: not a regular one, not readable, too long.
fn bytes_of(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, MeshIoError> {
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
    Ok(bytes)
}

/// Reads the bytes of a mesh file, which may be compressed by gzip; `file` is the name for messages. Errors: as [`read`].
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
    read_bytes_beside(bytes, format, file, limits, &|_| None)
}

/// Reads the bytes of a mesh file, as [`read_bytes_with`], with the bytes of the files beside it, which `beside` gives by
/// their names: the nodes of TetGen's elements, buffers of glTF, included files of Vega and Abaqus. `None` for a file that is
/// not there.
pub fn read_bytes_beside(
    bytes: &[u8],
    format: Format,
    file: &str,
    limits: &Limits,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Contents, MeshIoError> {
    let bytes = &*expanded(bytes, file, limits)?;
    let beside = &Beside::new(file, beside, limits.mesh_bytes);
    match format {
        Format::Obj => obj::read(bytes, file, limits),
        Format::Stl => stl::read(bytes, file, limits),
        Format::Ply => ply::read(bytes, file, limits),
        Format::Off => off::read(bytes, file, limits),
        Format::VtkLegacy => vtk_legacy::read(bytes, file, limits),
        Format::Vtu | Format::Vtp => vtk_xml::read(bytes, format, file, limits),
        Format::Gmsh => gmsh::read(bytes, file, limits),
        Format::Medit => medit::read(bytes, file, limits),
        Format::TetGenNode => tetgen::read_nodes(bytes, beside, limits),
        Format::TetGenEle => tetgen::read_elements(bytes, beside, limits),
        Format::Vega => vega::read(bytes, beside, limits),
        Format::Abaqus => abaqus::read(bytes, beside, limits),
        Format::Gltf => gltf::read_text(bytes, beside, limits),
        Format::Glb => gltf::read_binary(bytes, beside, limits),
    }
}

/// The bytes of a file, expanded if they are compressed by gzip: no mesh format begins as gzip does. Errors: damaged, or
/// longer than the limits allow.
fn expanded<'a>(bytes: &'a [u8], file: &str, limits: &Limits) -> Result<Cow<'a, [u8]>, MeshIoError> {
    if !bytes.starts_with(&GZIP) {
        return Ok(Cow::Borrowed(bytes));
    }
    let (limit, value) = match limits.expansion(bytes.len() as u64) {
        value if value < limits.mesh_bytes => ("expanded_bytes", value),
        _ => ("mesh_bytes", limits.mesh_bytes),
    };
    let mut all = Vec::new();
    let damaged = |error: std::io::Error| {
        syntax(file, Place::Unknown, "the compressed file", &format_args!("damaged ({error})"), "gzip")
    };
    MultiGzDecoder::new(bytes).take(value.saturating_add(1)).read_to_end(&mut all).map_err(damaged)?;
    if all.len() as u64 > value {
        let (file, what) = (file.to_owned(), ": the number of bytes, expanded,".to_owned());
        return Err(MeshIoError::Limit { file, what, found: all.len() as u64, limit, value });
    }
    Ok(Cow::Owned(all))
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
