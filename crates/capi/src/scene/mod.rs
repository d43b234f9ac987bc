//! Scenes.

mod children;
mod contacts;
mod geometries;
mod host;
mod life;
mod own;
mod pairs;
mod query;
mod query_all;
mod settings;
mod state;
mod step;
mod topology;
mod vertices;
mod views;

pub use children::*;
pub use contacts::*;
pub use geometries::*;
pub use host::*;
pub use life::*;
pub use own::*;
pub use pairs::*;
pub use query::*;
pub use query_all::*;
pub use settings::*;
pub use step::*;
pub use topology::*;
pub use vertices::*;
pub use views::*;

pub(crate) use contacts::all_pairs;
pub(crate) use query::{NO_FEATURE, feature_of};
pub(crate) use state::{Ids, State};
pub(crate) use topology::{Mesh, mesh_of, on_mesh};

use crate::handle::enter;
use crate::status::{Outcome, palpate_status};
use crate::wall::call;

/// A call with a scene.
///
/// # Safety
/// `scene` is null or points to a living scene.
pub(crate) unsafe fn with(
    scene: *const palpate_scene,
    work: impl FnOnce(&mut State) -> Outcome,
) -> palpate_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { enter(scene, "the scene") }?.run(work, |_| {}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PALPATE_OK, PALPATE_PANIC, palpate_last_error, palpate_scene_free, palpate_scene_new,
        palpate_scene_step,
    };
    use std::ffi::CStr;

    fn last_error() -> String {
        // SAFETY: never null, and it ends with a zero byte.
        unsafe { CStr::from_ptr(palpate_last_error()) }.to_str().unwrap().to_owned()
    }

    // Proves: REQ-C-PANIC
    #[test]
    fn a_panic_is_a_status_and_the_scene_refuses_further_work() {
        let mut scenes = [std::ptr::null_mut(); 2];
        // SAFETY: the pointers are those of living scenes, each freed once.
        unsafe {
            for scene in &mut scenes {
                assert_eq!(palpate_scene_new(std::ptr::null(), scene), PALPATE_OK);
            }
            let status = with(scenes[0], |_| panic!("as wanted"));
            assert_eq!(status, PALPATE_PANIC);
            assert_eq!(last_error(), "panicked, which is a fault of palpate: as wanted");
            assert_eq!(palpate_scene_step(scenes[0], std::ptr::null_mut()), PALPATE_PANIC);
            assert!(last_error().contains("an earlier call with the scene panicked"), "{}", last_error());
            // Others are not touched, and the broken one can be freed.
            assert_eq!(palpate_scene_step(scenes[1], std::ptr::null_mut()), PALPATE_OK);
            for scene in scenes {
                assert_eq!(palpate_scene_free(scene), PALPATE_OK);
            }
        }
    }
}
