//! The choice of the HDF5 library.

/// The HDF5 library that reads or writes a file. Both read each other's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Library {
    /// rust-hdf5: nothing to install, and no damaged file is known to crash it.
    #[default]
    Rust,
    /// The HDF5 Group's C library, through the crate `hdf5-metno`; requires the feature `libhdf5`. Old versions can
    /// be crashed by damaged files (1.10.8 by about one in a hundred).
    #[cfg(feature = "libhdf5")]
    C,
}

impl Library {
    /// All libraries of this build.
    pub const ALL: &'static [Self] = &[
        Self::Rust,
        #[cfg(feature = "libhdf5")]
        Self::C,
    ];
}
