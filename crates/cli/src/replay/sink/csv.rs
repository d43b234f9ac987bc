//! Contacts as a table, one row each.

use super::{Sink, pair_of};
use crate::error::CommandError;
use crate::output::Output;
use ::csv::Writer;
use palpate::contact::{Contact, Feature, FeatureKind, NONE};
use palpate::replay::Replay;
use std::io;
use std::path::{Path, PathBuf};

/// The columns. Lists (vertices, weights) are separated by spaces; absent values are empty.
const COLUMNS: [&str; 29] = [
    "frame",
    "time",
    "a",
    "b",
    "detector",
    "a_kind",
    "a_vertices",
    "a_cell",
    "a_child",
    "a_weights",
    "a_x",
    "a_y",
    "a_z",
    "b_kind",
    "b_vertices",
    "b_cell",
    "b_child",
    "b_weights",
    "b_x",
    "b_y",
    "b_z",
    "direction_x",
    "direction_y",
    "direction_z",
    "depth",
    "depth_upper",
    "time_of_impact",
    "id",
    "flags",
];

pub(super) struct CsvSink {
    writer: Writer<Output>,
    path: PathBuf,
}

impl CsvSink {
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let writer = Writer::from_writer(Output::create(Some(path))?);
        let mut sink = Self { writer, path: path.to_owned() };
        sink.write(&COLUMNS.map(str::to_owned))?;
        Ok(sink)
    }

    fn write(&mut self, row: &[String]) -> Result<(), CommandError> {
        self.writer
            .write_record(row)
            .map_err(|error| CommandError::io(&self.path, "writing", io::Error::other(error)))
    }
}

impl Sink for CsvSink {
    fn append(&mut self, frame: usize, replay: &Replay) -> Result<(), CommandError> {
        for id in replay.pairs() {
            let [a, b] = replay.names(id)?;
            let pair = pair_of(replay, id)?;
            let flags: Vec<_> = pair.status().flags.names().collect();
            for contact in &pair.contacts().contacts {
                let mut row = vec![frame.to_string(), number(replay.time()), a.to_owned(), b.to_owned()];
                row.push(pair.detector().to_owned());
                row.extend(columns(contact));
                row.push(flags.join(" "));
                self.write(&row)?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), CommandError> {
        let path = self.path;
        let output = self.writer.into_inner();
        output
            .map_err(|error| CommandError::io(&path, "writing", io::Error::other(error.to_string())))?
            .finish()
    }
}

fn columns(contact: &Contact) -> Vec<String> {
    let mut columns = Vec::with_capacity(COLUMNS.len());
    for side in [&contact.a, &contact.b] {
        columns.extend(side_columns(side));
    }
    columns.extend(contact.direction.map(number));
    columns.extend([contact.depth, contact.depth_upper].map(number));
    columns.push(if contact.time_of_impact.is_nan() {
        String::new()
    } else {
        number(contact.time_of_impact)
    });
    columns.push(contact.id.to_string());
    columns
}

fn side_columns(side: &Feature) -> Vec<String> {
    let kind = side.feature_kind();
    let has_vertices = kind != FeatureKind::Point;
    let ids: Vec<_> = side.vertex_ids().iter().filter(|_| has_vertices).map(u32::to_string).collect();
    let weights: Vec<_> =
        side.vertex_weights().iter().filter(|_| has_vertices).map(|&weight| number(weight)).collect();
    let id = |id: u32| if id == NONE { String::new() } else { id.to_string() };
    let mut columns =
        vec![kind.name().to_owned(), ids.join(" "), id(side.cell), id(side.child), weights.join(" ")];
    columns.extend(side.point.map(number));
    columns
}

/// The shortest text that round-trips to the same bits.
fn number(value: f64) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::math::{Point, Vector};

    #[test]
    fn a_row_has_a_value_for_every_column() {
        let a = Feature::edge([1, 7], [0.25, 0.75], 4, Point::new(1.0, 2.0, 3.0));
        let contact = Contact::exact(a, Feature::point(Point::origin()), Vector::y(), 0.5, 9);
        let row = columns(&contact);
        assert_eq!(row.len() + 6, COLUMNS.len(), "frame, time, a, b, detector and flags come with the pair");
        assert_eq!(row[..8], ["edge", "1 7", "4", "", "0.25 0.75", "1", "2", "3"]);
        assert_eq!(row[8..13], ["point", "", "", "", ""]);
    }
}
