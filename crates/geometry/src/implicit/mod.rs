//! Implicit geometry: bodies given by a function of space, negative inside.

mod ask;
mod body;
mod bounds;
mod cell;
mod complement;
mod composite;
mod domain;
mod factors;
mod function;
mod game;
mod grid;
mod hessians;
mod matrices;
mod means;
mod mesh_plane;
mod mesh_solid;
mod near_triangles;
mod offset;
mod pieces;
mod posed;
mod primitive;
mod sample;
mod search;
mod shell;
mod smooth_union;
mod surface_grid;
mod term;
mod torus;

pub use body::ImplicitBody;
pub use cell::{Cell, CellValues};
pub use composite::{Intersection, Union};
pub use function::{Description, ImplicitFunction};
pub use grid::Grid;
pub use offset::Offset;
pub use sample::{Exactness, Sample};
pub use smooth_union::SmoothUnion;
pub use surface_grid::{Progress, SurfaceGrid, SurfaceSampling};
pub use torus::Torus;

pub(crate) use cell::EdgeSplit;
pub(crate) use domain::{Circle, CylinderDomain, OrientedBounds};
pub(crate) use function::Structure;
pub(crate) use mesh_solid::MeshSolid;
#[cfg(test)]
pub(crate) use primitive::Solid;
pub(crate) use search::Search;
pub(crate) use term::Term;

/// What palpate's own detectors search with: no part of the interface.
#[doc(hidden)]
pub mod internal {
    pub use super::body::BodyPiece;
    pub use super::cell::EdgeSplit;
    pub use super::domain::{Circle, CylinderDomain, OrientedBounds};
    pub use super::function::Structure;
    pub use super::mesh_solid::MeshSolid;
    pub use super::primitive::Solid;
    pub use super::search::{ConvexDomain, Lowest, Minimum, Polytope, Search};
}
