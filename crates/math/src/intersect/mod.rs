//! Where a segment meets a triangle or a tetrahedron; whether it does is decided exactly.

mod coplanar_segments;
mod segment_tetrahedron;
mod segment_triangle;

pub use segment_tetrahedron::segment_tetrahedron;
pub use segment_triangle::{SegmentTriangleMeeting, segment_triangle};
