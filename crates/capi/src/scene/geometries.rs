//! Geometries of a scene.

use super::{palpate_scene, with};
use crate::geometry::{palpate_geometry, take};
use crate::input::{Out, copy_text, flag, options_struct, text};
use crate::status::{Failure, PALPATE_NOT_FOUND, palpate_status};
use crate::types::{palpate_geometry_id, palpate_pose};
use palpate::describe::to_json;
use palpate::scene::Groups;
use std::ffi::c_char;

/// Options of a geometry in a scene.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_add_options {
    /// Set by `palpate_add_options_default`.
    pub struct_size: u32,
    /// The groups that it is a member of, a bit each; the first by default.
    pub membership: u32,
    /// The groups that it may collide with, for pairs by groups; all by default.
    pub mask: u32,
    /// 0.
    pub reserved: u32,
    /// Anything of the host's; 0 by default.
    pub user_data: u64,
}

impl Default for palpate_add_options {
    fn default() -> Self {
        let Groups { membership, mask } = Groups::default();
        Self { struct_size: size_of::<Self>() as u32, membership, mask, reserved: 0, user_data: 0 }
    }
}

options_struct! { palpate_add_options 24; }

/// The default options of a geometry in a scene.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_add_options_default() -> palpate_add_options {
    palpate_add_options::default()
}

/// Adds a geometry under a name that no other of the scene has, and writes its id. The geometry is taken over, and freed if the
/// call fails. `options` may be null. Errors: a name in use; a kind that the pairs by groups do not support.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add(
    scene: *mut palpate_scene,
    name: *const c_char,
    geometry: *mut palpate_geometry,
    options: *const palpate_add_options,
    id: *mut palpate_geometry_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        let geometry = take(geometry);
        with(scene, |state| {
            let (out, name) = (Out::new(id, "the place for the id")?, text(name, "name")?);
            let given = crate::input::options(options)?;
            let groups = Groups { membership: given.membership, mask: given.mask };
            let id = state.scene.add_boxed(name, geometry?, groups)?;
            state.scene.set_user_data(id, given.user_data)?;
            out.put(state.ids.id_of(id));
            Ok(())
        })
    }
}

/// Removes a geometry and all its pairs. Its id and theirs are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_remove(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            drop(state.scene.remove(id)?);
            state.mapped.retain(|(mapped, _)| *mapped != id);
            Ok(())
        })
    }
}

/// Puts another geometry, of any kind, in the place of one. It is taken over, and freed if the call fails. Id, name, groups and
/// pairs stay; the pairs start without memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_replace(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    geometry: *mut palpate_geometry,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        let geometry = take(geometry);
        with(scene, |state| {
            let id = state.geometry(id)?;
            state.scene.replace(id, geometry?)?;
            state.mapped.retain(|(mapped, _)| *mapped != id);
            Ok(())
        })
    }
}

/// Finds a geometry by its name. Errors: `PALPATE_NOT_FOUND`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_find(
    scene: *mut palpate_scene,
    name: *const c_char,
    id: *mut palpate_geometry_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, name) = (Out::new(id, "the place for the id")?, text(name, "name")?);
            let missing = || {
                Failure::new(
                    PALPATE_NOT_FOUND,
                    format!("no geometry is named {name:?}: wanted one of the scene"),
                )
            };
            let found = state.scene.id(name).ok_or_else(missing)?;
            out.put(state.ids.id_of(found));
            Ok(())
        })
    }
}

/// Writes the name of a geometry with a final zero byte, and its length without that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_name(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| copy_text(state.scene.name(state.geometry(id)?)?, (buffer, capacity), length))
    }
}

/// Writes the kind of a geometry, as `surface_mesh`, with a final zero byte, and its length without that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_kind(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let kind = state.scene.geometry(state.geometry(id)?)?.kind();
            copy_text(kind.name(), (buffer, capacity), length)
        })
    }
}

/// Writes the JSON description of a geometry in its current state (docs/detect-json.md) with a final zero byte, and its length
/// without that: what `palpate_geometry_json` reads, bit for bit. Errors: a shape or a function of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_geometry_json(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let json = to_json(state.scene.geometry(state.geometry(id)?)?)?;
            copy_text(&json.to_string(), (buffer, capacity), length)
        })
    }
}

/// Moves a geometry to a pose, local to world. Shapes store it; meshes, point sets and compounds are placed: their vertices
/// stay in their local frame, and their contacts are in the world frame. Cost: constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_pose(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    pose: *const palpate_pose,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            let pose = pose.as_ref().ok_or_else(|| Failure::null("pose"))?.checked()?;
            Ok(state.scene.set_pose(id, pose)?)
        })
    }
}

/// Writes the pose of a geometry; the identity for a mesh that was never placed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_pose(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    pose: *mut palpate_pose,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let out = Out::new(pose, "the place for the pose")?;
            out.put(palpate_pose::of(&state.scene.pose(state.geometry(id)?)?));
            Ok(())
        })
    }
}

/// Says that a geometry rests (1) or that it may move again (0): for a host whose solver lets bodies sleep. A pair of two that sleep, or
/// of one that sleeps and one that has not changed, keeps its contacts and is not looked at, wherever the sleeping ones are moved
/// meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_asleep(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    is_asleep: u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| Ok(state.scene.set_asleep(state.geometry(id)?, flag(is_asleep, "is_asleep")?)?))
    }
}

/// Sets the host's data of a geometry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_user_data(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    user_data: u64,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| Ok(state.scene.set_user_data(state.geometry(id)?, user_data)?)) }
}

/// Writes the host's data of a geometry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_user_data(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    user_data: *mut u64,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let out = Out::new(user_data, "the place for the data")?;
            out.put(state.scene.user_data(state.geometry(id)?)?);
            Ok(())
        })
    }
}
