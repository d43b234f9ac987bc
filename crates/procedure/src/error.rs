//! Errors of this crate.

/// Why a shaft or a tissue was refused. The message names the thing, the value found and the value wanted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProcedureError {
    /// Too few points for a segment.
    #[error("the shaft has {points} point{}: wanted at least 2", if *points == 1 { "" } else { "s" })]
    TooFewPoints {
        /// How many there are.
        points: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {point} of section {section} of the shaft is not finite: wanted finite coordinates")]
    NotFinite {
        /// The section.
        section: usize,
        /// The point within it.
        point: usize,
    },
    /// Derived data is missing or out of date.
    #[error("the tissue has no {what} of its current positions: wanted it prepared with {needs}")]
    NotPrepared {
        /// What is missing.
        what: &'static str,
        /// What to prepare.
        needs: &'static str,
    },
    /// The rows of a blade's points before and now differ in length.
    #[error("the blade has {before} points before and {now} now: wanted as many")]
    RowsDiffer {
        /// How many there were.
        before: usize,
        /// How many there are.
        now: usize,
    },
    /// Too few points for an edge of a blade.
    #[error("the blade has {points} point{}: wanted at least 2", if *points == 1 { "" } else { "s" })]
    TooFewBladePoints {
        /// How many there are.
        points: usize,
    },
    /// A coordinate of a blade is NaN or infinite.
    #[error("point {point} of the blade is not finite: wanted finite coordinates before and now")]
    BladeNotFinite {
        /// The point.
        point: usize,
    },
    /// A mesh refused the change.
    #[error(transparent)]
    Mesh(#[from] palpate_geometry::GeometryError),
    /// A surface has a border.
    #[error("the surface is open: wanted a closed one, which has an inside")]
    Open,
}
