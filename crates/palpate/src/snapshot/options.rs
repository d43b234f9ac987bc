//! Options of a snapshot.

use super::error::SnapshotError;
use super::selection::{Detail, Selection};
use super::tolerance::{Tolerance, is_tolerance};

/// How much of a session a snapshot holds, and how far two may differ.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotOptions {
    /// Frames 0, `every`, 2 `every`, and so on; 1 (the default): all. At least 1.
    pub every: usize,
    /// What of its contacts a pair's part of a frame holds; by default all of them.
    pub detail: Detail,
    /// Metres by which lengths may differ, not negative; zero: not by a bit. `None` (the default): the power of ten at or
    /// above 1e-9 of the diagonal of the scene's bounds in the first frame, unbounded objects not counted.
    pub tolerance: Option<f64>,
    /// By how much components of directions, weights and times of impact may differ, not negative; 1e-6 by default. To be
    /// raised with `tolerance`: a point that moves by `d` changes its weight on an edge of length `l` by `d / l`.
    pub unit_tolerance: f64,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self { every: 1, detail: Detail::default(), tolerance: None, unit_tolerance: 1e-6 }
    }
}

impl SnapshotOptions {
    /// Which contacts are in. Errors: every 0th frame, the deepest none.
    pub(super) fn selection(&self) -> Result<Selection, SnapshotError> {
        let wanted = "1 or more";
        if self.every == 0 {
            return Err(SnapshotError::Option { option: "every", found: "0".to_owned(), wanted });
        }
        if self.detail == Detail::Deepest(0) {
            return Err(SnapshotError::Option { option: "deepest", found: "0".to_owned(), wanted });
        }
        Ok(Selection { every: self.every, detail: self.detail })
    }

    /// How far numbers may differ, in a scene of this diagonal in metres. Errors: what cannot be a tolerance.
    pub(super) fn tolerance(&self, diagonal: f64) -> Result<Tolerance, SnapshotError> {
        let checked = |option, value: f64| {
            let wanted = "a finite number that is not negative";
            let error = || SnapshotError::Option { option, found: value.to_string(), wanted };
            is_tolerance(value).then_some(value).ok_or_else(error)
        };
        let lengths = match self.tolerance {
            Some(metres) => checked("tolerance", metres)?,
            None => Tolerance::of_scene(diagonal),
        };
        Ok(Tolerance { lengths, units: checked("unit tolerance", self.unit_tolerance)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_all_of_it() {
        let options = SnapshotOptions::default();
        assert_eq!(options.selection().unwrap(), Selection { every: 1, detail: Detail::Contacts });
        assert_eq!(options.tolerance(0.25).unwrap(), Tolerance { lengths: 1e-9, units: 1e-6 });
        let stated = SnapshotOptions { tolerance: Some(2e-4), ..options };
        assert_eq!(stated.tolerance(0.25).unwrap().lengths, 2e-4);
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        let default = SnapshotOptions::default;
        let refused = |options: SnapshotOptions| {
            let error = options.selection().err().or_else(|| options.tolerance(1.0).err());
            error.map_or(String::new(), |error| error.to_string())
        };
        assert_eq!(refused(SnapshotOptions { every: 0, ..default() }), "every: found 0, wanted 1 or more");
        let deepest = SnapshotOptions { detail: Detail::Deepest(0), ..default() };
        assert_eq!(refused(deepest), "deepest: found 0, wanted 1 or more");
        for value in [-1e-9, f64::NAN, f64::INFINITY] {
            let wanted = format!("tolerance: found {value}, wanted a finite number that is not negative");
            assert_eq!(refused(SnapshotOptions { tolerance: Some(value), ..default() }), wanted);
            let options = SnapshotOptions { unit_tolerance: value, ..default() };
            assert_eq!(refused(options), format!("unit {wanted}"));
        }
    }
}
