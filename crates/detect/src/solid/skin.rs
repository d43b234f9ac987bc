//! A body given by its surface: a surface mesh, or the boundary of a tetrahedral mesh whose cells decide containment.

use crate::mesh::vertex_surface::{square_above, squared_distance_to};
use crate::mesh::volume::{owned_by_tetrahedron, way_out, weights_inside};
use palpate_contact::Feature;
use palpate_geometry::{SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Aabb, Point, Vector, rounding};

/// A body given by its surface.
#[derive(Clone, Copy)]
pub(crate) struct Skin<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
}

/// The closest point of a body's surface to a point.
pub(crate) struct Place {
    /// Negative inside.
    pub(crate) distance: f64,
    /// Unit; towards the exit for a point inside, away from the surface for one outside.
    pub(crate) outward: Vector,
    pub(crate) nearest: SurfaceNearest,
    /// The tetrahedron that contains the point.
    pub(crate) cell: Option<u32>,
}

impl<'a> Skin<'a> {
    pub(crate) fn of_surface(surface: &'a SurfaceMesh) -> Self {
        Self { surface, volume: None }
    }

    pub(crate) fn is_solid(self) -> bool {
        self.volume.is_some() || self.surface.is_closed()
    }

    /// Returns the largest coordinate of the body and a point.
    pub(crate) fn largest_coordinate(self, point: &Point) -> f64 {
        let bounds = self.surface.tree().map_or(Aabb::EMPTY, palpate_bvh::Bvh::bounds);
        rounding::largest_coordinate([point, &bounds.min, &bounds.max])
    }

    /// Returns the side of a contact, with a tetrahedron as its cell if the body has tetrahedra.
    pub(crate) fn named(self, feature: Feature) -> Feature {
        self.volume.map_or(feature, |mesh| owned_by_tetrahedron(mesh, feature))
    }

    /// Whether a point is inside a solid. Triangles likely to be `near` it bound the search.
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

    /// Returns the closest point to a point that is inside or within `reach`; `None` if it is certainly neither. A
    /// triangle likely to be `near` it bounds the search.
    pub(crate) fn place(self, point: &Point, reach: f64, near: Option<u32>) -> Option<Place> {
        if !self.surface.tree()?.bounds().grown(reach).contains_point(point) {
            return None;
        }
        let near = squared_distance_to(self.surface, near, point);
        if let Some(mesh) = self.volume {
            let cell = mesh.holding_cell(point);
            let bound = if cell.is_some() { f64::INFINITY } else { square_above(reach) };
            let nearest = self.surface.nearest(point, bound.min(near))?;
            let (inward, distance) = way_out(self.surface, point, &nearest);
            // Outside, the closest point lies in the opposite direction. Within rounding error the surface's normal
            // is used.
            return Some(if cell.is_some() {
                Place { distance: -distance, outward: inward, nearest, cell }
            } else {
                let outward = if distance > 0.0 { -inward } else { inward };
                Place { distance, outward, nearest, cell }
            });
        }
        let closed = self.surface.is_closed();
        let bound = if closed { f64::INFINITY } else { square_above(reach) };
        let (signed, nearest) = self.surface.signed_distance(point, bound.min(near))?;
        let turned = if closed || signed.distance >= 0.0 { 1.0 } else { -1.0 };
        let (distance, outward) = (signed.distance * turned, signed.gradient * turned);
        Some(Place { distance, outward, nearest, cell: None })
    }

    /// Visits the closest point of every other part of the surface within `reach` of a point outside all parts. `own`
    /// is the closest point of all.
    pub(crate) fn places_on_other_parts(
        self,
        point: &Point,
        reach: f64,
        own: &Place,
        candidates: &mut Vec<u32>,
        visit: &mut dyn FnMut(u32, Place),
    ) {
        let (surface, adjacency) = (self.surface, self.surface.adjacency());
        let Some(tree) = surface.tree().filter(|_| !adjacency.parts.is_empty() && own.distance >= 0.0) else {
            return;
        };
        let nearest_part = adjacency.part_of(surface.owner(own.nearest.feature));
        candidates.clear();
        tree.overlap(&Aabb::from_point(*point).grown(reach), |triangle| candidates.push(triangle));
        candidates.retain(|&triangle| adjacency.part_of(triangle) != nearest_part);
        candidates.sort_unstable_by_key(|&triangle| (adjacency.part_of(triangle), triangle));
        for of_part in candidates.chunk_by(|&p, &q| adjacency.part_of(p) == adjacency.part_of(q)) {
            let with_distance = of_part
                .iter()
                .map(|&triangle| (squared_distance_to(surface, Some(triangle), point), triangle));
            let Some((_, triangle)) = with_distance.reduce(|p, q| if q.0 < p.0 { q } else { p }) else {
                continue;
            };
            let nearest = surface.nearest_on(triangle, point);
            let signed = surface.signed_at(point, &nearest);
            let turned = if self.is_solid() || signed.distance >= 0.0 { 1.0 } else { -1.0 };
            let (distance, outward) = (signed.distance * turned, signed.gradient * turned);
            // A point behind one part of a shell is within the shell's wall.
            if (0.0..=reach).contains(&distance) {
                visit(adjacency.part_of(triangle), Place { distance, outward, nearest, cell: None });
            }
        }
    }

    /// Returns the side of a contact at a surface point: the tetrahedron that contains `inner`, or the element of the
    /// surface.
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
