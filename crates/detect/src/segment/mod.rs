//! Segments against surfaces and solids: the axis of a capsule, an edge of a mesh, an element of a thread.

pub(crate) mod axis_part;
pub(crate) mod axis_search;
pub(crate) mod axis_surface;
pub(crate) mod end_over_face;
mod line_samples;
mod lying_edge;
pub(crate) mod parallel_axis;
pub(crate) mod segment_penetration;
pub(crate) mod segment_solid;
pub(crate) mod volume_axis;
