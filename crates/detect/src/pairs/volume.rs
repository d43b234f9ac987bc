//! The way out of a tetrahedral mesh: what its detectors share.

use palpate_contact::{Feature, FeatureKind};
use palpate_geometry::{SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Point, Vector, separation};

/// The unit direction from `point` to its nearest place on the boundary, and the distance. On the boundary, where rounding
/// leaves no way to tell, the boundary's outward direction and no distance.
pub(crate) fn way_out(boundary: &SurfaceMesh, point: &Point, nearest: &SurfaceNearest) -> (Vector, f64) {
    let (direction, distance) = separation::between(point, &nearest.point);
    match direction {
        Some(direction) => (direction, distance),
        None => (boundary.outward(nearest.feature), 0.0),
    }
}

/// The side of a contact on the boundary of a tetrahedral mesh: its cell is the lowest tetrahedron that has the element.
pub(crate) fn boundary_feature(
    mesh: &TetraMesh,
    boundary: &SurfaceMesh,
    nearest: &SurfaceNearest,
    surface_point: Point,
) -> Feature {
    let mut feature = boundary.contact_feature(nearest, surface_point);
    feature.cell = match feature.feature_kind() {
        FeatureKind::Vertex => mesh.points().owner(feature.vertices[0]),
        _ => mesh.boundary_cells()[boundary.owner(nearest.feature) as usize],
    };
    feature
}
