//! A mesh in motion: the elements of one side over the step.

use crate::{Accepts, Port};
use palpate_geometry::{Geometry, PointSet, SurfaceMesh, TetraMesh, downcast};
use palpate_math::continuous::MovingPoint;
use palpate_math::{Aabb, Point, Vector};

/// The vertices of one side over the step.
#[derive(Clone, Copy)]
pub(crate) struct Vertices<'a> {
    points: &'a PointSet,
    previous: &'a [Point],
    current: &'a [Point],
}

impl<'a> Vertices<'a> {
    pub(crate) fn of(points: &'a PointSet) -> Self {
        let [previous, current] = points.motion();
        Self { points, previous, current }
    }

    pub(crate) fn len(&self) -> usize {
        self.current.len()
    }

    /// The lowest cell at a vertex.
    pub(crate) fn owner(&self, vertex: u32) -> u32 {
        self.points.owner(vertex)
    }

    pub(crate) fn radius(&self) -> f64 {
        self.points.radius()
    }

    #[inline]
    pub(crate) fn vertex(&self, id: u32) -> MovingPoint {
        MovingPoint::new(self.previous[id as usize], self.current[id as usize])
    }

    #[inline]
    pub(crate) fn element<const N: usize>(&self, ids: [u32; N]) -> [MovingPoint; N] {
        ids.map(|id| self.vertex(id))
    }

    /// The box of an element over the step, without the radius.
    pub(crate) fn swept<const N: usize>(&self, ids: [u32; N]) -> Aabb {
        Aabb::from_points(self.element(ids).iter().flat_map(|vertex| [vertex.start, vertex.end]))
    }
}

/// The capability of having a surface of triangles: surface meshes, and tetrahedral meshes by their boundary.
pub struct AnySurface;

/// A surface mesh, or the boundary of a tetrahedral mesh.
#[derive(Clone, Copy)]
pub enum SurfaceView<'a> {
    /// A surface mesh.
    Surface(&'a SurfaceMesh),
    /// The boundary of a tetrahedral mesh.
    Boundary(&'a TetraMesh),
}

impl Port for AnySurface {
    type View<'a> = SurfaceView<'a>;
    const ACCEPTS: Accepts = Accepts::Surface;

    fn view(geometry: &dyn Geometry) -> Option<SurfaceView<'_>> {
        let surface = || downcast(geometry).map(SurfaceView::Surface);
        surface().or_else(|| downcast(geometry).map(SurfaceView::Boundary))
    }
}

/// A surface over the step, prepared for [`Needs::SWEPT`](palpate_geometry::Needs::SWEPT).
#[derive(Clone, Copy)]
pub(crate) struct MovingSurface<'a> {
    pub(crate) mesh: &'a SurfaceMesh,
    pub(crate) vertices: Vertices<'a>,
    /// The tetrahedron of every boundary triangle.
    cells: Option<&'a [u32]>,
    /// Whether it is a solid.
    pub(crate) solid: bool,
    /// Whether the triangles of a solid wind inward.
    inward: bool,
}

impl<'a> MovingSurface<'a> {
    pub(crate) fn of(view: SurfaceView<'a>) -> Option<Self> {
        let (mesh, vertices, cells) = match view {
            SurfaceView::Surface(mesh) => (mesh, Vertices::of(mesh.points()), None),
            // The vertices are those of the mesh itself: they know its tetrahedra.
            SurfaceView::Boundary(tetra) => {
                (tetra.swept_boundary()?, Vertices::of(tetra.points()), Some(tetra.boundary_cells()))
            }
        };
        let solid = mesh.is_closed() && mesh.adjacency().is_closed();
        Some(Self { mesh, vertices, cells, solid, inward: solid && mesh.winds_inward() })
    }

    /// The cell that owns a triangle: itself, or its tetrahedron.
    pub(crate) fn cell(&self, triangle: u32) -> u32 {
        self.cells.map_or(triangle, |cells| cells[triangle as usize])
    }

    pub(crate) fn edge(&self, edge: u32) -> [u32; 2] {
        self.mesh.adjacency().edges[edge as usize]
    }

    /// The triangles at an edge: one or two.
    pub(crate) fn triangles_of(&self, edge: u32) -> impl Iterator<Item = u32> + use<> {
        let triangles = self.mesh.adjacency().edge_triangles[edge as usize];
        triangles.into_iter().filter(|&triangle| triangle != palpate_contact::NONE)
    }

    /// The outward normal of a solid's triangle at a time, not normalised.
    pub(crate) fn normal(&self, triangle: u32, time: f64) -> Vector {
        let [a, b, c] =
            self.vertices.element(self.mesh.triangles()[triangle as usize]).map(|vertex| vertex.at(time));
        let normal = (b - a).cross(&(c - a));
        if self.inward { -normal } else { normal }
    }

    /// The lowest triangle at an edge.
    pub(crate) fn triangle_of(&self, edge: u32) -> u32 {
        self.mesh.adjacency().edge_triangles[edge as usize][0]
    }

    /// Whether a vertex belongs to a triangle of the surface.
    pub(crate) fn has(&self, vertex: u32) -> bool {
        self.mesh.points().owner(vertex) != palpate_contact::NONE
    }
}
