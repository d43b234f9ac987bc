//! The step, and its events.

use super::views::{PALPATE_EVENT_BEGAN, PALPATE_EVENT_ENDED, PALPATE_EVENT_PERSISTS, palpate_event};
use super::{State, palpate_scene, with};
use crate::handle::enter;
use crate::input::{Out, flag};
use crate::status::palpate_status;
use crate::types::PALPATE_NONE;
use crate::wall::call;
use palpate::scene::Change;

/// Summary of a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct palpate_step_report {
    /// Pairs whose detector ran.
    pub pairs_run: usize,
    /// Pairs added one by one that were apart.
    pub pairs_apart: usize,
    /// Contacts of all pairs.
    pub contacts: usize,
}

/// Finds the contacts of all pairs in the current state of the geometries. `report` may be null. Errors: a callback that fails, a
/// new child of a compound that no detector serves; the contacts are then those of the last step that succeeded. Cost: a settled
/// step does not allocate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_step(
    scene: *mut palpate_scene,
    report: *mut palpate_step_report,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let mut entered = unsafe { enter(scene, "the scene") }?;
        let done = entered.run(|state| Ok(state.scene.step()?), |state| state.scene.abandon_step())?;
        if let Some(out) = Out::optional(report) {
            out.put(palpate_step_report {
                pairs_run: done.pairs_run,
                pairs_apart: done.pairs_apart,
                contacts: done.contacts,
            });
        }
        Ok(())
    })
}

/// Clears the memory that detectors have of earlier steps: the next step finds what a first one would. For a scene that stands for
/// several worlds in turn. Contacts and events stay; no heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_forget(scene: *mut palpate_scene) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            state.scene.forget();
            Ok(())
        })
    }
}

/// Turns the events of a scene on (1) or off (0, the default). All contacts of the first step after that began.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_set_events(scene: *mut palpate_scene, is_on: u32) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            state.scene.set_events(flag(is_on, "is_on")?);
            Ok(())
        })
    }
}

/// Writes a pointer to the events of the last step, and their number; valid until the next call that steps or frees the scene.
/// They are in the order of the pairs' ids; those of a pair in the order of its contacts, then of the contacts that ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_events(
    scene: *mut palpate_scene,
    events: *mut *const palpate_event,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(events, "events")?, Out::new(count, "count")?);
            let State { scene, ids, events, .. } = state;
            events.clear();
            events.extend(scene.events().iter().map(|event| palpate_event {
                pair: ids.pair_id_of(event.pair),
                id: event.key.id,
                children: event.key.children,
                change: match event.change {
                    Change::Began => PALPATE_EVENT_BEGAN,
                    Change::Persists => PALPATE_EVENT_PERSISTS,
                    Change::Ended => PALPATE_EVENT_ENDED,
                },
                contact: event.contact.unwrap_or(PALPATE_NONE),
            }));
            out.put(events.as_ptr());
            out_count.put(events.len());
            Ok(())
        })
    }
}
