//! Writing a journal.

use super::record::{
    Dependencies, HEADER, MAGIC, NUMBERED_FRAME, SHAPE, TOPOLOGY, push_numbered_frame, push_record,
    push_shape, push_topology,
};
use super::storage::{JournalFile, Storage};
use crate::error::RecordingError;
use crate::frame::Frame;
use crate::session::SessionInfo;
use std::path::{Path, PathBuf};

/// Appends frames to a journal.
#[derive(Debug)]
pub(crate) struct JournalWriter {
    storage: Box<dyn Storage>,
    path: PathBuf,
    buffer: Vec<u8>,
    /// Bytes of whole records.
    length: u64,
    frames: u64,
    dependencies: Dependencies,
    /// Why nothing more can be appended.
    stopped: Option<String>,
}

impl JournalWriter {
    /// Creates a journal; `header` is the session as JSON. It replaces an existing one only if that is allowed, and never
    /// one that another writer has.
    pub(crate) fn create(
        path: &Path,
        header: &str,
        info: &SessionInfo,
        overwrite: bool,
    ) -> Result<Self, RecordingError> {
        let beginning = beginning(header, info);
        let file = JournalFile::create(path, &beginning, overwrite)?;
        Ok(Self::continued(path, Box::new(file), beginning.len() as u64))
    }

    /// Appends to a storage that has the beginning of a journal, of `length` bytes.
    pub(crate) fn continued(path: &Path, storage: Box<dyn Storage>, length: u64) -> Self {
        Self {
            storage,
            path: path.to_path_buf(),
            buffer: Vec::new(),
            length,
            frames: 0,
            dependencies: Dependencies::default(),
            stopped: None,
        }
    }

    /// Appends a frame. When this returns, the frame has been passed to the operating system and survives this process;
    /// with `sync`, everything up to it is on disk and survives power loss.
    ///
    /// Errors: the frame is not part of the journal. After a failed write the journal is cut back to the frames before; if
    /// that fails too, and after a failed sync, nothing more can be appended.
    pub(crate) fn append(&mut self, frame: &Frame, sync: bool) -> Result<(), RecordingError> {
        if let Some(reason) = &self.stopped {
            return Err(RecordingError::Stopped { path: self.path.clone(), reason: reason.clone() });
        }
        self.buffer.clear();
        for change in &frame.shapes {
            push_record(&mut self.buffer, SHAPE, |out| push_shape(out, change));
        }
        let dependencies = self.dependencies.after(self.frames, frame);
        let now = dependencies.as_ref().unwrap_or(&self.dependencies);
        push_record(&mut self.buffer, NUMBERED_FRAME, |out| {
            push_numbered_frame(out, self.frames, now, frame)
        });
        if let Err(error) = self.storage.append(&self.buffer) {
            self.cut_back();
            return Err(RecordingError::io(&self.path, "writing the journal", error));
        }
        if sync && let Err(error) = self.storage.sync() {
            self.cut_back();
            // The system may have dropped what it could not write, and report the next sync as a success.
            self.stopped.get_or_insert_with(|| format!("syncing it failed: {error}"));
            return Err(RecordingError::io(&self.path, "syncing the journal", error));
        }
        self.length += self.buffer.len() as u64;
        self.frames += 1;
        if let Some(dependencies) = dependencies {
            self.dependencies = dependencies;
        }
        Ok(())
    }

    /// Writes another beginning to a journal without frames.
    ///
    /// Errors: it cannot be written; nothing more can be appended then.
    pub(crate) fn begin_again(&mut self, header: &str, info: &SessionInfo) -> Result<(), RecordingError> {
        let beginning = beginning(header, info);
        if let Err(error) = self.storage.cut(0).and_then(|()| self.storage.append(&beginning)) {
            self.stopped = Some(format!("its beginning could not be written again: {error}"));
            return Err(RecordingError::io(&self.path, "writing the journal", error));
        }
        self.length = beginning.len() as u64;
        Ok(())
    }

    /// Removes what a failed append may have left.
    fn cut_back(&mut self) {
        if let Err(error) = self.storage.cut(self.length) {
            self.stopped = Some(format!("an incomplete frame could not be removed from it: {error}"));
        }
    }
}

/// The records before the first frame.
pub(crate) fn beginning(header: &str, info: &SessionInfo) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    push_record(&mut bytes, HEADER, |out| out.extend_from_slice(header.as_bytes()));
    for (object, described) in info.objects.iter().enumerate() {
        push_record(&mut bytes, TOPOLOGY, |out| push_topology(out, object, &described.topology));
    }
    bytes
}
