//! Point and vector types.

/// A point in space: three `f64` coordinates, 24 bytes, `repr(C)`.
pub type Point = nalgebra::Point3<f64>;

/// A displacement, direction or force: three `f64` components, 24 bytes, `repr(C)`.
pub type Vector = nalgebra::Vector3<f64>;
