//! Line meshes: threads, needles, centre lines of vessels.

use super::cut::CutLists;
use crate::content::mesh_content;
use crate::derived::CellTree;
use crate::validate::cells_in_range;
use crate::{Geometry, GeometryError, GeometryKind, Needs, PointSet, Pose, Version, downcast};
use palpate_bvh::{Bvh, InTurn, Tasks};
use palpate_math::{Aabb, Point};

/// Segments between points. With a radius it is a thread: every segment is then a capsule.
#[derive(Clone, Debug)]
pub struct LineMesh {
    pub(super) points: PointSet,
    pub(super) cells: Vec<[u32; 2]>,
    pub(super) at_vertices: CutLists,
    pub(super) tree: CellTree,
    swept: CellTree,
}

impl LineMesh {
    /// Creates segments `cells` (m × 2, vertex ids) between points at `positions` (n × 3, world frame, metres). Errors:
    /// a non-finite coordinate, a vertex id out of range.
    pub fn new(positions: Vec<Point>, cells: Vec<[u32; 2]>) -> Result<Self, GeometryError> {
        cells_in_range(&cells, positions.len())?;
        let mut points = PointSet::new(positions)?;
        points.set_owners(&cells);
        let [tree, swept] = [CellTree::default(), CellTree::default()];
        Ok(Self { points, cells, at_vertices: CutLists::default(), tree, swept })
    }

    /// Creates a thread through all points in order.
    pub fn polyline(positions: Vec<Point>) -> Result<Self, GeometryError> {
        let cells = (1..positions.len() as u32).map(|end| [end - 1, end]).collect();
        Self::new(positions, cells)
    }

    /// Returns the mesh with a radius in metres. Errors: a number that is not finite or negative.
    pub fn with_radius(mut self, radius: f64) -> Result<Self, GeometryError> {
        self.points.set_radius(radius)?;
        Ok(self)
    }

    /// Returns the vertices.
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// Returns the radius in metres; 0 for bare segments.
    pub fn radius(&self) -> f64 {
        self.points.radius()
    }

    /// Returns the segments: m × 2, vertex ids; [`NONE`](palpate_contact::NONE) for one that was
    /// [removed](Self::remove_cells).
    pub fn cells(&self) -> &[[u32; 2]] {
        &self.cells
    }

    /// Returns the two ends of segment `cell`.
    pub fn segment(&self, cell: u32) -> [Point; 2] {
        self.cells[cell as usize].map(|id| self.points.positions()[id as usize])
    }

    /// Returns the tree over the segments' boxes (bare: without the radius), if up to date.
    pub fn tree(&self) -> Option<&Bvh> {
        self.tree.current(self.points.version)
    }

    /// Returns the tree over the boxes that the segments sweep over the step (bare: without the radius), if up to date. Needs
    /// [`Needs::SWEPT`].
    pub fn swept_tree(&self) -> Option<&Bvh> {
        self.swept.current(self.points.motion_version())
    }

    /// Moves the vertices in place. Errors as [`PointSet::set_positions`].
    pub fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_positions(positions)
    }

    /// Sets the vertex positions of the previous step. Errors as [`PointSet::set_previous`].
    pub fn set_previous(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_previous(positions)
    }
}

impl Geometry for LineMesh {
    fn kind(&self) -> GeometryKind {
        GeometryKind::LINE_MESH
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
        if needs.contains(Needs::SWEPT) {
            self.swept.update_swept(self.points.motion_version(), &self.cells, self.points.motion(), tasks);
        }
        if needs.contains(Needs::CUTS) {
            self.at_vertices.prepare(&self.cells);
            self.tree.prepare_cuts(self.points.version);
        }
    }

    fn is_prepared(&self, needs: Needs) -> bool {
        (!needs.contains(Needs::TREE) || self.tree().is_some())
            && (!needs.contains(Needs::SWEPT) || self.swept_tree().is_some())
            && (!needs.contains(Needs::CUTS)
                || self.at_vertices.is_prepared() && !self.tree.lacks_cuts(self.points.version))
    }

    fn advance(&mut self) {
        self.points.keep_previous();
    }

    fn content(&self) -> Vec<f64> {
        mesh_content(&[self.radius()], self.points.positions(), &self.cells)
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
            let same = self.points.is_of_topology(&source.points) || self.cells == source.cells;
            same && self.points.copy_points_moved(&source.points, motion)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Vec<Point> {
        vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(1.0, 1.0, 0.0)]
    }

    #[test]
    fn a_polyline_joins_its_points_and_owns_them() {
        let mesh = LineMesh::polyline(corner()).unwrap();
        assert_eq!(mesh.cells(), [[0, 1], [1, 2]]);
        assert_eq!([0, 1, 2].map(|vertex| mesh.points().owner(vertex)), [0, 0, 1]);
    }

    #[test]
    fn an_index_out_of_range_is_named() {
        let error = LineMesh::new(corner(), vec![[0, 1], [1, 3]]).unwrap_err();
        assert_eq!(error.to_string(), "cell 1 names vertex 3: wanted less than 3, the number of vertices");
    }

    #[test]
    fn the_tree_is_there_only_while_it_is_up_to_date() {
        let mut mesh = LineMesh::polyline(corner()).unwrap();
        assert!(!mesh.is_prepared(Needs::TREE));
        mesh.prepare(Needs::TREE);
        assert!(mesh.is_prepared(Needs::TREE));
        mesh.set_positions(&corner()).unwrap();
        assert!(mesh.tree().is_none());
    }
}
