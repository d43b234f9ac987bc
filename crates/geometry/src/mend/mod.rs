//! Mending of surfaces: changes that a user asks for, each counted; never made while detecting.

mod holes;
mod options;
mod orient;
mod split;
mod surface;
mod weld;

pub use options::{MendOptions, MendReport};
