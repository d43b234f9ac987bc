//! What a shaft has in common with a tissue: crossings of its surface, and stays in its cells.

use crate::shaft::ShaftPlace;
use palpate_geometry::{SurfaceMesh, TetraMesh};
use palpate_math::Point;

/// A solid that a shaft may enter. Its derived data must be prepared: the tree of a surface
/// ([`Needs::TREE`](palpate_geometry::Needs::TREE)), the tree and the boundary of a tetrahedral mesh.
#[derive(Clone, Copy, Debug)]
pub enum Tissue<'a> {
    /// A closed surface.
    Surface(&'a SurfaceMesh),
    /// A tetrahedral mesh, in which the path of the shaft is followed from cell to cell.
    Tetra(&'a TetraMesh),
}

impl<'a> From<&'a SurfaceMesh> for Tissue<'a> {
    fn from(surface: &'a SurfaceMesh) -> Self {
        Self::Surface(surface)
    }
}

impl<'a> From<&'a TetraMesh> for Tissue<'a> {
    fn from(mesh: &'a TetraMesh) -> Self {
        Self::Tetra(mesh)
    }
}

/// Identifies a crossing of a tracker as long as it lasts; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrossingId(pub u64);

/// How a shaft passes through a surface toward its tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// Into the tissue.
    In,
    /// Out of the tissue.
    Out,
}

/// A place where a shaft passes through the surface of a tissue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The same from step to step, while the crossing slides along the shaft and over triangles, and through cuts.
    pub id: CrossingId,
    /// Toward the tip.
    pub passing: Passing,
    /// The triangle of the surface, or of the boundary of a tetrahedral mesh.
    pub triangle: u32,
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Barycentric weights of the vertices.
    pub weights: [f64; 3],
    /// The place on the shaft.
    pub place: ShaftPlace,
    /// World frame, metres.
    pub point: Point,
    /// The cosine of the angle between the shaft and the normal of the triangle: 1 where the shaft is perpendicular to the
    /// surface.
    pub cosine: f64,
}

/// A part of a shaft in one tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stay {
    /// The tetrahedron.
    pub cell: u32,
    /// Where the part begins and ends on the shaft, the end nearer to the tip first.
    pub places: [ShaftPlace; 2],
    /// Barycentric weights of the cell's vertices there.
    pub weights: [[f64; 4]; 2],
}

impl Stay {
    /// Returns the length of the part, metres.
    pub fn length(&self) -> f64 {
        self.places[1].arc - self.places[0].arc
    }
}
