//! What an implicit function is, for whoever writes it down.

use super::{Grid, ImplicitBody, ImplicitFunction, Torus};
use crate::{Capsule, Cone, Convex, Cylinder, Ellipsoid, OrientedBox, Plane, Sphere};
use std::sync::Arc;

/// What an implicit function is made of. The same made of the same is the same function, to the last bit.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Description<'a> {
    /// A ball.
    Sphere(&'a Sphere),
    /// A capsule.
    Capsule(&'a Capsule),
    /// A cylinder.
    Cylinder(&'a Cylinder),
    /// A box.
    OrientedBox(&'a OrientedBox),
    /// An ellipsoid.
    Ellipsoid(&'a Ellipsoid),
    /// A cone.
    Cone(&'a Cone),
    /// A convex hull.
    Convex(&'a Convex),
    /// What is below a plane, or a sheet.
    Plane(&'a Plane),
    /// A ring.
    Torus(&'a Torus),
    /// A grid of samples.
    Grid(&'a Grid),
    /// Another function with a pose and a scale.
    Body(&'a ImplicitBody),
    /// What is inside of any of these.
    Union(&'a [Arc<dyn ImplicitFunction>]),
    /// What is inside of all of these; a difference has [complements](Self::Complement) among them.
    Intersection(&'a [Arc<dyn ImplicitFunction>]),
    /// What is outside of this: the second and all later parts of a difference.
    Complement(&'a Arc<dyn ImplicitFunction>),
    /// The union of these, its seams filled by a radius in metres.
    SmoothUnion(&'a [Arc<dyn ImplicitFunction>], f64),
    /// This grown by a distance in metres.
    Offset(&'a Arc<dyn ImplicitFunction>, f64),
}
