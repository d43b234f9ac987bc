//! Writing.

mod formats;
mod parts;
mod save;

pub use save::{write, write_bytes};
