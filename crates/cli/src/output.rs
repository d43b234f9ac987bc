//! Output to standard output, or to a file that appears only when complete.

use crate::error::CommandError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A sink for bytes. A file is written under a temporary name beside its own and renamed by [`Output::finish`]; if
/// the command ends before that, the temporary file is removed.
pub(crate) struct Output {
    writer: Box<dyn Write>,
    file: Option<Partial>,
}

/// A file under its temporary name.
struct Partial {
    path: PathBuf,
    temporary: PathBuf,
    renamed: bool,
}

impl Output {
    /// Standard output, or the file at `path`.
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, CommandError> {
        match path {
            None => Ok(Self { writer: Box::new(BufWriter::new(io::stdout())), file: None }),
            Some(path) => {
                let temporary = temporary_name(path)?;
                let file =
                    File::create(&temporary).map_err(|error| CommandError::io(path, "creating", error))?;
                let partial = Partial { path: path.to_owned(), temporary, renamed: false };
                Ok(Self { writer: Box::new(BufWriter::new(file)), file: Some(partial) })
            }
        }
    }

    /// Flushes everything and renames the file.
    pub(crate) fn finish(mut self) -> Result<(), CommandError> {
        self.flush().map_err(|error| CommandError::io(&self.path(), "writing", error))?;
        drop(std::mem::replace(&mut self.writer, Box::new(io::sink())));
        if let Some(partial) = &mut self.file {
            fs::rename(&partial.temporary, &partial.path)
                .map_err(|error| CommandError::io(&partial.path, "renaming", error))?;
            partial.renamed = true;
        }
        Ok(())
    }

    /// The name for messages.
    pub(crate) fn path(&self) -> PathBuf {
        self.file.as_ref().map_or_else(|| PathBuf::from("standard output"), |partial| partial.path.clone())
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

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.renamed {
            // A temporary file that cannot be removed is left.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A temporary name beside `path`, unique to this process.
fn temporary_name(path: &Path) -> Result<PathBuf, CommandError> {
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    let name = path.file_name().ok_or_else(|| CommandError::Argument {
        argument: "--out",
        found: path.display().to_string(),
        wanted: "the name of a file".to_owned(),
    })?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.partial", std::process::id()));
    Ok(path.with_file_name(temporary))
}

/// Rejects an output that is one of the inputs, which would destroy the recording.
pub(crate) fn refuse_own_input(path: &Path, inputs: &[PathBuf]) -> Result<(), CommandError> {
    let Ok(output) = path.canonicalize() else { return Ok(()) };
    let is_input = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == output);
    if inputs.iter().any(is_input) { Err(CommandError::OwnInput { path: path.to_owned() }) } else { Ok(()) }
}
