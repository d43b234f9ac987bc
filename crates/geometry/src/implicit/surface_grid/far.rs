//! Samples outside the band.

use super::distance_transform::Envelope;
use super::work::Work;
use crate::GeometryError;
use palpate_implicit::internal::Lattice;

/// Maximum excess of a transformed square, in units in the last place of the square of the lattice's diagonal: in each
/// of two passes the chosen parabola is the lowest only up to some units.
const TRANSFORM_ERROR: f64 = 64.0 * f64::EPSILON;

/// Returns the number of parts of [`fill`].
pub(super) fn parts(lattice: &Lattice) -> usize {
    2 * lattice.size[2] + lattice.size[1]
}

/// Replaces infinite values by bounds of the distance, of the same sign; see the [module](super). All values within
/// `band` of the surface must be distances.
pub(super) fn fill(
    lattice: &Lattice,
    band: f64,
    values: &mut [f64],
    work: &mut Work<'_>,
) -> Result<(), GeometryError> {
    let [nx, ny, nz] = lattice.size;
    let spacing = lattice.spacing;
    let slack = lattice.rounding();
    let near = lattice.half_diagonal() + slack;
    // Squared distances to the closest near sample of the same slice, x varying fastest, then y, then z.
    let mut slices = vec![f64::INFINITY; values.len()];
    work.run(&mut slices, nx * ny, |k, slice, envelope: &mut Envelope| {
        let first = k * nx * ny;
        for (row, line) in slice.chunks_mut(nx).enumerate() {
            let values = &values[first + row * nx..first + (row + 1) * nx];
            let squares = values.iter().map(|value| if value.abs() <= near { 0.0 } else { f64::INFINITY });
            line.copy_from_slice(envelope.transform(squares, spacing.x));
        }
        for i in 0..nx {
            let column = slice.iter().skip(i).step_by(nx).copied();
            for (j, square) in envelope.transform(column, spacing.y).iter().enumerate() {
                slice[i + nx * j] = *square;
            }
        }
    })?;
    // Squared distances to the closest near sample of all, x varying fastest, then z, then y.
    let mut squares = vec![f64::INFINITY; values.len()];
    work.run(&mut squares, nx * nz, |j, layer, envelope: &mut Envelope| {
        for i in 0..nx {
            let column = (0..nz).map(|k| slices[i + nx * (j + ny * k)]);
            for (k, square) in envelope.transform(column, spacing.z).iter().enumerate() {
                layer[i + nx * k] = *square;
            }
        }
    })?;
    let diagonal = lattice.end() - lattice.origin;
    let undecided = TRANSFORM_ERROR * diagonal.norm_squared();
    work.run(values, nx * ny, |k, slice, (): &mut ()| {
        for (index, value) in slice.iter_mut().enumerate().filter(|(_, value)| value.is_infinite()) {
            let (i, j) = (index % nx, index / nx);
            let to_near = (squares[i + nx * (k + nz * j)] - undecided).max(0.0).sqrt();
            *value = band.max(to_near - near - slack).copysign(*value);
        }
    })
}
