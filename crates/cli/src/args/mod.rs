//! The command line.

mod diff;
mod files;
mod policy;
mod read;
mod report;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use diff::DiffArguments;
pub(crate) use files::{ConvertArguments, PackArguments, ValidateArguments};
pub(crate) use policy::PolicyArguments;
pub(crate) use read::{LimitArguments, MeshArguments, ReadArguments};
pub(crate) use report::ReportArguments;
use std::path::PathBuf;

/// Collision detection for medical simulation: recordings and cases in, contacts out.
#[derive(Debug, Parser)]
#[command(name = "palpate", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a small recorded session, replay it and draw its contacts: start here
    Demo(DemoArguments),
    /// Run a recorded session through the detectors
    Replay(ReplayArguments),
    /// Print the contents of a recording or a mesh file, and the health of a mesh
    Inspect(InspectArguments),
    /// List the detectors
    Detectors(DetectorsArguments),
    /// Compute the contacts of cases in JSON Lines, two shapes per line
    Detect(DetectArguments),
    /// Explain why a pair has its contacts, or none: in a frame of a session, or of cases, with GJK and EPA on convex shapes
    Explain(ExplainArguments),
    /// Compare the contacts of two files of contacts, sessions or snapshots
    Diff(DiffArguments),
    /// Show a session, or two, as a page for a browser: geometry, contacts, plots
    Report(ReportArguments),
    /// Put a session with meshes, settings and versions into one file that replays to the same bits
    Pack(PackArguments),
    /// Convert a mesh file, or an object of a recording, to another format
    Convert(ConvertArguments),
    /// Say what a reader refuses or guesses of a recording, line by line
    Validate(ValidateArguments),
    /// Write the contacts of a session as stable text, or check them against such a text
    Snapshot(SnapshotArguments),
    /// Print the completions of the command for a shell
    Completions(CompletionsArguments),
    /// Print the manual page, or write the pages of all subcommands to a folder
    Man(ManArguments),
}

/// `palpate demo`.
#[derive(Args, Debug)]
pub(crate) struct DemoArguments {
    /// The folder for the recording, the contacts and the picture; created if missing
    #[arg(long, value_name = "DIR", default_value = "palpate-demo")]
    pub(crate) out: PathBuf,
    /// Only write the recording to this file
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub(crate) make: Option<PathBuf>,
    /// Print the summary and the names of the files as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `palpate replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// Recordings and mesh files: a session, or several VTKHDF files, whose stems are then the names of the objects; a mesh
    /// (.obj, .stl, .ply, .off, .vtk, .vtu, .vtp, .msh) is an object that does not move
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// A pair of objects A:B, or A:B:DETECTOR; A:A is self-contact. May be given several times. A colon in a name is
    /// written \:. [default: the pairs that the session names, else all that have a detector]. A pair that the session
    /// names, in either order, keeps its detector and margin
    #[arg(long = "pair", value_name = "A:B[:DETECTOR]")]
    pub(crate) pairs: Vec<String>,
    /// Also report contacts closer than this, with negative depth (metres) [default: as in the session, else 0]
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    pub(crate) margin: Option<f64>,
    /// Detect the motion from frame to frame as well, where the kinds have a continuous detector: first impacts, then
    /// what is still in contact
    #[arg(long)]
    pub(crate) continuous: bool,
    /// The file for the contacts: .h5, .vtkhdf, .json or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// With --out FILE.h5 or .vtkhdf: add points with direction and depth that ParaView shows
    #[arg(long, requires = "out")]
    pub(crate) vtk: bool,
    /// The range of frames, end excluded, as slices of Python: 10:20, :20, 10:, -10: (also 10..20)
    #[arg(long, value_name = "A:B", default_value = ":", allow_hyphen_values = true)]
    pub(crate) frames: String,
    /// Number of threads; 0 uses one per core. The contacts are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `palpate inspect`.
#[derive(Args, Debug)]
pub(crate) struct InspectArguments {
    /// A session, a VTKHDF file, or a mesh: .obj, .stl, .ply, .off, .vtk, .vtu, .vtp, .msh, .mesh, .node, .ele, .veg, .inp,
    /// .gltf or .glb, also with .gz; a folder: each of its files in a line
    pub(crate) file: PathBuf,
    /// For a mesh with cells of several kinds: the kind to use [default: the highest dimension]
    #[arg(long, value_enum)]
    pub(crate) cells: Option<Cells>,
    /// Write the surface mended: vertices welded, duplicates dropped, triangles oriented, fans divided, small holes filled.
    /// Every change is counted; lengths are those of the report
    #[arg(long, value_name = "OUT")]
    pub(crate) mend: Option<PathBuf>,
    /// Fill holes of up to this many edges; a rim is a hole too
    #[arg(long, value_name = "N", default_value_t = 20, requires = "mend")]
    pub(crate) fill_edges: usize,
    /// Weld vertices no farther apart than this
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, requires = "mend")]
    pub(crate) weld: f64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// The cells of a mesh file.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Cells {
    Lines,
    Triangles,
    Tetrahedra,
}

/// `palpate detectors`.
#[derive(Args, Debug)]
pub(crate) struct DetectorsArguments {
    /// A detector or an alias: print all about it, with its settings. A kind: print what detects it
    #[arg(value_name = "NAME", conflicts_with_all = ["matrix", "markdown", "settings"])]
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print every pair of kinds as a grid
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Print a page of all detectors and pairs of kinds, as Markdown
    #[arg(long, conflicts_with_all = ["json", "matrix"])]
    pub(crate) markdown: bool,
    /// Print a page of all settings, as Markdown
    #[arg(long, conflicts_with_all = ["json", "matrix", "markdown"])]
    pub(crate) settings: bool,
}

/// `palpate detect`.
#[derive(Args, Debug)]
pub(crate) struct DetectArguments {
    /// The cases, one JSON object per line; - reads standard input
    #[arg(value_name = "CASES.jsonl")]
    pub(crate) cases: PathBuf,
    /// The file for the answers [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Number of threads; 0 uses one per core. The answers are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// Add the detection time in nanoseconds to each answer
    #[arg(long)]
    pub(crate) timing: bool,
    /// With --out: print the numbers of cases as JSON. Without: the answers are JSON Lines in any case
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

/// `palpate explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The cases, one JSON object per line: two shapes as for detect, or two polygons; - reads standard input. With --frame: a
    /// session, as for replay
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Explain a pair in this frame of a session
    #[arg(long, value_name = "N", requires = "pair")]
    pub(crate) frame: Option<usize>,
    /// The pair, as for replay
    #[arg(long, value_name = "A:B[:DETECTOR]", requires = "frame")]
    pub(crate) pair: Option<String>,
    /// Also report contacts closer than this, as for replay (metres)
    #[arg(long, value_name = "METRES", requires = "frame", allow_hyphen_values = true)]
    pub(crate) margin: Option<f64>,
    /// Also say what is at this place (metres)
    #[arg(long, value_name = "X,Y,Z", requires = "frame", allow_hyphen_values = true)]
    pub(crate) point: Option<String>,
    /// The output file. Of cases: .svg draws the iterations, .html draws and lists them, .json and .jsonl contain them
    /// [default: JSON Lines on standard output]. Of a session: .json, or .png, a picture of the meshes and the contacts
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Of a session: print JSON. Of cases with --out: print their numbers as JSON; without: they are JSON Lines in any case
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `palpate snapshot`.
#[derive(Args, Debug)]
pub(crate) struct SnapshotArguments {
    /// The session: recordings and mesh files, as for replay
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Compare with the existing snapshot instead of writing it
    #[arg(long)]
    pub(crate) check: bool,
    /// The snapshot file [default: SESSION.contacts.snap beside the first recording]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// A pair of objects, as for replay
    #[arg(long = "pair", value_name = "A:B[:DETECTOR]")]
    pub(crate) pairs: Vec<String>,
    /// Also report contacts closer than this, as for replay (metres)
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    pub(crate) margin: Option<f64>,
    /// Include every N-th frame, starting with the first
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) every: usize,
    /// List only the N deepest contacts of each pair and frame
    #[arg(long, value_name = "N", conflicts_with = "counts")]
    pub(crate) deepest: Option<usize>,
    /// List only the number of contacts and the greatest depth of each pair and frame
    #[arg(long)]
    pub(crate) counts: bool,
    /// Tolerance of lengths [default: the power of ten at or above 1e-9 of the scene's diagonal]
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    pub(crate) tolerance: Option<f64>,
    /// Tolerance of components of directions and weights
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-6, allow_hyphen_values = true)]
    pub(crate) unit_tolerance: f64,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mesh: MeshArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

/// `palpate completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: Shell,
}

/// `palpate man`.
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// The folder for palpate.1 and a page of each subcommand; created if missing [default: print palpate.1]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
