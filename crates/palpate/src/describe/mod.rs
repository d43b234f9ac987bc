//! Geometries as JSON and back, in the words of `docs/detect-json.md`, to the last bit.
//!
//! [`to_json`] describes a geometry as it stands, [`from_json`] makes one from its description: what
//! `palpate detect` reads, bug reports carry and recordings keep. A geometry that is made from its description gives the
//! same contacts as the one described. Previous coordinates are read, but not described.
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
pub use read::{Fields, boolean, from_json, number, text};
pub use write::to_json;

#[cfg(feature = "recording")]
pub(crate) use read::{GREATEST_CHILD, MeshTraits, numbered};
#[cfg(feature = "recording")]
pub(crate) use write::without_coordinates;
