//! From a geometry to JSON.

mod function;
mod object;
mod primitive;
mod shape;

pub use shape::to_json;
#[cfg(feature = "recording")]
pub(crate) use shape::without_coordinates;
