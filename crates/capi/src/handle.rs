//! Objects behind pointers: one call at a time, and none after a panic.

use crate::status::{CallbackFailed, Failure, Outcome, PALPATE_BUSY, PALPATE_PANIC};
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, Ordering};

const FREE: u8 = 0;
const BUSY: u8 = 1;
const POISONED: u8 = 2;

/// A value that one call at a time may use, from any thread.
pub(crate) struct Guarded<T> {
    state: AtomicU8,
    /// The name in errors.
    name: &'static str,
    value: UnsafeCell<T>,
}

/// The value, for the time of a call.
pub(crate) struct Entered<'a, T> {
    owner: &'a Guarded<T>,
    /// The state when it is left.
    next: u8,
}

/// An object of C.
pub(crate) trait Object: Sized {
    /// What it holds.
    type State;

    /// The guarded state.
    fn guarded(&self) -> &Guarded<Self::State>;
}

/// Implements [`Object`] for structs around a guarded state.
macro_rules! objects {
    ($($name:ident: $state:ty;)*) => {$(
        impl $crate::handle::Object for $name {
            type State = $state;

            fn guarded(&self) -> &$crate::handle::Guarded<$state> {
                &self.0
            }
        }
    )*};
}

pub(crate) use objects;

impl<T> Guarded<T> {
    pub(crate) fn new(name: &'static str, value: T) -> Self {
        Self { state: AtomicU8::new(FREE), name, value: UnsafeCell::new(value) }
    }

    /// Begins a call. Errors: another call is under way; a call has panicked.
    fn enter(&self) -> Outcome<Entered<'_, T>> {
        let name = self.name;
        match self.state.compare_exchange(FREE, BUSY, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(Entered { owner: self, next: FREE }),
            Err(POISONED) => Err(Failure::new(
                PALPATE_PANIC,
                format!(
                    "an earlier call with the {name} panicked: it refuses all calls but the one that frees it"
                ),
            )),
            Err(_) => Err(Failure::new(
                PALPATE_BUSY,
                format!(
                    "the {name} is in a call of another thread, or this is a callback of such a call: wanted one call at a time"
                ),
            )),
        }
    }
}

/// A pointer that owns a new object.
pub(crate) fn boxed<O: Object>(object: O) -> *mut O {
    Box::into_raw(Box::new(object))
}

/// Begins a call with an object. Errors: null; another call is under way; a call has panicked.
///
/// # Safety
/// `pointer` is null or points to a living object.
pub(crate) unsafe fn enter<'a, O: Object + 'a>(
    pointer: *const O,
    what: &str,
) -> Outcome<Entered<'a, O::State>> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(what))?.guarded().enter()
}

/// Frees an object; null is allowed. Errors: a call with it is under way.
///
/// # Safety
/// `pointer` is null or owns a living object, which is not used afterwards.
pub(crate) unsafe fn free<O: Object>(pointer: *mut O) -> Outcome {
    // SAFETY: the caller's promise.
    let Some(object) = (unsafe { pointer.as_ref() }) else { return Ok(()) };
    let Guarded { state, name, .. } = object.guarded();
    if state.swap(BUSY, Ordering::Acquire) == BUSY {
        return Err(Failure::new(
            PALPATE_BUSY,
            format!("the {name} is in a call: wanted to free it after that"),
        ));
    }
    // SAFETY: it came from `boxed`, and no call is under way.
    drop(unsafe { Box::from_raw(pointer) });
    Ok(())
}

impl<T> Entered<'_, T> {
    /// Runs what may panic or call back. After a panic the object is poisoned, and the panic goes on; after a callback that
    /// failed it is put right by `restore`.
    pub(crate) fn run<R>(
        &mut self,
        work: impl FnOnce(&mut T) -> Outcome<R>,
        restore: impl FnOnce(&mut T),
    ) -> Outcome<R> {
        self.next = POISONED;
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut *self)));
        match done {
            Ok(outcome) => {
                self.next = FREE;
                outcome
            }
            Err(cause) => match cause.downcast::<CallbackFailed>() {
                Ok(failed) => {
                    restore(&mut *self);
                    self.next = FREE;
                    Err(failed.failure())
                }
                Err(cause) => resume_unwind(cause),
            },
        }
    }
}

impl<T> Deref for Entered<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the state says that this is the only call.
        unsafe { &*self.owner.value.get() }
    }
}

impl<T> DerefMut for Entered<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> Drop for Entered<'_, T> {
    fn drop(&mut self) {
        let next = if std::thread::panicking() { POISONED } else { self.next };
        self.owner.state.store(next, Ordering::Release);
    }
}
