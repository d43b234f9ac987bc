//! Sidedness of a surface for a round body: a solid, or a sheet with one or two sides.

use palpate_geometry::{Sidedness, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// The sidedness of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceSides {
    /// A closed surface is a solid that pushes outward; an open one is a two-sided sheet.
    #[default]
    AsGiven,
    /// A closed surface is a solid; an open one is a one-sided sheet that pushes to its front, the side of the
    /// normals given by the winding. A body touching it from behind is pushed through to the front. Touching from
    /// behind means: the closest point of the sheet is not on its border, the other body's core is on the back of the
    /// pseudonormal there, and its distance is at most the sum of the radii, for a point of the radii and the margin.
    /// Beyond the border the sheet collides from all sides.
    One,
    /// A two-sided sheet that pushes to the side of the other body's core, closed or not, as in iMSTK's detectors. A
    /// body whose core is wholly inside a closed surface without touching the sheet is still pushed outward.
    Two,
}

/// The sidedness of a surface as a body's core sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceSidedness {
    /// A solid: it collides with everything inside it.
    Solid,
    /// A sheet that pushes to its front.
    Front,
    /// A sheet that pushes to the side of the core.
    Sheet,
}

impl SurfaceSidedness {
    /// Whether only elements that face the other body are reported: for a solid, if the sides are decided by
    /// pseudonormals.
    pub(crate) fn is_facing(self, surface: &SurfaceMesh) -> bool {
        match self {
            Self::Solid => surface.sidedness() == Sidedness::Pseudonormals,
            Self::Front => true,
            Self::Sheet => false,
        }
    }
}

impl SurfaceSides {
    pub(crate) fn sidedness(self, surface: &SurfaceMesh) -> SurfaceSidedness {
        match (self, surface.is_closed()) {
            (Self::AsGiven | Self::One, true) => SurfaceSidedness::Solid,
            (Self::One, false) => SurfaceSidedness::Front,
            _ => SurfaceSidedness::Sheet,
        }
    }
}
