//! Conversions from palpate's types to parry's.

use palpate::math::Point;
use parry3d_f64::glamx::DVec3;
use parry3d_f64::shape::{TriMesh, TriMeshBuilderError, TriMeshFlags};

/// A point in parry's type.
pub(crate) fn vector(point: &Point) -> DVec3 {
    DVec3::new(point.x, point.y, point.z)
}

/// Points in parry's type.
pub(crate) fn vectors(points: &[Point]) -> Vec<DVec3> {
    points.iter().map(vector).collect()
}

/// A closed surface with its pseudo-normals. Errors: no triangles.
pub(crate) fn oriented(points: &[Point], triangles: &[[u32; 3]]) -> Result<TriMesh, TriMeshBuilderError> {
    TriMesh::with_flags(vectors(points), triangles.to_vec(), TriMeshFlags::ORIENTED)
}
