//! A signed distance grid made from a closed surface: measured near the surface, bounded elsewhere.
//!
//! Let r be half the diagonal of a cell, so that every place of the lattice's box is within r of a sample. Samples within the
//! *band* are distances, by the nearest triangle. Samples beyond it are bounds: the surface is within r of samples that are
//! themselves within r of it, so that its distance is at least the distance to the nearest of these *near* samples less r;
//! and it is at least the band. The higher of both is the value. It falls short of the distance by no more than 2 r, and all
//! samples together change by no more than the way between them, as a distance does.
//!
//! Signs are measured in the band too. Beyond it a sample has the sign of the one before it in its row, since no surface lies
//! between two neighbours of which one is farther from it than from the other.

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
