//! An unfinished session.

use super::Part;
use crate::error::RecordingError;
use crate::frame::{Frame, Placement, State};
use crate::journal::{JournalReader, points_of, set_state};
use crate::missing::Missing;
use crate::session::{SessionInfo, Topology};
use crate::validate::check_session;
use palpate_math::Limits;
use std::path::Path;

pub(super) struct JournalPart {
    journal: JournalReader,
    info: SessionInfo,
    changes: Vec<Vec<usize>>,
    frame: Frame,
}

impl JournalPart {
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, RecordingError> {
        let journal = JournalReader::open(path)?;
        let objects = journal.header().objects.len();
        let first = (0..objects).map(|object| journal.topology(object, 0).clone()).collect();
        let info = journal.header().info(first);
        check_session(path, &info, limits)?;
        let changes = (0..objects).map(|object| journal.changes(object).collect()).collect();
        Ok(Self { journal, info, changes, frame: Frame::default() })
    }
}

impl Part for JournalPart {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn times(&self) -> Option<&[f64]> {
        Some(self.journal.times())
    }

    fn frame_count(&self) -> usize {
        self.journal.frame_count()
    }

    fn changes(&self, object: usize) -> &[usize] {
        &self.changes[object]
    }

    fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError> {
        Ok(self.journal.topology(object, frame).clone())
    }

    fn shape(&self, object: usize, frame: usize) -> Option<&str> {
        self.journal.header().shape(object, frame)
    }

    fn read(
        &mut self,
        frame: usize,
        base: usize,
        states: &mut Vec<State>,
        placements: &mut Vec<Placement>,
    ) -> Result<(), RecordingError> {
        self.journal.read(frame, &mut self.frame)?;
        for (object, state) in self.frame.states.iter_mut().enumerate() {
            match state {
                State::Points(points) => std::mem::swap(points, points_of(states, base + object)),
                State::Primitive(_) => set_state(states, base + object, state.clone()),
            }
        }
        placements.extend(self.frame.placements.iter().map(|placement| placement.counted_from(base)));
        Ok(())
    }

    fn has_checksums(&self) -> bool {
        true
    }

    fn is_unfinished(&self) -> bool {
        true
    }

    fn missing(&self) -> Missing {
        self.journal.missing()
    }
}
