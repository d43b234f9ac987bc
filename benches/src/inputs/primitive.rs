//! A primitive as palpate's geometry and as parry's shape.

use crate::Fallible;
use crate::parry::vectors;
use crate::sample::Sample;
use palpate::geometry::{Capsule, Convex, Cylinder, Geometry, OrientedBox, Plane, Pose, Sphere};
use palpate::math::{Point, Vector};
use parry3d_f64::glamx::{DPose3, DQuat, DVec3};
use parry3d_f64::shape;

/// Typical size of tools and instruments, in metres.
const SIZE: f64 = 0.01;

/// A primitive that can be sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    Plane,
    Sphere,
    Capsule,
    Cylinder,
    OrientedBox,
    /// The hull of 32 points on an ellipsoid.
    Hull,
}

/// The corners of a hull.
const CORNERS: usize = 32;

/// One primitive for both libraries, at the same pose.
pub(crate) struct Posed {
    pub(crate) palpate: Box<dyn Geometry>,
    pub(crate) pose: DPose3,
    pub(crate) parry: Box<dyn shape::Shape>,
}

impl Primitive {
    /// A primitive of random size at a random position within `spread` metres of `near`, with a random rotation.
    pub(crate) fn sample(self, sample: &mut Sample, near: Point, spread: f64) -> Fallible<Posed> {
        let position = near + sample.in_ball() * spread;
        let pose = sample.pose_at(position)?;
        let radius = SIZE * sample.between(0.5, 1.5);
        let length = SIZE * sample.between(1.0, 4.0);
        let half = Vector::from_fn(|_, _| SIZE * sample.between(0.5, 2.0));
        let position = Point::from(pose.translation.vector);
        let (palpate, parry): (Box<dyn Geometry>, Box<dyn shape::Shape>) = match self {
            Self::Plane => (
                Box::new(Plane::new(position, pose.rotation * Vector::y())?),
                Box::new(shape::HalfSpace::new(DVec3::Y)),
            ),
            Self::Sphere => (Box::new(Sphere::new(position, radius)?), Box::new(shape::Ball::new(radius))),
            Self::Capsule => (
                Box::new(Capsule::new(pose, radius, length)?),
                Box::new(shape::Capsule::new_y(0.5 * length, radius)),
            ),
            Self::Cylinder => (
                Box::new(Cylinder::new(pose, radius, length)?),
                Box::new(shape::Cylinder::new(0.5 * length, radius)),
            ),
            Self::OrientedBox => {
                let half_extents = DVec3::new(half.x, half.y, half.z);
                (Box::new(OrientedBox::new(pose, half)?), Box::new(shape::Cuboid::new(half_extents)))
            }
            Self::Hull => {
                let corner = || Point::from(sample.direction().component_mul(&half));
                let corners: Vec<Point> = std::iter::repeat_with(corner).take(CORNERS).collect();
                let peer = shape::ConvexPolyhedron::from_convex_hull(&vectors(&corners));
                (Box::new(Convex::new(pose, &corners)?), Box::new(peer.ok_or("the hull is flat")?))
            }
        };
        Ok(Posed { palpate, pose: converted(&pose), parry })
    }
}

/// The pose in parry's types.
fn converted(pose: &Pose) -> DPose3 {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    DPose3 { rotation: DQuat::from_xyzw(q.x, q.y, q.z, q.w), translation: DVec3::new(t.x, t.y, t.z) }
}
