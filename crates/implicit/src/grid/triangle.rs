//! The trilinear value on a triangle within a lattice cell, as a Bézier triangle.
//!
//! The value is linear in each coordinate, so that a control value is a mean of values at places whose three coordinates are each taken
//! from a corner of the triangle: the blossom of the polynomial. No value is below all control values (G. Farin, "Curves and
//! Surfaces for CAGD", 5th ed., 2002, chapter 17).

use super::extremes::Extremes;
use super::samples::Grid;
use crate::base::{Cell, EdgeSplit};
use crate::bounds::least;
use crate::function::{ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector};

/// How steep the value certainly falls, relative to the steepest slope: more than the rounding error of a slope.
const CERTAIN: f64 = 1e-9;

/// What is known of the values on a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleBound {
    /// No value is less.
    pub(crate) lower: f64,
    /// Where a plane of the lattice crosses the triangle.
    pub(crate) split: Option<EdgeSplit>,
}

impl Grid {
    /// Bounds the values on a triangle: in a lattice cell by the least control value, elsewhere linearly. `None` if `sides_are_known`
    /// and the value falls all the way across, so that it is least on a side.
    pub(crate) fn bound_on_triangle(
        &self,
        triangle: &Cell<'_>,
        sides_are_known: bool,
    ) -> Option<TriangleBound> {
        let bounds = Aabb::from_points(triangle.corners);
        let is_inside = self.sublevel_bounds(0.0).contains(&bounds);
        let slopes = (is_inside && self.is_whole).then(|| self.extremes_over(&bounds));
        if sides_are_known && slopes.is_some_and(|slopes| self.falls_across(triangle, &slopes)) {
            return None;
        }
        let split = self.edge_split(triangle);
        let lower = match (slopes, split) {
            (Some(slopes), Some(_)) => self.below_over_cells(triangle, &bounds, &slopes),
            (Some(_), None) => self.least_control_value(triangle),
            (None, split) => {
                let below = least(&self.bound_below(triangle), 3);
                let in_a_cell = is_inside && split.is_none();
                if in_a_cell { below.max(self.least_control_value(triangle)) } else { below }
            }
        };
        Some(TriangleBound { lower, split })
    }

    /// Whether some direction in the plane of a triangle has the same sign along all slopes.
    fn falls_across(&self, triangle: &Cell<'_>, slopes: &Extremes) -> bool {
        let [a, b, c] = [0, 1, 2].map(|k| triangle.corners[k]);
        let (slope, spread) = ((slopes.low + slopes.high) * 0.5, (slopes.high - slopes.low) * 0.5);
        let normal = (b - a).cross(&(c - a));
        let along = slope - normal * (normal.dot(&slope) / normal.norm_squared());
        // A triangle without an area has no normal, and no comparison with what is not a number is true.
        along.dot(&slope) - along.abs().dot(&spread) > CERTAIN * self.rate * along.norm()
    }

    /// Bounds by the slopes in the cells that a triangle overlaps, and by the Lipschitz constant.
    fn below_over_cells(&self, triangle: &Cell<'_>, bounds: &Aabb, slopes: &Extremes) -> f64 {
        let (slope, spread) = ((slopes.low + slopes.high) * 0.5, (slopes.high - slopes.low) * 0.5);
        let far = (bounds.max - triangle.center).sup(&(triangle.center - bounds.min));
        let value = self.trilinear_value(&triangle.center);
        let rises = triangle.corners.iter().map(|corner| slope.dot(&(corner - triangle.center)));
        let lowest = rises.fold(f64::INFINITY, f64::min);
        (value + lowest - spread.dot(&far)).max(value - self.rate * triangle.radius)
    }

    fn least_control_value(&self, triangle: &Cell<'_>) -> f64 {
        let cell = self.in_cell(&triangle.center).cell;
        let first = Vector::from(cell.map(|n| n as f64));
        let place =
            |corner: &Point| (corner - self.lattice.origin).component_div(&self.lattice.spacing) - first;
        let places = [0, 1, 2].map(|k| place(&triangle.corners[k]));
        let values = mixed_values(&self.samples(cell), &places);
        let value = |x: usize, y: usize, z: usize| values[9 * x + 3 * y + z];
        let mut least = value(0, 0, 0).min(value(1, 1, 1)).min(value(2, 2, 2));
        for (twice, once) in [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)] {
            let sum = value(once, twice, twice) + value(twice, once, twice) + value(twice, twice, once);
            least = least.min(sum / 3.0);
        }
        let turned = value(0, 1, 2) + value(1, 2, 0) + value(2, 0, 1);
        least.min((turned + value(0, 2, 1) + value(2, 1, 0) + value(1, 0, 2)) / 6.0)
    }
}

/// Returns the values at the 27 places whose x, y and z are those of three places, that of z varying fastest.
fn mixed_values(samples: &[f64; 8], places: &[Vector; 3]) -> [f64; 27] {
    let mix = |t: f64, [from, to]: [f64; 2]| from + t * (to - from);
    let mut values = [0.0; 27];
    for (i, along_x) in places.iter().enumerate() {
        let edges: [f64; 4] = std::array::from_fn(|k| mix(along_x.x, [samples[2 * k], samples[2 * k + 1]]));
        for (j, along_y) in places.iter().enumerate() {
            let ends = [mix(along_y.y, [edges[0], edges[1]]), mix(along_y.y, [edges[2], edges[3]])];
            for (k, along_z) in places.iter().enumerate() {
                values[9 * i + 3 * j + k] = mix(along_z.z, ends);
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::random_grid::{Random, random_grid, rough};

    /// In one cell, over several and beside the lattice; in one cell the bound is close as soon as the triangle is small.
    #[test]
    fn no_value_on_the_triangle_is_below_the_bound() {
        let mut random = Random(29);
        let (mut within, mut beside, mut close) = (0, 0, 0);
        for round in 0..3000 {
            let grid = match round % 3 {
                0 => rough(round, [4, 3, 5]),
                _ => random_grid(&mut random, 5, [0.0, 0.3][round as usize % 2]),
            };
            let box_of = grid.sublevel_bounds(0.0);
            let middle = box_of.center() + random.vector().component_mul(&box_of.size()) * 0.6;
            let size = grid.lattice.spacing * [0.02, 0.3, 1.5][round as usize / 3 % 3];
            let corners = [0, 1, 2].map(|_| middle + random.vector().component_mul(&size));
            let cell = Cell::new(&corners);
            let below = grid.bound_on_triangle(&cell, false).unwrap().lower;
            let mut lowest = f64::INFINITY;
            for (i, j) in (0..=10).flat_map(|i| (0..=10 - i).map(move |j| (i, j))) {
                let [u, v] = [i, j].map(|n| f64::from(n) / 10.0);
                let place = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
                lowest = lowest.min(grid.value(&place));
            }
            assert!(lowest >= below - 1e-13, "{round}: {lowest} {below}");
            let is_inside = corners.iter().all(|corner| box_of.contains_point(corner));
            beside += usize::from(!is_inside);
            if is_inside && grid.edge_split(&cell).is_none() {
                within += 1;
                close += usize::from(lowest - below < 0.01 * grid.rate * cell.radius);
            }
        }
        assert!(within > 600 && beside > 500 && close > within / 2, "{within} {beside} {close}");
    }

    #[test]
    fn a_value_that_falls_across_is_least_on_a_side() {
        let mut random = Random(31);
        let mut falling = [0; 2];
        for round in 0..3000 {
            let grid = random_grid(&mut random, 9, 0.0);
            let box_of = grid.sublevel_bounds(0.0);
            let middle = box_of.center() + random.vector().component_mul(&box_of.size()) * 0.4;
            let size = grid.lattice.spacing * [0.1, 1.0][round % 2];
            let corners = [0, 1, 2].map(|_| middle + random.vector().component_mul(&size));
            if grid.bound_on_triangle(&Cell::new(&corners), true).is_some() {
                continue;
            }
            falling[round % 2] += 1;
            let (mut inner, mut on_sides) = (f64::INFINITY, f64::INFINITY);
            for (i, j) in (0..=12).flat_map(|i| (0..=12 - i).map(move |j| (i, j))) {
                let [u, v] = [i, j].map(|n| f64::from(n) / 12.0);
                let place = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
                let is_on_side = i == 0 || j == 0 || i + j == 12;
                let least = if is_on_side { &mut on_sides } else { &mut inner };
                *least = least.min(grid.value(&place));
            }
            let ends = [[0, 1], [1, 2], [2, 0]].map(|side| side.map(|k| corners[k]));
            for [from, to] in ends {
                let share = grid.least_on_segment(&[from, to]).unwrap();
                on_sides = on_sides.min(grid.value(&(from + (to - from) * share)));
            }
            assert!(on_sides <= inner + 1e-13, "{round}: {on_sides} {inner}");
        }
        assert!(falling.iter().all(|count| *count > 200), "{falling:?}");
    }

    /// The control values of a product of the coordinates, worked out by hand: x y z over the corners of the unit triangle.
    #[test]
    fn the_control_values_are_those_of_the_blossom() {
        let samples = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let values = mixed_values(&samples, &[Vector::x(), Vector::y(), Vector::z()]);
        for (number, value) in values.into_iter().enumerate() {
            assert_eq!(
                value,
                f64::from(u8::from(number == 5)),
                "x of the first, y of the second, z of the third"
            );
        }
        // The value in the middle is 1/27: the middle control value, one sixth, times its weight, six 27ths.
        let grid = Grid::new(Point::origin(), Vector::repeat(1.0), [2; 3], samples.to_vec()).unwrap();
        let middle = Point::new(1.0, 1.0, 1.0) / 3.0;
        assert!((grid.trilinear_value(&middle) - 1.0 / 27.0).abs() < 1e-16);
    }
}
