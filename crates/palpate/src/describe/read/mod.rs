//! Conversion from JSON to a geometry.

mod fields;
#[cfg(feature = "mesh-io")]
mod files;
#[cfg(not(feature = "mesh-io"))]
#[path = "no_files.rs"]
mod files;
mod implicit;
mod mesh;
pub mod number;
mod pose;
mod primitive;
mod shape;

pub use fields::{Fields, boolean, text};
#[cfg(feature = "mesh-io")]
pub use files::MeshFiles;
#[cfg(all(feature = "mesh-io", feature = "recording"))]
pub(crate) use files::scale;
#[cfg(feature = "recording")]
pub(crate) use mesh::{MeshTraits, sidedness_of};
pub(crate) use pose::EXACT_WITHIN;
pub use shape::from_json;
#[cfg(feature = "recording")]
pub(crate) use shape::{GREATEST_CHILD, numbered};
