//! The planes of a hull's faces in blocks of four, for tests against all of them.

use nalgebra::Vector3;
use wide::f64x4;

type Vector = Vector3<f64>;

/// The coordinates of four normals, and the offsets of the planes from the origin along them.
type Block = [f64x4; 4];

/// All planes; the last block is padded with the last plane.
#[derive(Clone, Debug, Default)]
pub(super) struct HullPlanes(Vec<Block>);

/// A triangle compared with all planes.
pub(super) struct TriangleHeights {
    /// The height of the triangle's lowest corner above the plane where that is greatest; negative below it.
    pub(super) height: f64,
    /// The number of that plane.
    pub(super) plane: usize,
    /// The depth of the deepest corner below the planes; negative if none is below all.
    pub(super) deepest: f64,
}

/// The bits of the index in a byte each.
const BIT_EACH: [u32; 16] = {
    let mut spread = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        spread[bits as usize] = bits & 1 | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21;
        bits += 1;
    }
    spread
};

impl HullPlanes {
    /// Creates the blocks from unit outward normals and offsets.
    pub(super) fn new(planes: &[(Vector, f64)]) -> Self {
        let block = |four: &[(Vector, f64)]| {
            let lane = |k: usize| four[k.min(four.len() - 1)];
            [0, 1, 2, 3]
                .map(|row| f64x4::new([0, 1, 2, 3].map(|k| if row < 3 { lane(k).0[row] } else { lane(k).1 })))
        };
        Self(planes.chunks(4).map(block).collect())
    }

    /// Returns how far a point is beyond the plane that it is farthest beyond; negative inside.
    #[inline(always)]
    pub(super) fn beyond(&self, point: &Vector) -> f64 {
        let [x, y, z] = [point.x, point.y, point.z].map(f64x4::splat);
        let mut far = f64x4::splat(f64::NEG_INFINITY);
        for [nx, ny, nz, height] in &self.0 {
            far = far.fast_max(x * *nx + y * *ny + z * *nz - *height);
        }
        far.to_array().into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Compares a triangle with all planes. `signs` receives, per plane, a bit per edge of the triangle: whether it rises
    /// from its corner of that number to the next.
    pub(super) fn look_at(&self, corners: &[Vector; 3], signs: &mut [u8]) -> TriangleHeights {
        let lanes =
            |corner: &Vector| [f64x4::splat(corner.x), f64x4::splat(corner.y), f64x4::splat(corner.z)];
        let [a, b, c] = corners;
        let (a, b, c) = (lanes(a), lanes(b), lanes(c));
        let none = f64x4::splat(f64::NEG_INFINITY);
        let (mut highest, mut plane, mut beyond) = (f64::NEG_INFINITY, 0, (none, none, none));
        for (number, ([nx, ny, nz, offset], signs)) in
            self.0.iter().zip(signs.chunks_exact_mut(4)).enumerate()
        {
            let height = |[x, y, z]: &[f64x4; 3]| *x * *nx + *y * *ny + *z * *nz - *offset;
            let (a, b, c) = (height(&a), height(&b), height(&c));
            let bit_each = |lanes: f64x4| BIT_EACH[(lanes.to_bitmask() & 15) as usize];
            let rises = bit_each(b.simd_gt(a)) | bit_each(c.simd_gt(b)) << 1 | bit_each(a.simd_gt(c)) << 2;
            signs.copy_from_slice(&rises.to_le_bytes());
            beyond = (beyond.0.fast_max(a), beyond.1.fast_max(b), beyond.2.fast_max(c));
            let lowest = a.fast_min(b).fast_min(c);
            if lowest.simd_gt(f64x4::splat(highest)).any() {
                for (lane, height) in lowest.to_array().into_iter().enumerate() {
                    if height > highest {
                        (highest, plane) = (height, 4 * number + lane);
                    }
                }
            }
        }
        let most = |lanes: f64x4| lanes.to_array().into_iter().fold(f64::NEG_INFINITY, f64::max);
        let deepest = most(beyond.0).min(most(beyond.1)).min(most(beyond.2));
        TriangleHeights { height: highest, plane, deepest: -deepest }
    }

    /// Returns the lengths of the chord from a point along a unit direction to the planes moved outward by each slack.
    pub(super) fn chords(&self, from: &Vector, along: &Vector, slacks: [f64; 2]) -> [f64; 2] {
        let [x, y, z] = [from.x, from.y, from.z].map(f64x4::splat);
        let [u, v, w] = [along.x, along.y, along.z].map(f64x4::splat);
        let (zero, infinite, slacks) =
            (f64x4::splat(0.0), f64x4::splat(f64::INFINITY), slacks.map(f64x4::splat));
        let mut least = [infinite; 2];
        for [nx, ny, nz, height] in &self.0 {
            let slope = u * *nx + v * *ny + w * *nz;
            let room = *height - (x * *nx + y * *ny + z * *nz);
            let leaves = slope.simd_gt(zero);
            for (least, slack) in least.iter_mut().zip(slacks) {
                let length = ((room + slack) / slope).fast_max(zero);
                *least = least.fast_min(leaves.select(length, infinite));
            }
        }
        least.map(|least| least.to_array().into_iter().fold(f64::INFINITY, f64::min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The planes of a cube of half extent one, with one plane more than a block.
    #[test]
    fn chords_of_a_cube() {
        let axes = [Vector::x(), -Vector::x(), Vector::y(), -Vector::y(), Vector::z(), -Vector::z()];
        let planes = HullPlanes::new(&axes.map(|axis| (axis, 1.0)));
        let from = Vector::new(-1.0, 0.25, 0.0);
        assert_eq!(planes.beyond(&from), 0.0);
        assert_eq!(planes.beyond(&(from * 2.0)), 1.0);
        assert_eq!(planes.chords(&from, &Vector::x(), [0.0, 0.5]), [2.0, 2.5]);
        assert_eq!(planes.chords(&from, &Vector::new(0.6, 0.8, 0.0), [0.0, 0.5]), [0.9375, 1.5625]);
        assert_eq!(planes.chords(&from, &-Vector::x(), [0.0, 0.5]), [0.0, 0.5]);
        assert_eq!(HullPlanes::default().chords(&from, &from, [0.0; 2]), [f64::INFINITY; 2]);
    }
}
