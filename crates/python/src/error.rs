//! Errors: the classes of `palpate.errors`, with the text of Rust.

use palpate::ErrorClass;
use palpate::describe::DescriptionError;
use palpate::detect::DetectError;
use palpate::diff::DiffError;
use palpate::geometry::GeometryError;
use palpate::haptics::HapticError;
use palpate::mesh_io::MeshIoError;
use palpate::procedure::ProcedureError;
use palpate::record::RecordError;
use palpate::recording::RecordingError;
use palpate::replay::ReplayError;
use palpate::response::ResponseError;
use palpate::scene::SceneError;
use palpate::snapshot::SnapshotError;
use palpate::stepping::StepError;
use pyo3::prelude::*;
use std::panic::{self, AssertUnwindSafe};

/// Why a call failed.
pub(crate) enum Failure {
    /// An error of palpate: the class in `palpate.errors`, and the text.
    Own(&'static str, String),
    /// An error of a callback of the host.
    Callback(&'static str, PyErr),
    /// An error of Python itself.
    Python(PyErr),
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

const ARGUMENT: &str = "InvalidArgumentError";
const HANDLE: &str = "InvalidHandleError";
const UNSUPPORTED: &str = "UnsupportedError";
const RANGE: &str = "OutOfRangeError";
const NOT_FOUND: &str = "NotFoundError";
const FILE: &str = "FileError";
const CALLBACK_FAILED: &str = "CallbackFailedError";

impl Failure {
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::Own(ARGUMENT, text.into())
    }

    pub(crate) fn unsupported(text: impl Into<String>) -> Self {
        Self::Own(UNSUPPORTED, text.into())
    }

    pub(crate) fn range(text: impl Into<String>) -> Self {
        Self::Own(RANGE, text.into())
    }

    pub(crate) fn handle(text: impl Into<String>) -> Self {
        Self::Own(HANDLE, text.into())
    }

    /// Another thread is in a call with the object, or the call comes from a callback of one.
    pub(crate) fn busy(what: &str) -> Self {
        Self::Own("BusyError", format!("{what} is in another call: wanted one call at a time"))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let (class, text, cause) = match failure {
            Failure::Python(error) => return error,
            Failure::Own(class, text) => (class, text, None),
            Failure::Callback(what, cause) => {
                (CALLBACK_FAILED, format!("{what} failed: {cause}"), Some(cause))
            }
        };
        Python::attach(|py| {
            let made = py.import("palpate.errors").and_then(|module| module.getattr(class)?.call1((text,)));
            let error = made.map_or_else(|error| error, PyErr::from_value);
            if cause.is_some() {
                error.set_cause(py, cause);
            }
            error
        })
    }
}

fn name_of(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Handle => HANDLE,
        ErrorClass::Unsupported => UNSUPPORTED,
        ErrorClass::Range => RANGE,
        ErrorClass::NotFound => NOT_FOUND,
        ErrorClass::Callback => CALLBACK_FAILED,
        ErrorClass::File => FILE,
        _ => ARGUMENT,
    }
}

/// Errors of palpate that say what class they are of.
macro_rules! of_classes {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Own(name_of(ErrorClass::from(&error)), error.to_string())
            }
        })*
    };
}

of_classes! {
    GeometryError, DetectError, SceneError, DescriptionError, ResponseError, ReplayError, HapticError,
    ProcedureError, StepError
}

/// Errors of files, and of what is in them.
macro_rules! of_files {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Own(FILE, error.to_string())
            }
        })*
    };
}

of_files! { DiffError, MeshIoError, RecordError, RecordingError, SnapshotError }

/// What unwinds from a callback that raised to the call that led to it.
struct CallbackFailed(&'static str, PyErr);

/// Leaves the call that led to a callback. Not a panic: nothing is printed.
pub(crate) fn unwind(what: &'static str, error: PyErr) -> ! {
    panic::resume_unwind(Box::new(CallbackFailed(what, error)))
}

/// Runs work without the interpreter's lock; catches what unwinds from callbacks, and panics, which are faults of palpate.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
    let caught = py.detach(|| panic::catch_unwind(AssertUnwindSafe(work)));
    caught.unwrap_or_else(|cause| {
        Err(match cause.downcast::<CallbackFailed>() {
            Ok(failed) => Failure::Callback(failed.0, failed.1),
            Err(cause) => {
                let text = cause.downcast_ref::<String>().map(String::as_str);
                let text = text.or(cause.downcast_ref::<&str>().copied()).unwrap_or("an unknown cause");
                Failure::Own("PanicError", format!("panicked, which is a fault of palpate: {text}"))
            }
        })
    })
}
