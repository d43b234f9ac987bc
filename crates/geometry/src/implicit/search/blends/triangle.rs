//! Triangles of weights, and the bounds over them.

use super::member::Member;
use super::task::Task;
use palpate_math::{Point, Vector};

/// How often the place is improved where a bound is lowest.
const ROUNDS: usize = 12;
const MOST_HALVINGS: usize = 8;
const MOST_THIRDS: usize = 24;

/// How close the bound comes to the lowest value, relative to the gap.
const CLOSE: f64 = 0.1;

/// Closer than this to a corner where the multiplier is zero, relative to the others, is at that corner.
const AT_APEX: f64 = 1e-6;

/// Between corners closer than this, relative to an edge, no new one is placed.
const ASIDE: f64 = 0.05;

/// A new corner with less weight than this of an old one is on the edge opposite to it.
const BESIDE: f64 = 0.1;

/// Shares closer to zero or one than this are these.
const NARROWEST: f64 = 1e-12;

/// A corner with less weight than this has none.
const ON_EDGE: f64 = 1e-9;

/// Three members; two are equal where only one of the bodies is a blend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// A lower bound over all members between.
    pub(super) lower: f64,
    /// Where that is lowest, as weights of the corners.
    pub(super) place: [f64; 3],
}

impl Triangle {
    pub(super) fn new(task: &Task<'_>, corners: [u32; 3], members: &[Member]) -> Self {
        let [a, b, c] = corners.map(|corner| &members[corner as usize]);
        let radii = [task.function.radius, task.body.radius];
        let (lower, place) = lowest(&[a, b, c], radii, CLOSE * task.gap);
        Self { corners, lower, place }
    }

    /// Returns the weights of a new corner: where the bound is lowest, but not too close to a corner or an edge.
    pub(super) fn between(&self) -> [f64; 3] {
        let mut place = self.place;
        let [_, b, c] = self.corners;
        if b == c {
            place = [place[0], place[1] + place[2], 0.0];
        }
        let most = place
            .iter()
            .enumerate()
            .fold(0, |most, (k, weight)| if *weight > place[most] { k } else { most });
        let others = 1.0 - place[most];
        if others < ASIDE {
            place = match others {
                0.0 if b == c => [ASIDE, ASIDE, 0.0],
                0.0 => [0.5 * ASIDE; 3],
                _ => place.map(|weight| weight * (ASIDE / others)),
            };
            place[most] = 1.0 - ASIDE;
        }
        let [low, middle, _] = sorted(place);
        if low < BESIDE * middle {
            place = place.map(|weight| if weight > low { weight / (1.0 - low) } else { 0.0 });
        }
        place
    }

    /// Returns the shares at weights of the corners, and a place that may be close to their minimum.
    pub(super) fn at(&self, place: &[f64; 3], members: &[Member]) -> ([f64; 2], Point) {
        let corners = self.members(members);
        let [s, both, second] = mixed(&corners, place);
        let t = if both > 0.0 {
            second / both
        } else {
            corners.iter().zip(place).map(|(member, weight)| member.shares[1] * weight).sum()
        };
        // Rounding is not to lead off an edge of the square.
        let shares = [s, t].map(|share: f64| match share {
            share if share < NARROWEST => 0.0,
            share if share > 1.0 - NARROWEST => 1.0,
            share => share,
        });
        let nearby: Vector =
            corners.iter().zip(place).map(|(member, weight)| member.point.coords * *weight).sum();
        (shares, Point::from(nearby))
    }

    fn members<'m>(&self, members: &'m [Member]) -> [&'m Member; 3] {
        self.corners.map(|corner| &members[corner as usize])
    }

    /// Returns the weights of at least two corners for given shares, if these are in the triangle.
    pub(super) fn place_of(&self, shares: &[f64; 2], members: &[Member]) -> Option<[f64; 3]> {
        let corners = self.members(members);
        let at = corners
            .map(|member| [member.shares[0] - shares[0], member.multiplier * (member.shares[1] - shares[1])]);
        let cross = |j: usize, k: usize| at[j][0] * at[k][1] - at[j][1] * at[k][0];
        let parts = if self.corners[1] == self.corners[2] {
            // One of the bodies is no blend.
            let axis = usize::from(at[0][0] == at[1][0]);
            [at[1][axis], -at[0][axis], 0.0]
        } else {
            [cross(1, 2), cross(2, 0), cross(0, 1)]
        };
        let whole: f64 = parts.iter().sum();
        let place = parts.map(|part| {
            let weight = part / whole;
            if weight.abs() < ON_EDGE { 0.0 } else { weight }
        });
        let is_inside = place.iter().all(|weight| *weight >= 0.0);
        let around = corners.iter().zip(&place).filter(|(_, weight)| **weight > 0.0);
        // What is on an edge of the square is to be divided there.
        let is_on_its_edges = (0..2).all(|axis| {
            let mut of_corners = around.clone().map(|(member, _)| member.shares[axis]);
            let first = of_corners.next();
            let is_edge = first == Some(0.0) || first == Some(1.0);
            !is_edge || first == Some(shares[axis]) || !of_corners.all(|share| Some(share) == first)
        });
        (is_inside && is_on_its_edges && around.count() > 1).then_some(place)
    }
}

fn sorted(mut numbers: [f64; 3]) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// Returns the share of the function's second part, the multiplier, and its share of the body's second part.
fn mixed(members: &[&Member; 3], place: &[f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (member, weight) in members.iter().zip(place) {
        sum[0] += weight * member.shares[0];
        sum[1] += weight * member.multiplier;
        sum[2] += weight * member.multiplier * member.shares[1];
    }
    sum
}

/// Returns a lower bound over all members between three, and about where it is attained: by Newton's method.
fn lowest(members: &[&Member; 3], [r, q]: [f64; 2], gap: f64) -> (f64, [f64; 3]) {
    let value = |place: &[f64; 3]| {
        let [s, both, second] = mixed(members, place);
        let of_body = if both > 0.0 { second * (both - second) / both } else { 0.0 };
        (0..3).map(|k| place[k] * members[k].bound).sum::<f64>() - r * s * (1.0 - s) - q * of_body
    };
    let mut place = [1.0 / 3.0; 3];
    let (mut lower, mut least) = (f64::NEG_INFINITY, value(&place));
    let steepest = members.iter().map(|member| member.multiplier).fold(0.0, f64::max);
    for _ in 0..ROUNDS {
        let [s, both, second] = mixed(members, &place);
        let heights = if both > AT_APEX * steepest {
            tangents(members, [r, q], [s, second / both])
        } else {
            // Where the body does not matter its share is any.
            highest_tangents(members, [r, q], s)
        };
        lower = heights.iter().copied().fold(f64::INFINITY, f64::min).max(lower);
        if least - lower <= gap {
            break;
        }
        let bends = members.map(|member| {
            let of_second = member.multiplier * member.shares[1];
            let turned = (second * (member.multiplier - of_second) - (both - second) * of_second)
                * (2.0 * q / (both * both * both)).sqrt();
            [(2.0 * r).sqrt() * (member.shares[0] - s), if both > 0.0 { turned } else { 0.0 }]
        });
        let mut next = lowest_of_model(&heights, &bends);
        let mut of_next = value(&next);
        for _ in 0..MOST_HALVINGS {
            if of_next <= least {
                break;
            }
            next = std::array::from_fn(|k| 0.5 * (next[k] + place[k]));
            of_next = value(&next);
        }
        if of_next >= least {
            break;
        }
        (place, least) = (next, of_next);
    }
    (lower, place)
}

/// Returns the bounds at the three corners, with what the blends subtract replaced by its tangent at these shares.
fn tangents(members: &[&Member; 3], [r, q]: [f64; 2], [s, t]: [f64; 2]) -> [f64; 3] {
    members.map(|member| {
        let [own, other] = member.shares;
        let of_second = member.multiplier * other;
        let of_first = member.multiplier - of_second;
        member.bound
            - r * (own * (1.0 - 2.0 * s) + s * s)
            - q * (t * t * of_first + (1.0 - t) * (1.0 - t) * of_second)
    })
}

/// Likewise for the share of the body for which the lowest of them is highest: they are concave functions of it.
fn highest_tangents(members: &[&Member; 3], radii: [f64; 2], s: f64) -> [f64; 3] {
    let at = |t: f64| {
        let heights = tangents(members, radii, [s, t]);
        (heights.iter().copied().fold(f64::INFINITY, f64::min), heights)
    };
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..MOST_THIRDS {
        let third = (to - from) / 3.0;
        if at(from + third).0 < at(to - third).0 { from += third } else { to -= third }
    }
    at(0.5 * (from + to)).1
}

/// Returns the weights, which add up to one, where a linear function of them plus half the sum of two squares of linear ones is least.
fn lowest_of_model(heights: &[f64; 3], bends: &[[f64; 2]; 3]) -> [f64; 3] {
    let value = |place: &[f64; 3]| {
        let of = |number: &dyn Fn(usize) -> f64| (0..3).map(|k| place[k] * number(k)).sum::<f64>();
        let (x, y) = (of(&|k| bends[k][0]), of(&|k| bends[k][1]));
        of(&|k| heights[k]) + 0.5 * (x * x + y * y)
    };
    // From the first corner along two edges.
    let edge = |k: usize| [bends[k][0] - bends[0][0], bends[k][1] - bends[0][1]];
    let (e, f) = (edge(1), edge(2));
    let product = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (ee, ef, ff) = (product(e, e), product(e, f), product(f, f));
    let of_first =
        [heights[1] - heights[0] + product(bends[0], e), heights[2] - heights[0] + product(bends[0], f)];
    let whole = ee * ff - ef * ef;
    if whole > 1e-12 * ee * ff {
        let x = (ef * of_first[1] - ff * of_first[0]) / whole;
        let y = (ef * of_first[0] - ee * of_first[1]) / whole;
        if x >= 0.0 && y >= 0.0 && x + y <= 1.0 {
            return [1.0 - x - y, x, y];
        }
    }
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for (j, k) in [(0, 1), (1, 2), (0, 2)] {
        let edge = [bends[k][0] - bends[j][0], bends[k][1] - bends[j][1]];
        let slope = heights[k] - heights[j] + product(bends[j], edge);
        let bend = product(edge, edge);
        let at = if bend > 0.0 {
            (-slope / bend).clamp(0.0, 1.0)
        } else if slope < 0.0 {
            1.0
        } else {
            0.0
        };
        let mut place = [0.0; 3];
        place[j] += 1.0 - at;
        place[k] += at;
        let value = value(&place);
        if value < best.0 {
            best = (value, place);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::search::random_bodies::Random;

    fn members(random: &mut Random, case: usize) -> [Member; 3] {
        [0, 1, 2].map(|number| {
            let [x, y, z] = random.vector().into();
            let share = |x: f64| 0.5 * (1.0 + x);
            let multiplier = if case.is_multiple_of(4) && number == 0 { 0.0 } else { 0.05 + share(z) };
            let bound = 0.3 * random.next();
            Member { shares: [share(x), share(y)], multiplier, bound, point: Point::origin(), value: 0.0 }
        })
    }

    /// Against the values at many places between the corners: none is below, and the lowest is close.
    #[test]
    fn no_value_between_the_corners_is_below_the_bound() {
        let mut random = Random(13);
        for case in 0..400 {
            let corners = members(&mut random, case);
            let corners = corners.each_ref();
            let radii @ [r, q] = [[0.4, 0.3], [0.4, 0.0], [0.0, 0.3]][case % 3];
            let (lower, place) = lowest(&corners, radii, 1e-9);
            let value = |place: &[f64; 3]| {
                let [s, both, second] = mixed(&corners, place);
                let of_body = if both > 0.0 { q * second * (1.0 - second / both) } else { 0.0 };
                let bounds: f64 =
                    corners.iter().zip(place).map(|(member, weight)| weight * member.bound).sum();
                bounds - r * s * (1.0 - s) - of_body
            };
            let mut least = f64::INFINITY;
            for j in 0..=60 {
                for k in 0..=60 - j {
                    let [x, y] = [j, k].map(|k| f64::from(k) / 60.0);
                    least = least.min(value(&[1.0 - x - y, x, y]));
                }
            }
            assert!(lower <= least + 1e-15, "{case}: {lower} {least}");
            assert!(
                lower > least - 2e-3 && value(&place) < least + 1e-9,
                "{case}: {lower} {least} {place:?} {}",
                value(&place)
            );
        }
    }

    /// The shares at any weights are found at these weights, and outside of the triangle nowhere.
    #[test]
    fn the_place_of_the_shares_at_a_place_is_that_place() {
        let mut random = Random(29);
        let mut outside = 0;
        for case in 0..200 {
            let members = members(&mut random, 4 * case + 1);
            let triangle = Triangle { corners: [0, 1, 2], lower: 0.0, place: [0.0; 3] };
            let weights = [0; 3].map(|_| 1.1 + random.next());
            let sum: f64 = weights.iter().sum();
            let weights = weights.map(|weight| weight / sum);
            let (shares, _) = triangle.at(&weights, &members);
            let found = triangle.place_of(&shares, &members).unwrap();
            assert!((0..3).all(|k| (found[k] - weights[k]).abs() < 1e-9), "{case}: {found:?} {weights:?}");
            let beyond = [0, 1].map(|axis| {
                let of = |k: usize| members[k].shares[axis];
                of(0).max(of(1)).max(of(2)) + 0.01
            });
            outside += usize::from(triangle.place_of(&beyond, &members).is_none());
        }
        assert_eq!(outside, 200);
    }

    /// A new corner is between old ones, and not close to any.
    #[test]
    fn new_corners_are_not_close_to_old_ones() {
        let triangle = |corners: [u32; 3], place: [f64; 3]| Triangle { corners, lower: 0.0, place }.between();
        assert_eq!(triangle([0, 1, 2], [0.25, 0.25, 0.5]), [0.25, 0.25, 0.5]);
        assert_eq!(triangle([0, 1, 2], [0.5, 0.5, 0.0]), [0.5, 0.5, 0.0]);
        let beside = triangle([0, 1, 2], [1.0, 0.0, 0.0]);
        assert!(beside.iter().sum::<f64>() == 1.0 && beside[0] == 0.95, "{beside:?}");
        assert_eq!(triangle([0, 1, 1], [0.4, 0.3, 0.3]), [0.4, 0.6, 0.0]);
        assert_eq!(triangle([0, 2, 2], [0.0, 0.0, 1.0])[2], 0.0);
    }
}
