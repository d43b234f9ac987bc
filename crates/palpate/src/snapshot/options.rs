//! Options of a snapshot.

use super::error::SnapshotError;
use super::selection::{Detail, Selection};
use super::tolerance::{Tolerance, is_tolerance};

/// The part of a session that a snapshot contains, and the tolerances of comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotOptions {
    /// Step between frames: frames 0, `every`, 2 `every` and so on are included; 1 (the default): all. At least 1.
    pub every: usize,
    /// How much of the contacts of each pair and frame is included; by default all contacts.
    pub detail: Detail,
    /// Tolerance of lengths in metres, not negative; with zero they must be equal bit for bit. `None` (the default):
    /// the power of ten at or above 1e-9 of the diagonal of the scene's bounds in the first frame, without unbounded
    /// objects.
    pub tolerance: Option<f64>,
    /// Tolerance of components of directions, weights and times of impact, not negative; 1e-6 by default. Raise it
    /// together with `tolerance`: a point that moves by `d` changes its weight on an edge of length `l` by `d / l`.
    pub unit_tolerance: f64,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self { every: 1, detail: Detail::default(), tolerance: None, unit_tolerance: 1e-6 }
    }
}

impl SnapshotOptions {
    /// The selection of frames and contacts. Errors: `every` is 0, or 0 deepest contacts.
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

    /// The tolerances, in a scene whose bounds have this diagonal in metres. Errors: an invalid tolerance.
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
    fn the_default_selects_everything() {
        let options = SnapshotOptions::default();
        assert_eq!(options.selection().unwrap(), Selection { every: 1, detail: Detail::Contacts });
        assert_eq!(options.tolerance(0.25).unwrap(), Tolerance { lengths: 1e-9, units: 1e-6 });
        let stated = SnapshotOptions { tolerance: Some(2e-4), ..options };
        assert_eq!(stated.tolerance(0.25).unwrap().lengths, 2e-4);
    }

    #[test]
    fn invalid_options_are_named() {
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
