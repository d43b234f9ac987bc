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
