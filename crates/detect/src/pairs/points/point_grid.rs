//! Points in the cells of a regular grid, for all points within a fixed reach of a point.

use palpate_math::{Aabb, Point};
use std::ops::Range;

/// Upper bound of the number of cells per point. Where the reach is far below the distance between points, the cells
/// are larger than the reach.
const CELLS_PER_POINT: usize = 8;

/// Upper bound of the mean number of points in the cell of a point, where cells are larger than the reach.
const MEAN_FILLING: usize = 8;

/// Upper bound of the number of cells.
const MOST: usize = 1 << 31;

/// A cell is larger than the reach by this factor: more than rounding moves a point, relative to its cell.
pub(super) const SLACK: f64 = 1.0 + 1e-6;

/// Upper bound of the number of cells along an axis, so that rounding stays below the slack.
const MOST_ALONG_AXIS: f64 = 1e6;

/// The cells of a grid over a box, with a border of one empty cell on all sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    bounds: Aabb,
    per_length: f64,
    /// Difference of the indices of adjacent cells along y and along z; along x it is one.
    steps: [usize; 2],
    count: usize,
    are_enlarged: bool,
}

impl Cells {
    /// Cells no smaller than `reach` over a box, for about as many points. `None` where there is no such grid: the reach is
    /// zero, or far below rounding of the box.
    pub(super) fn over(bounds: &Aabb, reach: f64, points: usize) -> Option<Self> {
        let size = bounds.size();
        let most = (CELLS_PER_POINT * (points + 8)).min(MOST);
        let mut side = reach * SLACK;
        let mut are_enlarged = false;
        loop {
            let along = size.map(|length| length / side);
            // False for NaN.
            if !along.iter().all(|along| (0.0..MOST_ALONG_AXIS).contains(along)) {
                return None;
            }
            // The first cell and the border on both sides.
            let [x, y, z] = [along.x, along.y, along.z].map(|along| along as usize + 3);
            let excess = (x * y * z) as f64 / most as f64;
            if excess <= 1.0 {
                let (per_length, steps) = (1.0 / side, [x, x * y]);
                return Some(Self { bounds: *bounds, per_length, steps, count: x * y * z, are_enlarged });
            }
            // Doubling leaves an eighth of the cells.
            side *= if excess > 16.0 { 2.0 } else { 1.125 };
            are_enlarged = true;
        }
    }

    /// Returns the number of the cell of a point, if it is in the box.
    #[inline]
    pub(super) fn number_in_box(&self, point: &Point) -> Option<u32> {
        let (min, max) = (&self.bounds.min, &self.bounds.max);
        let is_along = |axis: usize| (min[axis] <= point[axis]) & (point[axis] <= max[axis]);
        let along = |axis: usize| 1 + ((point[axis] - min[axis]) * self.per_length) as u32;
        // Fewer than 2³² cells, since there are at most some times as many as points.
        let number = || along(0) + along(1) * self.steps[0] as u32 + along(2) * self.steps[1] as u32;
        (is_along(0) & is_along(1) & is_along(2)).then(number)
    }
}

/// Points sorted by their cells. Keeps its memory.
#[derive(Debug, Default)]
pub(super) struct PointGrid {
    /// The first place of each cell, and one past the last place.
    starts: Vec<u32>,
    /// The points and their numbers, by cell; those of one cell ascend.
    points: Vec<(Point, u32)>,
    /// The cell of each point; [`OUTSIDE`] for one that is not in the box.
    cells: Vec<u32>,
}

/// Marks a point outside the box.
const OUTSIDE: u32 = u32::MAX;

impl PointGrid {
    /// Sorts the points of the box into the cells; the others are left out. Returns whether searching the cells pays.
    pub(super) fn fill(&mut self, cells: &Cells, points: &[Point]) -> bool {
        self.starts.clear();
        self.starts.resize(cells.count + 1, 0);
        self.cells.clear();
        self.cells.extend(points.iter().map(|point| cells.number_in_box(point).unwrap_or(OUTSIDE)));
        for &cell in self.cells.iter().filter(|&&cell| cell != OUTSIDE) {
            self.starts[cell as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            // The end of each cell, which the loop below moves to its start.
            end += *start;
            *start = end;
        }
        self.points.clear();
        self.points.resize(end as usize, (Point::origin(), 0));
        for ((number, &cell), point) in (0..points.len() as u32).zip(&self.cells).zip(points).rev() {
            if cell != OUTSIDE {
                let place = &mut self.starts[cell as usize];
                *place -= 1;
                self.points[*place as usize] = (*point, number);
            }
        }
        !cells.are_enlarged || self.are_spread(points.len())
    }

    /// Whether the mean number of points in the cell of a point is small.
    fn are_spread(&self, count: usize) -> bool {
        let square = |ends: &[u32]| u64::from(ends[1] - ends[0]) * u64::from(ends[1] - ends[0]);
        self.starts.windows(2).map(square).sum::<u64>() <= (MEAN_FILLING * count) as u64
    }

    /// Returns the number of points in the grid.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns the points of some places, with their numbers: those that follow each other are mostly close.
    pub(super) fn places(&self, places: Range<usize>) -> &[(Point, u32)] {
        &self.points[places]
    }

    /// Calls `visit` for all points within reach of a point in a cell, and others near it.
    #[inline]
    pub(super) fn near(&self, cells: &Cells, cell: u32, mut visit: impl FnMut(&Point, u32)) {
        let middle = cell as usize;
        let [y, z] = cells.steps;
        for layer in [middle - z, middle, middle + z] {
            for row in [layer - y, layer, layer + y] {
                let places = self.starts[row - 1] as usize..self.starts[row + 2] as usize;
                for (other, number) in &self.points[places] {
                    visit(other, *number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each point once, and all that are within reach, in a box that leaves some out: with cells of the reach and larger
    /// ones.
    #[test]
    fn what_is_near_contains_what_is_within_reach() {
        let mut state = 11_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1_u64 << 24) as f64
        };
        let points: Vec<Point> =
            (0..400).map(|_| Point::new(number(), number() * 2.0, number() * 3.0)).collect();
        let bounds = Aabb { min: Point::new(0.1, 0.0, 0.2), max: Point::new(1.0, 1.5, 3.0) };
        let (mut within, mut visited) = (0, 0);
        for reach in [0.3, 0.1, 0.01, 1e-4] {
            let cells = Cells::over(&bounds, reach, points.len()).unwrap();
            let mut grid = PointGrid::default();
            assert!(grid.fill(&cells, &points), "spread");
            assert_eq!(grid.len(), points.iter().filter(|point| bounds.contains_point(point)).count());
            for point in points.iter().filter(|point| bounds.contains_point(point)) {
                let mut found = Vec::new();
                grid.near(&cells, cells.number_in_box(point).unwrap(), |_, number| found.push(number));
                visited += found.len();
                found.sort_unstable();
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "once");
                for (number, other) in (0..).zip(&points) {
                    if bounds.contains_point(other) && (other - point).norm() <= reach {
                        within += 1;
                        assert!(found.binary_search(&number).is_ok(), "{reach} {number}");
                    }
                }
            }
        }
        assert!(within > 2_000 && visited < 8 * within + 40_000, "{within} {visited}");
        assert!(Cells::over(&bounds, 0.0, 400).is_none() && Cells::over(&bounds, 1e-9, 400).is_none());
    }

    #[test]
    fn crowded_points_do_not_pay() {
        let points: Vec<Point> = (0..2_000)
            .map(|k| Point::new(if k == 0 { 1.0 } else { f64::from(k) * 1e-8 }, 0.0, 0.0))
            .collect();
        let cells = Cells::over(&Aabb::from_points(&points), 1e-5, points.len()).unwrap();
        assert!(!PointGrid::default().fill(&cells, &points));
    }
}
