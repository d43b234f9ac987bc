//! The life of a scene.

use super::{State, with};
use crate::handle::{Guarded, boxed, free, objects};
use crate::input::{Out, options_struct};
use crate::runner::{Runner, palpate_parallel_for_function};
use crate::status::{Failure, Outcome, palpate_status};
use crate::user::palpate_destroy_function;
use crate::wall::call;
use palpate::detect::{Executor, Pool, Serial};
use palpate::scene::Scene;
use std::ffi::c_void;

/// Geometries, pairs of them, and the contacts of the last step. One call at a time, from any thread; a second one meanwhile
/// fails with `PALPATE_BUSY`. Different scenes share nothing.
pub struct palpate_scene(Guarded<State>);

objects! { palpate_scene: State; }

impl palpate_scene {
    fn new(scene: Scene) -> Self {
        Self(Guarded::new("scene", State::new(scene)))
    }
}

/// Options of a scene.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_scene_options {
    /// Set by `palpate_scene_options_default`.
    pub struct_size: u32,
    /// Threads of the detectors: 1 (the default) for the calling one, 0 for one per core. The contacts are the same bit for bit.
    pub threads: u32,
    /// The host's threads in place of palpate's own: `threads` of them, 2 or more; null by default.
    pub parallel_for: palpate_parallel_for_function,
    /// Passed to `parallel_for`.
    pub user: *mut c_void,
    /// Frees `user` with the scene; may be null.
    pub destroy: palpate_destroy_function,
}

impl Default for palpate_scene_options {
    fn default() -> Self {
        let (struct_size, user) = (size_of::<Self>() as u32, std::ptr::null_mut());
        Self { struct_size, threads: 1, parallel_for: None, user, destroy: None }
    }
}

options_struct! { palpate_scene_options size_of::<Self>(); }

/// The default options of a scene.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_scene_options_default() -> palpate_scene_options {
    palpate_scene_options::default()
}

fn executor(given: &palpate_scene_options) -> Outcome<Box<dyn Executor + Send>> {
    let threads = given.threads as usize;
    Ok(match (given.parallel_for, threads) {
        (Some(parallel_for), 2..) => {
            Box::new(Runner::new(parallel_for, (given.user, given.destroy), threads))
        }
        (Some(_), _) => {
            let text = format!("threads is {threads} with parallel_for: wanted 2 or more");
            return Err(Failure::argument(text));
        }
        (None, 1) => Box::new(Serial),
        (None, _) => Box::new(Pool::new(threads)?),
    })
}

/// Makes an empty scene with all built-in detectors. `options` may be null. Free it with `palpate_scene_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_new(
    options: *const palpate_scene_options,
    scene: *mut *mut palpate_scene,
) -> palpate_status {
    call(|| {
        let out = Out::new(scene, "the place for the scene")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let given = unsafe { crate::input::options(options) }?;
        let scene = Scene::standard().with_executor(executor(&given)?);
        out.put(boxed(palpate_scene::new(scene)));
        Ok(())
    })
}

/// Frees a scene with its geometries, after which its pointer and all that it has handed out must not be used. Null is allowed.
/// Errors: `PALPATE_BUSY` if a call with it is under way: it is then not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_free(scene: *mut palpate_scene) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(scene) })
}

/// Makes the current vertices and poses of all geometries the previous ones, for continuous detection. Call it before moving
/// them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_advance(scene: *mut palpate_scene) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            state.scene.advance();
            Ok(())
        })
    }
}
