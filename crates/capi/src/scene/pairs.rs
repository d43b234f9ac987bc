//! Pairs.

use super::settings::{palpate_settings, together};
use super::{State, palpate_scene, with};
use crate::input::{Out, copy_text, optional_text, options, options_struct, text};
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{palpate_geometry_id, palpate_pair_id};
use palpate::detect::Detection;
use palpate::scene::PairOptions;
use palpate::serde_json::{Map, Value};
use std::ffi::c_char;

/// Contacts at the end of the step.
pub const PALPATE_DETECTION_STATIC: u32 = 0;
/// First contacts of the motion from the previous state.
pub const PALPATE_DETECTION_CONTINUOUS: u32 = 1;
/// First contacts of the motion, then those at the end of the step.
pub const PALPATE_DETECTION_CONTINUOUS_THEN_STATIC: u32 = 2;

/// Options of a pair.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_pair_options {
    /// Set by `palpate_pair_options_default`.
    pub struct_size: u32,
    /// `PALPATE_DETECTION_…`, where no detector is named; static by default.
    pub detection: u32,
    /// Metres: pairs closer than this are reported too, with negative depth; 0 by default.
    pub margin: f64,
    /// The name of a detector or an alias, as `sphere_capsule`; null (the default) for the one of the two kinds.
    pub detector: *const c_char,
    /// Settings as a struct, or null.
    pub settings: *const palpate_settings,
    /// Settings as a JSON object, or null; they go before those of the struct.
    pub settings_json: *const c_char,
}

impl Default for palpate_pair_options {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            detection: PALPATE_DETECTION_STATIC,
            margin: 0.0,
            detector: std::ptr::null(),
            settings: std::ptr::null(),
            settings_json: std::ptr::null(),
        }
    }
}

options_struct! { palpate_pair_options size_of::<Self>(); }

/// The default options of a pair.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_pair_options_default() -> palpate_pair_options {
    palpate_pair_options::default()
}

/// # Safety
/// As the rules of the header say.
pub(super) unsafe fn read(given: *const palpate_pair_options) -> Outcome<PairOptions> {
    // SAFETY: the caller's promise.
    unsafe {
        let given = options(given)?;
        let detection = match given.detection {
            PALPATE_DETECTION_STATIC => Detection::Static,
            PALPATE_DETECTION_CONTINUOUS => Detection::Continuous,
            PALPATE_DETECTION_CONTINUOUS_THEN_STATIC => Detection::ContinuousThenStatic,
            other => return Err(Failure::argument(format!("detection is {other}: wanted 0, 1 or 2"))),
        };
        let settings = if given.settings.is_null() { None } else { Some(options(given.settings)?) };
        Ok(PairOptions {
            detector: optional_text(given.detector, "detector")?.map(str::to_owned),
            settings: together(settings, optional_text(given.settings_json, "settings_json")?)?,
            margin: given.margin,
            detection,
            ..PairOptions::default()
        })
    }
}

/// Adds the pair of two geometries, sides A and B of its contacts, and writes its id; self-contact if `b` is `a`. `options` may be
/// null. Errors: `PALPATE_UNSUPPORTED` if no detector serves the pair.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add_pair(
    scene: *mut palpate_scene,
    a: palpate_geometry_id,
    b: palpate_geometry_id,
    options: *const palpate_pair_options,
    pair: *mut palpate_pair_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, options) = (Out::new(pair, "the place for the pair")?, read(options)?);
            let (a, b) = (state.geometry(a)?, state.geometry(b)?);
            let id = state.scene.add_pair(a, b, options)?;
            out.put(state.ids.pair_id_of(id));
            Ok(())
        })
    }
}

/// Detects the pairs of a member of one of the groups `first` (bits) with a member of one of the groups `second`, whose masks
/// agree, now and later; all pairs for two times `UINT32_MAX`. Settings apply to the pairs whose detector has them. The pairs are
/// in the lists of `palpate_scene_active_pairs` while they are near. `options` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add_pairs_between(
    scene: *mut palpate_scene,
    first: u32,
    second: u32,
    options: *const palpate_pair_options,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| Ok(state.scene.add_pairs_between(first, second, read(options)?)?)) }
}

/// Removes what `palpate_scene_add_pairs_between` has added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_remove_pairs_by_groups(scene: *mut palpate_scene) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            state.scene.remove_pairs_by_groups();
            Ok(())
        })
    }
}

/// Removes a pair. Its id is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_remove_pair(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| Ok(state.scene.remove_pair(state.ids.pair(pair)?)?)) }
}

/// Changes the margin of a pair, metres, from the next step on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_margin(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    margin: f64,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| Ok(state.scene.set_margin(state.ids.pair(pair)?, margin)?)) }
}

fn set_settings(state: &mut State, pair: palpate_pair_id, settings: Option<Value>) -> Outcome {
    let pair = state.ids.pair(pair)?;
    Ok(state.scene.set_settings(pair, settings.unwrap_or_else(|| Value::Object(Map::new())))?)
}

/// Replaces the settings of a pair. It starts without memory, and has no contacts until the next step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_settings(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    settings: *const palpate_settings,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| set_settings(state, pair, together(Some(options(settings)?), None)?)) }
}

/// Replaces the settings of a pair by those of a JSON object; as `palpate_scene_set_settings`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_settings_json(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    json: *const c_char,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { with(scene, |state| set_settings(state, pair, together(None, Some(text(json, "json")?))?)) }
}

/// Writes all settings of a pair as a JSON object with a final zero byte, and its length without that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_settings_json(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let settings = state.scene.pair(state.ids.pair(pair)?)?.settings();
            copy_text(&settings.to_string(), (buffer, capacity), length)
        })
    }
}

/// Writes the name of a pair's detector with a final zero byte, and its length without that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_detector(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            copy_text(state.scene.pair(state.ids.pair(pair)?)?.detector(), (buffer, capacity), length)
        })
    }
}
