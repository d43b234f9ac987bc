//! Points alone, as a geometry.

use crate::content::mesh_content;
use crate::{Geometry, GeometryError, GeometryKind, Needs, PointSet, Pose, Version, downcast};
use palpate_math::{Aabb, Point};

impl Geometry for PointSet {
    fn kind(&self) -> GeometryKind {
        GeometryKind::POINT_SET
    }

    fn bounds(&self) -> Aabb {
        self.swept_bounds()
    }

    fn version(&self) -> Version {
        self.version
    }

    fn prepare(&mut self, needs: Needs) {
        if needs.contains(Needs::TREE) {
            self.update_tree();
        }
        if needs.contains(Needs::SWEPT) {
            self.update_swept_tree();
        }
    }

    fn is_prepared(&self, needs: Needs) -> bool {
        (!needs.contains(Needs::TREE) || self.tree().is_some())
            && (!needs.contains(Needs::SWEPT) || self.swept_tree().is_some())
    }

    fn advance(&mut self) {
        self.keep_previous();
    }

    fn content(&self) -> Vec<f64> {
        mesh_content::<0>(&[self.radius()], self.positions(), &[])
    }

    fn as_points(&self) -> Option<&PointSet> {
        Some(self)
    }

    fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        Self::set_positions(self, positions)
    }

    fn swap_positions(&mut self, positions: &mut Vec<Point>) -> Result<(), GeometryError> {
        Self::swap_positions(self, positions)
    }

    fn placement(&self) -> Option<Pose> {
        self.noted_placement()
    }

    fn set_placement(&mut self, placement: Option<Pose>) {
        self.note_placement(placement);
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        if let Some(source) = source.as_points() {
            Self::copy_previous_moved(self, source, motion);
        }
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        downcast::<Self>(source).is_some_and(|source| self.copy_points_moved(source, motion))
    }
}
