//! Values of implicit functions from their own formulas, and their least values: of convex functions by golden sections within
//! golden sections, of rings along their circle, of unions part by part, of all else along a segment by dense sampling.

use super::convex::distance_from_cone;
use super::distance::{on_segment, on_triangle};
use super::hull::HullOfPoints;
use super::solid;
use crate::{Case, Function, Shape};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Golden sections of an interval: 0.618⁵⁰ is 4e-11.
const SECTIONS: usize = 50;

/// Samples along a segment or a circle, and how many of their lowest neighbourhoods are searched on.
const SAMPLES: usize = 240;
const STARTS: usize = 6;

/// A function where it stands.
pub(super) struct Placed<'a> {
    pub(super) pose: Pose,
    pub(super) scale: f64,
    pub(super) function: &'a Function,
    pub(super) case: &'a Case,
}

/// What a function is searched over; world frame.
pub(super) enum Region<'a> {
    Segment([Point; 2]),
    Triangle([Point; 3]),
    Solid(&'a Shape),
}

impl<'a> Placed<'a> {
    pub(super) fn of(shape: &'a Shape, case: &'a Case) -> Self {
        let Shape::Implicit { pose, scale, function } = shape else {
            unreachable!("{} is not implicit", shape.kind())
        };
        Self { pose: *pose, scale: *scale, function, case }
    }

    fn part(&self, function: &'a Function) -> Self {
        Self { pose: self.pose, scale: self.scale, function, case: self.case }
    }

    /// The value at a place and its gradient.
    pub(super) fn value(&self, point: &Point) -> (f64, Vector) {
        let local = self.pose.inverse_transform_point(point) / self.scale;
        let (value, gradient) = value(self.function, &local, self.case);
        (value * self.scale, self.pose.rotation * gradient)
    }

    /// The least value over a region; `None` where this oracle knows no way.
    pub(super) fn least(&self, region: &Region<'_>) -> Option<f64> {
        match self.function {
            Function::Union(parts) => {
                let mut least = f64::INFINITY;
                for part in parts {
                    least = least.min(self.part(part).least(region)?);
                }
                Some(least)
            }
            Function::Torus { pose, major, minor } => {
                let to_circle = |turn: f64| {
                    let angle = turn * std::f64::consts::TAU;
                    let on_circle = pose * Point::new(major * angle.cos(), 0.0, major * angle.sin());
                    region.distance(&(self.pose * (on_circle * self.scale)), self.case)
                };
                Some(along_interval(&to_circle) - minor * self.scale)
            }
            function if function.is_convex() => Some(region.least_of_convex(&|point| self.value(point).0)),
            _ => match region {
                Region::Segment([start, end]) => {
                    Some(along_interval(&|t| self.value(&(start + (end - start) * t)).0))
                }
                _ => None,
            },
        }
    }

    /// How far the body reaches along a unit direction, from the world's origin.
    pub(super) fn farthest(&self, direction: &Vector) -> Option<f64> {
        let local = self.pose.rotation.inverse_transform_vector(direction);
        let here = self.pose.translation.vector.dot(direction);
        farthest(self.function, &local).map(|reach| here + reach * self.scale)
    }
}

/// Value and gradient in the function's frame.
fn value(function: &Function, point: &Point, case: &Case) -> (f64, Vector) {
    let all = |parts: &[Function]| parts.iter().map(|part| value(part, point, case)).collect::<Vec<_>>();
    let lower = |x: (f64, Vector), y: (f64, Vector)| if y.0 < x.0 { y } else { x };
    let higher = |x: (f64, Vector), y: (f64, Vector)| if y.0 > x.0 { y } else { x };
    match function {
        Function::Primitive(shape) => solid::signed_distance(shape, point, case),
        Function::Torus { pose, major, minor } => {
            let local = pose.inverse_transform_point(point);
            let ring = Vector::new(local.x, 0.0, local.z).normalize() * *major;
            let offset = local.coords - ring;
            (offset.norm() - minor, pose.rotation * offset.normalize())
        }
        Function::Grid { origin, spacing, size, values } => grid_value(point, origin, spacing, size, values),
        Function::Union(parts) => all(parts).into_iter().reduce(lower).expect("some parts"),
        Function::Intersection(parts) => all(parts).into_iter().reduce(higher).expect("some parts"),
        Function::Difference(parts) => {
            let mut values = all(parts);
            values[1..].iter_mut().for_each(|(value, gradient)| (*value, *gradient) = (-*value, -*gradient));
            values.into_iter().reduce(higher).expect("some parts")
        }
        Function::SmoothUnion { of, radius } => all(of)
            .into_iter()
            .reduce(|(a, slope_a), (b, slope_b)| {
                // Quilez' other form of the quadratic smooth minimum.
                let h = (0.5 + 0.5 * (b - a) / radius).clamp(0.0, 1.0);
                let value = b + (a - b) * h - radius * h * (1.0 - h);
                (value, slope_b + (slope_a - slope_b) * h)
            })
            .expect("some parts"),
        Function::Offset { of, distance } => {
            let (inner, gradient) = value(of, point, case);
            (inner - distance, gradient)
        }
    }
}

/// The mean of eight samples by volumes, cut off by the lattice's box; outside, the root of two squares. The gradient by
/// differences.
fn grid_value(
    point: &Point,
    origin: &Point,
    spacing: &Vector,
    size: &[usize; 3],
    values: &[f64],
) -> (f64, Vector) {
    let high = Vector::from_fn(|axis, _| (size[axis] - 1) as f64 * spacing[axis]);
    let at = |point: &Point| -> f64 {
        let offset = point - origin;
        let inside = Vector::from_fn(|axis, _| offset[axis].clamp(0.0, high[axis]));
        let mut sum = 0.0;
        let cell = [0, 1, 2].map(|axis| ((inside[axis] / spacing[axis]) as usize).min(size[axis] - 2));
        for corner in 0..8 {
            let node = [0, 1, 2].map(|axis| cell[axis] + (corner >> axis & 1));
            let weights =
                [0, 1, 2].map(|axis| 1.0 - (inside[axis] / spacing[axis] - node[axis] as f64).abs());
            sum +=
                weights.iter().product::<f64>() * values[node[0] + size[0] * (node[1] + size[1] * node[2])];
        }
        let away = (offset - inside).norm();
        if away > 0.0 {
            return away.hypot(sum.max(0.0));
        }
        let side =
            (0..3).map(|axis| inside[axis].min(high[axis] - inside[axis])).fold(f64::INFINITY, f64::min);
        sum.max(-side)
    };
    let step = 1e-6 * spacing.min();
    let slope = |axis: usize| {
        let by = Vector::ith(axis, step);
        (at(&(point + by)) - at(&(point - by))) / (2.0 * step)
    };
    (at(point), Vector::new(slope(0), slope(1), slope(2)))
}

/// How far a body reaches along a direction from its frame's origin, where there is a formula or a search for it.
fn farthest(function: &Function, direction: &Vector) -> Option<f64> {
    match function {
        Function::Primitive(shape) => Some(match shape.as_ref() {
            Shape::Sphere { center, radius } => center.coords.dot(direction) + radius,
            Shape::OrientedBox { pose, half_extents } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction) + local.abs().dot(half_extents)
            }
            Shape::Capsule { pose, radius, length } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction) + 0.5 * length * local.y.abs() + radius
            }
            Shape::Cylinder { pose, radius, length } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction)
                    + 0.5 * length * local.y.abs()
                    + radius * local.x.hypot(local.z)
            }
            other => unreachable!("{} is no analytic function", other.kind()),
        }),
        Function::Torus { pose, major, minor } => {
            let local = pose.rotation.inverse_transform_vector(direction);
            Some(pose.translation.vector.dot(direction) + major * local.x.hypot(local.z) + minor)
        }
        Function::Union(parts) => {
            let mut most = f64::NEG_INFINITY;
            for part in parts {
                most = most.max(farthest(part, direction)?);
            }
            Some(most)
        }
        Function::Offset { of, distance } => farthest(of, direction).map(|reach| reach + distance),
        _ => None,
    }
}

impl Region<'_> {
    /// How far a point is from the region: zero inside.
    pub(super) fn distance(&self, point: &Point, case: &Case) -> f64 {
        match self {
            Self::Segment([start, end]) => (on_segment(point, start, end).1 - point).norm(),
            Self::Triangle(corners) => on_triangle(point, corners).distance,
            Self::Solid(Shape::Convex { pose, corners, .. }) => {
                let hull = HullOfPoints::new(corners.iter().map(|corner| pose * corner).collect());
                hull.signed_distance(point).0.max(0.0)
            }
            Self::Solid(Shape::Ellipsoid { pose, radii }) => {
                let place = |v: &Vector| (pose * Point::from(*v) - point).norm();
                nested(&Section::Ellipse(*radii), &place)
            }
            Self::Solid(shape @ Shape::Cone { .. }) => distance_from_cone(shape, point).0.max(0.0),
            Self::Solid(shape) => solid::signed_distance(shape, point, case).0.max(0.0),
        }
    }

    /// The least value of a convex function.
    fn least_of_convex(&self, value: &dyn Fn(&Point) -> f64) -> f64 {
        match self {
            Self::Segment([start, end]) => golden(0.0, 1.0, &|t| value(&(start + (end - start) * t))),
            Self::Triangle([a, b, c]) => golden(0.0, 1.0, &|s| {
                let (from, to) = (a + (b - a) * s, a + (c - a) * s);
                golden(0.0, 1.0, &|t| value(&(from + (to - from) * t)))
            }),
            Self::Solid(Shape::Convex { pose, corners, .. }) => {
                let corners: Vec<Point> = corners.iter().map(|corner| pose * corner).collect();
                over_hull(&corners, value)
            }
            Self::Solid(shape) => {
                let (pose, section) = section(shape);
                nested(&section, &|local| value(&(pose * Point::from(*local))))
            }
        }
    }
}

/// A convex function's least value over a hull: in the whole box when that place is inside, and otherwise on a face; of
/// corners in a plane or on a line over all triangles.
fn over_hull(corners: &[Point], value: &dyn Fn(&Point) -> f64) -> f64 {
    let hull = HullOfPoints::new(corners.to_vec());
    let mut least = corners.iter().map(value).fold(f64::INFINITY, f64::min);
    let middle =
        corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords) / corners.len() as f64;
    for (_, face) in hull.planes() {
        least = least.min(Region::Triangle(*face).least_of_convex(value));
    }
    if hull.planes().is_empty() {
        for start in corners {
            for end in corners {
                least = least.min(Region::Segment([*start, *end]).least_of_convex(value));
            }
        }
    }
    // From the middle out to every face, where it is deeper inside: the pyramids over the faces, by shrinking these.
    for (_, face) in hull.planes() {
        let shrunk = |s: f64| face.map(|corner| Point::from(middle + (corner.coords - middle) * s));
        least = least.min(golden(0.0, 1.0, &|s| Region::Triangle(shrunk(s)).least_of_convex(value)));
    }
    least
}

/// What a solid looks like across its local y.
enum Section {
    /// Half extents.
    Box(Vector),
    /// Half the length, and the radius at a height.
    Round(f64, Box<dyn Fn(f64) -> f64>),
    /// Radii.
    Ellipse(Vector),
}

fn section(shape: &Shape) -> (Pose, Section) {
    match shape {
        Shape::OrientedBox { pose, half_extents } => (*pose, Section::Box(*half_extents)),
        Shape::Ellipsoid { pose, radii } => (*pose, Section::Ellipse(*radii)),
        Shape::Cylinder { pose, radius, length } => {
            let radius = *radius;
            (*pose, Section::Round(0.5 * length, Box::new(move |_| radius)))
        }
        Shape::Cone { pose, radius, length } => {
            let (radius, length) = (*radius, *length);
            (*pose, Section::Round(0.5 * length, Box::new(move |y| radius * (0.5 - y / length).max(0.0))))
        }
        Shape::Sphere { center, radius } => {
            (Pose::from(center.coords), Section::Ellipse(Vector::repeat(*radius)))
        }
        Shape::Capsule { pose, radius, length } => {
            let (radius, half) = (*radius, 0.5 * length);
            let at = move |y: f64| {
                let beyond = (y.abs() - half).max(0.0);
                (radius * radius - beyond * beyond).max(0.0).sqrt()
            };
            (*pose, Section::Round(half + radius, Box::new(at)))
        }
        other => unreachable!("{} is no convex solid", other.kind()),
    }
}

/// The least of a convex function over a solid, local frame: along y, in it along z, in it along x.
fn nested(section: &Section, value: &dyn Fn(&Vector) -> f64) -> f64 {
    let half = match section {
        Section::Box(half) | Section::Ellipse(half) => half.y,
        Section::Round(half, _) => *half,
    };
    let across = |y: f64| -> [f64; 2] {
        match section {
            Section::Box(half) => [half.x, half.z],
            Section::Round(_, radius) => [radius(y); 2],
            Section::Ellipse(radii) => {
                let share = (1.0 - (y / radii.y) * (y / radii.y)).max(0.0).sqrt();
                [radii.x * share, radii.z * share]
            }
        }
    };
    golden(-half, half, &|y| {
        let [half_x, half_z] = across(y);
        golden(-half_z, half_z, &|z| {
            let wide = match section {
                Section::Box(_) => half_x,
                _ if half_z > 0.0 => half_x * (1.0 - (z / half_z) * (z / half_z)).max(0.0).sqrt(),
                _ => 0.0,
            };
            golden(-wide, wide, &|x| value(&Vector::new(x, y, z)))
        })
    })
}

/// The least value of a convex function over an interval, its ends included (Kiefer 1953).
fn golden(low: f64, high: f64, value: &dyn Fn(f64) -> f64) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (low, high);
    let mut least = value(low).min(value(high));
    let (mut left, mut right) = (high - SHARE * (high - low), low + SHARE * (high - low));
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..SECTIONS {
        least = least.min(at_left).min(at_right);
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - SHARE * (high - low);
            at_left = value(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + SHARE * (high - low);
            at_right = value(right);
        }
    }
    least
}

/// The least value of any function over 0 to 1: golden sections about the lowest of many samples.
fn along_interval(value: &dyn Fn(f64) -> f64) -> f64 {
    let step = 1.0 / SAMPLES as f64;
    let mut samples: Vec<(f64, f64)> =
        (0..=SAMPLES).map(|k| k as f64 * step).map(|t| (value(t), t)).collect();
    samples.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut starts: Vec<f64> = Vec::new();
    for (_, t) in samples {
        if starts.len() < STARTS && starts.iter().all(|start| (start - t).abs() > 1.5 * step) {
            starts.push(t);
        }
    }
    let about = |t: f64| golden((t - step).max(0.0), (t + step).min(1.0), value);
    starts.into_iter().map(about).fold(f64::INFINITY, f64::min)
}
