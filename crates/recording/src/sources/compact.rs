//! A compact session.

use super::Part;
use crate::compact::CompactReader;
use crate::error::RecordingError;
use crate::frame::{Placement, State};
use crate::journal::{points_of, set_state};
use crate::note::Note;
use crate::session::{SessionInfo, Topology};
use crate::validate::check_session;
use palpate_math::Limits;
use std::path::Path;

pub(super) struct CompactPart {
    reader: CompactReader,
    info: SessionInfo,
}

impl CompactPart {
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, RecordingError> {
        let reader = CompactReader::open(path, limits)?;
        let objects = reader.header().objects.len();
        let info = reader.header().info((0..objects).map(|object| reader.topology(object, 0)).collect());
        check_session(path, &info, limits)?;
        Ok(Self { reader, info })
    }
}

impl Part for CompactPart {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn times(&self) -> Option<&[f64]> {
        Some(self.reader.times())
    }

    fn frame_count(&self) -> usize {
        self.reader.times().len()
    }

    fn changes(&self, object: usize) -> &[usize] {
        self.reader.changes(object)
    }

    fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError> {
        Ok(self.reader.topology(object, frame))
    }

    fn shape(&self, object: usize, frame: usize) -> Option<&str> {
        self.reader.header().shape(object, frame)
    }

    fn read(
        &mut self,
        frame: usize,
        base: usize,
        states: &mut Vec<State>,
        placements: &mut Vec<Placement>,
    ) -> Result<(), RecordingError> {
        let (own, placed) = self.reader.frame(frame)?;
        for (object, state) in own.iter().enumerate() {
            match state {
                State::Points(points) => {
                    let buffer = points_of(states, base + object);
                    buffer.clear();
                    buffer.extend_from_slice(points);
                }
                State::Primitive(_) => set_state(states, base + object, state.clone()),
            }
        }
        placements.extend(placed.iter().map(|placement| placement.counted_from(base)));
        Ok(())
    }

    fn has_checksums(&self) -> bool {
        true
    }

    fn note(&self) -> Option<Note> {
        let (path, error) = (self.reader.path().to_path_buf(), self.reader.error());
        (error > 0.0).then_some(Note::Rounded { path, error })
    }
}
