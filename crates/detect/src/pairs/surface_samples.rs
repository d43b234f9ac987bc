//! Small surfaces that the tests of several detectors stand on.

use palpate_geometry::{Geometry, Needs, SurfaceMesh};
use palpate_math::Point;

/// A surface with its tree and its normals.
pub(crate) fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> SurfaceMesh {
    let corners = corners.iter().copied().map(Point::from).collect();
    let mut mesh = SurfaceMesh::new(corners, triangles.to_vec()).unwrap();
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

/// Two triangles that make a square about the origin in the plane y = 0, facing up.
pub(crate) fn floor(half: f64) -> SurfaceMesh {
    let corners = [[-half, 0.0, -half], [half, 0.0, -half], [half, 0.0, half], [-half, 0.0, half]];
    mesh(&corners, &[[0, 2, 1], [0, 3, 2]])
}

/// A closed corner of three faces in the planes of the axes, with edges of one length along these.
pub(crate) fn tetrahedron(size: f64) -> SurfaceMesh {
    let corners = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
    mesh(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
}
