//! The sources of a session: files that each provide some objects over some frames.

mod compact;
mod journal;
mod plain;
mod session;

use crate::compact::MAGIC as COMPACT;
use crate::container::{Library, ReadOptions};
use crate::error::RecordingError;
use crate::frame::{Placement, State};
use crate::journal::MAGIC;
use crate::missing::Missing;
use crate::note::Note;
use crate::paths::first_bytes;
use crate::session::{SessionInfo, Topology};
use crate::{header, vtkhdf};
use std::path::Path;

/// One file of a session, opened.
pub(crate) trait Part: Send {
    /// Its objects, and for palpate sessions all other information.
    fn info(&self) -> &SessionInfo;
    /// Seconds, one per frame; `None` if the file has no times.
    fn times(&self) -> Option<&[f64]>;
    /// The number of frames.
    fn frame_count(&self) -> usize;
    /// Frames at which an object's cells change, ascending, without frame 0.
    fn changes(&self, object: usize) -> &[usize];
    /// The cells of an object in a frame, validated against the file.
    fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError>;
    /// The shape of an object in a frame.
    fn shape(&self, _object: usize, _frame: usize) -> Option<&str> {
        None
    }
    /// Puts the states of a frame at `states[base..]` and appends its placements, whose objects are counted from `base`, checked
    /// against the file's checksum if it has one.
    fn read(
        &mut self,
        frame: usize,
        base: usize,
        states: &mut Vec<State>,
        placements: &mut Vec<Placement>,
    ) -> Result<(), RecordingError>;
    /// Whether everything that is read is covered by checksums.
    fn has_checksums(&self) -> bool;
    /// Whether this is a journal: its writer is still active, or died.
    fn is_unfinished(&self) -> bool {
        false
    }
    /// What of a journal could not be read.
    fn missing(&self) -> Missing {
        Missing::default()
    }
    /// What the caller should know of the file.
    fn note(&self) -> Option<Note> {
        None
    }
}

/// Opens a file by its type: a journal, a compact session, a palpate session, or foreign VTKHDF.
pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Box<dyn Part>, RecordingError> {
    if first_bytes(path)?.starts_with(MAGIC) {
        return Ok(Box::new(journal::JournalPart::open(path, &options.limits)?));
    }
    if first_bytes(path)?.starts_with(COMPACT) {
        return Ok(Box::new(compact::CompactPart::open(path, &options.limits)?));
    }
    let source = Library::open(path, options).map_err(|reason| RecordingError::NotHdf5 {
        path: path.to_path_buf(),
        reason: reason.replace('\n', " "),
    })?;
    let failed = |reason| RecordingError::hdf5(path, "/", reason);
    let marked = source.attribute("", header::MARK.0).map_err(failed)?;
    if marked.as_deref() == Some(crate::contacts::MARK.1) {
        let wanted = "session, but contacts".to_string();
        return Err(RecordingError::NoSession { path: path.to_path_buf(), wanted });
    }
    if marked.as_deref() == Some(header::MARK.1) || source.is_group(header::GROUP).map_err(failed)? {
        Ok(Box::new(session::SessionPart::open(source, path, &options.limits)?))
    } else if source.is_group(vtkhdf::ROOT).map_err(failed)? {
        Ok(Box::new(plain::PlainPart::open(source, path, &options.limits)?))
    } else {
        let wanted = "group /palpate or /VTKHDF, so it is no session".to_string();
        Err(RecordingError::NoSession { path: path.to_path_buf(), wanted })
    }
}
