//! Contacts as one JSON object, a line per frame; the contacts are those of `docs/detect-json.md`.

use super::{Sink, pair_of};
use crate::error::CommandError;
use crate::json;
use crate::output::Output;
use palpate::contact::Contact;
use palpate::replay::Replay;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

pub(super) struct JsonSink {
    output: Output,
    is_first: bool,
}

#[derive(Serialize)]
struct FrameRecord<'a> {
    frame: usize,
    time: f64,
    pairs: Vec<PairRecord<'a>>,
}

#[derive(Serialize)]
struct PairRecord<'a> {
    a: &'a str,
    b: &'a str,
    detector: &'a str,
    contacts: &'a [Contact],
    flags: Vec<&'static str>,
}

impl JsonSink {
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let mut sink = Self { output: Output::create(Some(path))?, is_first: true };
        sink.write("{\"frames\":[")?;
        Ok(sink)
    }

    fn write(&mut self, text: &str) -> Result<(), CommandError> {
        let written = self.output.write_all(text.as_bytes());
        written.map_err(|error| CommandError::io(&self.output.path(), "writing", error))
    }
}

impl Sink for JsonSink {
    fn append(&mut self, frame: usize, replay: &Replay) -> Result<(), CommandError> {
        let mut pairs = Vec::new();
        for id in replay.pairs() {
            let [a, b] = replay.names(id)?;
            let pair = pair_of(replay, id)?;
            let contacts = &pair.contacts().contacts;
            let flags = pair.status().flags.names().collect();
            pairs.push(PairRecord { a, b, detector: pair.detector(), contacts, flags });
        }
        let record = FrameRecord { frame, time: replay.time(), pairs };
        let text = json::line(&record);
        self.write(if self.is_first { "\n" } else { ",\n" })?;
        self.is_first = false;
        self.write(&text)
    }

    fn finish(mut self: Box<Self>) -> Result<(), CommandError> {
        self.write("\n]}\n")?;
        self.output.finish()
    }
}
