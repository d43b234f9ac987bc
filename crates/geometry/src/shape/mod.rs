//! Shapes given by a pose and sizes, and convex hulls.

mod capsule;
mod cone;
mod convex;
mod cylinder;
mod ellipsoid;
mod hull_distance;
mod oriented_box;
mod placed;
mod plane;
mod sized;
mod sphere;
mod support_shape;

pub use capsule::Capsule;
pub use cone::Cone;
pub use convex::Convex;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use oriented_box::OrientedBox;
pub(crate) use placed::{Placed, posed, posed_geometry};
pub use plane::Plane;
pub use sized::{ShapeType, SizeField, SizedShape, Turn};
pub use sphere::Sphere;
pub use support_shape::SupportShape;
