//! Hull vertices laid out for a single support query.
//!
//! The cost for an uncached hull is that of its dependent memory accesses. This layout yields the farthest corner
//! together with the range of the faces at it.

use std::ops::Range;

use nalgebra::Vector3;
use wide::f64x4;

use crate::support::farthest_of_many;

type Vector = Vector3<f64>;

/// Four corners, and the ranges of the faces at each in the list of the faces at all corners.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct VertexBlock {
    points: [[f64; 4]; 3],
    first: [u32; 4],
    end: [u32; 4],
}

/// Number of blocks stored inline.
const IN_PLACE: usize = 8;

/// The corners of a hull in blocks of four, the last padded with the last corner. Up to 32 corners are stored inline;
/// larger hulls use the heap, at the cost of one more cache miss.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct HullVertexBlocks {
    in_place: [VertexBlock; IN_PLACE],
    /// Number of inline blocks; zero if all are on the heap.
    count: usize,
    elsewhere: Vec<VertexBlock>,
}

impl Default for HullVertexBlocks {
    fn default() -> Self {
        let none = VertexBlock { points: [[0.0; 4]; 3], first: [0; 4], end: [0; 4] };
        Self { in_place: [none; IN_PLACE], count: 0, elsewhere: Vec::new() }
    }
}

impl HullVertexBlocks {
    /// Creates the blocks from at least one corner; `faces_at` returns the range of the faces at each.
    pub(super) fn new(points: &[Vector], faces_at: impl Fn(usize) -> [u32; 2]) -> Self {
        let four = |first: usize| {
            let corners: [usize; 4] = std::array::from_fn(|k| (first + k).min(points.len() - 1));
            VertexBlock {
                points: [0, 1, 2].map(|axis| corners.map(|corner| points[corner][axis])),
                first: corners.map(|corner| faces_at(corner)[0]),
                end: corners.map(|corner| faces_at(corner)[1]),
            }
        };
        let elsewhere: Vec<VertexBlock> = (0..points.len()).step_by(4).map(four).collect();
        let mut fours = Self { elsewhere, ..Self::default() };
        if let Some(in_place) = fours.in_place.get_mut(..fours.elsewhere.len()) {
            in_place.copy_from_slice(&fours.elsewhere);
            fours.count = in_place.len();
            fours.elsewhere = Vec::new();
        }
        fours
    }

    #[inline(always)]
    fn all(&self) -> &[VertexBlock] {
        if self.count > 0 { &self.in_place[..self.count.min(IN_PLACE)] } else { &self.elsewhere }
    }

    /// Returns the range of the faces at a corner in the list of faces.
    #[inline(always)]
    pub(super) fn faces_at(&self, corner: u32) -> Range<usize> {
        let (four, k) = (&self.all()[corner as usize / 4], corner as usize % 4);
        four.first[k] as usize..four.end[k] as usize
    }

    /// Returns a corner.
    #[inline(always)]
    pub(super) fn point(&self, corner: u32) -> Vector {
        let (four, k) = (&self.all()[corner as usize / 4], corner as usize % 4);
        Vector::new(four.points[0][k], four.points[1][k], four.points[2][k])
    }

    /// Returns the farthest corner; ties go to the lowest index.
    #[inline(always)]
    pub(super) fn farthest(&self, direction: Vector) -> u32 {
        let block = |four: &VertexBlock| four.points.map(f64x4::new);
        let along = [direction.x, direction.y, direction.z].map(f64x4::splat);
        farthest_of_many(self.all(), block, &along) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::VectorSpace;

    #[test]
    fn corners_are_found_in_place_and_elsewhere() {
        for count in 1..70 {
            let points: Vec<Vector> = (0..count).map(|k| VectorSpace::spread(k, count)).collect();
            let fours = HullVertexBlocks::new(&points, |corner| [corner as u32, 2 * corner as u32]);
            assert_eq!(fours.elsewhere.is_empty(), count <= 32);
            for k in 0..count {
                assert_eq!(fours.point(k), points[k as usize]);
                assert_eq!(fours.faces_at(k), k as usize..2 * k as usize);
                assert_eq!(fours.farthest(points[k as usize]), k);
            }
            assert_eq!(fours.farthest(Vector::zeros()), 0, "ties go to the lowest index");
        }
    }
}
