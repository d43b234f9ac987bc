//! Temporary names, and the files that dead processes left under them.

use crate::operations::folder_of;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const SUFFIX: &str = ".part";

/// The longest part of the target's name in a temporary name, in bytes: the whole, with the names that a library appends
/// for its own files, stays below the 255 bytes of most file systems.
const LONGEST: usize = 120;

/// The start of the temporary names of a file.
fn stem(name: &OsStr) -> OsString {
    if name.len() <= LONGEST {
        return name.to_os_string();
    }
    let text = name.to_string_lossy();
    let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
    OsString::from(&text[..end.unwrap_or(0)])
}

/// A name that no other writer has.
pub(crate) fn temporary_name(name: &OsStr) -> OsString {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let random = RandomState::new().build_hasher().finish();
    let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut temporary = stem(name);
    temporary.push(format!(".{}-{counter}-{random:016x}{SUFFIX}", std::process::id()));
    temporary
}

/// Whether `found` is a temporary name of a file whose names start with `stem`.
fn is_temporary_name(stem: &OsStr, found: &OsStr) -> bool {
    let middle = found.as_encoded_bytes().strip_prefix(stem.as_encoded_bytes());
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
pub(crate) fn remove_leftovers(target: &Path, name: &OsStr) {
    // Without locks a dead writer cannot be told from a living one.
    if !cfg!(unix) {
        return;
    }
    let stem = stem(name);
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary_name(&stem, &entry.file_name())) {
        let path = entry.path();
        // Opening a pipe would wait for its reader.
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            remove_companions(&path);
            // If it was completed meanwhile, there is no file of this name any more.
            let _ = fs::remove_file(&path);
            let _ = file.unlock();
        }
    }
}

/// Removes the files whose names begin with that of a temporary file: its companion, and what a library put beside that.
pub(crate) fn remove_companions(temporary: &Path) {
    let Some(own) = temporary.file_name() else { return };
    let is_companion = |name: &OsStr| {
        let rest = name.as_encoded_bytes().strip_prefix(own.as_encoded_bytes());
        rest.is_some_and(|rest| rest.starts_with(b"."))
    };
    let Ok(entries) = fs::read_dir(folder_of(temporary)) else { return };
    for entry in entries.flatten().filter(|entry| is_companion(&entry.file_name())) {
        let _ = fs::remove_file(entry.path());
    }
}
