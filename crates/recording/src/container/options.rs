//! How a file is read.

use super::Library;
use palpate_math::Limits;

/// How a recording or a file of contacts is read: [`Reader::open_with`](crate::Reader::open_with).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The HDF5 library.
    pub library: Library,
    /// How much is accepted before a file is refused: expansion of compressed data, objects, pairs, names.
    pub limits: Limits,
    /// Whether data outside the file's own folder may be read: HDF5 external raw storage, and virtual datasets and
    /// external links whose file is in another folder. False by default: such a file could make any file of the machine
    /// look like coordinates. HDF5 files beside the recording, or below its folder, are read without it. What is no
    /// regular file (a pipe, a device) is never read.
    pub allow_external: bool,
}
