//! Contacts for another thread.

use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::Out;
use crate::scene::palpate_scene;
use crate::status::palpate_status;
use crate::types::{contacts_pointer, palpate_contact};
use crate::wall::call;
use palpate::scene::{Snapshot, SnapshotReader};
use std::sync::Arc;

/// Reads the contacts of a scene from another thread without waiting for its steps. One call at a time; it may outlive the scene.
pub struct palpate_reader(Guarded<Reading>);

/// The reader, and the step that the host reads.
pub(crate) struct Reading {
    reader: SnapshotReader,
    kept: Arc<Snapshot>,
}

objects! { palpate_reader: Reading; }

/// Makes a reader of a scene's contacts, which every later step that succeeds publishes as long as there is one. Free it with
/// `palpate_reader_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_reader_new(
    scene: *mut palpate_scene,
    reader: *mut *mut palpate_reader,
) -> palpate_status {
    call(|| {
        let out = Out::new(reader, "the place for the reader")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let reader = unsafe { enter(scene, "the scene") }?.scene.snapshots();
        let kept = reader.keep();
        out.put(boxed(palpate_reader(Guarded::new("reader", Reading { reader, kept }))));
        Ok(())
    })
}

/// Frees a reader. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_reader_free(reader: *mut palpate_reader) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(reader) })
}

/// Writes the contacts of all pairs in the newest finished step, in the order of the pairs, their number and the number of the step
/// (0 before the first); valid until the next call with the reader. Never waits for the scene. `step` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_reader_contacts(
    reader: *mut palpate_reader,
    contacts: *mut *const palpate_contact,
    count: *mut usize,
    step: *mut u64,
) -> palpate_status {
    call(|| {
        let (out, out_count) = (Out::new(contacts, "contacts")?, Out::new(count, "count")?);
        // SAFETY: by the rules of the header.
        let mut reading = unsafe { enter(reader, "the reader") }?;
        let Reading { reader, kept } = &mut *reading;
        reader.read();
        *kept = reader.keep();
        out.put(contacts_pointer(kept.all_contacts()));
        out_count.put(kept.all_contacts().len());
        if let Some(out) = Out::optional(step) {
            out.put(kept.step());
        }
        Ok(())
    })
}
