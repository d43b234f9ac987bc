//! Advisory locks on open files.

use std::fs::{File, TryLockError};
use std::path::Path;

/// Locks a file against other writers, without waiting. Only where locks are advisory: a mandatory one keeps readers out.
///
/// # Errors
/// Another writer has the lock, or the file system has no locks.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    if cfg!(unix) { file.try_lock() } else { Ok(()) }
}

/// Whether `path` still leads to this open file.
pub fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: std::fs::Metadata| (found.dev(), found.ino());
        let places = (file.metadata().map(place), std::fs::metadata(path).map(place));
        matches!(places, (Ok(one), Ok(two)) if one == two)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
