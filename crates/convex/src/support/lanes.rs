//! Points in registers, laid out for a scan.

use wide::f64x4;

use super::scan::{bounding_radius, farthest_along};
use super::small_hull::SmallHull;
use crate::vector::VectorSpace;

/// Points in blocks of four, one SIMD register per coordinate.
#[derive(Clone, Debug)]
pub(crate) enum Lanes {
    /// Exactly two blocks.
    SmallHull(Box<SmallHull>),
    Many(Vec<[f64x4; 3]>),
}

impl Lanes {
    /// Lays out the points; the last block is padded with the last point.
    pub(crate) fn new<V: VectorSpace>(points: &[V]) -> Self {
        let last = points.len().saturating_sub(1);
        let blocks: Vec<[f64x4; 3]> = (0..points.len().div_ceil(4))
            .map(|block| {
                [0, 1, 2].map(|axis| {
                    f64x4::new([0, 1, 2, 3].map(|lane| points[(4 * block + lane).min(last)].coordinate(axis)))
                })
            })
            .collect();
        match *blocks {
            [first, second] => {
                Self::SmallHull(Box::new(SmallHull::new([first, second], bounding_radius(points))))
            }
            _ => Self::Many(blocks),
        }
    }

    /// Returns the points, if they are two blocks.
    #[inline(always)]
    pub(crate) fn few(&self) -> Option<&SmallHull> {
        match self {
            Self::SmallHull(few) => Some(few),
            Self::Many(_) => None,
        }
    }

    /// Returns the index of the farthest point; ties go to the lowest.
    #[inline(always)]
    pub(crate) fn farthest<V: VectorSpace>(&self, direction: V) -> usize {
        // Passed by value, in registers: three scalar stores read back as two vector loads are slow.
        let [x, y, z] = [direction.coordinate(0), direction.coordinate(1), direction.coordinate(2)];
        match self {
            Self::SmallHull(few) => few.farthest(x, y, z),
            Self::Many(blocks) => farthest_along(blocks, x, y, z),
        }
    }
}
