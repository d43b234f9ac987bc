//! `palpate diff`.

use super::{PolicyArguments, ReadArguments};
use clap::Args;
use std::path::PathBuf;

/// `palpate diff`.
#[derive(Args, Debug)]
pub(crate) struct DiffArguments {
    /// The baseline: a file of contacts, a session (which is replayed), or a snapshot
    #[arg(value_name = "A")]
    pub(crate) was: PathBuf,
    /// What is compared with it. With a snapshot: a session or a snapshot
    #[arg(value_name = "B")]
    pub(crate) is: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    /// Accept a baseline without a single contact
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Also write the result as JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}
