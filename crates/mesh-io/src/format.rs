//! The formats, by file extension.

use crate::MeshIoError;
use std::fmt;
use std::path::Path;

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ, extension `.obj`.
    Obj,
    /// Stereolithography, ASCII or binary, extension `.stl`.
    Stl,
    /// The Stanford polygon format, extension `.ply`.
    Ply,
    /// The object file format of Geomview, extension `.off`.
    Off,
    /// VTK's legacy format, extension `.vtk`.
    VtkLegacy,
    /// VTK's XML format, an unstructured grid, extension `.vtu`.
    Vtu,
    /// VTK's XML format, polygon data, extension `.vtp`.
    Vtp,
    /// Gmsh, extension `.msh`.
    Gmsh,
}

impl Format {
    /// The known extensions.
    pub const ENDINGS: [&'static str; 8] = ["obj", "stl", "ply", "off", "vtk", "vtu", "vtp", "msh"];

    const ALL: [Self; 8] =
        [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::VtkLegacy, Self::Vtu, Self::Vtp, Self::Gmsh];

    /// The format of a file by its extension, in any case; `.gz` behind it is passed over. Errors: an unknown extension.
    pub fn of(path: &Path) -> Result<Self, MeshIoError> {
        let stem = if is_gzip(path) { Path::new(path.file_stem().unwrap_or_default()) } else { path };
        let ending = ending(stem);
        let known = Self::ENDINGS.iter().position(|known| *known == ending);
        known
            .map(|index| Self::ALL[index])
            .ok_or_else(|| MeshIoError::UnknownFormat { file: path.display().to_string(), found: ending })
    }

    /// The extension of its files.
    pub fn ending(self) -> &'static str {
        Self::ALL.iter().position(|format| *format == self).map_or("", |index| Self::ENDINGS[index])
    }
}

/// The extension of a path, in small letters; empty if it has none.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Whether a path ends in `.gz`.
pub(crate) fn is_gzip(path: &Path) -> bool {
    ending(path) == "gz"
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_formats() {
        assert_eq!(Format::of(Path::new("a/b.OBJ")).unwrap(), Format::Obj);
        assert_eq!(Format::of(Path::new("b.msh")).unwrap(), Format::Gmsh);
        assert_eq!(Format::of(Path::new("b.PLY.gz")).unwrap(), Format::Ply);
        assert!(Format::of(Path::new("b.gz")).unwrap_err().to_string().contains("the ending is \"\""));
        let error = Format::of(Path::new("mesh.fbx")).unwrap_err().to_string();
        assert_eq!(
            error,
            "mesh.fbx: the ending is \"fbx\": wanted one of obj, stl, ply, off, vtk, vtu, vtp, msh"
        );
    }
}
