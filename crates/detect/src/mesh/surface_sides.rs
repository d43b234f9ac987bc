//! What a surface is to a round body: a solid, or a sheet with two sides.

use palpate_geometry::{Sidedness, SurfaceMesh};
use serde::{Deserialize, Serialize};

/// How many sides a surface has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceSides {
    /// A closed surface is a solid that pushes outward; an open one is a sheet.
    #[default]
    AsGiven,
    /// A closed surface is a solid; an open one is a sheet that pushes to its front alone, to which the normals of its
    /// windings point. What it touches from behind (so that the nearest place of the sheet, not on its border, sees the
    /// other body's core on the back of its pseudonormal, and is no farther than the radii reach, of a point than the radii and
    /// the margin) is pushed through to the front; beyond its border it is met from all sides.
    One,
    /// A sheet that pushes to the side of the other body's core, closed or not, as iMSTK's detectors have it. A body whose
    /// core is wholly inside of a closed surface and out of reach of its sheet is pushed outward all the same.
    Two,
}

/// What a surface is to another body's core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceSidedness {
    /// It holds what is inside of it.
    Solid,
    /// It pushes to its front.
    Front,
    /// It pushes to the side on which the core is.
    Sheet,
}

impl SurfaceSidedness {
    /// Whether only those elements count that face the other body: of a solid, as far as its normals tell the sides.
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
