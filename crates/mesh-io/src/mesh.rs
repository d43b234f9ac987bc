//! A mesh of any kind.

use palpate_geometry::{LineMesh, SurfaceMesh, TetraMesh};

/// A mesh of the kind found in a file.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "created once per file and destructured at once")]
pub enum Mesh {
    /// Segments.
    Lines(LineMesh),
    /// Triangles.
    Surface(SurfaceMesh),
    /// Tetrahedra.
    Tetra(TetraMesh),
}
