//! The contacts of the last step, without a copy.

use super::views::{
    PALPATE_OUTCOME_APART, PALPATE_OUTCOME_PENDING, PALPATE_OUTCOME_RAN, palpate_pair_contacts,
};
use super::{Ids, State, palpate_scene, with};
use crate::input::Out;
use crate::status::palpate_status;
use crate::types::{contacts_pointer, palpate_contact, palpate_pair_id};
use palpate::scene::{Outcome as PairOutcome, Pair, Scene};

fn view(pair: &Pair) -> palpate_pair_contacts {
    let contacts = &pair.contacts().contacts;
    palpate_pair_contacts {
        pair: 0,
        a: 0,
        b: 0,
        contacts: contacts_pointer(contacts),
        count: contacts.len(),
        outcome: match pair.outcome() {
            PairOutcome::Pending => PALPATE_OUTCOME_PENDING,
            PairOutcome::Apart => PALPATE_OUTCOME_APART,
            PairOutcome::Ran(_) => PALPATE_OUTCOME_RAN,
        },
        flags: pair.status().flags.bits(),
    }
}

/// Replaces `views` by the pairs whose detectors ran in the last step. Does not allocate for pairs that are known.
pub(crate) fn all_pairs(scene: &Scene, ids: &mut Ids, views: &mut Vec<palpate_pair_contacts>) {
    views.clear();
    views.extend(scene.active_pairs().map(|pair| palpate_pair_contacts {
        pair: ids.pair_id_of(pair.id()),
        a: ids.id_of(pair.a()),
        b: ids.id_of(pair.b()),
        ..view(pair)
    }));
}

/// Writes a pointer to the contacts of a pair in the last step, and their number: the library's own memory, read-only, valid
/// until the next call that steps the scene, changes its geometries or pairs, or frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_contacts(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    contacts: *mut *const palpate_contact,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(contacts, "contacts")?, Out::new(count, "count")?);
            let found = &state.scene.contacts(state.ids.pair(pair)?)?.contacts;
            out.put(contacts_pointer(found));
            out_count.put(found.len());
            Ok(())
        })
    }
}

/// Writes a pair with its contacts, outcome and flags; as `palpate_scene_contacts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_pair(
    scene: *mut palpate_scene,
    pair: palpate_pair_id,
    info: *mut palpate_pair_contacts,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let out = Out::new(info, "info")?;
            let found = state.scene.pair(state.ids.pair(pair)?)?;
            let (a, b, seen) = (found.a(), found.b(), view(found));
            out.put(palpate_pair_contacts { pair, a: state.ids.id_of(a), b: state.ids.id_of(b), ..seen });
            Ok(())
        })
    }
}

/// Writes a pointer to the pairs whose detectors ran in the last step, in the order of their ids, and their number; valid as
/// long as the contacts of `palpate_scene_contacts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_active_pairs(
    scene: *mut palpate_scene,
    pairs: *mut *const palpate_pair_contacts,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(pairs, "pairs")?, Out::new(count, "count")?);
            let State { scene, ids, views, .. } = state;
            all_pairs(scene, ids, views);
            out.put(views.as_ptr());
            out_count.put(views.len());
            Ok(())
        })
    }
}

impl State {
    /// The deepest contact of the last step, with its pair.
    pub(super) fn deepest(&mut self) -> Option<(palpate_pair_id, palpate_contact)> {
        let (pair, contact) = self.scene.deepest()?;
        // SAFETY: a contact of C is a contact of Rust, as proved with the type.
        let contact = unsafe { *std::ptr::from_ref(contact).cast::<palpate_contact>() };
        Some((self.ids.pair_id_of(pair), contact))
    }
}

/// Writes the deepest contact of the last step and its pair; pair 0, and the contact as it was, if there are no contacts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_deepest(
    scene: *mut palpate_scene,
    pair: *mut palpate_pair_id,
    contact: *mut palpate_contact,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out_pair, out) = (Out::new(pair, "pair")?, Out::new(contact, "contact")?);
            let deepest = state.deepest();
            out_pair.put(deepest.map_or(0, |(pair, _)| pair));
            if let Some((_, contact)) = deepest {
                out.put(contact);
            }
            Ok(())
        })
    }
}
