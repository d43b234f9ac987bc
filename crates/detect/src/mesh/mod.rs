//! The mesh-contact engine: a convex body against the triangles of a surface or of the boundary of a tetrahedral mesh.
//!
//! ```text
//! candidates ──► kernel ──► voided features ──► emit once ──► manifolds
//!  (the tree)    triangle    internal edges      one contact    flat patches
//!                and body    and inward ways     an element     of triangles
//!                                 ▲
//!                containment: the body's deepest point in the solid
//! ```

mod convex_contact;
mod convex_search;
mod deepest_point;
mod face_patch;
mod mark_set;
mod outline;
mod patch_manifold;
mod patch_view;
mod side;
mod triangle_contact;

pub(crate) use convex_search::ConvexSearch;
pub(crate) use mark_set::MarkSet;
pub(crate) use side::MeshSide;
pub(crate) use triangle_contact::{ConvexPair, TriangleContact};
