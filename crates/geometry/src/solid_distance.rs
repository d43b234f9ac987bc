//! Signed distance from a point to a solid of any kind.

use crate::{
    Compound, Geometry, GeometryError, Needs, Sidedness, SignedDistance, SurfaceMesh, TetraMesh,
    TypedGeometry,
};
use palpate_contact::NONE;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Point, rounding};

/// The signed distance from a point to a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidDistance {
    /// The distance, the closest point and the gradient.
    pub signed: SignedDistance,
    /// Whether that is the exact distance. Otherwise it is the value of a function that bounds one, or of a union from
    /// inside.
    pub is_exact: bool,
    /// The child of a compound, or [`NONE`].
    pub child: u32,
}

/// Returns the signed distance from `point` to a solid (world frame, metres; where a scene has
/// [placed](Geometry::placement) it); negative inside.
///
/// - Primitives, half-spaces, ellipsoids, cones and hulls: exact. A two-sided plane has no interior.
/// - Implicit bodies: as specified by their [functions](crate::implicit).
/// - Closed surfaces: exact with pseudonormals; with winding numbers exact outside, while inside an interior wall may
///   be closer than the outer surface. A thickness is part of the body: exact outside, a lower bound of the depth
///   inside.
/// - Tetrahedral meshes: exact, except for meshes with overlapping or degenerate tetrahedra.
/// - Compounds: the closest child outside, and the child with the greatest depth inside; ties go to the lowest. Outside
///   that is exact if all children are. Inside it is a lower bound of the depth, and exact if the closest point is
///   clearly outside all other children.
///
/// Errors: a geometry (or a child) that is not a solid or has no distance; a compound without children. Cost: that of
/// the geometry's own query; an unprepared mesh (`NORMALS | TREE`, tetrahedra `BOUNDARY | TREE`) is copied and prepared
/// first; a compound queries every child, and from inside all of them twice.
pub fn signed_distance(geometry: &dyn Geometry, point: &Point) -> Result<SolidDistance, GeometryError> {
    let Some(pose) = geometry.placement() else { return own_distance(geometry, point) };
    let mut found = own_distance(geometry, &pose.inverse_transform_point(point))?;
    found.signed.nearest = pose * found.signed.nearest;
    found.signed.gradient = pose.rotation * found.signed.gradient;
    Ok(found)
}

/// The signed distance in the coordinates of the geometry.
fn own_distance(geometry: &dyn Geometry, point: &Point) -> Result<SolidDistance, GeometryError> {
    let (signed, is_exact) = match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => return of_union(compound, point),
        TypedGeometry::SurfaceMesh(mesh) => of_surface(mesh, point)?,
        TypedGeometry::TetraMesh(mesh) => (of_tetrahedra(mesh, point)?, true),
        _ => {
            let bounds_distance = |solid: &&dyn ImplicitFunction| {
                solid.exactness().is_distance() || solid.lipschitz().is_some()
            };
            let solid = geometry.as_implicit().filter(bounds_distance);
            of_function(solid.ok_or_else(|| without_distance(geometry))?, point)
        }
    };
    Ok(SolidDistance { signed, is_exact, child: NONE })
}

fn without_distance(geometry: &dyn Geometry) -> GeometryError {
    GeometryError::Unsupported { kind: geometry.kind(), wanted: "a solid that has a distance" }
}

fn of_function(solid: &dyn ImplicitFunction, point: &Point) -> (SignedDistance, bool) {
    let signed = solid.signed_distance(point);
    let exactness = solid.exactness();
    (signed, if signed.distance < 0.0 { exactness.inside } else { exactness.outside })
}

fn of_surface(mesh: &SurfaceMesh, point: &Point) -> Result<(SignedDistance, bool), GeometryError> {
    if !mesh.is_closed() {
        return Err(without_distance(mesh));
    }
    let needs = Needs::TREE | Needs::NORMALS;
    let found = if mesh.is_prepared(needs) {
        mesh.signed_distance(point, f64::INFINITY)
    } else {
        let mut own = mesh.clone();
        own.prepare(needs);
        own.signed_distance(point, f64::INFINITY)
    };
    let (bare, _) = found.ok_or_else(|| without_distance(mesh))?;
    let radius = mesh.radius();
    let distance = bare.distance - radius;
    let signed = SignedDistance { distance, nearest: bare.nearest + bare.gradient * radius, ..bare };
    let by_normals = mesh.sidedness() == Sidedness::Pseudonormals;
    Ok((signed, distance >= 0.0 || (by_normals && radius == 0.0)))
}

fn of_tetrahedra(mesh: &TetraMesh, point: &Point) -> Result<SignedDistance, GeometryError> {
    let needs = Needs::TREE | Needs::BOUNDARY;
    let found = if mesh.is_prepared(needs) {
        mesh.signed_distance(point, f64::INFINITY)
    } else {
        let mut own = mesh.clone();
        own.prepare(needs);
        own.signed_distance(point, f64::INFINITY)
    };
    found.map(|(signed, _)| signed).ok_or_else(|| without_distance(mesh))
}

fn of_union(compound: &Compound, point: &Point) -> Result<SolidDistance, GeometryError> {
    let mut least: Option<SolidDistance> = None;
    let mut all_exact = true;
    for (child, geometry) in compound.children() {
        let found = SolidDistance { child, ..own_distance(geometry, point)? };
        all_exact &= found.is_exact;
        if least.is_none_or(|least| found.signed.distance < least.signed.distance) {
            least = Some(found);
        }
    }
    let least = least.ok_or_else(|| without_distance(compound))?;
    let is_exact = if least.signed.distance < 0.0 {
        least.is_exact && is_on_the_skin(compound, &least)?
    } else {
        all_exact
    };
    Ok(SolidDistance { is_exact, ..least })
}

/// Whether a child's closest point lies outside all others, by more than rounding error: then it is on the surface of
/// the union.
fn is_on_the_skin(compound: &Compound, found: &SolidDistance) -> Result<bool, GeometryError> {
    let nearest = &found.signed.nearest;
    for (_, geometry) in compound.children().filter(|(child, _)| *child != found.child) {
        let other = own_distance(geometry, nearest)?.signed;
        let undecided = rounding::length(rounding::largest_coordinate([nearest, &other.nearest]));
        if other.distance <= undecided {
            return Ok(false);
        }
    }
    Ok(true)
}
