//! A mesh file or a recording, by its file extension.

use super::{mesh, recording};
use crate::args::InspectArguments;
use crate::error::CommandError;
use palpate::mesh_io::Format;

/// Reports the contents of a file. Errors: it cannot be read, or is damaged.
pub(crate) fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    match (Format::of(&arguments.file), arguments.cells) {
        (Ok(_), _) => mesh::run(arguments),
        (Err(_), None) => recording::run(arguments),
        (Err(error), Some(_)) => Err(error.into()),
    }
}
