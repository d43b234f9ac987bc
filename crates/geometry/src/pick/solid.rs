//! Closed-form intersection of a line with convex solids.

use super::Ray;
use super::hit::{End, Span, hull, intersection};
use crate::{Capsule, Cone, Cylinder, Ellipsoid, OrientedBox, Pose, Sphere};
use palpate_math::direction::unit_or;
use palpate_math::{Point, Vector};

/// A line in the frame of a solid, with its origin moved to the point closest to the solid's centre, so that a distant
/// origin loses no accuracy.
struct Local {
    origin: Point,
    direction: Vector,
    /// The distance along the ray by which its origin was moved.
    moved: f64,
    pose: Pose,
}

impl Local {
    fn new(ray: &Ray, pose: &Pose) -> Self {
        let center = Point::from(pose.translation.vector);
        let moved = (center - ray.origin()).dot(&ray.direction());
        let origin = pose.inverse_transform_point(&ray.at(moved));
        Self { origin, direction: pose.inverse_transform_vector(&ray.direction()), moved, pose: *pose }
    }

    fn at(&self, distance: f64) -> Point {
        self.origin + self.direction * distance
    }

    /// Transforms a span to the world.
    fn world(&self, span: Span) -> Span {
        let end =
            |end: End| End { distance: end.distance + self.moved, normal: self.pose.rotation * end.normal };
        span.map(end)
    }
}

/// Creates a span from one distance to another; normals are evaluated at the points, with the direction as fallback.
fn span(local: &Local, [enter, leave]: [f64; 2], normal: impl Fn(&Point) -> Vector) -> Span {
    let end = |distance: f64, fallback: Vector| {
        let place = if distance.is_finite() { local.at(distance) } else { local.origin };
        End { distance, normal: unit_or(&normal(&place), &fallback) }
    };
    [end(enter, -local.direction), end(leave, local.direction)]
}

/// Returns where a line with offset `offset` from a centre and perpendicular velocity `across` is within `radius`.
fn within_radius(offset: &Vector, across: &Vector, radius: f64) -> Option<[f64; 2]> {
    let speed_squared = across.norm_squared();
    if speed_squared == 0.0 {
        return (offset.norm() <= radius).then_some([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let nearest = -offset.dot(across) / speed_squared;
    let missed_by = offset + across * nearest;
    let half_squared = radius * radius - missed_by.norm_squared();
    (half_squared >= 0.0).then(|| {
        let half = (half_squared / speed_squared).sqrt();
        [nearest - half, nearest + half]
    })
}

/// Returns where the height of a line along local y lies between two values.
fn between_heights(local: &Local, low: f64, high: f64) -> Option<Span> {
    let (y, along) = (local.origin.y, local.direction.y);
    if along == 0.0 {
        return (low <= y && y <= high)
            .then(|| span(local, [f64::NEG_INFINITY, f64::INFINITY], |_| Vector::zeros()));
    }
    let (a, b) = ((low - y) / along, (high - y) / along);
    let down = End { distance: a, normal: -Vector::y() };
    let up = End { distance: b, normal: Vector::y() };
    Some(if a <= b { [down, up] } else { [up, down] })
}

pub(super) fn sphere(ray: &Ray, sphere: &Sphere) -> Option<Span> {
    ball(ray, &sphere.center(), sphere.radius())
}

/// Returns the part within `radius` of a point.
pub(super) fn ball(ray: &Ray, center: &Point, radius: f64) -> Option<Span> {
    let moved = (center - ray.origin()).dot(&ray.direction());
    let offset = ray.at(moved) - center;
    let [enter, leave] = within_radius(&offset, &ray.direction(), radius)?;
    let end = |distance: f64, fallback: Vector| {
        let normal = unit_or(&(offset + ray.direction() * distance), &fallback);
        End { distance: distance + moved, normal }
    };
    Some([end(enter, -ray.direction()), end(leave, ray.direction())])
}

/// Returns the part within `radius` of a segment: of a ball at either end, and of the cylinder between.
pub(super) fn rounded_segment(ray: &Ray, [start, end]: [Point; 2], radius: f64) -> Option<Span> {
    let axis = end - start;
    let length = axis.norm();
    let caps = [ball(ray, &start, radius), ball(ray, &end, radius)];
    if length == 0.0 {
        return caps[0];
    }
    let up = axis / length;
    let middle = start + axis * 0.5;
    let moved = (middle - ray.origin()).dot(&ray.direction());
    let offset = ray.at(moved) - middle;
    let flat = |v: &Vector| v - up * v.dot(&up);
    let (across, aside) = (flat(&ray.direction()), flat(&offset));
    let wall = within_radius(&aside, &across, radius).and_then(|range| {
        let (height, along) = (offset.dot(&up), ray.direction().dot(&up));
        let ends = if along == 0.0 {
            (height.abs() <= length * 0.5).then_some([f64::NEG_INFINITY, f64::INFINITY])
        } else {
            let (a, b) = ((-length * 0.5 - height) / along, (length * 0.5 - height) / along);
            Some([a.min(b), a.max(b)])
        }?;
        let (enter, leave) = (range[0].max(ends[0]), range[1].min(ends[1]));
        let end = |distance: f64, fallback: Vector| End {
            distance: distance + moved,
            normal: unit_or(&(aside + across * distance), &fallback),
        };
        (enter <= leave).then(|| [end(enter, -ray.direction()), end(leave, ray.direction())])
    });
    hull([caps[0], caps[1], wall])
}

pub(super) fn capsule(ray: &Ray, capsule: &Capsule) -> Option<Span> {
    rounded_segment(ray, capsule.ends(), capsule.radius())
}

pub(super) fn cylinder(ray: &Ray, cylinder: &Cylinder) -> Option<Span> {
    let local = Local::new(ray, cylinder.pose());
    let half = 0.5 * cylinder.length();
    let flat = |v: &Vector| Vector::new(v.x, 0.0, v.z);
    let range = within_radius(&flat(&local.origin.coords), &flat(&local.direction), cylinder.radius())?;
    let wall = span(&local, range, |place| flat(&place.coords));
    intersection(wall, between_heights(&local, -half, half)?).map(|found| local.world(found))
}

pub(super) fn oriented_box(ray: &Ray, cuboid: &OrientedBox) -> Option<Span> {
    let local = Local::new(ray, cuboid.pose());
    let half = cuboid.half_extents();
    let mut found = [
        End { distance: f64::NEG_INFINITY, normal: -local.direction },
        End { distance: f64::INFINITY, normal: local.direction },
    ];
    for axis in 0..3 {
        let (from, along) = (local.origin[axis], local.direction[axis]);
        if along == 0.0 {
            if from.abs() > half[axis] {
                return None;
            }
            continue;
        }
        let mut normal = Vector::zeros();
        normal[axis] = along.signum();
        let distance = |side: f64| (side * along.signum() * half[axis] - from) / along;
        let slab =
            [End { distance: distance(-1.0), normal: -normal }, End { distance: distance(1.0), normal }];
        found = intersection(found, slab)?;
    }
    Some(local.world(found))
}

/// Computed in the space in which the ellipsoid is the unit ball.
pub(super) fn ellipsoid(ray: &Ray, ellipsoid: &Ellipsoid) -> Option<Span> {
    let local = Local::new(ray, ellipsoid.pose());
    let radii = ellipsoid.radii();
    let offset = local.origin.coords.component_div(&radii);
    let range = within_radius(&offset, &local.direction.component_div(&radii), 1.0)?;
    let normal = |place: &Point| place.coords.component_div(&radii).component_div(&radii);
    Some(local.world(span(&local, range, normal)))
}

/// Intersects with the nappe that contains the cone, clipped at its base.
pub(super) fn cone(ray: &Ray, cone: &Cone) -> Option<Span> {
    let local = Local::new(ray, cone.pose());
    let half = 0.5 * cone.length();
    let slope = cone.radius() / cone.length();
    let (o, d) = (local.origin, local.direction);
    // Within the double cone where (x² + z²) - w² is not positive, w being the radius at the height.
    let (w, w_step) = (slope * (half - o.y), -slope * d.y);
    let a = d.x * d.x + d.z * d.z - w_step * w_step;
    let b = o.x * d.x + o.z * d.z - w * w_step;
    let c = o.x * o.x + o.z * o.z - w * w;
    let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
    let range = if a == 0.0 && b == 0.0 {
        (c <= 0.0).then_some(everywhere)?
    } else if a == 0.0 {
        let end = -0.5 * c / b;
        if b > 0.0 { [f64::NEG_INFINITY, end] } else { [end, f64::INFINITY] }
    } else {
        let under_root = b * b - a * c;
        if under_root < 0.0 && a > 0.0 {
            return None;
        }
        // The root without cancellation, and the other from their product: neither loses digits.
        let sum = -b - under_root.max(0.0).sqrt().copysign(b);
        let (one, other) = if sum == 0.0 { (0.0, 0.0) } else { (sum / a, c / sum) };
        let [low, high] = [one.min(other), one.max(other)];
        // A steep line is within one nappe up to the first root, and in the other from the second on.
        match (a > 0.0, d.y > 0.0) {
            (true, _) => [low, high],
            (false, true) => [f64::NEG_INFINITY, low],
            (false, false) => [high, f64::INFINITY],
        }
    };
    let wall = span(&local, range, |place| {
        let radial = Vector::new(place.x, 0.0, place.z);
        radial + Vector::y() * (slope * radial.norm())
    });
    intersection(wall, between_heights(&local, -half, half)?).map(|found| local.world(found))
}
