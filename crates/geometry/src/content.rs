//! What two geometries of one kind are put in order by.

use palpate_math::Point;

/// The numbers that tell a mesh from another of its kind: sizes first, so that a motion of both does not exchange them.
pub(crate) fn mesh_content<const N: usize>(sizes: &[f64], points: &[Point], cells: &[[u32; N]]) -> Vec<f64> {
    let mut content = vec![points.len() as f64, cells.len() as f64];
    content.extend_from_slice(sizes);
    content.extend(cells.iter().flatten().map(|&id| f64::from(id)));
    content.extend(points.iter().flat_map(|point| point.iter().copied()));
    content
}
