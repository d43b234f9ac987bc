//! GJK and EPA for convex shapes given by support maps, in 2D and 3D.
//!
//! Two shapes overlap exactly when their Minkowski difference `A - B` (all differences of a point of A and a point of
//! B) contains the origin. GJK finds the point of the difference closest to the origin; for an origin inside, EPA finds
//! the closest point of its surface. Both use only support maps. See [`contact`] for the main query, [`Core`] for the
//! shapes.
//!
//! **Conventions** of the whole crate:
//! - Lengths are in any one unit (palpate uses metres). Tolerances are relative to the size of the input; scaling all
//!   lengths by a power of two scales every length of the result exactly.
//! - A direction is a unit vector that moves A out of B; B moves along its negative. Depth is positive in contact, zero
//!   when touching, and the negative distance when apart.
//! - Every result carries a certified interval that contains the true depth, however the search terminated.
//! - Shapes are never transformed vertex by vertex: a query works in the frame of A and rotates directions and single
//!   points.
//!
//! ```
//! use nalgebra::Vector3;
//! use palpate_convex::{Capsule, Cuboid, RigidTransform, Query, Settings};
//!
//! let tool = Capsule { radius: 0.25, half_length: 1.0 };
//! let block = Cuboid { half_extents: Vector3::new(2.0, 2.0, 2.0) };
//! let upright = RigidTransform::at(Vector3::new(0.5, 3.0, 0.0));
//! let mut query = Query::new((&tool, upright), (&block, RigidTransform::identity()), Settings::default());
//! // The lower end of its segment is on the face: the depth is the radius, along +y.
//! assert!(query.intersects());
//! assert_eq!(query.penetration(), Some((0.25, Vector3::y())));
//! query.place_a(RigidTransform::at(Vector3::new(0.5, 3.5, 0.0)));
//! assert_eq!((query.penetration(), query.distance()), (None, Some(0.25)));
//! ```

mod certificate;
mod closed_form;
mod contact;
mod convex_hull;
mod dimension;
mod epa;
mod error;
mod face_polygon;
mod gjk;
mod gjk_few;
mod kept;
mod manifold;
mod memory;
mod minkowski_difference;
mod polytope;
mod pose;
mod queries;
mod refine;
mod settings;
mod simplex;
mod simplex_reduction;
mod support;
pub mod trace;
mod vector;
mod vertex;

pub use contact::{QueryResult, Termination};
pub use convex_hull::ConvexHull;
pub use dimension::Dimension;
pub use error::ConvexError;
pub use face_polygon::{Corner, FacePolygon};
pub use manifold::{
    BoxFace, Cap, Curved, FacedHull, Faces, HullFaces, HullTriangle, Line, Manifold, ManifoldPoint,
    SupportFace, reduce_to_four,
};
pub use memory::Memory;
pub use pose::RigidTransform;
pub use queries::{
    DirectionalDepth, Explanation, Query, contact, contact_coherent, contact_recorded, contact_warm,
    contact_within, contact_within_again, directional_depth, explain, intersects, nearer_than, overlap_along,
    sampled_depth,
};
pub use settings::Settings;
pub use support::{
    Ball, Capsule, Cone, Core, Cuboid, Cylinder, DynSupport, Ellipsoid, Extreme, Hull, NO_ID, Points, Posed,
    Projection, Rim, Rounded, Segment, SupportMap, Tetrahedron, Triangle,
};
pub use vector::VectorSpace;
