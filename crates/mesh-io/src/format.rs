//! The formats, by file extension.

use crate::ending::inner_ending;
use crate::{MeshIoError, guess};
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
    /// Gmsh, ASCII or binary, extension `.msh`.
    Gmsh,
    /// MEDIT, ASCII, extension `.mesh`.
    Medit,
    /// The nodes of TetGen, extension `.node`; the elements lie beside them.
    TetGenNode,
    /// The elements of TetGen, extension `.ele`; the nodes lie beside them.
    TetGenEle,
    /// The volumetric meshes of Vega FEM, extension `.veg`.
    Vega,
    /// An input file of Abaqus, extension `.inp`.
    Abaqus,
    /// glTF 2.0 as text, extension `.gltf`; buffers may lie beside it.
    Gltf,
    /// glTF 2.0, binary, extension `.glb`.
    Glb,
}

impl Format {
    /// The known extensions.
    pub const ENDINGS: [&'static str; 15] = [
        "obj", "stl", "ply", "off", "vtk", "vtu", "vtp", "msh", "mesh", "node", "ele", "veg", "inp", "gltf",
        "glb",
    ];

    /// All formats, in the order of [`ENDINGS`](Self::ENDINGS).
    pub const ALL: [Self; 15] = [
        Self::Obj,
        Self::Stl,
        Self::Ply,
        Self::Off,
        Self::VtkLegacy,
        Self::Vtu,
        Self::Vtp,
        Self::Gmsh,
        Self::Medit,
        Self::TetGenNode,
        Self::TetGenEle,
        Self::Vega,
        Self::Abaqus,
        Self::Gltf,
        Self::Glb,
    ];

    /// The format of a file by its extension, in any case; `.gz` behind it is passed over. Errors: an unknown extension; the
    /// message says what such a file is, where that is known, and the nearest way to a mesh.
    pub fn of(path: &Path) -> Result<Self, MeshIoError> {
        let ending = inner_ending(path);
        let known = Self::ENDINGS.iter().position(|known| *known == ending);
        known.map(|index| Self::ALL[index]).ok_or_else(|| guess::unknown(path, &[]))
    }

    /// The extension of its files.
    pub fn ending(self) -> &'static str {
        Self::ALL.iter().position(|format| *format == self).map_or("", |index| Self::ENDINGS[index])
    }
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
        for format in Format::ALL {
            assert_eq!(Format::of(&Path::new("b").with_extension(format.ending())).unwrap(), format);
        }
    }
}
