//! The laws of sheets: an open surface mesh with a body of every kind, by the registry's default detector,
//! with independent judges. Beside them closed slabs of fine triangles, and closed meshes that have a vertex
//! or an edge on the other's surface.
//!
//! | law | |
//! |---|---|
//! | least exit | no contact is deeper than the overlap of the two along any direction |
//! | seen | two that certainly share a point have a contact |
//! | steady | a small motion changes the deepest depth by no more than its largest displacement |
//! | progress | moved out by its deepest contact, a convex body is free after a few moves, and not far away |
//! | monotone | contacts stay as they are, to the bit, when the margin grows |
//! | thicker | a thread, points or another sheet get deeper by as much as their radius grows |
//! | one face | a flat rectangle has the same depth however it is divided into triangles |
//! | on the surface | bodies that touch to rounding are as deep as the same bodies moved by almost nothing |
//! | in place | the two points of a contact are apart by the depth along the direction |

mod case;
mod face;
mod form;
mod grid;
mod judges;
mod kind;
mod mutation;
mod on_surface;
mod other;
mod place;
mod progress;
mod seen;
mod stand;

pub use case::{Detectors, SheetCase};
pub use kind::{OtherKind, SheetCell, sheet_cells};
pub use mutation::SheetMutation;
pub use stand::{SheetStand, sheet_case};

/// Judges a case: the number of items judged, or the violation.
pub type SheetJudge = fn(&Detectors<'_>, &SheetCase) -> Result<usize, String>;

/// A law by name.
#[derive(Clone, Copy)]
pub struct SheetLaw {
    /// The name.
    pub name: &'static str,
    /// The judge.
    pub judge: SheetJudge,
}

/// The laws of sheets.
pub const SHEET_LAWS: [SheetLaw; 9] = [
    SheetLaw { name: "least exit", judge: judges::least_exit },
    SheetLaw { name: "seen", judge: seen::seen },
    SheetLaw { name: "steady", judge: judges::steady },
    SheetLaw { name: "progress", judge: progress::progress },
    SheetLaw { name: "monotone", judge: judges::monotone },
    SheetLaw { name: "thicker", judge: judges::thicker },
    SheetLaw { name: "one face", judge: face::one_face },
    SheetLaw { name: "on the surface", judge: on_surface::on_the_surface },
    SheetLaw { name: "in place", judge: judges::in_place },
];
