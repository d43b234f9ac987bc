//! Any convex solid as a function.

use crate::base::{Exactness, OrientedBounds, Sample, SignedDistance};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector};

/// Any convex solid as a function: its signed distance, which is convex. World frame.
#[derive(Clone, Copy)]
pub struct Solid<'a> {
    solid: &'a dyn ImplicitFunction,
    bounds: Aabb,
    frame: Option<OrientedBounds>,
    /// The thickness of the layer removed from the solid.
    inset: f64,
}

impl<'a> Solid<'a> {
    /// Wraps a convex solid, given its signed distance and its box.
    pub fn new(solid: &'a dyn ImplicitFunction, bounds: Aabb) -> Self {
        Self { solid, bounds, frame: None, inset: 0.0 }
    }

    /// Sets a tight box of another orientation.
    #[must_use]
    pub fn with_oriented_bounds(self, frame: Option<OrientedBounds>) -> Self {
        Self { frame, ..self }
    }

    /// Removes the radius by which a solid is rounded: its core has the distance that is greater by it.
    #[must_use]
    pub fn without_radius(self, radius: f64) -> Self {
        Self { inset: radius, ..self }
    }
}

impl ImplicitFunction for Solid<'_> {
    fn signed_distance(&self, point: &Point) -> SignedDistance {
        let signed = self.solid.signed_distance(point);
        let nearest = signed.nearest - signed.gradient * self.inset;
        SignedDistance { distance: signed.distance + self.inset, nearest, ..signed }
    }

    fn sample(&self, point: &Point) -> Sample {
        self.signed_distance(point).into()
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.bounds.grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for Solid<'_> {
    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.solid.pieces(point, &mut |value, gradient| visit(value + self.inset, gradient));
    }

    /// That of the solid, from which no layer is removed.
    fn support_point(&self, direction: &Vector) -> Option<Point> {
        if self.inset == 0.0 { self.solid.support_point(direction) } else { None }
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        self.frame
    }
}
