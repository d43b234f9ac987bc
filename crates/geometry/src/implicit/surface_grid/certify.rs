//! Checks that samples are consistent with a distance.

use crate::GeometryError;
use palpate_implicit::internal::Lattice;

/// Relative tolerance by which the difference of adjacent samples may exceed their distance: well above the rounding
/// error of the bounds of far samples, and negligible compared with the jump at a hole.
const SLACK: f64 = 1e-6;

/// Checks that no two adjacent samples differ by more than their distance. On two sides of a hole they do: there the
/// sign changes without a surface nearby. Errors: the first violation.
pub(super) fn changes_as_a_distance(lattice: &Lattice, values: &[f64]) -> Result<(), GeometryError> {
    let strides = [1, lattice.size[0], lattice.size[0] * lattice.size[1]];
    let most = lattice.spacing * (1.0 + SLACK) + palpate_math::Vector::repeat(2.0 * lattice.rounding());
    let [nx, ny, nz] = lattice.size;
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let number = [i, j, k];
                let index = lattice.index(number);
                for axis in 0..3 {
                    if number[axis] + 1 < lattice.size[axis]
                        && (values[index + strides[axis]] - values[index]).abs() > most[axis]
                    {
                        let mut next = number;
                        next[axis] += 1;
                        let (here, there) = (lattice.place(number), lattice.place(next));
                        let reason =
                            format!("inside and outside meet away from it, between {here} and {there}");
                        return Err(GeometryError::NotClosed { what: "the surface".to_owned(), reason });
                    }
                }
            }
        }
    }
    Ok(())
}
