//! The height of a mesh's triangles over a plane near a cell.

use super::Cell;
use palpate_math::nearest::point_triangle_distance_squared;
use palpate_math::{Point, Vector};

/// Radius of the ball around a cell in which the surface is examined, in radii of the cell.
pub(super) const ABOUT: f64 = 3.0;

/// How much lower a bound by heights over a plane may seem than one by distances, relative to the cell.
pub(super) const ROUNDING: f64 = 1e-6;

/// The cosine to a triangle's normal below which its corners alone bound its height.
const STEEP: f64 = 1e-3;

/// A plane near a cell.
pub(super) struct Plane<'a> {
    /// Away from the mesh, of unit length.
    pub(super) normal: Vector,
    foot: Point,
    pub(super) cell: &'a Cell<'a>,
}

impl<'a> Plane<'a> {
    pub(super) fn new(normal: Vector, foot: Point, cell: &'a Cell<'a>) -> Self {
        Self { normal, foot, cell }
    }

    pub(super) fn height(&self, place: &Point) -> f64 {
        self.normal.dot(&(place - self.foot))
    }

    /// Returns an upper bound of the height of a triangle in the ball around the cell, given its unit normal and its point closest
    /// to the cell.
    pub(super) fn highest_in_ball(&self, across: Option<Vector>, closest: &Point) -> f64 {
        let slope = across.map_or(1.0, |across| (self.normal - across * across.dot(&self.normal)).norm());
        self.height(closest) + 2.0 * ABOUT * self.cell.radius * slope
    }

    /// Returns an upper bound of the height of a triangle with this unit normal over and under the cell; minus infinity if it is
    /// beside the cell.
    pub(super) fn highest_over_cell(&self, corners: &[Point; 3], across: Option<Vector>) -> f64 {
        let (center, radius) = (&self.cell.center, self.cell.radius * (1.0 + ROUNDING));
        // Beside a side, which takes less time to see than the distance.
        let is_beside = across.is_some_and(|across| {
            let facing = across.dot(&self.normal);
            (0..3).any(|k| {
                let outward = (corners[(k + 1) % 3] - corners[k]).cross(&self.normal);
                let distance = outward.dot(&(center - corners[k]));
                distance * facing > 0.0 && distance * distance > radius * radius * outward.norm_squared()
            })
        });
        if is_beside {
            return f64::NEG_INFINITY;
        }
        let flat = corners.map(|corner| corner - self.normal * self.normal.dot(&(corner - center)));
        let [p, q, r] = &flat;
        if point_triangle_distance_squared(center, p, q, r) > radius * radius {
            return f64::NEG_INFINITY;
        }
        let Some(across) = across else { return f64::INFINITY };
        let cosine = across.dot(&self.normal);
        if cosine.abs() < STEEP {
            return f64::INFINITY;
        }
        // Of the triangle's plane, at the cell's centre and from there upward.
        let at_center = self.height(center) - across.dot(&(center - corners[0])) / cosine;
        let steepness = (self.normal - across * cosine).norm() / cosine.abs();
        at_center + radius * steepness
    }
}
