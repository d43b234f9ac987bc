//! Five to eight points: so few that a query transforms them all once rather than a direction and a point per support.

use wide::{bytemuck, f64x2, f64x4};

use super::{Core, Extreme};
use crate::pose::RigidTransform;
use crate::vector::VectorSpace;

/// The index of the point at each place, and the place of each.
const REVERSED: [usize; 8] = [0, 4, 2, 6, 1, 5, 3, 7];

/// Five to eight points in two blocks of four, padded with the last point; a coordinate's two blocks lie side by side, so that a
/// place alone addresses it.
///
/// The place of a point is its index with the three bits reversed: then lanes that are compared with each other hold ranges of
/// indices, one above the other, and ties go to the lowest index by themselves.
#[derive(Clone, Copy, Debug)]
pub struct SmallHull {
    axes: [[f64x4; 2]; 3],
    bounding_radius: f64,
}

impl SmallHull {
    /// Creates a hull from its points in two blocks and their largest distance from the origin.
    pub(super) fn new(blocks: [[f64x4; 3]; 2], bounding_radius: f64) -> Self {
        let axes = [0, 1, 2].map(|axis| {
            let coordinate = |place: usize| blocks[REVERSED[place] / 4][axis].to_array()[REVERSED[place] % 4];
            [0, 4].map(|first| f64x4::new([0, 1, 2, 3].map(|lane| coordinate(first + lane))))
        });
        Self { axes, bounding_radius }
    }

    /// Returns the heights of the points along a direction.
    #[inline(always)]
    fn heights(&self, [x, y, z]: [f64x4; 3]) -> [f64x4; 2] {
        let height = |k: usize| self.axes[0][k] * x + self.axes[1][k] * y + self.axes[2][k] * z;
        [height(0), height(1)]
    }

    /// Transforms the points by `pose`, bitwise equal to [`RigidTransform::point`]. Unrolled by hand: the compiler does not
    /// inline maps over blocks.
    #[inline(always)]
    pub(crate) fn placed<V: VectorSpace>(&self, pose: &RigidTransform<V>) -> Self {
        let (x, y, z) = (V::row(&pose.rotation, 0), V::row(&pose.rotation, 1), V::row(&pose.rotation, 2));
        let to = pose.translation;
        let moved = |row: V, to: f64| {
            let along = |axis: usize| f64x4::splat(row.coordinate(axis));
            let [first, second] = self.heights([along(0), along(1), along(2)]);
            [first + f64x4::splat(to), second + f64x4::splat(to)]
        };
        let axes = [moved(x, to.coordinate(0)), moved(y, to.coordinate(1)), moved(z, to.coordinate(2))];
        // A bound without a root: no less than the length.
        let away = to.coordinate(0).abs() + to.coordinate(1).abs() + to.coordinate(2).abs();
        Self { axes, bounding_radius: self.bounding_radius + away }
    }
}

/// Returns the place of the greatest of eight heights; ties go to the lowest index.
#[inline(always)]
fn highest(heights: [f64x4; 2]) -> usize {
    let first = heights[1].simd_gt(heights[0]).to_bitmask();
    let [even, odd]: [f64x2; 2] = bytemuck::cast(heights[0].fast_max(heights[1]));
    let second = odd.simd_gt(even).to_bitmask();
    let [low, high] = even.fast_max(odd).to_array();
    place_of(first, second, high > low)
}

/// Returns the place of the least of eight heights; ties go to the lowest index.
#[inline(always)]
fn lowest(heights: [f64x4; 2]) -> usize {
    let first = heights[1].simd_lt(heights[0]).to_bitmask();
    let [even, odd]: [f64x2; 2] = bytemuck::cast(heights[0].fast_min(heights[1]));
    let second = odd.simd_lt(even).to_bitmask();
    let [low, high] = even.fast_min(odd).to_array();
    place_of(first, second, high < low)
}

/// Follows the winner back through three rounds, given which pairs the second has won in each.
#[inline(always)]
fn place_of(first: u32, second: u32, third: bool) -> usize {
    let third = u32::from(third);
    let lane = third | (second >> third & 1) << 1;
    (lane | (first >> lane & 1) << 2) as usize
}

impl<V: VectorSpace> Core<V> for SmallHull {
    const CURVED: bool = false;
    const PLACED: bool = true;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        let [x, y, z] = [0, 1, 2].map(|axis| direction.coordinate(axis));
        let place = self.farthest_place(x, y, z);
        Extreme { point: self.at(place), id: Self::index_of(place) }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        (id < 8).then(|| self.at(REVERSED[id as usize % 8]))
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}

impl SmallHull {
    /// Returns the point at a place.
    #[inline(always)]
    pub(crate) fn at<V: VectorSpace>(&self, place: usize) -> V {
        let coordinate =
            |axis: usize| bytemuck::cast_ref::<[f64x4; 2], [f64; 8]>(&self.axes[axis])[place & 7];
        V::of_coordinates([coordinate(0), coordinate(1), coordinate(2)])
    }

    /// Returns the index of the point at a place; may exceed that of the last one, which is at several.
    #[inline(always)]
    pub(crate) fn index_of(place: usize) -> u32 {
        REVERSED[place & 7] as u32
    }

    /// Returns the index of the farthest point along a direction; ties go to the lowest.
    #[inline(always)]
    pub(super) fn farthest(&self, x: f64, y: f64, z: f64) -> usize {
        REVERSED[self.farthest_place(x, y, z) & 7]
    }

    /// Returns the place of that point. Inlining slows down the loop around it.
    #[inline(never)]
    fn farthest_place(&self, x: f64, y: f64, z: f64) -> usize {
        highest(self.heights([x, y, z].map(f64x4::splat)))
    }
}

/// Returns the place of the point of A that is farthest against a direction, and of the point of B that is farthest along it;
/// ties go to the lowest index. One function for both: their scans overlap.
#[inline(always)]
pub(crate) fn farthest_against_and_along(
    a: &SmallHull,
    b: &SmallHull,
    x: f64,
    y: f64,
    z: f64,
) -> (usize, usize) {
    let along = [f64x4::splat(x), f64x4::splat(y), f64x4::splat(z)];
    (lowest(a.heights(along)), highest(b.heights(along)))
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::support::Points;
    use crate::{Memory, Settings, contact};

    type Vector = Vector3<f64>;

    fn cloud(random: &mut ChaCha8Rng, count: usize) -> Vec<Vector> {
        (0..count).map(|_| Vector::from_fn(|_, _| random.random_range(-1.0..1.0))).collect()
    }

    fn pose(random: &mut ChaCha8Rng) -> RigidTransform<Vector> {
        let mut number = || random.random_range(-1.5..1.5);
        let rotation = Rotation3::from_euler_angles(number(), number(), number()).into_inner();
        RigidTransform::new(rotation, Vector::new(number(), number(), number()))
    }

    #[test]
    fn points_are_placed_as_a_pose_places_them() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for count in 5..=8 {
            let points = cloud(&mut random, count);
            let pose = pose(&mut random);
            let few = *Points::new(points.clone()).unwrap().few().expect("two blocks");
            let placed = few.placed(&pose);
            for (id, point) in points.iter().enumerate() {
                assert_eq!(Core::<Vector>::vertex(&few, id as u32), Some(*point));
                assert_eq!(Core::<Vector>::vertex(&placed, id as u32), Some(pose.point(*point)));
            }
        }
        assert!(Points::new(cloud(&mut random, 4)).unwrap().few().is_none());
        assert!(Points::new(cloud(&mut random, 9)).unwrap().few().is_none());
    }

    /// The same clouds with points repeated beyond two blocks take the general path.
    #[test]
    fn the_answer_is_that_of_many() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut overlapping = 0;
        for number in 0..2000 {
            let count = 5 + number % 4;
            let clouds = [cloud(&mut random, count), cloud(&mut random, count)];
            let (pose_a, pose_b) = (pose(&mut random), pose(&mut random));
            let ask = |more: usize| {
                let [a, b] = [0, 1].map(|side: usize| {
                    let mut points: Vec<Vector> = clouds[side].clone();
                    points.extend(std::iter::repeat_n(points[0], more));
                    Points::new(points).unwrap()
                });
                contact((&a, &pose_a), (&b, &pose_b), &mut Memory::default(), &Settings::default())
            };
            let (few, many) = (ask(0), ask(4));
            assert!((few.depth - many.depth).abs() <= 4e-14, "{few:?} {many:?}");
            assert!(few.depth_lower <= many.depth_upper && many.depth_lower <= few.depth_upper);
            assert!(few.status.converged(), "{few:?}");
            overlapping += usize::from(few.depth > 0.0);
        }
        assert!((200..1800).contains(&overlapping), "{overlapping}");
    }
}
