//! Rigid poses.

use crate::vector::VectorSpace;

/// A rigid pose: transforms a shape's local frame to the world, `world = rotation * local + translation`.
///
/// The rotation is assumed orthonormal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidTransform<V: VectorSpace> {
    /// An orthonormal matrix with determinant one.
    pub rotation: V::Rotation,
    /// The position of the shape's local origin, world frame.
    pub translation: V,
}

impl<V: VectorSpace> RigidTransform<V> {
    /// Creates a pose from a rotation and a translation.
    #[inline]
    pub fn new(rotation: V::Rotation, translation: V) -> Self {
        Self { rotation, translation }
    }

    /// Creates a pose that only translates.
    #[inline]
    pub fn at(translation: V) -> Self {
        Self { rotation: V::identity(), translation }
    }

    /// Returns the identity pose.
    #[inline]
    pub fn identity() -> Self {
        Self::at(V::zero())
    }

    /// Transforms a point from the local frame to the world.
    #[inline(always)]
    pub fn point(&self, own: V) -> V {
        own.rotated(&self.rotation) + self.translation
    }

    /// Transforms a point from the world to the local frame.
    #[inline(always)]
    pub fn own(&self, world: V) -> V {
        (world - self.translation).unrotated(&self.rotation)
    }

    /// Returns the pose of a shape at `inner` in the frame of a shape at `self`. The translations are subtracted first,
    /// so that shapes far from the world origin lose no accuracy.
    #[inline(always)]
    pub fn relative(&self, inner: &Self) -> Self {
        Self {
            rotation: V::relative(&self.rotation, &inner.rotation),
            translation: self.own(inner.translation),
        }
    }
}

impl<V: VectorSpace> Default for RigidTransform<V> {
    fn default() -> Self {
        Self::identity()
    }
}
