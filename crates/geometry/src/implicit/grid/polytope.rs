//! The least value of a signed distance grid over a convex polytope, with a certified lower bound.
//!
//! It is at a sample in the polytope or on a face, cell by cell: those with the lowest bounds first.

use super::crossed::{Crossed, ROUNDING, Stalled, SurfaceSearch};
use super::facet::{Facet, Least};
use super::polygon::Polygon;
use super::samples::Grid;
use crate::implicit::{ImplicitFunction, LeastInSolid, OrientedBounds, PolytopeFace};
use arrayvec::ArrayVec;
use palpate_math::{Aabb, Point, Vector};
use std::cell::Cell;

/// The most cells that wait for their search.
const MOST_WAITING: usize = 64;

struct Best {
    value: f64,
    point: Point,
}

struct PolytopeSearch<'a> {
    grid: &'a Grid,
    faces: &'a [PolytopeFace],
    /// The face that a ball was outside of last.
    outside: Cell<usize>,
    best: Best,
    /// A lower bound of all that was searched.
    lower: f64,
    /// Values above this are of no use.
    cutoff: f64,
    gap: f64,
    slack: f64,
    /// Cells with their bounds.
    waiting: ArrayVec<(f64, [usize; 3]), MOST_WAITING>,
}

impl Grid {
    /// Returns the least value over a convex polytope, as
    /// [`least_in_polytope`](crate::implicit::ImplicitFunction::least_in_polytope). `None` if the minimum may be outside the
    /// lattice's box, or be set by the distance to its sides, or if the bound is not reached.
    pub(super) fn least_in_faces(
        &self,
        faces: &mut [PolytopeFace],
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastInSolid> {
        if !self.is_whole {
            return None;
        }
        faces.iter_mut().for_each(PolytopeFace::find_plane);
        let bounds = Aabb::from_points(faces.iter().flat_map(|face| &face.corners));
        let reach = bounds.diagonal_length() + bounds.largest_coordinate() * (64.0 * f64::EPSILON);
        let mut search = PolytopeSearch {
            grid: self,
            faces,
            outside: Cell::new(0),
            best: Best { value: f64::INFINITY, point: bounds.center() },
            lower: f64::INFINITY,
            cutoff: cutoff.min(self.least_outside),
            gap,
            slack: ROUNDING * reach,
            waiting: ArrayVec::new(),
        };
        let bounds = OrientedBounds::from(bounds);
        let overlaps = |center: &Point, radius: f64| {
            !search.is_outside(center, if radius > 0.0 { radius + search.slack } else { 0.0 })
        };
        if let Some(point) = self.lowest_sample(&bounds, &overlaps, search.cutoff) {
            search.best = Best { value: self.sample(&point).value, point };
        }
        self.over_crossed(&bounds, &mut search).ok()?;
        search.search_waiting().ok()?;
        let PolytopeSearch { best, lower, .. } = search;
        // Outside the box all values may be of use.
        if best.value > self.least_outside && cutoff > self.least_outside {
            return None;
        }
        Some(LeastInSolid { point: best.point, lower: lower.min(best.value) })
    }
}

impl SurfaceSearch for PolytopeSearch<'_> {
    fn is_crossed(&self, center: &Point, radius: f64) -> bool {
        let reach = radius + self.slack;
        !self.is_outside(center, reach) && self.faces.iter().any(|face| face.height(center) >= -reach)
    }

    fn limit(&self) -> f64 {
        self.cutoff.min(self.best.value - self.gap)
    }

    fn leave_out(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }

    fn take(&mut self, crossed: &Crossed) -> Result<(), Stalled> {
        let lower = self.below(crossed);
        if lower > self.limit() {
            self.leave_out(lower);
            return Ok(());
        }
        self.waiting.push((lower, crossed.cell));
        if self.waiting.is_full() { self.search_waiting() } else { Ok(()) }
    }
}

impl PolytopeSearch<'_> {
    /// Whether a ball is outside of a face.
    fn is_outside(&self, center: &Point, radius: f64) -> bool {
        let is_outside = |face: &PolytopeFace| face.height(center) > radius;
        if self.faces.get(self.outside.get()).is_some_and(is_outside) {
            return true;
        }
        let found = self.faces.iter().position(is_outside);
        if let Some(number) = found {
            self.outside.set(number);
        }
        found.is_some()
    }

    /// Returns a lower bound of the values on the faces in a cell: on one of them, and behind all others.
    fn below(&self, crossed: &Crossed) -> f64 {
        let reach = crossed.radius + self.slack;
        let limit = self.limit();
        let (mut on_faces, mut behind) = (f64::INFINITY, f64::NEG_INFINITY);
        for face in self.faces.iter().filter(|face| face.height(&crossed.center) >= -reach) {
            let [at_most, on_face] =
                crossed.below_plane(&face.normal, face.offset, [-self.slack, self.slack]);
            behind = behind.max(at_most);
            if behind > limit {
                return behind;
            }
            on_faces = on_faces.min(on_face);
        }
        on_faces.max(behind)
    }

    /// Searches the cells that wait.
    fn search_waiting(&mut self) -> Result<(), Stalled> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
        for (lower, cell) in waiting {
            if lower > self.limit() {
                self.leave_out(lower);
            } else {
                self.search_cell(&self.grid.crossed(cell))?;
            }
        }
        Ok(())
    }

    fn search_cell(&mut self, crossed: &Crossed) -> Result<(), Stalled> {
        let reach = crossed.radius + self.slack;
        for face in self.faces {
            if face.height(&crossed.center).abs() > reach {
                continue;
            }
            let [_, lower] = crossed.below_plane(&face.normal, face.offset, [-self.slack, self.slack]);
            if lower > self.limit() {
                self.leave_out(lower);
                continue;
            }
            let Some((facet, triangle)) = Facet::of_triangle(self.grid, &face.corners) else { continue };
            let (grown, mut room) = ([Vector::zeros(); 2], [Polygon::default(), Polygon::default()]);
            let Some(inside) = facet.within_cell(&triangle, crossed.cell, &grown, &mut room)? else {
                continue;
            };
            let mut least = Least::below(self.limit(), 0.5 * self.gap);
            facet.search_cell(crossed.cell, inside, &mut least)?;
            self.leave_out(least.lower());
            if least.value < self.best.value {
                let position = facet.plane.position(&least.at).component_mul(&self.grid.lattice.spacing);
                let point = self.grid.lattice.origin + position;
                let value = self.grid.sample(&point).value;
                if value < self.best.value {
                    self.best = Best { value, point };
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::Search;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use std::sync::atomic::AtomicUsize;

    /// Tetrahedra of all sizes, and some thinner than a cell, against the search by branch and bound over the interior, and against
    /// points of the tetrahedron.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(41);
        let (mut known, mut inside, mut left, mut above, mut compared) = (0, 0, 0, 0, 0);
        for round in 0..400 {
            let grid = random_grid(&mut random, [3, 5, 8, 13][round % 4], [0.0, 0.02, 0.05][round % 3]);
            if !grid.is_whole {
                continue;
            }
            let extent = grid.lattice.end().coords;
            let size = extent.norm();
            for case in 0..12 {
                let center = Point::from(random.vector().component_mul(&extent) * [0.7, 0.3][case % 2]);
                let reach = size * [0.1, 0.4, 0.8][case % 3];
                let mut corners = [(); 4].map(|()| center + random.vector() * reach);
                let [a, b, c, d] = corners;
                if case % 4 == 3 {
                    // Thinner than a cell.
                    corners[3] = a + ((b - a) + (c - a)) * 0.3 + (d - a) * 1e-3;
                }
                let [a, b, c, d] = corners;
                if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
                    corners.swap(1, 2);
                }
                let [a, b, c, d] = corners;
                let mut faces = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]].map(PolytopeFace::new);
                let cutoff = [0.0, grid.least_outside][case % 2];
                let Some(found) = grid.least_in_faces(&mut faces, cutoff, 1e-11 * size) else {
                    left += 1;
                    continue;
                };
                for _ in 0..300 {
                    let mut weights = [(); 4].map(|()| 1.0 + random.number());
                    weights[0] *= [1.0, 0.0][usize::from(random.number() > 0.0)];
                    let sum: f64 = weights.iter().sum();
                    let place: Vector =
                        corners.iter().zip(weights).map(|(corner, w)| corner.coords * (w / sum)).sum();
                    let value = grid.sample(&Point::from(place)).value;
                    let is_lower = value < found.lower - 1e-14 * size;
                    assert!(value > cutoff && found.lower > cutoff || !is_lower, "{round} {case}: {value}");
                }
                if found.lower > cutoff {
                    above += 1;
                    continue;
                }
                known += 1;
                let value = grid.sample(&found.point).value;
                let height =
                    faces.iter().map(|face| face.height(&found.point)).fold(f64::NEG_INFINITY, f64::max);
                assert!(height < 1e-13 * size, "{round} {case}: {height} outside");
                assert!((0.0..=1e-11 * size).contains(&(value - found.lower)), "{round} {case}: {found:?}");
                inside += usize::from(height < -1e-6 * size);
                if case % 3 == 0 {
                    compared += 1;
                    let searched = Counted(&grid, AtomicUsize::new(0));
                    let wanted = Search::with_tolerance(1e-12).below(&searched, &corners, cutoff).unwrap();
                    let (low, high) = (wanted.lower - 1e-11 * size, wanted.sample.value + 1e-11 * size);
                    assert!((low..=high).contains(&value), "{round} {case}: {value} is not {wanted:?}");
                }
            }
        }
        assert!(
            known > 400 && inside > 15 && above > 100 && compared > 100 && left < 20,
            "{known} {inside} {above} {compared} {left}"
        );
    }
}
