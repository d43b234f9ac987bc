//! Shapes and meshes: validated on construction, versioned, with derived data.
//!
//! **Conventions** of the whole crate: metres, radians, a right-handed world frame; the axis of a capsule and of a
//! cylinder is their local +y; a quaternion is (w, x, y, z); a signed distance is negative inside, and its gradient is
//! the unit direction of increase.
//!
//! A geometry stores two states: the current coordinates and, once [`Geometry::advance`] was called, the previous ones.

mod capsule;
mod compound;
mod cone;
mod content;
mod convex;
mod convex_shape;
mod cylinder;
pub mod derived;
mod ellipsoid;
mod error;
mod geometry;
pub mod health;
mod hull_distance;
pub mod implicit;
mod kind;
mod line_mesh;
mod needs;
mod oriented_box;
pub mod pick;
mod placed;
mod plane;
mod point_geometry;
mod point_set;
pub mod pose;
mod sidedness;
mod signed_distance;
mod solid_distance;
mod sphere;
mod surface_mesh;
mod tetra_mesh;
mod validate;
mod version;

pub use capsule::Capsule;
pub use compound::Compound;
pub use cone::Cone;
pub use convex::Convex;
pub use convex_shape::{ConvexCore, ConvexShape};
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use error::GeometryError;
pub use geometry::{Geometry, downcast};
pub use implicit::ImplicitBody;
pub use kind::GeometryKind;
pub use line_mesh::LineMesh;
pub use needs::Needs;
pub use oriented_box::OrientedBox;
pub use plane::Plane;
pub use point_set::PointSet;
pub use pose::Pose;
pub use sidedness::Sidedness;
pub use signed_distance::{Implicit, SignedDistance};
pub use solid_distance::{SolidDistance, signed_distance};
pub use sphere::Sphere;
pub use surface_mesh::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
pub use tetra_mesh::TetraMesh;
pub use version::Version;
