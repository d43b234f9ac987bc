//! Diagnosis of paths that cannot be read or written.

use crate::error::RecordingError;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

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
    // Opening a pipe waits for a writer, and reading a device may never end.
    if !metadata.is_file() {
        return Err(RecordingError::NotRegular { path: path.to_path_buf() });
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
