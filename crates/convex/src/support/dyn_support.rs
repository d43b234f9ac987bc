//! The object-safe support map, in the world frame.

use nalgebra::Vector3;
use palpate_math::{Point, Vector};

use super::{Core, Extreme, NO_ID};

/// A convex shape, known by its support map in the world frame (Gilbert, Johnson, Keerthi 1988).
///
/// This is the open, object-safe form: what a shape of a user's own implements, and what a detector sees when it does not
/// know the shape's type. [`DynSupport`] lets the queries of this crate use it.
pub trait SupportMap: Sync {
    /// A point of the shape that is farthest along `direction` (world frame, any length but zero): for all points `x`
    /// of the shape, `direction · support >= direction · x`, to rounding. Of several such points any one, but always
    /// the same for the same direction.
    fn support(&self, direction: &Vector) -> Point;
}

/// A [`SupportMap`] of the world as a [`Core`] whose own frame is the world, moved to a middle so that shapes far from the
/// origin lose nothing.
pub struct DynSupport<'a> {
    shape: &'a dyn SupportMap,
    middle: Vector,
    bounding_radius: f64,
}

impl<'a> DynSupport<'a> {
    /// Wraps a shape; asks it for six support points to find its middle and its size.
    pub fn new(shape: &'a dyn SupportMap) -> Self {
        let [x, y, z] = [Vector::x(), Vector::y(), Vector::z()]
            .map(|axis| (shape.support(&-axis).coords.dot(&axis), shape.support(&axis).coords.dot(&axis)));
        let middle = Vector::new((x.0 + x.1) * 0.5, (y.0 + y.1) * 0.5, (z.0 + z.1) * 0.5);
        let bounding_radius = Vector::new(x.1 - x.0, y.1 - y.0, z.1 - z.0).norm() * 0.5;
        Self { shape, middle, bounding_radius }
    }

    /// The middle of the shape's box, world frame: the translation of the pose to query the dyn_support with.
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
