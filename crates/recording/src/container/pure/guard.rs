//! Errors and panics of the library as errors.

use crate::container::Outcome;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;

thread_local! {
    /// How many operations of the library this thread is in.
    static INSIDE: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn text(error: impl ToString) -> String {
    error.to_string()
}

/// The result of an operation of the library, which may panic on a damaged file: then an error, and nothing is printed.
/// Aborts (memory, stack) cannot be caught, and are prevented by checks of sizes.
pub(super) fn caught<T>(operation: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    outcome(operation, "the HDF5 library failed: the file is damaged")
}

/// As [`caught`], for an operation that writes.
pub(super) fn caught_writing<T>(operation: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    outcome(operation, "the HDF5 library failed while it was writing")
}

fn outcome<T>(operation: impl FnOnce() -> Outcome<T>, failure: &str) -> Outcome<T> {
    let _quiet = Quiet::new();
    let result = catch_unwind(AssertUnwindSafe(operation));
    result.unwrap_or_else(|_| Err(failure.to_string()))
}

/// While there is one, the panic hook is not called for panics of this thread.
struct Quiet;

impl Quiet {
    fn new() -> Self {
        install_hook();
        INSIDE.with(|inside| inside.set(inside.get() + 1));
        Self
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        INSIDE.with(|inside| inside.set(inside.get() - 1));
    }
}

/// Puts a hook before the one there is, once in a process: it passes on every panic but those of the library. A hook that the
/// program sets later replaces it; the library's panics then reach that hook, and still are errors here.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    // A thread that panics may not change the hook; the next operation of another does.
    if INSTALLED.is_completed() || thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A thread that is ending has left the library.
            if INSIDE.try_with(Cell::get).unwrap_or(0) == 0 {
                next(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_panic_is_an_error_and_the_thread_is_outside_again() {
        let nested = caught(|| caught::<usize>(|| panic!("inner")).or(Ok(INSIDE.with(Cell::get))));
        assert_eq!(nested, Ok(1));
        assert!(caught::<()>(|| panic!("of the library")).is_err());
        assert_eq!(INSIDE.with(Cell::get), 0);
    }

    const CHILD: &str = "PALPATE_RECORDING_HOOK_CHILD";

    /// Not a test of its own: code of the child process, which has a hook of its own before the library is used.
    #[test]
    fn child() {
        if std::env::var_os(CHILD).is_none() {
            return;
        }
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let cause = info.payload().downcast_ref::<&str>().copied().unwrap_or_default();
            std::io::Write::write_all(&mut std::io::stderr(), format!("hook: {cause}\n").as_bytes()).unwrap();
            shown(info);
        }));
        for _ in 0..3 {
            assert!(caught::<()>(|| panic!("of the library")).is_err());
            assert!(catch_unwind(|| panic!("of the program")).is_err());
            let other = caught(|| Ok(thread::spawn(|| panic!("of another thread")).join().is_err()));
            assert_eq!(other, Ok(true));
        }
    }

    #[test]
    fn nothing_is_printed_of_the_librarys_panics_and_all_of_others() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let name = module_path!().split_once("::").unwrap().1;
        command.args([&format!("{name}::child"), "--exact", "--nocapture", "--test-threads=1"]);
        let output = command.env(CHILD, "1").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        for (text, count) in [("of the library", 0), ("of the program", 6), ("of another thread", 6)] {
            assert_eq!(errors.matches(text).count(), count, "{text}: {errors}");
        }
        assert_eq!(errors.matches("hook: ").count(), 6, "{errors}");
    }
}
