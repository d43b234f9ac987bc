//! Writing.

mod formats;
mod parts;
mod save;

pub use save::{WriteReport, write, write_bytes};
