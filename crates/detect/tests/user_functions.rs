//! Implicit functions of a user's own: a superquadric, which is convex, and a height field, which is not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_contact::{CollisionData, Contact, ContactId, FeatureKind, IdPart, NONE};
use palpate_detect::{Choice, Context, Flags, Registry, Status};
use palpate_geometry::implicit::{Cell, CellValues, ImplicitFunction, Intersection, Sample};
use palpate_geometry::{Capsule, Geometry, ImplicitBody, Needs, OrientedBox, Pose, Sphere, SurfaceMesh};
use palpate_math::{Aabb, Point, Vector};
use std::iter::once;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A convex superquadric (Barr 1981): the norm ‖(‖(x/a, y/b)‖ of order 2/e2, z/c)‖ of order 2/e1 is 1 on its surface.
///
/// The value is the norm less 1, times the number that makes its slope at most 1. At the centre the gradient is zero.
struct Superquadric {
    radii: Vector,
    orders: [f64; 2],
    factor: f64,
}

impl Superquadric {
    /// The exponents are more than 0 and at most 2.
    fn new(radii: Vector, [e1, e2]: [f64; 2]) -> Self {
        let orders = [2.0 / e1, 2.0 / e2];
        // The gradient of a norm of order n has length 1 in the norm of order n / (n - 1).
        let steepest = |order: f64| 2.0_f64.powf(1.0 / order - 0.5).max(1.0);
        Self { radii, orders, factor: radii.min() / (steepest(orders[0]) * steepest(orders[1])) }
    }
}

/// Returns the norm of two positive numbers, and its derivatives.
fn norm(u: f64, v: f64, order: f64) -> [f64; 3] {
    let largest = u.max(v);
    if largest == 0.0 {
        return [0.0; 3];
    }
    let sum = (u / largest).powf(order) + (v / largest).powf(order);
    let norm = largest * sum.powf(1.0 / order);
    [norm, (u / norm).powf(order - 1.0), (v / norm).powf(order - 1.0)]
}

impl ImplicitFunction for Superquadric {
    fn sample(&self, point: &Point) -> Sample {
        let at = point.coords.component_div(&self.radii);
        let [ring, by_x, by_y] = norm(at.x.abs(), at.y.abs(), self.orders[1]);
        let [whole, by_ring, by_z] = norm(ring, at.z.abs(), self.orders[0]);
        let slopes = Vector::new(by_ring * by_x, by_ring * by_y, by_z);
        let gradient = slopes.zip_map(&at, f64::copysign).component_div(&self.radii) * self.factor;
        Sample { value: (whole - 1.0) * self.factor, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let reach = self.radii * (1.0 + level / self.factor);
        Aabb::from_corners(&Point::from(-reach), &Point::from(reach))
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn is_convex(&self) -> bool {
        true
    }
}

/// What is below bilinear heights (along y) over a lattice in x and z, beyond which the heights are those of its border.
///
/// The value is the height over the ground times the number that makes its slope at most 1. On a line of the lattice the
/// gradient is that of the cell after it.
struct HeightField {
    counts: [usize; 2],
    spacing: f64,
    heights: Vec<f64>,
    factor: f64,
}

impl HeightField {
    /// Row by row, x varying fastest, the first height at the origin.
    fn new([columns, rows]: [usize; 2], spacing: f64, height: impl Fn(usize, usize) -> f64) -> Self {
        let heights = (0..columns * rows).map(|at| height(at % columns, at / columns)).collect();
        let mut field = Self { counts: [columns, rows], spacing, heights, factor: 1.0 };
        // A slope changes linearly along the other axis, so that the steepest is at a corner of a cell.
        let corner = |at: usize| [(at & 1) as f64, (at >> 1) as f64];
        let cells = (0..columns - 1).flat_map(|i| (0..rows - 1).map(move |j| [i, j]));
        let slopes = cells.flat_map(|cell| [0, 1, 2, 3].map(|at| field.in_cell(cell, corner(at))));
        let steepest = slopes.map(|[_, x, z]| x.hypot(z)).fold(0.0, f64::max);
        field.factor = 1.0 / steepest.hypot(1.0);
        field
    }

    /// Returns the height at a place in a cell, its sides of length 1, and the slopes along x and z.
    fn in_cell(&self, [i, j]: [usize; 2], [s, t]: [f64; 2]) -> [f64; 3] {
        let first = i + self.counts[0] * j;
        let (near, far) = (&self.heights[first..], &self.heights[first + self.counts[0]..]);
        let (rise_near, rise_far) = (near[1] - near[0], far[1] - far[0]);
        let (start, end) = (near[0] + s * rise_near, far[0] + s * rise_far);
        let slopes = [rise_near + t * (rise_far - rise_near), end - start].map(|rise| rise / self.spacing);
        [start + t * (end - start), slopes[0], slopes[1]]
    }

    fn ground(&self, x: f64, z: f64) -> [f64; 3] {
        let steps = [x / self.spacing, z / self.spacing];
        let lasts = self.counts.map(|count| (count - 1) as f64);
        let clamped = [0, 1].map(|axis| steps[axis].clamp(0.0, lasts[axis]));
        let cell = [0, 1].map(|axis| (clamped[axis] as usize).min(self.counts[axis] - 2));
        let place = [0, 1].map(|axis| clamped[axis] - cell[axis] as f64);
        let [height, slope_x, slope_z] = self.in_cell(cell, place);
        let slope = |axis: usize, slope: f64| if steps[axis] == clamped[axis] { slope } else { 0.0 };
        [height, slope(0, slope_x), slope(1, slope_z)]
    }
}

impl ImplicitFunction for HeightField {
    fn sample(&self, point: &Point) -> Sample {
        let [height, slope_x, slope_z] = self.ground(point.x, point.z);
        let gradient = Vector::new(-slope_x, 1.0, -slope_z) * self.factor;
        Sample { value: (point.y - height) * self.factor, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let top = self.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) + level / self.factor;
        Aabb { max: Point::new(f64::INFINITY, top, f64::INFINITY), ..Aabb::ALL }
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    /// The ground less a linear function is bilinear between the lines of the lattice, so that it is greatest at a
    /// crossing of these or on the border of the cell's rectangle.
    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let Aabb { min: low, max: high } = Aabb::from_points(cell.corners);
        let height = |x: f64, z: f64| self.ground(x, z)[0];
        let [a, b] = [height(low.x, low.z), height(high.x, low.z)];
        let [c, d] = [height(low.x, high.z), height(high.x, high.z)];
        let slope = |rise: f64, run: f64| if run > 0.0 { 0.5 * rise / run } else { 0.0 };
        let (slope_x, slope_z) = (slope(b - a + d - c, high.x - low.x), slope(c - a + d - b, high.z - low.z));
        let plane = |x: f64, z: f64| slope_x * (x - low.x) + slope_z * (z - low.z);
        let lines = |low: f64, high: f64, count: usize| {
            let inner = (0..count).map(|line| line as f64 * self.spacing);
            once(low).chain(inner.filter(move |&at| low < at && at < high)).chain(once(high))
        };
        let crossings = lines(low.x, high.x, self.counts[0])
            .flat_map(|x| lines(low.z, high.z, self.counts[1]).map(move |z| (x, z)));
        let most = crossings.map(|(x, z)| height(x, z) - plane(x, z)).fold(f64::NEG_INFINITY, f64::max);
        cell.at_corners(|at| (at.y - plane(at.x, at.z) - most) * self.factor)
    }
}

/// A function with nothing but its Lipschitz constant.
struct OnlyRate(Arc<dyn ImplicitFunction>);

impl ImplicitFunction for OnlyRate {
    fn sample(&self, point: &Point) -> Sample {
        self.0.sample(point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.0.sublevel_bounds(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.0.lipschitz()
    }
}

struct Random(u64);

impl Random {
    /// A number between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.vector(), 3.0 * self.vector())
    }
}

/// A body, and what it is made of.
struct Case {
    name: &'static str,
    body: ImplicitBody,
    function: Arc<dyn ImplicitFunction>,
    pose: Pose,
    scale: f64,
}

impl Case {
    fn new(name: &'static str, function: Arc<dyn ImplicitFunction>, pose: Pose, scale: f64) -> Self {
        let body = ImplicitBody::new(pose, function.clone()).unwrap().with_scale(scale).unwrap();
        Self { name, body, function, pose, scale }
    }

    /// Returns the value at a point of the world, not asking the body.
    fn value(&self, point: &Point) -> f64 {
        let local = self.pose.inverse_transform_point(point) / self.scale;
        self.scale * self.function.sample(&local).value
    }

    /// Returns a point in the body's box (up to a spread of a half) or close to it.
    fn place(&self, random: &mut Random, spread: f64) -> Point {
        let local = self.function.sublevel_bounds(0.0);
        let place = local.center() + random.vector().component_mul(&local.size()) * spread;
        self.pose * (place * self.scale)
    }
}

fn superquadric(radii: [f64; 3], exponents: [f64; 2]) -> Superquadric {
    Superquadric::new(Vector::from(radii), exponents)
}

/// Hills over a floor and between four walls.
fn hills() -> Arc<dyn ImplicitFunction> {
    let field = HeightField::new([9, 7], 0.0125, |i, j| {
        let (x, z) = (i as f64, j as f64);
        0.02 + 0.006 * (1.3 * x + 0.4 * z).sin() + 0.004 * (1.1 * z - 0.3 * x).cos()
    });
    let half = Vector::new(0.05, 0.02, 0.0375);
    let walls = OrientedBox::new(Pose::from(half), half).unwrap();
    Arc::new(Intersection::new(vec![Arc::new(field), Arc::new(walls)]).unwrap())
}

fn cases() -> Vec<Case> {
    let mut random = Random(11);
    let functions: [(&str, Arc<dyn ImplicitFunction>, f64); 5] = [
        ("rounded box", Arc::new(superquadric([0.05, 0.03, 0.04], [0.5, 0.5])), 1.0),
        ("pillow", Arc::new(superquadric([0.03, 0.05, 0.02], [1.0, 0.4])), 1.5),
        ("bicone", Arc::new(superquadric([0.04, 0.04, 0.05], [1.9, 1.2])), 1.0),
        ("hills", hills(), 1.0),
        ("small hills", hills(), 0.75),
    ];
    functions.into_iter().map(|(name, of, scale)| Case::new(name, of, random.pose(), scale)).collect()
}

/// Runs a pair in both orders; the time is that of the fastest of three runs.
fn run(registry: &Registry, a: &dyn Geometry, b: &dyn Geometry) -> (CollisionData, Status, Duration) {
    let context = Context::new();
    let (mut out, mut mirrored) = (CollisionData::new(), CollisionData::new());
    let mut bound = registry.bind(b, a, Choice::default()).unwrap();
    let status = bound.run(b, a, &context, &mut mirrored).unwrap();
    mirrored.mirror();
    let mut bound = registry.bind(a, b, Choice::default()).unwrap();
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        bound.run(a, b, &context, &mut out).unwrap();
        fastest = fastest.min(start.elapsed());
        assert!(out.same_bits(&mirrored));
    }
    assert!(!status.flags.contains(Flags::BUDGET_EXHAUSTED), "{status:?}");
    (out, status, fastest)
}

/// The pairs of one row of the report.
#[derive(Default)]
struct Tally {
    touching: usize,
    limited: usize,
    widest: f64,
    times: Vec<Duration>,
}

impl Tally {
    fn add(&mut self, contacts: &CollisionData, status: &Status, time: Duration) {
        self.touching += usize::from(!contacts.is_empty());
        self.limited += usize::from(status.flags.contains(Flags::ITERATION_LIMIT));
        let gap = contacts.deepest().map_or(0.0, |contact| contact.depth_upper - contact.depth);
        self.widest = self.widest.max(gap);
        self.times.push(time);
    }

    /// Describes the row; fails if the pairs do not test both what touches and what does not.
    fn row(mut self, body: &str, other: &str) -> String {
        self.times.sort_unstable();
        let pairs = self.times.len();
        assert!(
            self.touching > 5 && self.touching < pairs,
            "{body}, {other}: {} of {pairs} touch",
            self.touching
        );
        let [median, longest] = [pairs / 2, pairs - 1].map(|rank| self.times[rank]);
        let (mean, Self { touching, limited, widest, .. }) =
            (self.times.iter().sum::<Duration>() / pairs as u32, self);
        format!(
            "{body:14} {other:8} {touching:2} of {pairs} touch, {limited} at a limit, bounds within {widest:.1e} m; \
             mean {mean:.1?}, median {median:.1?}, longest {longest:.1?}"
        )
    }
}

/// Points of which every point between the corners is within a distance.
struct Samples {
    points: Vec<Point>,
    within: f64,
}

fn between(start: &Point, end: &Point, count: u32) -> Samples {
    let points = (0..=count).map(|i| start + (end - start) * (f64::from(i) / f64::from(count))).collect();
    Samples { points, within: 0.5 * (end - start).norm() / f64::from(count) }
}

fn over_triangle([a, b, c]: &[Point; 3], count: u32) -> Samples {
    let rows = (0..=count).flat_map(|i| (0..=count - i).map(move |j| [i, j].map(f64::from)));
    let n = f64::from(count);
    let points = rows.map(|[i, j]| a + (b - a) * (i / n) + (c - a) * (j / n)).collect();
    let longest = (b - a).norm().max((c - a).norm()).max((c - b).norm());
    Samples { points, within: longest / n }
}

fn over_box(pose: &Pose, center: &Point, half: &Vector, count: u32) -> Samples {
    let all = (0..=count).flat_map(|i| (0..=count).flat_map(move |j| (0..=count).map(move |k| [i, j, k])));
    let at = |i: u32| 2.0 * f64::from(i) / f64::from(count) - 1.0;
    let points = all.map(|ijk| pose * (center + half.component_mul(&Vector::from(ijk.map(at))))).collect();
    Samples { points, within: half.norm() / f64::from(count) }
}

/// Returns the greatest number at the points.
fn greatest(samples: &Samples, number: impl Fn(&Point) -> f64) -> f64 {
    samples.points.iter().map(number).fold(f64::NEG_INFINITY, f64::max)
}

/// Fails unless the deepest contact is as deep as the deepest sample, and no deeper than what can be between samples.
fn check(what: &str, found: Option<&Contact>, sampled: f64, within: f64, tolerance: f64) {
    match found {
        Some(Contact { depth, depth_upper, .. }) => {
            assert!(*depth >= sampled - tolerance, "{what}: {depth}, but a sample has {sampled}");
            assert!(*depth <= sampled + within + 1e-12, "{what}: {depth}, of {sampled} and {within}");
            assert!(depth_upper >= depth && *depth_upper >= sampled - 1e-12, "{what}: at most {depth_upper}");
        }
        None => assert!(sampled <= tolerance, "{what}: no contact, but a sample has {sampled}"),
    }
}

/// How far a depth may be from the true one.
fn tolerance(status: &Status, size: f64) -> f64 {
    size * if status.flags.contains(Flags::ITERATION_LIMIT) { 1e-3 } else { 2e-9 }
}

#[test]
fn their_gradients_rates_and_bounds_hold() {
    let mut random = Random(3);
    for case in cases() {
        let (function, reach) = (&case.function, 0.08);
        let center = function.sublevel_bounds(0.0).center();
        for _ in 0..2000 {
            let [p, q] = [(); 2].map(|()| center + reach * random.vector());
            let (at_p, at_q) = (function.sample(&p), function.sample(&q));
            assert!((at_p.value - at_q.value).abs() <= (p - q).norm() * (1.0 + 1e-12));
            assert!(function.sublevel_bounds(at_p.value.max(0.0)).grown(1e-12).contains_point(&p));
            let size = reach * 10.0_f64.powf(2.0 * random.number() - 2.0);
            let corners = [(); 4].map(|()| p + size * random.vector());
            let bounds = function.bound_below(&Cell::new(&corners));
            for _ in 0..20 {
                let weights = [(); 4].map(|()| 1.0 + random.number());
                let sum: f64 = weights.iter().sum();
                let mean = |of: [f64; 4]| weights.iter().zip(of).map(|(w, x)| w * x).sum::<f64>() / sum;
                let point = Point::from([0, 1, 2].map(|axis| mean(corners.map(|corner| corner[axis]))));
                let (value, bound) = (function.sample(&point).value, mean([0, 1, 2, 3].map(|i| bounds[i])));
                assert!(value >= bound - 1e-12, "{}: {value} is below the bound {bound}", case.name);
            }
        }
    }
}

#[test]
fn a_sphere_is_as_deep_as_the_value_at_its_centre_says() {
    let registry = Registry::standard();
    let mut random = Random(5);
    for case in cases() {
        let mut tally = Tally::default();
        for step in 0..60 {
            let (center, radius) = (case.place(&mut random, 0.65), 0.006 + 0.004 * random.number());
            let sphere = Sphere::new(center, radius).unwrap();
            let (found, status, time) = run(&registry, &case.body, &sphere);
            let what = format!("{} {step}", case.name);
            check(&what, found.deepest(), radius - case.value(&center), 0.0, tolerance(&status, radius));
            tally.add(&found, &status, time);
        }
        println!("{}", tally.row(case.name, "sphere"));
    }
}

#[test]
fn a_capsule_is_as_deep_as_samples_of_its_axis_say() {
    let registry = Registry::standard();
    let mut random = Random(6);
    for case in cases() {
        let mut tally = Tally::default();
        for step in 0..60 {
            let (start, radius) = (case.place(&mut random, 0.65), 0.004 + 0.002 * random.number());
            let end = start + 0.05 * random.vector();
            let capsule = Capsule::from_ends(start, end, radius).unwrap();
            let (found, status, time) = run(&registry, &case.body, &capsule);
            let axis = between(&start, &end, 2000);
            let sampled = greatest(&axis, |point| radius - case.value(point));
            let what = format!("{} {step}", case.name);
            check(&what, found.deepest(), sampled, axis.within, tolerance(&status, 0.05));
            tally.add(&found, &status, time);
        }
        println!("{}", tally.row(case.name, "capsule"));
    }
}

/// Compares the depths in boxes with samples of the boxes.
fn boxes(case: &Case, count: u32) -> Tally {
    let registry = Registry::standard();
    let mut random = Random(7);
    let mut tally = Tally::default();
    for step in 0..count {
        let half = Vector::repeat(0.011) + 0.008 * random.vector();
        let pose = Pose::from_parts(case.place(&mut random, 0.8).into(), random.pose().rotation);
        let solid = OrientedBox::new(pose, half).unwrap();
        let (found, status, time) = run(&registry, &case.body, &solid);
        let inside = over_box(&pose, &Point::origin(), &half, 24);
        let sampled = greatest(&inside, |point| -case.value(point));
        let what = format!("{} {step}", case.name);
        check(&what, found.deepest(), sampled, inside.within, tolerance(&status, half.norm()));
        for contact in &found.contacts {
            // Where it is not known whether they touch, the depth is the margin, here 0.
            let depth = -case.value(&contact.b.surface_point());
            let unknown = depth < 0.0 && contact.depth == 0.0 && contact.depth_upper >= 0.0;
            assert!(unknown || (depth - contact.depth).abs() < 1e-12, "{what}: {depth} for {contact:?}");
        }
        tally.add(&found, &status, time);
    }
    tally
}

#[test]
fn a_box_is_as_deep_as_samples_of_its_inside_say() {
    for case in cases() {
        println!("{}", boxes(&case, 60).row(case.name, "box"));
    }
}

#[test]
fn with_a_rate_alone_depths_are_as_good() {
    let mut random = Random(9);
    let functions: [(&str, Arc<dyn ImplicitFunction>); 2] = [
        ("box, no more", Arc::new(OnlyRate(Arc::new(superquadric([0.05, 0.03, 0.04], [0.5, 0.5]))))),
        ("hills, no more", Arc::new(OnlyRate(hills()))),
    ];
    for (name, function) in functions {
        let case = Case::new(name, function, random.pose(), 1.0);
        println!("{}", boxes(&case, 20).row(name, "box"));
    }
}

/// A ball of 32 triangles, convex.
fn ball(center: &Point, turn: &Pose, radius: f64) -> SurfaceMesh {
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    let mut index = |at: Vector| -> u32 {
        let place = turn.rotation * at.normalize() * radius + center.coords;
        let known = corners.iter().position(|known: &Point| known.coords == place);
        known.unwrap_or_else(|| {
            corners.push(place.into());
            corners.len() - 1
        }) as u32
    };
    for octant in 0..8_u32 {
        let sign = |axis: u32| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let [mut x, y, mut z] = [Vector::x() * sign(0), Vector::y() * sign(1), Vector::z() * sign(2)];
        if octant.count_ones() % 2 == 1 {
            (x, z) = (z, x);
        }
        let [xy, yz, zx] = [x + y, y + z, z + x];
        let faces = [[x, xy, zx], [y, yz, xy], [z, zx, yz], [xy, yz, zx]];
        triangles.extend(faces.map(|face| face.map(&mut index)));
    }
    let mut mesh = SurfaceMesh::new(corners, triangles).unwrap();
    mesh.prepare(Needs::all());
    mesh
}

/// Returns how deep a point is in a convex mesh.
fn depth_in(planes: &[(Point, Vector)], point: &Point) -> f64 {
    planes.iter().map(|(corner, normal)| (corner - point).dot(normal)).fold(f64::INFINITY, f64::min)
}

/// Checks the contacts of all vertices, edges and triangles.
fn check_elements(what: &str, case: &Case, mesh: &SurfaceMesh, found: &CollisionData, tolerance: f64) {
    let of = |kind: FeatureKind, wanted: &[u32]| {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        found.contacts.iter().find(|contact| {
            let mut ids = contact.b.vertex_ids().to_vec();
            ids.sort_unstable();
            let inside =
                matches!(ContactId::parts(contact.id), [IdPart::Inside(_), _] | [_, IdPart::Inside(_)]);
            contact.b.feature_kind() == kind && ids == wanted && !inside
        })
    };
    let depth = |point: &Point| -case.value(point);
    // An element has a contact where it is deeper than its border.
    let element = |kind, ids: &[u32], samples: &Samples, border: f64, slack: f64| {
        let sampled = greatest(samples, depth);
        match of(kind, ids) {
            Some(contact) => check(what, Some(contact), sampled, samples.within, tolerance),
            None => assert!(
                sampled <= tolerance || sampled <= border + slack + tolerance,
                "{what}: {kind:?} {ids:?} has {sampled}, its border {border}"
            ),
        }
    };
    for (triangle, index) in mesh.triangles().iter().zip(0..) {
        let corners = mesh.corners(index);
        for (&vertex, corner) in triangle.iter().zip(&corners) {
            check(what, of(FeatureKind::Vertex, &[vertex]), depth(corner), 0.0, 1e-12);
        }
        let mut border = f64::NEG_INFINITY;
        let mut slack = 0.0_f64;
        for [i, j] in [[0, 1], [1, 2], [2, 0]] {
            let edge = between(&corners[i], &corners[j], 100);
            let ends = depth(&corners[i]).max(depth(&corners[j]));
            element(FeatureKind::Edge, &[triangle[i], triangle[j]], &edge, ends, 0.0);
            border = border.max(greatest(&edge, depth));
            slack = slack.max(edge.within);
        }
        element(FeatureKind::Triangle, triangle, &over_triangle(&corners, 20), border, slack);
    }
}

#[test]
fn a_mesh_is_as_deep_as_samples_of_its_elements_and_of_the_body_say() {
    let registry = Registry::standard();
    let mut random = Random(8);
    for case in cases() {
        let mut tally = Tally::default();
        let mut inner = 0;
        let local = case.function.sublevel_bounds(0.0);
        for step in 0..40 {
            let center = case.place(&mut random, 0.8);
            let mesh = ball(&center, &random.pose(), 0.016 + 0.008 * random.number());
            let (found, status, time) = run(&registry, &case.body, &mesh);
            let what = format!("{} {step}", case.name);
            let limit = tolerance(&status, 0.03);
            check_elements(&what, &case, &mesh, &found, limit);

            let planes: Vec<(Point, Vector)> = (0..mesh.triangles().len() as u32)
                .map(|triangle| mesh.corners(triangle))
                .map(|[a, b, c]| (a, (b - a).cross(&(c - a)).normalize()))
                .collect();
            assert!(depth_in(&planes, &center) > 0.0, "the planes face outward");
            let (middle, half) = (local.center() * case.scale, local.size() * (0.5 * case.scale));
            let body = over_box(&case.pose, &middle, &half, 32);
            let sampled = greatest(&body, |point| match case.value(point) <= 0.0 {
                true => depth_in(&planes, point),
                false => f64::NEG_INFINITY,
            });
            let deepest = found.deepest().map_or(0.0, |contact| contact.depth);
            assert!(deepest >= sampled - limit, "{what}: {deepest}, but the body is {sampled} deep");
            // A ball in the body may be deeper by its radius than the body's deepest point.
            let ball = greatest(&body, |point| match case.value(point) {
                value if value <= body.within => depth_in(&planes, point) - value.min(0.0),
                _ => f64::NEG_INFINITY,
            });
            for contact in &found.contacts {
                if let [IdPart::Inside(_), _] | [_, IdPart::Inside(_)] = ContactId::parts(contact.id) {
                    assert!(contact.depth <= ball + 2.0 * body.within, "{what}: {contact:?}, at most {ball}");
                    inner += 1;
                }
            }
            tally.add(&found, &status, time);
        }
        println!("{}, {inner} inside", tally.row(case.name, "mesh"));
    }
}
