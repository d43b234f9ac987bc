//! Convex shapes by their support maps: GJK and EPA, in the plane and in space.
//!
//! Two shapes overlap exactly when their difference `A - B` (all differences of a point of A and a point of B) contains the
//! origin. GJK finds the point of the difference nearest to the origin, EPA the point of its surface nearest to an origin
//! inside; both need nothing but support maps. See [`contact`] for the one question, [`Core`] for the shapes.
//!
//! **Conventions**, stated once for the whole crate:
//! - Lengths are in any one unit (palpate uses metres). Tolerances are relative to the size of the input; multiplying all
//!   lengths by a power of two multiplies every length of the answer by it exactly.
//! - A direction moves A out of B and has length one. Depth is positive in contact, zero when touching, and the negative
//!   distance when apart. B moves along the negative direction.
//! - Every answer carries a certified interval: the true depth lies in it, whatever ended the search.
//! - No shape is transformed vertex by vertex: a query works in the frame of A and turns directions and single points.
//!
//! ```
//! use nalgebra::Vector3;
//! use palpate_convex::{Capsule, Cuboid, Pose, Query, Settings};
//!
//! let tool = Capsule { radius: 0.25, half_length: 1.0 };
//! let block = Cuboid { half_extents: Vector3::new(2.0, 2.0, 2.0) };
//! let upright = Pose::at(Vector3::new(0.5, 3.0, 0.0));
//! let mut query = Query::new((&tool, upright), (&block, Pose::identity()), Settings::default());
//! // The lower end of its segment is on the face: as deep as the radius, out along +y.
//! assert!(query.intersects());
//! assert_eq!(query.penetration(), Some((0.25, Vector3::y())));
//! query.place_a(Pose::at(Vector3::new(0.5, 3.5, 0.0)));
//! assert_eq!((query.penetration(), query.distance()), (None, Some(0.25)));
//! ```

mod closed_form;
mod contact;
mod convex_hull;
mod dimension;
mod directional_penetration;
mod epa;
mod error;
mod explain;
mod gjk;
mod intersection_test;
mod manifold;
mod memory;
mod minkowski_difference;
mod polytope;
mod pose;
mod query;
mod query_object;
mod refine;
mod sampled;
mod settings;
mod simplex;
mod simplex_reduction;
mod support;
pub mod trace;
mod vector;
mod vertex;

pub use contact::{Contact, Status};
pub use convex_hull::ConvexHull;
pub use dimension::Dimension;
pub use directional_penetration::{DirectionalDepth, directional_depth, overlap_along};
pub use error::ConvexError;
pub use explain::{Explanation, explain};
pub use intersection_test::{intersects, nearer_than};
pub use manifold::{
    Cap, Corner, FacePolygon, FacedHull, Faces, HullFaces, Line, Manifold, ManifoldPoint, Side, SupportFace,
    reduce_to_four,
};
pub use memory::Memory;
pub use pose::Pose;
pub use query::{contact, contact_recorded, contact_warm, contact_within};
pub use query_object::Query;
pub use sampled::sampled_depth;
pub use settings::Settings;
pub use support::{
    Ball, Capsule, Cone, Core, Cuboid, Cylinder, DynSupport, Ellipsoid, Extreme, Hull, NO_ID, Points, Posed,
    Projection, Rim, Rounded, Segment, SupportMap, Tetrahedron, Triangle,
};
pub use vector::VectorSpace;
