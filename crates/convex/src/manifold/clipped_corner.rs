//! Corners of the intersection of two projected faces, and what made them.

use super::projected_face::ProjectedFace;

/// The features that made a corner of the intersection: a corner or a side of each face, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    CornerOfA(u32),
    CornerOfB(u32),
    Crossing(u32, u32),
}

/// A corner of the intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClippedCorner {
    pub(super) at: [f64; 2],
    pub(super) origin: Origin,
    /// The line along which the outline continues, counter-clockwise.
    pub(super) onward: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    A(u32),
    B(u32),
}

impl ClippedCorner {
    /// Returns the corner where the outline onward from this one crosses a side of B, given both ends' distances from that.
    #[inline(always)]
    pub(super) fn crossing(
        &self,
        next: [f64; 2],
        [here, there]: [f64; 2],
        b: &ProjectedFace,
        side: usize,
    ) -> Self {
        let t = here / (here - there);
        let [x, y] = self.at;
        let at = [x + (next[0] - x) * t, y + (next[1] - y) * t];
        let own = match self.onward {
            Line::A(own) => return Self { at, origin: Origin::Crossing(own, side as u32), ..*self },
            Line::B(own) => own,
        };
        // Adjacent sides of B meet in a corner of B. Others meet outside of it, where a later side will clip.
        let (count, other) = (b.corners.len(), own as usize);
        if (other + 1) % count == side {
            Self { at: b.corners[side].at, origin: Origin::CornerOfB(side as u32), ..*self }
        } else if (side + 1) % count == other {
            Self { at: b.corners[other].at, origin: Origin::CornerOfB(own), ..*self }
        } else {
            Self { at, origin: Origin::CornerOfB(own), ..*self }
        }
    }
}
