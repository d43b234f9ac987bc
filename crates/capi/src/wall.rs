//! The wall that no panic crosses, the text of the last error, and the logger.

use crate::logger::{is_logging, log, palpate_log_function, set};
use crate::status::{CallbackFailed, Failure, Outcome, PALPATE_BUSY, PALPATE_OK, palpate_status};
use crate::user::{User, palpate_destroy_function};
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs a call: no panic leaves it, and what went wrong is kept for `palpate_last_error`.
pub(crate) fn call(work: impl FnOnce() -> Outcome) -> palpate_status {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        Err(match cause.downcast_ref::<CallbackFailed>() {
            Some(failed) => failed.failure(),
            None => Failure::panicked(cause.as_ref()),
        })
    });
    match outcome {
        Ok(()) => PALPATE_OK,
        Err(failure) => report(&failure),
    }
}

/// Keeps the text of a failure for the calling thread, and tells the logger.
fn report(failure: &Failure) -> palpate_status {
    let text = CString::new(failure.text.replace('\0', "\u{fffd}")).unwrap_or_default();
    log(failure.status, &text);
    // Fails only while the thread ends.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = text);
    failure.status
}

/// The text of the last call on this thread that failed: what, the value found and the value wanted; UTF-8. Empty if
/// none has failed. The pointer is valid until the next call on this thread that fails. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_last_error() -> *const c_char {
    // A thread that ends may have lost its text already.
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Sets the function that receives every call that fails, on any thread, one at a time; null for none. `destroy` frees the
/// `user` of a logger when another one is set. The logger must not set a logger. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_set_logger(
    function: palpate_log_function,
    user: *mut c_void,
    destroy: palpate_destroy_function,
) -> palpate_status {
    call(|| {
        let user = User::new(user, destroy);
        if is_logging() {
            let text = "the logger sets a logger: wanted this after it has returned";
            return Err(Failure::new(PALPATE_BUSY, text));
        }
        set(function, user);
        Ok(())
    })
}
