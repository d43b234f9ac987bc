//! Geometries from JSON and from mesh files.

use super::{make, palpate_geometry};
use crate::input::{optional_text, text};
use crate::status::{Failure, palpate_status};
use palpate::describe::{MeshFiles, from_json};
use palpate::serde_json::{self, Value};
use std::ffi::c_char;
use std::path::PathBuf;

/// Makes a geometry of any kind from its JSON description (docs/detect-json.md): what `palpate detect` reads, what
/// `palpate_scene_geometry_json` writes. With a `folder` a mesh may name a file, a relative one in that folder; with null, files
/// are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_json(
    json: *const c_char,
    folder: *const c_char,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (json, folder) = unsafe { (text(json, "json")?, optional_text(folder, "folder")?) };
        let value = value(json, "the geometry")?;
        let files = folder.map(|folder| MeshFiles { folder: PathBuf::from(folder), ..MeshFiles::default() });
        Ok(files.map_or_else(|| from_json(&value), |files| files.from_json(&value))?)
    })
}

/// A JSON text. Errors: it is none.
pub(crate) fn value(json: &str, what: &str) -> Result<Value, Failure> {
    serde_json::from_str(json)
        .map_err(|error| Failure::argument(format!("{what} is not valid JSON: {error}")))
}
