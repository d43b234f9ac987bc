//! A mesh file, a recording or a folder.

use super::{folder, mesh, recording};
use crate::args::InspectArguments;
use crate::error::CommandError;
use palpate::replay::SessionFiles;

/// Reports the contents of a file, or a line for each file of a folder. Errors: it cannot be read, or is damaged.
pub(crate) fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    if arguments.file.is_dir() && arguments.cells.is_none() && arguments.mend.is_none() {
        return folder::run(arguments);
    }
    if SessionFiles::is_mesh(&arguments.file) || arguments.cells.is_some() || arguments.mend.is_some() {
        return mesh::run(arguments);
    }
    recording::run(arguments)
}
