//! Implicit functions: bodies given by a function of space, negative inside, and certified searches for its least value.
//!
//! **Conventions** of the whole crate: metres, radians, a right-handed frame; a signed distance is negative inside, and its
//! gradient is the unit direction of increase. The guide is `docs/implicit.md`, the method `docs/implicit-method.md`.
//!
//! Imports go one way:
//!
//! | module | contents |
//! |---|---|
//! | `base` | what all use: poses, checks and errors, samples, cells, boxes |
//! | `function` | the trait, and what searches know of palpate's own functions beyond it |
//! | `bounds` | linear lower bounds over a cell |
//! | `functions` | one file per function |
//! | `grid` | samples on a lattice: interpolation, a hierarchy of extremes, segments and boxes |
//! | `search` | the search for the least value over a segment, a triangle, a solid or a body |

pub mod base;
mod bounds;
mod function;
mod functions;
mod grid;
mod search;

pub use base::{Cell, CellValues, Exactness, Sample};
pub use function::{Description, ImplicitFunction};
pub use functions::{Intersection, Offset, SmoothUnion, Torus, Union};
pub use grid::Grid;

/// What palpate's own crates search with: no part of the interface.
#[doc(hidden)]
pub mod internal {
    pub use super::base::{Circle, CylinderDomain, EdgeSplit, OrientedBounds};
    pub use super::bounds::{VALUES, least, mixed_with};
    pub use super::function::Structure;
    pub use super::functions::{Posed, Solid, is_bounded};
    pub use super::grid::Lattice;
    pub use super::search::{ConvexDomain, Lowest, Minimum, Piece, Polytope, Search, over_parts, pieces};
}
