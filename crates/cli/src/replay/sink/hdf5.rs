//! Contacts as a structured array in HDF5.

use super::{Sink, pair_of};
use crate::error::CommandError;
use palpate::contact::Contact;
use palpate::recording::{ContactPair, ContactsOptions, ContactsWriter};
use palpate::replay::Replay;
use std::path::Path;

pub(super) struct Hdf5Sink {
    writer: ContactsWriter,
    pairs: Vec<u32>,
    contacts: Vec<Contact>,
}

impl Hdf5Sink {
    pub(super) fn create(path: &Path, vtk: bool, replay: &Replay) -> Result<Self, CommandError> {
        let mut pairs = Vec::new();
        for id in replay.pairs() {
            let [a, b] = replay.names(id)?.map(str::to_owned);
            let detector = pair_of(replay, id)?.detector().to_owned();
            pairs.push(ContactPair { a, b, detector });
        }
        let options = ContactsOptions { overwrite: true, vtk, ..ContactsOptions::default() };
        let writer = ContactsWriter::create(path, &pairs, options)?;
        Ok(Self { writer, pairs: Vec::new(), contacts: Vec::new() })
    }
}

impl Sink for Hdf5Sink {
    fn append(&mut self, frame: usize, replay: &Replay) -> Result<(), CommandError> {
        self.pairs.clear();
        self.contacts.clear();
        for (number, id) in replay.pairs().enumerate() {
            let contacts = &pair_of(replay, id)?.contacts().contacts;
            self.contacts.extend_from_slice(contacts);
            self.pairs.resize(self.contacts.len(), number as u32);
        }
        Ok(self.writer.append(frame as u64, replay.time(), &self.pairs, &self.contacts)?)
    }

    fn finish(self: Box<Self>) -> Result<(), CommandError> {
        Ok(self.writer.finish()?)
    }
}
