//! Intersections of segments, triangles and tetrahedra, with exact decisions.

mod coplanar_segments;
mod neighbour_triangles;
mod segment_tetrahedron;
mod segment_triangle;
mod triangle_triangle;

pub use neighbour_triangles::{meet_beyond_corner, meet_beyond_edge};
pub use segment_tetrahedron::segment_tetrahedron;
pub use segment_triangle::{SegmentTriangleMeeting, segment_triangle};
pub use triangle_triangle::{TriangleTriangleMeeting, triangle_triangle, triangles_meet};
