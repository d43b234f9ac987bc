//! Exit from a tetrahedral mesh; shared by its detectors.

use palpate_contact::{CollisionData, Contact, Feature, FeatureKind};
use palpate_geometry::{SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Point, Vector, barycentric};

/// Returns the unit direction from `point` to its closest point on the boundary, and the distance. On the boundary,
/// within rounding error, returns the boundary's outward direction and zero.
pub(crate) fn way_out(boundary: &SurfaceMesh, point: &Point, nearest: &SurfaceNearest) -> (Vector, f64) {
    let (direction, distance) = boundary.direction_from(nearest, point);
    match direction {
        Some(away) => (-away, distance),
        None => (boundary.outward(nearest.feature), 0.0),
    }
}

/// Returns the side of a contact on the boundary of a tetrahedral mesh; its cell is the lowest-index tetrahedron that
/// has the element.
pub(crate) fn boundary_feature(
    mesh: &TetraMesh,
    boundary: &SurfaceMesh,
    nearest: &SurfaceNearest,
    surface_point: Point,
) -> Feature {
    owned_by_tetrahedron(mesh, boundary.contact_feature(nearest, surface_point))
}

/// Replaces the cell of a boundary element, a triangle, by the lowest-index tetrahedron that has the element.
pub(crate) fn owned_by_tetrahedron(mesh: &TetraMesh, feature: Feature) -> Feature {
    let cell = match feature.feature_kind() {
        FeatureKind::Tetrahedron => feature.cell,
        FeatureKind::Vertex => mesh.points().owner(feature.vertices[0]),
        _ => mesh.boundary_cells()[feature.cell as usize],
    };
    Feature { cell, ..feature }
}

/// Replaces the cells of the contacts from index `before` on, whose first side is a boundary element or a
/// tetrahedron, by tetrahedra.
pub(crate) fn name_tetrahedra(mesh: &TetraMesh, before: usize, out: &mut CollisionData) {
    for contact in &mut out.contacts[before..] {
        *contact = Contact { a: owned_by_tetrahedron(mesh, contact.a), ..*contact };
    }
}

/// Returns the barycentric weights of a point of the closed tetrahedron; a point outside a face by rounding error is
/// clamped to it. `None` for a degenerate tetrahedron.
pub(crate) fn weights_inside(point: &Point, corners: &[Point; 4]) -> Option<[f64; 4]> {
    let weights = barycentric::tetrahedron(point, corners.each_ref())?.map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    Some(weights.map(|weight| weight / sum))
}
