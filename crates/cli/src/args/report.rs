//! `palpate report`.

use super::{MeshArguments, PolicyArguments, ReadArguments};
use clap::Args;
use std::path::PathBuf;

/// `palpate report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The session: recordings and mesh files, as for replay. Two recordings that have an object of the same name are two
    /// sessions
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// A second session, shown beside the first and compared with it
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) other: Vec<PathBuf>,
    /// The page [default: SESSION.html beside the first recording]
    #[arg(long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
    /// A pair of objects, as for replay
    #[arg(long = "pair", value_name = "A:B[:DETECTOR]")]
    pub(crate) pairs: Vec<String>,
    /// The largest page (megabytes); of a larger session only every k-th frame is drawn
    #[arg(long, value_name = "MB", default_value_t = 30.0)]
    pub(crate) size: f64,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) policy: PolicyArguments,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}
