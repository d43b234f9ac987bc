//! Gmsh's format, versions 1 (`$NOD`, `$ELM`), 2 and 4 (`$MeshFormat`), ASCII and binary of both byte orders.
//!
//! Nodes have their own tags; vertices are numbered in the order of the nodes. Elements of all groups are read, including
//! boundary elements: the caller chooses the kind. Physical groups become parts. Source: the Gmsh reference manual, "File
//! formats".

mod ascii;
mod binary;
mod elements;
mod groups;
mod head;

use crate::{Contents, MeshIoError};
use palpate_math::Limits;

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    if head::is_binary(bytes) { binary::read(bytes, file, limits) } else { ascii::read(bytes, file, limits) }
}
