//! Small surfaces for the tests of several detectors.

use palpate_geometry::{Geometry, Needs, SurfaceMesh};
use palpate_math::Point;

/// Returns a surface with its tree and its normals.
pub(crate) fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> SurfaceMesh {
    let corners = corners.iter().copied().map(Point::from).collect();
    let mut mesh = SurfaceMesh::new(corners, triangles.to_vec()).unwrap();
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

/// Returns a square of two triangles around the origin in the plane y = 0, facing up.
pub(crate) fn floor(half: f64) -> SurfaceMesh {
    let corners = [[-half, 0.0, -half], [half, 0.0, -half], [half, 0.0, half], [-half, 0.0, half]];
    mesh(&corners, &[[0, 2, 1], [0, 3, 2]])
}

/// Returns a closed corner of three faces in the coordinate planes, with equal edges along the axes.
pub(crate) fn tetrahedron(size: f64) -> SurfaceMesh {
    let corners = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
    mesh(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
}

/// Returns the sides of boxes given by opposite corners, two triangles each: facing outward if the second corner is
/// greater than the first along all axes, inward if it is less.
pub(crate) fn blocks(corners: &[[[f64; 3]; 2]]) -> SurfaceMesh {
    let sides = [
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
    let corner = |of: &[[f64; 3]; 2], k: usize| [0, 1, 2].map(|axis| of[k >> axis & 1][axis]);
    let places: Vec<[f64; 3]> = corners.iter().flat_map(|of| (0..8).map(move |k| corner(of, k))).collect();
    let triangles: Vec<[u32; 3]> =
        (0..corners.len() as u32).flat_map(|of| sides.map(|ids| ids.map(|id| 8 * of + id))).collect();
    mesh(&places, &triangles)
}

/// Returns a cube with a corner at the origin and edges along the axes.
pub(crate) fn cube(size: f64) -> SurfaceMesh {
    blocks(&[[[0.0; 3], [size; 3]]])
}

/// Returns a surface with its vertices moved.
pub(crate) fn moved(surface: &SurfaceMesh, place: impl Fn(&Point) -> Point) -> SurfaceMesh {
    let corners: Vec<[f64; 3]> =
        surface.points().positions().iter().map(|corner| place(corner).into()).collect();
    mesh(&corners, surface.triangles())
}
