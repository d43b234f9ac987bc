//! Files that a mesh file needs beside it: the nodes of TetGen's elements, the buffers of glTF.

use crate::{MeshIoError, Place, cells::syntax};
use std::cell::Cell;
use std::path::{Component, Path};

/// The files beside a mesh file, by their names relative to its folder.
pub(super) struct Beside<'a> {
    file: &'a str,
    find: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// Bytes that may still be read.
    left: Cell<u64>,
    limit: u64,
}

impl<'a> Beside<'a> {
    pub(super) fn new(file: &'a str, find: &'a dyn Fn(&str) -> Option<Vec<u8>>, limit: u64) -> Self {
        Self { file, find, left: Cell::new(limit), limit }
    }

    /// The name of the mesh file itself.
    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// The name of the file that differs in its extension alone, in the same folder.
    pub(super) fn sibling(&self, ending: &str) -> String {
        let path = Path::new(self.file);
        let path = if crate::ending::is_gzip(path) { path.with_extension("") } else { path.to_owned() };
        let name = path.with_extension(ending);
        name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The bytes of the file of that name; `None` if there is none. Errors: as [`bytes`](Self::bytes).
    pub(super) fn optional(&self, name: &str) -> Result<Option<Vec<u8>>, MeshIoError> {
        match is_within(name).then(|| (self.find)(name)).flatten() {
            Some(bytes) => self.counted(bytes).map(Some),
            None => Ok(None),
        }
    }

    /// The bytes of the file of that name. Errors: a name that leads out of the folder; no such file; more bytes in all than
    /// a mesh file may have.
    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, MeshIoError> {
        if !is_within(name) {
            let wanted = "the relative path of a file within the folder";
            return Err(syntax(
                self.file,
                Place::Unknown,
                "the name of a file beside",
                &format_args!("{name:?}"),
                wanted,
            ));
        }
        let Some(bytes) = (self.find)(name) else {
            let what = format!("the file {:?} beside it", shortened(name));
            return Err(syntax(
                self.file,
                Place::Unknown,
                &what,
                &"not there, not readable or too long",
                "a file",
            ));
        };
        self.counted(bytes)
    }

    fn counted(&self, bytes: Vec<u8>) -> Result<Vec<u8>, MeshIoError> {
        let found = bytes.len() as u64;
        let Some(left) = self.left.get().checked_sub(found) else {
            let (file, what) =
                (self.file.to_owned(), ": the number of bytes of the files beside it".to_owned());
            let found = (self.limit - self.left.get()).saturating_add(found);
            return Err(MeshIoError::Limit { file, what, found, limit: "mesh_bytes", value: self.limit });
        };
        self.left.set(left);
        Ok(bytes)
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Whether a name is a path that stays in its folder, on every system.
pub(super) fn is_within(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['\\', ':', '\0'])
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_within_the_folder_are_read_and_not_too_many() {
        let find = |name: &str| (name != "none.bin").then(|| vec![0; 10]);
        let beside = Beside::new("a.gltf", &find, 25);
        for name in ["/etc/passwd", "../a.bin", "a/../../b", "C:\\a", "", "a\\..\\b"] {
            let error = beside.bytes(name).unwrap_err().to_string();
            assert!(
                error.contains("wanted the relative path of a file within the folder"),
                "{name}: {error}"
            );
        }
        assert_eq!(beside.bytes("a.bin").unwrap().len(), 10);
        assert_eq!(beside.bytes("./textures/a.bin").unwrap().len(), 10);
        assert!(
            beside.bytes("none.bin").unwrap_err().to_string().contains("\"none.bin\" beside it is not there")
        );
        let error = beside.bytes("c.bin").unwrap_err().to_string();
        assert!(error.contains("is 30: wanted at most 25, the limit mesh_bytes"), "{error}");
    }
}
