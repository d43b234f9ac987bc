//! Barycentric weights of a point with respect to the corners of a triangle or tetrahedron.

mod tetrahedron;
mod triangle;

pub use tetrahedron::tetrahedron;
pub use triangle::triangle;
