//! Conversion of geometries to JSON and back, bit for bit, in the format of `docs/detect-json.md`.
//!
//! [`to_json`] describes the current state of a geometry, [`from_json`] creates a geometry from a description. The same
//! format is used by `palpate detect`, bug reports and recordings. A geometry created from its description gives the
//! same contacts as the original. Previous coordinates are read, but not written.
//!
//! ```
//! use palpate::describe::{from_json, to_json};
//! use palpate::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = Sphere::new(Point::new(0.0, 0.75, 0.0), 1.0)?;
//! let json = to_json(&ball)?;
//! assert_eq!(json["radius"], 1.0);
//! assert_eq!(from_json(&json)?.content(), ball.content());
//! # Ok(())
//! # }
//! ```

mod error;
mod read;
mod write;

pub use error::DescriptionError;
#[cfg(feature = "mesh-io")]
pub use read::MeshFiles;
pub use read::{Fields, boolean, from_json, number, text};
pub use write::to_json;

#[cfg(all(feature = "mesh-io", feature = "recording"))]
pub(crate) use read::scale;
#[cfg(feature = "recording")]
pub(crate) use read::{GREATEST_CHILD, MeshTraits, numbered, sidedness_of};
#[cfg(feature = "recording")]
pub(crate) use write::{numbers, sidedness_word, without_coordinates};
