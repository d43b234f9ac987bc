//! Implicit geometry: bodies given by a function of space, negative inside.

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
mod jet;
mod matrices;
mod means;
mod mesh_faces;
mod mesh_plane;
mod mesh_solid;
mod near_triangles;
mod offset;
mod pieces;
mod polytope_face;
mod posed;
mod primitive;
mod program;
mod quadric;
mod rod_along;
mod sample;
mod search;
mod segment_profile;
mod segment_span;
mod shell;
mod smooth_union;
mod surface_grid;
mod term;
mod torus;

pub use body::{BodyPiece, ImplicitBody};
pub use cell::{Cell, EdgeSplit};
pub use composite::{Intersection, Union};
pub use domain::{
    BoxSearch, Circle, CylinderDomain, HighestPart, LeastInSolid, LeastOnTriangle, Limits, OrientedBounds,
    TriangleDomain,
};
pub use function::{Blend, Description, ImplicitFunction, Term};
pub use grid::Grid;
pub use jet::Jet;
pub use mesh_solid::MeshSolid;
pub use offset::Offset;
pub use polytope_face::PolytopeFace;
pub use primitive::Solid;
pub use quadric::{Quadric, QuadricBody};
pub use sample::{Exactness, Sample};
pub use search::{ConvexDomain, Lowest, Minimum, Search};
pub use segment_profile::SegmentProfile;
pub use segment_span::{SegmentJets, SegmentSpan};
pub use smooth_union::SmoothUnion;
pub use surface_grid::{Progress, SurfaceGrid, SurfaceSampling};
pub use torus::Torus;
