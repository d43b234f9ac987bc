//! Where contacts come from.

use super::error::DiffError;
use crate::contact::Contact;
use crate::recording::{ContactFrame, ContactPair, ContactsReader, ReadOptions};
use crate::replay::{Replay, ReplayError, ReplayOptions};
use crate::snapshot::{Fingerprint, ObjectLine, fingerprints, object_lines};
use serde_json::Value;
use std::path::Path;

/// Contacts by frame and pair: a [`ContactsReader`], a [`Replay`], which detects them, or a [`ContactList`].
pub trait ContactSource {
    /// The pairs.
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError>;

    /// Number and time in seconds of every frame, in order.
    fn frames(&self) -> Vec<(u64, f64)>;

    /// Writes the contacts of the frame at `index` (counted in this source) to `frame`, whose memory is reused.
    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError>;

    /// What the contacts of the frame that was read last were computed from; `None` (the default) where that is not known.
    fn input(&self) -> Result<Option<InputState>, DiffError> {
        Ok(None)
    }
}

/// What the contacts of a frame were computed from: objects, their states, settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputState {
    pub(super) objects: Vec<ObjectLine>,
    pub(super) states: Vec<Fingerprint>,
    /// Of each pair.
    pub(super) settings: Vec<Value>,
}

/// A file of contacts, or else a session, which is replayed. Errors: neither.
pub fn open(path: impl AsRef<Path>, options: &ReplayOptions) -> Result<Box<dyn ContactSource>, DiffError> {
    let path = path.as_ref();
    let (limits, allow_external) = (options.limits, options.allow_external);
    let read = ReadOptions { limits, allow_external, ..ReadOptions::default() };
    match ContactsReader::open_with(path, &read) {
        Ok(reader) => Ok(Box::new(reader)),
        Err(crate::recording::RecordingError::NoSession { .. }) => {
            Ok(Box::new(Replay::open(&[path], options)?))
        }
        Err(reason) => match Replay::open(&[path], options) {
            Ok(replay) => Ok(Box::new(replay)),
            // A damaged file of contacts is no session either: the first error says more.
            Err(ReplayError::Recording(_)) if path.is_file() => Err(reason.into()),
            Err(error) => Err(error.into()),
        },
    }
}

impl ContactSource for ContactsReader {
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError> {
        Ok(ContactsReader::pairs(self).to_vec())
    }

    fn frames(&self) -> Vec<(u64, f64)> {
        self.frame_numbers().zip(self.times().iter().copied()).collect()
    }

    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError> {
        Ok(self.read_frame(index, frame)?)
    }
}

impl ContactSource for Replay {
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError> {
        let pair = |id| {
            let [a, b] = self.names(id)?.map(str::to_owned);
            let detector = self.scene().pair(id)?.detector().to_owned();
            Ok(ContactPair { a, b, detector })
        };
        Ok(Replay::pairs(self).map(pair).collect::<Result<_, ReplayError>>()?)
    }

    fn frames(&self) -> Vec<(u64, f64)> {
        match self.reader() {
            Some(reader) => (0..).zip(reader.times().iter().copied()).collect(),
            None => vec![(0, 0.0)],
        }
    }

    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError> {
        self.load(index)?;
        self.detect()?;
        (frame.frame, frame.time) = (index as u64, self.time());
        frame.pairs.clear();
        frame.contacts.clear();
        for (number, id) in Replay::pairs(self).enumerate() {
            let pair = self.scene().pair(id).map_err(ReplayError::from)?;
            frame.contacts.extend_from_slice(&pair.contacts().contacts);
            frame.pairs.resize(frame.contacts.len(), number as u32);
        }
        Ok(())
    }

    fn input(&self) -> Result<Option<InputState>, DiffError> {
        let scene = self.scene();
        let settings = Replay::pairs(self).map(|id| Ok(scene.pair(id)?.settings()));
        Ok(Some(InputState {
            objects: object_lines(scene).map_err(ReplayError::from)?,
            states: fingerprints(scene).map_err(ReplayError::from)?,
            settings: settings.collect::<Result<_, ReplayError>>()?,
        }))
    }
}

/// Contacts in memory.
#[derive(Clone, Debug, Default)]
pub struct ContactList {
    /// The pairs.
    pub pairs: Vec<ContactPair>,
    /// The frames, in order; the pairs of their contacts are indices into `pairs`.
    pub frames: Vec<ContactFrame>,
}

impl ContactList {
    /// Appends a frame: `contacts` by pair, in the order of the pairs.
    pub fn push<'a>(&mut self, time: f64, contacts: impl IntoIterator<Item = &'a [Contact]>) {
        let mut frame = ContactFrame { frame: self.frames.len() as u64, time, ..ContactFrame::default() };
        for (number, contacts) in contacts.into_iter().enumerate() {
            frame.contacts.extend_from_slice(contacts);
            frame.pairs.resize(frame.contacts.len(), number as u32);
        }
        self.frames.push(frame);
    }
}

impl ContactSource for ContactList {
    fn pairs(&self) -> Result<Vec<ContactPair>, DiffError> {
        Ok(self.pairs.clone())
    }

    fn frames(&self) -> Vec<(u64, f64)> {
        self.frames.iter().map(|frame| (frame.frame, frame.time)).collect()
    }

    fn read(&mut self, index: usize, frame: &mut ContactFrame) -> Result<(), DiffError> {
        if let Some(own) = self.frames.get(index) {
            frame.clone_from(own);
        }
        Ok(())
    }
}
