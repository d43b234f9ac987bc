//! Tetrahedral meshes: the volume of an organ.

use super::cut::CutLists;
use crate::content::mesh_content;
use crate::derived::{CellTree, ROOM, boundary_of, inverted};
use crate::validate::cells_in_range;
use crate::{
    Geometry, GeometryError, GeometryKind, Needs, PointSet, Pose, SignedDistance, SurfaceMesh,
    SurfaceNearest, Version, downcast,
};
use palpate_bvh::{Bvh, InTurn, Tasks};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, tetrahedron};

/// Tetrahedra between points: a solid. Its boundary surface, oriented outward by the initial volumes of the cells, uses
/// the mesh's vertex ids.
#[derive(Clone, Debug)]
pub struct TetraMesh {
    pub(super) points: PointSet,
    pub(super) cells: Vec<[u32; 4]>,
    /// The cells that had negative volume when they were made, ascending.
    pub(super) inverted: Vec<u32>,
    pub(super) at_vertices: CutLists,
    pub(super) tree: CellTree,
    pub(super) boundary: SurfaceMesh,
    pub(super) boundary_cells: Vec<u32>,
    pub(super) boundary_version: Version,
    /// The motion of the mesh that the boundary has.
    pub(super) boundary_motion: Version,
}

impl TetraMesh {
    /// Creates tetrahedra `cells` (m × 4, vertex ids) between points at `positions` (n × 3, world frame, metres).
    /// Errors: a non-finite coordinate, a vertex id out of range.
    pub fn new(positions: Vec<Point>, cells: Vec<[u32; 4]>) -> Result<Self, GeometryError> {
        cells_in_range(&cells, positions.len())?;
        let inverted = inverted(&cells, &positions);
        Self::with_boundary(positions, cells, inverted)
    }

    /// The same with the boundary turned outward where all cells have positive volume but those at `inverted`, whatever they have
    /// at `positions`: as it was when another mesh was made, which has since moved. Errors as [`new`](Self::new).
    pub fn with_inverted(
        positions: Vec<Point>,
        cells: Vec<[u32; 4]>,
        inverted: &[u32],
    ) -> Result<Self, GeometryError> {
        cells_in_range(&cells, positions.len())?;
        let mut given = inverted.to_vec();
        given.sort_unstable();
        let mut mesh = Self::with_boundary(positions, cells, given)?;
        // Cells inside, which a cut may show, have the volume of these positions.
        let mut at_boundary = vec![false; mesh.cells.len()];
        mesh.boundary_cells.iter().for_each(|&cell| at_boundary[cell as usize] = true);
        let inside = crate::derived::inverted(&mesh.cells, mesh.points.positions());
        mesh.inverted.retain(|&cell| at_boundary.get(cell as usize) == Some(&true));
        mesh.inverted.extend(inside.into_iter().filter(|&cell| !at_boundary[cell as usize]));
        mesh.inverted.sort_unstable();
        Ok(mesh)
    }

    fn with_boundary(
        positions: Vec<Point>,
        cells: Vec<[u32; 4]>,
        inverted: Vec<u32>,
    ) -> Result<Self, GeometryError> {
        let (triangles, boundary_cells) = boundary_of(&cells, |cell| inverted.binary_search(&cell).is_ok());
        let mut points = PointSet::new(positions)?;
        points.set_owners(&cells);
        let boundary = SurfaceMesh::new(points.positions().to_vec(), triangles)?.trusted();
        let boundary_version = points.version;
        let (tree, boundary_motion) = (CellTree::default(), points.motion_version());
        let at_vertices = CutLists::default();
        Ok(Self {
            points,
            cells,
            inverted,
            at_vertices,
            tree,
            boundary,
            boundary_cells,
            boundary_version,
            boundary_motion,
        })
    }

    /// Returns the vertices.
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// Returns the tetrahedra: m × 4, vertex ids; [`NONE`] for one that was [removed](Self::remove_cells).
    pub fn cells(&self) -> &[[u32; 4]] {
        &self.cells
    }

    /// Returns the four corners of tetrahedron `cell`.
    pub fn corners(&self, cell: u32) -> [Point; 4] {
        self.cells[cell as usize].map(|id| self.points.positions()[id as usize])
    }

    /// Returns the tree over the tetrahedra's boxes, if up to date.
    pub fn tree(&self) -> Option<&Bvh> {
        self.tree.current(self.points.version)
    }

    /// Returns the boundary surface with its normals and tree, if up to date.
    pub fn boundary(&self) -> Option<&SurfaceMesh> {
        let current = self.boundary_version == self.points.version;
        (current && self.boundary.is_prepared(Needs::NORMALS | Needs::TREE)).then_some(&self.boundary)
    }

    /// Returns the boundary surface with its previous positions and the tree over its swept triangles, if up to date. Needs
    /// [`Needs::SWEPT`].
    pub fn swept_boundary(&self) -> Option<&SurfaceMesh> {
        let current = self.boundary_motion == self.points.motion_version();
        (current && self.boundary.is_prepared(Needs::SWEPT)).then_some(&self.boundary)
    }

    /// Returns the triangles of the boundary, vertex ids, oriented outward at construction; [`NONE`] for those that cuts have
    /// removed.
    pub fn boundary_triangles(&self) -> &[[u32; 3]] {
        self.boundary.triangles()
    }

    /// Returns the tetrahedron of every boundary triangle; [`NONE`] for a removed one.
    pub fn boundary_cells(&self) -> &[u32] {
        &self.boundary_cells
    }

    /// Returns the lowest tetrahedron that contains the point, decided exactly; one that is degenerate within rounding
    /// error contains nothing. Needs [`Needs::TREE`]; `None` without it.
    pub fn holding_cell(&self, point: &Point) -> Option<u32> {
        let mut lowest = None;
        self.tree()?.overlap(&Aabb::from_point(*point), |cell| {
            let corners = self.corners(cell);
            let holds = || {
                tetrahedron::contains(corners.each_ref(), point) && !tetrahedron::is_flat(corners.each_ref())
            };
            if lowest.is_none_or(|lowest| cell < lowest) && holds() {
                lowest = Some(cell);
            }
        });
        lowest
    }

    /// Returns the signed distance of `point` from the boundary, and the closest point on it. A point is inside if a
    /// tetrahedron [contains](Self::holding_cell) it. Where tetrahedra overlap the boundary may run through the body,
    /// and the depth is then that to the boundary. Needs [`Needs::TREE`] and [`Needs::BOUNDARY`]; `None` without them,
    /// for an empty mesh and for a point farther than the square root of `bound_squared`.
    pub fn signed_distance(
        &self,
        point: &Point,
        bound_squared: f64,
    ) -> Option<(SignedDistance, SurfaceNearest)> {
        self.tree()?;
        let nearest = self.boundary()?.nearest(point, bound_squared)?;
        Some((self.signed_at(point, &nearest)?, nearest))
    }

    /// Returns the signed distance of `point`, whose closest point on the boundary is `nearest`. Needs [`Needs::TREE`] and
    /// [`Needs::BOUNDARY`]; `None` without a boundary.
    pub fn signed_at(&self, point: &Point, nearest: &SurfaceNearest) -> Option<SignedDistance> {
        let boundary = self.boundary()?;
        let (direction, length) = boundary.direction_from(nearest, point);
        let sign = if length > 0.0 && self.holding_cell(point).is_some() { -1.0 } else { 1.0 };
        let gradient =
            direction.map_or_else(|| boundary.outward(nearest.feature), |direction| direction * sign);
        Some(SignedDistance { distance: sign * length, nearest: nearest.point, gradient, feature: NONE })
    }

    /// Moves the vertices in place. Errors as [`PointSet::set_positions`].
    pub fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_positions(positions)
    }

    /// Sets the vertex positions of the previous step. Errors as [`PointSet::set_previous`].
    pub fn set_previous(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_previous(positions)
    }

    /// The cells at the boundary that had negative volume when the mesh was made, ascending: its boundary is turned by them.
    pub fn inverted_cells(&self) -> Vec<u32> {
        let mut inverted = self.boundary_cells.clone();
        inverted.retain(|cell| self.inverted.binary_search(cell).is_ok());
        inverted.sort_unstable();
        inverted.dedup();
        inverted
    }

    fn update_boundary(&mut self) {
        if self.boundary_version != self.points.version {
            self.boundary
                .set_positions(self.points.positions())
                .expect("the boundary has the mesh's vertices, which were checked");
            self.boundary_version = self.points.version;
        }
    }

    fn update_boundary_motion(&mut self) {
        self.update_boundary();
        if self.boundary_motion != self.points.motion_version() {
            let [previous, _] = self.points.motion();
            self.boundary
                .set_previous(previous)
                .expect("the boundary has the mesh's vertices, which were checked");
            self.boundary_motion = self.points.motion_version();
        }
    }
}

impl Geometry for TetraMesh {
    fn kind(&self) -> GeometryKind {
        GeometryKind::TETRA_MESH
    }

    fn bounds(&self) -> Aabb {
        self.points.swept_bounds()
    }

    fn version(&self) -> Version {
        self.points.version
    }

    fn prepare(&mut self, needs: Needs) {
        self.prepare_by(needs, &InTurn);
    }

    fn prepare_by(&mut self, needs: Needs, tasks: &dyn Tasks) {
        if needs.contains(Needs::TREE) {
            self.tree.update(self.points.version, &self.cells, self.points.positions(), tasks);
        }
        if needs.contains(Needs::BOUNDARY) {
            self.update_boundary();
            self.boundary.prepare_by(Needs::NORMALS | Needs::TREE, tasks);
        }
        if needs.contains(Needs::SWEPT) {
            self.update_boundary_motion();
            self.boundary.prepare_by(Needs::SWEPT, tasks);
        }
        if needs.contains(Needs::CUTS) {
            self.at_vertices.prepare(&self.cells);
            self.cells.reserve(self.cells.len() / ROOM);
            self.points.make_room();
            self.tree.prepare_cuts(self.points.version);
            self.boundary.prepare_by(Needs::CUTS, tasks);
        }
    }

    fn is_prepared(&self, needs: Needs) -> bool {
        (!needs.contains(Needs::TREE) || self.tree().is_some())
            && (!needs.contains(Needs::BOUNDARY) || self.boundary().is_some())
            && (!needs.contains(Needs::SWEPT) || self.swept_boundary().is_some())
            && (!needs.contains(Needs::CUTS)
                || self.at_vertices.is_prepared()
                    && !self.tree.lacks_cuts(self.points.version)
                    && self.boundary.is_prepared(Needs::CUTS))
    }

    fn advance(&mut self) {
        self.points.keep_previous();
    }

    fn content(&self) -> Vec<f64> {
        mesh_content(&[], self.points.positions(), &self.cells)
    }

    fn as_points(&self) -> Option<&PointSet> {
        Some(&self.points)
    }

    fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        Self::set_positions(self, positions)
    }

    fn swap_positions(&mut self, positions: &mut Vec<Point>) -> Result<(), GeometryError> {
        self.points.swap_positions(positions)
    }

    fn placement(&self) -> Option<Pose> {
        self.points.noted_placement()
    }

    fn set_placement(&mut self, placement: Option<Pose>) {
        self.points.note_placement(placement);
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        if let Some(source) = source.as_points() {
            self.points.copy_previous_moved(source, motion);
        }
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        downcast::<Self>(source).is_some_and(|source| {
            let same = self.points.is_of_topology(&source.points)
                || (self.cells == source.cells && self.boundary_triangles() == source.boundary_triangles());
            same && self.points.copy_points_moved(&source.points, motion)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> TetraMesh {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        TetraMesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap()
    }

    #[test]
    fn the_boundary_follows_the_positions() {
        let mut mesh = unit();
        assert!(mesh.boundary().is_none());
        mesh.prepare(Needs::BOUNDARY);
        let query = Point::new(0.25, 0.25, -1.0);
        let (above, _) = mesh.boundary().unwrap().signed_distance(&query, f64::INFINITY).unwrap();
        assert_eq!(above.distance, 1.0);
        let lower: Vec<_> =
            mesh.points().positions().iter().map(|p| Point::new(p.x, p.y, p.z - 2.0)).collect();
        mesh.set_positions(&lower).unwrap();
        assert!(mesh.boundary().is_none());
        mesh.prepare(Needs::BOUNDARY);
        let (inside, _) =
            mesh.boundary().unwrap().signed_distance(&Point::new(0.25, 0.25, -1.875), 1.0).unwrap();
        assert_eq!(inside.distance, -0.125);
    }

    #[test]
    fn an_index_out_of_range_is_named() {
        let error = TetraMesh::new(vec![Point::origin(); 3], vec![[0, 1, 2, 3]]).unwrap_err();
        assert!(error.to_string().contains("cell 0 names vertex 3"), "{error}");
    }

    #[test]
    fn the_boundary_of_a_mesh_that_has_moved_can_be_repeated() {
        let at = |points: [[f64; 3]; 5]| points.map(Point::from).to_vec();
        let made = at([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]);
        // Pressed through: the second cell has turned over.
        let moved = at([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.1, 0.1, 0.1]]);
        for cells in [vec![[0, 1, 2, 3], [1, 2, 3, 4]], vec![[0, 2, 1, 3], [1, 2, 4, 3]]] {
            let mut mesh = TetraMesh::new(made.clone(), cells.clone()).unwrap();
            mesh.set_positions(&moved).unwrap();
            let inverted = mesh.inverted_cells();
            let again = TetraMesh::with_inverted(moved.clone(), cells.clone(), &inverted).unwrap();
            assert_eq!(again.boundary_triangles(), mesh.boundary_triangles());
            assert_eq!(again.boundary_cells(), mesh.boundary_cells());
            let anew = TetraMesh::new(moved.clone(), cells).unwrap();
            assert_ne!(anew.boundary_triangles(), mesh.boundary_triangles());
        }
    }
}
