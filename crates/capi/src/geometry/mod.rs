//! Geometries before they are in a scene.

mod compound;
mod function;
mod function_made;
mod json;
mod mesh;
mod shape;
mod support;

pub use compound::*;
pub use function::*;
pub use function_made::*;
pub use json::*;
pub use mesh::*;
pub use shape::*;
pub use support::*;

pub(crate) use json::value as json_value;

use crate::input::Out;
use crate::status::{Failure, Outcome, palpate_status};
use crate::wall::call;
use palpate::geometry::Geometry;

/// A geometry that is in no scene and no compound yet. Functions that take it over say so; otherwise free it
/// with `palpate_geometry_free`. One thread at a time.
pub struct palpate_geometry {
    pub(crate) geometry: Box<dyn Geometry>,
}

/// Makes a geometry and writes the pointer that owns it.
fn make(
    out: *mut *mut palpate_geometry,
    work: impl FnOnce() -> Outcome<Box<dyn Geometry>>,
) -> palpate_status {
    call(|| {
        let out = Out::new(out, "the place for the geometry")?;
        out.put(std::ptr::null_mut());
        out.put(Box::into_raw(Box::new(palpate_geometry { geometry: work()? })));
        Ok(())
    })
}

/// Takes over a geometry that is not used afterwards. Errors: null.
///
/// # Safety
/// `pointer` is null or owns a living geometry.
pub(crate) unsafe fn take(pointer: *mut palpate_geometry) -> Outcome<Box<dyn Geometry>> {
    if pointer.is_null() {
        return Err(Failure::null("the geometry"));
    }
    // SAFETY: it came from `make`.
    Ok(unsafe { Box::from_raw(pointer) }.geometry)
}

/// A geometry of the host. Errors: null.
///
/// # Safety
/// `pointer` is null or points to a living geometry that no other thread uses.
pub(crate) unsafe fn borrow<'a>(pointer: *mut palpate_geometry) -> Outcome<&'a mut palpate_geometry> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::null("the geometry"))
}

/// Frees a geometry that nothing has taken over. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_free(geometry: *mut palpate_geometry) {
    // SAFETY: by the rules of the header.
    drop(unsafe { take(geometry) });
}
