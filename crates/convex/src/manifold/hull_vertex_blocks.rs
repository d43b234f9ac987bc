//! The corners of a hull, laid out for a query of one direction.
//!
//! A hull that is in no cache costs what its places of memory cost that are waited for one after the other. Here the
//! query finds the farthest corner, and with it where the faces at that corner stand.

use std::ops::Range;

use nalgebra::Vector3;
use wide::f64x4;

use crate::support::farthest_of_many;

type Vector = Vector3<f64>;

/// VertexBlock corners, and where in the list of the faces at all corners those at each of them begin and end.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct VertexBlock {
    points: [[f64; 4]; 3],
    first: [u32; 4],
    end: [u32; 4],
}

/// How many fours stand in place.
const IN_PLACE: usize = 8;

/// The corners of a hull in fours, the last of them filled up with the last corner. Those of a hull of no more than 32 corners
/// stand in place, the others' elsewhere: there they are waited for once more.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct HullVertexBlocks {
    in_place: [VertexBlock; IN_PLACE],
    /// How many there are in place; none where all are elsewhere.
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
    /// The corners, of which there is at least one; `faces_at` gives where the faces at each begin and end.
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

    /// Where in the list of faces those at a corner are.
    #[inline(always)]
    pub(super) fn faces_at(&self, corner: u32) -> Range<usize> {
        let (four, k) = (&self.all()[corner as usize / 4], corner as usize % 4);
        four.first[k] as usize..four.end[k] as usize
    }

    /// A corner.
    #[inline(always)]
    pub(super) fn point(&self, corner: u32) -> Vector {
        let (four, k) = (&self.all()[corner as usize / 4], corner as usize % 4);
        Vector::new(four.points[0][k], four.points[1][k], four.points[2][k])
    }

    /// The farthest corner, the lowest of equals.
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
            assert_eq!(fours.farthest(Vector::zeros()), 0, "the lowest of equals");
        }
    }
}
