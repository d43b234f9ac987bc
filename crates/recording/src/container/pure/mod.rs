//! The default library: rust-hdf5, HDF5 in pure Rust.

mod charge;
mod datatype;
mod files;
mod guard;
mod guarded_sink;
mod heaps;
mod mapping;
mod numbers;
mod runs;
mod sink;
mod source;

pub(crate) use guarded_sink::GuardedSink;
pub(crate) use sink::PureSink;
pub(crate) use source::PureSource;
