//! The least value of a signed distance grid over a convex body bounded by surfaces of the second degree, with a certified
//! lower bound.
//!
//! It is at a sample in the body or on its surface, which is searched cell by cell: [`Boxes`].

use super::boxes::{Body, Boxes, MOST_AT_FIRST};
use super::crossed::{Crossed, ROUNDING, Stalled, SurfaceSearch};
use super::quadric_cell::{QuadricCell, Within};
use super::samples::Grid;
use crate::implicit::LeastInSolid;
use crate::implicit::quadric::QuadricBody;
use palpate_math::Point;

struct Search<'a> {
    boxes: Boxes<'a>,
    body: &'a QuadricBody,
    slack: f64,
}

impl Grid {
    /// Returns the least value over a body, as
    /// [`least_in_quadrics`](crate::implicit::ImplicitFunction::least_in_quadrics). `None` if the minimum may be outside the
    /// lattice's box, or be set by the distance to its sides, or if the bound is not reached.
    pub(super) fn least_in_body(&self, body: &QuadricBody, cutoff: f64, gap: f64) -> Option<LeastInSolid> {
        if !self.is_whole {
            return None;
        }
        let reach = body.reach() + body.bounds.center.coords.amax() * (64.0 * f64::EPSILON);
        let mut search = Search { boxes: Boxes::new(self, cutoff, gap), body, slack: ROUNDING * reach };
        let overlaps = |point: &Point, radius: f64| {
            body.overlaps(point, if radius > 0.0 { radius + search.slack } else { 0.0 })
        };
        if let Some(point) = self.lowest_sample(&body.bounds, &overlaps, search.boxes.cutoff) {
            search.boxes.consider(point);
        }
        self.over_crossed(&body.bounds, &mut search).ok()?;
        search.boxes.search_waiting(body).ok()?;
        search.boxes.found(cutoff)
    }
}

impl Body for QuadricBody {
    fn cell(&self, grid: &Grid, cell: [usize; 3], within: &Within) -> QuadricCell {
        QuadricCell::new(&grid.crossed(cell), within, self, None)
    }

    fn has(&self, point: &Point, slack: f64) -> bool {
        Self::has(self, point, slack)
    }
}

impl SurfaceSearch for Search<'_> {
    fn is_crossed(&self, center: &Point, radius: f64) -> bool {
        self.body.is_crossed(center, radius + self.slack)
    }

    fn limit(&self) -> f64 {
        self.boxes.limit()
    }

    fn leave_out(&mut self, lower: f64) {
        self.boxes.leave_out(lower);
    }

    fn take(&mut self, crossed: &Crossed) -> Result<(), Stalled> {
        let cell = QuadricCell::new(crossed, &Within::cell(), self.body, None);
        self.boxes.add(&cell, crossed.cell, &Within::cell())?;
        if self.boxes.waiting() > MOST_AT_FIRST { self.boxes.search_waiting(self.body) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use crate::implicit::{ImplicitFunction, Intersection, Torus};
    use crate::{Capsule, Cone, Cylinder, Ellipsoid, OrientedBox, Pose, Sphere};
    use palpate_math::Vector;
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
                // Half of the tolerance is left for rounding.
                let mut search = crate::implicit::Search::with_tolerance(2e-10);
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
                crate::implicit::Search::with_tolerance(1e-10)
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
