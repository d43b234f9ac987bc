//! Shapes and meshes: validated on construction, versioned, with derived data.
//!
//! **Conventions** of the whole crate: metres, radians, a right-handed world frame; the axis of a capsule and of a
//! cylinder is their local +y; a quaternion is (w, x, y, z); a signed distance is negative inside, and its gradient is
//! the unit direction of increase.
//!
//! A geometry stores two states: the current coordinates and, once [`Geometry::advance`] was called, the previous ones.

mod cells;
mod compound;
mod content;
mod convex_shape;
pub mod derived;
mod geometry;
pub mod health;
pub mod implicit;
pub mod mend;
mod mesh;
mod needs;
pub mod pick;
mod point_set;
mod rigid_motion;
mod shape;
mod solid_distance;
mod typed_geometry;
mod version;

pub use cells::cells_left;
pub use compound::Compound;
pub use convex_shape::{ConvexCore, ConvexShape};
pub use geometry::{Geometry, downcast};
pub use health::DisjointSets;
pub use implicit::ImplicitBody;
pub use mesh::{CellMap, LineMesh, Sidedness, SurfaceFeature, SurfaceMesh, SurfaceNearest, TetraMesh};
pub use needs::Needs;
pub use palpate_implicit::base::{
    GeometryError, GeometryKind, LARGEST, Pose, SMALLEST, SignedDistance, pose,
};
pub use point_set::PointSet;
pub use rigid_motion::RigidMotion;
pub use shape::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, OrientedBox, Plane, ShapeType, SizeField, SizedShape, Sphere,
    SupportShape, Turn,
};
pub use solid_distance::{SolidDistance, signed_distance};
pub use typed_geometry::TypedGeometry;
pub use version::Version;

use palpate_implicit::base::validate;
