//! Children of compounds.

use super::{State, palpate_scene, with};
use crate::arrays::palpate_points;
use crate::geometry::{palpate_geometry, take};
use crate::input::Out;
use crate::status::{Failure, Outcome, PALPATE_NOT_FOUND, palpate_status};
use crate::types::{palpate_geometry_id, palpate_pose};
use palpate::geometry::Compound;

fn compound(state: &mut State, id: palpate_geometry_id) -> Outcome<&mut Compound> {
    let id = state.geometry(id)?;
    Ok(state.scene.geometry_mut::<Compound>(id)?)
}

fn no_child(child: u32) -> Failure {
    let text = format!("the compound has no child {child}: wanted one that was added and not removed");
    Failure::new(PALPATE_NOT_FOUND, text)
}

/// Adds a child to a compound, which is taken over, and freed if the call fails, and writes its number: the first of a compound's
/// children.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add_child(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    geometry: *mut palpate_geometry,
    child: *mut u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        let geometry = take(geometry);
        with(scene, |state| {
            let out = Out::new(child, "the place for the child")?;
            out.put(compound(state, id)?.add_child(geometry?).start);
            Ok(())
        })
    }
}

/// Removes a child of a compound. The others keep their numbers. Errors: `PALPATE_NOT_FOUND`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_remove_child(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    child: u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let removed = compound(state, id)?.remove_child(child);
            removed.map(drop).ok_or_else(|| no_child(child))
        })
    }
}

/// Moves a child that has a pose: a shape, a hull, an implicit body. The pose is in the compound's coordinates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_child_pose(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    child: u32,
    pose: *const palpate_pose,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let pose = pose.as_ref().ok_or_else(|| Failure::null("pose"))?.checked()?;
            let child = compound(state, id)?.child_dyn_mut(child).ok_or_else(|| no_child(child))?;
            Ok(child.set_pose(pose)?)
        })
    }
}

/// Moves the vertices of a child that is a mesh or a point set. Errors: as `palpate_scene_set_vertices`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_child_vertices(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    child: u32,
    vertices: *const palpate_points,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let vertices = vertices.as_ref().ok_or_else(|| Failure::null("vertices"))?;
            let mut scratch = std::mem::take(&mut state.points);
            let moved = vertices.read("vertices", &mut scratch).and_then(|points| {
                let child = compound(state, id)?.child_dyn_mut(child).ok_or_else(|| no_child(child))?;
                Ok(child.set_positions(&points)?)
            });
            state.points = scratch;
            moved
        })
    }
}
