//! The extensions of paths.

use std::path::Path;

/// The extension of a path, in small letters, before a `.gz`; empty if it has none.
pub(crate) fn inner_ending(path: &Path) -> String {
    if is_gzip(path) { ending(Path::new(path.file_stem().unwrap_or_default())) } else { ending(path) }
}

/// The extension of a path, in small letters; empty if it has none.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Whether a path ends in `.gz`.
pub(crate) fn is_gzip(path: &Path) -> bool {
    ending(path) == "gz"
}
