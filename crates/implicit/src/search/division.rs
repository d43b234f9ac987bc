//! Branch and bound: opens, splits and prunes cells.

use super::convex::{ConvexDomain, ConvexSearch};
use super::grid_triangle::TriangleSearch;
use super::incumbents::{Found, Incumbents, Pause};
use super::lattice::{GridIs, LatticeSearch, Wanted};
use super::maximum::Answer;
use super::minimum::Minimum;
use super::open_cell::{Open, Simplex};
use super::outlook::{MOST_DIVISIONS, Outlook, wider};
use super::ring::RingSearch;
use super::task::{Task, along};
use super::tolerance::{Tolerance, rounding_at};
use crate::base::{Cell, EdgeSplit, OrientedBounds};
use crate::bounds::Attained;
use crate::function::ImplicitFunction;
use crate::grid::{PlacedGrid, with_grid};
use palpate_math::{Point, Vector};
use std::collections::BinaryHeap;

/// The coarsest gap that is searched for where a finer one cannot be reached, relative to the radius of the domain.
const COARSEST: f64 = 1e-3;

/// Number of splits after which the best point is improved by descent, and again at the end.
const DIVISIONS_AT_FIRST: usize = 100;

/// Number of splits from which on the lowest cell is tried further inside of the constraint, at every power of two.
const FIRST_INWARD: usize = 16;

/// What of the gap is for rounding errors where the minimum is known in closed form.
const ROUNDING: f64 = 0.25;

/// The division of cells with its memory, so that dividing again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Division {
    open: BinaryHeap<Open<Simplex>>,
    made: u64,
    ring: RingSearch,
    convex: ConvexSearch,
    lattice: LatticeSearch,
    triangle: TriangleSearch,
    /// Whether a search gave up without a point to report.
    pub(super) undecided: bool,
}

impl Division {
    /// The least value over the simplex of one to four `corners`. If `sides_are_known`, a least value on a side of a triangle may be left out.
    pub(super) fn in_simplex(
        &mut self,
        function: &dyn ImplicitFunction,
        corners: &[Point],
        cutoff: f64,
        tolerance: Tolerance,
        sides_are_known: bool,
    ) -> Option<Minimum> {
        // Along a segment the search takes less time than some floors.
        let floor = if corners.len() == 2 { f64::NEG_INFINITY } else { function.floor() };
        if floor > cutoff {
            return None;
        }
        let cell = Cell::new(corners);
        let mut root = [Point::origin(); 4];
        root[..corners.len()].copy_from_slice(corners);
        let task = Task {
            function,
            constraint: None,
            count: corners.len(),
            along: along(corners),
            root,
            frame: None,
            floor,
            reach: cell.radius,
            gap: tolerance.gap_of(function, None, cell.radius, corners),
            outside: 0.0,
        };
        if let Some(found) = self.ring.minimum(&task, cutoff) {
            return found;
        }
        if let Some(([center, other], _)) = function.rounded_segment()
            && center == other
        {
            return task.at(task.nearest(&center), cutoff, |value| value);
        }
        if let [from, to] = corners
            && let Some(share) = function.least_on_segment(&[*from, *to])
        {
            let place = (Point::from(from.coords.lerp(&to.coords, share)), [1.0 - share, share, 0.0, 0.0]);
            let error = ROUNDING * tolerance.gap(cell.radius, corners);
            return task.at(place, cutoff, |value| value - error);
        }
        if let Ok(corners) = corners.try_into() {
            let mut found = None;
            let search = &mut |of: &PlacedGrid<'_>| {
                found = self.triangle.least(of, function, corners, cutoff, task.gap, sides_are_known)
            };
            if with_grid(function, search) {
                return found;
            }
        }
        let known = match self.by_convexity(&task, corners, cutoff) {
            Answer::Settled(found) => return found,
            Answer::Open(known) => known,
        };
        let floor = if corners.len() == 2 { function.floor() } else { floor };
        let task = Task { floor: known.map_or(floor, |known| known.lower.max(floor)), ..task };
        self.divide_simplex(&task, &cell, cutoff, known)
    }

    /// Searches a segment or a triangle for the minimum of a convex function, or of the convex part of another, which is as low there
    /// unless another part is higher.
    fn by_convexity(&mut self, task: &Task<'_>, corners: &[Point], cutoff: f64) -> Answer {
        let (&[a, b] | &[a, b, _]) = corners else { return Answer::Open(None) };
        // A segment is a triangle with two equal corners.
        let domain = ConvexDomain::of_triangle(&[a, b, *corners.get(2).unwrap_or(&b)]);
        let mut least = None;
        if task.function.is_convex() {
            least = self.convex.least(task.function, &domain, cutoff, task.gap);
        } else {
            task.function.convex_part(&mut |part| least = self.convex.least(part, &domain, cutoff, task.gap));
        }
        let Some(least) = least.filter(|least| least.value > task.floor) else { return Answer::Open(None) };
        if least.lower > cutoff {
            return Answer::Settled(None);
        }
        let found = task.at(task.nearest(&least.point), cutoff, |value| least.lower.min(value));
        let is_higher = |found: Minimum| found.sample.value > least.lower + task.gap;
        let is_open = !task.function.is_convex() && found.is_some_and(is_higher);
        if is_open { Answer::Open(found) } else { Answer::Settled(found) }
    }

    /// Divides a simplex from its corners, its centre and a place that is `known`.
    fn divide_simplex(
        &mut self,
        task: &Task<'_>,
        cell: &Cell<'_>,
        cutoff: f64,
        known: Option<Minimum>,
    ) -> Option<Minimum> {
        let best = known.map(|Minimum { weights, point, sample, .. }| Found { weights, point, sample });
        let mut incumbents = Incumbents { best };
        let root = task.lower_bound(cell, &incumbents, cutoff);
        if root.lower > cutoff {
            return None;
        }
        self.begin();
        let weights = std::array::from_fn(|row| std::array::from_fn(|k| if k == row { 1.0 } else { 0.0 }));
        for (corner, weights) in cell.corners.iter().zip(&weights) {
            task.try_incumbent(&mut incumbents, corner, weights);
        }
        task.try_incumbent(&mut incumbents, &cell.center, &task.mean(&weights));
        self.push(&incumbents, task.root, weights, root, cutoff);
        self.divide(task, incumbents, cutoff)
    }

    /// The least value over the part of a box where a constraint is zero or less.
    pub(super) fn within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        tolerance: Tolerance,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let mut found = None;
        let mut search = |placed: &PlacedGrid<'_>, grid_is| {
            let diagonal: Vector = root.half.iter().map(|half| half.abs()).sum();
            let extremes = [root.center - diagonal, root.center + diagonal];
            let gap = tolerance.gap_of(function, Some(constraint), root.reach(), &extremes);
            let outside = rounding_at(&extremes);
            let wanted = Wanted { function, body: constraint, root, cutoff, gap, outside, seed };
            found = self.lattice.least(placed, grid_is, &wanted);
            self.undecided |= self.lattice.undecided;
        };
        if with_grid(function, &mut |placed| search(placed, GridIs::Function))
            || with_grid(constraint, &mut |placed| search(placed, GridIs::Body))
        {
            return found;
        }
        self.in_box(function, Some(constraint), root, cutoff, tolerance, seed)
    }

    /// The least value over a box, or over the part of it where a constraint is zero or less.
    pub(super) fn in_box(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: Option<&dyn ImplicitFunction>,
        root: &OrientedBounds,
        cutoff: f64,
        tolerance: Tolerance,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let OrientedBounds { center, half } = *root;
        let diagonal: Vector = half.iter().sum();
        let low = center - diagonal;
        let extremes = [low, center + diagonal];
        let gap = tolerance.gap_of(function, constraint, diagonal.norm(), &extremes);
        let rounding = rounding_at(&extremes);
        let task = Task {
            function,
            constraint,
            count: 4,
            along: [Vector::x(), Vector::y(), Vector::z()],
            root: [center; 4],
            frame: Some(*root),
            floor: function.floor(),
            reach: diagonal.norm(),
            gap,
            outside: rounding,
        };
        if let Some(found) = self.ring.minimum(&task, cutoff) {
            return found;
        }
        let found = self.divide_box(&task, root, cutoff, seed)?;
        // Where linear bounds meet in a corner of the constraint, the bound is as high as the value there, but for rounding.
        let error = if constraint.is_some() { rounding } else { 0.0 };
        Some(Minimum { lower: found.lower - error, ..found })
    }

    /// Divides a box from its corners, its centre and the `seed`.
    fn divide_box(
        &mut self,
        task: &Task<'_>,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let OrientedBounds { center, half } = *root;
        let low = center - half.iter().sum::<Vector>();
        self.begin();
        let mut incumbents = Incumbents::default();
        let middle = task.constraint.and_then(|_| task.function.lowest_near(&center));
        for place in seed.into_iter().chain([&center]).chain(&middle) {
            task.try_incumbent(&mut incumbents, place, &[0.0; 4]);
        }
        // Kuhn's triangulation: a tetrahedron for every order of the axes. They share the corners of the box.
        let mut tried = [false; 8];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let (mut corners, mut number) = ([low; 4], 0);
            for step in 0..4 {
                if step > 0 {
                    corners[step] = corners[step - 1] + half[order[step - 1]] * 2.0;
                    number |= 1 << order[step - 1];
                }
                if !std::mem::replace(&mut tried[number], true) {
                    task.try_incumbent(&mut incumbents, &corners[step], &[0.0; 4]);
                }
            }
            self.open_cell(task, &incumbents, corners, [[0.0; 4]; 4], f64::NEG_INFINITY, cutoff);
        }
        self.divide(task, incumbents, cutoff)
    }

    fn begin(&mut self) {
        self.open.clear();
        self.made = 0;
    }

    fn divide(&mut self, task: &Task<'_>, mut incumbents: Incumbents, cutoff: f64) -> Option<Minimum> {
        let mut progress = Progress {
            division: 0,
            floor: task.floor,
            gap: task.gap,
            outlook: Outlook::default(),
            pause: Pause::default(),
        };
        while progress.division < MOST_DIVISIONS {
            let division = progress.division;
            progress.division += 1;
            if division == DIVISIONS_AT_FIRST {
                task.descend(&mut incumbents);
            }
            let lower = self.open.peek().map_or(progress.floor, |cell| cell.lower.max(progress.floor));
            let before = incumbents.value();
            let improves = incumbents.best.is_none() || progress.pause.try_now();
            if improves {
                task.dive(&mut incumbents, lower);
            }
            let value = incumbents.value();
            if value <= progress.floor + progress.gap {
                return minimum(&incumbents, progress.floor, cutoff, progress.gap <= task.gap);
            }
            let Some(cell) = self.open.pop() else { return minimum(&incumbents, value, cutoff, true) };
            if cell.lower >= value - progress.gap {
                return minimum(&incumbents, cell.lower, cutoff, progress.gap <= task.gap);
            }
            if division >= FIRST_INWARD && division.is_power_of_two() {
                task.try_inward(&mut incumbents, &Cell::new(&cell.of.corners[..task.count]).center);
            }
            let gap = value - cell.lower.max(progress.floor);
            if let Some(reachable) = progress.outlook.reachable(division, gap, progress.gap) {
                progress.gap = wider(progress.gap, reachable);
                if progress.gap > COARSEST * task.reach {
                    self.open.push(cell);
                    break;
                }
            }
            let Some(EdgeSplit { edge: [i, j], t }) = task.where_to_divide(&cell.of) else {
                // The cell cannot be split further: its bound is final, though it does not meet the value.
                return minimum(&incumbents, cell.lower, cutoff, false);
            };
            let mix = |a: f64, b: f64| a + t * (b - a);
            let middle = Point::from(cell.of.corners[i].coords.zip_map(&cell.of.corners[j].coords, mix));
            let weights = std::array::from_fn(|k| mix(cell.of.weights[i][k], cell.of.weights[j][k]));
            let mut lowest: Option<(f64, Point)> = None;
            if task.constraint.is_none() {
                task.try_incumbent(&mut incumbents, &middle, &weights);
            }
            for replaced in [j, i] {
                let mut half = cell.of;
                half.corners[replaced] = middle;
                half.weights[replaced] = weights;
                let center = Cell::new(&half.corners[..task.count]).center;
                let bound = self.open_cell(task, &incumbents, half.corners, half.weights, cell.lower, cutoff);
                // If the bound closes the cell, no point of it is of use.
                let Some(bound) = bound else { continue };
                match bound.weights {
                    // Of a segment that place is tried when it is divided there.
                    Some(_) if task.count == 2 => {}
                    // Where the bound is attained the value is probably low.
                    Some(weights) if lowest.is_none_or(|(lower, _)| bound.lower < lower) => {
                        let corners = half.corners.iter().zip(weights);
                        let place = Point::from(corners.map(|(corner, w)| corner.coords * w).sum::<Vector>());
                        lowest = Some((bound.lower, place));
                    }
                    Some(_) => {}
                    None => task.try_incumbent(&mut incumbents, &center, &task.mean(&half.weights)),
                }
            }
            if let Some((_, place)) = lowest.filter(|_| improves) {
                task.try_incumbent(&mut incumbents, &place, &[0.0; 4]);
            }
            if improves {
                progress.pause.restart(incumbents.value() < before - progress.gap);
            }
        }
        task.descend(&mut incumbents);
        let lower = self.open.peek().map_or(f64::INFINITY, |cell| cell.lower).max(progress.floor);
        self.undecided |= incumbents.best.is_none() && lower <= cutoff;
        minimum(&incumbents, lower, cutoff, false)
    }

    /// Opens a cell, unless its bound prunes it; returns its bound if it is open.
    fn open_cell(
        &mut self,
        task: &Task<'_>,
        incumbents: &Incumbents,
        corners: [Point; 4],
        weights: [[f64; 4]; 4],
        known: f64,
        cutoff: f64,
    ) -> Option<Attained> {
        let bound = task.lower_bound(&Cell::new(&corners[..task.count]), incumbents, cutoff);
        let bound = Attained { lower: bound.lower.max(known), ..bound };
        self.push(incumbents, corners, weights, bound, cutoff).then_some(bound)
    }

    fn push(
        &mut self,
        incumbents: &Incumbents,
        corners: [Point; 4],
        weights: [[f64; 4]; 4],
        Attained { lower, weights: of_bound }: Attained,
        cutoff: f64,
    ) -> bool {
        let is_open = lower <= cutoff && lower < incumbents.value();
        if is_open {
            let lowest = of_bound.map_or(0.0, |weights| weights[1]);
            self.open.push(Open { lower, number: self.made, of: Simplex { corners, weights, lowest } });
            self.made += 1;
        }
        is_open
    }
}

/// How far a search has come.
struct Progress {
    division: usize,
    /// A lower bound of all values.
    floor: f64,
    /// The gap at which the search ends: the one asked for, or a coarser one once that is out of reach.
    gap: f64,
    outlook: Outlook,
    pause: Pause,
}

/// Returns the result, if it is or may be below the cutoff.
fn minimum(incumbents: &Incumbents, lower: f64, cutoff: f64, converged: bool) -> Option<Minimum> {
    let Found { weights, point, sample, .. } = incumbents.best?;
    let lower = lower.min(sample.value);
    (lower <= cutoff).then_some(Minimum { weights, point, sample, lower, converged })
}
