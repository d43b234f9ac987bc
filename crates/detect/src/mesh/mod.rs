//! The mesh-contact engine: a body against the triangles of a surface or of the boundary of a tetrahedral mesh.
//!
//! ```text
//! candidates ──► kernel ──► voided features ──► emit once ──► manifolds
//!  (the tree)    triangle    internal edges      one contact    flat patches
//!                and body    and inward          per element    of triangles
//!                            directions
//!                                 ▲
//!                containment: the body's deepest point in the solid
//! ```
//!
//! [`Candidates`] runs a [`Kernel`] on the candidate triangles, in chunks through the executor; [`VoidedFeatures`]
//! rejects internal edges, and [`ReportedFeatures`] skips elements that were already reported. The kernels are a
//! sphere ([`SphereSearch`]), a segment ([`AxisSearch`](crate::segment::axis_search::AxisSearch)) and a convex body
//! ([`ConvexSearch`]); each has its own rule for contacts that are always reported.

mod candidates;
mod clear_balls;
mod convex_contact;
mod convex_search;
mod deepest_point;
mod face_patch;
mod flat_region;
pub(crate) mod internal_edges;
mod mark_set;
mod outline;
mod patch_manifold;
mod patch_view;
mod reported_features;
pub(crate) mod segment_surface;
pub(crate) mod settings;
pub(crate) mod sheet_exit;
mod side;
mod sphere_search;
pub(crate) mod surface_sides;
mod through_surface;
mod triangle_contact;
pub(crate) mod vertex_surface;
mod voided_features;
pub(crate) mod volume;
mod way_out;

pub(crate) use candidates::{Candidates, Kernel};
pub(crate) use clear_balls::ClearBalls;
pub(crate) use convex_search::ConvexSearch;
pub(crate) use deepest_point::DeepestPoint;
pub(crate) use face_patch::{COPLANAR, across};
pub(crate) use mark_set::MarkSet;
pub(crate) use outline::Outline;
pub(crate) use patch_view::PatchView;
pub(crate) use reported_features::ReportedFeatures;
pub(crate) use side::{ElementFilter, MeshSide, faces_away, is_hidden, pushed_outward};
pub(crate) use sphere_search::SphereSearch;
pub(crate) use triangle_contact::{ConvexPair, InReach, TriangleContact};
pub(crate) use voided_features::VoidedFeatures;
pub(crate) use way_out::WayOut;
