//! Samples near the surface.

use crate::SurfaceMesh;
use palpate_implicit::internal::Lattice;

/// Measures a row of samples: distances within `band` of the surface, and beyond it infinity, with the sign of the
/// side. The surface must be prepared, and lie in the lattice's box.
pub(super) fn measure_row(
    surface: &SurfaceMesh,
    lattice: &Lattice,
    band: f64,
    row: usize,
    values: &mut [f64],
) {
    let (j, k) = (row % lattice.size[1], row / lattice.size[1]);
    // A row starts on a side of the box, hence outside or on the surface.
    let mut side = 1.0;
    let mut reach = band;
    for (i, value) in values.iter_mut().enumerate() {
        let place = lattice.place([i, j, k]);
        *value = match surface.signed_distance(&place, reach * reach) {
            Some((signed, _)) => {
                let distance = signed.distance;
                side = if distance < 0.0 { -1.0 } else { 1.0 };
                // The next sample is at most one step farther from the surface: a short search.
                reach = band.min(distance.abs() + lattice.spacing.x + lattice.rounding());
                distance
            }
            None => {
                reach = band;
                side * f64::INFINITY
            }
        };
    }
}
