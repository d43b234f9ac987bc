//! The least value of a signed distance grid over the body of another grid, with a certified lower bound.
//!
//! It is at a sample in the body or on its surface. So the cells of the body's grid that its surface crosses are searched, each
//! together with the cells of this grid that it overlaps: between the six sides of the one and in the other both values are
//! trilinear ([`Boxes`]). Blocks of cells are left out by this grid's Lipschitz constant, small ones by the range of its slopes.

use super::boxes::{Body, Boxes};
use super::crossed::Stalled;
use super::piece::Piece;
use super::quadric_cell::{QuadricCell, Within, values_in_box};
use super::samples::Grid;
use super::twisted::Twisted;
use crate::implicit::means::{least_of, least_where, least_within};
use crate::implicit::quadric::QuadricBody;
use crate::implicit::{BoxSearch, ImplicitFunction, LeastInSolid, Limits, OrientedBounds};
use palpate_math::{Aabb, Point};

/// Bounds the rounding error of a linear bound, relative to the numbers that are added.
const OF_LINEAR: f64 = 16.0 * f64::EPSILON;

/// Up to which half diagonal boxes have a bound by slopes, relative to the diagonal of a cell. In larger ones the slopes differ too
/// much: bounds of the cells in them take less time.
const SMALL: f64 = 0.4;

/// The part of the body in one of its cells.
struct BodyInCell<'a> {
    body: &'a dyn ImplicitFunction,
    sides: QuadricBody,
    surface: Twisted,
}

impl Body for BodyInCell<'_> {
    fn cell(&self, grid: &Grid, cell: [usize; 3], within: &Within) -> QuadricCell {
        QuadricCell::new(&grid.crossed(cell), within, &self.sides, Some(&self.surface))
    }

    fn has(&self, point: &Point, slack: f64) -> bool {
        self.body.value(point) <= slack
    }
}

struct Search<'a> {
    boxes: Boxes<'a>,
    body: &'a dyn ImplicitFunction,
    /// Whether the surface of the body crosses all cells that have a part of it: its lattice's box cuts nothing off.
    is_whole: bool,
    has_stalled: bool,
}

impl Grid {
    /// Returns the least value over a body that has cells, as
    /// [`least_in_cells`](crate::implicit::ImplicitFunction::least_in_cells).
    pub(super) fn least_in_other(
        &self,
        body: &dyn ImplicitFunction,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastInSolid> {
        let rate = body.lipschitz().filter(|_| self.is_whole)?;
        let mut search = Search {
            boxes: Boxes::new(self, cutoff, gap),
            body,
            is_whole: body.is_least_on_surfaces(),
            has_stalled: false,
        };
        let bounds: OrientedBounds =
            body.oriented_bounds().unwrap_or_else(|| body.sublevel_bounds(0.0).into());
        let overlaps = |point: &Point, radius: f64| body.value(point) <= rate * radius;
        if let Some(point) = self.lowest_sample(&bounds, &overlaps, search.boxes.cutoff) {
            search.boxes.consider(point);
        }
        // No value is below the lowest sample of all.
        if search.boxes.limit() <= self.floor() {
            search.boxes.leave_out(self.floor());
            return search.boxes.found(cutoff);
        }
        if !body.over_cells(&mut search) || search.has_stalled {
            return None;
        }
        // Blocks whose bounds are above the cutoff are of no use; others were left out for the best value.
        let limit = search.boxes.limit();
        if limit < search.boxes.cutoff {
            search.boxes.leave_out(limit);
        }
        search.boxes.found(cutoff)
    }

    /// Returns the values at the corners of a box of a concave function that is in the part of the box in the lattice nowhere
    /// above the value; `None` if there is no such part.
    fn concave_below(&self, bounds: &OrientedBounds) -> Option<[f64; 8]> {
        let Aabb { min, max } = bounds.aabb();
        let [low, high] =
            [self.lattice.origin.coords.sup(&min.coords), self.lattice.end().coords.inf(&max.coords)];
        if (0..3).any(|axis| low[axis] > high[axis]) {
            return None;
        }
        let [first, last] = [low, high].map(|end| self.in_cell(&Point::from(end)).cell);
        let range = self.slopes.over(&self.lattice, &self.values, first, last);
        let (slope, spread) = ((range.low + range.high) * 0.5, (range.high - range.low) * 0.5);
        let is_whole = (low, high) == (min.coords, max.coords);
        let middle = if is_whole { bounds.center } else { Point::from((low + high) * 0.5) };
        let (value, away) = (self.trilinear_value(&middle), bounds.center - middle);
        let largest = (slope.abs() + spread).dot(&(max - min)) + value.abs();
        let middle = value + slope.dot(&away) - OF_LINEAR * largest;
        // The corners of a box that is cut off are farther away than any place in the lattice.
        let farthest = 0.5 * spread.dot(&(high - low));
        let [x, y, z] = bounds.half;
        let mut values = [0.0; 8];
        for (number, way) in [-x - y - z, x - y - z, y - x - z, x + y - z].into_iter().enumerate() {
            let fall = if is_whole { spread.dot(&way.abs()) } else { farthest };
            let rise = slope.dot(&way);
            // The opposite corner is as far from the middle.
            (values[number], values[7 - number]) = (middle - fall + rise, middle - fall - rise);
        }
        Some(values)
    }
}

impl BoxSearch for Search<'_> {
    fn below_in_ball(&mut self, center: &Point, radius: f64) -> f64 {
        let grid = self.boxes.grid;
        let fall = grid.rate * radius * (1.0 + OF_LINEAR);
        let value = grid.trilinear_value(&grid.clamped(center));
        value - fall - OF_LINEAR * (value.abs() + fall)
    }

    fn below(&mut self, bounds: &OrientedBounds, limits: &Limits<'_>) -> f64 {
        let grid = self.boxes.grid;
        if bounds.reach() > SMALL * grid.lattice.spacing.norm() {
            return f64::NEG_INFINITY;
        }
        let Some(values) = grid.concave_below(bounds) else { return f64::INFINITY };
        least_where(&values, limits().as_ref())
    }

    fn is_on_surfaces(&self) -> bool {
        self.is_whole
    }

    fn cutoff(&self) -> f64 {
        if self.has_stalled { f64::NEG_INFINITY } else { self.boxes.limit() }
    }

    fn search(&mut self, corners: &[Point; 8], samples: &[f64; 8]) {
        self.has_stalled |= self.search_piece(&Piece { corners: *corners, samples: *samples }).is_err();
    }
}

impl Search<'_> {
    /// Searches the cells that overlap one of the body.
    fn search_piece(&mut self, piece: &Piece) -> Result<(), Stalled> {
        let grid = self.boxes.grid;
        let body = self.body;
        let mut part: Option<BodyInCell<'_>> = None;
        let in_lattice = piece.in_lattice(&grid.lattice);
        in_lattice.for_each_cell(&grid.lattice.size, |cell| {
            let samples = grid.samples(cell);
            // No value is below all samples.
            if self.boxes.is_left_out(least_of(&samples)) {
                return Ok(());
            }
            let within = in_lattice.part_of(cell);
            let values = values_in_box(&samples, &within);
            if self.boxes.is_left_out(least_of(&values))
                || self.boxes.is_left_out(least_within(&values, &in_lattice.limits(cell, &within)))
            {
                return Ok(());
            }
            let part = part.get_or_insert_with(|| {
                let Piece { corners, samples } = piece;
                let (sides, surface) = (QuadricBody::of_corners(corners), Twisted::new(corners, samples));
                BodyInCell { body, sides, surface }
            });
            self.boxes.add(&part.cell(grid, cell, &within), cell, &within)
        })?;
        part.map_or(Ok(()), |part| self.boxes.search_waiting(&part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use crate::implicit::{ImplicitBody, Search};
    use crate::{Geometry, Pose};
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    /// Two random grids, the second smaller, beside and in each other.
    fn pair(case: usize, random: &mut Random, scale: f64) -> (Grid, ImplicitBody) {
        let noise = [0.0, 0.02, 0.05][case % 3];
        let mut scaled = |size: usize| {
            let grid = random_grid(random, size, noise);
            let values = grid.values().iter().map(|value| value * scale).collect();
            Grid::new(grid.origin() * scale, grid.spacing() * scale, grid.size(), values).unwrap()
        };
        let mut grid = scaled([3, 5, 8, 13][case % 4]);
        while !grid.is_whole {
            grid = scaled([3, 5, 8, 13][case % 4]);
        }
        let other = scaled([4, 7, 11][case / 4 % 3]);
        let center = random.vector() * ([0.4, 0.7, 1.0][case / 2 % 3] * scale);
        let pose = Pose::new(center, random.vector() * 3.0);
        let body =
            ImplicitBody::new(pose, Arc::new(other)).unwrap().with_scale([0.5, 0.25][case % 2]).unwrap();
        (grid, body)
    }

    /// Against the search by branch and bound over the interior, and against points of the body.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(53);
        let (mut found, mut left, mut above, mut on_surface, mut compared) = (0, 0, 0, 0, 0);
        for case in 0..900 {
            let (grid, body) = pair(case, &mut random, 1.0);
            let cutoff = [0.0, grid.least_outside][case % 2];
            let bounds = Geometry::bounds(&body);
            let (size, gap) = (bounds.diagonal_length(), 1e-10 * bounds.diagonal_length());
            let Some(least) = grid.least_in_other(&body, cutoff, gap) else {
                left += 1;
                continue;
            };
            let lower = least.lower.min(cutoff);
            for _ in 0..200 {
                let place = bounds.center() + random.vector().component_mul(&bounds.size()) * 0.5;
                let sample = body.sample(&place);
                let steep = sample.gradient.norm_squared();
                for place in [place, place - sample.gradient * (sample.value / steep)] {
                    let value = grid.sample(&place).value;
                    let is_inside = body.sample(&place).value <= 0.0;
                    assert!(!is_inside || value >= lower, "{case}: {value} {least:?}");
                }
            }
            if least.lower > cutoff {
                above += 1;
                continue;
            }
            found += 1;
            let (value, height) = (grid.sample(&least.point).value, body.sample(&least.point).value);
            assert!(height <= gap, "{case}: {height} outside");
            assert!((0.0..=1.01 * gap).contains(&(value - least.lower)), "{case}: {value} {least:?}");
            on_surface += usize::from(height > -1e-9 * size);
            if case % 16 < 3 {
                compared += 1;
                let counted = Counted(&grid, AtomicUsize::new(0));
                let wanted = Search::with_tolerance(1e-12)
                    .below_within(&counted, &body, &bounds.into(), cutoff)
                    .unwrap();
                let (low, high) = (wanted.lower - gap, wanted.sample.value + gap);
                assert!((low..=high).contains(&value), "{case}: {value} is not {wanted:?}");
            }
        }
        let counts = format!("{found} {left} {above} {on_surface} {compared}");
        assert!(found > 400 && left < 60 && above > 300 && on_surface > 350 && compared > 70, "{counts}");
    }

    /// Nothing but the exponents of the numbers changes with the size.
    #[test]
    fn a_scaled_problem_has_the_scaled_answer() {
        let mut count = 0;
        for case in 0..300 {
            let solve = |scale: f64| {
                let (grid, body) = pair(case, &mut Random(case as u64 + 7), scale);
                grid.least_in_other(&body, 0.0, 1e-10 * scale).map(|least| (least.point, least.lower))
            };
            let Some((point, lower)) = solve(1.0) else { continue };
            count += 1;
            for scale in [2.0_f64.powi(15), 2.0_f64.powi(-29)] {
                assert_eq!(solve(scale), Some((point * scale, lower * scale)), "{case}");
            }
        }
        assert!(count > 100, "{count}");
    }
}
