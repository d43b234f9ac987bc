//! What a journal is written to: a locked file, or in tests one that fails.

use crate::error::RecordingError;
use palpate_files::{FolderOperations, Replacement, SystemOperations, is_at, lock};
use std::fmt::Debug;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

/// How often a journal is opened that another process replaces before it is locked.
const ATTEMPTS: usize = 16;

/// A file that grows at its end.
pub(crate) trait Storage: Debug + Send {
    /// Appends bytes. If this fails, some of them may be there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Removes everything after the first `length` bytes, so that the next append continues there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Writes everything to disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// A journal on disk that is locked against other writers until this is dropped.
#[derive(Debug)]
pub(crate) struct JournalFile(File);

impl JournalFile {
    /// Creates a journal that begins with `content`, whole or not at all.
    ///
    /// Errors: there is one that may not be replaced, or one that is being written.
    pub(crate) fn create(path: &Path, content: &[u8], overwrite: bool) -> Result<Self, RecordingError> {
        let failed = |error| RecordingError::io(path, "creating the journal", error);
        for _ in 0..ATTEMPTS {
            // The lock on the old journal is kept until the new one stands in its place.
            let old = Self::claim(path)?;
            if old.is_some() && !overwrite {
                return Err(RecordingError::Exists { path: path.to_path_buf() });
            }
            let mut replacement = Replacement::new(path).map_err(failed)?;
            replacement.write_all(content).map_err(failed)?;
            // If another writer was faster, its journal is found to be locked.
            if let Some(file) = replacement.complete_new(old.is_some()).map_err(failed)? {
                let created = Self(file);
                created.0.sync_all().map_err(failed)?;
                SystemOperations.sync_folder(path).map_err(failed)?;
                return Ok(created);
            }
        }
        Err(RecordingError::Busy { path: path.to_path_buf() })
    }

    /// Locks the journal that is there; `None` if there is none.
    ///
    /// Errors: another writer has it, or it cannot be opened for writing.
    pub(crate) fn claim(path: &Path) -> Result<Option<Self>, RecordingError> {
        for _ in 0..ATTEMPTS {
            let file = match File::options().read(true).write(true).open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(_) if path.is_dir() => {
                    return Err(RecordingError::IsDirectory { path: path.to_path_buf() });
                }
                Err(error) => return Err(RecordingError::io(path, "opening the journal", error)),
            };
            match lock(&file) {
                Err(TryLockError::WouldBlock) => break,
                // There are file systems without locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            let claimed = Self(file);
            // Else its writer has removed or replaced it in the meantime.
            if is_at(&claimed.0, path) {
                return Ok(Some(claimed));
            }
        }
        Err(RecordingError::Busy { path: path.to_path_buf() })
    }
}

impl Storage for JournalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        // A single call unless the disk is full: a record is either complete, or it is the last and incomplete.
        self.0.write_all(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        // A process that is being started has a copy of every open file for a moment: closing would not be enough.
        let _ = self.0.unlock();
    }
}
