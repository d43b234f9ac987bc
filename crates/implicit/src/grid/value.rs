//! A grid as a function: its value, trilinear between the samples, and its bounds over cells.

use super::extremes::Extremes;
use super::samples::Grid;
use crate::base::{Cell, CellValues, EdgeSplit, Sample};
use crate::bounds::below_the_higher;
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector};

/// How close a search cell may pass a plane of the grid before it is split there, relative to the spacing.
const ON_THE_PLANE: f64 = 1e-12;

/// How close searches get to a minimum, relative to the spacing: the value between samples is an approximation whose error is
/// larger by far.
const RESOLUTION: f64 = 1e-3;

impl Grid {
    /// Returns the extremes over the cells that overlap a box, which is in that of the lattice.
    pub(super) fn extremes_over(&self, bounds: &Aabb) -> Extremes {
        let [first, last] = [bounds.min, bounds.max].map(|end| self.in_cell(&end).cell);
        self.extremes.over(&self.lattice, &self.values, first, last)
    }

    /// Bounds a cell that overlaps several lattice cells, by the range of slopes over these. Outside the lattice, by
    /// the Lipschitz constant alone.
    fn below_over_several(&self, cell: &Cell<'_>) -> CellValues {
        let by_rate = cell.constant(self.sample(&cell.center).value - self.rate * cell.radius);
        let bounds = Aabb::from_points(cell.corners);
        if !self.sublevel_bounds(0.0).contains(&bounds) {
            return by_rate;
        }
        let range = self.extremes_over(&bounds);
        let (slope, spread) = ((range.low + range.high) * 0.5, (range.high - range.low) * 0.5);
        let far = (bounds.max - cell.center).sup(&(cell.center - bounds.min));
        let value = self.trilinear(&cell.center).value - spread.dot(&far);
        below_the_higher(&cell.linear(value, &slope), &by_rate, cell.corners.len())
    }
}

impl ImplicitFunction for Grid {
    fn sample(&self, point: &Point) -> Sample {
        let nearest = self.clamped(point);
        let (value, gradient) = self.interpolated(&nearest);
        let way = point - nearest;
        if way == Vector::zeros() {
            let side = if self.is_whole { None } else { Some(self.side(point)) };
            let (value, gradient) = side.filter(|side| side.0 > value).unwrap_or((value, gradient));
            return Sample { value, gradient, feature: NONE };
        }
        let above = value.max(0.0);
        // Along the axes on which the point is outside its closest point does not move.
        let slope = Vector::from_fn(|axis, _| if way[axis] == 0.0 { gradient[axis] } else { 0.0 });
        let value = (way.norm_squared() + above * above).sqrt();
        Sample { value, gradient: (way + slope * above) / value, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        Aabb { min: self.lattice.origin, max: self.lattice.end() }.grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(self.rate)
    }

    fn resolution(&self) -> f64 {
        RESOLUTION * self.lattice.spacing.min()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        if self.edge_split(cell).is_some() {
            return self.below_over_several(cell);
        }
        // The whole cell is in one lattice cell, or outside on the same side: its closest points are a single linear
        // map.
        let nearest = self.clamped(&cell.center);
        let about = self.trilinear(&nearest);
        let mut most = Vector::zeros();
        for corner in cell.corners {
            most = most.sup(&(self.clamped(corner) - nearest).abs());
        }
        let [x, y, z] = [most.x, most.y, most.z];
        let rest = about.mixed.abs().dot(&Vector::new(y * z, z * x, x * y)) + about.third.abs() * x * y * z;
        let value = cell
            .at_corners(|corner| about.value + about.gradient.dot(&(self.clamped(corner) - nearest)) - rest);
        let way = cell.center - nearest;
        let away = way.norm();
        if away == 0.0 {
            let (side, out) = self.side(&cell.center);
            return below_the_higher(&value, &cell.linear(side, &out), cell.corners.len());
        }
        let beside = cell.linear(away, &(way / away));
        if about.value <= 0.0 {
            return beside;
        }
        // The root of the sum of squares is convex and increasing in both.
        let root = (away * away + about.value * about.value).sqrt();
        let (share, share_of_value) = (away / root, about.value / root);
        std::array::from_fn(|k| share * beside[k] + share_of_value * value[k])
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }

    fn content(&self) -> Vec<f64> {
        let mut content: Vec<f64> = self.lattice.size.iter().map(|&n| n as f64).collect();
        content.extend(self.lattice.spacing.iter());
        content.extend(self.lattice.origin.iter());
        content.extend(&self.values);
        content
    }
}

impl Structure for Grid {
    fn value(&self, point: &Point) -> f64 {
        let nearest = self.clamped(point);
        let value = self.trilinear_value(&nearest);
        let way = point - nearest;
        if way == Vector::zeros() {
            if self.is_whole { value } else { value.max(self.side(point).0) }
        } else {
            let above = value.max(0.0);
            (way.norm_squared() + above * above).sqrt()
        }
    }

    /// Splits at the lattice plane closest to the middle, along the longest axis of the cell crossed by a plane.
    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        let mut longest: Option<(f64, EdgeSplit)> = None;
        for axis in 0..3 {
            let coordinate = |corner: &Point| corner[axis];
            let low = cell.corners.iter().map(coordinate).fold(f64::INFINITY, f64::min);
            let high = cell.corners.iter().map(coordinate).fold(f64::NEG_INFINITY, f64::max);
            let (origin, spacing) = (self.lattice.origin[axis], self.lattice.spacing[axis]);
            let slack = ON_THE_PLANE * spacing + 8.0 * f64::EPSILON * low.abs().max(high.abs());
            let last = (self.lattice.size[axis] - 1) as f64;
            let number = ((0.5 * (low + high) - origin) / spacing).round().clamp(0.0, last);
            let plane = origin + spacing * number;
            let length = high - low;
            if plane <= low + slack
                || plane >= high - slack
                || longest.is_some_and(|(most, _)| length <= most)
            {
                continue;
            }
            let count = cell.corners.len();
            let lowest = (0..count).find(|&k| cell.corners[k][axis] == low)?;
            let highest = (0..count).find(|&k| cell.corners[k][axis] == high)?;
            let t = (plane - low) / length;
            if t > 0.0 && t < 1.0 {
                longest = Some((length, EdgeSplit { edge: [lowest, highest], t }));
            }
        }
        longest.map(|(_, crossing)| crossing)
    }

    /// No trilinear value is below all samples.
    fn floor(&self) -> f64 {
        self.lowest
    }

    fn least_on_segment(&self, ends: &[Point; 2]) -> Option<f64> {
        self.least_along(ends)
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::random_grid::rough;

    /// Samples a function on a lattice around the origin.
    fn sampled(n: usize, half: f64, function: impl Fn(&Point) -> f64) -> Grid {
        let spacing = Vector::new(1.0, 1.25, 0.75) * (2.0 * half / (n - 1) as f64);
        let origin = Point::from(-0.5 * (n - 1) as f64 * spacing);
        let mut values = Vec::new();
        for k in 0..n {
            for j in 0..n {
                for i in 0..n {
                    let steps = Vector::new(i as f64, j as f64, k as f64);
                    values.push(function(&(origin + spacing.component_mul(&steps))));
                }
            }
        }
        Grid::new(origin, spacing, [n; 3], values).unwrap()
    }

    fn ball(n: usize) -> Grid {
        sampled(n, 2.0, |point| point.coords.norm() - 1.0)
    }

    #[test]
    fn a_linear_function_is_met_exactly_and_its_samples_are() {
        let grid = sampled(4, 1.5, |p| p.x + 2.0 * p.y - 0.5 * p.z + 0.25);
        let inner = Point::new(0.3, -0.2, 0.1);
        let sample = grid.sample(&inner);
        assert!((sample.value - 0.1).abs() < 1e-15 * 8.0, "{sample:?}");
        assert!((sample.gradient - Vector::new(1.0, 2.0, -0.5)).norm() < 1e-14);
        assert!((grid.rate - 5.25_f64.sqrt()).abs() < 1e-13);
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let grid = ball(6);
        for k in 0..50 {
            let s = f64::from(k) / 50.0;
            // Inside the lattice, and outside on several sides.
            let place = Point::new(2.97 * s - 1.71, 4.1 * s * s - 2.03, 0.31 - 2.9 * s);
            for axis in 0..3 {
                let step = Vector::ith(axis, 1e-7);
                let slope = (grid.sample(&(place + step)).value - grid.sample(&(place - step)).value) / 2e-7;
                assert!((slope - grid.sample(&place).gradient[axis]).abs() < 1e-6, "{place}");
            }
        }
    }

    #[test]
    fn the_error_stays_below_half_the_diagonal_and_outside_the_value_is_a_lower_bound() {
        let grid = ball(9);
        let (mut worst, mut outside) = (0.0_f64, 0);
        for k in 0..2000 {
            let s = f64::from(k);
            let place = Point::new(2.9 * (0.7 * s).sin(), 2.9 * (1.3 * s).cos(), 2.9 * (2.1 * s).sin());
            let (value, distance) = (grid.sample(&place).value, place.coords.norm() - 1.0);
            if grid.sublevel_bounds(0.0).contains_point(&place) {
                worst = worst.max((value - distance).abs());
            } else {
                outside += 1;
                assert!(value <= distance + grid.error_bound() && value > 0.0);
            }
        }
        assert!(worst <= grid.error_bound() && worst > 0.1 * grid.error_bound(), "{worst}");
        assert!(outside > 300);
    }

    #[test]
    fn a_body_that_runs_out_of_the_lattice_is_cut_off() {
        let floor = sampled(5, 1.0, |p| p.y);
        let low = floor.origin().y;
        let near_the_bottom = floor.sample(&Point::new(0.0, low + 0.125, 0.0));
        assert_eq!((near_the_bottom.value, near_the_bottom.gradient), (-0.125, -Vector::y()));
        assert_eq!(floor.sample(&Point::new(0.0, low - 0.5, 0.0)).value, 0.5);
    }

    /// The bottom of a ball that is cut off at a depth, where samples differ by their last digits.
    #[test]
    fn samples_that_differ_by_rounding_have_no_slope() {
        let depth = |p: &Point| -0.3 * (1.0 + f64::EPSILON * (37.0 * p.x + 91.0 * p.y * p.z).sin().round());
        let grid = sampled(8, 2.0, |p| (p.coords.norm() - 1.0).max(depth(p)));
        let (mut flat, mut noisy) = (0, 0);
        for k in 0..200 {
            let s = f64::from(k);
            let place = Point::new((0.7 * s).sin(), (1.3 * s).cos(), (2.1 * s).sin()) * 0.2;
            let sample = grid.sample(&place);
            flat += usize::from(sample.gradient == Vector::zeros());
            noisy += usize::from(sample.gradient.norm() < 1e-9 && sample.gradient != Vector::zeros());
        }
        assert_eq!((flat, noisy), (200, 0));
        assert!(grid.sample(&Point::new(0.9, 0.1, 0.2)).gradient.norm() > 0.5);
    }

    #[test]
    fn the_bound_holds_over_cells_in_and_out_of_the_lattice() {
        let grid = ball(5);
        let mut quadratic = 0;
        for k in 0..400 {
            let s = f64::from(k);
            let middle = Point::new(2.5 * (0.7 * s).sin(), 2.5 * (1.3 * s).cos(), 2.5 * (2.1 * s).sin());
            let corners = [[-0.1, 0.03, 0.0], [0.08, -0.02, 0.14], [0.02, -0.01, -0.1]]
                .map(|[x, y, z]| middle + Vector::new(x, y, z));
            let cell = Cell::new(&corners);
            quadratic += usize::from(grid.edge_split(&cell).is_none());
            let below = grid.bound_below(&cell);
            for i in 0..=6 {
                for j in 0..=6 - i {
                    let w = [f64::from(i) / 6.0, f64::from(j) / 6.0, f64::from(6 - i - j) / 6.0];
                    let place =
                        corners[0].coords * w[0] + corners[1].coords * w[1] + corners[2].coords * w[2];
                    let bound = w[0] * below[0] + w[1] * below[1] + w[2] * below[2];
                    assert!(bound <= grid.sample(&Point::from(place)).value + 1e-13);
                }
            }
        }
        assert!(quadratic > 100, "{quadratic}");
    }

    /// Over tetrahedra within one lattice cell and over several, inside and outside the box.
    #[test]
    fn the_bound_holds_where_the_value_twists() {
        let (mut one, mut several, mut tight) = (0, 0, 0);
        for seed in 0..300 {
            let grid = rough(seed, [5, 6, 4]);
            let s = seed as f64;
            let middle = Point::new(
                0.5 + 1.1 * (0.7 * s).sin(),
                0.9 + 0.7 * (1.3 * s).cos(),
                0.5 + 1.6 * (2.1 * s).sin(),
            );
            let size = [0.02, 0.1, 0.6][seed as usize % 3];
            let corners = [[-1.0, 0.3, -0.4], [0.8, -0.2, -1.0], [0.1, 1.0, 0.9], [0.2, -0.8, 0.7]]
                .map(|[x, y, z]| middle + Vector::new(x, y, z) * size);
            let cell = Cell::new(&corners);
            if grid.edge_split(&cell).is_some() {
                several += 1
            } else {
                one += 1
            }
            let below = grid.bound_below(&cell);
            let mut least = f64::INFINITY;
            const N: i32 = 12;
            for (i, j, k) in
                (0..=N).flat_map(|i| (0..=N - i).flat_map(move |j| (0..=N - i - j).map(move |k| (i, j, k))))
            {
                let weights = [i, j, k, N - i - j - k].map(|n| f64::from(n) / f64::from(N));
                let place: Vector = corners.iter().zip(weights).map(|(p, w)| p.coords * w).sum();
                let bound: f64 = below.iter().zip(weights).map(|(b, w)| b * w).sum();
                let above = grid.sample(&Point::from(place)).value - bound;
                assert!(above >= -1e-12, "{seed}: {above}");
                least = least.min(above);
            }
            tight += usize::from(least < 0.05);
        }
        assert!(one > 50 && several > 100 && tight > 30, "{one} {several} {tight}");
    }

    /// The product of the coordinates: at the centre only its third derivative is non-zero.
    #[test]
    fn the_bound_holds_where_only_the_third_derivative_is_left() {
        let values = (0..8).map(|k: u32| if k.count_ones() % 2 == 1 { 1.0 } else { -1.0 }).collect();
        let grid = Grid::new(Point::new(-1.0, -1.0, -1.0), Vector::repeat(2.0), [2; 3], values).unwrap();
        let corners = [[0.4, 0.4, 0.4], [0.4, -0.4, -0.4], [-0.4, 0.4, -0.4], [-0.4, -0.4, 0.4]];
        for sign in [1.0, -1.0] {
            let corners = corners.map(|corner| Point::from(corner.map(|x| sign * x)));
            let below = grid.bound_below(&Cell::new(&corners));
            for (corner, bound) in corners.iter().zip(below) {
                assert!(bound <= grid.sample(corner).value, "{bound}");
            }
        }
    }

    #[test]
    fn the_value_alone_is_that_of_the_sample() {
        use crate::base::Pose;
        use crate::functions::Posed;
        use crate::grid::random_grid::{Random, random_grid};
        let mut random = Random(19);
        let mut inside = [0; 2];
        for round in 0..30 {
            let grid = random_grid(&mut random, [3, 5, 8][round % 3], [0.0, 0.3][round % 2]);
            let is_whole = usize::from(grid.is_whole);
            let reach = grid.lattice.end().coords.norm();
            let pose = Pose::new(random.vector() * reach, random.vector() * 3.0);
            let bounds = grid.sublevel_bounds(0.0);
            let body = Posed { pose: &pose, scale: 0.7, function: &grid };
            for _ in 0..200 {
                let local = Point::from(random.vector() * reach);
                let point = pose * (local * 0.7);
                assert_eq!(body.value(&point), body.sample(&point).value, "{round} at {point}");
                inside[is_whole] += usize::from(bounds.contains_point(&local));
            }
        }
        assert!(inside.iter().all(|count| *count > 100), "{inside:?}");
    }
}
