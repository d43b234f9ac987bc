//! Contacts as a structured array in HDF5.

use super::{Sink, pair_of};
use crate::error::CommandError;
use crate::output::Reserved;
use palpate::contact::Contact;
use palpate::recording::{ContactPair, ContactsOptions, ContactsWriter};
use palpate::replay::Replay;
use std::path::Path;

pub(super) struct Hdf5Sink {
    // Dropped before `reserved`, which removes the files.
    writer: ContactsWriter,
    reserved: Reserved,
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
        let reserved = Reserved::new(path)?;
        let writer = ContactsWriter::create(reserved.data(), &pairs, options);
        let writer = writer.map_err(|error| reserved.error(&error))?;
        Ok(Self { writer, reserved, pairs: Vec::new(), contacts: Vec::new() })
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
        let written = self.writer.append(frame as u64, replay.time(), &self.pairs, &self.contacts);
        written.map_err(|error| self.reserved.error(&error))
    }

    fn finish(self: Box<Self>) -> Result<(), CommandError> {
        let Self { writer, reserved, .. } = *self;
        writer.finish().map_err(|error| reserved.error(&error))?;
        reserved.finish_data()
    }
}
