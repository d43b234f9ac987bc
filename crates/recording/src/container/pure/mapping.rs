//! Virtual datasets: which elements come from which dataset of which file.

use super::files::{Files, Place};
use super::guard::text;
use super::numbers::{Numbers, Target, from_bytes, target};
use super::runs::{Run, runs};
use crate::container::Outcome;
use rust_hdf5::{FillValue, H5Dataset, Selection};
use std::collections::BTreeSet;

/// Pieces that all selections of one dataset may consist of.
const MOST_RUNS: usize = 4 << 20;

/// How the elements of a virtual dataset are put together. Elements are counted row by row.
pub(super) struct Plan {
    pub(super) target: Target,
    /// The element where no source is mapped.
    pub(super) fill: Numbers,
    pieces: Vec<Piece>,
    /// The pieces by their first element.
    order: Vec<usize>,
    /// The highest end of all pieces up to each one in that order.
    reach: Vec<u64>,
}

/// Elements that come from one dataset.
pub(super) struct Piece {
    /// The file by its name in the virtual dataset; `None` is that file itself.
    pub(super) file: Option<String>,
    pub(super) dataset: String,
    pub(super) source: Selection,
    own: Vec<Run>,
    low: u64,
    high: u64,
}

/// Consecutive elements of both datasets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) own: u64,
    pub(super) source: u64,
    pub(super) len: u64,
}

impl Plan {
    /// Reads the mapping. Errors: a source that is missing or may not be read; a selection or a type that palpate does
    /// not read.
    pub(super) fn new(files: &Files, place: &Place, dataset: &H5Dataset) -> Outcome<Self> {
        let what = format!("the virtual dataset '{}'", place.path);
        let dimensions: Vec<u64> = dataset.shape().into_iter().map(|extent| extent as u64).collect();
        let mut pieces = Vec::new();
        let mut names = BTreeSet::new();
        let mut total = 0;
        for mapping in dataset.virtual_mappings().map_err(text)? {
            let file = plain_name(&mapping.source_file_name, &what)?;
            let source = plain_name(&mapping.source_dset_name, &what)?;
            if file != "." && names.insert(file.clone()) {
                let (path, size) = files.find(&place.file, &file, &what)?;
                files.account.add_file(&path, size);
            }
            let failed = |reason: String| format!("{what} leads to '{source}' of '{file}': {reason}");
            if mapping.source_selection.unlim_dim().is_some() {
                return Err(failed("the selection is unlimited".to_string()));
            }
            let own = runs(&mapping.virtual_selection, &dimensions).map_err(failed)?;
            total += own.len();
            if total > MOST_RUNS {
                return Err(failed(format!("the selections are in more than {MOST_RUNS} pieces")));
            }
            let low = own.iter().map(|run| run.start).min().unwrap_or(0);
            let high = own.iter().map(|run| run.end()).max().unwrap_or(0);
            let file = Some(file).filter(|file| file != ".");
            pieces.push(Piece { file, dataset: source, source: mapping.source_selection, own, low, high });
        }
        let datatype = dataset.datatype().map_err(text)?;
        let target = target(&datatype)?;
        let fill = match dataset.fill_value().map_err(text)? {
            FillValue::UserDefined(bytes) => from_bytes(&datatype, &bytes)?,
            FillValue::Default | FillValue::Undefined => Numbers::zeros(target, 1),
        };
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        order.sort_by_key(|&piece| pieces[piece].low);
        let mut highest = 0;
        let reach = order.iter().map(|&piece| {
            highest = pieces[piece].high.max(highest);
            highest
        });
        let reach = reach.collect();
        Ok(Self { target, fill, pieces, order, reach })
    }

    /// The pieces with elements from `start` up to `end`, in the order of the file: later ones overwrite.
    pub(super) fn pieces(&self, start: u64, end: u64) -> Vec<&Piece> {
        let first = self.reach.partition_point(|&reach| reach <= start);
        let last = self.order.partition_point(|&piece| self.pieces[piece].low < end);
        let mut found: Vec<usize> = self.order.get(first..last).unwrap_or_default().to_vec();
        found.retain(|&piece| self.pieces[piece].high > start);
        found.sort_unstable();
        found.into_iter().map(|piece| &self.pieces[piece]).collect()
    }
}

impl Piece {
    /// The elements from `start` up to `end`, and where they are in a source of `dimensions`. Errors: the two selections
    /// differ in size.
    pub(super) fn segments(&self, dimensions: &[u64], start: u64, end: u64) -> Outcome<Vec<Segment>> {
        let source = runs(&self.source, dimensions)?;
        let count = |runs: &[Run]| runs.iter().map(|run| run.len).sum::<u64>();
        if count(&source) != count(&self.own) {
            return Err(format!("{} elements are mapped to {}", count(&source), count(&self.own)));
        }
        let mut segments = Vec::new();
        let (mut from, mut used) = (source.iter(), 0);
        let mut now = from.next();
        for own in &self.own {
            let mut done = 0;
            while let (true, Some(run)) = (done < own.len, now) {
                let len = (own.len - done).min(run.len - used);
                let (low, high) = ((own.start + done).max(start), (own.start + done + len).min(end));
                if low < high {
                    let source = run.start + used + (low - own.start - done);
                    segments.push(Segment { own: low, source, len: high - low });
                }
                done += len;
                used += len;
                if used == run.len {
                    (now, used) = (from.next(), 0);
                }
            }
        }
        Ok(segments)
    }
}

/// A name in a mapping, in which `%` stands for itself only twice. Errors: it is a pattern of names.
fn plain_name(name: &str, what: &str) -> Outcome<String> {
    let plain = name.replace("%%", "\0");
    if plain.contains('%') {
        return Err(format!("{what} leads to the pattern '{name}' of sources, wanted a name"));
    }
    Ok(plain.replace('\0', "%"))
}
