//! Pose, previous pose and version of a primitive.

use crate::{Pose, RigidMotion, Version};
use palpate_math::{Aabb, Point};

/// The two poses of a primitive.
///
/// The field order keeps the pose next to the fields that precede it in a primitive, which saves a cache miss for an
/// uncached pair.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Placed {
    pub(crate) pose: Pose,
    pub(crate) version: Version,
    pub(crate) previous: Option<Pose>,
}

/// Two shapes at the same poses are equal, whatever their versions.
impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.pose == other.pose && self.previous == other.previous
    }
}

impl Placed {
    pub(crate) fn new(pose: Pose) -> Self {
        Self { pose, previous: None, version: Version::new() }
    }

    pub(crate) fn set(&mut self, pose: Pose) {
        self.pose = pose;
        self.version.moved();
    }

    /// Returns the same poses with another version: the sizes have changed.
    #[must_use]
    pub(crate) fn changed(self) -> Self {
        Self { version: Version::new(), ..self }
    }

    pub(crate) fn advance(&mut self) {
        self.previous = Some(self.pose);
    }

    pub(crate) fn center(&self) -> Point {
        Point::from(self.pose.translation.vector)
    }

    /// Returns the box over the motion from the previous pose, given the box at a pose.
    pub(crate) fn swept(&self, bounds: impl Fn(&Pose) -> Aabb) -> Aabb {
        match &self.previous {
            Some(previous) => RigidMotion::new(previous, &self.pose).swept(bounds),
            None => bounds(&self.pose),
        }
    }

    /// Returns the sizes and the numbers of the pose, for [`crate::Geometry::content`].
    pub(crate) fn content(&self, sizes: &[f64]) -> Vec<f64> {
        let mut content = sizes.to_vec();
        content.extend(self.pose.translation.vector.iter());
        content.extend(self.pose.rotation.coords.iter());
        content
    }
}

/// Implements the methods shared by all primitives: the pose and its history. `$shape` has a field `placed`.
macro_rules! posed {
    ($shape:ident) => {
        impl $shape {
            /// Returns the pose: local to world, metres.
            pub fn pose(&self) -> &$crate::Pose {
                &self.placed.pose
            }

            /// Returns the pose at the last [`advance`](crate::Geometry::advance), if there was one.
            pub fn previous_pose(&self) -> Option<&$crate::Pose> {
                self.placed.previous.as_ref()
            }

            /// Returns the centre: the origin of the pose, world frame.
            pub fn center(&self) -> palpate_math::Point {
                self.placed.center()
            }

            /// Moves the shape. Errors: a non-finite coordinate.
            pub fn set_pose(&mut self, pose: $crate::Pose) -> Result<(), $crate::GeometryError> {
                $crate::validate::rigid("the position", &pose)?;
                self.placed.set(pose);
                Ok(())
            }

            /// Sets the pose of the previous step. Errors: a non-finite coordinate.
            pub fn set_previous_pose(&mut self, pose: $crate::Pose) -> Result<(), $crate::GeometryError> {
                $crate::validate::rigid("the previous position", &pose)?;
                self.placed.previous = Some(pose);
                Ok(())
            }
        }
    };
}
pub(crate) use posed;

/// The methods of [`Geometry`](crate::Geometry) that all shapes with a field `placed` and a box at a pose, `bounds_at`, share;
/// `$same` says whether two of them differ in their poses alone.
macro_rules! posed_geometry {
    ($same:expr) => {
        fn bounds(&self) -> palpate_math::Aabb {
            self.placed.swept(|pose| self.bounds_at(pose))
        }

        fn bounds_at_rest(&self) -> palpate_math::Aabb {
            self.bounds_at(&self.placed.pose)
        }

        fn pose(&self) -> Option<$crate::Pose> {
            Some(*self.pose())
        }

        fn previous_pose(&self) -> Option<$crate::Pose> {
            self.previous_pose().copied()
        }

        fn set_pose(&mut self, pose: $crate::Pose) -> Result<(), $crate::GeometryError> {
            Self::set_pose(self, pose)
        }

        fn try_clone(&self) -> Option<Box<dyn $crate::Geometry>> {
            Some(Box::new(self.clone()))
        }

        fn copy_previous_moved(&mut self, source: &dyn $crate::Geometry, motion: &$crate::Pose) {
            if let Some(source) = $crate::downcast::<Self>(source) {
                self.placed.previous = Some(motion * source.previous_pose().unwrap_or(source.pose()));
            }
        }

        fn copy_moved(&mut self, source: &dyn $crate::Geometry, motion: &$crate::Pose) -> bool {
            let same: fn(&Self, &Self) -> bool = $same;
            let Some(source) = $crate::downcast::<Self>(source).filter(|source| same(self, source)) else {
                return false;
            };
            self.placed.previous = None;
            self.placed.set(motion * source.pose());
            true
        }
    };
}
pub(crate) use posed_geometry;

/// The methods of [`SizedShape`](crate::SizedShape) that all shapes with a field `placed` share.
macro_rules! sized_shape {
    ($type:expr) => {
        fn of_type() -> &'static $crate::ShapeType {
            $type
        }

        fn shape_type(&self) -> &'static $crate::ShapeType {
            $type
        }

        fn poses(&self) -> (&$crate::Pose, Option<&$crate::Pose>) {
            (self.pose(), self.previous_pose())
        }

        fn set_previous_pose(&mut self, pose: $crate::Pose) -> Result<(), $crate::GeometryError> {
            Self::set_previous_pose(self, pose)
        }
    };
}
pub(crate) use sized_shape;
