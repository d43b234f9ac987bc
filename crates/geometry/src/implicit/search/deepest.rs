//! The deepest point of a body in a mesh.

use super::minimum::{Lowest, Minimum};
use super::queries::Search;
use super::reduction::Wanted;
use crate::implicit::mesh_faces::MeshFaces;
use crate::implicit::{BoxSearch, ImplicitFunction, Limits, MeshSolid, OrientedBounds};
use palpate_math::{Point, Vector};

impl Search {
    /// Returns the minimum of a mesh's signed distance over a body in a box, if it is at most `cutoff`, which is not positive; as
    /// [`below_within_from`](Self::below_within_from). By a cover and range reduction in what that leaves; for a body on a lattice cell
    /// by cell.
    pub fn deepest_in_mesh(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        if body.over_cells(&mut Nowhere) {
            let solid = solid.shared_with(body);
            return self.by_faces(&solid, body, root, cutoff, seed).unwrap_or_else(|| {
                self.division.undecided = false;
                self.division.within_cells(&solid, Some(&solid), body, root, (cutoff, self.tolerance), seed)
            });
        }
        let across: Vector = root.half.iter().sum();
        let gap = self.tolerance.gap(root.reach(), &[root.center - across, root.center + across]);
        let mut cover = std::mem::take(&mut self.cover);
        let mut lowest = Lowest::below(cutoff);
        let mut undecided = false;
        self.division.undecided = false;
        match cover.find(solid, body, root, -cutoff, gap) {
            None => lowest.take(self.deepest_in_box(solid, body, root, cutoff, seed)),
            Some(deepest) => {
                let seed = deepest.as_ref().map(|deepest| &deepest.point).or(seed);
                for root in &cover.boxes {
                    let cutoff = lowest.cutoff();
                    let wanted = Wanted { cutoff, gap, seed, trilinear: None };
                    let found = self.division.reduction.deepest(solid, body, root, &wanted);
                    lowest
                        .take(found.unwrap_or_else(|| self.deepest_in_box(solid, body, root, cutoff, seed)));
                    undecided |= std::mem::take(&mut self.division.undecided);
                }
            }
        }
        self.cover = cover;
        self.division.undecided |= undecided;
        let found = lowest.found()?;
        if self.division.undecided {
            // There may be a deeper point than the one known.
            let lower = solid.sample(&root.center).value.min(0.0) - root.reach();
            return Some(Minimum { lower: found.lower.min(lower), converged: false, ..found });
        }
        Some(found)
    }

    /// Likewise, by the planes of the faces there, which are a convex function, and by division.
    fn deepest_in_box(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let solid = solid.shared_with(body);
        self.by_faces(&solid, body, root, cutoff, seed)
            .unwrap_or_else(|| self.below_within_from(&solid, body, root, cutoff, seed))
    }

    /// Likewise, by the planes alone; `None` where these do not decide.
    fn by_faces(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Option<Minimum>> {
        let faces = MeshFaces::new(solid, root)?;
        let found = self.below_within_from(&faces, body, root, cutoff, seed);
        if found.is_none() && !self.undecided() {
            return Some(None);
        }
        let found = found.filter(|found| found.converged)?;
        let sample = solid.sample(&found.point);
        (sample.value - found.lower <= 2.0 * self.tolerance.of(root.reach()))
            .then_some(Some(Minimum { sample, ..found }))
    }
}

/// Nothing is of use anywhere.
struct Nowhere;

impl BoxSearch for Nowhere {
    fn below(&mut self, _: &OrientedBounds, _: &Limits<'_>) -> f64 {
        f64::INFINITY
    }

    fn cutoff(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn search(&mut self, _: &[Point; 8], _: &[f64; 8]) {}
}
