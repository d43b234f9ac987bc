//! Searches for the least value.

use palpate_geometry::implicit::internal::{Minimum, OrientedBounds, Search, Structure};
use palpate_geometry::implicit::{Grid, ImplicitFunction, Intersection, SmoothUnion, Torus, Union};
use palpate_geometry::{Capsule, Cylinder, Geometry, OrientedBox, Plane, Pose, Sphere, pose};
use palpate_math::nearest::{point_segment, point_triangle};
use palpate_math::{Point, Vector};
use std::sync::Arc;

fn below(function: &dyn ImplicitFunction, corners: &[[f64; 3]]) -> Option<Minimum> {
    let corners: Vec<Point> = corners.iter().copied().map(Point::from).collect();
    Search::with_tolerance(1e-12).below(function, &corners, f64::INFINITY)
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
    let lying = pose::rotation_from_axis(Vector::new(1.0, 0.0, 0.3)).unwrap();
    let pose = pose::from_rotation(Point::new(3.0, 1.5, 2.0), lying).unwrap();
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
    let lying = pose::rotation_from_axis(normal.cross(&Vector::x())).unwrap();
    let pose = pose::from_rotation(center, lying).unwrap();
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

/// A box on the outer side; a rod that stands in the hole, nearer to one side; a linked ring.
#[test]
fn known_distances_are_found() {
    let ring = Torus::new(Pose::identity(), 3.0, 0.25).unwrap();
    let least = |solid: &dyn ImplicitFunction| {
        let root = OrientedBounds::from(solid.sublevel_bounds(0.0));
        Search::with_tolerance(1e-12).below_within(&ring, solid, &root, f64::INFINITY).unwrap()
    };
    let block = OrientedBox::new(Pose::translation(5.5, 0.0, 0.0), Vector::new(2.0, 5.0, 5.0)).unwrap();
    assert!((least(&block).sample.value - 0.25).abs() < 1e-14);
    let rod = Cylinder::new(Pose::translation(0.5, 0.0, 0.0), 1.0, 8.0).unwrap();
    let found = least(&rod);
    assert!((found.sample.value - 1.25).abs() < 1e-14, "{found:?}");
    assert!((found.point - Point::new(1.5, 0.0, 0.0)).norm() < 1e-6, "{found:?}");
    let upright = pose::rotation_from_axis(Vector::z()).unwrap();
    let pose = pose::from_rotation(Point::new(4.25, 0.0, 0.0), upright).unwrap();
    let link = Torus::new(pose, 2.0, 0.5).unwrap();
    assert!((least(&link).sample.value - 0.0).abs() < 1e-13, "{:?}", least(&link));
}

/// At the rim of a thin lens a place that is a little outside is lower by forty times that: such places do not count as in
/// the lens, or hardly.
#[test]
fn the_sharp_rim_of_a_lens_is_exact() {
    let ball = |z: f64| -> Arc<dyn ImplicitFunction> {
        Arc::new(Sphere::new(Point::new(0.0, 0.0, z), 1.0).unwrap())
    };
    let (rim, away): (f64, f64) = (0.025, 3.0);
    let apart = (1.0 - rim * rim).sqrt();
    let lens = Intersection::new(vec![ball(apart), ball(-apart)]).unwrap();
    let root = OrientedBounds::from(lens.sublevel_bounds(0.0));
    let functions: [(Arc<dyn ImplicitFunction>, f64); 2] = [
        (Arc::new(Sphere::new(Point::new(away, 0.0, 0.0), 1.0).unwrap()), 1.0),
        (Arc::new(Torus::new(Pose::translation(away, 0.0, 0.0), 1.0, 0.2).unwrap()), 1.2),
    ];
    for (function, radius) in functions {
        let mut search = Search::with_tolerance(1e-9);
        let found = search.below_within(function.as_ref(), &lens, &root, f64::INFINITY).unwrap();
        let wanted = away - rim - radius;
        let tolerance = 1e-9 * root.reach();
        assert!((found.sample.value - wanted).abs() < tolerance, "{found:?} {wanted}");
        assert!(found.converged && found.lower <= wanted && wanted - found.lower < tolerance, "{found:?}");
    }
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    /// From -1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self, reach: f64) -> Pose {
        Pose::new(self.vector() * reach, self.vector() * 3.0)
    }

    fn rod(&mut self) -> Arc<dyn ImplicitFunction> {
        let pose = self.pose(0.5);
        let mut size = || 0.1 + 0.9 * self.next().abs();
        Arc::new(Capsule::new(pose, 0.25 * size(), size()).unwrap())
    }
}

/// Smooth unions of three bodies on a box: where the gap asked for is out of reach, the answer is no worse than that to a
/// coarse one.
#[test]
fn a_gap_out_of_reach_ends_in_the_finest_one_within() {
    let mut random = Random(19);
    let mut limited = 0;
    for number in 0..120 {
        let parts: Vec<_> = (0..3).map(|_| random.rod()).collect();
        let union = SmoothUnion::new(parts, 0.3).unwrap();
        let body = OrientedBox::new(random.pose(0.7), random.vector().map(|x| 0.2 + 0.3 * x.abs()));
        let body = body.unwrap();
        let root = body.oriented_bounds().unwrap();
        let found = [1e-9, 1e-3]
            .map(|tolerance| Search::with_tolerance(tolerance).below_within(&union, &body, &root, 0.0));
        let [Some(fine), Some(coarse)] = &found else { continue };
        limited += usize::from(!fine.converged);
        let [gap, most] = [fine, coarse].map(|found| found.sample.value - found.lower);
        let most = most.max(1e-3 * root.reach());
        assert!(gap <= most, "{number}: {gap} {most} {fine:?} {coarse:?}");
    }
    assert!(limited >= 5, "{limited}");
}
