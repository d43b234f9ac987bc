//! The host's logger.

use crate::status::palpate_status;
use crate::user::User;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;

/// Receives the status and the text of a call that failed; the text is valid until it returns. Called on the thread of the
/// call. It must not throw.
pub type palpate_log_function =
    Option<unsafe extern "C" fn(user: *mut c_void, status: palpate_status, text: *const c_char)>;

struct Logger {
    function: unsafe extern "C" fn(*mut c_void, palpate_status, *const c_char),
    user: User,
}

static LOGGER: Mutex<Option<Logger>> = Mutex::new(None);

thread_local! {
    /// Whether the thread is in the logger: a call that fails there is not logged.
    static IS_LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// Tells the logger, if there is one.
pub(crate) fn log(status: palpate_status, text: &CStr) {
    if IS_LOGGING.try_with(|is_logging| is_logging.replace(true)).unwrap_or(true) {
        return;
    }
    let logger = LOGGER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(Logger { function, user }) = &*logger {
        // SAFETY: by the rules of the header.
        unsafe { function(user.pointer, status, text.as_ptr()) }
    }
    drop(logger);
    let _ = IS_LOGGING.try_with(|is_logging| is_logging.set(false));
}

/// Whether the calling thread is in the logger.
pub(crate) fn is_logging() -> bool {
    IS_LOGGING.try_with(Cell::get).unwrap_or(true)
}

/// Replaces the logger; `None` for none.
pub(crate) fn set(function: palpate_log_function, user: User) {
    let next = function.map(|function| Logger { function, user });
    let mut logger = LOGGER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let last = std::mem::replace(&mut *logger, next);
    drop(logger);
    // Frees the last one's data, outside of the lock.
    drop(last);
}
