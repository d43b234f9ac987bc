//! The face of a body that looks along a direction.

use nalgebra::Vector3;

use crate::support::NO_ID;

/// A corner of a face, in the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where it is.
    pub point: Vector3<f64>,
    /// Its name among the corners of the body.
    pub id: u32,
    /// The number of the body's feature at the corner, or [`NO_ID`].
    pub feature: u32,
}

/// The face of a body's core that looks along a direction, in the body's own frame: a convex polygon (three corners or more,
/// counter-clockwise seen from outside), a segment (two), or nothing worth naming (none).
#[derive(Clone, Debug)]
pub struct FacePolygon {
    pub(super) corners: Vec<Corner>,
    pub(super) normal: Vector3<f64>,
    pub(super) feature: u32,
}

impl Default for FacePolygon {
    /// Nothing, with room for the faces of all bodies but unusual hulls.
    fn default() -> Self {
        Self { corners: Vec::with_capacity(32), normal: Vector3::zeros(), feature: NO_ID }
    }
}

impl FacePolygon {
    /// The corners of the face.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The number of the body's feature inside the face, or [`NO_ID`].
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// The unit outward normal of a polygon, own frame; zero for anything else.
    pub fn normal(&self) -> Vector3<f64> {
        self.normal
    }

    /// Makes it nothing.
    pub(super) fn clear(&mut self) {
        self.begin(Vector3::zeros(), NO_ID);
    }

    /// Makes it a face without corners, to be given them.
    pub(super) fn begin(&mut self, normal: Vector3<f64>, feature: u32) {
        self.corners.clear();
        (self.normal, self.feature) = (normal, feature);
    }

    pub(super) fn push(&mut self, point: Vector3<f64>, id: u32, feature: u32) {
        self.corners.push(Corner { point, id, feature });
    }
}
