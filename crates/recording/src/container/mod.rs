//! The HDF5 operations that recordings need: two small traits, so that the library behind them can be exchanged.
//!
//! Paths are written from the root without a leading slash (`VTKHDF/Steps/Values`); `""` is the root.

mod contact_element;
mod element;
mod library;
mod limits;
#[cfg(feature = "libhdf5")]
mod native;
mod open;
mod options;
mod pure;

pub(crate) use contact_element::contact_element;
pub(crate) use element::{Element, Field, Shape};
pub use library::Library;
pub use options::ReadOptions;

use palpate_contact::Contact;

/// The result of an HDF5 operation, with the library's error message; the caller adds file and dataset.
pub(crate) type Outcome<T> = Result<T, String>;

/// Reads an HDF5 file.
pub(crate) trait Source: Send {
    /// Whether a path leads to a group.
    fn is_group(&self, path: &str) -> Outcome<bool>;
    /// Names of the groups directly in `group`, and of links to groups, sorted by name.
    fn groups(&self, group: &str) -> Outcome<Vec<String>>;
    /// A text attribute of a group; `None` if there is no such group or attribute.
    fn attribute(&self, group: &str, name: &str) -> Outcome<Option<String>>;
    /// The first byte of an attribute of a group if that is not zero: for small integers, their value.
    fn first_byte(&self, group: &str, name: &str) -> Outcome<Option<u8>>;
    /// Shape and element of a dataset that is about to be read; `None` if there is no such dataset. An error if it, with
    /// all that were asked for before, is more than the limits accept from a file of this size.
    fn shape(&self, dataset: &str) -> Outcome<Option<Shape>>;
    /// Notes that so many bytes are read beside the datasets that were asked for. An error if they are too many.
    fn charge(&self, bytes: u64) -> Outcome<()>;
    /// Rows `start..start + count` of an integer dataset, replacing `out`.
    fn integers(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()>;
    /// Rows `start..start + count` of a dataset of single or double floats of any byte order, widened, replacing `out`.
    fn floats(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()>;
    /// Records `start..start + count` of a dataset of contacts, appended to `out`.
    fn contacts(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()>;
    /// All strings of a dataset.
    fn texts(&self, dataset: &str) -> Outcome<Vec<String>>;
}

/// A growing dataset of a [`Sink`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stream(pub(crate) usize);

/// How a growing dataset is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunking {
    /// Rows per chunk, at least 1.
    pub(crate) rows: u64,
    /// Level of deflate (after shuffling), 1 to 9; 0 stores uncompressed.
    pub(crate) level: u32,
}

/// Creates an HDF5 file and writes it. Until [`Sink::close`] the file cannot be read.
pub(crate) trait Sink: Send {
    /// Creates a group; its parent must exist.
    fn group(&mut self, path: &str) -> Outcome<()>;
    /// A group's attribute as fixed-length ASCII text, the only form that every VTK reads.
    fn text_attribute(&mut self, group: &str, name: &str, value: &str) -> Outcome<()>;
    /// A group's attribute of 64-bit integers: one value is written as a scalar, more as an array.
    fn integer_attribute(&mut self, group: &str, name: &str, values: &[i64]) -> Outcome<()>;
    /// A soft link `group/name` to an absolute path.
    fn soft_link(&mut self, group: &str, name: &str, target: &str) -> Outcome<()>;
    /// Writes a whole dataset; empty `dimensions` mean a scalar. `bytes` are the elements, little-endian.
    fn dataset(&mut self, path: &str, element: &Element, dimensions: &[u64], bytes: &[u8]) -> Outcome<()>;
    /// Creates a dataset that grows row by row; `row` are the dimensions of one row (empty: one element).
    fn stream(&mut self, path: &str, element: &Element, row: &[u64], chunking: Chunking) -> Outcome<Stream>;
    /// Appends whole rows.
    fn append(&mut self, stream: Stream, bytes: &[u8]) -> Outcome<()>;
    /// Completes the file and syncs it to disk, so that it survives power loss.
    fn close(self: Box<Self>) -> Outcome<()>;
}
