//! A cautery: a ball that removes what it touches.

use crate::ProcedureError;
use crate::divisible::{Divisible, distance_squared};
use palpate_math::{Aabb, Point, Vector};

/// Removes the cells of a mesh, whose tree must be current, that a ball touches: centre in the world frame, radius, metres.
/// Returns their numbers, ascending. Errors: no tree; then nothing is changed.
pub fn cauterize<const N: usize>(
    mesh: &mut impl Divisible<N>,
    centre: &Point,
    radius: f64,
) -> Result<Vec<u32>, ProcedureError> {
    let reach = Vector::repeat(radius);
    let bounds = Aabb::from_points([centre - reach, centre + reach]);
    let mut touched = Vec::new();
    let missing = ProcedureError::NotPrepared { what: "tree", needs: "Needs::TREE" };
    mesh.near(&bounds, &mut |cell| touched.push(cell)).ok_or(missing)?;
    touched.retain(|cell| {
        let corners = mesh.cells()[*cell as usize].map(|id| mesh.positions()[id as usize]);
        distance_squared(&corners, centre) <= radius * radius
    });
    touched.sort_unstable();
    mesh.replace(&touched, &[], &[])?;
    Ok(touched)
}
