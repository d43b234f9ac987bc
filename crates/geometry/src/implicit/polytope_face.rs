//! A face of a convex polytope as the domain of a search.

use palpate_math::{Point, Vector};

/// A triangle of the surface of a convex polytope, anticlockwise from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolytopeFace {
    /// The corners.
    pub corners: [Point; 3],
    /// The unit normal, outward.
    pub(super) normal: Vector,
    /// The height of the plane over the origin. Minus the height of everything over the plane of a degenerate triangle is
    /// infinite: its neighbours have its corners.
    pub(super) offset: f64,
}

impl PolytopeFace {
    /// Creates the face of three corners.
    pub fn new(corners: [Point; 3]) -> Self {
        Self { corners, normal: Vector::zeros(), offset: f64::INFINITY }
    }

    /// Computes the plane from the corners.
    pub(super) fn find_plane(&mut self) {
        let [a, b, c] = &self.corners;
        (self.normal, self.offset) = match (b - a).cross(&(c - a)).try_normalize(0.0) {
            Some(normal) => (normal, normal.dot(&a.coords)),
            None => (Vector::zeros(), f64::INFINITY),
        };
    }

    /// Returns the height of a point over the plane.
    pub(super) fn height(&self, point: &Point) -> f64 {
        self.normal.dot(&point.coords) - self.offset
    }
}
