//! Termination criteria of queries.

/// Termination criteria of a query. The defaults suit every shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// For pairs with a curved shape: the gap between the certified bounds at which a query has converged, relative to
    /// the size of the input (the sum of bounding radii and radii). Not used for polyhedra, which are exact after
    /// finitely many iterations. Default 1e-10.
    pub tolerance: f64,
    /// Iteration limit of GJK. Default 128.
    pub gjk_iterations: u32,
    /// Iteration limit of EPA. Default 512.
    pub epa_iterations: u32,
}

/// The relative gap reached for pairs of polyhedra.
const POLYHEDRA: f64 = 1e-13;

/// The smallest gap that can be reached, in rounding errors.
const ROUNDINGS: f64 = 8.0;

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, gjk_iterations: 128, epa_iterations: 512 }
    }
}

impl Settings {
    /// Returns the gap at which a query has converged, a length.
    #[inline(always)]
    pub(crate) fn gap(&self, curved: bool, size: f64, rounding_error: f64) -> f64 {
        let gap = if curved { self.tolerance } else { POLYHEDRA } * size;
        if gap > ROUNDINGS * rounding_error { gap } else { ROUNDINGS * rounding_error }
    }
}
