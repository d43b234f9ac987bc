//! Signed distance grid of a closed surface: measured near the surface, bounded elsewhere.
//!
//! Let r be half the diagonal of a cell, so that every point of the lattice's box is within r of a sample. Samples
//! within the *band* are exact distances, by the closest triangle. Samples beyond it are bounds: the surface is within
//! r of samples that are themselves within r of it, so that the distance is at least the distance to the closest of
//! these *near* samples minus r; and it is at least the band. The value is the greater of both. It is too small by at
//! most 2 r, and all samples together have Lipschitz constant one, as a distance does.
//!
//! Signs are measured in the band too. Beyond it a sample has the sign of its predecessor in the row, since no surface
//! lies between two neighbours if one of them is farther from it than from the other.

mod build;
mod certify;
mod distance_transform;
mod far;
mod measure;
mod sampling;
mod work;

pub use build::SurfaceGrid;
pub use sampling::SurfaceSampling;
pub use work::Progress;
