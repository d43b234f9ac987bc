//! Whether samples can be those of a distance.

use crate::GeometryError;
use crate::implicit::lattice::Lattice;

/// By how much the difference of neighbours may exceed the way between them, relative to it: well above what rounding does to
/// the bounds of far samples, and nothing beside a hole.
const SLACK: f64 = 1e-6;

/// Checks that no two neighbours differ by more than the way between them. On two sides of a hole they do: there the sign
/// changes and no surface is near. Errors: the first place where they do.
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
