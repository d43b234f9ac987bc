//! Implicit geometry: bodies given by a function of space, negative inside. The functions and their searches are in
//! [`palpate_implicit`]; here is what joins them to geometries.

mod body;
mod lowest_place;
mod mesh_near;
mod mesh_plane;
mod mesh_solid;
mod primitive;
mod surface_grid;

pub use body::ImplicitBody;
pub use palpate_implicit::{
    Cell, CellValues, Description, Exactness, Grid, ImplicitFunction, Intersection, Offset, Sample,
    SmoothUnion, Torus, Union,
};
pub use surface_grid::{Progress, SurfaceGrid, SurfaceSampling};

/// What palpate's own detectors search with: no part of the interface.
#[doc(hidden)]
pub mod internal {
    pub use super::body::BodyPiece;
    pub use super::lowest_place::lowest_over;
    pub use super::mesh_solid::MeshSolid;
    pub use palpate_implicit::internal::{
        Circle, ConvexDomain, CylinderDomain, EdgeSplit, Lowest, Minimum, OrientedBounds, Polytope, Search,
        Solid, Structure, over_parts,
    };
}
