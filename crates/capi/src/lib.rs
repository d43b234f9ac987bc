//! The C interface of palpate: `palpate.h`, made from this crate, and `palpate.hpp` for C++.
//!
//! Rust programs use the crate `palpate`. This one is built as a shared and a static library, see `docs/c.md`. All functions keep
//! the rules at the top of the header: no panic leaves them, an object serves one call at a time, and the text of an error is
//! kept per thread.
//!
//! ```text
//! input, arrays, types ─► geometry ─► scene ─► response, procedure, haptics, record, ring, diff ─► C
//! status, wall (no panic passes), handle (one call at a time), logger, runner (the host's threads)
//! ```
#![allow(non_camel_case_types)] // the names are those of C
#![allow(clippy::too_many_arguments)] // arrays come with their counts

mod arrays;
mod diff;
mod geometry;
mod handle;
mod haptics;
mod input;
mod logger;
mod procedure;
mod readers;
mod record;
mod response;
mod ring;
mod runner;
mod scene;
mod status;
mod types;
mod user;
mod version;
mod wall;

pub use arrays::*;
pub use diff::*;
pub use geometry::*;
pub use haptics::*;
pub use logger::*;
pub use procedure::*;
pub use readers::*;
pub use record::*;
pub use response::*;
pub use ring::*;
pub use runner::*;
pub use scene::*;
pub use status::*;
pub use types::*;
pub use user::*;
pub use version::*;
pub use wall::*;
