//! Convex bodies by the widths of their difference. With `h` the support function of A - B, the depth is the least `h` of
//! all unit directions, and the distance is the negative of it: the least is searched over the whole sphere and polished, and
//! of polyhedra every normal of a face and of two edges is tried.

use super::axis_ends;
use super::distance::on_segment;
use super::expected::{Element, Expected};
use super::solid::{core, two_sided};
use crate::{Case, Shape};
use nalgebra::UnitQuaternion;
use palpate_math::{Point, Vector};

/// Directions over the sphere from which the search starts.
const SAMPLES: usize = 1000;

/// The best of them that are polished.
const STARTS: usize = 6;

/// Directions around one that is polished.
const RING: usize = 10;

/// Places on the difference that are combined to a normal.
const PLACES: usize = 5;

/// How far from a cap's normal the search is begun again, in radians.
const BESIDE_A_CAP: f64 = 0.15;

/// Where the first polish of every start ends, in radians.
const COARSE: f64 = 1e-3;

/// Where the polish ends, in radians.
const FINEST: f64 = 1e-10;

/// A convex body without its radius.
pub(super) enum Body {
    /// The hull of points.
    Corners(Vec<Vector>),
    /// The hull of a disc about the first end of an axis and a disc, or for a cone the point, at the other.
    Turned { ends: [Vector; 2], radii: [f64; 2] },
    /// An ellipsoid.
    Ellipsoid { center: Vector, rotation: UnitQuaternion<f64>, radii: Vector },
}

impl Body {
    pub(super) fn new(shape: &Shape, origin: &Vector) -> Self {
        let place = |point: &Point| point.coords - origin;
        match shape {
            Shape::Sphere { .. } | Shape::Capsule { .. } => {
                Self::Corners(core(shape).iter().map(place).collect())
            }
            Shape::OrientedBox { pose, half_extents } => {
                let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let signs = (0..8).map(|k| Vector::new(sign(k, 0), sign(k, 1), sign(k, 2)));
                Self::Corners(
                    signs
                        .map(|signs| place(&(pose * Point::from(signs.component_mul(half_extents)))))
                        .collect(),
                )
            }
            Shape::Convex { pose, corners, .. } => {
                Self::Corners(corners.iter().map(|corner| place(&(pose * corner))).collect())
            }
            Shape::Ellipsoid { pose, radii } => {
                let center = pose.translation.vector - origin;
                Self::Ellipsoid { center, rotation: pose.rotation, radii: *radii }
            }
            Shape::Cylinder { radius, .. } | Shape::Cone { radius, .. } => {
                let ends = axis_ends(shape).expect("it has an axis");
                let far = if matches!(shape, Shape::Cone { .. }) { 0.0 } else { *radius };
                Self::Turned { ends: ends.map(|end| place(&end)), radii: [*radius, far] }
            }
            other => unreachable!("{} is not convex", other.kind()),
        }
    }

    /// The farthest point along a unit direction.
    pub(super) fn farthest(&self, direction: &Vector) -> Vector {
        match self {
            Self::Corners(corners) => farthest_of(corners.iter().copied(), direction),
            Self::Turned { ends, radii } => {
                let axis = (ends[1] - ends[0]).normalize();
                // Twice: near the axis the first time leaves rounding, which may lie along it.
                let across =
                    |v: &Vector| (v - axis * axis.dot(v)).try_normalize(0.0).unwrap_or_else(Vector::zeros);
                let aside = across(&across(direction));
                farthest_of((0..2).map(|end| ends[end] + aside * radii[end]), direction)
            }
            Self::Ellipsoid { center, rotation, radii } => {
                let scaled = rotation.inverse_transform_vector(direction).component_mul(radii);
                center + rotation * scaled.component_mul(radii) / scaled.norm()
            }
        }
    }

    /// The unit axis of a body of revolution with caps.
    fn axis(&self) -> Option<Vector> {
        match self {
            Self::Turned { ends, .. } => Some((ends[1] - ends[0]).normalize()),
            _ => None,
        }
    }

    fn corners(&self) -> Option<&[Vector]> {
        match self {
            Self::Corners(corners) => Some(corners),
            _ => None,
        }
    }
}

fn farthest_of(points: impl Iterator<Item = Vector>, direction: &Vector) -> Vector {
    let higher = |x: Vector, y: Vector| if y.dot(direction) > x.dot(direction) { y } else { x };
    points.reduce(higher).expect("a body has points")
}

/// The difference of two bodies, and the least of its widths so far.
struct Difference<'a> {
    a: &'a Body,
    b: &'a Body,
    least: f64,
    at: Vector,
}

impl Difference<'_> {
    fn place(&self, direction: &Vector) -> Vector {
        self.a.farthest(direction) - self.b.farthest(&-direction)
    }

    fn width(&self, direction: &Vector) -> f64 {
        self.place(direction).dot(direction)
    }

    /// Keeps the direction or its opposite, whatever its length, when its width is less. Whether it is.
    fn offer(&mut self, direction: Vector) -> bool {
        let length = direction.norm();
        if length <= 0.0 {
            return false;
        }
        let mut better = false;
        for unit in [direction / length, -direction / length] {
            let width = self.width(&unit);
            if width < self.least {
                (self.least, self.at, better) = (width, unit, true);
            }
        }
        better
    }

    /// The least width so far and its direction, when it is less than another's; otherwise the other.
    fn lower_than(&self, other: (f64, Vector)) -> (f64, Vector) {
        if self.least < other.0 { (self.least, self.at) } else { other }
    }

    /// From a direction downhill: around it, along the creases between two places of the surface, and to the normals of
    /// what is there.
    fn polish(&mut self, start: Vector, [from, to]: [f64; 2]) {
        (self.at, self.least) = (start, self.width(&start));
        let (mut reach, mut turn) = (from, 0.0);
        while reach > to {
            let before = self.least;
            let aside = self.at.cross(&Vector::ith(self.at.iamin(), 1.0)).normalize();
            let across = self.at.cross(&aside);
            turn += 0.7;
            let ring: Vec<Vector> = (0..RING)
                .map(|k| {
                    let angle = turn + k as f64 * std::f64::consts::TAU / RING as f64;
                    self.at + (aside * angle.cos() + across * angle.sin()) * reach
                })
                .chain([self.at])
                .collect();
            let places = self.places(&ring);
            for direction in &ring {
                self.offer(*direction);
            }
            self.offer_normals(&places, &ring);
            // A step that gains much is tried again at the same reach.
            let height = self.place(&self.at).norm();
            if before - self.least <= 1e-3 * reach * height {
                reach *= 0.6;
            }
        }
    }

    /// Places of the surface along the directions, as far from each other as can be: of both sides of a crease.
    fn places(&self, ring: &[Vector]) -> Vec<Vector> {
        let all: Vec<Vector> = ring.iter().map(|direction| self.place(&direction.normalize())).collect();
        let mut places = vec![self.place(&self.at)];
        while places.len() < PLACES {
            let away =
                |place: &Vector| places.iter().map(|p| (p - place).norm()).fold(f64::INFINITY, f64::min);
            let farther = |x: Vector, y: Vector| if away(&y) > away(&x) { y } else { x };
            let next = all.iter().copied().reduce(farther).expect("a ring has directions");
            if away(&next) == 0.0 {
                break;
            }
            places.push(next);
        }
        places
    }

    fn offer_normals(&mut self, places: &[Vector], ring: &[Vector]) {
        for (i, p) in places.iter().enumerate() {
            self.offer(*p);
            for (j, q) in places.iter().enumerate().take(i) {
                let along = q - p;
                let square = along.norm_squared();
                self.offer(p - along * (p.dot(&along) / square));
                for direction in ring {
                    self.offer(direction - along * (direction.dot(&along) / square));
                }
                for r in &places[..j] {
                    self.offer(along.cross(&(r - p)));
                }
            }
        }
    }

    /// Every normal of three corners of one, and of a line through two of each.
    fn offer_all_normals(&mut self) {
        let (Some(a), Some(b)) = (self.a.corners(), self.b.corners()) else { return };
        for corners in [a, b] {
            for (i, p) in corners.iter().enumerate() {
                for (j, q) in corners.iter().enumerate().take(i) {
                    for r in &corners[..j] {
                        self.offer((q - p).cross(&(r - p)));
                    }
                }
            }
        }
        let lines = |corners: &[Vector]| -> Vec<Vector> {
            (0..corners.len())
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| corners[i] - corners[j])
                .collect()
        };
        let (lines_a, lines_b) = (lines(a), lines(b));
        for along in &lines_a {
            for other in &lines_b {
                self.offer(along.cross(other));
            }
        }
    }
}

/// The least width of A - B without radii: positive where they overlap, the negative distance where they are apart.
fn least_width(a: &Body, b: &Body) -> f64 {
    least_width_at(a, b).0
}

/// The same, and the unit direction along which A reaches past B by no more.
pub(super) fn least_width_at(a: &Body, b: &Body) -> (f64, Vector) {
    let mut difference = Difference { a, b, least: f64::INFINITY, at: Vector::x() };
    difference.offer_all_normals();
    let mut least = (difference.least, difference.at);
    let mut samples: Vec<(f64, Vector)> = (0..SAMPLES)
        .map(|k| {
            // Fibonacci's spiral.
            let height = 1.0 - (2 * k + 1) as f64 / SAMPLES as f64;
            let angle = k as f64 * 2.399_963_229_728_653;
            let ring = (1.0 - height * height).sqrt();
            Vector::new(ring * angle.cos(), ring * angle.sin(), height)
        })
        .map(|direction| (difference.width(&direction), direction))
        .collect();
    samples.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut starts: Vec<Vector> = Vec::new();
    for (_, direction) in samples {
        if starts.len() < STARTS && starts.iter().all(|start| start.dot(&direction) < 0.98) {
            starts.push(direction);
        }
    }
    let mut found = Vec::new();
    for start in starts {
        difference.polish(start, [0.1, COARSE]);
        found.push((difference.least, difference.at));
    }
    // Those that are as low but for what is left to gain are polished to the end.
    let lowest = found.iter().fold(f64::INFINITY, |lowest, (width, _)| lowest.min(*width));
    for (width, at) in found {
        if width <= lowest + 10.0 * COARSE * difference.place(&at).norm() {
            difference.polish(at, [2.0 * COARSE, FINEST]);
            least = difference.lower_than(least);
        }
    }
    // The normal of a cap is a least of its own: from there nothing leads down to another that is close by.
    let caps = [a, b].into_iter().filter_map(Body::axis);
    if caps.into_iter().any(|axis| axis.dot(&least.1).abs() > 1.0 - FINEST) {
        let at = least.1;
        let aside = at.cross(&Vector::ith(at.iamin(), 1.0)).normalize();
        let across = at.cross(&aside);
        for k in 0..RING {
            let (sin, cos) = (k as f64 * std::f64::consts::TAU / RING as f64).sin_cos();
            let start = (at + (aside * cos + across * sin) * BESIDE_A_CAP).normalize();
            difference.polish(start, [0.1, FINEST]);
            least = difference.lower_than(least);
        }
    }
    least
}

/// How deep a bare segment is in a convex body (the negative distance when apart) without its radius, and the unit direction
/// that moves the segment out.
pub(super) fn segment_in_body(segment: &[Point; 2], body: &Shape) -> (f64, Vector) {
    let origin = body.center();
    let ends = segment.map(|end| end.coords - origin);
    let (depth, toward_body) = least_width_at(&Body::Corners(ends.to_vec()), &Body::new(body, &origin));
    (depth, -toward_body)
}

/// Two convex bodies.
pub(super) fn two_bodies(case: &Case) -> Vec<Expected> {
    let origin = case.a.center();
    let (a, b) = (Body::new(&case.a, &origin), Body::new(&case.b, &origin));
    let depth = least_width(&a, &b) + case.a.rounding_radius() + case.b.rounding_radius();
    let (a, b) = (Element::Point, Element::Point);
    vec![Expected { a, b, depth, direction: None, point_a: None, optional: false }]
}

/// A plane against a convex body: the way out is the shorter of the two, where there are two.
pub(super) fn plane_convex(case: &Case) -> Vec<Expected> {
    let Shape::Plane { position, normal, .. } = &case.a else { return Vec::new() };
    let body = Body::new(&case.b, &position.coords);
    let ways: &[f64] = if two_sided(&case.a, case) { &[1.0, -1.0] } else { &[1.0] };
    let depth_along = |sign: &f64| {
        let inward = -normal.normalize() * *sign;
        body.farthest(&inward).dot(&inward) + case.b.rounding_radius()
    };
    let depth = ways.iter().map(depth_along).fold(f64::INFINITY, f64::min);
    let direction = (ways.len() == 1).then(|| -normal.normalize());
    vec![Expected { a: Element::Point, b: Element::Point, depth, direction, point_a: None, optional: false }]
}

/// The signed distance of a point from an ellipsoid: the greatest height over all its supporting planes.
pub(super) fn distance_from_ellipsoid(shape: &Shape, point: &Point) -> f64 {
    -least_width(&Body::new(shape, &point.coords), &Body::Corners(vec![Vector::zeros()]))
}

/// The signed distance of a point from a cone, and its gradient: in the half-plane of the point, the nearest place of the
/// profile.
pub(super) fn distance_from_cone(shape: &Shape, point: &Point) -> (f64, Vector) {
    let Shape::Cone { pose, radius, length } = shape else { unreachable!("{} is no cone", shape.kind()) };
    let local = pose.inverse_transform_point(point);
    let aside = Vector::new(local.x, 0.0, local.z).normalize();
    let half = 0.5 * length;
    let flat = |across: f64, along: f64| Point::new(across, along, 0.0);
    let place = flat(local.x.hypot(local.z), local.y);
    let [middle, rim, apex] = [flat(0.0, -half), flat(*radius, -half), flat(0.0, half)];
    let nearest = [(middle, rim), (rim, apex)]
        .map(|(start, end)| on_segment(&place, &start, &end).1)
        .into_iter()
        .reduce(|x, y| if (y - place).norm() < (x - place).norm() { y } else { x })
        .expect("there are two sides");
    let inside = place.y >= -half && place.x * length <= radius * (half - place.y);
    let sign = if inside { -1.0 } else { 1.0 };
    let outward = (place - nearest) * sign;
    let distance = sign * outward.norm();
    let outward = outward.normalize();
    (distance, pose.rotation * (aside * outward.x + Vector::new(0.0, outward.y, 0.0)))
}

/// How far a place is from the surface of a body without its radius.
pub(super) fn off_surface(shape: &Shape, place: &Point) -> f64 {
    match shape {
        Shape::Ellipsoid { pose, radii } => {
            // To first order: the equation's excess over its slope.
            let local = pose.inverse_transform_point(place).coords.component_div(radii);
            ((local.norm() - 1.0) * local.norm() / local.component_div(radii).norm()).abs()
        }
        Shape::Cone { pose, radius, length } => {
            let local = pose.inverse_transform_point(place);
            let flat = Point::new(local.x.hypot(local.z), local.y, 0.0);
            let half = 0.5 * length;
            let [middle, rim, apex] =
                [[0.0, -half], [*radius, -half], [0.0, half]].map(|[x, y]| Point::new(x, y, 0.0));
            let off = |start: &Point, end: &Point| (on_segment(&flat, start, end).1 - flat).norm();
            off(&middle, &rim).min(off(&rim, &apex))
        }
        _ => least_width(&Body::new(shape, &place.coords), &Body::Corners(vec![Vector::zeros()])).abs(),
    }
}
