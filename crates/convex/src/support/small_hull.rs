//! Five to eight points: so few that a query transforms them all once rather than a direction and a point per support.

use wide::f64x4;

use super::scan;
use super::{Core, Extreme};
use crate::pose::RigidTransform;
use crate::vector::VectorSpace;

/// Five to eight points in two blocks of four, one SIMD register per coordinate; padded with the last point.
#[derive(Clone, Copy, Debug)]
pub struct SmallHull {
    blocks: [[f64x4; 3]; 2],
    bounding_radius: f64,
}

impl SmallHull {
    /// Creates a hull from its points in two blocks and their largest distance from the origin.
    pub(super) fn new(blocks: [[f64x4; 3]; 2], bounding_radius: f64) -> Self {
        Self { blocks, bounding_radius }
    }

    /// Returns the two blocks.
    pub(super) fn blocks(&self) -> &[[f64x4; 3]] {
        &self.blocks
    }

    /// Transforms the points by `pose`, bitwise equal to [`RigidTransform::point`]. Unrolled by hand: the compiler does not
    /// inline maps over blocks.
    #[inline(always)]
    pub(crate) fn placed<V: VectorSpace>(&self, pose: &RigidTransform<V>) -> Self {
        let (x, y, z) = (V::row(&pose.rotation, 0), V::row(&pose.rotation, 1), V::row(&pose.rotation, 2));
        let to = pose.translation;
        let moved = |block: &[f64x4; 3]| {
            [
                along(x, block) + f64x4::splat(to.coordinate(0)),
                along(y, block) + f64x4::splat(to.coordinate(1)),
                along(z, block) + f64x4::splat(to.coordinate(2)),
            ]
        };
        let blocks = [moved(&self.blocks[0]), moved(&self.blocks[1])];
        Self { blocks, bounding_radius: self.bounding_radius + pose.translation.length() }
    }
}

/// Multiplies a row of a rotation with each point of a block.
#[inline(always)]
fn along<V: VectorSpace>(row: V, [x, y, z]: &[f64x4; 3]) -> f64x4 {
    f64x4::splat(row.coordinate(0)) * *x
        + f64x4::splat(row.coordinate(1)) * *y
        + f64x4::splat(row.coordinate(2)) * *z
}

impl<V: VectorSpace> Core<V> for SmallHull {
    const CURVED: bool = false;
    const PLACED: bool = true;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        let index = scan::farthest_along(
            &self.blocks,
            direction.coordinate(0),
            direction.coordinate(1),
            direction.coordinate(2),
        );
        Extreme { point: self.point(index), id: index as u32 }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        (id < 8).then(|| self.point(id as usize))
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}

impl SmallHull {
    /// Returns the point with that index; the last one beyond it.
    #[inline(always)]
    pub(crate) fn point<V: VectorSpace>(&self, index: usize) -> V {
        let block = &self.blocks[index >> 2 & 1];
        let lane = index & 3;
        V::of_coordinates([block[0].as_array()[lane], block[1].as_array()[lane], block[2].as_array()[lane]])
    }
}

/// Returns the index of the point of A that is farthest against a direction, and of the point of B that is farthest along it;
/// ties go to the lowest. One call for both: their scans overlap, and inlined they would take the registers of the loop around.
#[inline(never)]
pub(crate) fn farthest_against_and_along([a, b]: [&SmallHull; 2], x: f64, y: f64, z: f64) -> (usize, usize) {
    (scan::farthest_of_two(&a.blocks, -x, -y, -z), scan::farthest_of_two(&b.blocks, x, y, z))
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
