//! User data of callbacks.

use std::ffi::c_void;

/// Frees what `user` points to; called once, when the callback is no longer needed. Null: nothing to free.
pub type palpate_destroy_function = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// A pointer of the host, freed by the host's own function.
pub(crate) struct User {
    pub(crate) pointer: *mut c_void,
    destroy: palpate_destroy_function,
}

// SAFETY: by the rules of the header, callbacks and what `user` points to may be used from any thread.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}

impl User {
    pub(crate) fn new(pointer: *mut c_void, destroy: palpate_destroy_function) -> Self {
        Self { pointer, destroy }
    }
}

impl Drop for User {
    fn drop(&mut self) {
        if let Some(destroy) = self.destroy.take() {
            // SAFETY: by the rules of the header; called once.
            unsafe { destroy(self.pointer) }
        }
    }
}
