//! Closest points between two simple features, one file per pair.

mod parallel_overlap;
mod point_segment;
mod point_tetrahedron;
mod point_triangle;
mod point_triangle_distance;
pub(crate) mod segment_above_triangle;
mod segment_box;
mod segment_segment;

pub use crate::segment_triangle::{SegmentTriangle, segment_triangle};
pub use crate::triangle_triangle::{
    TriangleTriangle, TrianglesWithin, is_segment_beyond, triangle_triangle, triangles_within,
};
pub use parallel_overlap::{OverlapEnd, parallel_overlap};
pub use point_segment::{PointSegment, SegmentFeature, point_segment};
pub use point_tetrahedron::{PointTetrahedron, point_tetrahedron};
pub use point_triangle::{PointTriangle, TriangleFeature, point_triangle};
pub use point_triangle_distance::point_triangle_distance_squared;
pub use segment_above_triangle::{AboveEnd, AboveTriangle, segment_above_triangle};
pub use segment_box::{SegmentBox, segment_box};
pub use segment_segment::{SegmentSegment, segment_segment};
