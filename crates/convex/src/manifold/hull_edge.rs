//! An edge of a hull's faces.

/// An edge of a hull and the faces that share it: seen from outside, the second is to the left of the way from the first
/// end to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct HullEdge {
    pub(super) ends: [u32; 2],
    pub(super) faces: [u32; 2],
}
