//! Files on disk: diagnosis of unusable paths, and atomic replacement of a file.

use crate::error::RecordingError;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The first bytes of a readable file, or the reason why it cannot be read.
pub(crate) fn first_bytes(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => RecordingError::Missing { path: path.to_path_buf() },
        _ => RecordingError::io(path, "opening", error),
    };
    let metadata = fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(RecordingError::IsDirectory { path: path.to_path_buf() });
    }
    if metadata.len() == 0 {
        return Err(RecordingError::Empty { path: path.to_path_buf() });
    }
    let mut bytes = Vec::new();
    fs::File::open(path).map_err(failed)?.take(16).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Refuses to overwrite a file unless allowed; a directory is never overwritten.
pub(crate) fn check_target(path: &Path, overwrite: bool) -> Result<(), RecordingError> {
    if path.is_dir() {
        return Err(RecordingError::IsDirectory { path: path.to_path_buf() });
    }
    if path.exists() && !overwrite {
        return Err(RecordingError::Exists { path: path.to_path_buf() });
    }
    Ok(())
}

/// A file that is written under a temporary name and renamed when complete. If dropped before, it is removed: no
/// partial file is left under the final name.
#[derive(Debug)]
pub(crate) struct Replacement {
    target: PathBuf,
    temporary: PathBuf,
    done: bool,
}

impl Replacement {
    /// Prepares to replace `target`. Its directory must exist.
    pub(crate) fn new(target: &Path) -> Self {
        let mut name = OsString::from(target.as_os_str());
        name.push(".part");
        Self { target: target.to_path_buf(), temporary: PathBuf::from(name), done: false }
    }

    /// The file to be replaced.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary path to write to.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Renames the temporary file to the target.
    pub(crate) fn complete(mut self) -> Result<(), RecordingError> {
        let renamed = fs::rename(&self.temporary, &self.target);
        renamed
            .map_err(|error| RecordingError::io(&self.target, "putting the complete file in place", error))?;
        self.done = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.done {
            // If this fails, either nothing was written or the disk is gone: the error cannot be reported.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
