//! Output to standard output, or to a file that appears only when complete.

mod reserved;

use crate::error::CommandError;
pub(crate) use reserved::Reserved;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A sink for bytes. A file is written under a temporary name beside its own and renamed by [`Output::finish`]; if
/// the command ends before that, the temporary file is removed. What is no regular file (a pipe, a device) is written to as
/// it is.
pub(crate) struct Output {
    writer: Box<dyn Write>,
    path: PathBuf,
    reserved: Option<Reserved>,
}

impl Output {
    /// Standard output, or the file at `path`.
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, CommandError> {
        let Some(path) = path else {
            let writer = Box::new(BufWriter::new(io::stdout()));
            return Ok(Self { writer, path: PathBuf::from("standard output"), reserved: None });
        };
        let failed = |error| CommandError::io(path, "creating", error);
        let (file, reserved) = if is_special(path) {
            (File::options().write(true).open(path).map_err(failed)?, None)
        } else {
            let reserved = Reserved::new(path)?;
            (reserved.file().map_err(failed)?, Some(reserved))
        };
        Ok(Self { writer: Box::new(BufWriter::new(file)), path: path.to_owned(), reserved })
    }

    /// Flushes everything and renames the file.
    pub(crate) fn finish(mut self) -> Result<(), CommandError> {
        self.flush().map_err(|error| CommandError::io(&self.path, "writing", error))?;
        match self.reserved.take() {
            Some(reserved) => reserved.finish_file(),
            None => Ok(()),
        }
    }

    /// The name for messages.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Whether the path is a pipe or a device.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Rejects an output that is one of the inputs, which would destroy the recording.
pub(crate) fn refuse_own_input(path: &Path, inputs: &[PathBuf]) -> Result<(), CommandError> {
    if is_special(path) {
        return Ok(());
    }
    let Ok(output) = path.canonicalize() else { return Ok(()) };
    let is_input = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == output);
    if inputs.iter().any(is_input) { Err(CommandError::OwnInput { path: path.to_owned() }) } else { Ok(()) }
}
