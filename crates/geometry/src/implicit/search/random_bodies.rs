//! Meshes and random bodies for the tests of the deepest point.

pub(super) use super::convex::random_cases::Random;
use crate::implicit::{ImplicitFunction, Intersection, Torus};
use crate::pose::{from_rotation, rotation_from_axis};
use crate::{Capsule, Cylinder, Geometry, Needs, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use std::sync::Arc;

/// The number of kinds of bodies.
pub(super) const KINDS: usize = 5;

/// The number of meshes.
pub(super) const MESHES: usize = 3;

/// An octahedron, one with a pit in one of its faces, and a bumpy ball of 354 triangles, the first of which is cut.
pub(super) fn meshes(scale: f64) -> [SurfaceMesh; MESHES] {
    let corners = [[1.1, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, -0.9, 0.0], [0.1, 0.0, 1.3]];
    let corners = corners.into_iter().chain([[0.0, 0.0, -1.2], [0.2, 0.1, 0.2]]).map(Point::from);
    let corners: Vec<Point> = corners.map(|corner| corner * scale).collect();
    let cells = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mut dented = cells[1..].to_vec();
    dented.extend([[0, 2, 6], [2, 4, 6], [4, 0, 6]]);
    let ball = bumpy_ball(scale);
    [(corners[..6].to_vec(), cells.to_vec()), (corners, dented), ball].map(|(corners, cells)| {
        let mut mesh = SurfaceMesh::new(corners, cells).unwrap();
        if mesh.triangles().len() > 100 {
            let [a, b, c] = mesh.corners(0).map(|corner| corner.coords);
            mesh.split_cell(0, &Point::from((a + b + c) / 3.0)).unwrap();
        }
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    })
}

/// Eleven circles of 16 corners between two poles.
fn bumpy_ball(scale: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let corner = |k: u32| {
        let (up, out) = libm::sincos((f64::from(k / 16 + 1) / 12.0 - 0.5) * std::f64::consts::PI);
        let (sin, cos) = libm::sincos(f64::from(k % 16) / 8.0 * std::f64::consts::PI);
        let radius = scale * (0.9 + 0.1 * libm::sin(1.7 * f64::from(k)));
        Point::new(radius * out * cos, radius * up, radius * out * sin)
    };
    let mut corners: Vec<Point> = (0..176).map(corner).collect();
    corners.extend([Point::new(0.0, -scale, 0.0), Point::new(0.0, scale, 0.0)]);
    let beside = |k: u32| k / 16 * 16 + (k + 1) % 16;
    let sides = (0..160).flat_map(|k| [[k, k + 16, beside(k)], [beside(k), k + 16, beside(k) + 16]]);
    let ends = (0..16).flat_map(|k| [[176, k, beside(k)], [177, beside(k + 160), k + 160]]);
    (corners, sides.chain(ends).collect())
}

impl Random {
    /// A cylinder, a ring, a lens, a ball with a hollow or a rod, somewhere in or about the meshes.
    pub(super) fn body(&mut self, kind: usize, scale: f64) -> Arc<dyn ImplicitFunction> {
        let center = Point::from(self.vector() * 0.8 * scale);
        let pose = from_rotation(center, rotation_from_axis(self.vector()).unwrap()).unwrap();
        let size = (0.35 + 0.25 * self.next()) * scale;
        let ball = |x: f64, radius: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(center + Vector::x() * (x * size), radius * size).unwrap())
        };
        match kind {
            0 => Arc::new(Cylinder::new(pose, size, 1.4 * size).unwrap()),
            1 => Arc::new(Torus::new(pose, size, 0.4 * size).unwrap()),
            2 => Arc::new(Intersection::new(vec![ball(-0.3, 1.2), ball(0.4, 1.0)]).unwrap()),
            3 => Arc::new(Intersection::difference(vec![ball(0.0, 1.4), ball(0.5, 1.0)]).unwrap()),
            _ => Arc::new(Capsule::new(pose, 0.6 * size, 1.5 * size).unwrap()),
        }
    }
}
