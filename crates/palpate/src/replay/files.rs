//! The files of a session: recordings, and mesh files as objects that do not move.

use super::{ReplayError, ReplayOptions};
use crate::geometry::Geometry;
use crate::recording::{Note, PairInfo, ReadOptions, Reader};
use std::path::{Path, PathBuf};

/// The files of a session, opened.
pub struct SessionFiles {
    /// The recordings as one session; `None` if all files are meshes: then the session has one frame, at 0 s.
    pub(super) reader: Option<Reader>,
    /// The meshes by name.
    pub(super) objects: Vec<(String, Box<dyn Geometry>)>,
}

impl SessionFiles {
    /// Opens recordings and mesh files, in any order. A mesh file (with the feature `mesh-io`; by its extension, as
    /// `mesh_io::read` knows it) is an object that does not move, named by the file stem, and multiplied by
    /// [`ReplayOptions::mesh_scale`]. The cells of highest dimension are taken, or the points if there are no cells; a surface is
    /// examined, so that inside is told from outside also where it is not sound.
    ///
    /// Errors: as [`Reader::open_many`]; a mesh file that cannot be read.
    pub fn open<P: AsRef<Path>>(paths: &[P], options: &ReplayOptions) -> Result<Self, ReplayError> {
        let (meshes, recordings): (Vec<&Path>, Vec<&Path>) =
            paths.iter().map(AsRef::as_ref).partition(|path| is_mesh(path));
        let is_all_meshes = recordings.is_empty() && !meshes.is_empty();
        let (limits, allow_external) = (options.limits, options.allow_external);
        let read = ReadOptions { limits, allow_external, ..ReadOptions::default() };
        let reader = if is_all_meshes { None } else { Some(Reader::open_with(&recordings, &read)?) };
        let object = |path: &&Path| Ok((name(path), mesh(path, options)?));
        Ok(Self { reader, objects: meshes.iter().map(object).collect::<Result<_, ReplayError>>()? })
    }

    /// The pairs that the recordings name.
    pub fn pairs(&self) -> &[PairInfo] {
        self.reader.as_ref().map_or(&[], |reader| &reader.info().pairs)
    }

    /// What is unusual in the recordings.
    pub fn notes(&self) -> &[Note] {
        self.reader.as_ref().map_or(&[], Reader::notes)
    }

    /// Whether a file is read as a mesh: by its extension, or because neither its extension nor its first bytes are those of a
    /// recording; then the error of the mesh reader says what it is. Without the feature `mesh-io` every file is a recording.
    pub fn is_mesh(path: &Path) -> bool {
        is_mesh(path)
    }

    /// The file that gives a session its name: the first recording, or else the first file.
    pub fn leader<P: AsRef<Path>>(paths: &[P]) -> Option<PathBuf> {
        let first = paths.iter().find(|path| !is_mesh(path.as_ref())).or(paths.first());
        first.map(|path| path.as_ref().to_path_buf())
    }
}

impl From<Reader> for SessionFiles {
    /// A recording without mesh files.
    fn from(reader: Reader) -> Self {
        Self { reader: Some(reader), objects: Vec::new() }
    }
}

/// The name of the object in a mesh file, which may be compressed by gzip.
fn name(path: &Path) -> String {
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let inner = path.file_stem().map(Path::new).filter(|_| is_packed).unwrap_or(path);
    inner.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

#[cfg(feature = "mesh-io")]
fn is_mesh(path: &Path) -> bool {
    crate::mesh_io::Format::of(path).is_ok() || is_neither(path)
}

/// Whether a file is there that is neither named as a recording nor begins as one does.
#[cfg(feature = "mesh-io")]
fn is_neither(path: &Path) -> bool {
    use std::io::Read;
    const ENDINGS: [&str; 6] = ["vtkhdf", "hdf", "hdf5", "h5", "part", "palpate"];
    const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ENDINGS.contains(&ending.as_str()) || !std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let is_read = std::fs::File::open(path).and_then(|file| file.take(8).read_to_end(&mut start)).is_ok();
    is_read && !start.is_empty() && start != SIGNATURE
}

/// Without the feature `mesh-io` every file is a recording.
#[cfg(not(feature = "mesh-io"))]
fn is_mesh(_path: &Path) -> bool {
    false
}

#[cfg(feature = "mesh-io")]
fn mesh(path: &Path, options: &ReplayOptions) -> Result<Box<dyn Geometry>, ReplayError> {
    use crate::geometry::PointSet;
    use crate::mesh_io::{self, Mesh, MeshIoError};
    let read = mesh_io::ReadOptions { limits: options.limits, special_files: options.allow_external };
    let mut contents = mesh_io::read_with(path, &read)?;
    crate::describe::scale(&mut contents.positions, options.mesh_scale);
    let has_cells =
        !(contents.lines.is_empty() && contents.triangles.is_empty() && contents.tetrahedra.is_empty());
    if !has_cells && contents.left_out.is_empty() && !contents.positions.is_empty() {
        let file = contents.file;
        let points = PointSet::new(contents.positions);
        return Ok(Box::new(points.map_err(|source| MeshIoError::Geometry { file, source })?));
    }
    Ok(match contents.into_mesh()? {
        Mesh::Lines(mesh) => Box::new(mesh),
        Mesh::Surface(mesh) => Box::new(mesh.examined()),
        Mesh::Tetra(mesh) => Box::new(mesh),
    })
}

#[cfg(not(feature = "mesh-io"))]
fn mesh(path: &Path, _: &ReplayOptions) -> Result<Box<dyn Geometry>, ReplayError> {
    Err(crate::recording::RecordingError::Missing { path: path.to_path_buf() }.into())
}
