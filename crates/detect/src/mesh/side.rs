//! A mesh as one side of a pair.

use crate::mesh::surface_sides::SurfaceSidedness;
use palpate_contact::Contact;
use palpate_geometry::{SignedDistance, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Aabb, Point, separation};

/// Which elements of a mesh may be reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementFilter {
    /// Only elements that face the body.
    pub(crate) facing: bool,
    /// Only elements that are not internal edges or vertices.
    pub(crate) outer: bool,
}

/// A surface, or the boundary of a tetrahedral mesh whose cells decide containment.
#[derive(Clone, Copy)]
pub(crate) struct MeshSide<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
    pub(crate) sidedness: SurfaceSidedness,
    pub(crate) filter: ElementFilter,
}

impl MeshSide<'_> {
    /// Whether a body inside the mesh is in contact with it.
    pub(crate) fn is_solid(&self) -> bool {
        self.volume.is_some() || self.sidedness == SurfaceSidedness::Solid
    }

    /// Whether the mesh has an interior, even if treated as a sheet.
    pub(crate) fn has_inside(&self) -> bool {
        self.volume.is_some() || self.surface.is_closed()
    }

    /// Returns a bounding box of the bare mesh; empty without a tree.
    pub(crate) fn bounds(&self) -> Aabb {
        self.surface.tree().map_or(Aabb::EMPTY, palpate_bvh::Bvh::bounds)
    }

    /// Returns the signed distance of a point from the bare mesh and the closest surface point; `None` if that is
    /// farther than the square root of the bound.
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

    /// Returns the signed distance of a point from the bare mesh, whose closest surface point is `nearest`.
    pub(crate) fn signed_at(&self, point: &Point, nearest: &SurfaceNearest) -> Option<SignedDistance> {
        match self.volume {
            Some(mesh) => mesh.signed_at(point, nearest),
            None => Some(self.surface.signed_at(point, nearest)),
        }
    }
}

/// Whether `point` is on the inner side of the element: in a solid, some other element is then nearer to it; of a
/// sheet with a front, it is behind. Beyond the border of a sheet, and at a degenerate triangle, there are no sides.
pub(crate) fn faces_away(surface: &SurfaceMesh, nearest: &SurfaceNearest, point: &Point) -> bool {
    surface.points_to_back(&(point - nearest.point), nearest.feature, 0.0)
}

/// Whether the element [faces away](faces_away) from a point that is off the surface by more than rounding: then the point sees
/// another element.
pub(crate) fn is_hidden(surface: &SurfaceMesh, nearest: &SurfaceNearest, point: &Point) -> bool {
    faces_away(surface, nearest, point) && separation::between(&nearest.point, point).0.is_some()
}

/// Pushes a body outward that a sheet encloses without touching: replaces the contacts found (from `before` on) by
/// `contact` if all of them are separated (within the margin). Returns whether it did.
pub(crate) fn pushed_outward(before: usize, contact: Contact, found: &mut Vec<Contact>) -> bool {
    let out_of_reach = found[before..].iter().all(|found| found.depth < 0.0);
    if out_of_reach {
        found.truncate(before);
        found.push(contact);
    }
    out_of_reach
}
