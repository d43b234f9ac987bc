//! Registration and binding: from kinds and names to a detector bound to a pair.

mod alias;
#[expect(clippy::module_inception, reason = "the folder is named for what it does, and this file does it")]
mod bind;
mod bound;
mod children;
mod content_order;
mod detection;
mod expansion;
mod fallback;
mod matrix;
mod near_children;
mod registry;
mod setting;
mod sorts;
mod standard;

pub use bound::{Bound, Order};
pub use detection::Detection;
pub use matrix::{MatrixCell, Served};
pub use registry::{Choice, Entry, Registry};
pub use setting::{Setting, SettingValues};
