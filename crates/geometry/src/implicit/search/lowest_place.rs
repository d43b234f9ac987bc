//! The lowest place of a body over a plane.

use super::minimum::{Lowest, Minimum};
use super::queries::{Search, over_parts};
use super::tolerance::Tolerance;
use crate::Plane;
use crate::implicit::grid::Heights;
use crate::implicit::{ImplicitFunction, LeastInSolid, OrientedBounds};
use palpate_math::{Vector, rounding};

impl Search {
    /// Returns the lowest place of a body in a box over a plane, if it is no higher than `cutoff`; as
    /// [`below_within`](Self::below_within). The parts of a union by their support maps, those of a grid cell by cell, all others by
    /// dividing space.
    pub fn lowest_over(
        &mut self,
        plane: &Plane,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        let tolerance = self.tolerance;
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(body, &mut |part| {
            let own = part.oriented_bounds();
            let root = own.as_ref().unwrap_or(root);
            let cutoff = lowest.cutoff();
            lowest.take(lowest_by_itself(plane, part, root, cutoff, tolerance).unwrap_or_else(|| {
                let found = self.below_within(plane, part, root, cutoff);
                undecided |= self.undecided();
                found
            }));
        });
        self.set_undecided(undecided);
        lowest.found()
    }
}

/// Returns the lowest place of a body that needs no division of space; `None` for others.
fn lowest_by_itself(
    plane: &Plane,
    body: &dyn ImplicitFunction,
    root: &OrientedBounds,
    cutoff: f64,
    tolerance: Tolerance,
) -> Option<Option<Minimum>> {
    let LeastInSolid { point, lower } = match body.support_point(&-plane.normal()) {
        Some(point) => LeastInSolid { point, lower: plane.height(&point) },
        None => heights(plane, root, cutoff, tolerance).lowest_of(body)?,
    };
    if lower > cutoff || lower == f64::INFINITY {
        return Some(None);
    }
    let sample = ImplicitFunction::sample(plane, &point);
    let lower = lower.min(sample.value);
    Some(Some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true }))
}

fn heights(plane: &Plane, root: &OrientedBounds, cutoff: f64, tolerance: Tolerance) -> Heights {
    let across: Vector = root.half.iter().map(Vector::abs).sum();
    let ends = [root.center - across, root.center + across, plane.position()];
    let rounding = rounding::length(rounding::largest_coordinate(&ends));
    let gap = tolerance.gap(root.reach(), &ends);
    Heights { origin: plane.position(), normal: plane.normal(), cutoff, gap, rounding }
}

#[cfg(test)]
mod tests {
    use super::super::ellipsoids::tests::Counted;
    use super::*;
    use crate::implicit::grid::{Random, random_grid};
    use crate::implicit::{Grid, ImplicitBody, Torus, Union};
    use crate::{Pose, Sphere};
    use palpate_math::Point;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    const GAP: Tolerance = Tolerance::new(1e-10);

    /// The places of a grid's body that are sampled: on the edges of all cells where its surface crosses them, and in every cell a
    /// few.
    fn places_of(grid: &Grid, random: &mut Random) -> Vec<Point> {
        let (size, spacing) = (grid.size(), grid.spacing());
        let mut places = Vec::new();
        let at = |[i, j, k]: [usize; 3]| {
            grid.origin() + spacing.component_mul(&Vector::new(i as f64, j as f64, k as f64))
        };
        for number in 0..size.iter().product() {
            let sample = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
            let (here, value) = (at(sample), grid.values()[number]);
            for axis in 0..3 {
                let mut next = sample;
                next[axis] += 1;
                if next[axis] < size[axis] {
                    let other = grid.values()[next[0] + size[0] * (next[1] + size[1] * next[2])];
                    let share = value / (value - other);
                    places.extend((value * other < 0.0).then(|| here.lerp(&at(next), share)));
                }
            }
            for _ in 0..8 {
                let share = (random.vector() + Vector::repeat(1.0)) * 0.5;
                places.push(here + spacing.component_mul(&share));
            }
            places.push(here);
        }
        places.retain(|place| grid.sample(place).value <= 0.0);
        places
    }

    fn plane(random: &mut Random, case: usize, scale: f64) -> Plane {
        let normal = if case.is_multiple_of(4) { Vector::ith(case / 4 % 3, 1.0) } else { random.vector() };
        Plane::new(Point::from(random.vector() * scale), normal).unwrap()
    }

    fn grid(random: &mut Random, case: usize) -> Grid {
        random_grid(random, [2, 3, 5, 8, 13][case % 5], [0.0, 0.02, 0.3][case / 5 % 3])
    }

    /// Against places of the body, and against branch and bound.
    #[test]
    fn nothing_of_a_grid_is_lower() {
        let mut random = Random(41);
        let (mut found_some, mut nothing, mut between, mut compared, mut close) = (0, 0, 0, 0, 0);
        for case in 0..1500 {
            let grid = grid(&mut random, case);
            let root = OrientedBounds::from(grid.sublevel_bounds(0.0));
            let plane = plane(&mut random, case, 1.0);
            let gap = heights(&plane, &root, 0.0, GAP).gap;
            let found = lowest_by_itself(&plane, &grid, &root, f64::INFINITY, GAP);
            let found = found.unwrap_or_else(|| panic!("{case} is open"));
            let places = places_of(&grid, &mut random);
            let Some(found) = found else {
                assert!(places.is_empty(), "{case}");
                nothing += 1;
                continue;
            };
            found_some += 1;
            let value = grid.sample(&found.point).value;
            assert!(value <= 1e-13, "{case}: {value} at {found:?}");
            let distance = found.sample.value - found.lower;
            assert!((0.0..=1.5 * gap).contains(&distance), "{case}: {distance} {found:?}");
            let lowest = places.iter().map(|place| plane.height(place)).fold(f64::INFINITY, f64::min);
            assert!(lowest >= found.lower, "{case}: {lowest} {found:?}");
            close += usize::from(lowest - found.sample.value < 0.1 * grid.spacing().norm());
            let in_cell = (found.point - grid.origin()).component_div(&grid.spacing());
            let is_on_edge = in_cell.iter().filter(|at| (*at - at.round()).abs() < 1e-9).count() >= 2;
            between += usize::from(!is_on_edge);
            // Neither above the cutoff.
            let below = lowest_by_itself(&plane, &grid, &root, found.lower - 2.0 * gap, GAP);
            assert!(below.is_some_and(|below| below.is_none()), "{case}: {below:?}");
            if case.is_multiple_of(8) && grid.size()[0] < 8 {
                let hidden = Counted(&grid, AtomicUsize::new(0));
                let wanted = Search::with_tolerance(1e-12)
                    .below_within(&plane, &hidden, &root, f64::INFINITY)
                    .unwrap();
                compared += usize::from(wanted.converged);
                // A place that it takes as in the body may be outside, and lower by several times as much.
                let (low, high) = (wanted.lower - gap, wanted.sample.value + 2.0 * gap);
                assert!((low..=high).contains(&found.sample.value), "{case}: {found:?} is not {wanted:?}");
            }
        }
        assert!(found_some > 1200 && nothing > 5, "{found_some} {nothing}");
        assert!(between > 150 && compared > 40 && close > 800, "{between} {compared} {close}");
    }

    /// The ring is symmetric, so that its highest and its lowest places are whole lines, in several cells; the normals are along the
    /// axes, up to rounding or by a little more.
    #[test]
    fn level_places_of_a_ring_are_found() {
        let mut random = Random(47);
        for case in 0..240 {
            let ring = Torus::new(Pose::identity(), 1.0, 0.4 + 0.01 * (case % 7) as f64).unwrap();
            let count = 8 + case % 9;
            let spacing = Vector::repeat(3.0 / (count - 1) as f64);
            let origin = Point::new(-1.5, -1.5, -1.5);
            let values = (0..count * count * count).map(|number| {
                let at = [number % count, number / count % count, number / (count * count)].map(|n| n as f64);
                ring.sample(&(origin + spacing.component_mul(&Vector::from(at)))).value
            });
            let grid = Grid::new(origin, spacing, [count; 3], values.collect()).unwrap();
            let sign = [1.0, -1.0][case / 3 % 2];
            let off = random.vector() * [0.0, 1e-16, 1e-13, 1e-10, 1e-7][case / 6 % 5];
            let plane = Plane::new(Point::origin(), Vector::ith(case % 3, sign) + off).unwrap();
            let root = OrientedBounds::from(grid.sublevel_bounds(0.0));
            let found = lowest_by_itself(&plane, &grid, &root, f64::INFINITY, GAP);
            let found = found.unwrap_or_else(|| panic!("{case} is open")).unwrap();
            let gap = heights(&plane, &root, 0.0, GAP).gap;
            assert!((0.0..=1.5 * gap).contains(&(found.sample.value - found.lower)), "{case}: {found:?}");
            let places = places_of(&grid, &mut random);
            let lowest = places.iter().map(|place| plane.height(place)).fold(f64::INFINITY, f64::min);
            assert!(lowest >= found.lower, "{case}: {lowest} {found:?}");
            assert!(grid.sample(&found.point).value <= 1e-13, "{case}: {found:?}");
        }
    }

    /// Of a union of a grid and a ball, placed and scaled.
    #[test]
    fn the_lowest_part_of_a_union_is_found() {
        let mut random = Random(43);
        let mut of_grid = 0;
        for case in 0..200 {
            let grid = grid(&mut random, case / 2 * 5 + 3);
            let ball = Sphere::new(Point::from(random.vector() * 0.7), 0.5).unwrap();
            let pose = Pose::new(random.vector(), random.vector() * 3.0);
            let both: Vec<Arc<dyn ImplicitFunction>> = vec![Arc::new(grid.clone()), Arc::new(ball)];
            let whole = ImplicitBody::new(pose, Arc::new(Union::new(both.clone()).unwrap())).unwrap();
            let whole = whole.with_scale(1.5).unwrap();
            let plane = plane(&mut random, case, 1.0);
            let lowest = |body: &ImplicitBody| {
                let root = body.oriented_bounds().unwrap();
                let found =
                    Search::with_tolerance(1e-12).lowest_over(&plane, body, &root, f64::INFINITY).unwrap();
                assert!(found.converged, "{case}");
                found.sample.value
            };
            let of_parts = [0, 1].map(|part| {
                let body = ImplicitBody::new(pose, both[part].clone()).unwrap();
                lowest(&body.with_scale(1.5).unwrap())
            });
            let wanted = of_parts[0].min(of_parts[1]);
            let found = lowest(&whole);
            assert!((found - wanted).abs() < 1e-8, "{case}: {found} {wanted}");
            of_grid += usize::from(of_parts[0] < of_parts[1]);
        }
        assert!((40..160).contains(&of_grid), "{of_grid}");
    }

    /// Nothing but the exponents of the numbers changes with the size.
    #[test]
    fn a_scaled_problem_has_the_scaled_answer() {
        for case in 0..200 {
            let solve = |scale: f64| {
                let mut random = Random(case as u64 + 1);
                let grid = grid(&mut random, case);
                let values = grid.values().iter().map(|value| value * scale).collect();
                let scaled = Grid::new(grid.origin() * scale, grid.spacing() * scale, grid.size(), values);
                let (scaled, plane) = (scaled.unwrap(), plane(&mut random, case, scale));
                let root = OrientedBounds::from(scaled.sublevel_bounds(0.0));
                let found = lowest_by_itself(&plane, &scaled, &root, f64::INFINITY, GAP).unwrap();
                found.map(|found| (found.point, found.sample.value, found.lower))
            };
            let Some((point, value, lower)) = solve(1.0) else { continue };
            for scale in [2.0_f64.powi(15), 2.0_f64.powi(-30), 2.0_f64.powi(-19)] {
                assert_eq!(solve(scale), Some((point * scale, value * scale, lower * scale)), "{case}");
            }
        }
    }
}
