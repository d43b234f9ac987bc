//! A temporary name beside that of an output, locked for as long as its run lives.
//!
//! ```text
//! contacts.h5                        the output, once it is complete
//! .contacts.h5.4711-0.partial        the bytes so far, or an empty file; locked by the process that writes
//! .contacts.h5.4711-0.partial.data   the file of a library that makes its own, and what the library puts beside it
//! ```
//!
//! A run that was killed leaves such files behind. The lock tells whether their owner lives: it ends with its process. The next
//! run that writes the same output removes those whose lock is free.

use crate::error::CommandError;
use palpate::recording::RecordingError;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How often a new name is tried, where other runs take them at the same time.
const TRIES: u32 = 100;

/// The longest part of the output's name in that of the temporary file, in bytes, so that the whole is not too long for a file
/// system.
const LONGEST_NAME: usize = 120;

/// A temporary file for an output. Dropped before it is finished, it is removed with all that is beside it.
pub(crate) struct Reserved {
    target: PathBuf,
    lock: PathBuf,
    file: Option<File>,
}

impl Reserved {
    /// Reserves the output at `path`, and removes what killed runs have left of it. A link is followed, so that the file that it
    /// names is replaced. Errors: a directory; a folder that cannot be written to.
    pub(crate) fn new(path: &Path) -> Result<Self, CommandError> {
        if path.is_dir() {
            return Err(CommandError::IsDirectory { path: path.to_owned() });
        }
        if path.file_name().is_none() {
            return Err(CommandError::Argument {
                argument: "--out",
                found: path.display().to_string(),
                wanted: "the name of a file".to_owned(),
            });
        }
        let target =
            if path.is_symlink() { path.canonicalize().unwrap_or(path.to_owned()) } else { path.to_owned() };
        let stem = stem(&target);
        remove_leftovers(&target, &stem);
        for number in 0..TRIES {
            let lock = target.with_file_name(format!("{stem}{}-{number}.partial", std::process::id()));
            let created = File::options().read(true).write(true).create_new(true).open(&lock);
            let file = match created {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(CommandError::io(path, "creating", error)),
            };
            // Another run may take the file for a leftover before it is locked; on a file system without locks none can.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !lock.exists() {
                continue;
            }
            return Ok(Self { target, lock, file: Some(file) });
        }
        let busy = io::Error::new(io::ErrorKind::AlreadyExists, "too many runs write it at the same time");
        Err(CommandError::io(path, "creating", busy))
    }

    /// The temporary file, for writing.
    pub(super) fn file(&self) -> io::Result<File> {
        match &self.file {
            Some(file) => file.try_clone(),
            None => Err(io::Error::other("the output is finished")),
        }
    }

    /// The temporary name for a library that makes the file itself.
    pub(crate) fn data(&self) -> PathBuf {
        with_ending(&self.lock, ".data")
    }

    /// Renames the temporary file. Errors: it cannot be renamed.
    pub(super) fn finish_file(self) -> Result<(), CommandError> {
        self.rename(&self.lock)
    }

    /// Renames the file of the library. Errors: it cannot be renamed.
    pub(crate) fn finish_data(self) -> Result<(), CommandError> {
        self.rename(&self.data())
    }

    /// An error of the library, which knows only the temporary name, with the name of the output.
    pub(crate) fn error(&self, error: &RecordingError) -> CommandError {
        let [data, target] = [self.data(), self.target.clone()].map(|path| path.display().to_string());
        CommandError::Writing(error.to_string().replace(&data, &target))
    }

    fn rename(&self, from: &Path) -> Result<(), CommandError> {
        fs::rename(from, &self.target).map_err(|error| CommandError::io(&self.target, "renaming", error))
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        remove_with_neighbours(&self.lock);
    }
}

/// The start of the temporary names of an output.
fn stem(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let end = (0..=name.len().min(LONGEST_NAME)).rev().find(|&end| name.is_char_boundary(end));
    format!(".{}.", &name[..end.unwrap_or(0)])
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Removes the temporary files of runs that have ended. What cannot be removed is left: it is no reason not to write.
fn remove_leftovers(target: &Path, stem: &str) {
    for (name, path) in neighbours(target) {
        let Some(owner) = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(".partial")) else {
            continue;
        };
        let is_ours = owner.split_once('-').is_some_and(|(process, number)| {
            [process, number]
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if !is_ours || !path.is_file() {
            continue;
        }
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            remove_with_neighbours(&path);
        }
    }
}

/// Removes a temporary file and those whose names begin with its name, the file itself last: it holds the lock.
fn remove_with_neighbours(lock: &Path) {
    let Some(own) = lock.file_name().map(|name| name.to_string_lossy().into_owned()) else { return };
    for (name, path) in neighbours(lock) {
        if name.len() > own.len() && name.starts_with(&own) {
            let _ = fs::remove_file(path);
        }
    }
    let _ = fs::remove_file(lock);
}

/// The files in the folder of `path`, by name.
fn neighbours(path: &Path) -> Vec<(String, PathBuf)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            neighbours(&folder.join("x")).into_iter().map(|(name, _)| name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_dropped_output_leaves_nothing_and_a_finished_one_itself() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.h5");
        let reserved = Reserved::new(&target).unwrap();
        fs::write(reserved.data(), b"part").unwrap();
        fs::write(with_ending(&reserved.data(), ".journal"), b"part").unwrap();
        assert_eq!(files(folder.path()).len(), 3);
        drop(reserved);
        assert_eq!(files(folder.path()), Vec::<String>::new());
        let reserved = Reserved::new(&target).unwrap();
        fs::write(reserved.data(), b"whole").unwrap();
        reserved.finish_data().unwrap();
        assert_eq!(files(folder.path()), ["out.h5"]);
        assert_eq!(fs::read(target).unwrap(), b"whole");
    }

    #[test]
    fn what_the_dead_left_is_removed_and_what_the_living_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let alive = Reserved::new(&target).unwrap();
        let kept = files(folder.path())[0].clone();
        for name in [".out.csv.1-0.partial", ".out.csv.1-0.partial.data", ".out.csv.1-0.partial.data.journal"]
        {
            fs::write(folder.path().join(name), b"left").unwrap();
        }
        for name in [".out.csv.notes.partial", ".other.csv.1-0.partial", "out.csv"] {
            fs::write(folder.path().join(name), b"the user's").unwrap();
        }
        let second = Reserved::new(&target).unwrap();
        let names = files(folder.path());
        assert!(
            names.contains(&kept)
                && !names.iter().any(|name| name.contains(".1-0.partial") && name.starts_with(".out"))
        );
        assert_eq!(names.len(), 5, "{names:?}");
        drop((alive, second));
        assert_eq!(files(folder.path()), [".other.csv.1-0.partial", ".out.csv.notes.partial", "out.csv"]);
    }

    #[test]
    fn long_names_and_links_have_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join(format!("{}.json", "ü".repeat(120)));
        let reserved = Reserved::new(&target).unwrap();
        reserved.finish_file().unwrap();
        assert!(target.is_file());
        #[cfg(unix)]
        {
            let link = folder.path().join("link.json");
            std::os::unix::fs::symlink(&target, &link).unwrap();
            let reserved = Reserved::new(&link).unwrap();
            fs::write(&reserved.lock, b"new").unwrap();
            reserved.finish_file().unwrap();
            assert!(link.is_symlink());
            assert_eq!(fs::read(&target).unwrap(), b"new");
        }
    }
}
