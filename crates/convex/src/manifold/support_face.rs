//! The support face of a body along a direction, in the body's native representation.

use nalgebra::Vector3;

use super::cap::Cap;
use crate::face_polygon::{Corner, FacePolygon};
use crate::support::Cuboid;

type Vector = Vector3<f64>;

/// The support face of a body along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SupportFace {
    /// A round cap.
    Cap(Cap),
    /// A generatrix of a curved wall.
    Line(Line),
    /// A side of a box.
    BoxFace(BoxFace),
    /// The polygon written to the patch.
    FacePolygon,
}

/// A generatrix of a curved wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its ends, by their ids.
    pub ends: [Corner; 2],
    /// The feature number of the wall.
    pub feature: u32,
}

/// A side of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxFace {
    /// The box.
    pub cuboid: Cuboid<Vector3<f64>>,
    /// The number of the side: 2k on the positive side of axis k, 2k + 1 on the negative.
    pub face: u32,
}

/// The corners of each side of a box, counter-clockwise seen from outside.
const AROUND: [[u32; 4]; 6] =
    [[6, 4, 0, 2], [3, 1, 5, 7], [5, 1, 0, 4], [6, 2, 3, 7], [3, 2, 0, 1], [5, 4, 6, 7]];

/// The same, ordered by id.
const BY_ID: [[u32; 4]; 6] =
    [[0, 2, 4, 6], [1, 3, 5, 7], [0, 1, 4, 5], [2, 3, 6, 7], [0, 1, 2, 3], [4, 5, 6, 7]];

impl BoxFace {
    /// Returns corner `k` below 4, in the order of their ids.
    #[inline(always)]
    pub(super) fn corner(&self, k: usize) -> Corner {
        self.named(BY_ID[self.face as usize % 6][k % 4])
    }

    #[inline(always)]
    fn named(&self, id: u32) -> Corner {
        Corner { point: self.cuboid.corner(id), id, feature: self.face }
    }
}

impl SupportFace {
    /// Writes the face into the patch, unless it is there already.
    pub(super) fn show(&self, patch: &mut FacePolygon) {
        match self {
            Self::Cap(cap) => cap.show(patch),
            Self::Line(line) => {
                patch.begin(Vector::zeros(), line.feature);
                patch.corners.extend(line.ends);
            }
            Self::BoxFace(side) => {
                let sign = if side.face.is_multiple_of(2) { 1.0 } else { -1.0 };
                patch.begin(Vector::ith(side.face as usize / 2, sign), side.face);
                patch.corners.extend(AROUND[side.face as usize].map(|id| side.named(id)));
            }
            Self::FacePolygon => {}
        }
    }
}
