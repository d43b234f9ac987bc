//! A mesh as one side of a pair.

use crate::mesh::surface_sides::SurfaceSidedness;
use palpate_contact::Contact;
use palpate_geometry::{SignedDistance, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Aabb, Point};

/// Which elements of a mesh count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementFilter {
    /// Only those that face the body.
    pub(crate) facing: bool,
    /// Only those that are no internal edges.
    pub(crate) outer: bool,
}

/// A surface, or the boundary of a tetrahedral mesh whose cells tell what is inside.
#[derive(Clone, Copy)]
pub(crate) struct MeshSide<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
    pub(crate) sidedness: SurfaceSidedness,
    pub(crate) filter: ElementFilter,
}

impl MeshSide<'_> {
    /// Whether what is inside of the mesh is in contact with it.
    pub(crate) fn is_solid(&self) -> bool {
        self.volume.is_some() || self.sidedness == SurfaceSidedness::Solid
    }

    /// Whether the mesh has an inside, though it may be taken as a sheet.
    pub(crate) fn has_inside(&self) -> bool {
        self.volume.is_some() || self.surface.is_closed()
    }

    /// A box that holds the bare mesh; empty without a tree.
    pub(crate) fn bounds(&self) -> Aabb {
        self.surface.tree().map_or(Aabb::EMPTY, palpate_bvh::Bvh::bounds)
    }

    /// The signed distance of a point from the bare mesh and the nearest place, when that is nearer than the square root of
    /// the bound.
    pub(crate) fn signed_distance(
        &self,
        point: &Point,
        bound_squared: f64,
    ) -> Option<(SignedDistance, SurfaceNearest)> {
        match self.volume {
            Some(mesh) => mesh.signed_distance(point, bound_squared),
            None => self.surface.signed_distance(point, bound_squared),
        }
    }
}

/// Whether `point` lies on the inner side of the element: of a solid, something else is then nearer to it; of a sheet with a
/// front it is behind. Past the border of a sheet there is no side to be on, nor at a degenerate triangle.
pub(crate) fn faces_away(surface: &SurfaceMesh, nearest: &SurfaceNearest, point: &Point) -> bool {
    let has_sides = surface.is_closed() || surface.has_front(nearest.feature);
    has_sides && (point - nearest.point).dot(&surface.outward(nearest.feature)) < 0.0
}

/// A sheet that holds a body without reaching it pushes the body outward: `contact` takes the place of those that were
/// found (from `before` on) when all of these lie in the margin alone. Whether it did.
pub(crate) fn pushed_outward(before: usize, contact: Contact, found: &mut Vec<Contact>) -> bool {
    let out_of_reach = found[before..].iter().all(|found| found.depth < 0.0);
    if out_of_reach {
        found.truncate(before);
        found.push(contact);
    }
    out_of_reach
}
