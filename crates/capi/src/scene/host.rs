//! What a host adds to a scene: a filter of contacts, lines for its renderer, states to go back to.

use super::{Ids, palpate_scene, with};
use crate::handle::enter;
use crate::input::{Out, flag, options, options_struct};
use crate::status::{CallbackFailed, Failure, palpate_status};
use crate::types::{palpate_contact, palpate_geometry_id};
use crate::user::{User, palpate_destroy_function};
use crate::wall::call;
use palpate::contact::Contact;
use palpate::scene::{ContactFilter, DebugLine, DebugOptions, GeometryId, PairId, SavedScene};
use std::ffi::c_void;
use std::mem::offset_of;

/// Decides whether a contact between geometry `a` (side A) and `b` is kept: 1 for yes, 0 for no, another number if it fails. The
/// same answer for the same contact. It must not throw, and must not call palpate with the scene.
pub type palpate_filter_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        a: palpate_geometry_id,
        b: palpate_geometry_id,
        contact: *const palpate_contact,
    ) -> i32,
>;

struct Filter {
    function: unsafe extern "C" fn(
        *mut c_void,
        palpate_geometry_id,
        palpate_geometry_id,
        *const palpate_contact,
    ) -> i32,
    user: User,
    /// The number of the scene in its ids.
    scene: u64,
}

impl ContactFilter for Filter {
    fn keeps(&mut self, _: PairId, sides: [GeometryId; 2], contact: &Contact) -> bool {
        let [a, b] = sides.map(|side| Ids::in_scene(self.scene, side));
        // SAFETY: by the rules of the header; a contact of Rust is one of C.
        let code = unsafe { (self.function)(self.user.pointer, a, b, std::ptr::from_ref(contact).cast()) };
        match code {
            0 => false,
            1 => true,
            code => CallbackFailed { what: "the filter", code }.unwind(),
        }
    }
}

/// Sets the filter that every contact passes from the next step on; null for none. What it drops is in no list, event or count.
/// `destroy` frees `user` with the scene, or when another filter is set; also if this call fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_filter(
    scene: *mut palpate_scene,
    filter: palpate_filter_function,
    user: *mut c_void,
    destroy: palpate_destroy_function,
) -> palpate_status {
    let user = User::new(user, destroy);
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let number = state.ids.number();
            let filter = filter
                .map(|function| Box::new(Filter { function, user, scene: number }) as Box<dyn ContactFilter>);
            state.scene.set_filter(filter);
            Ok(())
        })
    }
}

/// A coloured segment.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_line {
    /// Both ends, world frame, metres.
    pub ends: [[f64; 3]; 2],
    /// Red, green, blue, opacity; 0 to 255.
    pub color: [u8; 4],
}

const _: () = {
    assert!(size_of::<palpate_line>() == size_of::<DebugLine>());
    assert!(align_of::<palpate_line>() == align_of::<DebugLine>());
    assert!(offset_of!(palpate_line, ends) == offset_of!(DebugLine, ends));
    assert!(offset_of!(palpate_line, color) == offset_of!(DebugLine, color));
};

/// What `palpate_scene_debug_lines` draws.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_debug_options {
    /// Set by `palpate_debug_options_default`.
    pub struct_size: u32,
    /// 1 (the default) for edges of meshes, outlines of shapes, points as crosses.
    pub shapes: u32,
    /// 1 for the boxes of the broad phase; 0 by default.
    pub boxes: u32,
    /// 1 (the default) for contacts: from the point of side A to that of side B, and the way out of A.
    pub contacts: u32,
    /// Metres: the length of the ways out and of crosses, and half the side of what is drawn of a plane; 0.01 by default.
    pub size: f64,
}

impl Default for palpate_debug_options {
    fn default() -> Self {
        let DebugOptions { shapes, boxes, contacts, size } = DebugOptions::default();
        let [shapes, boxes, contacts] = [shapes, boxes, contacts].map(u32::from);
        Self { struct_size: size_of::<Self>() as u32, shapes, boxes, contacts, size }
    }
}

options_struct! { palpate_debug_options 24; }

/// The default options of lines.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_debug_options_default() -> palpate_debug_options {
    palpate_debug_options::default()
}

/// Writes a pointer to lines that show the scene after its last step, and their number; valid until the next call of this function,
/// or until the scene is freed. `options` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_debug_lines(
    scene: *mut palpate_scene,
    options: *const palpate_debug_options,
    lines: *mut *const palpate_line,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(lines, "lines")?, Out::new(count, "count")?);
            let given = self::options(options)?;
            let options = DebugOptions {
                shapes: flag(given.shapes, "shapes")?,
                boxes: flag(given.boxes, "boxes")?,
                contacts: flag(given.contacts, "contacts")?,
                size: given.size,
            };
            state.scene.debug_lines(&options, &mut state.lines);
            out.put(state.lines.as_ptr().cast());
            out_count.put(state.lines.len());
            Ok(())
        })
    }
}

/// The state of a scene at a step, to go back to. Any thread; not changed once it is made.
pub struct palpate_saved {
    saved: SavedScene,
}

/// Keeps the state of a scene: geometries with their previous states, pairs with their settings and contacts, events. What follows is
/// the same to the bit now and whenever the state is given back; the next step costs as much as a first one. Free it with
/// `palpate_saved_free`. The filter and the options of the scene are not part of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_save(
    scene: *mut palpate_scene,
    saved: *mut *mut palpate_saved,
) -> palpate_status {
    call(|| {
        let out = Out::new(saved, "the place for the state")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let mut scene = unsafe { enter(scene, "the scene") }?;
        let saved = scene.scene.save()?;
        out.put(Box::into_raw(Box::new(palpate_saved { saved })));
        Ok(())
    })
}

/// Gives a scene back a state that it has saved, any number of times. Geometries and pairs that were removed since are there again
/// under their ids; ids that were given since are not given again. Errors: a state of another scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_restore(
    scene: *mut palpate_scene,
    saved: *const palpate_saved,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let saved = saved.as_ref().ok_or_else(|| Failure::null("the saved state"))?;
            state.scene.restore(&saved.saved)?;
            state.mapped.clear();
            Ok(())
        })
    }
}

/// Frees a saved state. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_saved_free(saved: *mut palpate_saved) {
    if !saved.is_null() {
        // SAFETY: by the rules of the header it came from `palpate_scene_save`.
        drop(unsafe { Box::from_raw(saved) });
    }
}
