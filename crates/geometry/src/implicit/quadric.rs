//! Bodies bounded by surfaces of the second degree: balls, rods, eggs, cylinders, cones, boxes, rings, what these have in common, and
//! what is left of them when balls and eggs are taken away.

use super::matrices::{across, turned};
use super::{Circle, CylinderDomain, OrientedBounds};
use crate::Pose;
use arrayvec::ArrayVec;
use nalgebra::Matrix3;
use palpate_math::{Point, Vector, direction, rounding};

/// The most surfaces of a body.
pub(super) const SURFACES: usize = 8;

/// A polynomial of the second degree, in metres, that is positive nowhere in a body. With `d` from the origin it is
/// `value + slope · d + d · bend d / 2`.
#[derive(Clone, Copy, Debug)]
pub struct Quadric {
    pub(super) origin: Point,
    pub(super) value: f64,
    pub(super) slope: Vector,
    pub(super) bend: Matrix3<f64>,
    /// With this added the bend has no negative eigenvalue. Zero for a convex polynomial.
    pub(super) sunk: Matrix3<f64>,
}

/// The wall of a cone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) tip: Point,
    /// From the tip into the cone, a unit.
    pub(super) axis: Vector,
    /// How many metres wider it gets to every side per metre along the axis.
    pub(super) width: f64,
    /// The radius of the base.
    pub(super) radius: f64,
}

/// A ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) circle: Circle,
    /// The radius of the tube.
    pub(super) tube: f64,
}

/// A body where a few polynomials of the second degree are not positive, and within the wall of a cone and a ring, if it has
/// one.
#[derive(Clone, Debug)]
pub struct QuadricBody {
    pub(super) surfaces: ArrayVec<Quadric, SURFACES>,
    pub(super) wall: Option<Wall>,
    pub(super) ring: Option<Ring>,
    pub(super) bounds: OrientedBounds,
}

impl Quadric {
    /// The height over a plane, given its outward unit normal.
    fn plane(origin: Point, normal: Vector) -> Self {
        Self { origin, value: 0.0, slope: normal, bend: Matrix3::zeros(), sunk: Matrix3::zeros() }
    }

    /// Half of the square of the distance from a centre or an axis over the radius, less half the radius: with the slope of a
    /// distance on the surface. `bend` is what is squared.
    fn round(origin: Point, radius: f64, bend: Matrix3<f64>) -> Self {
        Self { value: -0.5 * radius, bend, ..Self::plane(origin, Vector::zeros()) }
    }

    /// Returns the negative of a convex polynomial: what is outside.
    fn outside(&self) -> Self {
        let Self { origin, value, slope, bend, .. } = *self;
        Self { origin, value: -value, slope: -slope, bend: -bend, sunk: bend }
    }

    /// Whether this is the height over a plane.
    pub(super) fn is_flat(&self) -> bool {
        self.bend == Matrix3::zeros()
    }

    /// Returns the value and the gradient at a point.
    pub(super) fn at(&self, point: &Point) -> (f64, Vector) {
        let from = point - self.origin;
        let turned = self.bend * from;
        (self.value + self.slope.dot(&from) + 0.5 * from.dot(&turned), self.slope + turned)
    }

    /// Returns the same in the frame at a pose with a scale.
    fn to_local(self, pose: &Pose, scale: f64) -> Self {
        let turn = pose.rotation.inverse().to_rotation_matrix();
        Self {
            origin: pose.inverse_transform_point(&self.origin) / scale,
            value: self.value / scale,
            slope: turn * self.slope,
            bend: turned(&self.bend, &turn) * scale,
            sunk: turned(&self.sunk, &turn) * scale,
        }
    }
}

impl Wall {
    /// Returns the height of a point over the wall, along its normal times `rate`.
    fn height(&self, point: &Point) -> f64 {
        let from = point - self.tip;
        direction::across(&from, &self.axis).norm() - self.width * from.dot(&self.axis)
    }

    fn rate(&self) -> f64 {
        (1.0 + self.width * self.width).sqrt()
    }

    /// Returns the plane through the tip that touches the wall on a side, given a unit across the axis. With `most`, the greatest
    /// distance from the axis of what is of interest, more than the plane: with `t` aside, the distance from the axis is at
    /// least `t² / 2 most` more than the plane has it.
    pub(super) fn touching(&self, outward: &Vector, most: Option<f64>) -> Quadric {
        let aside = self.axis.cross(outward);
        let bend = most.map_or(Matrix3::zeros(), |most| aside * aside.transpose() / most);
        Quadric { bend, ..Quadric::plane(self.tip, outward - self.axis * self.width) }
    }
}

impl Ring {
    /// Returns the height of a point over the ring.
    fn height(&self, point: &Point) -> f64 {
        let Circle { center, axis, radius } = &self.circle;
        let from = point - center;
        let aside = direction::across(&from, axis).norm() - radius;
        let along = from.dot(axis);
        (aside * aside + along * along).sqrt() - self.tube
    }

    /// Returns a polynomial below that of the ring where the distance from its axis toward a side, given as a unit across the axis,
    /// is at least `least`: with that distance `a`, `t` aside and `z` along the axis, the square of the distance from the axis is `a² + t²`,
    /// and its root at most `a + t² / 2 a`.
    pub(super) fn touching(&self, outward: &Vector, least: f64) -> Quadric {
        let Circle { center, axis, radius } = &self.circle;
        let aside = axis.cross(outward);
        let square = |unit: &Vector| unit * unit.transpose() / self.tube;
        let turned = 1.0 - radius / least;
        Quadric {
            origin: center + outward * *radius,
            value: -0.5 * self.tube,
            slope: Vector::zeros(),
            bend: square(outward) + square(axis) + square(&aside) * turned,
            sunk: square(&aside) * (-turned).max(0.0),
        }
    }
}

/// Returns the box about an axis, from half its length along it and half its width.
fn upright(center: Point, axis: &Vector, half_length: f64, radius: f64) -> OrientedBounds {
    let first = direction::any_perpendicular(axis);
    OrientedBounds { center, half: [first * radius, axis * half_length, axis.cross(&first) * radius] }
}

impl QuadricBody {
    /// Creates a ball.
    pub(super) fn ball(center: Point, radius: f64) -> Self {
        let surface = Quadric::round(center, radius, Matrix3::identity() / radius);
        let half = [0, 1, 2].map(|axis| Vector::ith(axis, radius));
        let bounds = OrientedBounds { center, half };
        Self { surfaces: [surface].into_iter().collect(), wall: None, ring: None, bounds }
    }

    /// Creates the part of a rod between its ends; `None` if these are equal.
    fn between([from, to]: &[Point; 2], radius: f64) -> Option<Self> {
        let way = to - from;
        let axis = way.try_normalize(0.0)?;
        let center = from + way * 0.5;
        let wall = Quadric::round(center, radius, across(&axis) / radius);
        let surfaces = [wall, Quadric::plane(*from, -axis), Quadric::plane(*to, axis)];
        Some(Self {
            surfaces: surfaces.into_iter().collect(),
            wall: None,
            ring: None,
            bounds: upright(center, &axis, 0.5 * way.norm(), radius),
        })
    }

    /// Calls `visit` with the balls at both ends of a rod, and with what is between them.
    pub(super) fn of_rod(ends: &[Point; 2], radius: f64, visit: &mut dyn FnMut(&Self)) -> bool {
        if radius.is_nan() || radius <= 0.0 {
            return false;
        }
        visit(&Self::ball(ends[0], radius));
        if let Some(between) = Self::between(ends, radius) {
            visit(&Self::ball(ends[1], radius));
            visit(&between);
        }
        true
    }

    /// Creates an egg from its pose and its radii along the axes.
    pub(super) fn egg(pose: &Pose, radii: Vector) -> Self {
        let least = radii.min();
        // The square of the position over the radii is one on the surface.
        let scaled = Matrix3::from_diagonal(&radii.map(|radius| least / (radius * radius)));
        let bend = turned(&scaled, &pose.rotation.to_rotation_matrix());
        let center = Point::from(pose.translation.vector);
        let surface = Quadric::round(center, least, bend);
        let bounds = OrientedBounds::new(pose, radii);
        Self { surfaces: [surface].into_iter().collect(), wall: None, ring: None, bounds }
    }

    /// Creates a box from its pose and half its sides.
    pub(super) fn block(pose: &Pose, half: Vector) -> Self {
        let bounds = OrientedBounds::new(pose, half);
        let normals = [0, 1, 2].map(|axis| pose.rotation * Vector::ith(axis, 1.0));
        let sides = bounds.half.iter().zip(normals).flat_map(|(half, normal)| {
            [Quadric::plane(bounds.center + half, normal), Quadric::plane(bounds.center - half, -normal)]
        });
        Self { surfaces: sides.collect(), wall: None, ring: None, bounds }
    }

    /// Creates a box from its corners, x varying fastest. Each side is farther out by the rounding error of the corners.
    pub(super) fn of_corners(corners: &[Point; 8]) -> Self {
        let half = [1, 2, 4].map(|corner| (corners[corner] - corners[0]) * 0.5);
        let center = corners[0] + (corners[7] - corners[0]) * 0.5;
        let out = rounding::length(rounding::largest_coordinate(corners));
        let sides = half.iter().flat_map(|half| {
            let normal = half.normalize();
            [(center + half, normal), (center - half, -normal)]
        });
        let sides = sides.map(|(origin, normal)| Quadric { value: -out, ..Quadric::plane(origin, normal) });
        let bounds = OrientedBounds { center, half };
        Self { surfaces: sides.collect(), wall: None, ring: None, bounds }
    }

    /// Creates a cylinder.
    pub(super) fn cylinder(domain: &CylinderDomain) -> Self {
        let CylinderDomain { center, axis, radius, half_height } = *domain;
        let half = axis * half_height;
        let ends = [Quadric::plane(center + half, axis), Quadric::plane(center - half, -axis)];
        let wall = Quadric::round(center, radius, across(&axis) / radius);
        Self {
            surfaces: ends.into_iter().chain([wall]).collect(),
            wall: None,
            ring: None,
            bounds: upright(center, &axis, half_height, radius),
        }
    }

    /// Returns what two bodies have in common; `None` if that has too many surfaces.
    pub(super) fn common(&self, other: &Self) -> Option<Self> {
        let (large, small) = if other.reach() < self.reach() { (self, other) } else { (other, self) };
        let mut common = small.clone();
        common.surfaces.try_extend_from_slice(&large.surfaces).ok()?;
        match (small.wall, large.wall) {
            (Some(_), Some(_)) => return None,
            (own, others) => common.wall = own.or(others),
        }
        if small.ring.is_some() && large.ring.is_some() {
            return None;
        }
        common.ring = small.ring.or(large.ring);
        Some(common)
    }

    /// Returns what is left of the body when another one is taken away that has a single surface; `None` if it has more.
    pub(super) fn without(&self, hole: &Self) -> Option<Self> {
        let [surface] = hole.surfaces[..] else { return None };
        if hole.wall.is_some() || hole.ring.is_some() {
            return None;
        }
        let mut left = self.clone();
        left.surfaces.try_push(surface.outside()).ok()?;
        Some(left)
    }

    /// Creates a ring.
    pub(super) fn of_ring(circle: &Circle, tube: f64, visit: &mut dyn FnMut(&Self)) -> bool {
        if tube.is_nan() || tube <= 0.0 {
            return false;
        }
        let bounds = upright(circle.center, &circle.axis, tube, circle.radius + tube);
        let ring = Some(Ring { circle: *circle, tube });
        visit(&Self { surfaces: ArrayVec::new(), wall: None, ring, bounds });
        true
    }

    /// Creates a cone from the centre of its base and its tip, the unit from the tip to the base, and the base's radius.
    pub(super) fn cone([base, apex]: [Point; 2], axis: Vector, radius: f64) -> Self {
        let length = axis.dot(&(base - apex));
        let width = radius / length;
        Self {
            surfaces: [Quadric::plane(base, axis), Quadric::plane(apex, -axis)].into_iter().collect(),
            wall: Some(Wall { tip: apex, axis, width, radius }),
            ring: None,
            bounds: upright(base + (apex - base) * 0.5, &axis, 0.5 * length, radius),
        }
    }

    /// Returns the body in the frame at a pose with a scale.
    pub(super) fn to_local(&self, pose: &Pose, scale: f64) -> Self {
        let place = |point: &Point| pose.inverse_transform_point(point) / scale;
        let turned = |way: &Vector| pose.rotation.inverse_transform_vector(way);
        let wall = self.wall.map(|wall| Wall {
            tip: place(&wall.tip),
            axis: turned(&wall.axis),
            radius: wall.radius / scale,
            ..wall
        });
        let ring = self.ring.map(|Ring { circle: Circle { center, axis, radius }, tube }| {
            let circle = Circle { center: place(&center), axis: turned(&axis), radius: radius / scale };
            Ring { circle, tube: tube / scale }
        });
        let OrientedBounds { center, half } = &self.bounds;
        Self {
            surfaces: self.surfaces.iter().map(|surface| surface.to_local(pose, scale)).collect(),
            wall,
            ring,
            bounds: OrientedBounds { center: place(center), half: half.map(|half| turned(&half) / scale) },
        }
    }

    /// Returns the body of a frame that is at a pose with a scale.
    pub(super) fn to_world(&self, pose: &Pose, scale: f64) -> Self {
        let mut inverse = pose.inverse();
        inverse.translation.vector /= scale;
        self.to_local(&inverse, 1.0 / scale)
    }

    /// Whether the body and a ball may overlap; for a radius of zero, whether the point is in it.
    pub(super) fn overlaps(&self, center: &Point, radius: f64) -> bool {
        let is_near = self.surfaces.iter().all(|surface| {
            let (value, slope) = surface.at(center);
            value - slope.norm() * radius - 0.5 * surface.sunk.norm() * radius * radius <= 0.0
        });
        is_near
            && self.ring.is_none_or(|ring| ring.height(center) <= radius)
            && self.wall.is_none_or(|wall| wall.height(center) - wall.rate() * radius <= 0.0)
    }

    /// Whether a point is in the body, or outside by no more than a slack in metres.
    pub(super) fn has(&self, point: &Point, slack: f64) -> bool {
        let is_in_wall = self.wall.is_none_or(|wall| wall.height(point) <= slack);
        is_in_wall
            && self.ring.is_none_or(|ring| ring.height(point) <= slack)
            && self.surfaces.iter().all(|surface| {
                let (value, slope) = surface.at(point);
                value <= slack * slope.norm()
            })
    }

    /// Whether the surface of the body may cross a ball.
    pub(super) fn is_crossed(&self, center: &Point, radius: f64) -> bool {
        let reaches = |surface: &Quadric| {
            let (value, slope) = surface.at(center);
            value + slope.norm() * radius + 0.5 * surface.bend.norm() * radius * radius >= 0.0
        };
        let reaches_wall = |wall: Wall| wall.height(center) + wall.rate() * radius >= 0.0;
        let reaches_ring = |ring: Ring| ring.height(center).abs() <= radius;
        let is_near = self.surfaces.iter().any(reaches)
            || self.wall.is_some_and(reaches_wall)
            || self.ring.is_some_and(reaches_ring);
        is_near && self.overlaps(center, radius)
    }

    /// Returns half the diagonal of its box.
    pub(super) fn reach(&self) -> f64 {
        self.bounds.reach()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::Random;
    use crate::implicit::{ImplicitFunction, Intersection, Offset, Torus};
    use crate::{Capsule, Cone, Cylinder, Ellipsoid, ImplicitBody, OrientedBox, Sphere};
    use std::sync::Arc;

    /// In the body some piece has no positive polynomial, outside every piece has one, in all frames.
    #[test]
    fn the_pieces_are_the_body() {
        let mut random = Random(3);
        let (mut inside, mut outside) = (0, 0);
        for case in 0..90 {
            let pose = Pose::new(random.vector(), random.vector() * 2.0);
            let mut size = || 0.3 + 0.5 * random.number().abs();
            let shape: Arc<dyn ImplicitFunction> = match case % 9 {
                0 => Arc::new(Capsule::new(pose, size(), size()).unwrap()),
                1 => Arc::new(Ellipsoid::new(pose, Vector::new(size(), size(), size())).unwrap()),
                2 => Arc::new(Cone::new(pose, size(), size()).unwrap()),
                3 => Arc::new(Cylinder::new(pose, size(), size()).unwrap()),
                4 => Arc::new(OrientedBox::new(pose, Vector::new(size(), size(), size())).unwrap()),
                5 => {
                    let ball = |x: f64, radius: f64| -> Arc<dyn ImplicitFunction> {
                        Arc::new(Sphere::new(pose * Point::new(x, 0.0, 0.0), radius).unwrap())
                    };
                    Arc::new(Intersection::new(vec![ball(0.25, 0.5), ball(-0.25, 0.625)]).unwrap())
                }
                6 => Arc::new(Torus::new(pose, 0.8, size()).unwrap()),
                7 => {
                    let ball = Arc::new(Sphere::new(pose * Point::new(0.25, 0.0, 0.0), 0.5).unwrap());
                    let egg = Arc::new(Ellipsoid::new(pose, Vector::new(size(), size(), size())).unwrap());
                    Arc::new(Intersection::difference(vec![ball, egg]).unwrap())
                }
                _ => {
                    let rod = Arc::new(Capsule::new(pose, 0.5 * size(), size()).unwrap());
                    Arc::new(Offset::new(rod, 0.125).unwrap())
                }
            };
            let place = Pose::new(random.vector(), random.vector() * 3.0);
            let body = ImplicitBody::new(place, shape).unwrap().with_scale([1.0, 2.5][case % 2]).unwrap();
            let mut pieces = Vec::new();
            assert!(body.over_quadrics(&mut |piece| pieces.push(piece.clone())));
            let bounds = ImplicitFunction::sublevel_bounds(&body, 0.0);
            let frame = Pose::new(random.vector(), random.vector());
            for _ in 0..400 {
                let point = bounds.center() + random.vector().component_mul(&bounds.size()) * 0.5;
                let distance = body.sample(&point).value;
                if distance.abs() < 1e-9 {
                    continue;
                }
                let is_inside = pieces.iter().any(|piece| piece.overlaps(&point, 0.0));
                assert_eq!(is_inside, distance < 0.0, "{case}: {distance}");
                let local = frame.inverse_transform_point(&point) / 3.0;
                let again = pieces.iter().any(|piece| piece.to_local(&frame, 3.0).overlaps(&local, 0.0));
                assert_eq!(again, is_inside);
                assert_eq!(pieces.iter().any(|piece| piece.has(&point, 1e-12)), is_inside);
                // A ball that reaches the body is never left out, and one across its surface is crossed.
                let radius = distance.abs() * (1.0 + 1e-9);
                assert!(pieces.iter().any(|piece| piece.overlaps(&point, radius)));
                assert!(pieces.iter().any(|piece| piece.is_crossed(&point, radius)));
                if is_inside { inside += 1 } else { outside += 1 }
            }
        }
        assert!(inside > 3000 && outside > 8000, "{inside} {outside}");
    }
}
