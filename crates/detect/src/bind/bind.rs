//! Binding: makes a detector for two geometries and a choice.

use super::expansion::Expansion;
use crate::{Bound, Choice, DetectError, Registry};
use palpate_geometry::Geometry;

impl Registry {
    /// Binds a detector for `a` and `b`; if one is a compound, one for every child. Errors: no detector for the two
    /// kinds, an unknown name, a detector that does not accept them, settings it does not have.
    pub fn bind(&self, a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        match self.bind_whole(a, b, choice) {
            Err(_) if Expansion::takes(a, b) => Expansion::bind(self, a, b, choice).map(Bound::of_several),
            whole => whole,
        }
    }

    /// Binds a detector for the contacts of `a` with itself; for a compound, those between different children (a
    /// child's self-contact is not included). Errors as [`bind`](Self::bind).
    pub fn bind_self(&self, a: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        match self.bind_self_whole(a, choice) {
            Err(_) if Expansion::takes(a, a) => Expansion::bind_self(self, a, choice).map(Bound::of_several),
            whole => whole,
        }
    }
}
