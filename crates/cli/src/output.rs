//! Output to standard output, or to a file that appears only when complete.

use crate::error::CommandError;
use palpate_files::{Replacement, is_special};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A sink for bytes. A file is written under a temporary name beside its own and renamed by [`Output::finish`]; if
/// the command ends before that, the temporary file is removed. What is no regular file (a pipe, a device) is written to as
/// it is.
pub(crate) struct Output {
    writer: Writer,
    path: PathBuf,
}

enum Writer {
    /// Standard output, a pipe or a device.
    Stream(BufWriter<Box<dyn Write>>),
    File(BufWriter<Replacement>),
}

impl Output {
    /// Standard output, or the file at `path`.
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, CommandError> {
        let stream = |stream: Box<dyn Write>| Writer::Stream(BufWriter::new(stream));
        let (writer, path) = match path {
            None => (stream(Box::new(io::stdout())), Path::new("standard output")),
            Some(path) if is_special(path) => {
                (stream(Box::new(created(path, File::options().write(true).open(path))?)), path)
            }
            Some(path) => (Writer::File(BufWriter::new(reserve(path)?)), path),
        };
        Ok(Self { writer, path: path.to_owned() })
    }

    /// Flushes everything and renames the file.
    pub(crate) fn finish(mut self) -> Result<(), CommandError> {
        self.flush().map_err(|error| CommandError::io(&self.path, "writing", error))?;
        match self.writer {
            Writer::Stream(_) => Ok(()),
            // It was flushed.
            Writer::File(file) => completed(&self.path, file.into_parts().0.complete()),
        }
    }

    /// The name for messages.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Writer::Stream(writer) => writer.write(bytes),
            Writer::File(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::Stream(writer) => writer.flush(),
            Writer::File(writer) => writer.flush(),
        }
    }
}

/// A temporary file for the output at `path`. Errors: a directory; a folder that cannot be written to.
pub(crate) fn reserve(path: &Path) -> Result<Replacement, CommandError> {
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    if path.file_name().is_none() {
        return Err(CommandError::Argument {
            argument: "--out",
            found: path.display().to_string(),
            wanted: "the name of a file".to_owned(),
        });
    }
    created(path, Replacement::new(path))
}

fn created<T>(path: &Path, result: io::Result<T>) -> Result<T, CommandError> {
    result.map_err(|error| CommandError::io(path, "creating", error))
}

/// The result of putting a complete file in place.
pub(crate) fn completed(path: &Path, result: io::Result<()>) -> Result<(), CommandError> {
    result.map_err(|error| CommandError::io(path, "putting the complete file in place", error))
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
