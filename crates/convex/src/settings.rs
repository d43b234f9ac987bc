//! When a query stops.

/// When a query stops. The defaults suit every shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// For pairs with a curved shape: the gap between the certified bounds that is good enough, relative to the size of the
    /// input (the sum of both shapes' reaches and radii). Pairs of polyhedra need none: they are exact after finitely many
    /// iterations. Default 1e-10.
    pub tolerance: f64,
    /// Iterations of GJK at most. Default 128.
    pub gjk_iterations: u32,
    /// Iterations of EPA at most. Default 512.
    pub epa_iterations: u32,
}

/// The relative gap that a pair of polyhedra closes.
const POLYHEDRA: f64 = 1e-13;

/// No gap narrower than so many times what rounding leaves undecided can be closed.
const ROUNDINGS: f64 = 8.0;

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, gjk_iterations: 128, epa_iterations: 512 }
    }
}

impl Settings {
    /// The gap that is good enough, a length.
    #[inline(always)]
    pub(crate) fn gap(&self, curved: bool, size: f64, rounding_error: f64) -> f64 {
        let gap = if curved { self.tolerance } else { POLYHEDRA } * size;
        if gap > ROUNDINGS * rounding_error { gap } else { ROUNDINGS * rounding_error }
    }
}
