//! `palpate pack`, `palpate convert` and `palpate validate`.

use super::{MeshArguments, ReadArguments};
use clap::Args;
use std::path::PathBuf;

/// `palpate pack`.
#[derive(Args, Debug)]
pub(crate) struct PackArguments {
    /// The session: recordings and mesh files, as for replay. With --check: a packed session
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The packed session [default: SESSION.packed.vtkhdf beside the first recording]
    #[arg(long, value_name = "FILE.vtkhdf")]
    pub(crate) out: Option<PathBuf>,
    /// Number the objects instead of naming them, and leave out the metadata
    #[arg(long)]
    pub(crate) anonymous: bool,
    /// Replay a packed session, and check that the contacts are the same bits as when it was packed
    #[arg(long, conflicts_with_all = ["out", "anonymous", "pairs", "margin"])]
    pub(crate) check: bool,
    /// A pair of objects, as for replay
    #[arg(long = "pair", value_name = "A:B[:DETECTOR]")]
    pub(crate) pairs: Vec<String>,
    /// Also report contacts closer than this, as for replay (metres)
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    pub(crate) margin: Option<f64>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `palpate convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArguments {
    /// A mesh file, or a recording
    #[arg(value_name = "IN")]
    pub(crate) file: PathBuf,
    /// The result: .vtu, .obj, .ply or .stl (also with .gz), .vtkhdf, a recording, or .palpate, a compact session
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// Of a recording: the object to write as a mesh
    #[arg(long, value_name = "NAME")]
    pub(crate) object: Option<String>,
    /// Of a recording: the frame of the object
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) frame: usize,
    /// With .palpate: how far a point may be from where it was recorded (metres); 0 keeps every bit
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_hyphen_values = true)]
    pub(crate) error: f64,
    /// With .palpate: keep every N-th frame
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) every: usize,
    /// Only say what would be lost, and write nothing
    #[arg(long)]
    pub(crate) validate: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `palpate validate`.
#[derive(Args, Debug)]
pub(crate) struct ValidateArguments {
    /// A recording
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}
