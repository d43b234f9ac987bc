//! Support maps of convex shapes, one file per shape.
//!
//! A shape is a *core*, known by its support map in the shape's own frame, and a *radius* that rounds it: the shape is
//! every point no farther than the radius from the core. A ball is a point with a radius, a capsule a segment with one;
//! two rounded shapes whose cores are apart are settled by the distance of the cores alone.

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
pub(crate) use small_hull::SmallHull;
pub use tetrahedron::Tetrahedron;
pub use triangle::Triangle;

/// The id of a point that has none: a point of a curved surface.
pub const NO_ID: u32 = u32::MAX;

/// A farthest point of a core along some direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme<V> {
    /// The point, in the core's own frame.
    pub point: V,
    /// Which vertex it is, or [`NO_ID`] on a curved surface. Equal ids are equal points.
    pub id: u32,
}

/// The signed distance from a point to a core, where that has a closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<V> {
    /// Negative inside.
    pub distance: f64,
    /// The unit direction in which the distance grows fastest (one of them where there are several).
    pub outward: V,
}

/// A circle about the local y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Not negative.
    pub radius: f64,
    /// Where on the axis the center is.
    pub height: f64,
}

/// A convex shape in its own frame, by its support map (Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083).
pub trait Core<V: VectorSpace> {
    /// Whether the surface of the core has a curved part. A core without one has finitely many vertices, each with an id.
    const CURVED: bool;
    /// Whether the core is the origin alone.
    const POINT: bool = false;
    /// How many points the core is the hull of, their ids from zero on, where they are three at most; else zero.
    #[doc(hidden)]
    const CORNERS: u32 = 0;
    /// Whether the points are given in the frame of the shape it is compared with, so that its pose is done with.
    #[doc(hidden)]
    const PLACED: bool = false;

    /// A point of the core that is farthest along `direction` (any length but zero).
    ///
    /// `near` is the id of a vertex thought to be near the answer, or [`NO_ID`]: a hint that changes the cost, and which of
    /// several equally far points is given, nothing else.
    fn support(&self, direction: V, near: u32) -> Extreme<V>;

    /// The vertex of that id, where ids name vertices.
    fn vertex(&self, id: u32) -> Option<V>;

    /// No point of the core is farther than this from the origin of its own frame.
    fn bounding_radius(&self) -> f64;

    /// A point well inside the core: where the search for a direction between two shapes starts.
    #[inline(always)]
    fn center(&self) -> V {
        V::zero()
    }

    /// The radius by which the core is rounded; zero if it is not.
    #[inline(always)]
    fn radius(&self) -> f64 {
        0.0
    }

    /// The signed distance from a point of the own frame to the core, where a closed form is known.
    #[inline(always)]
    fn project(&self, _point: V) -> Option<Projection<V>> {
        None
    }

    /// The points of the core, if they are so few that it is best to turn them all.
    #[doc(hidden)]
    #[inline(always)]
    fn few(&self) -> Option<&SmallHull> {
        None
    }

    /// The core as the hull of two circles about the local y axis, each by radius and height, if it is one: a cylinder, a
    /// cone, a capsule's segment.
    #[inline(always)]
    fn rims(&self) -> Option<[Rim; 2]> {
        None
    }
}
