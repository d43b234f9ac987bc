//! Convex geometries by type.

use crate::{Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose, Sphere};
use palpate_convex::SupportMap;

/// A convex geometry as its own type, so that queries run without indirection.
#[derive(Clone, Copy)]
pub enum ConvexShape<'a> {
    /// A ball.
    Sphere(&'a Sphere),
    /// A capsule.
    Capsule(&'a Capsule),
    /// A cylinder.
    Cylinder(&'a Cylinder),
    /// A box.
    OrientedBox(&'a OrientedBox),
    /// A cone.
    Cone(&'a Cone),
    /// An ellipsoid.
    Ellipsoid(&'a Ellipsoid),
    /// A hull of points.
    Convex(&'a Convex),
    /// A shape of a user's own, known by its support map alone.
    Other(&'a dyn SupportMap),
}

/// Evaluates `$value` with `$shape` bound to the shape of a [`ConvexShape`] that is not `Other`.
macro_rules! of_own {
    ($convex:expr, $other:pat => $otherwise:expr, $shape:ident => $value:expr) => {
        match $convex {
            ConvexShape::Sphere($shape) => $value,
            ConvexShape::Capsule($shape) => $value,
            ConvexShape::Cylinder($shape) => $value,
            ConvexShape::OrientedBox($shape) => $value,
            ConvexShape::Cone($shape) => $value,
            ConvexShape::Ellipsoid($shape) => $value,
            ConvexShape::Convex($shape) => $value,
            ConvexShape::Other($other) => $otherwise,
        }
    };
}

impl<'a> ConvexShape<'a> {
    /// The support map, world frame.
    pub fn support_map(self) -> &'a dyn SupportMap {
        of_own!(self, map => map, shape => shape)
    }

    /// The pose; `None` of a shape of a user's own.
    pub fn pose(self) -> Option<&'a Pose> {
        of_own!(self, _ => None, shape => Some(shape.pose()))
    }

    /// The box at the current pose alone, not swept over the step; `None` of a shape of a user's own.
    pub fn bounds_at_rest(self) -> Option<palpate_math::Aabb> {
        of_own!(self, _ => None, shape => {
            let mut still = shape.clone();
            // A pose that the shape has is a valid one.
            still.set_previous_pose(*shape.pose()).ok()?;
            Some(Geometry::bounds(&still))
        })
    }
}
