//! Implicit functions of the host, and bodies of functions.

use super::{make, palpate_geometry};
use crate::input::{Out, options, options_struct};
use crate::status::{CallbackFailed, Failure, Outcome, palpate_status};
use crate::types::{PALPATE_NONE, palpate_pose};
use crate::user::{User, palpate_destroy_function};
use crate::wall::call;
use palpate::geometry::ImplicitBody;
use palpate::geometry::implicit::{Exactness, ImplicitFunction, Sample};
use palpate::math::{Aabb, Point, Vector};
use std::ffi::c_void;
use std::sync::Arc;

/// A function of space that is negative inside a body. Bodies and other functions that use it share it: free it with
/// `palpate_function_free` when it is no longer needed by the caller. Any thread.
pub struct palpate_function {
    pub(super) function: Arc<dyn ImplicitFunction>,
}

/// Writes the value of a function at a point (three coordinates, metres, the function's own frame) and its gradient (three
/// numbers). Returns 0, or another number if it fails. Called from any thread that steps a scene or queries it, also from
/// several at once; it must not throw, and must not call palpate with the scene.
pub type palpate_sample_function = Option<
    unsafe extern "C" fn(user: *mut c_void, point: *const f64, value: *mut f64, gradient: *mut f64) -> i32,
>;

/// An implicit function of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_function_callbacks {
    /// Set by `palpate_function_callbacks_default`.
    pub struct_size: u32,
    /// 1 if the value is the signed distance everywhere; 0 by default.
    pub is_distance: u32,
    /// The value and its gradient.
    pub sample: palpate_sample_function,
    /// Passed to the callbacks.
    pub user: *mut c_void,
    /// Frees `user` when nothing uses the function any more; may be null.
    pub destroy: palpate_destroy_function,
    /// The number by which the value changes at most per metre; 1 for a distance. 0 if unknown: detectors that need a distance
    /// refuse such a function. 1 by default.
    pub lipschitz: f64,
    /// The lower corner of a box around the body, the function's own frame.
    pub box_min: [f64; 3],
    /// The upper corner.
    pub box_max: [f64; 3],
    /// By how much the box has to grow per metre to contain all values up to a level: 1 (the default) for a distance, more
    /// for a function that grows more slowly.
    pub growth: f64,
}

impl Default for palpate_function_callbacks {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            is_distance: 0,
            sample: None,
            user: std::ptr::null_mut(),
            destroy: None,
            lipschitz: 1.0,
            box_min: [0.0; 3],
            box_max: [0.0; 3],
            growth: 1.0,
        }
    }
}

options_struct! { palpate_function_callbacks size_of::<Self>(); }

/// The default callbacks: `sample` and the box have to be set.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_function_callbacks_default() -> palpate_function_callbacks {
    palpate_function_callbacks::default()
}

/// A function of the host.
pub(crate) struct Callback {
    sample: unsafe extern "C" fn(*mut c_void, *const f64, *mut f64, *mut f64) -> i32,
    user: User,
    bounds: Aabb,
    growth: f64,
    lipschitz: Option<f64>,
    exactness: Exactness,
}

impl Callback {
    fn new(given: &palpate_function_callbacks, user: User) -> Outcome<Self> {
        let sample = given.sample.ok_or_else(|| Failure::null("sample"))?;
        let corners = [given.box_min, given.box_max].map(Point::from);
        let finite = corners.iter().all(|corner| corner.iter().all(|x| x.is_finite()));
        let ordered = (0..3).all(|axis| corners[0][axis] <= corners[1][axis]);
        if !finite || !ordered {
            let text = format!(
                "the box is from {:?} to {:?}: wanted finite corners, the lower first",
                given.box_min, given.box_max
            );
            return Err(Failure::argument(text));
        }
        for (what, value) in [("lipschitz", given.lipschitz), ("growth", given.growth)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Failure::argument(format!("{what} is {value}: wanted a number, 0 or more")));
            }
        }
        let is_distance = crate::input::flag(given.is_distance, "is_distance")?;
        Ok(Self {
            sample,
            user,
            bounds: Aabb { min: corners[0], max: corners[1] },
            growth: given.growth,
            lipschitz: (given.lipschitz > 0.0).then_some(given.lipschitz),
            exactness: if is_distance { Exactness::DISTANCE } else { Exactness::NOWHERE },
        })
    }
}

impl ImplicitFunction for Callback {
    fn sample(&self, point: &Point) -> Sample {
        let (mut value, mut gradient) = (0.0, [0.0; 3]);
        let at: [f64; 3] = point.coords.into();
        // SAFETY: by the rules of the header.
        let code =
            unsafe { (self.sample)(self.user.pointer, at.as_ptr(), &raw mut value, gradient.as_mut_ptr()) };
        if code != 0 {
            CallbackFailed { what: "the sample function", code }.unwind();
        }
        if !value.is_finite() || !gradient.iter().all(|x| x.is_finite()) {
            CallbackFailed { what: "a sample that is not finite: the function", code }.unwind();
        }
        Sample { value, gradient: Vector::from(gradient), feature: PALPATE_NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.bounds.grown(level * self.growth)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.lipschitz
    }

    fn exactness(&self) -> Exactness {
        self.exactness
    }
}

/// Makes a function and writes the pointer that owns it.
pub(super) fn make_function(
    out: *mut *mut palpate_function,
    work: impl FnOnce() -> Outcome<Arc<dyn ImplicitFunction>>,
) -> palpate_status {
    call(|| {
        let out = Out::new(out, "the place for the function")?;
        out.put(std::ptr::null_mut());
        out.put(Box::into_raw(Box::new(palpate_function { function: work()? })));
        Ok(())
    })
}

/// Makes a function of the host. `destroy` is called when nothing uses it any more; also if this call fails, but not if
/// `callbacks` is null or has a wrong `struct_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_callback(
    callbacks: *const palpate_function_callbacks,
    function: *mut *mut palpate_function,
) -> palpate_status {
    make_function(function, || {
        if callbacks.is_null() {
            return Err(Failure::null("callbacks"));
        }
        // SAFETY: by the rules of the header.
        let given = unsafe { options(callbacks) }?;
        let user = User::new(given.user, given.destroy);
        Ok(Arc::new(Callback::new(&given, user)?))
    })
}

/// Frees the caller's share of a function. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_free(function: *mut palpate_function) {
    if !function.is_null() {
        // SAFETY: by the rules of the header it came from `make_function`.
        drop(unsafe { Box::from_raw(function) });
    }
}

/// Makes the body where a function is negative, with all lengths multiplied by `scale` (greater than 0), then posed. A null
/// pose is the identity. The function stays the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_implicit(
    pose: *const palpate_pose,
    scale: f64,
    function: *const palpate_function,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (pose, function) = unsafe { (palpate_pose::or_identity(pose)?, function.as_ref()) };
        let function = function.ok_or_else(|| Failure::null("function"))?;
        let body = ImplicitBody::new(pose, Arc::clone(&function.function))?;
        Ok(Box::new(if scale == 1.0 { body } else { body.with_scale(scale)? }))
    })
}
