//! Test shapes and random numbers, and brute-force references over all triangles.

#![allow(dead_code, reason = "each test uses a part of it")]

use palpate_geometry::{Pose, pick::Ray, pose};
use palpate_math::{Point, Vector};
use std::f64::consts::PI;

/// Generates numbers between -1 and 1, the same on every machine.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }

    pub(crate) fn pose(&mut self) -> Pose {
        let axis = self.vector();
        let rotation = pose::rotation_from_axis(axis).unwrap();
        pose::from_rotation(Point::from(self.vector() * 0.2), rotation).unwrap()
    }

    /// Generates a ray from around a body of size one, or from within it, through its neighbourhood.
    pub(crate) fn ray(&mut self) -> Ray {
        let from = Point::from(self.vector() * if self.number() < -0.5 { 0.3 } else { 3.0 });
        let through = Point::from(self.vector());
        let length = if self.number() < 0.0 { 8.0 } else { 4.0 + 3.9 * self.number() };
        Ray::new(from, through - from, length).unwrap()
    }
}

/// Generates a ball of `rings` rings with bumps, with outward winding.
pub(crate) fn bumpy_ball(rings: u32, bumps: f64, numbers: &mut Numbers) -> (Vec<Point>, Vec<[u32; 3]>) {
    let mut positions = vec![Point::new(0.0, 1.0, 0.0), Point::new(0.0, -1.0, 0.0)];
    let at = |ring: u32, column: u32| 2 + ring * rings + column % rings;
    for ring in 0..rings {
        for column in 0..rings {
            let polar = PI * f64::from(ring + 1) / f64::from(rings + 1);
            let around = 2.0 * PI * f64::from(column) / f64::from(rings);
            let radius = 1.0 + bumps * numbers.number();
            let (y, flat) = (radius * polar.cos(), radius * polar.sin());
            positions.push(Point::new(flat * around.cos(), y, flat * around.sin()));
        }
    }
    let mut triangles = Vec::new();
    for column in 0..rings {
        triangles.push([0, at(0, column + 1), at(0, column)]);
        triangles.push([1, at(rings - 1, column), at(rings - 1, column + 1)]);
        for ring in 1..rings {
            let [a, b] = [at(ring - 1, column), at(ring - 1, column + 1)];
            let [c, d] = [at(ring, column), at(ring, column + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    (positions, triangles)
}

/// Positions and triangles.
pub(crate) type Shape = (Vec<Point>, Vec<[u32; 3]>);

/// Generates a closed ring of rings.
fn ring_of_rings(n: u32, place: impl Fn(f64, f64) -> Point) -> Shape {
    let angle = |k: u32| 2.0 * PI * f64::from(k) / f64::from(n);
    let positions = (0..n * n).map(|id| place(angle(id / n), angle(id % n))).collect();
    let at = |ring: u32, column: u32| ring % n * n + column % n;
    let squares = (0..n * n).map(|id| (id / n, id % n));
    let triangles = squares.flat_map(|(ring, column)| {
        let [a, b] = [at(ring, column), at(ring, column + 1)];
        let [c, d] = [at(ring + 1, column), at(ring + 1, column + 1)];
        [[a, c, b], [b, c, d]]
    });
    (positions, triangles.collect())
}

/// Generates a torus of radius 1, 0.35 thick each way, about y.
pub(crate) fn torus(n: u32) -> Shape {
    ring_of_rings(n, |around, minor| {
        let flat = 1.0 + 0.35 * minor.cos();
        Point::new(flat * around.cos(), 0.35 * minor.sin(), flat * around.sin())
    })
}

/// Generates a ball by subdividing an octahedron.
pub(crate) fn ball(divisions: u32, radius: f64, center: Vector) -> Shape {
    let mut positions: Vec<Point> = Vec::new();
    let mut triangles = Vec::new();
    let n = divisions;
    let mut vertex = |place: Vector| {
        let place = Point::from(place.normalize() * radius + center);
        let known = positions.iter().position(|other| (other - place).norm() < 1e-9);
        known.unwrap_or_else(|| {
            positions.push(place);
            positions.len() - 1
        }) as u32
    };
    for octant in 0..8_u32 {
        let sign = |bit: u32| if octant >> bit & 1 == 1 { -1.0 } else { 1.0 };
        let flipped = (octant.count_ones() & 1) == 1;
        let mut at = |i: u32, j: u32| {
            let [x, y] = [f64::from(i), f64::from(j)];
            vertex(Vector::new(sign(0) * x, sign(1) * y, sign(2) * (f64::from(n) - x - y)))
        };
        for i in 0..n {
            for j in 0..n - i {
                let mut add =
                    |[a, b, c]: [u32; 3]| triangles.push(if flipped { [a, c, b] } else { [a, b, c] });
                add([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < n {
                    add([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    (positions, triangles)
}

/// Generates a box from its half extents and its centre.
pub(crate) fn cuboid(half: [f64; 3], center: [f64; 3]) -> Shape {
    let corner = |k: u32| {
        Point::from(std::array::from_fn::<f64, 3, _>(|axis| {
            center[axis] + if k >> axis & 1 == 1 { half[axis] } else { -half[axis] }
        }))
    };
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    ((0..8).map(corner).collect(), triangles)
}

/// Merges both into one surface.
pub(crate) fn together(a: Shape, b: Shape) -> Shape {
    let ((mut positions, mut triangles), base) = (a.clone(), a.0.len() as u32);
    positions.extend(b.0);
    triangles.extend(b.1.iter().map(|ids| ids.map(|id| base + id)));
    (positions, triangles)
}

/// Returns the distance to a triangle: to its plane if the projection lies within, else to its sides.
fn to_triangle(point: &Point, [a, b, c]: [Point; 3]) -> f64 {
    let to_side = |a: Point, b: Point| {
        let along = b - a;
        let t = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (point - (a + along * t)).norm()
    };
    let normal = (b - a).cross(&(c - a)).normalize();
    let within = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| normal.dot(&(to - from).cross(&(point - from))) >= 0.0);
    let sides = to_side(a, b).min(to_side(b, c)).min(to_side(c, a));
    if within { sides.min(normal.dot(&(point - a)).abs()) } else { sides }
}

/// Returns the solid angle of a triangle (Van Oosterom and Strackee 1983).
fn seen(point: &Point, corners: [Point; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let under = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * a.dot(&b.cross(&c)).atan2(under)
}

/// Returns the signed distance over all triangles.
pub(crate) fn signed_distance((positions, triangles): &Shape, point: &Point) -> f64 {
    let corners = || triangles.iter().map(|ids| ids.map(|id| positions[id as usize]));
    let distance = corners().map(|corners| to_triangle(point, corners)).fold(f64::INFINITY, f64::min);
    let turns = corners().map(|corners| seen(point, corners)).sum::<f64>() / (4.0 * PI);
    if turns.abs() > 0.5 { -distance } else { distance }
}
