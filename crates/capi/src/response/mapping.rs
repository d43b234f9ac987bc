//! Embedded surfaces.

use crate::input::{Out, array};
use crate::status::{Failure, palpate_status};
use crate::wall::call;
use palpate::response::pbd::Mapping;

/// Collision vertices as weighted sums of particles. Any thread; not changed once it is made.
pub struct palpate_mapping {
    pub(super) mapping: Mapping,
}

/// Makes a mapping of `vertex_count` vertices: those of vertex `v` are the particles and weights from `starts[v]` up to
/// `starts[v + 1]`; `starts` has one more number than there are vertices. The weights of a vertex sum to 1. Free it with
/// `palpate_mapping_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_mapping_new(
    starts: *const u32,
    vertex_count: usize,
    particles: *const u32,
    weights: *const f64,
    mapping: *mut *mut palpate_mapping,
) -> palpate_status {
    call(|| {
        let out = Out::new(mapping, "the place for the mapping")?;
        out.put(std::ptr::null_mut());
        let overflow = || Failure::range(format!("vertex_count is {vertex_count}: wanted less"));
        let count = vertex_count.checked_add(1).ok_or_else(overflow)?;
        // SAFETY: by the rules of the header.
        let starts = unsafe { array(starts, count, "starts") }?;
        let is_sound = starts[0] == 0 && starts.is_sorted();
        let total = if is_sound { starts[vertex_count] as usize } else { 0 };
        if !is_sound {
            return Err(Failure::range("starts are not ascending from 0: wanted them so"));
        }
        // SAFETY: by the rules of the header.
        let (particles, weights) =
            unsafe { (array(particles, total, "particles")?, array(weights, total, "weights")?) };
        if let Some(bad) = weights.iter().find(|weight| !weight.is_finite()) {
            return Err(Failure::argument(format!("a weight is {bad}: wanted finite numbers")));
        }
        let mut made = Mapping::default();
        for bounds in starts.windows(2) {
            let range = bounds[0] as usize..bounds[1] as usize;
            made.push(particles[range.clone()].iter().copied().zip(weights[range].iter().copied()));
        }
        out.put(Box::into_raw(Box::new(palpate_mapping { mapping: made })));
        Ok(())
    })
}

/// Frees a mapping. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_mapping_free(mapping: *mut palpate_mapping) {
    if !mapping.is_null() {
        // SAFETY: by the rules of the header it came from `palpate_mapping_new`.
        drop(unsafe { Box::from_raw(mapping) });
    }
}
