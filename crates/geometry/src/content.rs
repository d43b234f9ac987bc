//! Sort keys that order two geometries of one kind.

use palpate_math::Point;

/// Returns the sort key of a mesh: sizes first, so that moving both meshes does not exchange their order.
pub(crate) fn mesh_content<const N: usize>(sizes: &[f64], points: &[Point], cells: &[[u32; N]]) -> Vec<f64> {
    let mut content = vec![points.len() as f64, cells.len() as f64];
    content.extend_from_slice(sizes);
    content.extend(cells.iter().flatten().map(|&id| f64::from(id)));
    content.extend(points.iter().flat_map(|point| point.iter().copied()));
    content
}
