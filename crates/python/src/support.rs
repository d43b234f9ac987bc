//! Convex shapes of the host, by their support function.

use crate::error::{Failure, Outcome, unwind};
use palpate::convex::SupportMap;
use palpate::geometry::{ConvexShape, Geometry, GeometryError, GeometryKind, Pose, Version, downcast, pose};
use palpate::math::{Aabb, Point, Vector};
use pyo3::prelude::*;
use std::sync::Arc;

/// A convex shape by a support function, at a pose.
#[derive(Clone)]
pub(crate) struct Support {
    function: Arc<Py<PyAny>>,
    pose: Pose,
    previous: Option<Pose>,
    bounds: Aabb,
    version: Version,
}

impl Support {
    /// Calls the function six times, for the bounds.
    pub(crate) fn new(function: Py<PyAny>, pose: Pose) -> Outcome<Self> {
        let (function, version) = (Arc::new(function), Version::new());
        let mut shape = Self { function, pose, previous: None, bounds: Aabb::EMPTY, version };
        shape.bounds = shape.bounds_now();
        Ok(shape)
    }

    fn call(&self, direction: &Vector) -> PyResult<Point> {
        Python::attach(|py| {
            let found: [f64; 3] =
                self.function.call1(py, (direction.x, direction.y, direction.z))?.extract(py)?;
            if found.iter().all(|x| x.is_finite()) {
                return Ok(Point::from(found));
            }
            Err(Failure::argument(format!("found {found:?}, wanted a finite point")).into())
        })
    }

    fn bounds_now(&self) -> Aabb {
        let axes = [Vector::x(), Vector::y(), Vector::z()].into_iter().flat_map(|axis| [axis, -axis]);
        Aabb::from_points(axes.map(|direction| self.support(&direction)))
    }
}

impl SupportMap for Support {
    fn support(&self, direction: &Vector) -> Point {
        match self.call(&self.pose.rotation.inverse_transform_vector(direction)) {
            Ok(point) => self.pose * point,
            Err(error) => unwind("a support function", error),
        }
    }
}

impl Geometry for Support {
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
        // Calls back, and leaves everything as it was if that fails.
        self.bounds = moved.bounds_now();
        self.pose = next;
        self.version.moved();
        Ok(())
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        let same = downcast::<Self>(source).filter(|source| Arc::ptr_eq(&source.function, &self.function));
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
