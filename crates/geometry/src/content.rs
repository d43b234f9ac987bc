//! Sort keys that order two geometries of one kind.

use palpate_contact::NONE;
use palpate_math::Point;

/// Returns the sort key of a mesh: sizes first, so that moving both meshes does not exchange their order. Removed cells do not
/// count.
pub(crate) fn mesh_content<const N: usize>(sizes: &[f64], points: &[Point], cells: &[[u32; N]]) -> Vec<f64> {
    let present = || cells.iter().filter(|ids| ids.first() != Some(&NONE));
    let mut content = vec![points.len() as f64, present().count() as f64];
    content.extend_from_slice(sizes);
    content.extend(present().flatten().map(|&id| f64::from(id)));
    content.extend(points.iter().flat_map(|point| point.iter().copied()));
    content
}
