//! Conversion from a geometry to JSON.

mod function;
mod object;
mod primitive;
mod shape;

pub use shape::to_json;
#[cfg(feature = "recording")]
pub(crate) use shape::{numbers, sidedness_word, without_coordinates};
