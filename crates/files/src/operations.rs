//! Operations by which a complete file gets its name.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The operations by which a complete file gets its name, so that tests can let each of them fail.
pub trait FolderOperations {
    /// Writes the content of a file to disk.
    ///
    /// # Errors
    /// The disk fails.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Renames a file, replacing `to` at once.
    ///
    /// # Errors
    /// The file system refuses it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Writes the names in the folder of `path` to disk.
    ///
    /// # Errors
    /// The disk fails.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// There is none, or the file system refuses it.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The operations of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemOperations;

impl FolderOperations for SystemOperations {
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // Elsewhere a folder cannot be opened.
        if !cfg!(unix) {
            return Ok(());
        }
        match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
            // Some file systems cannot sync a folder.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
            synced => synced,
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
