//! Convex shapes of the host, given by their support function.

use super::{make, palpate_geometry};
use crate::input::{options, options_struct};
use crate::status::{CallbackFailed, Failure, palpate_status};
use crate::types::palpate_pose;
use crate::user::{User, palpate_destroy_function};
use palpate::convex::SupportMap;
use palpate::geometry::SupportShape;
use palpate::math::{Point, Vector};
use std::ffi::c_void;
use std::sync::Arc;

/// Writes the point of a convex shape that is farthest along `direction` (three numbers, any length but 0); both in the
/// shape's local frame, metres. Returns 0, or another number if it fails. The same point for the same direction. Called from
/// any thread that steps a scene or queries it, also from several at once; it must not throw, and must not call palpate with
/// the scene.
pub type palpate_support_function =
    Option<unsafe extern "C" fn(user: *mut c_void, direction: *const f64, point: *mut f64) -> i32>;

/// A convex shape of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_support_callbacks {
    /// Set by `palpate_support_callbacks_default`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The support function.
    pub support: palpate_support_function,
    /// Passed to the callbacks.
    pub user: *mut c_void,
    /// Frees `user` when nothing uses the shape any more; may be null.
    pub destroy: palpate_destroy_function,
}

impl Default for palpate_support_callbacks {
    fn default() -> Self {
        let struct_size = size_of::<Self>() as u32;
        Self { struct_size, reserved: 0, support: None, user: std::ptr::null_mut(), destroy: None }
    }
}

options_struct! { palpate_support_callbacks size_of::<Self>(); }

/// The default callbacks: `support` has to be set.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_support_callbacks_default() -> palpate_support_callbacks {
    palpate_support_callbacks::default()
}

struct Map {
    support: unsafe extern "C" fn(*mut c_void, *const f64, *mut f64) -> i32,
    user: User,
}

impl SupportMap for Map {
    fn support(&self, direction: &Vector) -> Point {
        let (along, mut point): ([f64; 3], _) = ((*direction).into(), [0.0; 3]);
        // SAFETY: by the rules of the header.
        let code = unsafe { (self.support)(self.user.pointer, along.as_ptr(), point.as_mut_ptr()) };
        if code != 0 {
            CallbackFailed { what: "the support function", code }.unwind();
        }
        if !point.iter().all(|x| x.is_finite()) {
            CallbackFailed { what: "a support point that is not finite: the function", code }.unwind();
        }
        Point::from(point)
    }
}

/// Makes a convex shape of the host. Every detector of convex bodies takes it; it gets one contact point per pair, as it has no
/// faces. A null pose is the identity. `destroy` is called when nothing uses it any more; also if this call fails, but not if
/// `callbacks` is null or has a wrong `struct_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_support(
    pose: *const palpate_pose,
    callbacks: *const palpate_support_callbacks,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        if callbacks.is_null() {
            return Err(Failure::null("callbacks"));
        }
        // SAFETY: by the rules of the header.
        let given = unsafe { options(callbacks) }?;
        let user = User::new(given.user, given.destroy);
        let support = given.support.ok_or_else(|| Failure::null("support"))?;
        // SAFETY: by the rules of the header.
        let pose = unsafe { palpate_pose::or_identity(pose) }?;
        Ok(Box::new(SupportShape::new(pose, Arc::new(Map { support, user }))?))
    })
}
