//! The search within a body on a lattice: down to its cells, then by division.
//!
//! In a cell the constraint is a mean of its values at the corners, with weights that depend on the place. A concave lower
//! bound of the function is no lower than the mean of its own values there, with the same weights: [`least_within`].

use super::division::Division;
use super::minimum::{Lowest, Minimum};
use super::task::gap;
use crate::implicit::means::least_within;
use crate::implicit::{BoxSearch, ImplicitFunction, OrientedBounds};
use palpate_math::{Point, Vector};

/// The search of one cell after the other.
struct InCells<'s> {
    division: &'s mut Division,
    function: &'s dyn ImplicitFunction,
    constraint: &'s dyn ImplicitFunction,
    lowest: Lowest,
    /// The gap at which the search converges: cells that are lower by less are left out, of which there may be hundreds where
    /// the minimum is attained on a whole side of the body.
    gap: f64,
}

impl Division {
    /// The least value over the part of a box where a constraint is zero or less: in its cells, if it has any that the function
    /// can be bounded in.
    pub(super) fn within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        relative_gap: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        if function.concave_below(&[root.center; 8]).is_some() {
            let across: Vector = root.half.iter().sum();
            let gap = gap(relative_gap, diagonal(root), &[root.center - across, root.center + across]);
            let lowest = Lowest::below(cutoff);
            let mut cells = InCells { division: self, function, constraint, lowest, gap };
            if constraint.over_cells(&mut cells) {
                let found = cells.lowest.found();
                return found
                    .map(|found| Minimum { lower: found.lower.min(found.sample.value - gap), ..found });
            }
        }
        self.in_box(function, Some(constraint), root, cutoff, relative_gap, seed)
    }
}

impl BoxSearch for InCells<'_> {
    fn below(&mut self, corners: &[Point; 8], limits: Option<&[f64; 8]>) -> f64 {
        let Some(below) = self.function.concave_below(corners) else { return f64::NEG_INFINITY };
        match limits {
            Some(limits) => least_within(&below, limits),
            None => below.into_iter().fold(f64::INFINITY, f64::min),
        }
    }

    fn cutoff(&self) -> f64 {
        let slack = if self.lowest.found().is_some() { self.gap } else { 0.0 };
        self.lowest.cutoff() - slack
    }

    fn search(&mut self, cell: &OrientedBounds) {
        let cutoff = self.cutoff();
        let gap = self.gap / diagonal(cell);
        let mut found = None;
        let mut search = |function: &dyn ImplicitFunction| {
            found = self.division.in_box(function, Some(self.constraint), cell, cutoff, gap, None);
        };
        if !self.function.over_near(&cell.center, diagonal(cell), &mut search) {
            search(self.function);
        }
        self.lowest.take(found);
    }
}

/// Returns the distance from the centre of a box to its corners.
fn diagonal(bounds: &OrientedBounds) -> f64 {
    bounds.half.iter().map(Vector::norm_squared).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::ellipsoids::tests::Counted;
    use super::*;
    use crate::implicit::{Cell, Grid, MeshSolid, Sample, Search};
    use crate::{Geometry, ImplicitBody, Needs, Pose, SurfaceMesh};
    use palpate_math::Aabb;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn octahedron() -> SurfaceMesh {
        let corners = [[1.1, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, -0.9, 0.0], [0.1, 0.0, 1.3]];
        let corners: Vec<Point> = corners.into_iter().chain([[0.0, 0.0, -1.2]]).map(Point::from).collect();
        let cells = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let mut mesh = SurfaceMesh::new(corners, cells.to_vec()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// Balls, shells and noise on lattices, turned and scaled, in a mesh: with the cells, by division alone, to which the grid's
    /// cells are hidden, and by samples.
    #[test]
    fn the_deepest_point_of_a_grid_is_found() {
        let mesh = octahedron();
        let solid = MeshSolid::of_surface(&mesh).unwrap();
        let mut state = 37_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut found_some, mut nothing, mut met) = (0, 0, 0);
        for case in 0..36 {
            let spacing = Vector::new(0.11, 0.13, 0.12);
            let origin = Point::from(-4.5 * spacing);
            let value = |steps: [f64; 3]| {
                let place = origin + spacing.component_mul(&Vector::from(steps));
                let ball = place.coords.norm() - 0.45;
                match case % 3 {
                    0 => ball,
                    1 => ball.max(-0.25 - ball),
                    _ => ball + 0.1 * random(),
                }
            };
            let steps = (0..1000).map(|n| [n % 10, n / 10 % 10, n / 100].map(f64::from));
            let values: Vec<f64> = steps.map(value).collect();
            let grid = Grid::new(origin, spacing, [10; 3], values).unwrap();
            let reach = [0.6, 1.2][case / 3 % 2];
            let place = Vector::new(random(), random(), random()) * reach;
            let pose = Pose::new(place, Vector::new(random(), random(), random()));
            let body = ImplicitBody::new(pose, Arc::new(grid)).unwrap();
            let body = body.with_scale([1.0, 0.6][case / 6 % 2]).unwrap();
            let root = OrientedBounds::from(ImplicitFunction::sublevel_bounds(&body, 0.0));
            let hidden = Counted(&body, AtomicUsize::new(0));
            let found = Search::default().below_within(&solid, &body, &root, 0.0);
            let wanted = Search::default().below_within(&solid, &hidden, &root, 0.0);
            let lowest = (0..4000).filter_map(|_| {
                let inside = Point::from(Vector::new(random(), random(), random()) * 0.5);
                let point = body.pose() * (inside * body.scale());
                (body.sample(&point).value <= 0.0).then(|| solid.sample(&point).value)
            });
            let lowest = lowest.fold(f64::INFINITY, f64::min);
            let Some(found) = found else {
                nothing += 1;
                assert!(lowest > 0.0 && wanted.is_none_or(|wanted| wanted.sample.value > -1e-11), "{case}");
                continue;
            };
            found_some += 1;
            assert!(found.converged && found.sample.value - found.lower < 1e-9, "{case}: {found:?}");
            assert!(
                found.lower <= lowest && body.sample(&found.point).value < 1e-9,
                "{case}: {found:?} {lowest}"
            );
            let wanted = wanted.unwrap();
            assert!(wanted.lower <= found.sample.value + 1e-11, "{case}: {found:?} {wanted:?}");
            assert!(found.lower <= wanted.sample.value + 1e-11, "{case}: {found:?} {wanted:?}");
            met += usize::from((found.sample.value - wanted.sample.value).abs() < 1e-9);
        }
        assert!(found_some > 20 && nothing > 2 && met > 10, "{found_some} {nothing} {met}");
    }

    /// Counts the cells and blocks for which a bound is wanted.
    struct Watched<'a>(MeshSolid<'a>, AtomicUsize);

    impl ImplicitFunction for Watched<'_> {
        fn sample(&self, point: &Point) -> Sample {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.sample(point)
        }

        fn sublevel_bounds(&self, level: f64) -> Aabb {
            self.0.sublevel_bounds(level)
        }

        fn lipschitz(&self) -> Option<f64> {
            self.0.lipschitz()
        }

        fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
            self.0.bounds_below(cell, visit);
        }

        fn concave_below(&self, corners: &[Point; 8]) -> Option<[f64; 8]> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.concave_below(corners)
        }
    }

    /// The side of a slab of 32² cells in a mesh, parallel to its side: everywhere equally deep.
    #[test]
    fn of_equally_deep_cells_one_is_searched() {
        let corners = (0..8).map(|k| Point::from([0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 8.0 - 4.0)));
        let sides = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7]];
        let cells = sides.into_iter().chain([[0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]);
        let mut mesh = SurfaceMesh::new(corners.collect(), cells.collect()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let solid = MeshSolid::of_surface(&mesh).unwrap();
        let steps = (0..33 * 33 * 9).map(|n| [n % 33, n / 33 % 33, n / 1089].map(f64::from));
        let values = steps.map(|[x, y, z]| {
            let out = [x, 32.0 - x, y, 32.0 - y, z].map(|away| 0.1 * (1.5 - away));
            out.into_iter().fold(0.1 * (z - 7.5), f64::max)
        });
        let grid = Grid::new(Point::new(-1.6, -1.6, 3.0), Vector::repeat(0.1), [33, 33, 9], values.collect());
        let body = ImplicitBody::new(Pose::identity(), Arc::new(grid.unwrap())).unwrap();
        let root = OrientedBounds::from(ImplicitFunction::sublevel_bounds(&body, 0.0));
        let watched = Watched(solid, AtomicUsize::new(0));
        let found = Search::default().below_within(&watched, &body, &root, 0.0).unwrap();
        assert!(found.converged && (found.sample.value + 0.85).abs() < 1e-9, "{found:?}");
        assert!(found.sample.value - found.lower < 1e-9, "{found:?}");
        let asked = watched.1.into_inner();
        assert!(asked < 3000, "{asked}");
    }
}
