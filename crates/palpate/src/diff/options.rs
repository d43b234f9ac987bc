//! Which differences count.

use super::error::DiffError;

/// Which differences of contacts count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Every bit of every record, and the order.
    Exact,
    /// Keys, elements and the order exactly; numbers within a tolerance.
    Tolerance(Tolerance),
    /// Numbers within a tolerance; a contact is the same if its points are no farther apart than
    /// [`Tolerance::place`], whatever its key, its elements and its place in the order.
    SameWithin(Tolerance),
}

/// The largest differences at which numbers agree. All finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Metres: of depths, and of the distance between points. 1e-9 by default.
    pub length: f64,
    /// Radians: of the angle between directions. 1e-6 by default.
    pub angle: f64,
    /// Relative to the larger of two depths, added to `length` for depths. 0 by default.
    pub relative: f64,
    /// Of weights and times of impact, which have no unit. 1e-6 by default.
    pub unit: f64,
    /// Metres: how far apart two contacts of different keys may be to be the same contact. `None` (the default): the larger
    /// of `length` and 1e-6 of the box round all points of the pair in the frame.
    pub place: Option<f64>,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { length: 1e-9, angle: 1e-6, relative: 0.0, unit: 1e-6, place: None }
    }
}

impl Policy {
    /// The tolerances; those of [`Policy::Exact`] are zero.
    pub(super) fn tolerance(&self) -> Tolerance {
        match self {
            Self::Exact => Tolerance { length: 0.0, angle: 0.0, relative: 0.0, unit: 0.0, place: None },
            Self::Tolerance(tolerance) | Self::SameWithin(tolerance) => *tolerance,
        }
    }

    /// Whether keys, elements and order count.
    pub(super) fn keeps_identity(&self) -> bool {
        !matches!(self, Self::SameWithin(_))
    }

    /// Errors: a tolerance that is negative or not finite.
    pub(super) fn check(&self) -> Result<(), DiffError> {
        let Tolerance { length, angle, relative, unit, place } = self.tolerance();
        let all = [
            ("tolerance", length),
            ("angle", angle),
            ("relative tolerance", relative),
            ("unit tolerance", unit),
            ("place", place.unwrap_or(0.0)),
        ];
        match all.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((option, found)) => Err(DiffError::Option { option, found }),
            None => Ok(()),
        }
    }
}

/// Options of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which differences count; all by default.
    pub policy: Policy,
    /// The most findings that are described one by one; all are counted. 1,000 by default.
    pub described: usize,
    /// Whether a baseline without a single contact is accepted. False by default: nothing would be verified.
    pub allow_empty: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { policy: Policy::Exact, described: 1000, allow_empty: false }
    }
}
