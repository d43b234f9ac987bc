//! The region over which an implicit function is minimised: a segment, a triangle, or a convex solid.

use super::distance::{on_segment, on_triangle};
use super::hull::HullOfPoints;
use super::implicit::Placed;
use super::least::{Cut, over_ball, over_interval};
use super::solid;
use crate::{Case, Shape};
use nalgebra::{Matrix3, Vector2};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Gap between the value found and the proven bound, relative to the size of the case: a hundredth of the tolerance
/// of the law of truth.
const GAP: f64 = 1e-11;

/// Shapes thinner than this, relative to their size, are flat; the same for the planes of a hull.
const FLAT: f64 = 4e-12;

/// A convex function: its value and a sub-gradient.
pub(super) type Convex<'a> = &'a dyn Fn(&Point) -> (f64, Vector);

/// The region over which a function is minimised; world frame.
pub(super) enum Region<'a> {
    Segment([Point; 2]),
    Triangle([Point; 3]),
    /// The planes and faces of a hull with a volume.
    Hull {
        corners: Vec<Point>,
        planes: Vec<(Vector, [Point; 3])>,
    },
    /// The triangles of coplanar points, or the segments of collinear points.
    Flat(Vec<Region<'a>>),
    /// A convex shape without corners.
    Solid(&'a Shape),
    /// The region where a function is zero or less; for a certified search it must be convex.
    Below(Placed<'a>),
}

impl<'a> Region<'a> {
    /// A convex shape without its rounding radius.
    pub(super) fn of(shape: &'a Shape) -> Self {
        let Shape::Convex { pose, corners, .. } = shape else { return Self::Solid(shape) };
        let corners: Vec<Point> = corners.iter().map(|corner| pose * corner).collect();
        let planes = HullOfPoints::new(corners.clone()).planes().to_vec();
        let size = corners.iter().fold(0.0_f64, |size, corner| size.max(corner.coords.amax()));
        let below = |corner: &Point| planes.first().map_or(0.0, |(normal, [a, ..])| (a - corner).dot(normal));
        if corners.iter().map(below).fold(0.0, f64::max) > FLAT * size {
            return Self::Hull { corners, planes };
        }
        let triangles: Vec<_> = planes.iter().map(|(_, face)| Self::Triangle(*face)).collect();
        if !triangles.is_empty() {
            return Self::Flat(triangles);
        }
        let ends = corners.iter().flat_map(|start| corners.iter().map(|end| [*start, *end]));
        Self::Flat(ends.map(Self::Segment).collect())
    }

    /// The distance of a point from the region: zero inside. `None` if a search does not converge.
    pub(super) fn distance(&self, point: &Point, case: &Case) -> Option<f64> {
        let to_triangles = |planes: &[(Vector, [Point; 3])]| {
            let facing = planes.iter().filter(|(normal, [a, ..])| (point - a).dot(normal) > 0.0);
            // A point outside is above the closest face, or on its edge.
            facing.map(|(_, face)| on_triangle(point, face).distance).reduce(f64::min).unwrap_or(0.0)
        };
        match self {
            Self::Segment([start, end]) => Some((on_segment(point, start, end).1 - point).norm()),
            Self::Triangle(corners) => Some(on_triangle(point, corners).distance),
            Self::Hull { planes, .. } => Some(to_triangles(planes)),
            Self::Flat(parts) => {
                let distances = parts.iter().map(|part| part.distance(point, case));
                distances.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
            }
            Self::Solid(Shape::Ellipsoid { pose, radii }) => {
                Some(from_ellipsoid(&pose.inverse_transform_point(point).coords, radii))
            }
            Self::Solid(shape @ Shape::Cone { .. }) => {
                Some(super::convex::distance_from_cone(shape, point).0.max(0.0))
            }
            Self::Solid(shape) => Some(solid::signed_distance(shape, point, case).0.max(0.0)),
            Self::Below(body) if body.function.is_distance() => Some(body.value(point).0.max(0.0)),
            Self::Below(_) => {
                let to_point = |place: &Point| {
                    let offset = place - point;
                    (offset.norm(), offset.normalize())
                };
                self.least_of_convex(&to_point, case)
            }
        }
    }

    /// The minimum of a convex function. `None` if a search does not converge.
    pub(super) fn least_of_convex(&self, value: Convex<'_>, case: &Case) -> Option<f64> {
        let gap = GAP * case.size();
        match self {
            Self::Segment([start, end]) => {
                let along = end - start;
                let at = |t: f64| {
                    let (value, gradient) = value(&(start + along * t));
                    (value, gradient.dot(&along))
                };
                over_interval(&at, gap)
            }
            Self::Triangle([a, b, c]) => {
                // By the barycentric weights of the second and the third corner.
                let (u, v) = (b - a, c - a);
                let ask = |y: &Vector2<f64>| {
                    let (s, t) = (y.x + 1.0 / 3.0, y.y + 1.0 / 3.0);
                    let sides = [
                        (-s, Vector2::new(-1.0, 0.0)),
                        (-t, Vector2::new(0.0, -1.0)),
                        (s + t - 1.0, Vector2::new(1.0, 1.0)),
                    ];
                    let farthest =
                        |x: (f64, Vector2<f64>), y: (f64, Vector2<f64>)| if y.0 > x.0 { y } else { x };
                    let (excess, normal) = sides.into_iter().reduce(farthest).expect("there are three");
                    if excess > 0.0 {
                        return Cut::Outside(excess, normal);
                    }
                    let (value, gradient) = value(&(a + u * s + v * t));
                    Cut::Inside(value, Vector2::new(gradient.dot(&u), gradient.dot(&v)))
                };
                over_ball(5.0_f64.sqrt() / 3.0, &ask, gap)
            }
            Self::Flat(parts) => {
                let least = parts.iter().map(|part| part.least_of_convex(value, case));
                least.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
            }
            _ => {
                let (middle, axes, radius) = self.frame();
                let ask = |y: &Vector| {
                    let place = middle + axes * y;
                    let (excess, normal) = self.excess(&place, case);
                    if excess > 0.0 {
                        return Cut::Outside(excess, axes.tr_mul(&normal));
                    }
                    let (value, gradient) = value(&place);
                    Cut::Inside(value, axes.tr_mul(&gradient))
                };
                over_ball(radius, &ask, gap)
            }
        }
    }

    /// A point, axes, and the radius of a ball whose image by the axes about the point contains the solid.
    pub(super) fn frame(&self) -> (Point, Matrix3<f64>, f64) {
        let of = |pose: &Pose, scale: Vector, radius: f64| {
            let rotation = pose.rotation.to_rotation_matrix().into_inner();
            (Point::from(pose.translation.vector), rotation * Matrix3::from_diagonal(&scale), radius)
        };
        let round = |pose: &Pose, radius: f64, half: f64| {
            of(pose, Vector::new(radius, half, radius), std::f64::consts::SQRT_2)
        };
        match self {
            Self::Hull { corners, .. } => {
                let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
                let middle = Point::from(sum / corners.len() as f64);
                let reach = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
                (middle, Matrix3::identity() * reach, 1.0)
            }
            Self::Below(body) => of(&body.pose, Vector::repeat(body.function.reach() * body.scale), 1.0),
            Self::Solid(Shape::OrientedBox { pose, half_extents }) => of(pose, *half_extents, 3.0_f64.sqrt()),
            Self::Solid(Shape::Ellipsoid { pose, radii }) => of(pose, *radii, 1.0),
            Self::Solid(Shape::Sphere { center, radius }) => {
                of(&Pose::from(center.coords), Vector::repeat(*radius), 1.0)
            }
            Self::Solid(Shape::Cylinder { pose, radius, length } | Shape::Cone { pose, radius, length }) => {
                round(pose, *radius, 0.5 * length)
            }
            Self::Solid(Shape::Capsule { pose, radius, length }) => {
                round(pose, *radius, 0.5 * length + radius)
            }
            _ => unreachable!("a solid has a volume"),
        }
    }

    /// A function (convex for a convex region) that is positive outside the solid, and its gradient there.
    pub(super) fn excess(&self, place: &Point, case: &Case) -> (f64, Vector) {
        let higher = |x: (f64, Vector), y: (f64, Vector)| if y.0 > x.0 { y } else { x };
        match self {
            Self::Hull { planes, .. } => {
                let heights = planes.iter().map(|(normal, [a, ..])| ((place - a).dot(normal), *normal));
                heights.reduce(higher).expect("a hull has planes")
            }
            Self::Below(body) => body.value(place),
            Self::Solid(Shape::Ellipsoid { pose, radii }) => {
                let local = pose.inverse_transform_point(place).coords.component_div(radii);
                (local.norm() - 1.0, pose.rotation * (local.component_div(radii) / local.norm()))
            }
            Self::Solid(Shape::Cone { pose, radius, length }) => {
                let local = pose.inverse_transform_point(place);
                let aside = Vector::new(local.x, 0.0, local.z);
                let outward = aside.try_normalize(0.0).unwrap_or_else(Vector::zeros);
                let wall = aside.norm() * length + radius * (local.y - 0.5 * length);
                let base = (-local.y - 0.5 * length, -Vector::y());
                let (excess, normal) = higher(base, (wall, outward * *length + Vector::y() * *radius));
                (excess, pose.rotation * normal)
            }
            Self::Solid(shape) => solid::signed_distance(shape, place, case),
            _ => unreachable!("a solid has a volume"),
        }
    }
}

/// The distance of a point from an ellipsoid around the origin, its interior included: the closest point is `r² y /
/// (t + r²)` on every axis, with the multiplier `t` at which it is on the surface; left of it the equation is
/// convex, so that Newton's steps from zero do not overshoot.
fn from_ellipsoid(place: &Vector, radii: &Vector) -> f64 {
    let equation = |t: f64| {
        let (mut sum, mut slope) = (-1.0, 0.0);
        for axis in 0..3 {
            let below = t + radii[axis] * radii[axis];
            let share = (radii[axis] * place[axis] / below).powi(2);
            sum += share;
            slope -= 2.0 * share / below;
        }
        (sum, slope)
    };
    let mut t = 0.0;
    for _ in 0..200 {
        let (excess, slope) = equation(t);
        if excess <= 0.0 {
            break;
        }
        let next = t - excess / slope;
        if next == t {
            break;
        }
        t = next;
    }
    // The displacement is `t y / (t + r²)`.
    Vector::from_fn(|axis, _| t * place[axis] / (t + radii[axis] * radii[axis])).norm()
}
