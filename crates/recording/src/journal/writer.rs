//! Writing a journal.

use super::record::{
    FRAME, HEADER, MAGIC, SHAPE, TOPOLOGY, push_frame, push_record, push_shape, push_topology,
};
use crate::error::RecordingError;
use crate::frame::Frame;
use crate::session::SessionInfo;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Appends frames to a journal.
#[derive(Debug)]
pub(crate) struct JournalWriter {
    file: File,
    path: PathBuf,
    buffer: Vec<u8>,
}

impl JournalWriter {
    /// Creates a journal, replacing an existing one; `header` is the session as JSON.
    pub(crate) fn create(path: &Path, header: &str, info: &SessionInfo) -> Result<Self, RecordingError> {
        let file =
            File::create(path).map_err(|error| RecordingError::io(path, "creating the journal", error))?;
        let mut buffer = MAGIC.to_vec();
        push_record(&mut buffer, HEADER, |out| out.extend_from_slice(header.as_bytes()));
        for (object, described) in info.objects.iter().enumerate() {
            push_record(&mut buffer, TOPOLOGY, |out| push_topology(out, object, &described.topology));
        }
        let mut writer = Self { file, path: path.to_path_buf(), buffer };
        writer.write()?;
        Ok(writer)
    }

    /// Appends a frame. When this returns, the frame has been passed to the operating system and survives this
    /// process.
    pub(crate) fn append(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        self.buffer.clear();
        for change in &frame.shapes {
            push_record(&mut self.buffer, SHAPE, |out| push_shape(out, change));
        }
        push_record(&mut self.buffer, FRAME, |out| push_frame(out, frame));
        self.write()
    }

    /// Syncs everything to disk, so that it survives power loss.
    pub(crate) fn sync(&self) -> Result<(), RecordingError> {
        self.file.sync_data().map_err(|error| RecordingError::io(&self.path, "syncing the journal", error))
    }

    fn write(&mut self) -> Result<(), RecordingError> {
        // A single call: a record is either complete, or it is the last and incomplete.
        let written = self.file.write_all(&self.buffer);
        written.map_err(|error| RecordingError::io(&self.path, "writing the journal", error))
    }
}
