//! The search within a body on a lattice: down to its cells, then by halving these.
//!
//! In a cell, and in any box in it, the constraint is a mean of its values at the corners, with weights that depend on the
//! place. A concave part of the function, or a mixture of parts, is no lower than the mean of its own values there, with the
//! same weights: [`Means`].

use super::division::Division;
use super::minimum::{Lowest, Minimum};
use super::reduction::Wanted;
use super::tolerance::{Tolerance, rounding_at};
use crate::implicit::means::least_where;
use crate::implicit::{BoxSearch, HighestPart, ImplicitFunction, Limits, MeshSolid, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// How much larger the ball around a box is taken, for rounding.
const ROUNDING: f64 = 1e-12;

/// The number of parts that are remembered, and of their feet: those that were highest in the last boxes.
const PARTS: usize = 8;
const FEET: usize = 16;

/// The search of one cell after the other.
pub(super) struct InCells<'s> {
    division: &'s mut Division,
    pub(super) function: &'s dyn ImplicitFunction,
    /// The same, if it is the signed distance of a mesh.
    mesh: Option<&'s MeshSolid<'s>>,
    rate: f64,
    pub(super) constraint: &'s dyn ImplicitFunction,
    /// The best feasible point.
    pub(super) best: Option<Best>,
    /// The results of division.
    pub(super) lowest: Lowest,
    /// The gap at which the search converges: cells that are lower by less are left out, of which there may be hundreds where
    /// the minimum is attained on a whole side of the body.
    pub(super) gap: f64,
    /// How far outside the constraint a place counts as in it.
    pub(super) outside: f64,
    /// The last that were of use first.
    parts: ArrayVec<u32, PARTS>,
    feet: ArrayVec<Foot, FEET>,
    pub(super) divided: usize,
}

/// Where a part is high.
#[derive(Clone, Copy)]
struct Foot {
    /// Minus the distance from it is nowhere above the function.
    at: Point,
    /// A point, and the function's value there.
    of: Point,
    value: f64,
}

/// A feasible point.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) point: Point,
    /// The value of a part, which is also that of the function unless a part that is not remembered is higher.
    pub(super) value: f64,
    pub(super) part: u32,
}

impl Division {
    /// The least value over the part of a box where a constraint is zero or less: in its cells, if it has any and the function
    /// has concave parts.
    pub(super) fn within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        tolerance: Tolerance,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        self.within_cells(function, None, constraint, root, (cutoff, tolerance), seed)
    }

    /// Likewise. `mesh` is the function, if it is the signed distance of a mesh.
    pub(super) fn within_cells(
        &mut self,
        function: &dyn ImplicitFunction,
        mesh: Option<&MeshSolid<'_>>,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        (cutoff, tolerance): (f64, Tolerance),
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let first = seed.unwrap_or(&root.center);
        if let Some(HighestPart { number, foot, value }) = function.highest_part(first, None) {
            let across: Vector = root.half.iter().sum();
            let extremes = [root.center - across, root.center + across];
            let gap = tolerance.gap(root.reach(), &extremes);
            let mut cells = InCells {
                division: self,
                function,
                mesh,
                rate: function.lipschitz().unwrap_or(f64::INFINITY),
                constraint,
                best: None,
                lowest: Lowest::below(cutoff),
                gap,
                outside: Tolerance::outside(gap, rounding_at(&extremes)),
                parts: [number].into_iter().collect(),
                feet: [Foot { at: foot, of: *first, value }].into_iter().collect(),
                divided: 0,
            };
            if constraint.over_cells(&mut cells) {
                return cells.found();
            }
        }
        self.in_box(function, Some(constraint), root, cutoff, tolerance, seed)
    }
}

impl BoxSearch for InCells<'_> {
    /// By the feet that are remembered.
    fn below(&mut self, bounds: &OrientedBounds, limits: &Limits<'_>) -> f64 {
        let center = bounds.center;
        let value = |foot: &Foot| {
            let by_rate = foot.value - self.rate * (center - foot.of).norm();
            by_rate.max(-(center - foot.at).norm())
        };
        let higher = |a: (f64, usize), b: (f64, usize)| if b.0 > a.0 { b } else { a };
        let seen = self.feet.iter().map(value).zip(0..).reduce(higher);
        let (highest, number) = seen.unwrap_or((f64::NEG_INFINITY, 0));
        let mut lower = highest - self.reach(bounds);
        let cutoff = self.cutoff();
        // A concave function is at some corner no higher than in the middle.
        if lower <= cutoff {
            let limits = limits();
            if limits.is_some() || highest > cutoff {
                let below = |foot: &Foot| foot.below(bounds, limits.as_ref());
                lower = lower.max(self.feet.get(number).map_or(f64::NEG_INFINITY, below));
            }
        }
        if seen.is_some() {
            self.feet[..=number].rotate_right(1);
        }
        lower
    }

    fn has_closer(&self) -> bool {
        true
    }

    /// By the part that is highest in the middle.
    fn closer_below(&mut self, bounds: &OrientedBounds, limits: &Limits<'_>) -> f64 {
        let center = bounds.center;
        let cutoff = self.cutoff();
        let limits = limits();
        if limits.is_none() {
            // Where it seems to be low in the middle, and even lower at some corner, a search for its highest part is of little
            // use.
            let half = bounds.half.iter().map(Vector::norm).fold(f64::INFINITY, f64::min);
            let highest =
                self.feet.iter().map(|foot| -(center - foot.at).norm()).fold(f64::NEG_INFINITY, f64::max);
            if highest <= cutoff + half {
                return f64::NEG_INFINITY;
            }
        }
        let known = self.parts.first().copied();
        let Some(HighestPart { number, value, foot }) = self.function.highest_part(&center, known) else {
            return f64::NEG_INFINITY;
        };
        self.remember(number);
        if self.feet.is_full() {
            self.feet.pop();
        }
        let foot = Foot { at: foot, of: center, value };
        self.feet.insert(0, foot);
        foot.below(bounds, limits.as_ref()).max(value - self.reach(bounds))
    }

    fn cutoff(&self) -> f64 {
        let slack = if self.lowest.found().is_some() { self.gap } else { 0.0 };
        let best = self.best.map_or(f64::INFINITY, |best| best.value - self.gap);
        best.min(self.lowest.cutoff() - slack)
    }

    fn search(&mut self, corners: &[Point; 8], limits: &[f64; 8]) {
        if self.search_cell(corners, limits).is_err() {
            self.divide(corners, limits);
        }
    }
}

impl Foot {
    fn below(&self, bounds: &OrientedBounds, limits: Option<&[f64; 8]>) -> f64 {
        let values = bounds.corners().map(|corner| -(corner - self.at).norm());
        least_where(&values, limits)
    }
}

impl InCells<'_> {
    /// Returns by how much the function may be less in a box than in its middle.
    fn reach(&self, bounds: &OrientedBounds) -> f64 {
        self.rate * bounds.reach() * (1.0 + ROUNDING)
    }

    fn found(mut self) -> Option<Minimum> {
        if let Some(Best { point, value, .. }) = self.best {
            let sample = self.function.sample(&point);
            let lower = value.min(sample.value);
            self.lowest.take(Some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true }));
        }
        let found = self.lowest.found()?;
        Some(Minimum { lower: found.lower.min(found.sample.value - self.gap), ..found })
    }

    pub(super) fn values(&self, part: u32, corners: &[Point; 8]) -> [f64; 8] {
        corners.map(|corner| self.function.part_value(part, &corner))
    }

    /// Returns the part that is highest at a point, of those that are remembered.
    pub(super) fn highest_remembered(&self, point: &Point) -> Option<u32> {
        let value = |part: &u32| (self.function.part_value(*part, point), *part);
        let higher = |a: (f64, u32), b: (f64, u32)| if b.0 > a.0 { b } else { a };
        self.parts.iter().map(value).reduce(higher).map(|(_, part)| part)
    }

    /// Remembers a part in the place of the oldest.
    pub(super) fn remember(&mut self, part: u32) {
        match self.parts.iter().position(|other| *other == part) {
            Some(number) => self.parts[..=number].rotate_right(1),
            None => {
                if self.parts.is_full() {
                    self.parts.pop();
                }
                self.parts.insert(0, part);
            }
        }
    }

    /// Divides a cell.
    fn divide(&mut self, corners: &[Point; 8], limits: &[f64; 8]) {
        let half = [0, 1, 2].map(|axis| (corners[1 << axis] - corners[0]) * 0.5);
        let cell = OrientedBounds { center: middle(corners), half };
        let diagonal = (corners[7] - corners[0]).norm() * 0.5;
        let cutoff = self.cutoff();
        if cutoff <= 0.0
            && let Some(mesh) = self.mesh
        {
            let wanted = Wanted { cutoff, gap: self.gap, seed: None, trilinear: Some(limits) };
            if let Some(found) = self.division.reduction.deepest(mesh, self.constraint, &cell, &wanted) {
                return self.lowest.take(found);
            }
        }
        let tolerance = Tolerance::of_gap(self.gap, diagonal);
        self.lowest.take(self.division.in_box(
            self.function,
            Some(self.constraint),
            &cell,
            cutoff,
            tolerance,
            None,
        ));
    }
}

/// Returns the centre of a box.
pub(super) fn middle(corners: &[Point; 8]) -> Point {
    Point::from((corners[0].coords + corners[7].coords) * 0.5)
}

#[cfg(test)]
mod tests {
    use super::super::ellipsoids::tests::Counted;
    use super::*;
    use crate::implicit::{Cell, Grid, HighestPart, Intersection, Sample, Search};
    use crate::{Geometry, ImplicitBody, Needs, Pose, Sphere, SurfaceMesh};
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
            let found = Search::with_tolerance(1e-12).below_within(&solid, &body, &root, 0.0);
            let wanted = Search::with_tolerance(1e-12).below_within(&solid, &hidden, &root, 0.0);
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

    /// Drilled cylinders in a mesh take several lists of triangles, all of which are on the stack.
    #[test]
    fn a_search_to_the_last_digit_needs_little_stack() {
        let search = || {
            let mesh = octahedron();
            let solid = MeshSolid::of_surface(&mesh).unwrap();
            let mut found_some = 0;
            for k in 0..40 {
                let s = f64::from(k);
                let place = Point::new(0.4 * (1.3 * s).sin(), 0.3 * (2.1 * s).cos(), 0.3 * (0.7 * s).sin());
                let turned = crate::pose::rotation_from_axis(Vector::new(s.sin(), 0.4, s.cos())).unwrap();
                let body =
                    crate::Cylinder::new(crate::pose::from_rotation(place, turned).unwrap(), 0.15, 0.3)
                        .unwrap();
                let root = OrientedBounds::from(body.sublevel_bounds(0.0));
                let hidden = Intersection::difference(vec![
                    Arc::new(body),
                    Arc::new(Sphere::new(place, 0.1).unwrap()),
                ]);
                let found = Search::with_tolerance(1e-12).below_within(&solid, &hidden.unwrap(), &root, 0.0);
                found_some += usize::from(found.is_some_and(|found| found.converged));
            }
            found_some
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(search).unwrap();
        let found_some = thread.join().unwrap();
        assert!(found_some > 20, "{found_some}");
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

        fn highest_part(&self, point: &Point, known: Option<u32>) -> Option<HighestPart> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.highest_part(point, known)
        }

        fn part_value(&self, number: u32, point: &Point) -> f64 {
            self.0.part_value(number, point)
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
        let found = Search::with_tolerance(1e-12).below_within(&watched, &body, &root, 0.0).unwrap();
        assert!(found.converged && (found.sample.value + 0.85).abs() < 1e-9, "{found:?}");
        assert!(found.sample.value - found.lower < 1e-9, "{found:?}");
        let asked = watched.1.into_inner();
        assert!(asked < 3000, "{asked}");
    }
}
