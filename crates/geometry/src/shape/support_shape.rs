//! Convex shape given by a support function.

use crate::{ConvexShape, Geometry, GeometryError, GeometryKind, Pose, Version, downcast, pose};
use palpate_convex::SupportMap;
use palpate_math::{Aabb, Point, Vector};
use std::sync::Arc;

/// A convex shape at a pose, given by its support map in the local frame, metres. Every detector of convex bodies takes it; as it
/// has no faces, it has one contact point per pair.
#[derive(Clone)]
pub struct SupportShape {
    local: Arc<dyn SupportMap + Send + Sync>,
    pose: Pose,
    previous: Option<Pose>,
    bounds: Aabb,
    version: Version,
}

impl SupportShape {
    /// Places a support map of the local frame at a pose (local to world, metres). Asks it for six points, for the bounds; so does
    /// every change of the pose. Errors: a non-finite coordinate.
    pub fn new(pose: Pose, local: Arc<dyn SupportMap + Send + Sync>) -> Result<Self, GeometryError> {
        pose::check(&pose)?;
        let mut shape = Self { local, pose, previous: None, bounds: Aabb::EMPTY, version: Version::new() };
        shape.bounds = shape.bounds_now();
        Ok(shape)
    }

    fn bounds_now(&self) -> Aabb {
        let axes = [Vector::x(), Vector::y(), Vector::z()].into_iter().flat_map(|axis| [axis, -axis]);
        Aabb::from_points(axes.map(|direction| self.support(&direction)))
    }
}

impl SupportMap for SupportShape {
    fn support(&self, direction: &Vector) -> Point {
        self.pose * self.local.support(&self.pose.rotation.inverse_transform_vector(direction))
    }
}

impl Geometry for SupportShape {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CONVEX
    }

    fn bounds(&self) -> Aabb {
        let Some(previous) = self.previous else { return self.bounds };
        // A ball about the origin that contains the shape, over the motion of the origin.
        let origin = Point::from(self.pose.translation.vector);
        let farthest = [self.bounds.min - origin, self.bounds.max - origin].map(|corner| corner.abs());
        let ends = [origin, Point::from(previous.translation.vector)].map(Aabb::from_point);
        ends[0].merged(&ends[1]).grown(farthest[0].sup(&farthest[1]).norm())
    }

    fn bounds_at_rest(&self) -> Aabb {
        self.bounds
    }

    fn version(&self) -> Version {
        self.version
    }

    fn advance(&mut self) {
        self.previous = Some(self.pose);
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        Some(ConvexShape::other(self))
    }

    fn pose(&self) -> Option<Pose> {
        Some(self.pose)
    }

    fn previous_pose(&self) -> Option<Pose> {
        self.previous
    }

    fn set_pose(&mut self, next: Pose) -> Result<(), GeometryError> {
        pose::check(&next)?;
        let moved = Self { pose: next, ..self.clone() };
        // A support map that unwinds leaves everything as it was.
        self.bounds = moved.bounds_now();
        self.pose = next;
        self.version.moved();
        Ok(())
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        let same = downcast::<Self>(source).filter(|source| Arc::ptr_eq(&source.local, &self.local));
        let Some(source) = same else { return false };
        self.previous = None;
        self.set_pose(motion * source.pose).is_ok()
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        if let Some(source) = downcast::<Self>(source) {
            self.previous = Some(motion * source.previous.unwrap_or(source.pose));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of radius 0.5 about (1, 0, 0).
    struct Ball;

    impl SupportMap for Ball {
        fn support(&self, direction: &Vector) -> Point {
            Point::new(1.0, 0.0, 0.0) + direction.normalize() * 0.5
        }
    }

    #[test]
    fn its_box_follows_the_pose_and_the_motion() {
        let mut ball = SupportShape::new(Pose::translation(0.0, 2.0, 0.0), Arc::new(Ball)).unwrap();
        let at = |min: [f64; 3], max: [f64; 3]| Aabb { min: min.into(), max: max.into() };
        assert_eq!(ball.bounds(), at([0.5, 1.5, -0.5], [1.5, 2.5, 0.5]));
        let (clone, before) = (ball.clone(), ball.version());
        ball.advance();
        Geometry::set_pose(&mut ball, Pose::translation(0.0, 3.0, 0.0)).unwrap();
        assert_eq!(ball.bounds_at_rest(), at([0.5, 2.5, -0.5], [1.5, 3.5, 0.5]));
        let swept = ball.bounds();
        for resting in [clone.bounds(), ball.bounds_at_rest()] {
            assert_eq!(swept.merged(&resting), swept);
        }
        assert_ne!(ball.version(), before);
        let mut copy = clone.clone();
        assert!(copy.copy_moved(&ball, &Pose::translation(1.0, 0.0, 0.0)));
        assert_eq!(copy.bounds(), at([1.5, 2.5, -0.5], [2.5, 3.5, 0.5]));
        let other = SupportShape::new(Pose::identity(), Arc::new(Ball)).unwrap();
        assert!(!copy.copy_moved(&other, &Pose::identity()), "another map");
        assert!(SupportShape::new(Pose::translation(f64::NAN, 0.0, 0.0), Arc::new(Ball)).is_err());
    }
}
