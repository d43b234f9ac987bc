//! The triangles of a surface that may be closest to a point of a box.

use crate::SurfaceMesh;
use crate::implicit::near_triangles::NearTriangles;
use crate::implicit::{MeshSolid, OrientedBounds};
use palpate_math::Point;
use palpate_math::nearest::point_triangle_distance_squared;

/// The triangles: by a list of all that matter, or where these are too many by the surface's tree. They are numbered by their places
/// in the list, or else as in the surface.
pub(super) struct Nearby<'a> {
    surface: &'a SurfaceMesh,
    listed: Option<NearTriangles>,
}

impl<'a> Nearby<'a> {
    /// Lists the triangles that matter in a box, if they are not too many.
    pub(super) fn new(surface: &'a SurfaceMesh, of: &OrientedBounds) -> Self {
        Self { surface, listed: NearTriangles::new(surface, of.center, of.reach()) }
    }

    /// Returns the list; `None` if there are too many triangles for one.
    pub(super) fn list(&self) -> Option<&NearTriangles> {
        self.listed.as_ref()
    }

    /// Returns the triangle closest to a point of the box.
    pub(super) fn first(&self, point: &Point) -> Option<usize> {
        if let Some(listed) = &self.listed {
            return listed.closest(point).map(|(_, closest)| closest);
        }
        let nearest = self.surface.nearest(point, f64::INFINITY)?;
        Some(self.surface.owner(nearest.feature) as usize)
    }

    /// Returns the squared distance of a point of the box from the closest triangle, and which it is, given another one.
    pub(super) fn closest(&self, point: &Point, other: usize) -> Option<(f64, usize)> {
        if let Some(listed) = &self.listed {
            return listed.closest(point);
        }
        let bound = self.distance_squared(other, point);
        let Some(nearest) = self.surface.nearest(point, bound) else { return Some((bound, other)) };
        Some(((nearest.point - point).norm_squared(), self.surface.owner(nearest.feature) as usize))
    }

    /// Returns the squared distance of a point from a triangle.
    pub(super) fn distance_squared(&self, triangle: usize, point: &Point) -> f64 {
        if let Some(listed) = &self.listed {
            return listed.distance_squared(triangle, point);
        }
        let [a, b, c] = self.surface.corners(triangle as u32);
        point_triangle_distance_squared(point, &a, &b, &c)
    }

    /// Returns the signed distance of a point whose closest triangle is known.
    pub(super) fn signed_distance(&self, solid: &MeshSolid<'_>, point: &Point, closest: usize) -> f64 {
        let nearest = self.surface.nearest_on(self.number(closest), point);
        solid.signed_at(point, &nearest).distance
    }

    /// Returns the number of a triangle in the surface.
    pub(super) fn number(&self, triangle: usize) -> u32 {
        self.listed.as_ref().map_or(triangle as u32, |listed| listed.number(triangle))
    }
}
