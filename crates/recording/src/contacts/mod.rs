//! Contacts in HDF5: one record per contact, the same bytes as in memory, so that h5py reads a structured array.

mod layout;
mod pair;
mod points;
mod reader;
mod writer;

pub(crate) use layout::MARK;
pub use pair::ContactPair;
pub use reader::{ContactFrame, ContactsReader};
pub use writer::{ContactsOptions, ContactsWriter};
