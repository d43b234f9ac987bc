//! Files that appear whole: written under a temporary name and renamed when they are complete.
//!
//! The temporary name is `NAME.PID-COUNTER-RANDOM.part`, beside the file `NAME`: no two writers share one, in this
//! process or in another. Its writer holds an advisory lock on it (on Unix). One that can be locked was left by a
//! process that died; the next writer of the same file removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How often a temporary name is tried that another process removes before it is locked.
const ATTEMPTS: usize = 16;
const SUFFIX: &str = ".part";

/// A file that is written under a temporary name and renamed when complete. If dropped before, it is removed: there is
/// never a partial file under the final name, not even after a crash or power loss. Where several are written to one
/// name at once, the one that is completed last stays, whole.
#[derive(Debug)]
pub struct Replacement {
    target: PathBuf,
    temporary: PathBuf,
    /// Holds the lock.
    file: File,
    done: bool,
}

/// The operations by which a complete file gets its name, so that tests can let each of them fail.
pub(crate) trait FolderOperations {
    /// Writes the content of a file to disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Writes the names in the folder of `path` to disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// Those of the operating system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemOperations;

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

impl Replacement {
    /// Creates the temporary file for `target`, whose directory must exist, and removes those that dead processes
    /// left for the same target. Cost: one listing of the directory.
    ///
    /// # Errors
    /// `target` has no file name, or is something other than a file; the temporary file cannot be created.
    pub fn new(target: &Path) -> io::Result<Self> {
        let refused = |what| io::Error::new(ErrorKind::InvalidInput, what);
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
            return Ok(Self { target: target.to_path_buf(), temporary, file, done: false });
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

    /// Gives up the lock, for a library that takes one of its own: C's HDF5.
    #[cfg(feature = "libhdf5")]
    pub(crate) fn unlock(&self) -> Result<(), String> {
        self.file.unlock().map_err(|error| error.to_string())
    }

    /// Syncs the file to disk and renames it to the target.
    ///
    /// # Errors
    /// One of the two fails. The target is then what it was, unless only the sync of its directory failed.
    pub fn complete(self) -> io::Result<()> {
        self.complete_by(&SystemOperations)
    }

    /// [`complete`](Self::complete) by operations of choice.
    pub(crate) fn complete_by(mut self, operations: &dyn FolderOperations) -> io::Result<()> {
        operations.sync(&self.file)?;
        operations.rename(&self.temporary, &self.target)?;
        self.done = true;
        // Before the file is closed: a process that is being started has a copy of every open file for a moment.
        let _ = self.file.unlock();
        operations.sync_folder(&self.target)
    }

    /// Gives the file its name, unless there is a file of that name: then `false`. The lock stays with the file that is
    /// returned.
    pub(crate) fn complete_new(mut self, replace: bool) -> io::Result<Option<File>> {
        let file = self.file.try_clone()?;
        if replace {
            fs::rename(&self.temporary, &self.target)?;
            self.done = true;
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
                self.done = true;
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
        if !self.done {
            // If this fails the next writer of the target removes it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Locks a file against other writers, without waiting. Only where locks are advisory: a mandatory one keeps readers out.
pub(crate) fn lock(file: &File) -> Result<(), TryLockError> {
    if cfg!(unix) { file.try_lock() } else { Ok(()) }
}

/// Whether `path` still leads to this open file.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: fs::Metadata| (found.dev(), found.ino());
        let places = (file.metadata().map(place), fs::metadata(path).map(place));
        matches!(places, (Ok(one), Ok(two)) if one == two)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A name that no other writer has.
fn temporary_name(name: &OsStr) -> OsString {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let random = RandomState::new().build_hasher().finish();
    let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut temporary = name.to_os_string();
    temporary.push(format!(".{}-{counter}-{random:016x}{SUFFIX}", std::process::id()));
    temporary
}

/// Whether this is a temporary name of the file `name`.
fn is_temporary_name(name: &OsStr, found: &OsStr) -> bool {
    let middle = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
    let middle = middle.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(SUFFIX.as_bytes()));
    let Some(middle) = middle else { return false };
    let numbers: Vec<&[u8]> = middle.split(|&byte| byte == b'-').collect();
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match numbers.as_slice() {
        [process, counter, random] => {
            let is_random = random.len() == 16 && random.iter().all(u8::is_ascii_hexdigit);
            is_number(process) && is_number(counter) && is_random
        }
        _ => false,
    }
}

/// Removes the temporary files of a target whose writers are dead. What cannot be removed is left: it is in nobody's way.
fn remove_leftovers(target: &Path, name: &OsStr) {
    // Without locks a dead writer cannot be told from a living one.
    if !cfg!(unix) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary_name(name, &entry.file_name())) {
        let path = entry.path();
        let Ok(file) = File::options().write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            // If it was completed meanwhile, there is no file of this name any more.
            let _ = fs::remove_file(&path);
            let _ = file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
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
        drop(Replacement::new(&folder.path().join("c.h5")).unwrap());
        assert!(names(folder.path()).is_empty());
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
        let left = ["c.h5.1-2-0123456789abcdef.part", "c.h5.77-0-00000000000000ff.part"];
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
