//! GJK between two hulls of at most eight points in one frame: the loop of [`gjk`](crate::gjk), bit for bit.
//!
//! A vertex of the difference is a pair of points, one of each hull, and is named by the number of their places, below 64. The simplex keeps only
//! the differences and these numbers; the points of A are looked up where the search ends.

use crate::dimension::Dimension;
use crate::gjk::{Ended, Found, StopCriteria};
use crate::simplex::{Simplex, nearest_of};
use crate::simplex_reduction::Reduced;
use crate::support::{SmallHull, farthest_against_and_along};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// The number of no pair.
const NONE: u8 = 64;

/// Up to four vertices of the difference, newest last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FewSimplex<V> {
    points: [V; 4],
    weights: [f64; 4],
    /// [`NONE`] beyond the count, for the first three.
    pairs: [u8; 4],
    count: usize,
}

impl<V: VectorSpace> FewSimplex<V> {
    #[inline(always)]
    fn empty() -> Self {
        Self { points: [V::zero(); 4], weights: [0.0; 4], pairs: [NONE; 4], count: 0 }
    }

    /// Adds a vertex and drops those with zero weight, keeping the order.
    #[inline(always)]
    fn join(&mut self, (pair, point): (u8, V), weights: &[f64; 4]) {
        let count = self.count & 3;
        let keeps_all = match count {
            0 => true,
            1 => (weights[0] > 0.0) & (weights[1] > 0.0),
            2 => (weights[0] > 0.0) & (weights[1] > 0.0) & (weights[2] > 0.0),
            _ => false,
        };
        if keeps_all {
            (self.points[count], self.pairs[count], self.weights) = (point, pair, *weights);
            self.count = count + 1;
            return;
        }
        let mut kept = 0;
        for (at, &weight) in weights.iter().enumerate().take(3) {
            if at < count && weight > 0.0 {
                if kept != at {
                    (self.points[kept], self.pairs[kept]) = (self.points[at], self.pairs[at]);
                }
                self.weights[kept] = weight;
                kept += 1;
            }
        }
        if weights[count] > 0.0 {
            (self.points[kept], self.pairs[kept], self.weights[kept]) = (point, pair, weights[count]);
            kept += 1;
        }
        for at in 0..3 {
            self.pairs[at] = if at < kept { self.pairs[at] } else { NONE };
        }
        self.count = kept;
    }

    #[inline(always)]
    fn contains(&self, pair: u8) -> bool {
        let [first, second, third, _] = self.pairs;
        (first == pair) | (second == pair) | (third == pair)
    }

    /// Returns the point of the first hull and of the difference given by the weights.
    #[inline(always)]
    pub(crate) fn witness(&self, a: &SmallHull) -> (V, V) {
        let (mut on_a, mut difference) = (V::zero(), V::zero());
        for at in 0..self.count.min(4) {
            on_a = on_a + a.at::<V>(usize::from(self.pairs[at] & 7)) * self.weights[at];
            difference = difference + self.points[at] * self.weights[at];
        }
        (on_a, difference)
    }

    /// Returns the simplex with the points of the first hull.
    pub(crate) fn with_points_of(&self, a: &SmallHull) -> Simplex<V> {
        let mut simplex = Simplex::empty();
        for at in 0..self.count.min(4) {
            let places = [self.pairs[at] & 7, self.pairs[at] >> 3].map(usize::from);
            let ids = places.map(SmallHull::index_of);
            simplex.push(Vertex { point: self.points[at], on_a: a.at(places[0]), ids });
            simplex.weights[at] = self.weights[at];
        }
        simplex
    }
}

/// Runs GJK from an empty simplex along `direction`, a guess of the direction from B to A of any non-zero length.
/// `question.within` is not asked.
#[inline(always)]
pub(crate) fn gjk_few<V: Dimension>(
    [a, b]: [&SmallHull; 2],
    rounding_error: f64,
    direction: V,
    question: &StopCriteria,
) -> (Found<V>, FewSimplex<V>) {
    let mut simplex = FewSimplex::empty();
    let touching = rounding_error * rounding_error;
    let mut state = Reduced { nearest: direction, weights: [0.0; 4], inside: false };
    let (mut upper, mut squared, mut iterations) = (f64::INFINITY, f64::INFINITY, 0);
    loop {
        let nearest = state.nearest;
        let found = |ended, lower: f64, upper: f64| Found {
            ended,
            nearest,
            lower: if lower < upper { lower } else { upper },
            upper,
            iterations,
        };
        if state.inside || squared <= touching {
            return (found(Ended::Inside, 0.0, 0.0), simplex);
        }
        let length = if simplex.count > 0 { squared.sqrt() } else { nearest.length() };
        if simplex.count > 0 {
            upper = length;
        }
        if iterations == question.iterations {
            let unbounded = Found { nearest: direction, ..found(Ended::Limit, f64::NEG_INFINITY, upper) };
            return (unbounded, simplex);
        }
        iterations += 1;
        let found = |ended, lower: f64| Found {
            ended,
            nearest,
            lower: if lower < upper { lower } else { upper },
            upper,
            iterations,
        };
        let [x, y, z] = [0, 1, 2].map(|axis| nearest.coordinate(axis));
        let (on_a, on_b) = farthest_against_and_along(a, b, x, y, z);
        let point = a.at::<V>(on_a) - b.at::<V>(on_b);
        let pair = (on_a & 7 | (on_b & 7) << 3) as u8;
        let reach = nearest.inner(point);
        let known = simplex.contains(pair);
        if known || (upper - question.gap) * length <= reach {
            let lower = reach / length;
            if upper - lower <= question.gap {
                return (found(Ended::Converged, lower), simplex);
            }
            if known {
                return (found(Ended::Stalled, lower), simplex);
            }
        }
        if reach > question.beyond * length {
            return (found(Ended::Settled, reach / length), simplex);
        }
        let next = nearest_of(&simplex.points, simplex.count, point, true);
        let next_squared = next.nearest.squared();
        if !next.inside && next_squared >= squared {
            return (found(Ended::Stalled, reach / length), simplex);
        }
        simplex.join((pair, point), &next.weights);
        (state, squared) = (next, next_squared);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use crate::pose::RigidTransform;
    use crate::support::Points;
    use crate::trace::Recording;
    use crate::{Memory, Settings, contact, contact_recorded};

    type Vector = Vector3<f64>;

    /// A recorded query takes the general loop. Clouds, flat ones, needles and those with points given twice.
    #[test]
    fn the_answer_is_that_of_the_general_loop_to_the_bit() {
        let mut random = ChaCha8Rng::seed_from_u64(1711);
        let (mut apart, mut limited) = (0, 0);
        for case in 0..6_000 {
            let mut number = || random.random_range(-1.0..1.0);
            let thin = [1.0, 1.0, 1e-7, 0.0][case % 4];
            let needle = if case % 5 == 0 { thin } else { 1.0 };
            let mut cloud = |count: usize| {
                let mut points: Vec<Vector> =
                    (0..count).map(|_| Vector::new(number(), needle * number(), thin * number())).collect();
                points[count - 1] = if case % 3 == 0 { points[0] } else { points[count - 1] };
                Points::new(points).unwrap()
            };
            let (a, b) = (cloud(5 + case % 4), cloud(5 + case / 4 % 4));
            let mut pose = |reach: f64| {
                let turn = Rotation3::from_euler_angles(number(), number(), number()).into_inner();
                RigidTransform::new(turn, Vector::new(number(), number(), number()) * reach)
            };
            let (pose_a, pose_b) = (pose(1.0), pose([0.5, 2.0, 4.0][case % 3]));
            let iterations = if case % 7 == 0 { (case % 4) as u32 } else { 128 };
            let settings = Settings { gjk_iterations: iterations, ..Settings::default() };
            let (first, second) = ((&a, &pose_a), (&b, &pose_b));
            let few = contact(first, second, &mut Memory::default(), &settings);
            let mut recording = Recording::default();
            let all = contact_recorded(first, second, &mut Memory::default(), &settings, &mut recording);
            assert_eq!(few, all, "{case}");
            apart += usize::from(few.depth < 0.0);
            limited += usize::from(iterations < 128);
        }
        assert!((2_000..5_500).contains(&apart) && limited > 800, "{apart} {limited}");
    }
}
