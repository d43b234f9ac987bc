//! Status codes, and why a call failed.

use palpate::ErrorClass;
use palpate::describe::DescriptionError;
use palpate::detect::DetectError;
use palpate::geometry::GeometryError;
use palpate::haptics::HapticError;
use palpate::procedure::ProcedureError;
use palpate::response::ResponseError;
use palpate::scene::SceneError;
use std::any::Any;
use std::ffi::c_char;

/// What a call came to: `PALPATE_OK`, or one of the other `PALPATE_…` codes below. The text is in
/// `palpate_last_error`.
pub type palpate_status = i32;

/// The call has done what it says.
pub const PALPATE_OK: palpate_status = 0;
/// A pointer is null that must not be.
pub const PALPATE_NULL: palpate_status = 1;
/// A value is not one of those that are wanted: a number that is not finite, a wrong `struct_size`, an unknown setting.
pub const PALPATE_INVALID_ARGUMENT: palpate_status = 2;
/// An id is zero, of another scene, of another type, or of something that was removed.
pub const PALPATE_INVALID_HANDLE: palpate_status = 3;
/// No detector serves the pair, or the geometry is of a kind that does not have what is asked for.
pub const PALPATE_UNSUPPORTED: palpate_status = 4;
/// An index, a count or a size is out of range.
pub const PALPATE_OUT_OF_RANGE: palpate_status = 5;
/// A buffer is too small; the count that is returned is the one that is needed. Nothing else was done.
pub const PALPATE_BUFFER_TOO_SMALL: palpate_status = 6;
/// Another thread is in a call with this object, or the call comes from a callback of a call with it.
pub const PALPATE_BUSY: palpate_status = 7;
/// A callback of the host returned an error. What the call was to change is as before it.
pub const PALPATE_CALLBACK_FAILED: palpate_status = 8;
/// A fault of palpate was caught. The object of the call refuses all further calls but the one that frees it.
pub const PALPATE_PANIC: palpate_status = 9;
/// There is nothing of this name or at this place.
pub const PALPATE_NOT_FOUND: palpate_status = 10;
/// A file cannot be read or written.
pub const PALPATE_FILE: palpate_status = 11;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: palpate_status,
    pub(crate) text: String,
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: palpate_status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::new(PALPATE_NULL, format!("{what} is null: wanted a pointer"))
    }

    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(PALPATE_INVALID_ARGUMENT, text)
    }

    pub(crate) fn range(text: impl Into<String>) -> Self {
        Self::new(PALPATE_OUT_OF_RANGE, text)
    }

    pub(crate) fn file(text: impl std::fmt::Display) -> Self {
        Self::new(PALPATE_FILE, text.to_string())
    }

    pub(crate) fn panicked(cause: &(dyn Any + Send)) -> Self {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or(cause.downcast_ref::<&str>().copied()).unwrap_or("an unknown cause");
        Self::new(PALPATE_PANIC, format!("panicked, which is a fault of palpate: {text}"))
    }
}

/// What unwinds from a callback that returned an error to the call that led to it.
pub(crate) struct CallbackFailed {
    pub(crate) what: &'static str,
    pub(crate) code: i32,
}

impl CallbackFailed {
    /// Leaves the call that led to the callback. Not a panic: nothing is printed.
    pub(crate) fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    pub(crate) fn failure(&self) -> Failure {
        let Self { what, code } = self;
        Failure::new(PALPATE_CALLBACK_FAILED, format!("{what} of the host returned {code}: wanted 0"))
    }
}

fn status_of(class: ErrorClass) -> palpate_status {
    match class {
        ErrorClass::Handle => PALPATE_INVALID_HANDLE,
        ErrorClass::Unsupported => PALPATE_UNSUPPORTED,
        ErrorClass::Range => PALPATE_OUT_OF_RANGE,
        ErrorClass::NotFound => PALPATE_NOT_FOUND,
        ErrorClass::Callback => PALPATE_CALLBACK_FAILED,
        ErrorClass::File => PALPATE_FILE,
        _ => PALPATE_INVALID_ARGUMENT,
    }
}

/// Errors of palpate that say what class they are of.
macro_rules! of_classes {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(status_of(ErrorClass::from(&error)), error.to_string())
            }
        })*
    };
}

of_classes! { GeometryError, DetectError, SceneError, DescriptionError, ResponseError, HapticError, ProcedureError }

/// The name of a status, as `invalid_handle`; `unknown` for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_status_name(status: palpate_status) -> *const c_char {
    let name = match status {
        PALPATE_OK => c"ok",
        PALPATE_NULL => c"null",
        PALPATE_INVALID_ARGUMENT => c"invalid_argument",
        PALPATE_INVALID_HANDLE => c"invalid_handle",
        PALPATE_UNSUPPORTED => c"unsupported",
        PALPATE_OUT_OF_RANGE => c"out_of_range",
        PALPATE_BUFFER_TOO_SMALL => c"buffer_too_small",
        PALPATE_BUSY => c"busy",
        PALPATE_CALLBACK_FAILED => c"callback_failed",
        PALPATE_PANIC => c"panic",
        PALPATE_NOT_FOUND => c"not_found",
        PALPATE_FILE => c"file",
        _ => c"unknown",
    };
    name.as_ptr()
}
