//! Writing bytes to a path.

use crate::Replacement;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Whether there is something at a path that can be written to without being replaced: a pipe or a device.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a file, whole or not at all; an existing one is replaced. A pipe or a device is written to as it is.
///
/// # Errors
/// The path is a directory or has no file name; its directory does not exist; the disk is full.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let mut replacement = Replacement::new(path)?;
    replacement.write_all(bytes)?;
    replacement.complete()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_file_is_replaced_and_a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        for text in ["first", "second"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(write(folder.path(), b"x").is_err());
        assert!(write(&folder.path().join("none/a.obj"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_as_it_is() {
        let device = Path::new("/dev/null");
        assert!(is_special(device));
        write(device, b"x").unwrap();
        assert!(is_special(device));
    }
}
