//! The searches that are asked for: over a simplex, and over a box with a constraint.

use super::convex::{ConvexDomain, ConvexSearch, LeastOfConvex};
use super::division::Division;
use super::maximum::{Answer, Maximum};
use super::minimum::{Lowest, Minimum};
use super::tolerance::Tolerance;
use crate::implicit::{ImplicitFunction, OrientedBounds, Sample};
use palpate_math::Point;

/// How close to the lowest value of all the least of a convex function is, relative to the size of the solid, for the place to be
/// searched by division.
const DEEPEST: f64 = 1e-6;

/// The gap of a search by default, relative to the size of what is searched.
const DEFAULT_TOLERANCE: f64 = 1e-9;

/// The relative gap where an approximately deepest point suffices.
const COARSE_GAP: f64 = 1e-2;

/// The same for thinner bodies.
const THIN_GAPS: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// The search with its buffers, so that repeated searches do not allocate.
#[derive(Clone, Debug)]
pub struct Search {
    /// The gap between bound and value at which a search converges, relative to the size of what is searched.
    pub(super) tolerance: Tolerance,
    pub(super) division: Division,
    convex: ConvexSearch,
    pub(super) maximum: Maximum,
}

/// With a tolerance of 1e-9.
impl Default for Search {
    fn default() -> Self {
        Self::with_tolerance(DEFAULT_TOLERANCE)
    }
}

impl Search {
    /// Creates a search that converges when the bound is this close to the best value, relative to the size of what is searched
    /// (the radius of the segment, triangle or solid), or as close as rounding errors allow.
    pub fn with_tolerance(tolerance: f64) -> Self {
        Self {
            tolerance: Tolerance::new(tolerance),
            division: Default::default(),
            convex: Default::default(),
            maximum: Default::default(),
        }
    }

    /// Returns the relative gap at which searches converge.
    pub fn tolerance(&self) -> f64 {
        self.tolerance.relative
    }

    /// Limits the size to which gaps are relative, in metres: to that of the body, where a larger domain is searched.
    pub fn relative_to(&mut self, largest: f64) {
        self.tolerance.largest = largest;
    }

    /// Returns the minimum over the simplex of one to four `corners`, if it is at most `cutoff`. Undecided cases (the
    /// bound is, the value is not, and the gap is below the tolerance) count as below: then `sample.value` is above the
    /// cutoff by rounding error, and `lower` is not. The function must have a Lipschitz constant, or be convex. The
    /// parts of a union are searched one by one.
    pub fn below(
        &mut self,
        function: &dyn ImplicitFunction,
        corners: &[Point],
        cutoff: f64,
    ) -> Option<Minimum> {
        let tolerance = self.tolerance;
        least_of_parts(function, cutoff, &mut |part, cutoff| {
            self.division.in_simplex(part, corners, cutoff, tolerance)
        })
    }

    /// Returns the minimum over the part of a box where `constraint` is not positive, if it is at most `cutoff`; as
    /// [`below`](Self::below). Both functions must have a Lipschitz constant, or be convex. The parts of a constraint
    /// that is a union are searched in their own boxes, if they have any.
    pub fn below_within(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        self.below_within_from(function, constraint, root, cutoff, None)
    }

    /// Like [`below_within`](Self::below_within), with an initial point.
    pub fn below_within_from(
        &mut self,
        function: &dyn ImplicitFunction,
        constraint: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let tolerance = self.tolerance;
        let mut lowest = Lowest::below(cutoff);
        let mut within = |constraint: &dyn ImplicitFunction, root: &OrientedBounds, cutoff: f64| {
            least_of_parts(function, cutoff, &mut |part, cutoff| {
                let known = match self.maximum.within(part, constraint, root, cutoff, tolerance) {
                    Answer::Settled(found) => return found,
                    Answer::Open(known) => known,
                };
                let seed = known.as_ref().map(|known| &known.point).or(seed);
                self.division.within(part, constraint, root, cutoff, tolerance, seed)
            })
        };
        let is_union = constraint.over_parts(&mut |part| {
            let own = part.oriented_bounds();
            lowest.take(within(part, own.as_ref().unwrap_or(root), lowest.cutoff()));
        });
        if is_union { lowest.found() } else { within(constraint, root, cutoff) }
    }

    /// Returns the minimum over a convex solid, if it is at most `cutoff`; as [`below`](Self::below). Convex functions are
    /// searched by support points, maxima of convex functions and of their negatives by outer
    /// approximation; what that does not settle is left to `otherwise`, part by part. So is a convex body whose middle is in
    /// the solid.
    pub fn below_in_convex(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        otherwise: &mut dyn FnMut(&mut Self, &dyn ImplicitFunction, f64) -> Option<Minimum>,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(function, &mut |part| {
            self.division.undecided = false;
            lowest.take(self.part_below_in_convex(part, domain, lowest.cutoff(), otherwise));
            undecided |= self.division.undecided;
        });
        self.division.undecided = undecided;
        lowest.found().map(|found| sampled(function, &found))
    }

    fn part_below_in_convex(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        otherwise: &mut dyn FnMut(&mut Self, &dyn ImplicitFunction, f64) -> Option<Minimum>,
    ) -> Option<Minimum> {
        let gap = self.tolerance.of(domain.reach());
        let Some(least) = self.convex.least(function, domain, cutoff, gap) else {
            let known = match self.maximum.over(function, domain, cutoff, self.tolerance) {
                Answer::Settled(found) => return found,
                Answer::Open(known) => known,
            };
            let mut lowest = Lowest::below(cutoff);
            lowest.take(known);
            self.division.undecided = false;
            lowest.take(otherwise(self, function, lowest.cutoff()));
            let found = lowest.found();
            if self.division.undecided && found.is_some() {
                // There may be a lower value than the one known.
                self.division.undecided = false;
                let lower = function.floor();
                return found.map(|found| Minimum { lower, converged: false, ..found });
            }
            return found;
        };
        // Beside the middle of a body the direction from it is a quotient of small numbers.
        if function.is_convex()
            && least.value - function.floor() <= DEEPEST * domain.reach()
            && !is_lowest(function, &least, gap)
        {
            return otherwise(self, function, cutoff);
        }
        minimum(function, &least, cutoff)
    }

    /// Returns the minimum over a body in a box, if it is at most `cutoff`; as [`below_within`](Self::below_within). The
    /// parts of both are searched one by one.
    pub fn below_in_body(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(body, &mut |body| {
            let own = body.oriented_bounds();
            let root = own.as_ref().unwrap_or(root);
            over_parts(function, &mut |part| {
                let cutoff = lowest.cutoff();
                lowest.take(self.part_below_in_body(part, body, root, cutoff));
                undecided |= self.division.undecided;
            });
        });
        self.division.undecided = undecided;
        lowest.found().map(|found| sampled(function, &found))
    }

    /// Searches over a solid with a support map, or by dividing space.
    fn part_below_in_body(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        self.division.undecided = false;
        let domain = ConvexDomain::of_body(body, root).filter(|_| function.rounded_circle().is_none());
        let Some(domain) = domain else {
            return self.below_within(function, body, root, cutoff);
        };
        self.part_below_in_convex(function, &domain, cutoff, &mut |search, part, cutoff| {
            search.below_within(part, body, root, cutoff)
        })
    }

    /// Whether the last search within a constraint gave up without a point to report, though there may be one.
    pub fn undecided(&self) -> bool {
        self.division.undecided
    }

    pub(super) fn set_undecided(&mut self, undecided: bool) {
        self.division.undecided = undecided;
    }

    /// Returns approximately the deepest point of a function in a box, if it has an interior point: a coarse search.
    /// For a body thinner than its tolerance the search is repeated from the body's surface, with smaller tolerances.
    pub(in crate::implicit) fn deepest_in(
        &mut self,
        function: &dyn ImplicitFunction,
        root: &OrientedBounds,
    ) -> Option<Point> {
        let found = self.division.in_box(function, None, root, 0.0, Tolerance::new(COARSE_GAP), None)?;
        if found.sample.value < 0.0 {
            return Some(found.point);
        }
        for gap in THIN_GAPS {
            let found =
                self.division.in_box(function, Some(function), root, 0.0, Tolerance::new(gap), None)?;
            if found.sample.value < 0.0 {
                return Some(found.point);
            }
        }
        None
    }
}

/// Whether the point found is a minimizer of a convex function over all of space, to within the gap.
fn is_lowest(function: &dyn ImplicitFunction, least: &LeastOfConvex, gap: f64) -> bool {
    let lowest = function.lowest_near(&least.point);
    lowest.is_some_and(|lowest| (lowest - least.point).norm() <= gap) && least.value - function.floor() <= gap
}

/// Returns what a search by support points has found, if it is at most `cutoff`.
pub(super) fn minimum(
    function: &dyn ImplicitFunction,
    least: &LeastOfConvex,
    cutoff: f64,
) -> Option<Minimum> {
    let LeastOfConvex { point, value, lower } = *least;
    if lower > cutoff {
        return None;
    }
    let sample = Sample { value, ..function.sample(&point) };
    Some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true })
}

/// Searches the parts of a union one by one, each below the best so far, or the function itself.
fn least_of_parts(
    function: &dyn ImplicitFunction,
    cutoff: f64,
    search: &mut dyn FnMut(&dyn ImplicitFunction, f64) -> Option<Minimum>,
) -> Option<Minimum> {
    let mut lowest = Lowest::below(cutoff);
    if function.over_parts(&mut |part| lowest.take(search(part, lowest.cutoff()))) {
        return lowest.found().map(|found| sampled(function, &found));
    }
    search(function, cutoff)
}

/// Returns the minimum of a part as that of the whole function.
fn sampled(function: &dyn ImplicitFunction, found: &Minimum) -> Minimum {
    let sample = function.sample(&found.point);
    Minimum { sample, lower: found.lower.min(sample.value), ..*found }
}

/// Calls `visit` with every part of a union, or with the function itself.
pub(super) fn over_parts(function: &dyn ImplicitFunction, visit: &mut dyn FnMut(&dyn ImplicitFunction)) {
    if !function.over_parts(visit) {
        visit(function);
    }
}

#[cfg(test)]
mod tests {
    use super::super::counted::Counted;
    use super::*;
    use crate::implicit::{Grid, Intersection, Structure, Torus, Union};
    use crate::{Cylinder, Geometry, OrientedBox, Plane, Pose, Sphere};
    use palpate_math::Vector;
    use palpate_math::nearest::{point_segment, point_triangle};
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    fn below(function: &dyn ImplicitFunction, corners: &[[f64; 3]]) -> Option<Minimum> {
        let corners: Vec<Point> = corners.iter().copied().map(Point::from).collect();
        Search::with_tolerance(1e-12).below(function, &corners, f64::INFINITY)
    }

    /// All over the middle of a shell, and all over a cell of a grid, the value is minimal: a search that splits equal
    /// cells would not terminate.
    #[test]
    fn shells_and_grids_are_done_in_a_few_values() {
        let ball =
            |r: f64| -> Arc<dyn ImplicitFunction> { Arc::new(Sphere::new(Point::origin(), r).unwrap()) };
        let mut values = Vec::new();
        for k in 0..32 * 32 * 32 {
            let place = Point::new((k % 32) as f64, (k / 32 % 32) as f64, (k / 1024) as f64) / 15.5;
            let local = (place - Point::new(1.0, 1.0, 1.0)).component_div(&Vector::new(0.8, 0.6, 0.7));
            values.push((local.norm() - 1.0) * 0.6);
        }
        let grid = Grid::new(Point::new(-1.0, -1.0, -1.0), Vector::repeat(2.0 / 31.0), [32; 3], values);
        let functions: [Arc<dyn ImplicitFunction>; 2] = [
            Arc::new(Intersection::difference(vec![ball(0.5), ball(0.49)]).unwrap()),
            Arc::new(grid.unwrap()),
        ];
        for function in functions {
            for x in [0.0, 0.3, 0.5, 0.7, 1.1] {
                let shape = crate::Ellipsoid::new(Pose::translation(x, 0.1, 0.2), Vector::new(0.5, 0.3, 0.4));
                let shape = shape.unwrap();
                let root = shape.oriented_bounds().unwrap();
                let counted = Counted(function.as_ref(), AtomicUsize::new(0));
                let found = Search::with_tolerance(1e-12)
                    .below_within(&counted, &shape, &root, f64::INFINITY)
                    .unwrap();
                let asked = counted.1.into_inner();
                assert!(found.converged && found.sample.value - found.lower < 1e-9, "{x}: {found:?}");
                assert!(asked < 9000, "{x}: {asked} values");
            }
        }
    }

    /// For a ball the closest point of a segment or triangle is known in closed form.
    #[test]
    fn the_nearest_place_to_a_ball_is_found() {
        for k in 0..50 {
            let s = f64::from(k) / 50.0;
            let ball = Sphere::new(Point::new(s, 0.4 * s, 0.3), 0.2).unwrap();
            let corners = [[-1.0, 0.2 * s, -0.5], [1.2, 0.1, 0.9 - s], [0.3, 1.5 - s, 0.1]];
            let [a, b, c] = corners.map(Point::from);
            let wanted = point_triangle(&ball.center(), &a, &b, &c);
            let found = below(&ball, &corners).unwrap();
            assert!((found.sample.value - (wanted.distance_squared.sqrt() - 0.2)).abs() < 3e-12, "{found:?}");
            assert!((found.point - wanted.point).norm() < 1e-5 && found.converged);
            assert!(found.lower <= found.sample.value && found.sample.value - found.lower < 3e-12);
            let on_edge = point_segment(&ball.center(), &a, &b);
            let found = below(&ball, &corners[..2]).unwrap();
            assert!((found.sample.value - ((on_edge.point - ball.center()).norm() - 0.2)).abs() < 3e-12);
            assert!((found.weights[1] - on_edge.t).abs() < 1e-5);
        }
    }

    /// A thin rod pierces a wide triangle between its corners; a cylinder lies along one: a valley with a flat floor.
    #[test]
    fn rods_are_found_between_the_corners_and_along_a_flat_floor() {
        let wide = [[-50.0, 0.0, -40.0], [60.0, 0.0, -30.0], [5.0, 0.0, 70.0]];
        let rod = Cylinder::new(Pose::translation(3.0, 0.0, 2.0), 1e-3, 9.0).unwrap();
        let found = below(&rod, &wide).unwrap();
        assert!((found.sample.value + 1e-3).abs() < 2e-10, "{found:?}");
        let lying = crate::pose::rotation_from_axis(Vector::new(1.0, 0.0, 0.3)).unwrap();
        let pose = crate::pose::from_rotation(Point::new(3.0, 1.5, 2.0), lying).unwrap();
        let found = below(&Cylinder::new(pose, 1.0, 9.0).unwrap(), &wide).unwrap();
        assert!((found.sample.value - 0.5).abs() < 1e-10 && found.converged, "{found:?}");
    }

    #[test]
    fn a_search_stops_where_nothing_is_below_the_cutoff() {
        let ball = Sphere::new(Point::new(0.0, 2.0, 0.0), 1.0).unwrap();
        let corners = [Point::new(-1.0, 0.0, 0.0), Point::new(1.0, 0.0, 0.0)];
        assert!(Search::with_tolerance(1e-12).below(&ball, &corners, 0.999).is_none());
        let touching = Search::with_tolerance(1e-12).below(&ball, &corners, 1.0).unwrap();
        assert_eq!((touching.sample.value, touching.point.x), (1.0, 0.0));
    }

    /// Non-convex functions: compared with dense sampling.
    #[test]
    fn no_sample_is_lower_than_the_answer() {
        let ball = |x: f64, r: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, 0.1, 0.0), r).unwrap())
        };
        let mut values = Vec::new();
        for k in 0..6 * 6 * 6 {
            let place = Point::new((k % 6) as f64, (k / 6 % 6) as f64, (k / 36) as f64) * 0.5;
            values.push((place - Point::new(1.2, 1.3, 1.1)).norm() - 0.8);
        }
        let grid = Grid::new(Point::new(-1.2, -1.3, -1.1), Vector::repeat(0.5), [6; 3], values).unwrap();
        let functions: Vec<Box<dyn ImplicitFunction>> = vec![
            Box::new(Torus::new(Pose::identity(), 1.0, 0.25).unwrap()),
            Box::new(Union::new(vec![ball(-0.6, 0.3), ball(0.7, 0.4)]).unwrap()),
            Box::new(Intersection::difference(vec![ball(0.0, 1.0), ball(0.5, 0.8)]).unwrap()),
            Box::new(grid),
        ];
        for (which, function) in functions.iter().enumerate() {
            for k in 0..15 {
                let s = f64::from(k) / 15.0;
                let corners = [[-1.5, 0.5 - s, -0.4], [1.4, 0.1 * s, 0.9 - 1.5 * s], [0.3 * s, 1.2, 0.2]];
                let found = below(function.as_ref(), &corners).unwrap();
                let [a, b, c] = corners.map(Point::from);
                let mut lowest = f64::INFINITY;
                const N: i32 = 150;
                for i in 0..=N {
                    for j in 0..=N - i {
                        let (u, v) = (f64::from(i) / f64::from(N), f64::from(j) / f64::from(N));
                        lowest = lowest.min(function.sample(&(a + (b - a) * u + (c - a) * v)).value);
                    }
                }
                assert!(found.converged, "function {which}, case {k}");
                assert!(found.sample.value <= lowest + 1e-12, "function {which}, case {k}");
                assert!(found.sample.value >= lowest - 0.02 && found.lower <= found.sample.value);
            }
        }
    }

    /// The lowest point of a ball, of a cylinder's rim, and of a hollowed box above a slanted floor.
    #[test]
    fn with_a_constraint_the_lowest_place_of_a_body_is_found() {
        let normal = Vector::new(0.3, 1.0, -0.2).normalize();
        let floor = Plane::new(Point::origin(), normal).unwrap();
        let lowest = |body: &dyn ImplicitFunction| {
            let root = body.oriented_bounds().unwrap_or_else(|| body.sublevel_bounds(0.0).into());
            Search::with_tolerance(1e-12).below_within(&floor, body, &root, f64::INFINITY).unwrap()
        };
        let center = Point::new(1.0, 3.0, 0.5);
        let height = normal.dot(&center.coords);
        let ball = lowest(&Sphere::new(center, 0.7).unwrap());
        assert!((ball.sample.value - (height - 0.7)).abs() < 1e-9 && ball.converged, "{ball:?}");
        let rod = Cylinder::new(Pose::from(center.coords), 0.5, 2.0).unwrap();
        let rim = 0.5 * (normal.x * normal.x + normal.z * normal.z).sqrt();
        let found = lowest(&rod);
        assert!((found.sample.value - (height - normal.y - rim)).abs() < 1e-9 && found.converged);
        // Lying on the floor: its lowest points form a whole line.
        let lying = crate::pose::rotation_from_axis(normal.cross(&Vector::x())).unwrap();
        let pose = crate::pose::from_rotation(center, lying).unwrap();
        let found = lowest(&Cylinder::new(pose, 0.5, 20.0).unwrap());
        assert!((found.sample.value - (height - 0.5)).abs() < 3e-9 && found.converged, "{found:?}");
        let block = OrientedBox::new(Pose::from(center.coords), Vector::new(1.0, 0.5, 0.75)).unwrap();
        assert!(Geometry::bounds(&block).contains_point(&center));
        let corner = normal.abs().dot(&Vector::new(1.0, 0.5, 0.75));
        let hollow = Sphere::new(center, 0.4).unwrap();
        let parts: Vec<Arc<dyn ImplicitFunction>> = vec![Arc::new(block), Arc::new(hollow)];
        let found = lowest(&Intersection::difference(parts).unwrap());
        assert!((found.sample.value - (height - corner)).abs() < 1e-9 && found.converged, "{found:?}");
    }
}
