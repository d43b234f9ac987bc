//! Opening and creating files by the chosen library.

#[cfg(feature = "libhdf5")]
use super::native::{NativeSink, NativeSource};
use super::pure::{GuardedSink, PureSink, PureSource};
use super::{Library, Outcome, ReadOptions, Sink, Source};
use palpate_files::Replacement;
use std::path::Path;

impl Library {
    /// Opens a file by the library of the options. The library may panic on a damaged file: then an error.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Outcome<Box<dyn Source>> {
        match options.library {
            Self::Rust => Ok(Box::new(PureSource::open(path, options)?)),
            #[cfg(feature = "libhdf5")]
            Self::C => Ok(Box::new(NativeSource::open(path, options)?)),
        }
    }

    /// Creates the HDF5 file of a replacement. The replacement keeps it locked meanwhile.
    pub(crate) fn create(self, replacement: &Replacement) -> Outcome<Box<dyn Sink>> {
        match self {
            Self::Rust => Ok(Box::new(GuardedSink::new(PureSink::create(replacement.temporary())?))),
            #[cfg(feature = "libhdf5")]
            Self::C => {
                // The C library locks the file itself. Between its lock and this one another process may take the
                // file for a leftover: then it cannot be renamed, which is an error.
                replacement.unlock().map_err(|error| error.to_string())?;
                Ok(Box::new(NativeSink::create(replacement.temporary())?))
            }
        }
    }
}
