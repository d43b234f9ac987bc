//! Support map of the Minkowski difference `A - B` of two posed cores.
//!
//! The shapes are apart exactly when the origin lies outside the difference; the distance to its closest point is their
//! separation. All computation is in the frame of the first shape: only the second is posed, and only directions and
//! single points are transformed, never all vertices.

use crate::pose::RigidTransform;
use crate::support::Core;
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// Two cores and the pose of the second relative to the first.
pub(crate) struct MinkowskiDifference<'a, V: VectorSpace, A, B> {
    pub(crate) a: &'a A,
    pub(crate) b: &'a B,
    /// The pose of `b` in the frame of `a`.
    pub(crate) b_in_a: RigidTransform<V>,
    /// The size of the input: the sum of the bounding radii and radii of both shapes. Tolerances are relative to it.
    pub(crate) size: f64,
    /// Bound on the rounding error of a length.
    pub(crate) rounding_error: f64,
}

/// A Minkowski difference whose cores are not known by type. Code that runs seldom uses it through `dyn`, so that it is
/// compiled once and not for every pair of cores.
pub(crate) trait Difference<V: VectorSpace> {
    /// Returns a support vertex along a direction, with hints for the hill climbing.
    fn support(&self, direction: V, near: [u32; 2]) -> Vertex<V>;
    /// The size of the input.
    fn size(&self) -> f64;
    /// Bound on the rounding error of a length.
    fn rounding_error(&self) -> f64;
    /// Whether both cores are polyhedra.
    fn is_straight(&self) -> bool;
}

impl<V: VectorSpace, A: Core<V>, B: Core<V>> Difference<V> for MinkowskiDifference<'_, V, A, B> {
    #[inline(always)]
    fn support(&self, direction: V, near: [u32; 2]) -> Vertex<V> {
        self.support(direction, near)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.size
    }

    #[inline(always)]
    fn rounding_error(&self) -> f64 {
        self.rounding_error
    }

    #[inline(always)]
    fn is_straight(&self) -> bool {
        !(A::CURVED || B::CURVED)
    }
}

/// Rounding errors a coordinate of the difference accumulates: rotation, translation, subtraction.
const ROUNDINGS: f64 = 8.0;

impl<'a, V: VectorSpace, A: Core<V>, B: Core<V>> MinkowskiDifference<'a, V, A, B> {
    /// Whether one of the cores has a curved part.
    pub(crate) const CURVED: bool = A::CURVED || B::CURVED;
    /// Whether one of the cores is the hull of at most three points.
    pub(crate) const HAS_CORNERS: bool = A::CORNERS > 0 || B::CORNERS > 0;

    #[inline(always)]
    pub(crate) fn new(a: &'a A, b: &'a B, b_in_a: RigidTransform<V>) -> Self {
        let cores = a.bounding_radius() + b.bounding_radius();
        let rounding_error = (ROUNDINGS * f64::EPSILON) * (cores + b_in_a.translation.largest());
        Self { a, b, b_in_a, size: cores + (a.radius() + b.radius()), rounding_error }
    }

    /// Returns a support vertex of the difference along a direction (frame of `a`), with hints for the hill climbing.
    #[inline(always)]
    pub(crate) fn support(&self, direction: V, near: [u32; 2]) -> Vertex<V> {
        let on_a = self.a.support(direction, near[0]);
        let towards_b = if B::PLACED { -direction } else { (-direction).unrotated(&self.b_in_a.rotation) };
        let on_b = self.b.support(towards_b, near[1]);
        let point = on_a.point - self.of_b(on_b.point);
        Vertex { point, on_a: on_a.point, ids: [on_a.id, on_b.id] }
    }

    /// Transforms a point of B to the frame of `a`.
    #[inline(always)]
    fn of_b(&self, own: V) -> V {
        if B::PLACED { own } else { self.b_in_a.point(own) }
    }

    /// Returns an initial direction from B to A: between the centers, or the first axis if they coincide.
    #[inline(always)]
    pub(crate) fn guess(&self) -> V {
        let towards_a = self.a.center() - self.of_b(self.b.center());
        if towards_a.largest() > self.rounding_error { towards_a } else { V::axis(0) }
    }

    /// Returns the vertex with these ids, if both name vertices.
    #[inline]
    pub(crate) fn vertex(&self, ids: [u32; 2]) -> Option<Vertex<V>> {
        let on_a = self.a.vertex(ids[0])?;
        let on_b = self.b.vertex(ids[1])?;
        Some(Vertex { point: on_a - self.of_b(on_b), on_a, ids })
    }
}
