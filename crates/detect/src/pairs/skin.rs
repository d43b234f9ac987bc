//! A body by its surface: a surface mesh, or the boundary of a tetrahedral mesh, which tells what is inside.

use crate::pairs::vertex_surface::square_above;
use crate::pairs::volume::{owned_by_tetrahedron, way_out, weights_inside};
use palpate_contact::Feature;
use palpate_geometry::{SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::closest::point_triangle_distance_squared;
use palpate_math::{Point, Vector};

/// A body by its surface.
#[derive(Clone, Copy)]
pub(crate) struct Skin<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
}

/// The nearest place of a body's surface to a point.
pub(crate) struct Place {
    /// Negative inside.
    pub(crate) distance: f64,
    /// Unit, the way out or away.
    pub(crate) outward: Vector,
    pub(crate) nearest: SurfaceNearest,
    /// The tetrahedron that holds the point.
    pub(crate) cell: Option<u32>,
}

impl<'a> Skin<'a> {
    pub(crate) fn of_surface(surface: &'a SurfaceMesh) -> Self {
        Self { surface, volume: None }
    }

    pub(crate) fn is_solid(self) -> bool {
        self.volume.is_some() || self.surface.is_closed()
    }

    /// The side of a contact, its cell a tetrahedron where the body has those.
    pub(crate) fn named(self, feature: Feature) -> Feature {
        self.volume.map_or(feature, |mesh| owned_by_tetrahedron(mesh, feature))
    }

    /// Whether a point is inside of a solid. Triangles that are likely `near` it spare the search most of its way.
    pub(crate) fn holds(self, point: &Point, near: [Option<u32>; 2]) -> bool {
        match self.volume {
            Some(mesh) => mesh.holding_cell(point).is_some(),
            None => {
                let bound = near.map(|near| squared_distance_to(self.surface, near, point));
                let signed = self.surface.signed_distance(point, bound[0].min(bound[1]));
                self.surface.is_closed() && signed.is_some_and(|(signed, _)| signed.distance < 0.0)
            }
        }
    }

    /// The nearest place to a point that is inside or within `reach`; `None` where it is surely neither.
    pub(crate) fn place(self, point: &Point, reach: f64) -> Option<Place> {
        if !self.surface.tree()?.bounds().grown(reach).contains_point(point) {
            return None;
        }
        if let Some(mesh) = self.volume {
            let cell = mesh.holding_cell(point);
            let bound = if cell.is_some() { f64::INFINITY } else { square_above(reach) };
            let nearest = self.surface.nearest(point, bound)?;
            let (inward, distance) = way_out(self.surface, point, &nearest);
            // From outside the nearest place lies the other way. Where rounding leaves no way to tell, it is the surface's.
            return Some(if cell.is_some() {
                Place { distance: -distance, outward: inward, nearest, cell }
            } else {
                let outward = if distance > 0.0 { -inward } else { inward };
                Place { distance, outward, nearest, cell }
            });
        }
        let closed = self.surface.is_closed();
        let bound = if closed { f64::INFINITY } else { square_above(reach) };
        let (signed, nearest) = self.surface.signed_distance(point, bound)?;
        let turned = if closed || signed.distance >= 0.0 { 1.0 } else { -1.0 };
        let (distance, outward) = (signed.distance * turned, signed.gradient * turned);
        Some(Place { distance, outward, nearest, cell: None })
    }

    /// The side of a contact at a place: the tetrahedron that holds `inner`, or the element of the surface.
    pub(crate) fn feature(
        self,
        place: &SurfaceNearest,
        cell: Option<u32>,
        inner: &Point,
        skin: Point,
    ) -> Feature {
        let inside = self.volume.zip(cell).and_then(|(mesh, cell)| {
            let weights = weights_inside(inner, &mesh.corners(cell))?;
            Some(Feature::tetrahedron(mesh.cells()[cell as usize], weights, cell, skin))
        });
        inside.unwrap_or_else(|| self.named(self.surface.contact_feature(place, skin)))
    }
}

/// The square of the distance of a point from a triangle; infinite from none.
pub(crate) fn squared_distance_to(surface: &SurfaceMesh, triangle: Option<u32>, point: &Point) -> f64 {
    triangle.map_or(f64::INFINITY, |triangle| {
        let [a, b, c] = surface.corners(triangle);
        point_triangle_distance_squared(point, &a, &b, &c)
    })
}
