//! The least value of a signed distance grid over a convex body bounded by surfaces of the second degree, with a certified
//! lower bound.
//!
//! It is at a sample in the body or on its surface, which is searched cell by cell, lowest bound first: [`QuadricCell`]. A box
//! whose bound is too low is halved.

use super::crossed::{Crossed, ROUNDING, Stalled, SurfaceSearch, take_lowest};
use super::quadric_cell::{Outcome, QuadricCell, Within};
use super::samples::Grid;
use crate::implicit::quadric::QuadricBody;
use crate::implicit::{ImplicitFunction, LeastInSolid};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most boxes that wait for their search, and the most before some are searched.
const MOST_WAITING: usize = 160;
const MOST_AT_FIRST: usize = 96;

/// The most boxes in all.
const MOST_BOXES: usize = 400;

/// How far outside the body a place counts as in it, relative to the gap.
const OUTSIDE: f64 = 0.25;

/// Which part of the gap second derivatives that are slightly negative may take.
const OF_GAP: f64 = 0.25;

/// The narrowest box in sizes of a cell.
const NARROWEST: f64 = 1e-9;

/// A box in a cell, a lower bound of the values in it, and where to search first.
#[derive(Clone, Copy, Debug)]
struct Open {
    lower: f64,
    cell: [usize; 3],
    within: Within,
    near: Vector,
}

struct Search<'a> {
    grid: &'a Grid,
    body: &'a QuadricBody,
    best: (f64, Point),
    /// A lower bound of all that was searched.
    lower: f64,
    /// Values above this are of no use.
    cutoff: f64,
    gap: f64,
    slack: f64,
    boxes: usize,
    waiting: ArrayVec<Open, MOST_WAITING>,
}

impl Grid {
    /// Returns the least value over a body, as
    /// [`least_in_quadrics`](crate::implicit::ImplicitFunction::least_in_quadrics). `None` if the minimum may be outside the
    /// lattice's box, or be set by the distance to its sides, or if the bound is not reached.
    pub(super) fn least_in_body(&self, body: &QuadricBody, cutoff: f64, gap: f64) -> Option<LeastInSolid> {
        if !self.is_whole {
            return None;
        }
        let center = body.bounds.center;
        let reach = body.reach() + center.coords.amax() * (64.0 * f64::EPSILON);
        let mut search = Search {
            grid: self,
            body,
            best: (f64::INFINITY, center),
            lower: f64::INFINITY,
            cutoff: cutoff.min(self.least_outside),
            gap,
            slack: ROUNDING * reach,
            boxes: 0,
            waiting: ArrayVec::new(),
        };
        let overlaps = |point: &Point, radius: f64| {
            body.overlaps(point, if radius > 0.0 { radius + search.slack } else { 0.0 })
        };
        if let Some(point) = self.lowest_sample(&body.bounds, &overlaps, search.cutoff) {
            search.consider(point);
        }
        self.over_crossed(&body.bounds, &mut search).ok()?;
        search.search_waiting().ok()?;
        let Search { best: (value, point), lower, .. } = search;
        // Outside the box all values may be of use.
        if value > self.least_outside && cutoff > self.least_outside {
            return None;
        }
        Some(LeastInSolid { point, lower: lower.min(value) })
    }
}

impl SurfaceSearch for Search<'_> {
    fn is_crossed(&self, center: &Point, radius: f64) -> bool {
        self.body.is_crossed(center, radius + self.slack)
    }

    fn limit(&self) -> f64 {
        self.cutoff.min(self.best.0 - self.gap)
    }

    fn leave_out(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }

    fn take(&mut self, crossed: &Crossed) -> Result<(), Stalled> {
        let cell = QuadricCell::new(crossed, self.body);
        let within = Within::cell();
        let near = (within.low + within.high) * 0.5;
        let open = Open { lower: f64::NEG_INFINITY, cell: crossed.cell, within, near };
        self.wait(&cell, open)?;
        if self.waiting.len() > MOST_AT_FIRST { self.search_waiting() } else { Ok(()) }
    }
}

impl Search<'_> {
    fn consider(&mut self, point: Point) {
        let value = self.grid.sample(&point).value;
        if value < self.best.0 {
            self.best = (value, point);
        }
    }

    /// Adds a box to those that wait, unless the bound by planes is enough.
    fn wait(&mut self, cell: &QuadricCell, open: Open) -> Result<(), Stalled> {
        let lower = open.lower.max(cell.below_planes(&open.within));
        if lower > self.limit() {
            self.leave_out(lower);
            return Ok(());
        }
        self.waiting.try_push(Open { lower, ..open }).map_err(|_| Stalled)
    }

    /// Searches the boxes that wait, the lowest first: it leaves out more of the others.
    fn search_waiting(&mut self) -> Result<(), Stalled> {
        while let Some(open) = take_lowest(&mut self.waiting, |open| open.lower) {
            if open.lower > self.limit() {
                self.leave_out(open.lower);
                self.waiting.clear();
                break;
            }
            self.search_box(&open)?;
        }
        Ok(())
    }

    /// Searches a box; halves it if its bound is too low.
    fn search_box(&mut self, open: &Open) -> Result<(), Stalled> {
        self.boxes += 1;
        let crossed = self.grid.crossed(open.cell);
        let cell = QuadricCell::new(&crossed, self.body);
        let (mut lower, mut near) = (open.lower, open.near);
        let outcome = cell.settle(&open.within, &open.near);
        if let Outcome::Empty = outcome {
            return Ok(());
        }
        if let Outcome::Settled(settled) = outcome {
            let place = cell.position(&settled.place);
            if self.body.has(&place, OUTSIDE * self.gap) {
                self.consider(place);
            }
            lower = lower.max(cell.below_settled(&settled, &open.within, OF_GAP * self.gap));
            near = settled.place;
        }
        if lower > self.limit() {
            self.leave_out(lower);
            return Ok(());
        }
        if self.boxes > MOST_BOXES || (open.within.high - open.within.low).amax() < NARROWEST {
            return Err(Stalled);
        }
        for within in open.within.halves() {
            self.wait(&cell, Open { lower, within, near, ..*open })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use crate::implicit::{ImplicitFunction, Intersection, Torus};
    use crate::{Capsule, Cone, Cylinder, Ellipsoid, OrientedBox, Pose, Sphere};
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    const KINDS: usize = 10;
    const RING: usize = 7;

    /// A body of a kind; for a cone its tip, too.
    fn body(
        kind: usize,
        pose: Pose,
        length: &mut dyn FnMut(f64) -> f64,
    ) -> (Arc<dyn ImplicitFunction>, Option<Point>) {
        let center = Point::from(pose.translation.vector);
        let shape: Arc<dyn ImplicitFunction> = match kind {
            0 => Arc::new(Sphere::new(center, length(0.15)).unwrap()),
            1 => Arc::new(Capsule::new(pose, length(0.1), length(0.2)).unwrap()),
            2 => Arc::new(Ellipsoid::new(pose, Vector::from_fn(|_, _| length(0.15))).unwrap()),
            3 => Arc::new(OrientedBox::new(pose, Vector::from_fn(|_, _| length(0.15))).unwrap()),
            4 => Arc::new(Cylinder::new(pose, length(0.15), length(0.2)).unwrap()),
            5 | 6 => {
                let radius = length(0.15);
                let beside = pose * Point::new(0.8 * radius, 0.1 * length(0.1), 0.0);
                let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(beside, radius).unwrap());
                let other = body(if kind == 5 { 0 } else { 3 }, pose, length).0;
                Arc::new(Intersection::new(vec![ball, other]).unwrap())
            }
            RING => {
                let radius = 2.0 * length(0.1);
                Arc::new(Torus::new(pose, radius, 0.1 * radius + 0.2 * length(0.0)).unwrap())
            }
            8 => {
                let radius = length(0.2);
                let aside = pose * Point::new(0.2 * radius, 0.0, 0.0);
                let hole = Arc::new(Sphere::new(aside, 0.7 * radius).unwrap());
                let ball = Arc::new(Sphere::new(center, radius).unwrap());
                Arc::new(Intersection::difference(vec![ball, hole]).unwrap())
            }
            _ => {
                let [radius, length] = [length(0.15), length(0.2)];
                let cone = Arc::new(Cone::new(pose, radius, length).unwrap());
                return (cone, Some(pose * Point::new(0.0, 0.5 * length, 0.0)));
            }
        };
        (shape, None)
    }

    /// Against the search by branch and bound over the interior, and against points of the body.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(29);
        let (mut inside, mut left, mut above, mut tips, mut compared) = (0, 0, 0, 0, 0);
        let mut known = [0; KINDS];
        for round in 0..600 {
            let grid = random_grid(&mut random, [3, 5, 8, 13][round % 4], [0.0, 0.02, 0.05][round % 3]);
            if !grid.is_whole {
                continue;
            }
            let half = grid.lattice.end().coords;
            let size = half.norm();
            for case in 0..2 * KINDS {
                let center = random.vector().component_mul(&half) * [0.9, 0.6][case % 2];
                let pose = Pose::new(center, random.vector() * 3.0);
                let mut length = |most: f64| size * (0.02 + most * (1.0 + random.number()));
                let kind = case % KINDS;
                let (shape, tip) = body(kind, pose, &mut length);
                let cutoff = [0.0, grid.least_outside][case / KINDS];
                let gap = 1e-10 * size;
                let mut search = crate::implicit::Search::default();
                let Some(found) = search.below_in_quadrics(&grid, shape.as_ref(), cutoff) else {
                    // A ring that is smaller than a cell has no polynomial in it.
                    assert_eq!(kind, RING, "{round} {case}");
                    left += 1;
                    continue;
                };
                let lower = found.map_or(cutoff, |found| found.lower);
                let bounds = shape.oriented_bounds().unwrap();
                for _ in 0..300 {
                    let way: Vector = bounds.half.iter().map(|half| half * random.number()).sum();
                    let sample = shape.sample(&(bounds.center + way));
                    // In the body, and on its surface.
                    for place in [way, way - sample.gradient * sample.value] {
                        let place = bounds.center + place;
                        let value = grid.sample(&place).value;
                        let is_inside = shape.sample(&place).value <= 0.0;
                        assert!(!is_inside || value >= lower, "{round} {case}: {value} {found:?}");
                    }
                }
                let Some(found) = found else {
                    above += 1;
                    continue;
                };
                known[kind] += 1;
                let (value, distance) = (found.sample.value, shape.sample(&found.point).value);
                assert!(distance < gap, "{round} {case}: {distance} outside");
                assert!((0.0..=gap).contains(&(value - lower)), "{round} {case}: {found:?}");
                inside += usize::from(distance < -1e-6 * size);
                tips += usize::from(tip.is_some_and(|tip| (found.point - tip).norm() < gap));
                if round % KINDS == kind {
                    compared += 1;
                    let searched = Counted(&grid, AtomicUsize::new(0));
                    let wanted = search.below_within(&searched, shape.as_ref(), &bounds, cutoff);
                    let wanted = wanted.unwrap();
                    let (low, high) = (wanted.lower - gap, wanted.sample.value + gap);
                    assert!((low..=high).contains(&value), "{round} {case}: {value} is not {wanted:?}");
                }
            }
        }
        assert!(known.into_iter().all(|count| count > 60), "{known:?}");
        assert!(
            inside > 40 && above > 200 && tips > 10 && compared > 100,
            "{inside} {above} {tips} {compared}"
        );
        assert!(left < 40, "{left}");
    }

    /// Nothing but the exponents of the numbers changes with the size.
    #[test]
    fn a_scaled_problem_has_the_scaled_answer() {
        let mut found = 0;
        for case in 0..300 {
            let solve = |scale: f64| {
                let mut random = Random(case as u64 + 1);
                let grid = random_grid(&mut random, 6, 0.02);
                let values = grid.values().iter().map(|value| value * scale).collect();
                let scaled = Grid::new(grid.origin() * scale, grid.spacing() * scale, grid.size(), values);
                let center = random.vector() * (0.6 * scale);
                let pose = Pose::new(center, random.vector() * 3.0);
                let mut length = |most: f64| scale * (0.02 + most * (1.0 + random.number()));
                let (shape, _) = body(case % KINDS, pose, &mut length);
                crate::implicit::Search::default()
                    .below_in_quadrics(&scaled.unwrap(), shape.as_ref(), 0.0)
                    .flatten()
                    .map(|least| (least.point, least.sample.value, least.lower))
            };
            let Some((point, value, lower)) = solve(1.0) else { continue };
            found += 1;
            for scale in [2.0_f64.powi(15), 2.0_f64.powi(-30), 2.0_f64.powi(-19)] {
                assert_eq!(solve(scale).unwrap(), (point * scale, value * scale, lower * scale), "{case}");
            }
        }
        assert!(found > 30, "{found}");
    }
}
