//! From JSON to a geometry.

mod fields;
mod implicit;
mod mesh;
pub mod number;
mod pose;
mod primitive;
mod shape;

pub use fields::{Fields, boolean, text};
#[cfg(feature = "recording")]
pub(crate) use mesh::MeshTraits;
pub(crate) use pose::EXACT_WITHIN;
pub use shape::from_json;
#[cfg(feature = "recording")]
pub(crate) use shape::{GREATEST_CHILD, numbered};
