//! The face of a body toward a direction, as a polygon.

use nalgebra::Vector3;

use crate::support::NO_ID;

/// A corner of a face, in the body's local frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Its position.
    pub point: Vector3<f64>,
    /// Its id among the corners of the body.
    pub id: u32,
    /// The body's feature number at the corner, or [`NO_ID`].
    pub feature: u32,
}

/// The face of a body's core toward a direction, in the body's local frame: a convex polygon (three or more corners,
/// counter-clockwise seen from outside), a segment (two), or empty (none).
#[derive(Clone, Debug)]
pub struct FacePolygon {
    pub(crate) corners: Vec<Corner>,
    pub(crate) normal: Vector3<f64>,
    pub(crate) feature: u32,
}

impl Default for FacePolygon {
    /// Creates an empty face, with capacity for the faces of all but unusual hulls.
    fn default() -> Self {
        Self { corners: Vec::with_capacity(32), normal: Vector3::zeros(), feature: NO_ID }
    }
}

impl FacePolygon {
    /// Returns the corners of the face.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Returns the body's feature number of the interior of the face, or [`NO_ID`].
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// Returns the unit outward normal of a polygon, local frame; zero for segments and empty faces.
    pub fn normal(&self) -> Vector3<f64> {
        self.normal
    }

    /// Empties the face.
    pub(crate) fn clear(&mut self) {
        self.begin(Vector3::zeros(), NO_ID);
    }

    /// Resets it to a face without corners, ready to be filled.
    pub(crate) fn begin(&mut self, normal: Vector3<f64>, feature: u32) {
        self.corners.clear();
        (self.normal, self.feature) = (normal, feature);
    }

    pub(crate) fn push(&mut self, point: Vector3<f64>, id: u32, feature: u32) {
        self.corners.push(Corner { point, id, feature });
    }
}
