//! A cautery: a ball that removes what it touches.

use crate::ProcedureError;
use crate::divisible::{Divisible, NO_TREE, distance_squared};
use palpate_math::{Aabb, Point};

/// Removes the cells of a mesh, whose tree must be current, that a ball touches: centre in the world frame, radius, metres.
/// Returns their numbers, ascending. Errors: no tree; then nothing is changed.
pub fn cauterize<const N: usize>(
    mesh: &mut impl Divisible<N>,
    centre: &Point,
    radius: f64,
) -> Result<Vec<u32>, ProcedureError> {
    let bounds = Aabb::from_point(*centre).grown(radius);
    let mut touched = Vec::new();
    mesh.near(&bounds, &mut |cell| touched.push(cell)).ok_or(NO_TREE)?;
    touched.retain(|cell| distance_squared(&mesh.corners(*cell), centre) <= radius * radius);
    touched.sort_unstable();
    mesh.replace(&touched, &[], &[])?;
    Ok(touched)
}
