//! Linear scans for the farthest point.

use wide::f64x4;

use super::Extreme;
use crate::vector::VectorSpace;

/// Returns the farthest of a few points, at least one; ties go to the first.
#[inline(always)]
pub(crate) fn farthest<V: VectorSpace, const N: usize>(points: &[V; N], direction: V) -> Extreme<V> {
    let mut best = Extreme { point: points[0], id: 0 };
    let mut height = points[0].inner(direction);
    for (id, point) in points.iter().enumerate().skip(1) {
        let other = point.inner(direction);
        if other > height {
            height = other;
            best = Extreme { point: *point, id: id as u32 };
        }
    }
    best
}

/// Returns the largest distance of a point from the origin.
pub(crate) fn bounding_radius<V: VectorSpace>(points: &[V]) -> f64 {
    points.iter().map(|point| point.squared()).fold(0.0, f64::max).sqrt()
}

/// Returns a hash of coordinates.
pub(super) fn fingerprint<'a>(coordinates: impl Iterator<Item = &'a f64>) -> u64 {
    // Multiplication mixes upward only, so the upper half is added to the lower one.
    coordinates.fold(0x243f_6a88_85a3_08d3, |hash: u64, coordinate| {
        let mixed = (hash ^ coordinate.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}

/// Returns the mean of the points.
pub(crate) fn center<V: VectorSpace>(points: &[V]) -> V {
    points.iter().fold(V::zero(), |sum, point| sum + *point) * (1.0 / points.len() as f64)
}

/// Returns the index of the farthest point; ties go to the lowest. Inlining slows down the loop around it.
#[inline(never)]
pub(super) fn farthest_along(blocks: &[[f64x4; 3]], x: f64, y: f64, z: f64) -> usize {
    let along = [x, y, z].map(f64x4::splat);
    match blocks {
        [a] => farthest_of([*a], &along).1,
        blocks => farthest_of_many(blocks, |block| *block, &along),
    }
}

/// Returns the greatest height of a few blocks, and its first index. All heights stay in registers.
#[inline(always)]
fn farthest_of<const N: usize>(blocks: [[f64x4; 3]; N], along: &[f64x4; 3]) -> (f64, usize) {
    let heights = blocks.map(|block| block[0] * along[0] + block[1] * along[1] + block[2] * along[2]);
    let mut best = heights[0];
    for height in &heights[1..] {
        best = best.fast_max(*height);
    }
    let [a, b, c, d] = best.to_array();
    let (ab, cd) = (if b > a { b } else { a }, if d > c { d } else { c });
    let top = if cd > ab { cd } else { ab };
    let all = f64x4::splat(top);
    let mut reached = 0;
    for (block, height) in heights.iter().enumerate() {
        reached |= height.simd_eq(all).to_bitmask() << (4 * block);
    }
    (top, reached.trailing_zeros() as usize)
}

/// Returns the index of the farthest point of any number of blocks; ties go to the lowest; eight blocks at a time.
#[inline(always)]
pub(crate) fn farthest_of_many<B>(
    blocks: &[B],
    points: impl Fn(&B) -> [f64x4; 3],
    along: &[f64x4; 3],
) -> usize {
    let (eights, rest) = blocks.as_chunks::<8>();
    let (fours, rest) = rest.as_chunks::<4>();
    let (mut best, mut index, mut before) = (f64::NEG_INFINITY, 0, 0);
    // Branchless: which block is farthest is unpredictable.
    let mut farther = |(height, at): (f64, usize), count: usize| {
        index = std::hint::select_unpredictable(height > best, before + at, index);
        best = if height > best { height } else { best };
        before += 4 * count;
    };
    for eight in eights {
        farther(farthest_of(eight.each_ref().map(&points), along), 8);
    }
    for four in fours {
        farther(farthest_of(four.each_ref().map(&points), along), 4);
    }
    for one in rest {
        farther(farthest_of([points(one)], along), 1);
    }
    index
}
