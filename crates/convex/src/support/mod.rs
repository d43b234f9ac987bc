//! Support maps of convex shapes, one file per shape.
//!
//! A shape is a *core*, given by its support map in the local frame, and a *radius* that rounds it: the shape is the
//! set of points within the radius of the core. A ball is a point with a radius, a capsule a segment with one; two
//! rounded shapes whose cores are apart only need the distance of the cores.

mod ball;
mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod dyn_support;
mod ellipsoid;
mod hull;
mod lanes;
mod neighbours;
mod points;
mod posed;
mod rounded;
mod scan;
mod segment;
mod small_hull;
mod support_cubemap;

mod tetrahedron;
mod triangle;

use crate::vector::VectorSpace;

pub use ball::Ball;
pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use dyn_support::{DynSupport, SupportMap};
pub use ellipsoid::Ellipsoid;
pub use hull::Hull;
pub use points::Points;
pub use posed::Posed;
pub use rounded::Rounded;
pub(crate) use scan::farthest_of_many;
pub use segment::Segment;
pub(crate) use small_hull::{SmallHull, farthest_against_and_along};
pub use tetrahedron::Tetrahedron;
pub use triangle::Triangle;

/// The id of a point that is not a vertex: a point of a curved surface.
pub const NO_ID: u32 = u32::MAX;

/// A support point of a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme<V> {
    /// The point, in the core's local frame.
    pub point: V,
    /// The vertex id, or [`NO_ID`] on a curved surface. Equal ids are equal points.
    pub id: u32,
}

/// The signed distance from a point to a core, where a closed form exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<V> {
    /// Negative inside.
    pub distance: f64,
    /// The unit gradient of the distance (one of them where there are several).
    pub outward: V,
}

/// A circle about the local y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Not negative.
    pub radius: f64,
    /// Height of the center on the axis.
    pub height: f64,
}

/// A convex shape in its local frame, given by its support map (Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083).
pub trait Core<V: VectorSpace> {
    /// Whether the surface of the core has a curved part. Otherwise it has finitely many vertices, each with an id.
    const CURVED: bool;
    /// Whether the core is only the origin.
    const POINT: bool = false;
    /// The number of points whose hull is the core, with ids from zero on, if at most three; else zero.
    #[doc(hidden)]
    const CORNERS: u32 = 0;
    /// Whether the points are already given in the frame of the other shape, with the pose applied.
    #[doc(hidden)]
    const PLACED: bool = false;

    /// Returns a support point of the core along `direction` (any non-zero length).
    ///
    /// `near` is the id of a vertex likely to be near the result, or [`NO_ID`]: a hint that only affects the cost, and
    /// which of several equally far points is returned.
    fn support(&self, direction: V, near: u32) -> Extreme<V>;

    /// Returns the vertex with that id, where ids name vertices.
    fn vertex(&self, id: u32) -> Option<V>;

    /// Returns a bound on the distance of the core's points from the local origin.
    fn bounding_radius(&self) -> f64;

    /// Returns a point well inside the core, used for the initial direction between two shapes.
    #[inline(always)]
    fn center(&self) -> V {
        V::zero()
    }

    /// Returns the rounding radius of the core; zero if it is not rounded.
    #[inline(always)]
    fn radius(&self) -> f64 {
        0.0
    }

    /// Returns the signed distance from a point in the local frame to the core, where a closed form is known.
    #[inline(always)]
    fn project(&self, _point: V) -> Option<Projection<V>> {
        None
    }

    /// Returns the points of the core, if they are so few that transforming them all is fastest.
    #[doc(hidden)]
    #[inline(always)]
    fn few(&self) -> Option<&SmallHull> {
        None
    }

    /// Returns a number that two cores of this type share only if they are equal (to one in 2^64), if their vertices have
    /// lasting ids: what is kept between queries is used again for the same shapes alone.
    #[doc(hidden)]
    #[inline(always)]
    fn fingerprint(&self) -> Option<u64> {
        None
    }

    /// Returns the core as the hull of two circles about the local y axis, each by radius and height, if it is one: a
    /// cylinder, a cone, a capsule's segment.
    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        None
    }
}
