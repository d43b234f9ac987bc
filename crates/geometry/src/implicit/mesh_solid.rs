//! A closed mesh as a function: the signed distance of its surface.

use super::bounds::{VALUES, below_the_higher};
use super::{Cell, Exactness, ImplicitFunction, Sample};
use crate::{SignedDistance, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_contact::NONE;
use palpate_math::closest::point_triangle_distance_squared;
use palpate_math::{Aabb, Point, Vector, separation};

/// A closed surface, or a tetrahedral mesh by its boundary, as a function. World frame; a surface's thickness is left out.
/// Sides of a surface are told as its [`Sidedness`](crate::Sidedness) says, those of a tetrahedral mesh by its cells.
#[derive(Clone, Copy)]
pub struct MeshSolid<'a> {
    surface: &'a SurfaceMesh,
    cells: Option<&'a TetraMesh>,
}

impl<'a> MeshSolid<'a> {
    /// A surface; `None` where it is not closed. Needs [`Needs::TREE`](crate::Needs::TREE) and
    /// [`Needs::NORMALS`](crate::Needs::NORMALS).
    pub fn of_surface(surface: &'a SurfaceMesh) -> Option<Self> {
        surface.is_closed().then_some(Self { surface, cells: None })
    }

    /// A tetrahedral mesh. Needs [`Needs::TREE`](crate::Needs::TREE) and [`Needs::BOUNDARY`](crate::Needs::BOUNDARY);
    /// `None` without them.
    pub fn of_cells(mesh: &'a TetraMesh) -> Option<Self> {
        mesh.tree()?;
        Some(Self { surface: mesh.boundary()?, cells: Some(mesh) })
    }

    /// The surface.
    pub fn surface(&self) -> &'a SurfaceMesh {
        self.surface
    }

    /// The signed distance and the nearest place; `None` of an empty mesh.
    pub fn signed_distance(&self, point: &Point) -> Option<(SignedDistance, SurfaceNearest)> {
        let nearest = self.surface.nearest(point, f64::INFINITY)?;
        Some((self.signed_at(point, &nearest), nearest))
    }

    /// The signed distance of a point whose nearest place is known.
    pub fn signed_at(&self, point: &Point, nearest: &SurfaceNearest) -> SignedDistance {
        let Some(mesh) = self.cells else { return self.surface.signed_at(point, nearest) };
        let (direction, length) = separation::between(&nearest.point, point);
        let sign = if length > 0.0 && mesh.holding_cell(point).is_some() { -1.0 } else { 1.0 };
        let outward = || self.surface.outward(nearest.feature);
        let gradient = direction.map_or_else(outward, |direction| direction * sign);
        SignedDistance { distance: sign * length, nearest: nearest.point, gradient, feature: NONE }
    }

    /// Minus the distances of the corners from a triangle. Being concave, minus the distance from a triangle is nowhere in
    /// the cell below the linear function through these; and inside of a mesh no place is farther from its surface than
    /// from one of its triangles.
    fn below_by(&self, nearest: &SurfaceNearest, cell: &Cell<'_>) -> [f64; 4] {
        let [a, b, c] = self.surface.corners(self.surface.owner(nearest.feature));
        cell.at_corners(|corner| -point_triangle_distance_squared(corner, &a, &b, &c).sqrt())
    }
}

impl ImplicitFunction for MeshSolid<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let apart = Sample { value: f64::INFINITY, gradient: Vector::y(), feature: NONE };
        self.signed_distance(point).map_or(apart, |(signed, _)| signed.into())
    }

    fn bounds(&self, level: f64) -> Aabb {
        self.surface.tree().map_or(Aabb::EMPTY, |tree| tree.bounds().grown(level))
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }

    fn bound_below(&self, cell: &Cell<'_>) -> [f64; 4] {
        let mut best: Option<[f64; 4]> = None;
        self.bounds_below(cell, &mut |bound| {
            best = Some(best.map_or(bound, |best| below_the_higher(&best, &bound, cell.corners.len())));
        });
        best.unwrap_or([f64::INFINITY; 4])
    }

    /// By the triangle nearest to the centre; and inside by those nearest to the corners that then seem deepest, one after the
    /// other: on the medial surface of a mesh one alone does not do, nor do two where several faces meet.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
        let count = cell.corners.len();
        let Some((signed, nearest)) = self.signed_distance(&cell.center) else {
            return visit(cell.constant(f64::INFINITY));
        };
        let mut highest = self.below_by(&nearest, cell);
        visit(highest);
        if signed.distance >= 0.0 {
            return visit(cell.constant(signed.distance - cell.radius));
        }
        for _ in 1..VALUES {
            let deepest = (1..count).fold(0, |best, k| if highest[k] < highest[best] { k } else { best });
            let reach = highest[deepest];
            let Some(other) = self.surface.nearest(&cell.corners[deepest], reach * reach) else { return };
            let below = self.below_by(&other, cell);
            visit(below);
            highest = std::array::from_fn(|k| highest[k].max(below[k]));
        }
    }
}
