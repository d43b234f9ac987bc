//! Vertices of meshes and point sets, updated in place.

use super::{State, palpate_scene, with};
use crate::arrays::{Points, palpate_points};
use crate::input::{Out, copy_out};
use crate::status::{Failure, Outcome, PALPATE_NOT_FOUND, PALPATE_UNSUPPORTED, palpate_status};
use crate::types::palpate_geometry_id;
use palpate::geometry::{GeometryError, LineMesh, PointSet, SurfaceMesh, TetraMesh};
use palpate::math::Point;
use palpate::scene::{GeometryId, SceneError};
use std::any::Any;

/// Moves the vertices of a mesh or a point set; as many as it has. `double` vertices without gaps in metres are copied once,
/// others are converted first. Errors: a count that differs, a coordinate that is not finite; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    vertices: *const palpate_points,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            let vertices = vertices.as_ref().ok_or_else(|| Failure::null("vertices"))?;
            let State { scene, points, .. } = state;
            match vertices.read("vertices", points)? {
                Points::Host(points) => scene.set_positions(id, points)?,
                Points::Converted(points) => scene.swap_positions(id, points)?,
            }
            Ok(())
        })
    }
}

/// Sets the vertices of the step before, for continuous detection, where `palpate_scene_advance` is not used. Errors: as
/// `palpate_scene_set_vertices`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_previous_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    vertices: *const palpate_points,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            let vertices = vertices.as_ref().ok_or_else(|| Failure::null("vertices"))?;
            let State { scene, points, .. } = state;
            set_previous(scene.geometry_dyn_mut(id)?, &vertices.read("vertices", points)?)
        })
    }
}

fn set_previous(geometry: &mut dyn palpate::geometry::Geometry, positions: &[Point]) -> Outcome {
    let kind = geometry.kind();
    let any: &mut dyn Any = geometry;
    if let Some(mesh) = any.downcast_mut::<SurfaceMesh>() {
        return Ok(mesh.set_previous(positions)?);
    }
    if let Some(mesh) = any.downcast_mut::<TetraMesh>() {
        return Ok(mesh.set_previous(positions)?);
    }
    if let Some(mesh) = any.downcast_mut::<LineMesh>() {
        return Ok(mesh.set_previous(positions)?);
    }
    match any.downcast_mut::<PointSet>() {
        Some(points) => Ok(points.set_previous(positions)?),
        None => Err(GeometryError::NoVertices { kind }.into()),
    }
}

/// Copies the vertices of a mesh or a point set to an array of `capacity` points, three `double` each, in its own coordinates.
/// `count` is set to how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    vertices: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let points = positions(state, state.geometry(id)?)?;
            let values = points.iter().map(|point| <[f64; 3]>::from(point.coords));
            copy_out(values, (vertices.cast(), capacity), count, "vertices")
        })
    }
}

fn positions(state: &State, id: GeometryId) -> Outcome<&[Point]> {
    let geometry = state.scene.geometry(id)?;
    match geometry.as_points() {
        Some(points) => Ok(points.positions()),
        None => {
            let reason = GeometryError::NoVertices { kind: geometry.kind() };
            let name = state.scene.name(id)?.to_owned();
            Err(SceneError::NotMoved { name, reason }.into())
        }
    }
}

/// Writes a pointer to the vertices of a mesh or a point set, three `double` each, for the host to change, and how many there
/// are. They have their current values. `palpate_scene_unmap_vertices` takes them over; until then steps use the old ones. The
/// pointer is valid until then, or until the geometry or the scene is gone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_map_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    vertices: *mut *mut f64,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(vertices, "vertices")?, Out::new(count, "count")?);
            let id = state.geometry(id)?;
            let current = positions(state, id)?.len();
            if !state.mapped.iter().any(|(mapped, _)| *mapped == id) {
                state.mapped.push((id, Vec::new()));
            }
            let mut mapped = std::mem::take(&mut state.mapped);
            if let Some((_, list)) = mapped.iter_mut().find(|(mapped, _)| *mapped == id) {
                list.clear();
                list.extend_from_slice(positions(state, id)?);
                out.put(list.as_mut_ptr().cast());
            }
            state.mapped = mapped;
            out_count.put(current);
            Ok(())
        })
    }
}

/// Moves the vertices to what the host has written to the memory of `palpate_scene_map_vertices`. Errors: `PALPATE_NOT_FOUND`
/// without a map; a coordinate that is not finite: nothing is changed then, and the memory stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_unmap_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            let State { scene, mapped, .. } = state;
            let found = mapped.iter_mut().find(|(mapped, list)| *mapped == id && !list.is_empty());
            let Some((_, list)) = found else {
                let text = format!("{id} is not mapped: wanted palpate_scene_map_vertices before");
                return Err(Failure::new(PALPATE_NOT_FOUND, text));
            };
            // Copied: a host that still has the old pointer does not change the geometry.
            scene.set_positions(id, list)?;
            // Not mapped any more; the memory stays for the next time.
            list.clear();
            Ok(())
        })
    }
}

/// The error of a geometry that has no cells.
pub(super) fn without_cells(kind: &palpate::geometry::GeometryKind) -> Failure {
    let text = format!("the geometry is of kind {kind}: wanted a line mesh, a surface mesh or a tetra mesh");
    Failure::new(PALPATE_UNSUPPORTED, text)
}
