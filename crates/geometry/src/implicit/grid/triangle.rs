//! The least value of a signed distance grid over a triangle, with a certified lower bound.

use super::facet::{Facet, Least};
use super::plane::Plane;
use super::polygon::Polygon;
use super::samples::Grid;
use crate::implicit::{ImplicitFunction, LeastOnTriangle, TriangleDomain};
use palpate_math::{Point, Vector};

impl<'a> Facet<'a> {
    /// Returns the plane of a triangle, and the triangle in it: the first corner is at (0, 0), the second on the first axis.
    /// `None` if it is degenerate.
    pub(super) fn of_triangle(grid: &'a Grid, corners: &[Point; 3]) -> Option<(Self, Polygon)> {
        let lattice = &grid.lattice;
        let corners = corners.map(|corner| (corner - lattice.origin).component_div(&lattice.spacing));
        let sides = [corners[1] - corners[0], corners[2] - corners[0]];
        let length = sides[0].norm();
        let first = sides[0] / length;
        let along = sides[1].dot(&first);
        let across = sides[1] - first * along;
        let height = across.norm();
        let axes = [first, across / height];
        let scaled = axes.map(|axis| axis.component_mul(&lattice.spacing));
        let is_finite = scaled.iter().all(|axis| axis.norm_squared().is_finite());
        let is_triangle = length > 0.0 && height > 0.0 && is_finite;
        let plane = Plane { grid, origin: corners[0], axes };
        let triangle = Polygon::triangle([[0.0, 0.0], [length, 0.0], [along, height]]);
        is_triangle.then_some((Self { plane }, triangle))
    }
}

impl Grid {
    /// Returns the least value over a triangle, with a bound that is closer than its gap; `None` if the minimum may lie
    /// outside the lattice's box, or be set by the distance to its sides, or if that bound is not reached.
    pub(super) fn least_over(&self, triangle: &TriangleDomain) -> Option<LeastOnTriangle> {
        let TriangleDomain { corners, cutoff, gap, sides_are_above } = triangle;
        let (cutoff, gap) = (*cutoff, *gap);
        let (facet, whole) = Facet::of_triangle(self, corners)?;
        let [_, [length, _], [along, height]] = whole.corners[..] else { return None };
        let lattice = self.sublevel_bounds(0.0);
        let (inside, is_cut) = if corners.iter().all(|corner| lattice.contains_point(corner)) {
            (Some(whole), false)
        } else {
            facet.within_the_lattice(whole)?
        };
        let mut least = Least::below(cutoff, 0.5 * gap);
        if let Some(inside) = inside {
            // What is cut at the box has other sides, and the distance to these has others values.
            let sides_are_above = *sides_are_above && self.is_whole && !is_cut;
            facet.search(&inside, sides_are_above, &mut least).ok()?;
        }
        if is_cut && self.least_outside < least.value.min(cutoff) {
            return None;
        }
        let lower = least.lower();
        if lower > cutoff {
            return Some(LeastOnTriangle { weights: [1.0, 0.0, 0.0], lower });
        }
        // The value is the maximum of the trilinear one and that of the sides. Where the trilinear one is least, and is
        // the maximum, the value is least too.
        if !least.value.is_finite()
            || least.value - lower > gap
            || !self.is_trilinear(&facet.plane.position(&least.at), least.value)
        {
            return None;
        }
        let second = (least.at[1] / height).clamp(0.0, 1.0);
        let first = ((least.at[0] - second * along) / length).clamp(0.0, 1.0 - second);
        Some(LeastOnTriangle { weights: [1.0 - first - second, first, second], lower })
    }

    /// Whether the distance to the sides of the lattice's box is not the value at a position of that trilinear value.
    fn is_trilinear(&self, position: &Vector, value: f64) -> bool {
        self.is_whole || {
            let point = self.lattice.origin + position.component_mul(&self.lattice.spacing);
            self.side(&self.clamped(&point)).0 <= value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::Search;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use std::sync::atomic::AtomicUsize;

    /// Against the search by branch and bound, and against samples of the triangle.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(7);
        let (mut known, mut inside, mut left, mut above) = (0, 0, 0, 0);
        for round in 0..60 {
            let grid = random_grid(&mut random, [2, 3, 5, 8, 13][round % 5], [0.0, 0.02, 0.3][round % 3]);
            // A wrapper that does not pass the method on.
            let searched = Counted(&grid, AtomicUsize::new(0));
            let half = grid.lattice.end().coords;
            let size = half.norm();
            for case in 0..40 {
                let reach = [0.9, 1.4][case % 2];
                let mut corner = || Point::from(random.vector().component_mul(&half) * reach);
                let mut corners = [corner(), corner(), corner()];
                match case % 10 {
                    // Small, in a plane of the lattice, along an axis, thin.
                    5 | 8 => {
                        let middle = corners[0].coords * 0.7;
                        corners = corners.map(|corner| Point::from(middle + corner.coords * 0.2));
                    }
                    6 => corners.iter_mut().for_each(|corner| corner.y = grid.lattice.place([1; 3]).y),
                    7 => corners[1] = Point::new(corners[0].x, corners[0].y, corners[1].z),
                    9 => corners[2] = corners[0] + (corners[1] - corners[0]) * 0.5 + random.vector() * 1e-9,
                    _ => {}
                }
                let cutoff = if case % 3 == 0 { 0.0 } else { f64::INFINITY };
                let gap = 1e-12 * size;
                let found =
                    grid.least_on_triangle(&TriangleDomain { corners, cutoff, gap, sides_are_above: false });
                let all = Search::with_tolerance(1e-12).below(&grid, &corners, cutoff);
                let close = 4e-12 * size + grid.resolution();
                let wanted = Search::with_tolerance(1e-12).below(&searched, &corners, cutoff);
                match (&all, &wanted) {
                    (Some(all), Some(wanted)) => {
                        let apart = all.sample.value - wanted.sample.value;
                        assert!(
                            apart.abs() <= close || !wanted.converged && apart < 0.0,
                            "{round} {case}: {all:?} is not {wanted:?}"
                        );
                        let gap = all.sample.value - all.lower;
                        let is_closed = (0.0..=close).contains(&gap);
                        assert!(is_closed || found.is_none(), "{round} {case}: {all:?}");
                    }
                    (None, None) => above += 1,
                    (Some(only), None) | (None, Some(only)) => {
                        assert!((only.sample.value - cutoff).abs() < close, "{round} {case}: {only:?}");
                    }
                }
                if found.is_none() {
                    left += 1;
                } else if let Some(all) = all {
                    known += 1;
                    inside += usize::from(all.weights[..3].iter().all(|weight| *weight > 1e-6));
                    for step in 0..=400 {
                        let [i, j] = [step % 21, step / 21].map(|n| f64::from(n) / 20.0);
                        let [first, second] = if i + j > 1.0 { [1.0 - i, 1.0 - j] } else { [i, j] };
                        let place = corners[0]
                            + (corners[1] - corners[0]) * first
                            + (corners[2] - corners[0]) * second;
                        assert!(grid.sample(&place).value >= all.lower, "{round} {case} at {place}");
                    }
                }
            }
        }
        assert!(known > 1000 && inside > 150 && left > 300 && above > 100, "{known} {inside} {left} {above}");
    }

    /// Of a triangle whose sides are above the cutoff, against the search of all of it.
    #[test]
    fn what_is_low_between_the_sides_is_found() {
        let mut random = Random(11);
        let (mut lower, mut above, mut left_out) = (0, 0, 0);
        for round in 0..300 {
            let count = [3, 5, 8, 13, 21][round % 5];
            let grid = random_grid(&mut random, count, [0.0, 0.02, 0.3][round % 3]);
            if !grid.is_whole {
                continue;
            }
            let half = grid.lattice.end().coords;
            let size = half.norm();
            for case in 0..40 {
                // In half of the cases the value rises from the middle to all sides.
                let middle = Point::from(random.vector().component_mul(&half) * 0.5);
                let across =
                    grid.sample(&middle).gradient.normalize() * if case % 2 == 0 { 1.0 } else { 0.0 };
                let [first, second] = [0; 2].map(|_| {
                    let way = random.vector() * (0.3 * half.min());
                    way - across * across.dot(&way)
                });
                let corners = [middle + first, middle + second, middle - first - second];
                let gap = 1e-12 * size;
                let sides = [0, 1, 2].map(|k| {
                    let ends = [corners[k], corners[(k + 1) % 3]];
                    grid.least_along(&ends).map(|at| grid.sample(&(ends[0] + (ends[1] - ends[0]) * at)).value)
                });
                let [Some(a), Some(b), Some(c)] = sides else { continue };
                let cutoff = a.min(b).min(c) - 1e-9 * size;
                let [all, between] = [false, true].map(|sides_are_above| {
                    grid.least_on_triangle(&TriangleDomain { corners, cutoff, gap, sides_are_above })
                });
                let (Some(all), Some(between)) = (all, between) else { continue };
                let value = |found: &LeastOnTriangle| {
                    let place = corners.iter().zip(found.weights).map(|(corner, w)| corner.coords * w);
                    grid.sample(&Point::from(place.sum::<Vector>())).value
                };
                assert_eq!(all.lower > cutoff, between.lower > cutoff, "{round} {case}");
                if all.lower > cutoff {
                    above += 1;
                    left_out += usize::from(between.lower > all.lower);
                } else {
                    lower += 1;
                    let (all, between) = (value(&all), value(&between));
                    assert!((all - between).abs() <= 2.0 * gap, "{round} {case}: {between} is not {all}");
                }
            }
        }
        assert!(lower > 300 && above > 300 && left_out > 100, "{lower} {above} {left_out}");
    }
}
