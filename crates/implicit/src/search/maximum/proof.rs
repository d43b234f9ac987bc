//! Cuts the polytope until no point of it can have a lower value.

use super::clipped::{Clipped, Corner, Left, Side};
use super::problem::{Outcome, Problem, Progress};
use palpate_math::{Point, Vector};

/// Iteration limits: some ten cuts are typical, and some hundred where two curved surfaces nearly touch.
const MOST_CUTS: usize = 500;
const MOST_DIVISIONS: usize = 40;

/// The corner is lowered only if the cut would not take more than so many times what is outside the holes.
const STEEP: f64 = 4.0;

/// How many corners are lowered in a row without a better place; then only one of several is.
const PATIENCE: usize = 2;
const ONE_OF: usize = 4;

/// Up to how many gaps from both a place is where two holes meet.
const MEETING: f64 = 4.0;

/// How far below the level values may be missed through rounding, in units of the slack.
const ROUNDING: f64 = 4.0;

/// The search with its polytopes, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Maximum {
    /// The polytope that is cut, and others that are still to be.
    cells: Vec<Clipped>,
}

/// What became of a polytope.
enum Ended {
    /// All of it is in a hole.
    Covered,
    /// Its corners are in several holes.
    Divided,
    /// The best place is as low as any.
    AtFloor,
    GaveUp,
}

impl Maximum {
    /// Returns the polytope that is to become the solid.
    pub(super) fn solid(&mut self) -> &mut Clipped {
        if self.cells.is_empty() {
            self.cells.push(Clipped::default());
        }
        &mut self.cells[0]
    }

    /// Searches the solid for values that are at most `cutoff`.
    pub(super) fn least(&mut self, problem: &Problem<'_>, cutoff: f64) -> Outcome {
        let mut progress = Progress::below(cutoff);
        if problem.floor > cutoff {
            return Outcome { best: None, lower: Some(problem.floor) };
        }
        problem.try_inside(&self.cells[0], &problem.center, &mut progress);
        let (mut open, mut cuts, mut divisions) = (1, 0, 0);
        let mut lower = None;
        loop {
            if open == 0 {
                lower = Some(progress.level - ROUNDING * problem.slack);
                break;
            }
            open -= 1;
            match problem.prove(&mut self.cells[open], &mut progress, &mut cuts) {
                Ended::Covered => {}
                Ended::Divided if divisions < MOST_DIVISIONS => {
                    divisions += 1;
                    match self.divide(problem, open, &progress) {
                        Some(count) => open += count,
                        None => break,
                    }
                }
                Ended::AtFloor => {
                    lower = Some(problem.floor);
                    break;
                }
                Ended::GaveUp | Ended::Divided => break,
            }
        }
        Outcome { best: progress.best.map(|(point, _)| point), lower }
    }

    /// Divides a polytope between two holes; returns the number of its parts. `None` if they cannot be told apart.
    fn divide(&mut self, problem: &Problem<'_>, number: usize, progress: &Progress) -> Option<usize> {
        if self.cells.len() == number + 1 {
            self.cells.push(Clipped::default());
        }
        let (cells, others) = self.cells.split_at_mut(number + 1);
        let (cell, other) = (&mut cells[number], &mut others[0]);
        let side = problem.between(cell, progress)?;
        other.copy_from(cell);
        let opposite = Side::fixed(-side.normal, problem.slack - side.offset);
        let side = Side::fixed(side.normal, problem.slack + side.offset);
        match (cell.cut(side, 0.0), other.cut(opposite, 0.0)) {
            (Left::Some, Left::Some) => Some(2),
            _ => None,
        }
    }
}

impl Problem<'_> {
    /// Cuts a polytope until all its corners are in a hole.
    fn prove(&self, cell: &mut Clipped, progress: &mut Progress, cuts: &mut usize) -> Ended {
        let mut in_vain = 0;
        loop {
            if self.is_at_floor(progress) {
                return Ended::AtFloor;
            }
            // New corners are the last.
            cell.corners
                .iter_mut()
                .rev()
                .take_while(|corner| corner.holes.is_empty())
                .for_each(|corner| self.fill(corner));
            let level = progress.level;
            let Some((number, outside)) = self.farthest(cell, level) else {
                return if self.is_in_one_hole(cell, level) { Ended::Covered } else { Ended::Divided };
            };
            if *cuts >= MOST_CUTS {
                return Ended::GaveUp;
            }
            let corner = cell.corners[number].clone();
            let (above, highest) = self.highest(&corner.point, level);
            let Some(highest) = highest else {
                // In the solid, and below the level.
                let is_better = self.try_point(&corner.point, progress);
                self.walk(cell, &corner, progress);
                if !is_better && progress.level >= level {
                    return Ended::GaveUp;
                }
                continue;
            };
            if above <= STEEP * outside && (in_vain < PATIENCE || cuts.is_multiple_of(ONE_OF)) {
                self.walk(cell, &corner, progress);
                in_vain = if progress.level < level - self.gap { 0 } else { in_vain + 1 };
            }
            *cuts += 1;
            match cell.cut(self.tangent(highest, &corner.point, progress.level), progress.level) {
                Left::Nothing => return Ended::Covered,
                Left::Broken => return Ended::GaveUp,
                Left::All | Left::Some => {}
            }
        }
    }

    /// Returns the corner that is farthest outside every hole, and how far that is. `None` if each is in one.
    fn farthest(&self, cell: &Clipped, level: f64) -> Option<(usize, f64)> {
        let outside = cell.corners.iter().map(|corner| self.uncovered(corner, level)).enumerate();
        outside.filter(|(_, outside)| *outside >= 0.0).reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    fn is_in_one_hole(&self, cell: &Clipped, level: f64) -> bool {
        let has_all = |hole: usize| cell.corners.iter().all(|corner| self.beyond(corner, hole, level) < 0.0);
        (0..self.holes.len()).any(has_all)
    }

    /// Returns how far a point is above the level, or outside the solid, and of which function that is; `None` if it is not.
    fn highest(&self, point: &Point, level: f64) -> (f64, Option<usize>) {
        let mut highest = (self.above_planes(), None);
        for (number, limit) in self.limits.iter().enumerate() {
            let above = limit.sample(point).value - limit.rate * level;
            if above > highest.0 {
                highest = (above, Some(number));
            }
        }
        highest
    }

    /// Returns a plane between the hole that most corners are in and another, where a corner that is not in it is farthest
    /// inside: it has the corners that are in one of them only on either side, if possible. Through the best place, if both meet
    /// there.
    fn between(&self, cell: &Clipped, progress: &Progress) -> Option<Side> {
        let level = progress.level;
        let beyond = |corner: &Corner, hole: usize| self.beyond(corner, hole, level);
        let holes = 0..self.holes.len();
        let count = |hole: &usize| cell.corners.iter().filter(|corner| beyond(corner, *hole) < 0.0).count();
        let one = holes.clone().max_by_key(count)?;
        let out = cell.corners.iter().max_by(|a, b| beyond(a, one).total_cmp(&beyond(b, one)))?;
        let other = holes.min_by(|a, b| beyond(out, *a).total_cmp(&beyond(out, *b)))?;
        let deep = mean(cell, |corner| beyond(corner, other) >= 0.0)?;
        let far = mean(cell, |corner| beyond(corner, one) >= 0.0)?;
        let bounds = |normal: &Vector| {
            let mut between = (f64::NEG_INFINITY, f64::INFINITY);
            for corner in &cell.corners {
                let along = normal.dot(&corner.point.coords);
                if beyond(corner, other) >= 0.0 {
                    between.0 = between.0.max(along);
                } else if beyond(corner, one) >= 0.0 {
                    between.1 = between.1.min(along);
                }
            }
            between
        };
        let tilted = |point: &Point| {
            let [own, across] = [one, other].map(|hole| self.holes[hole].sample(point));
            let apart = [one, other].map(|hole| self.holes[hole].rate * level);
            let is_met =
                (own.value + apart[0]).abs().max((across.value + apart[1]).abs()) <= MEETING * self.gap;
            (own.gradient - across.gradient, is_met)
        };
        let mut best: Option<(f64, Side)> = None;
        let mut keep = |normal: Vector, through: Option<&Point>| {
            let Some(normal) = normal.try_normalize(0.0) else { return };
            let (low, high) = bounds(&normal);
            let offset = through.map_or(0.5 * (low + high), |point| normal.dot(&point.coords));
            let room = (high - offset).min(offset - low);
            if best.is_none_or(|(most, _)| room > most) {
                best = Some((room, Side::fixed(normal, offset)));
            }
        };
        if let Some((point, _)) = &progress.best
            && let (normal, true) = tilted(point)
        {
            keep(normal, Some(point));
        }
        keep(tilted(&nalgebra::center(&deep, &far)).0, None);
        keep(far - deep, None);
        best.map(|(_, side)| side)
    }
}

/// Returns the mean of the corners of a kind, if there are any.
fn mean(cell: &Clipped, is_kind: impl Fn(&Corner) -> bool) -> Option<Point> {
    let (mut sum, mut count) = (Vector::zeros(), 0.0);
    for corner in cell.corners.iter().filter(|corner| is_kind(corner)) {
        sum += corner.point.coords;
        count += 1.0;
    }
    (count > 0.0).then(|| Point::from(sum / count))
}
