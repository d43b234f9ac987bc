//! Convex geometries as the cores of the convex queries.

use crate::Pose;
use nalgebra::Vector3;
use palpate_convex::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, FacedHull, SupportMap};

/// The core of a convex geometry in its own frame: a closed set of types, so that queries run without indirection.
#[derive(Clone, Copy)]
pub enum ConvexCore<'a> {
    /// A ball.
    Ball(Ball),
    /// A capsule.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A box.
    Cuboid(Cuboid<Vector3<f64>>),
    /// A cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A hull of points.
    Hull(FacedHull<'a>),
    /// A user's shape, known by its support map alone.
    Other,
}

/// A convex geometry: its core, the pose that places it, and its support map.
#[derive(Clone, Copy)]
pub struct ConvexShape<'a> {
    core: ConvexCore<'a>,
    pose: Pose,
    map: &'a dyn SupportMap,
}

impl<'a> ConvexShape<'a> {
    /// Creates a shape whose core is known. `map` is the support map of the posed core, world frame.
    pub(crate) fn new(core: ConvexCore<'a>, pose: &Pose, map: &'a dyn SupportMap) -> Self {
        Self { core, pose: *pose, map }
    }

    /// Creates a shape that is known by its support map alone, world frame.
    pub fn other(map: &'a dyn SupportMap) -> Self {
        Self { core: ConvexCore::Other, pose: Pose::identity(), map }
    }

    /// Returns the core, in its own frame.
    pub fn core(&self) -> ConvexCore<'a> {
        self.core
    }

    /// Returns the pose of the core, local to world; the identity for [`ConvexCore::Other`].
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the support map, world frame.
    pub fn support_map(&self) -> &'a dyn SupportMap {
        self.map
    }
}
