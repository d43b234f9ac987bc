//! The deepest point of a body in a mesh.

use super::minimum::Minimum;
use super::queries::Search;
use crate::implicit::{ImplicitFunction, MeshSolid, OrientedBounds};
use palpate_math::Point;

impl Search {
    /// Returns the minimum of a mesh's signed distance over a body in a box, if it is at most `cutoff`, which is not positive; as
    /// [`below_within_from`](Self::below_within_from).
    pub fn deepest_in_mesh(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let found = self.below_within_from(&solid.shared_with(body), body, root, cutoff, seed)?;
        if self.undecided() {
            // There may be a deeper point than the one known.
            let lower = solid.sample(&root.center).value.min(0.0) - root.reach();
            return Some(Minimum { lower: found.lower.min(lower), converged: false, ..found });
        }
        Some(found)
    }
}
