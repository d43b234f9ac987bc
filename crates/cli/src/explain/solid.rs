//! A convex geometry as the core used by the queries.

use nalgebra::{Matrix3, Vector3};
use palpate::convex::{
    Ball, Capsule, Cone, Core, Cuboid, Cylinder, Ellipsoid, Extreme, Hull, RigidTransform, Rounded,
};
use palpate::geometry::{self, ConvexCore, Geometry};

/// The convex types, as listed in errors.
pub(crate) const TYPES: &str =
    "one of Sphere, Capsule, Cylinder, Cone, OrientedBox, Ellipsoid, Convex, or Polygon for both";

/// A 3D convex shape in its local frame; `CURVED` says whether its core is curved.
pub(crate) struct Solid<const CURVED: bool>(Kind);

/// One of the convex kinds.
pub(crate) enum Kind {
    Ball(Ball),
    Capsule(Capsule),
    Cylinder(Cylinder),
    Cone(Cone),
    Cuboid(Cuboid<Vector3<f64>>),
    Ellipsoid(Ellipsoid),
    Hull(Box<Rounded<Hull>>),
}

macro_rules! each {
    ($kind:expr, $shape:ident => $body:expr) => {
        match $kind {
            Kind::Ball($shape) => $body,
            Kind::Capsule($shape) => $body,
            Kind::Cylinder($shape) => $body,
            Kind::Cone($shape) => $body,
            Kind::Cuboid($shape) => $body,
            Kind::Ellipsoid($shape) => $body,
            Kind::Hull(boxed) => {
                let $shape = boxed.as_ref();
                $body
            }
        }
    };
}

impl Kind {
    /// The shape of a geometry and its pose; `None` if it is not convex.
    pub(crate) fn of(geometry: &dyn Geometry) -> Option<(Self, RigidTransform<Vector3<f64>>)> {
        let convex = geometry.as_convex()?;
        let kind = match convex.core() {
            ConvexCore::Ball(core) => Self::Ball(core),
            ConvexCore::Capsule(core) => Self::Capsule(core),
            ConvexCore::Cylinder(core) => Self::Cylinder(core),
            ConvexCore::Cone(core) => Self::Cone(core),
            ConvexCore::Cuboid(core) => Self::Cuboid(core),
            ConvexCore::Ellipsoid(core) => Self::Ellipsoid(core),
            ConvexCore::Hull(core) => {
                Self::Hull(Box::new(Rounded { shape: core.hull.clone(), radius: core.radius }))
            }
            ConvexCore::Other => return None,
        };
        Some((kind, pose(convex.pose())))
    }

    /// Whether the core has a curved part.
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self, Self::Cylinder(_) | Self::Cone(_) | Self::Ellipsoid(_))
    }

    /// The shape as a core. `CURVED` must be true for a curved shape.
    pub(crate) fn solid<const CURVED: bool>(self) -> Solid<CURVED> {
        Solid(self)
    }
}

fn pose(pose: &geometry::Pose) -> RigidTransform<Vector3<f64>> {
    let rotation: Matrix3<f64> = pose.rotation.to_rotation_matrix().into_inner();
    RigidTransform::new(rotation, pose.translation.vector)
}

/// Signed distances and cylinders are not exposed: they would select a closed form, which has no iterations to show.
impl<const CURVED: bool> Core<Vector3<f64>> for Solid<CURVED> {
    const CURVED: bool = CURVED;

    fn support(&self, direction: Vector3<f64>, near: u32) -> Extreme<Vector3<f64>> {
        each!(&self.0, shape => Core::<Vector3<f64>>::support(shape, direction, near))
    }

    fn vertex(&self, id: u32) -> Option<Vector3<f64>> {
        each!(&self.0, shape => Core::<Vector3<f64>>::vertex(shape, id))
    }

    fn bounding_radius(&self) -> f64 {
        each!(&self.0, shape => Core::<Vector3<f64>>::bounding_radius(shape))
    }

    fn center(&self) -> Vector3<f64> {
        each!(&self.0, shape => Core::<Vector3<f64>>::center(shape))
    }

    fn radius(&self) -> f64 {
        each!(&self.0, shape => Core::<Vector3<f64>>::radius(shape))
    }
}
