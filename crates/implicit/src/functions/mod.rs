//! palpate's own functions, one file for each; primitives are beside their shapes, in the crate of geometries.

mod ask;
mod complement;
mod composite;
mod offset;
mod posed;
mod shell;
mod smooth_union;
mod solid;
pub(crate) mod term;
mod torus;

pub use composite::{Intersection, Union};
pub use offset::Offset;
pub use posed::{Posed, is_bounded};
pub use smooth_union::SmoothUnion;
pub use solid::Solid;
pub use torus::Torus;
