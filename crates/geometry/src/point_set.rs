//! Point sets: stand-alone, or the vertices of a mesh.

use crate::derived::{CellTree, ROOM};
use crate::validate::{finite_points, not_negative};
use crate::version::draw;
use crate::{GeometryError, Pose, Version};
use palpate_bvh::Bvh;
use palpate_contact::NONE;
use palpate_math::{Aabb, Point};

/// Points with one radius: particles (radius > 0), probes, or the vertices of a mesh. Stores the current positions and,
/// once [`Geometry::advance`](crate::Geometry::advance) was called, the previous ones.
#[derive(Clone, Debug)]
pub struct PointSet {
    positions: Vec<Point>,
    /// The box of the positions, without the radius.
    bounds: Aabb,
    previous: Option<Previous>,
    /// The lowest cell of the mesh at each vertex; empty for points without a mesh.
    owners: Vec<u32>,
    radius: f64,
    /// World from the positions, noted by a scene.
    placement: Option<Pose>,
    tree: CellTree,
    swept: CellTree,
    pub(crate) version: Version,
}

/// The positions one step ago.
#[derive(Clone, Debug)]
struct Previous {
    positions: Vec<Point>,
    bounds: Aabb,
    /// The version that they are a copy of; `None` if the caller gave them.
    copied: Option<Version>,
    /// When they became the previous ones.
    drawn: u64,
}

impl PointSet {
    /// Creates points at `positions`: n × 3, world frame, metres. Errors: a non-finite coordinate.
    pub fn new(positions: Vec<Point>) -> Result<Self, GeometryError> {
        let bounds = finite_points(&positions)?;
        let version = Version::new();
        let [tree, swept] = [CellTree::default(), CellTree::default()];
        let (previous, owners, placement) = (None, Vec::new(), None);
        Ok(Self { positions, bounds, previous, owners, radius: 0.0, placement, tree, swept, version })
    }

    /// Returns the points with a radius (a thickness, for the vertices of a mesh) in metres. Errors: a number that is
    /// not finite or negative.
    pub fn with_radius(mut self, radius: f64) -> Result<Self, GeometryError> {
        self.set_radius(radius)?;
        Ok(self)
    }

    /// Sets the radius. Errors: a number that is not finite or negative.
    pub fn set_radius(&mut self, radius: f64) -> Result<(), GeometryError> {
        self.radius = not_negative("the radius", radius)?;
        self.version.moved();
        Ok(())
    }

    /// Returns the radius in metres; 0 for bare points.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the current positions: world frame, metres.
    pub fn positions(&self) -> &[Point] {
        &self.positions
    }

    /// The positions at the last [`Geometry::advance`](crate::Geometry::advance), if there was one.
    pub fn previous(&self) -> Option<&[Point]> {
        self.previous.as_ref().map(|previous| previous.positions.as_slice())
    }

    /// Returns the previous and the current positions; the current ones twice if there are no previous ones.
    pub fn motion(&self) -> [&[Point]; 2] {
        [self.previous().unwrap_or(&self.positions), &self.positions]
    }

    /// The version of the motion: differs when the current or the previous positions differ.
    pub(crate) fn motion_version(&self) -> Version {
        let drawn = self.previous.as_ref().map_or(0, |previous| previous.drawn);
        Version { topology: self.version.topology, positions: self.version.positions.max(drawn) }
    }

    /// Returns the lowest cell at vertex `vertex`, or [`NONE`].
    pub fn owner(&self, vertex: u32) -> u32 {
        self.owners.get(vertex as usize).copied().unwrap_or(NONE)
    }

    /// Returns the tree over the points (bare: without the radius), if up to date. The vertices of a mesh have none: a
    /// mesh has one over its cells.
    pub fn tree(&self) -> Option<&Bvh> {
        self.tree.current(self.version)
    }

    /// Brings the tree over the points up to date.
    pub(crate) fn update_tree(&mut self) {
        self.tree.update_points(self.version, &self.positions);
    }

    /// Returns the tree over the boxes that the points (bare: without the radius) sweep over the step, if up to date. The vertices of
    /// a mesh have none.
    pub fn swept_tree(&self) -> Option<&Bvh> {
        self.swept.current(self.motion_version())
    }

    /// Brings the tree over the swept points up to date.
    pub(crate) fn update_swept_tree(&mut self) {
        let version = self.motion_version();
        let previous = self.previous.as_ref().map_or(&self.positions, |previous| &previous.positions);
        self.swept.update_swept_points(version, previous, &self.positions);
    }

    /// Moves the points in place, without allocation. Errors: a list of another length, a non-finite coordinate; then
    /// nothing is changed.
    pub fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.bounds = self.check(positions, "the list of positions")?;
        self.positions.copy_from_slice(positions);
        self.version.moved();
        Ok(())
    }

    /// As [`set_positions`](Self::set_positions), by exchanging the lists.
    pub(crate) fn swap_positions(&mut self, positions: &mut Vec<Point>) -> Result<(), GeometryError> {
        self.bounds = self.check(positions, "the list of positions")?;
        std::mem::swap(&mut self.positions, positions);
        self.version.moved();
        Ok(())
    }

    /// Sets the positions of the previous step; derived data, which depends on the current positions, stays up to date.
    /// Errors as [`set_positions`](Self::set_positions).
    pub fn set_previous(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        let bounds = self.check(positions, "the list of previous positions")?;
        self.set_previous_to(positions, bounds, None);
        Ok(())
    }

    /// Returns the box of the current positions, without the radius. Cost: constant.
    pub(crate) fn bare_bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Returns the box over both states, including the radius. Cost: constant.
    pub(crate) fn swept_bounds(&self) -> Aabb {
        let swept =
            self.previous.as_ref().map_or(self.bounds, |previous| self.bounds.merged(&previous.bounds));
        swept.grown(self.radius)
    }

    /// Makes the current positions the previous ones. Cost: constant if they have not changed since.
    pub(crate) fn keep_previous(&mut self) {
        if self.previous.as_ref().is_some_and(|previous| previous.copied == Some(self.version)) {
            return;
        }
        let positions = std::mem::take(&mut self.positions);
        self.set_previous_to(&positions, self.bounds, Some(self.version));
        self.positions = positions;
    }

    fn set_previous_to(&mut self, positions: &[Point], bounds: Aabb, copied: Option<Version>) {
        match &mut self.previous {
            Some(previous) => {
                previous.positions.copy_from_slice(positions);
                (previous.bounds, previous.copied, previous.drawn) = (bounds, copied, draw());
            }
            none => *none = Some(Previous { positions: positions.to_vec(), bounds, copied, drawn: draw() }),
        }
    }

    /// Whether one of the two is a clone of the other, and neither has got other cells since. Cost: constant.
    pub(crate) fn is_of_topology(&self, source: &Self) -> bool {
        self.version.topology == source.version.topology
    }

    /// Becomes a copy of the points of `source`, of which there are as many, moved by a rigid motion. Returns `false` if there
    /// are not as many.
    pub(crate) fn copy_points_moved(&mut self, source: &Self, motion: &Pose) -> bool {
        if !self.is_of_topology(source) && (source.len() != self.len() || source.owners != self.owners) {
            return false;
        }
        if *motion == Pose::identity() {
            self.positions.copy_from_slice(&source.positions);
            self.bounds = source.bounds;
        } else {
            for (own, point) in self.positions.iter_mut().zip(&source.positions) {
                *own = motion * point;
            }
            self.bounds = Aabb::from_points(&self.positions);
        }
        self.radius = source.radius;
        self.placement = source.placement;
        self.previous = None;
        self.version.moved();
        true
    }

    /// Sets the previous positions to those of `source`, or its current ones if it has none, moved by a rigid motion.
    pub(crate) fn copy_previous_moved(&mut self, source: &Self, motion: &Pose) {
        let [before, _] = source.motion();
        if before.len() != self.positions.len() {
            return;
        }
        let mut moved = self.previous.take().map_or_else(Vec::new, |previous| previous.positions);
        moved.clear();
        moved.extend(before.iter().map(|point| motion * point));
        let bounds = Aabb::from_points(&moved);
        self.previous = Some(Previous { positions: moved, bounds, copied: None, drawn: draw() });
    }

    /// Adds points, which were at rest until now and belong to no cell. Errors: a coordinate that is not finite; then nothing
    /// is changed.
    pub(crate) fn add(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        if positions.is_empty() {
            return Ok(());
        }
        let bounds = finite_points(positions)?;
        self.positions.extend_from_slice(positions);
        self.bounds = self.bounds.merged(&bounds);
        if let Some(previous) = &mut self.previous {
            previous.positions.extend_from_slice(positions);
            previous.bounds = previous.bounds.merged(&bounds);
            (previous.copied, previous.drawn) = (None, draw());
        }
        self.owners.resize(self.positions.len(), NONE);
        self.version.rebuilt();
        Ok(())
    }

    /// Makes room for the points that cuts add.
    pub(crate) fn make_room(&mut self) {
        let room = self.positions.len() / ROOM;
        self.positions.reserve(room);
        self.owners.reserve(room);
        if let Some(previous) = &mut self.previous {
            previous.positions.reserve(room);
        }
    }

    pub(crate) fn noted_placement(&self) -> Option<Pose> {
        self.placement
    }

    pub(crate) fn note_placement(&mut self, placement: Option<Pose>) {
        self.placement = placement;
    }

    /// Sets the lowest cell at a vertex.
    pub(crate) fn set_owner(&mut self, vertex: u32, cell: u32) {
        self.owners[vertex as usize] = cell;
    }

    /// Stores the lowest cell at every vertex.
    pub(crate) fn set_owners<const N: usize>(&mut self, cells: &[[u32; N]]) {
        self.owners = vec![NONE; self.positions.len()];
        for (cell, ids) in cells.iter().enumerate().rev() {
            for &id in ids.iter().filter(|&&id| id != NONE) {
                self.owners[id as usize] = cell as u32;
            }
        }
    }

    /// Returns the box around the positions.
    fn check(&self, positions: &[Point], what: &str) -> Result<Aabb, GeometryError> {
        if positions.len() != self.positions.len() {
            let (found, wanted) = (positions.len(), self.positions.len());
            return Err(GeometryError::Length { what: what.to_owned(), found, wanted });
        }
        finite_points(positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geometry, Needs};

    fn points() -> Vec<Point> {
        vec![Point::new(0.0, 0.0, 0.0), Point::new(1.0, 2.0, 3.0)]
    }

    #[test]
    fn positions_are_replaced_in_place_and_versions_grow() {
        let mut set = PointSet::new(points()).unwrap();
        let before = set.version();
        let memory = set.positions().as_ptr();
        set.set_positions(&[Point::new(5.0, 0.0, 0.0), Point::origin()]).unwrap();
        assert_eq!(set.positions().as_ptr(), memory);
        assert!(set.version().positions > before.positions);
        assert_eq!(set.version().topology, before.topology);
    }

    #[test]
    fn bad_positions_change_nothing() {
        let mut set = PointSet::new(points()).unwrap();
        let error = set.set_positions(&[Point::origin()]).unwrap_err();
        assert!(error.to_string().contains("length 1: wanted 2"), "{error}");
        let bad = [Point::origin(), Point::new(0.0, f64::NAN, 0.0)];
        let error = set.set_positions(&bad).unwrap_err();
        assert!(error.to_string().contains("vertex 1 is NaN"), "{error}");
        assert_eq!(set.positions(), points());
    }

    #[test]
    fn the_tree_is_there_only_while_it_is_up_to_date() {
        let mut set = PointSet::new(points()).unwrap();
        assert!(!set.is_prepared(Needs::TREE));
        set.prepare(Needs::TREE);
        assert_eq!(set.tree().map(Bvh::len), Some(2));
        set.set_positions(&points()).unwrap();
        assert!(set.tree().is_none() && !set.is_prepared(Needs::TREE));
    }

    #[test]
    fn advancing_keeps_the_previous_positions_and_sweeps_the_bounds() {
        let mut set = PointSet::new(points()).unwrap().with_radius(0.5).unwrap();
        assert!(set.previous().is_none());
        set.advance();
        set.set_positions(&[Point::new(9.0, 0.0, 0.0), Point::new(9.0, 0.0, 0.0)]).unwrap();
        assert_eq!(set.previous().unwrap(), points());
        let bounds = set.bounds();
        assert!(bounds.min.x <= -0.5 && bounds.max.x >= 9.5);
    }
}
