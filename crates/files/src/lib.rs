//! Files that appear whole or not at all, whatever is written and by however many processes at once.
//!
//! ```text
//! contacts.h5                                        the target, once it is complete
//! contacts.h5.4711-0-0123456789abcdef.part           what is written so far, locked by its writer
//! contacts.h5.4711-0-0123456789abcdef.part.data      the companion: a file that a library creates itself
//! ```
//!
//! The temporary name is `NAME.PID-COUNTER-RANDOM.part`, beside the file `NAME`: no two writers share one, in this
//! process or in another. Its writer holds an advisory lock on it (on Unix). One that can be locked was left by a
//! process that died; the next writer of the same target removes it, with its companion.

mod lock;
mod name;
mod operations;
mod replacement;
mod write;

pub use lock::{is_at, lock};
pub use operations::{FolderOperations, SystemOperations};
pub use replacement::Replacement;
pub use write::{is_special, write};
