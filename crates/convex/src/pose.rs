//! Where a shape is.

use crate::vector::VectorSpace;

/// A rigid pose: turns a shape's own frame into the world's, `world = rotation * own + translation`.
///
/// The rotation is trusted to be orthonormal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<V: VectorSpace> {
    /// An orthonormal matrix with determinant one.
    pub rotation: V::Rotation,
    /// Where the shape's own origin is, world frame.
    pub translation: V,
}

impl<V: VectorSpace> Pose<V> {
    /// A pose by its rotation and translation.
    #[inline]
    pub fn new(rotation: V::Rotation, translation: V) -> Self {
        Self { rotation, translation }
    }

    /// A pose that only moves.
    #[inline]
    pub fn at(translation: V) -> Self {
        Self { rotation: V::identity(), translation }
    }

    /// The pose that leaves the shape's frame the world's.
    #[inline]
    pub fn identity() -> Self {
        Self::at(V::zero())
    }

    /// A point of the shape's own frame, in the world.
    #[inline(always)]
    pub fn point(&self, own: V) -> V {
        own.rotated(&self.rotation) + self.translation
    }

    /// A point of the world, in the shape's own frame.
    #[inline(always)]
    pub fn own(&self, world: V) -> V {
        (world - self.translation).unrotated(&self.rotation)
    }

    /// The pose of a shape at `inner` as seen from the frame of a shape at `self`. The difference of the two translations
    /// is taken first, so that shapes far from the world's origin lose nothing.
    #[inline(always)]
    pub fn relative(&self, inner: &Self) -> Self {
        Self {
            rotation: V::relative(&self.rotation, &inner.rotation),
            translation: self.own(inner.translation),
        }
    }
}

impl<V: VectorSpace> Default for Pose<V> {
    fn default() -> Self {
        Self::identity()
    }
}
