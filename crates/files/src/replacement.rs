//! Files that are written under a temporary name and renamed when they are complete.

use crate::lock::{is_at, lock};
use crate::name::{remove_companions, remove_leftovers, temporary_name};
use crate::operations::{FolderOperations, SystemOperations};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How often a temporary name is tried that another process removes before it is locked.
const ATTEMPTS: usize = 16;

/// A file that is written under a temporary name and renamed when complete. If dropped before, it is removed: there is
/// never a partial file under the final name, not even after a crash or power loss. Where several are written to one
/// name at once, the one that is completed last stays, whole.
#[derive(Debug)]
pub struct Replacement {
    target: PathBuf,
    temporary: PathBuf,
    /// Holds the lock.
    file: File,
    /// Whether the temporary file was renamed.
    is_renamed: bool,
}

impl Replacement {
    /// Creates the temporary file for `target`, whose directory must exist, and removes those that dead processes
    /// left for the same target. If `target` is a symbolic link, the file that it leads to is replaced. Cost: one listing
    /// of the directory.
    ///
    /// # Errors
    /// `target` has no file name, or is something other than a file; the temporary file cannot be created.
    pub fn new(target: &Path) -> io::Result<Self> {
        let refused = |what| io::Error::new(ErrorKind::InvalidInput, what);
        // A link that leads nowhere is replaced itself.
        let followed = if target.is_symlink() { target.canonicalize().ok() } else { None };
        let target = followed.as_deref().unwrap_or(target);
        let name = target.file_name().ok_or_else(|| refused("the path has no file name"))?;
        match fs::metadata(target) {
            Ok(found) if !found.is_file() => return Err(refused("there is something other than a file")),
            _ => remove_leftovers(target, name),
        }
        for _ in 0..ATTEMPTS {
            let temporary = target.with_file_name(temporary_name(name));
            let file = File::options().read(true).write(true).create_new(true).open(&temporary);
            let file = match file {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            match lock(&file) {
                // Another process took it for a leftover before it was locked.
                Err(TryLockError::WouldBlock) => continue,
                Ok(()) if !is_at(&file, &temporary) => continue,
                // There are file systems without locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            return Ok(Self { target: target.to_path_buf(), temporary, file, is_renamed: false });
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "no temporary name could be locked"))
    }

    /// The file to be replaced.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary path, for writers that open it themselves.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The path for a library that creates its file itself, and may put others beside it whose names begin with it. They are
    /// removed with the temporary file, which stays empty and holds the lock. [`complete_companion`](Self::complete_companion)
    /// renames the companion.
    pub fn companion(&self) -> PathBuf {
        let mut name = OsString::from(self.temporary.as_os_str());
        name.push(".data");
        PathBuf::from(name)
    }

    /// Gives up the lock, for a library that locks the temporary file itself.
    ///
    /// # Errors
    /// The operating system refuses it.
    pub fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }

    /// Syncs the file to disk and renames it to the target.
    ///
    /// # Errors
    /// One of the two fails. The target is then what it was, unless only the sync of its directory failed.
    pub fn complete(self) -> io::Result<()> {
        self.complete_by(&SystemOperations)
    }

    /// Syncs the [`companion`](Self::companion) to disk and renames it to the target.
    ///
    /// # Errors
    /// As [`complete`](Self::complete); there is no companion.
    pub fn complete_companion(self) -> io::Result<()> {
        let (operations, companion) = (&SystemOperations, self.companion());
        operations.sync(&File::options().write(true).open(&companion)?)?;
        operations.rename(&companion, &self.target)?;
        operations.sync_folder(&self.target)
    }

    /// [`complete`](Self::complete) by operations of choice.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    pub fn complete_by(mut self, operations: &dyn FolderOperations) -> io::Result<()> {
        operations.sync(&self.file)?;
        operations.rename(&self.temporary, &self.target)?;
        self.is_renamed = true;
        // Before the file is closed: a process that is being started has a copy of every open file for a moment.
        let _ = self.file.unlock();
        operations.sync_folder(&self.target)
    }

    /// Gives the file its name, without syncing; unless `replace`, only if there is no file of that name: else `None`. The
    /// lock stays with the file that is returned.
    ///
    /// # Errors
    /// The file cannot be renamed.
    pub fn complete_new(mut self, replace: bool) -> io::Result<Option<File>> {
        let file = self.file.try_clone()?;
        if replace {
            fs::rename(&self.temporary, &self.target)?;
            self.is_renamed = true;
            return Ok(Some(file));
        }
        match fs::hard_link(&self.temporary, &self.target) {
            // The temporary name is removed when this is dropped.
            Ok(()) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            // There are file systems without hard links.
            Err(_) if self.target.exists() => Ok(None),
            Err(_) => {
                fs::rename(&self.temporary, &self.target)?;
                self.is_renamed = true;
                Ok(Some(file))
            }
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_renamed {
            remove_companions(&self.temporary);
            // If this fails the next writer of the target removes it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn of_two_writers_of_one_name_the_later_stays_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("c.h5");
        let mut writers = [(); 2].map(|()| Replacement::new(&target).unwrap());
        assert_ne!(writers[0].temporary(), writers[1].temporary());
        writers[0].write_all(b"first").unwrap();
        writers[1].write_all(b"the second").unwrap();
        assert_eq!(names(folder.path()).len(), 2, "neither is taken for a leftover");
        let [first, second] = writers;
        second.complete().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"the second");
        first.complete().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["c.h5"]);
    }

    #[test]
    fn a_dropped_writer_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let replacement = Replacement::new(&folder.path().join("c.h5")).unwrap();
        fs::write(replacement.companion(), b"part").unwrap();
        fs::write(replacement.companion().with_extension("data.journal"), b"part").unwrap();
        assert_eq!(names(folder.path()).len(), 3);
        drop(replacement);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_companion_takes_the_name_of_the_target() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("c.h5");
        let replacement = Replacement::new(&target).unwrap();
        assert_eq!(replacement.complete_companion().unwrap_err().kind(), ErrorKind::NotFound);
        let replacement = Replacement::new(&target).unwrap();
        fs::write(replacement.companion(), b"whole").unwrap();
        replacement.complete_companion().unwrap();
        assert_eq!(names(folder.path()), ["c.h5"]);
        assert_eq!(fs::read(target).unwrap(), b"whole");
    }

    #[test]
    fn long_names_have_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join(format!("{}.json", "\u{fc}".repeat(120)));
        let mut replacement = Replacement::new(&target).unwrap();
        assert!(replacement.companion().file_name().unwrap().len() < 200);
        replacement.write_all(b"whole").unwrap();
        replacement.complete().unwrap();
        assert_eq!(fs::read(target).unwrap(), b"whole");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_replaced() {
        let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (file, link) = (other.path().join("c.h5"), folder.path().join("link.h5"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        fs::write(other.path().join("c.h5.1-2-0123456789abcdef.part"), b"left").unwrap();
        let mut replacement = Replacement::new(&link).unwrap();
        replacement.write_all(b"new").unwrap();
        replacement.complete().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(
            (names(folder.path()), names(other.path())),
            (vec!["link.h5".into()], vec!["c.h5".into()])
        );
    }

    #[cfg(unix)]
    #[test]
    fn leftovers_of_this_name_alone_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = [
            "c.h5.part",
            "c.h5.1-2-0123456789abcdeg.part",
            "c.h5.1-2-0123456789abcdef.parts",
            "c.h5.-2-0123456789abcdef.part",
            "b.h5.1-2-0123456789abcdef.part",
            "c.h5.journal.1-2-0123456789abcdef.part",
        ];
        let left = [
            "c.h5.1-2-0123456789abcdef.part",
            "c.h5.1-2-0123456789abcdef.part.data",
            "c.h5.1-2-0123456789abcdef.part.data.journal",
            "c.h5.77-0-00000000000000ff.part",
        ];
        for name in kept.iter().chain(&left) {
            fs::write(folder.path().join(name), b"partial").unwrap();
        }
        Replacement::new(&folder.path().join("c.h5")).unwrap().complete().unwrap();
        let mut wanted: Vec<&str> = kept.into_iter().chain(["c.h5"]).collect();
        wanted.sort_unstable();
        assert_eq!(names(folder.path()), wanted);
    }

    #[test]
    fn what_is_no_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("folder");
        fs::create_dir(&target).unwrap();
        assert_eq!(Replacement::new(&target).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(Replacement::new(Path::new("/")).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(names(folder.path()), ["folder"]);
    }

    /// Fails at one operation, and keeps a list of those before it.
    struct Failing {
        at: usize,
        done: std::cell::RefCell<Vec<&'static str>>,
    }

    impl Failing {
        fn next(&self, operation: &'static str) -> io::Result<()> {
            let mut done = self.done.borrow_mut();
            if done.len() == self.at {
                return Err(io::Error::other("injected"));
            }
            done.push(operation);
            Ok(())
        }
    }

    impl FolderOperations for Failing {
        fn sync(&self, _: &File) -> io::Result<()> {
            self.next("sync")
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.next("rename").and_then(|()| fs::rename(from, to))
        }

        fn sync_folder(&self, _: &Path) -> io::Result<()> {
            self.next("sync folder")
        }

        fn remove(&self, _: &Path) -> io::Result<()> {
            self.next("remove")
        }
    }

    #[test]
    fn the_content_is_on_disk_before_the_name() {
        let order = ["sync", "rename", "sync folder"];
        for at in 0..=order.len() {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("c.h5");
            fs::write(&target, b"old").unwrap();
            let mut writer = Replacement::new(&target).unwrap();
            writer.write_all(b"new").unwrap();
            let operations = Failing { at, done: Vec::new().into() };
            assert_eq!(writer.complete_by(&operations).is_ok(), at == order.len());
            assert_eq!(operations.done.into_inner(), order[..at]);
            assert_eq!(fs::read(&target).unwrap(), if at < 2 { b"old" } else { b"new" });
            assert_eq!(names(folder.path()), ["c.h5"]);
        }
    }
}
