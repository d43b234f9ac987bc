//! The triangles of a mesh near a cell, and the bounds by their planes.

use super::mesh_plane::{ABOUT, Plane};
use super::mesh_solid::MeshSolid;
use super::{Cell, CellValues};
use crate::SurfaceFeature;
use arrayvec::ArrayVec;
use palpate_contact::NONE;
use palpate_implicit::internal::least;
use palpate_math::triangle::area_vector;
use palpate_math::{Aabb, Point, Vector};

/// The most triangles that are examined around a cell.
pub(super) const MOST_NEAR: usize = 48;

/// The triangles that may intersect the ball around a cell.
pub(super) type Near = ArrayVec<NearTriangle, MOST_NEAR>;

/// A triangle near a cell.
#[derive(Clone, Copy)]
pub(super) struct NearTriangle {
    pub(super) number: u32,
    pub(super) corners: [Point; 3],
    /// The unit normal, by the winding; `None` for a degenerate triangle.
    pub(super) normal: Option<Vector>,
}

impl MeshSolid<'_> {
    /// Returns the triangles near a cell, which are listed when they are needed first; `None` for too many.
    pub(super) fn listed<'n>(
        &self,
        near: &'n mut Option<Option<Near>>,
        cell: &Cell<'_>,
    ) -> Option<&'n [NearTriangle]> {
        near.get_or_insert_with(|| self.near(cell)).as_deref()
    }

    /// Returns the plane of a triangle; `None` if it has none.
    pub(super) fn plane<'c>(&self, triangle: u32, cell: &'c Cell<'c>) -> Option<Plane<'c>> {
        let [foot, _, _] = self.surface.corners(triangle);
        Some(Plane::new(self.normal(triangle)?, foot, cell))
    }

    /// Lists the triangles; `None` for too many.
    fn near(&self, cell: &Cell<'_>) -> Option<Near> {
        let reach = ABOUT * cell.radius;
        let mut near = Near::new();
        let is_complete = std::cell::Cell::new(true);
        let mut take = |triangle: NearTriangle| {
            if near.try_push(triangle).is_err() {
                is_complete.set(false);
            }
        };
        let keep = |bounds: &Aabb| {
            is_complete.get() && bounds.distance_squared_to_point(&cell.center) <= reach * reach
        };
        self.surface.tree()?.search(keep, |number| {
            let corners = self.surface.corners(number);
            let [a, b, c] = &corners;
            take(NearTriangle { number, corners, normal: area_vector(a, b, c).try_normalize(0.0) });
        });
        is_complete.get().then_some(near)
    }

    /// Returns the outward unit normal of a triangle; `None` if it has none.
    fn normal(&self, triangle: u32) -> Option<Vector> {
        let [a, b, c] = self.surface.corners(triangle);
        let normal = area_vector(&a, &b, &c).try_normalize(0.0)?;
        let is_inward = self.cells.is_none() && self.surface.winds_inward();
        Some(if is_inward { -normal } else { normal })
    }

    /// Returns the unused triangle at an element over whose plane a point is highest.
    pub(super) fn highest_at(&self, feature: SurfaceFeature, point: &Point, used: &[u32]) -> Option<u32> {
        let adjacency = self.surface.adjacency();
        let mut best: Option<(f64, u32)> = None;
        let mut take = |triangle: u32| {
            if triangle == NONE || used.contains(&triangle) {
                return;
            }
            let [a, _, _] = self.surface.corners(triangle);
            let height = self.normal(triangle).map_or(f64::NEG_INFINITY, |normal| normal.dot(&(point - a)));
            if best.is_none_or(|(highest, _)| height > highest) {
                best = Some((height, triangle));
            }
        };
        match feature {
            SurfaceFeature::Face(triangle) => take(triangle),
            SurfaceFeature::Edge(edge) => adjacency.edge_triangles[edge as usize].into_iter().for_each(take),
            SurfaceFeature::Vertex(vertex) => {
                adjacency.corners_at(vertex).iter().for_each(|corner| take(corner / 3));
            }
        }
        best.map(|(_, triangle)| triangle)
    }

    /// Returns the height over a triangle's plane, minus the maximum height of the surface above it in the ball around
    /// the cell, if it is `wanted` or more in the whole cell. Above that height there is no surface; so if one point there is
    /// outside, all are, and the upward ray from an interior point of the cell hits the surface first. Anything outside the
    /// ball is farther than the height of any point of the cell. If the bound is needed only inside, only the surface that
    /// these rays can hit counts. `near` is listed when it is needed first.
    pub(super) fn below_by_plane(
        &self,
        triangle: u32,
        near: &mut Option<Option<Near>>,
        cell: &Cell<'_>,
        wanted: f64,
    ) -> Option<CellValues> {
        let plane = self.plane(triangle, cell)?;
        let heights = cell.at_corners(|corner| plane.height(corner));
        let most = least(&heights, cell.corners.len()) - wanted;
        if plane.height(&cell.center) < -cell.radius || most < 0.0 {
            return None;
        }
        let rise = self.rise(&plane, 0.0, most, self.listed(near, cell)?)?;
        Some(heights.map(|height| height - rise))
    }

    /// Returns the same bound with a plane along the surface of the body.
    pub(super) fn below_by_body(
        &self,
        near: &mut Option<Option<Near>>,
        cell: &Cell<'_>,
    ) -> Option<CellValues> {
        let normal = -self.shared_with?.sample(&cell.center).gradient.try_normalize(0.0)?;
        let plane = Plane::new(normal, cell.center, cell);
        let rise = self.rise(&plane, -cell.radius, cell.radius, self.listed(near, cell)?)?;
        Some(cell.at_corners(|corner| plane.height(corner) - rise))
    }

    /// Returns the maximum height of the surface above a plane, or `rise` if that is more; `None` if it is more than `most` or
    /// of no use, or if there may be more of the solid above it.
    pub(super) fn rise(&self, plane: &Plane<'_>, rise: f64, most: f64, near: &[NearTriangle]) -> Option<f64> {
        let (cell, mut rise) = (plane.cell, rise);
        let at_center = plane.height(&cell.center);
        let most = most.min(at_center + cell.radius);
        for NearTriangle { number, corners, normal } in near {
            let highest = corners.iter().map(|corner| plane.height(corner)).fold(f64::NEG_INFINITY, f64::max);
            if highest > rise {
                // A large triangle is lower near the cell than at its corners.
                let near_cell = if self.shared_with.is_some() {
                    plane.highest_over_cell(corners, *normal)
                } else {
                    plane.highest_in_ball(*normal, &self.surface.nearest_on(*number, &cell.center).point)
                };
                rise = rise.max(highest.min(near_cell));
                if rise > most {
                    return None;
                }
            }
        }
        if rise < at_center - cell.radius {
            return None;
        }
        let above = cell.center + plane.normal * ((ABOUT - 0.5) * cell.radius);
        let (signed, _) = self.signed_distance(&above)?;
        (signed.distance > 0.0).then_some(rise)
    }
}
