//! Files on disk: telling what is wrong with a path, and replacing a file as a whole.

use crate::error::RecordingError;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The first bytes of a file that can be read, or what is wrong with the path.
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

/// Refuses to write over a file unless that was asked for; a directory is never written over.
pub(crate) fn check_target(path: &Path, overwrite: bool) -> Result<(), RecordingError> {
    if path.is_dir() {
        return Err(RecordingError::IsDirectory { path: path.to_path_buf() });
    }
    if path.exists() && !overwrite {
        return Err(RecordingError::Exists { path: path.to_path_buf() });
    }
    Ok(())
}

/// A file that is written beside its place, and takes it when it is complete. Dropped before, it is removed: nothing
/// that looks whole is ever left behind.
#[derive(Debug)]
pub(crate) struct Replacement {
    target: PathBuf,
    temporary: PathBuf,
    done: bool,
}

impl Replacement {
    /// Prepares to replace `target`. Its directory must be there.
    pub(crate) fn new(target: &Path) -> Self {
        let mut name = OsString::from(target.as_os_str());
        name.push(".part");
        Self { target: target.to_path_buf(), temporary: PathBuf::from(name), done: false }
    }

    /// What will be replaced.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where to write.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Puts what was written in its place.
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
            // Nothing was written if this fails, or the disk is gone: there is nobody to tell.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
