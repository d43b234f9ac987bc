//! What happened in a step.

use crate::crossing::CrossingId;
use palpate_geometry::SurfaceFeature;
use palpate_math::Point;

/// The tip before a surface that it may puncture: the host decides whether it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The element of the surface nearest to the tip. The contact of the tip with the surface has the same element.
    pub feature: SurfaceFeature,
    /// A triangle that has the element.
    pub triangle: u32,
    /// The point of the surface nearest to the tip, world frame, metres.
    pub point: Point,
    /// The distance of the tip from it, metres.
    pub distance: f64,
    /// The cosine of the angle between the shaft's direction and the inward normal: 1 where the tip points straight in, less
    /// than 0 where it points away.
    pub cosine: f64,
}

/// A rule for a puncture, as data: all three must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PunctureRule {
    /// The least force of the tip's contact on the surface, newtons.
    pub force: f64,
    /// The least cosine of the angle to the inward normal.
    pub cosine: f64,
    /// The least speed of the tip along the shaft, metres per second.
    pub speed: f64,
}

impl PunctureRule {
    /// Whether the tip, with this contact force and speed along the shaft, punctures the surface.
    pub fn allows(&self, candidate: &Candidate, force: f64, speed: f64) -> bool {
        force >= self.force && candidate.cosine >= self.cosine && speed >= self.speed
    }
}

/// A change from one step to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The tip has come within the tracker's distance of the surface, which it may puncture.
    Touched(Candidate),
    /// The tip is not near the surface any more, and has not punctured it.
    Left,
    /// The shaft has entered the tissue.
    Punctured {
        /// The new crossing.
        id: CrossingId,
        /// Whether the host had [allowed](crate::ShaftTracker::allow) it.
        allowed: bool,
    },
    /// The shaft has come out of the tissue.
    Exited {
        /// The new crossing.
        id: CrossingId,
    },
    /// The shaft was pulled out of a crossing, or has left it over its end.
    Withdrawn {
        /// The crossing that is no more.
        id: CrossingId,
    },
    /// The crossing lies in another triangle.
    Slid {
        /// The crossing.
        id: CrossingId,
        /// The triangles before and now.
        triangles: [u32; 2],
    },
    /// The crossing lies on another section of the shaft: the thread has followed the needle.
    Passed {
        /// The crossing.
        id: CrossingId,
        /// The sections before and now.
        sections: [u32; 2],
    },
}
