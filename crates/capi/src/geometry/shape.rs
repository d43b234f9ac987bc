//! Shapes with sizes, planes and hulls.

use super::{make, palpate_geometry};
use crate::arrays::palpate_points;
use crate::input::flag;
use crate::status::{Failure, palpate_status};
use crate::types::{palpate_pose, point, vector};
use palpate::geometry::{Capsule, Cone, Convex, Cylinder, Ellipsoid, OrientedBox, Plane, Sphere};

/// Makes a ball: `center` in metres, `radius` greater than 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_sphere(
    center: *const f64,
    radius: f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let center = unsafe { point(center, "center") }?;
        Ok(Box::new(Sphere::new(center, radius)?))
    })
}

/// Makes a capsule: a segment of `length` (0 or more) along local +y about the origin, with a radius greater than 0; metres.
/// A null pose is the identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_capsule(
    pose: *const palpate_pose,
    radius: f64,
    length: f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let pose = unsafe { palpate_pose::or_identity(pose) }?;
        Ok(Box::new(Capsule::new(pose, radius, length)?))
    })
}

/// Makes a solid cylinder with its axis along local +y about the origin; metres. A null pose is the identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_cylinder(
    pose: *const palpate_pose,
    radius: f64,
    length: f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let pose = unsafe { palpate_pose::or_identity(pose) }?;
        Ok(Box::new(Cylinder::new(pose, radius, length)?))
    })
}

/// Makes a solid cone with its axis along local +y and its tip there, about the middle of the axis; metres. A null pose is the
/// identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_cone(
    pose: *const palpate_pose,
    radius: f64,
    length: f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let pose = unsafe { palpate_pose::or_identity(pose) }?;
        Ok(Box::new(Cone::new(pose, radius, length)?))
    })
}

/// Makes a box about its origin: three half extents greater than 0, in metres. A null pose is the identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_box(
    pose: *const palpate_pose,
    half_extents: *const f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (pose, half) =
            unsafe { (palpate_pose::or_identity(pose)?, vector(half_extents, "half_extents")?) };
        Ok(Box::new(OrientedBox::new(pose, half)?))
    })
}

/// Makes an ellipsoid about its origin: three radii greater than 0, in metres. A null pose is the identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_ellipsoid(
    pose: *const palpate_pose,
    radii: *const f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (pose, radii) = unsafe { (palpate_pose::or_identity(pose)?, vector(radii, "radii")?) };
        Ok(Box::new(Ellipsoid::new(pose, radii)?))
    })
}

/// Makes a half-space below `position` seen along `normal` (any length but 0), or with `two_sided` 1 a sheet without an inside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_plane(
    position: *const f64,
    normal: *const f64,
    two_sided: u32,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (position, normal) = unsafe { (point(position, "position")?, vector(normal, "normal")?) };
        let two_sided = flag(two_sided, "two_sided")?;
        Ok(Box::new(Plane::new(position, normal)?.with_two_sided(two_sided)))
    })
}

/// Makes the convex hull of points in its local frame, grown by `radius` (0 or more, metres). A null pose is the identity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_convex(
    pose: *const palpate_pose,
    vertices: *const palpate_points,
    radius: f64,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (pose, vertices) = unsafe { (palpate_pose::or_identity(pose)?, vertices.as_ref()) };
        let vertices = vertices.ok_or_else(|| Failure::null("vertices"))?;
        let mut scratch = Vec::new();
        // SAFETY: by the rules of the header.
        let vertices = unsafe { vertices.read("vertices", &mut scratch) }?;
        Ok(Box::new(Convex::new(pose, &vertices)?.with_radius(radius)?))
    })
}
