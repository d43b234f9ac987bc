//! Output formats for the contacts of a replay.

mod csv;
mod hdf5;
mod json;

use crate::error::CommandError;
use palpate::replay::{Replay, ReplayError};
use palpate::scene::{Pair, PairId};
use std::path::Path;

/// Accepts the contacts frame by frame. The file appears when finished; if dropped before, nothing is left.
pub(crate) trait Sink {
    /// Appends the contacts of the current frame.
    fn append(&mut self, frame: usize, replay: &Replay) -> Result<(), CommandError>;

    /// Renames the finished file.
    fn finish(self: Box<Self>) -> Result<(), CommandError>;
}

/// A pair of a replay. Errors: a pair of another scene.
pub(crate) fn pair_of(replay: &Replay, id: PairId) -> Result<&Pair, CommandError> {
    Ok(replay.scene().pair(id).map_err(ReplayError::from)?)
}

/// The sink for the extension of `path`. Errors: an unknown extension; a file that cannot be created.
pub(crate) fn create(path: &Path, vtk: bool, replay: &Replay) -> Result<Box<dyn Sink>, CommandError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let wrong = |argument, found: String, wanted: &str| {
        Err(CommandError::Argument { argument, found, wanted: wanted.to_owned() })
    };
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    match ending {
        "h5" | "hdf5" | "vtkhdf" => Ok(Box::new(hdf5::Hdf5Sink::create(path, vtk, replay)?)),
        "json" | "csv" if vtk => {
            wrong("--vtk", path.display().to_string(), "--out with the ending .h5 or .vtkhdf")
        }
        "json" => Ok(Box::new(json::JsonSink::create(path)?)),
        "csv" => Ok(Box::new(csv::CsvSink::create(path)?)),
        _ => wrong("--out", path.display().to_string(), "a file with the ending .h5, .vtkhdf, .json or .csv"),
    }
}
