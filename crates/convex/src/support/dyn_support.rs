//! Object-safe support map, in the world frame.

use nalgebra::Vector3;
use palpate_math::{Point, Vector};

use super::{Core, Extreme, NO_ID};

/// A convex shape given by its support map in the world frame (Gilbert, Johnson, Keerthi 1988).
///
/// The open, object-safe form: implemented by user-defined shapes, and used by detectors that do not know the shape's
/// type. [`DynSupport`] adapts it to the queries of this crate.
pub trait SupportMap: Sync {
    /// Returns a support point of the shape along `direction` (world frame, any non-zero length): for all points `x` of
    /// the shape, `direction · support >= direction · x`, up to rounding error. Ties may go to any point, but always
    /// the same for the same direction.
    fn support(&self, direction: &Vector) -> Point;
}

/// Adapts a world-frame [`SupportMap`] to a [`Core`]. The local frame is the world translated to the shape's middle, so
/// that shapes far from the origin lose no accuracy.
pub struct DynSupport<'a> {
    shape: &'a dyn SupportMap,
    middle: Vector,
    bounding_radius: f64,
}

impl<'a> DynSupport<'a> {
    /// Wraps a shape; computes its middle and size by six supports.
    pub fn new(shape: &'a dyn SupportMap) -> Self {
        let [x, y, z] = [Vector::x(), Vector::y(), Vector::z()]
            .map(|axis| (shape.support(&-axis).coords.dot(&axis), shape.support(&axis).coords.dot(&axis)));
        let middle = Vector::new((x.0 + x.1) * 0.5, (y.0 + y.1) * 0.5, (z.0 + z.1) * 0.5);
        let bounding_radius = Vector::new(x.1 - x.0, y.1 - y.0, z.1 - z.0).norm() * 0.5;
        Self { shape, middle, bounding_radius }
    }

    /// Returns the centre of the shape's bounding box, world frame: the translation of the pose to use in queries.
    pub fn middle(&self) -> Vector {
        self.middle
    }
}

impl Core<Vector3<f64>> for DynSupport<'_> {
    const CURVED: bool = true;

    fn support(&self, direction: Vector, _near: u32) -> Extreme<Vector> {
        Extreme { point: self.shape.support(&direction).coords - self.middle, id: NO_ID }
    }

    fn vertex(&self, _id: u32) -> Option<Vector> {
        None
    }

    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}
