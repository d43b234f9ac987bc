//! A mesh as one side of a pair.

use crate::pairs::surface_mesh_sphere::Taken;
use crate::pairs::surface_sides::Role;
use palpate_geometry::{SignedDistance, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Aabb, Point};

/// A surface, or the boundary of a tetrahedral mesh whose cells tell what is inside.
#[derive(Clone, Copy)]
pub(crate) struct MeshSide<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) volume: Option<&'a TetraMesh>,
    pub(crate) role: Role,
    pub(crate) taken: Taken,
}

impl MeshSide<'_> {
    /// Whether what is inside of the mesh is in contact with it.
    pub(crate) fn is_solid(&self) -> bool {
        self.volume.is_some() || self.role == Role::Solid
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
