//! The least value of a grid over a triangle: parts of the triangle, best first, divided where they cross a plane of the lattice, and
//! else in the middle of the longest side. In a cell the bound is the least control value of a Bézier triangle, whose error falls
//! with the square of the part's size.

use super::minimum::Minimum;
use super::open_cell::Open;
use super::tolerance::rounding_at;
use crate::base::{Cell, EdgeSplit};
use crate::function::{ImplicitFunction, Structure};
use crate::grid::{PlacedGrid, TriangleBound};
use palpate_math::{Point, Vector};
use std::collections::BinaryHeap;

/// Iteration limit: none to some dozens are typical.
const MOST_DIVISIONS: usize = 20_000;

/// A triangle in the frame of the grid, with the barycentric weights of its corners in the whole one.
#[derive(Clone, Copy, Debug)]
struct Part {
    corners: [Point; 3],
    weights: [[f64; 3]; 3],
    /// Where a plane of the lattice crosses it.
    split: Option<EdgeSplit>,
}

/// The search with its memory, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangleSearch {
    open: BinaryHeap<Open<Part>>,
}

/// What is searched, in the frame of the grid and in its lengths.
struct Problem<'a> {
    placed: &'a PlacedGrid<'a>,
    cutoff: f64,
    gap: f64,
    /// The least value found, and the weights of its place.
    best: (f64, [f64; 3]),
    /// Whether no value on a side is of interest: where the value falls across a part, it is less in another, or on a side.
    sides_are_known: bool,
    /// The lowest bound of all parts that are not divided further.
    left_out: f64,
}

impl TriangleSearch {
    /// Returns the least value over a triangle of a function, given the grid of which it is made, if the value is at most the cutoff.
    pub(super) fn least(
        &mut self,
        placed: &PlacedGrid<'_>,
        function: &dyn ImplicitFunction,
        corners: &[Point; 3],
        cutoff: f64,
        gap: f64,
        sides_are_known: bool,
    ) -> Option<Minimum> {
        let PlacedGrid { scale, offset, .. } = *placed;
        let local = corners.map(|corner| placed.pose.inverse_transform_point(&corner) / scale);
        let weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let whole = Part { corners: local, weights, split: None };
        let mut problem = Problem {
            placed,
            cutoff: (cutoff + offset) / scale,
            gap: gap / scale,
            best: (f64::INFINITY, [0.0; 3]),
            sides_are_known,
            left_out: f64::INFINITY,
        };
        let (lower, converged) = self.search(&mut problem, whole);
        let lower = lower * scale - offset - 4.0 * rounding_at(corners);
        if lower > cutoff || problem.best.0 == f64::INFINITY {
            return None;
        }
        let [a, b, c] = problem.best.1;
        let point = Point::from(corners[0].coords * a + corners[1].coords * b + corners[2].coords * c);
        let sample = function.sample(&point);
        Some(Minimum { weights: [a, b, c, 0.0], point, sample, lower: lower.min(sample.value), converged })
    }

    /// Returns a lower bound of all values, and whether it is within the gap of the best.
    fn search(&mut self, problem: &mut Problem<'_>, whole: Part) -> (f64, bool) {
        self.open.clear();
        self.open_part(problem, &whole);
        if self.open.is_empty() {
            return (problem.left_out, true);
        }
        for (corner, weights) in whole.corners.iter().zip(&whole.weights) {
            problem.try_place(corner, weights);
        }
        for _ in 0..MOST_DIVISIONS {
            let Some(next) = self.open.pop() else { return (problem.left_out.min(problem.best.0), true) };
            if problem.is_of_no_use(next.lower) {
                return (problem.left_out.min(next.lower), true);
            }
            let part = next.of;
            let Some(EdgeSplit { edge: [i, j], t }) = part.where_to_divide() else {
                return (problem.left_out.min(next.lower), false);
            };
            let mix = |a: f64, b: f64| a + t * (b - a);
            let middle = Point::from(part.corners[i].coords.zip_map(&part.corners[j].coords, mix));
            let weights = std::array::from_fn(|k| mix(part.weights[i][k], part.weights[j][k]));
            problem.try_place(&middle, &weights);
            for replaced in [j, i] {
                let mut half = part;
                half.corners[replaced] = middle;
                half.weights[replaced] = weights;
                self.open_part(problem, &half);
            }
        }
        let lower = self.open.peek().map_or(f64::INFINITY, |open| open.lower);
        (problem.left_out.min(lower), false)
    }

    /// Opens a part, unless its bound is of no use.
    fn open_part(&mut self, problem: &mut Problem<'_>, part: &Part) {
        let (grid, cell) = (problem.placed.grid, Cell::new(&part.corners));
        let bound = grid.bound_on_triangle(&cell, problem.sides_are_known);
        let Some(TriangleBound { lower, split }) = bound else { return };
        if problem.is_of_no_use(lower) {
            problem.left_out = problem.left_out.min(lower);
        } else {
            self.open.push(Open { lower, number: self.open.len() as u64, of: Part { split, ..*part } });
        }
    }
}

impl Problem<'_> {
    /// Whether a bound is above the cutoff, or so close to the best value that it is not made any tighter.
    fn is_of_no_use(&self, lower: f64) -> bool {
        lower > self.cutoff || lower >= self.best.0 - self.gap
    }

    fn try_place(&mut self, place: &Point, weights: &[f64; 3]) {
        let value = self.placed.grid.value(place);
        if value < self.best.0 {
            self.best = (value, *weights);
        }
    }
}

impl Part {
    /// Returns where a plane of the lattice crosses a side, or the middle of the longest side; `None` if rounding leaves no point
    /// between its ends.
    fn where_to_divide(&self) -> Option<EdgeSplit> {
        let [a, b, c] = &self.corners;
        self.split.or_else(|| {
            let sides = [([0, 1], b - a), ([1, 2], c - b), ([2, 0], a - c)];
            let longer = |one: ([usize; 2], Vector), other: ([usize; 2], Vector)| {
                if other.1.norm_squared() > one.1.norm_squared() { other } else { one }
            };
            let (edge, way) = sides.into_iter().reduce(longer)?;
            let [from, to] = edge.map(|k| self.corners[k]);
            let middle = from + way * 0.5;
            (middle != from && middle != to).then_some(EdgeSplit { edge, t: 0.5 })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::base::Pose;
    use crate::function::{ImplicitFunction, Structure};
    use crate::functions::Posed;
    use crate::grid::Grid;
    use crate::grid::random_grid::{Random, random_grid};
    use crate::search::Search;
    use palpate_math::Point;

    const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

    /// The least of many samples of a triangle.
    fn sampled(function: &dyn ImplicitFunction, [a, b, c]: &[Point; 3]) -> f64 {
        const N: u32 = 40;
        let places =
            (0..=N).flat_map(|i| (0..=N - i).map(move |j| [i, j].map(|n| f64::from(n) / f64::from(N))));
        places.map(|[u, v]| function.value(&(a + (b - a) * u + (c - a) * v))).fold(f64::INFINITY, f64::min)
    }

    fn corners(random: &mut Random, grid: &Grid, round: usize) -> [Point; 3] {
        let bounds = grid.sublevel_bounds(0.0);
        let middle = bounds.center() + random.vector().component_mul(&bounds.size()) * 0.5;
        let size = grid.spacing() * [0.3, 1.0, 4.0][round % 3];
        [0, 1, 2].map(|_| middle + random.vector().component_mul(&size))
    }

    /// In and beside the lattice's box, posed and scaled; the places of the samples are no places of the search.
    #[test]
    fn no_sample_is_below_the_bound_and_the_value_is_close_to_it() {
        let mut random = Random(41);
        let mut search = Search::with_tolerance(1e-6);
        let mut inner = 0;
        for round in 0..600 {
            let grid = random_grid(&mut random, 6, [0.0, 0.1][round % 2]);
            let pose = Pose::new(random.vector(), random.vector());
            let body = Posed { pose: &pose, scale: 0.6, function: &grid };
            let triangle = corners(&mut random, &grid, round).map(|corner| body.to_world(&corner));
            let lowest = sampled(&body, &triangle);
            let found = search.below(&body, &triangle, f64::INFINITY).unwrap();
            let gap = 0.5 * body.resolution() + 1e-5;
            assert!(found.converged && found.lower <= lowest, "{round}: {found:?} {lowest}");
            assert!(found.sample.value - found.lower <= gap, "{round}: {found:?}");
            let mean = |k: usize| triangle[k].coords * found.weights[k];
            assert!((mean(0) + mean(1) + mean(2) - found.point.coords).norm() < 1e-14, "{round}");
            inner += usize::from(found.weights[..3].iter().all(|weight| *weight > 0.0));
            assert!(search.below(&body, &triangle, found.lower - gap).is_none(), "{round}");
        }
        assert!(inner > 50, "{inner}");
    }

    /// Where the least value is lower than all on the sides, the search that leaves these out finds it too.
    #[test]
    fn known_sides_hide_no_value_between_them() {
        let mut random = Random(43);
        let mut search = Search::with_tolerance(1e-6);
        let mut counts = [0; 2];
        for round in 0..1500 {
            let grid = random_grid(&mut random, 6, [0.0, 0.1][round % 2]);
            let triangle = corners(&mut random, &grid, round);
            let on_side = |[i, j]: [usize; 2]| {
                let share = grid.least_on_segment(&[triangle[i], triangle[j]])?;
                Some(grid.value(&(triangle[i] + (triangle[j] - triangle[i]) * share)))
            };
            let Some(sides) = SIDES.map(on_side).into_iter().collect::<Option<Vec<_>>>() else { continue };
            let cutoff = sides.into_iter().fold(f64::INFINITY, f64::min) - 2.0 * grid.resolution();
            let whole = search.below(&grid, &triangle, cutoff);
            let inside = search.below_inside(&grid, &triangle, cutoff);
            counts[usize::from(whole.is_some())] += 1;
            match (whole, inside) {
                (None, None) => {}
                (Some(whole), Some(inside)) => {
                    let apart = (whole.sample.value - inside.sample.value).abs();
                    assert!(apart <= grid.resolution(), "{round}: {whole:?} {inside:?}");
                }
                found => panic!("{round}: {found:?}"),
            }
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}
