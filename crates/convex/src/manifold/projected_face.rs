//! Faces projected along a direction.

use nalgebra::Vector3;

use crate::face_polygon::FacePolygon;
use crate::pose::RigidTransform;
use crate::support::NO_ID;
use crate::vector::{VectorSpace, cross};

type Vector = Vector3<f64>;

/// The plane perpendicular to a direction, with an origin in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) along: Vector,
    pub(super) across: [Vector; 2],
    pub(super) origin: Vector,
}

impl View {
    /// Creates the view along a unit vector.
    pub(super) fn new(along: Vector, origin: Vector) -> Self {
        let first = along.perpendicular();
        let first = first * (1.0 / first.length());
        Self { along, across: [first, cross(along, first)], origin }
    }

    /// Returns the two coordinates across and the one along the view.
    pub(super) fn coordinates(&self, point: Vector) -> ([f64; 2], f64) {
        (self.across.map(|axis| point.inner(axis)), point.inner(self.along))
    }

    /// Returns the world point with these coordinates.
    pub(super) fn point(&self, [x, y]: [f64; 2], height: f64) -> Vector {
        self.origin + (self.across[0] * x + self.across[1] * y + self.along * height)
    }
}

/// A projected corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProjectedCorner {
    pub(super) at: [f64; 2],
    /// Along the direction.
    pub(super) height: f64,
    pub(super) id: u32,
    pub(super) feature: u32,
}

/// A projected face: counter-clockwise if it is a polygon.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectedFace {
    pub(super) corners: Vec<ProjectedCorner>,
    pub(super) feature: u32,
    /// Whether the order of the corners is reversed relative to the face.
    pub(super) reversed: bool,
    /// The gradient of the height over both coordinates, of a polygon.
    slope: [f64; 2],
    /// The largest coordinate involved, of the world or of the view: rounding error is relative to it.
    pub(super) largest: f64,
}

impl ProjectedFace {
    /// Projects a face; `facing` is +1 when its outward normal points along the view, -1 when against it.
    pub(super) fn look(
        &mut self,
        patch: &FacePolygon,
        pose: &RigidTransform<Vector>,
        view: &View,
        facing: f64,
    ) {
        let offset = pose.translation - view.origin;
        self.corners.clear();
        self.feature = patch.feature;
        self.reversed = facing < 0.0 && patch.corners.len() > 2;
        self.largest = pose.translation.largest().max(view.origin.largest());
        for corner in &patch.corners {
            let point = corner.point.rotated(&pose.rotation) + offset;
            let (at, height) = view.coordinates(point);
            let largest = point.largest();
            self.largest = if largest > self.largest { largest } else { self.largest };
            self.corners.push(ProjectedCorner { at, height, id: corner.id, feature: corner.feature });
        }
        if patch.corners.len() > 2 {
            let (across, along) = view.coordinates(patch.normal.rotated(&pose.rotation));
            self.slope = across.map(|x| -x / along);
            if self.reversed {
                self.corners.reverse();
            }
        }
    }

    /// Returns the height of a polygon's plane.
    pub(super) fn height(&self, [x, y]: [f64; 2]) -> f64 {
        let ProjectedCorner { at, height, .. } = self.corners[0];
        height + (self.slope[0] * (x - at[0]) + self.slope[1] * (y - at[1]))
    }

    /// Returns how much a polygon's plane rises at most over a length of one along both coordinates.
    pub(super) fn steepness(&self) -> f64 {
        self.slope[0].abs() + self.slope[1].abs()
    }

    /// Returns the two ends of side `side`.
    pub(super) fn side(&self, side: usize) -> [&ProjectedCorner; 2] {
        [&self.corners[side], &self.corners[(side + 1) % self.corners.len()]]
    }

    /// Returns the position and height of a point projected onto a side, clamped to its ends.
    pub(super) fn on_side(&self, side: usize, at: [f64; 2]) -> ([f64; 2], f64) {
        let [start, end] = self.side(side);
        let along = [end.at[0] - start.at[0], end.at[1] - start.at[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let part = (at[0] - start.at[0]) * along[0] + (at[1] - start.at[1]) * along[1];
        let t = if square > 0.0 { (part / square).clamp(0.0, 1.0) } else { 0.0 };
        let place = [start.at[0] + along[0] * t, start.at[1] + along[1] * t];
        (place, start.height + (end.height - start.height) * t)
    }

    /// Returns the line of a side; `None` for a degenerate side.
    pub(super) fn line(&self, side: usize, tolerance: f64) -> Option<SideLine> {
        let [start, end] = self.side(side);
        SideLine::new(start.at, end.at, tolerance)
    }

    /// Returns the feature of a side: that of its ends where they agree, else that of the face.
    pub(super) fn side_feature(&self, side: usize) -> u32 {
        if self.corners.len() > 2 || self.feature != NO_ID {
            return self.feature;
        }
        let [start, end] = self.side(side);
        if start.feature == end.feature { start.feature } else { NO_ID }
    }
}

/// The line through two points of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideLine {
    start: [f64; 2],
    along: [f64; 2],
    length: f64,
}

impl SideLine {
    /// Creates the line from `start` to `end`; `None` for points no farther apart than `tolerance`.
    pub(super) fn new(start: [f64; 2], end: [f64; 2], tolerance: f64) -> Option<Self> {
        let along = [end[0] - start[0], end[1] - start[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        (length > tolerance).then_some(Self { start, along, length })
    }

    /// Returns how far a point is to the left of the line.
    #[inline(always)]
    pub(super) fn left_of(&self, at: [f64; 2]) -> f64 {
        let Self { start, along, length } = self;
        (along[0] * (at[1] - start[1]) - along[1] * (at[0] - start[0])) / length
    }
}
