//! Descriptions without mesh files, for a build without the feature `mesh-io`.

use crate::describe::{DescriptionError, Fields};
use crate::math::Point;

/// There are no files.
pub(crate) enum MeshFiles {}

/// The contents of a file, of which there are none.
pub(crate) struct Contents {
    pub(super) positions: Vec<Point>,
    pub(super) lines: Vec<[u32; 2]>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) tetrahedra: Vec<[u32; 4]>,
}

/// No file. Errors: the fields name one.
pub(super) fn named(
    fields: &mut Fields<'_>,
    _files: Option<&MeshFiles>,
) -> Result<Option<Contents>, DescriptionError> {
    let wanted = "vertices and cells: palpate was built without the feature `mesh-io`";
    fields.optional("file", |value| Err(DescriptionError::found(value, wanted)))
}

/// The cells of a file.
pub(super) fn cells<T>(
    contents: &mut Contents,
    _wanted: &str,
    of: impl Fn(&mut Contents) -> &mut Vec<T>,
) -> Result<Vec<T>, DescriptionError> {
    Ok(std::mem::take(of(contents)))
}
