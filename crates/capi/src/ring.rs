//! The last seconds of a scene.

use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, options as read_options, options_struct, path};
use crate::scene::palpate_scene;
use crate::status::{Failure, Outcome, palpate_status};
use crate::wall::call;
use palpate::detect::Flags;
use palpate::record::{RingOptions, RingRecorder, Trigger};
use std::ffi::c_char;

/// Keeps the last seconds of a scene in bounded memory, and writes them on request. One call at a time.
pub struct palpate_ring(Guarded<RingRecorder>);

objects! { palpate_ring: RingRecorder; }

/// How much a ring keeps, and when it is worth writing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_ring_options {
    /// Set by `palpate_ring_options_default`.
    pub struct_size: u32,
    /// `PALPATE_FLAG_…`, added up: fires when a detector sets one of them; 0 by default.
    pub flags: u32,
    /// Seconds from the first kept step to the last; 10 by default.
    pub seconds: f64,
    /// Metres: fires when a contact is deeper; infinite by default.
    pub depth: f64,
    /// Bytes of all kept steps together: older ones are dropped first, whatever `seconds` says; 256 MiB by default.
    pub bytes: u64,
}

impl Default for palpate_ring_options {
    fn default() -> Self {
        let RingOptions { seconds, bytes, .. } = RingOptions::default();
        let struct_size = size_of::<Self>() as u32;
        Self { struct_size, flags: 0, seconds, depth: f64::INFINITY, bytes: bytes as u64 }
    }
}

options_struct! { palpate_ring_options 32; }

impl palpate_ring_options {
    fn checked(&self) -> Outcome<RingOptions> {
        let bytes = usize::try_from(self.bytes);
        let bytes = bytes
            .map_err(|_| Failure::range(format!("bytes is {}: wanted what fits into memory", self.bytes)))?;
        let mut triggers = Vec::new();
        if self.depth.is_nan() {
            return Err(Failure::argument("depth is not a number: wanted metres"));
        }
        if self.depth < f64::INFINITY {
            triggers.push(Trigger::Depth(self.depth));
        }
        let flags = Flags::from_bits(self.flags);
        let flags = flags
            .ok_or_else(|| Failure::argument(format!("flags is {}: wanted PALPATE_FLAG_…", self.flags)))?;
        if !flags.is_empty() {
            triggers.push(Trigger::Flags(flags));
        }
        Ok(RingOptions { seconds: self.seconds, bytes, triggers })
    }
}

/// The default options of a ring.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_ring_options_default() -> palpate_ring_options {
    palpate_ring_options::default()
}

/// Starts to keep the last seconds of a scene; meanwhile geometries and pairs must not be added or removed. `options` may be null.
/// Free it with `palpate_ring_free`. Errors: a shape or a function of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_new(
    scene: *mut palpate_scene,
    options: *const palpate_ring_options,
    ring: *mut *mut palpate_ring,
) -> palpate_status {
    call(|| {
        let out = Out::new(ring, "the place for the ring")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let (scene, given) = unsafe { (enter(scene, "the scene")?, read_options(options)?) };
        let made = RingRecorder::new(&scene.scene, given.checked()?)?;
        out.put(boxed(palpate_ring(Guarded::new("ring", made))));
        Ok(())
    })
}

/// Frees a ring, and forgets what it keeps. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_free(ring: *mut palpate_ring) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(ring) })
}

/// Keeps the state of the scene after a step, at a time in seconds that must increase. Writes 1 to `fired` if the depth or the flags
/// of the options are met, once until `palpate_ring_rearm`, else 0; it may be null. Cost: a copy of what has moved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_record(
    ring: *mut palpate_ring,
    scene: *mut palpate_scene,
    time: f64,
    fired: *mut u32,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut ring, scene) = unsafe { (enter(ring, "the ring")?, enter(scene, "the scene")?) };
        let found = ring.record(&scene.scene, time)?;
        if let Some(fired) = Out::optional(fired) {
            fired.put(u32::from(found.is_some()));
        }
        Ok(())
    })
}

/// Lets the depth and the flags fire again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_rearm(ring: *mut palpate_ring) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        unsafe { enter(ring, "the ring") }?.rearm();
        Ok(())
    })
}

/// Writes how much is kept: steps, seconds from the first to the last, bytes. Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_size(
    ring: *mut palpate_ring,
    frames: *mut usize,
    seconds: *mut f64,
    bytes: *mut usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let ring = unsafe { enter(ring, "the ring") }?;
        if let Some(out) = Out::optional(frames) {
            out.put(ring.frame_count());
        }
        if let Some(out) = Out::optional(seconds) {
            out.put(ring.seconds());
        }
        if let Some(out) = Out::optional(bytes) {
            out.put(ring.bytes());
        }
        Ok(())
    })
}

/// Writes what is kept as a session, which replays to the same contacts, and goes on keeping. An existing file is replaced. Errors:
/// nothing was kept; `PALPATE_FILE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_ring_write(ring: *mut palpate_ring, file: *const c_char) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (ring, file) = unsafe { (enter(ring, "the ring")?, path(file, "file")?) };
        Ok(ring.write(file)?)
    })
}
