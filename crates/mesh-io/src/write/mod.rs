//! Writing.

mod formats;
mod save;

pub use save::{write, write_bytes};
