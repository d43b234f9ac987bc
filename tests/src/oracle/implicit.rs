//! Values of implicit functions from independent formulas, and their minima: of convex functions by a certified
//! search, of tori along their circle, of unions part by part, of all others along a segment by dense sampling.

use super::region::Region;
use super::solid;
use crate::{Case, Function, Shape};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Golden-section steps of an interval: 0.618⁵⁰ is 4e-11.
const SECTIONS: usize = 50;

/// Samples along a segment or a circle, and how many of their lowest neighbourhoods are refined.
const SAMPLES: usize = 240;
const STARTS: usize = 6;

/// A function at its pose.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) pose: Pose,
    pub(super) scale: f64,
    pub(super) function: &'a Function,
    pub(super) case: &'a Case,
}

impl<'a> Placed<'a> {
    pub(super) fn of(shape: &'a Shape, case: &'a Case) -> Self {
        let Shape::Implicit { pose, scale, function } = shape else {
            unreachable!("{} is not implicit", shape.kind())
        };
        Self { pose: *pose, scale: *scale, function, case }
    }

    pub(super) fn part(&self, function: &'a Function) -> Self {
        Self { pose: self.pose, scale: self.scale, function, case: self.case }
    }

    /// The value at a point and its gradient.
    pub(super) fn value(&self, point: &Point) -> (f64, Vector) {
        let local = self.pose.inverse_transform_point(point) / self.scale;
        let (value, gradient) = value(self.function, &local, self.case);
        (value * self.scale, self.pose.rotation * gradient)
    }

    /// The minimum over a region; `None` if this oracle has no method.
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
                let round = std::f64::consts::TAU * major * self.scale;
                let to_circle = |turn: f64| {
                    let angle = turn * std::f64::consts::TAU;
                    let on_circle = pose * Point::new(major * angle.cos(), 0.0, major * angle.sin());
                    // If one search fails, the whole is unknown.
                    region.distance(&(self.pose * (on_circle * self.scale)), self.case).unwrap_or(f64::NAN)
                };
                Some(along_interval(&to_circle, round) - minor * self.scale).filter(|least| !least.is_nan())
            }
            function if function.is_convex() => region.least_of_convex(&|point| self.value(point), self.case),
            _ => match region {
                Region::Segment([start, end]) => {
                    let at = |t: f64| self.value(&(start + (end - start) * t)).0;
                    Some(along_interval(&at, f64::INFINITY))
                }
                _ => None,
            },
        }
    }

    /// The support function of the body along a unit direction, from the world's origin.
    pub(super) fn farthest(&self, direction: &Vector) -> Option<f64> {
        let local = self.pose.rotation.inverse_transform_vector(direction);
        let here = self.pose.translation.vector.dot(direction);
        if let Some(reach) = farthest(self.function, &local) {
            return Some(here + reach * self.scale);
        }
        let height = |place: &Point| (-place.coords.dot(direction), -direction);
        let region = Region::Below(*self);
        self.function.is_convex().then(|| region.least_of_convex(&height, self.case).map(|least| -least))?
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
                // Quilez' alternative form of the quadratic smooth minimum.
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

/// Trilinear interpolation of eight samples, cut off by the lattice's box; outside, the root of two squares. The
/// gradient by finite differences.
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

/// The support function of a body from its frame's origin, where there is a formula.
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

/// The minimum of a convex function over an interval, its ends included (Kiefer 1953).
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

/// The minimum over 0 to 1 of any function with Lipschitz constant `steepness`: golden sections around the lowest
/// of many samples.
fn along_interval(value: &dyn Fn(f64) -> f64, steepness: f64) -> f64 {
    let step = 1.0 / SAMPLES as f64;
    let mut samples: Vec<(f64, f64)> =
        (0..=SAMPLES).map(|k| k as f64 * step).map(|t| (value(t), t)).collect();
    samples.sort_by(|x, y| x.0.total_cmp(&y.0));
    let worth_it = samples[0].0 + steepness * step;
    let mut starts: Vec<f64> = Vec::new();
    for (value, t) in samples {
        let apart = starts.iter().all(|start| (start - t).abs() > 1.5 * step);
        if starts.len() < STARTS && apart && (value <= worth_it || value.is_nan()) {
            starts.push(t);
        }
    }
    let about = |t: f64| golden((t - step).max(0.0), (t + step).min(1.0), value);
    let least = starts.into_iter().map(about);
    least.fold(f64::INFINITY, |x, y| if y < x || y.is_nan() { y } else { x })
}
