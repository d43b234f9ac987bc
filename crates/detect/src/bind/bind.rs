//! Binding: from two geometries and a choice to a detector that runs on them.

use super::expansion::Expansion;
use crate::{Bound, Choice, DetectError, Registry};
use palpate_geometry::Geometry;

impl Registry {
    /// A detector for `a` and `b`; where one is a compound, one for every child. Errors: no detector for the two kinds, an
    /// unknown name, a detector that does not take them, settings that are not its own.
    pub fn bind(&self, a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        match self.bind_whole(a, b, choice) {
            Err(_) if Expansion::takes(a, b) => Expansion::bind(self, a, b, choice).map(Bound::of_children),
            whole => whole,
        }
    }

    /// A detector for the contacts of `a` with itself; of a compound those between its different children (a child with
    /// itself is not among them). Errors as [`bind`](Self::bind).
    pub fn bind_self(&self, a: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        match self.bind_self_whole(a, choice) {
            Err(_) if Expansion::takes(a, a) => Expansion::bind_self(self, a, choice).map(Bound::of_children),
            whole => whole,
        }
    }
}
