//! Reading through rust-hdf5.

use super::datatype::datatype;
use super::files::{Files, OpenFile, Place};
use super::guard::{caught, text};
use super::mapping::{Piece, Plan};
use super::numbers::{self, Numbers};
use crate::container::limits::{check_chunk, check_expansion, data_bytes};
use crate::container::{Outcome, ReadOptions, Shape, Source};
use bytemuck::{Pod, Zeroable};
use palpate_contact::Contact;
use rust_hdf5::{DatatypeMessage, H5Dataset, H5Group, H5Type, Hdf5Error, StorageLayout};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Virtual datasets that lead to virtual datasets.
const DEEPEST_MAPPING: usize = 8;
/// How many times as many elements of a source are read as are wanted: those between its pieces are read too.
const MOST_SCATTERED: u64 = 64;
/// Elements of a source that may always be read.
const FEW_ELEMENTS: u64 = 1 << 16;
/// Listing a group costs time in proportion to all links of the file: bytes of file per link, at least.
const LINK_BYTES: u64 = 32;

/// Bytes of the library's record of a chunk.
const SLOT_BYTES: usize = 64;

type Plans = BTreeMap<(PathBuf, String), Arc<Plan>>;

/// An HDF5 file opened for reading. Virtual datasets are put together here, since the library takes the bytes of a source
/// for numbers of the virtual dataset's type, and a missing source for zeros.
pub(crate) struct PureSource {
    files: Files,
    plans: RefCell<Plans>,
}

/// A dataset that is open, with its checked shape.
struct Opened {
    place: Place,
    dataset: H5Dataset,
    shape: Shape,
    plan: Option<Arc<Plan>>,
}

impl PureSource {
    /// Opens a file; the error is the library's.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Outcome<Self> {
        Ok(Self { files: Files::open(path, options)?, plans: RefCell::default() })
    }

    /// Where a path leads, after all links; `None` if nothing is there.
    #[cfg(feature = "libhdf5")]
    pub(crate) fn locate(&self, path: &str) -> Outcome<Option<Place>> {
        caught(|| self.files.locate(path))
    }

    /// Whether a dataset must be read here: it is virtual, or in another file. Errors: it may not be read.
    #[cfg(feature = "libhdf5")]
    pub(crate) fn is_elsewhere(&self, path: &str) -> Outcome<bool> {
        caught(|| {
            let opened = self.find(path)?;
            Ok(opened.is_some_and(|opened| opened.plan.is_some() || !opened.place.is_own))
        })
    }

    fn find(&self, path: &str) -> Outcome<Option<Opened>> {
        match self.files.locate(path)? {
            Some(place) => self.open_at(place),
            None => Ok(None),
        }
    }

    fn open_at(&self, place: Place) -> Outcome<Option<Opened>> {
        let dataset = match place.file.file.dataset(&place.path) {
            Ok(dataset) => dataset,
            Err(Hdf5Error::NotFound(_) | Hdf5Error::DanglingLink { .. }) => return Ok(None),
            Err(error) => return Err(text(error)),
        };
        self.files.check_external(&place, &dataset)?;
        let plan = self.plan(&place, &dataset)?;
        let shape = self.checked_shape(&dataset)?;
        Ok(Some(Opened { place, dataset, shape, plan }))
    }

    fn open_dataset(&self, path: &str) -> Outcome<Opened> {
        self.find(path)?.ok_or_else(|| "no such dataset".to_string())
    }

    /// The mapping of a virtual dataset; `None` for others.
    fn plan(&self, place: &Place, dataset: &H5Dataset) -> Outcome<Option<Arc<Plan>>> {
        if dataset.storage_layout().map_err(text)? != StorageLayout::Virtual {
            return Ok(None);
        }
        let key = (place.file.path.clone(), place.path.clone());
        if let Some(plan) = self.plans.borrow().get(&key) {
            return Ok(Some(Arc::clone(plan)));
        }
        let plan = Arc::new(Plan::new(&self.files, place, dataset)?);
        self.plans.borrow_mut().insert(key, Arc::clone(&plan));
        Ok(Some(plan))
    }

    fn open_group(&self, path: &str) -> Outcome<Option<(Place, H5Group)>> {
        let Some(place) = self.files.locate(path)? else { return Ok(None) };
        let Some(group) = group_at(&place.file, &place.path)? else { return Ok(None) };
        Ok(Some((place, group)))
    }

    fn checked_shape(&self, dataset: &H5Dataset) -> Outcome<Shape> {
        let wide = |extents: Vec<usize>| extents.into_iter().map(|extent| extent as u64).collect::<Vec<_>>();
        let dimensions = if dataset.is_null() { vec![0] } else { wide(dataset.shape()) };
        let chunk = dataset.chunk_dims().map(wide);
        let element_size = dataset.element_size();
        let account = &self.files.account;
        check_expansion(data_bytes(&dimensions, element_size), account.file_bytes(), account.limits())?;
        if let Some(chunk) = &chunk {
            check_chunk(chunk, element_size, account.limits())?;
            // The library has a record in memory for every chunk that there could be.
            let most = dataset.max_shape().map_err(text)?;
            let slots = dimensions.iter().zip(chunk).enumerate().map(|(axis, (&extent, &chunk))| {
                let most = most.get(axis).copied().flatten().map_or(extent, |most| most as u64);
                most.max(extent).div_ceil(chunk)
            });
            let slots = slots.collect::<Vec<_>>();
            let found = data_bytes(&slots, SLOT_BYTES);
            check_expansion(found, account.file_bytes(), account.limits())
                .map_err(|reason| format!("the records of {slots:?} chunks: {reason}"))?;
        }
        let chunk_rows = chunk.and_then(|chunk| chunk.first().copied());
        Ok(Shape { dimensions, chunk_rows, element_size })
    }

    fn read<T: H5Type + Zeroable>(
        &self,
        opened: &Opened,
        start: u64,
        count: u64,
        out: &mut Vec<T>,
    ) -> Outcome<()> {
        let (starts, counts, elements) = slice(&opened.shape, start, count)?;
        let before = out.len();
        out.resize(before + elements, T::zeroed());
        if elements == 0 {
            return Ok(());
        }
        if counts.is_empty() {
            return opened.dataset.read_raw_into(&mut out[before..]).map_err(text);
        }
        opened.dataset.read_slice_into(&mut out[before..], &starts, &counts).map_err(text)
    }

    /// Rows of numbers of any type, put together if the dataset is virtual. `spent` are the bytes read for one request.
    fn numbers(
        &self,
        opened: &Opened,
        (start, count): (u64, u64),
        depth: usize,
        spent: &mut u64,
    ) -> Outcome<Numbers> {
        let (starts, counts, elements) = slice(&opened.shape, start, count)?;
        if let Some(plan) = &opened.plan {
            let first = start * opened.shape.row_elements();
            return self.put_together(opened, plan, (first, first + elements as u64), depth, spent);
        }
        if depth > 0 {
            let rows = opened.shape.chunk_rows.unwrap_or(1).max(1);
            let rows = (start + count).div_ceil(rows).saturating_mul(rows) - start / rows * rows;
            let row = opened.shape.row_elements().saturating_mul(opened.shape.element_size as u64);
            *spent = spent.saturating_add(rows.saturating_mul(row));
            let account = &self.files.account;
            check_expansion(Some(*spent), account.file_bytes(), account.limits())?;
        }
        if elements == 0 {
            let target = numbers::target(&opened.dataset.datatype().map_err(text)?)?;
            return Ok(Numbers::zeros(target, 0));
        }
        numbers::read(&opened.dataset, &starts, &counts)
    }

    /// Elements `start` to `end` of a virtual dataset.
    fn put_together(
        &self,
        opened: &Opened,
        plan: &Plan,
        (start, end): (u64, u64),
        depth: usize,
        spent: &mut u64,
    ) -> Outcome<Numbers> {
        if depth >= DEEPEST_MAPPING {
            return Err(format!("more than {DEEPEST_MAPPING} virtual datasets one behind another"));
        }
        let mut out = Numbers::zeros(plan.target, usize::try_from(end - start).map_err(text)?);
        out.fill(&plan.fill)?;
        for piece in plan.pieces(start, end) {
            self.put_piece(opened, (plan, piece), (start, end), &mut out, (depth, &mut *spent)).map_err(
                |reason| {
                    let file = piece.file.as_deref().unwrap_or("the same file");
                    format!("the virtual dataset leads to '{}' of '{file}': {reason}", piece.dataset)
                },
            )?;
        }
        Ok(out)
    }

    fn put_piece(
        &self,
        opened: &Opened,
        (plan, piece): (&Plan, &Piece),
        (start, end): (u64, u64),
        out: &mut Numbers,
        (depth, spent): (usize, &mut u64),
    ) -> Outcome<()> {
        let file = match &piece.file {
            None => Arc::clone(&opened.place.file),
            Some(name) => self.files.other(&opened.place.file, name, "the virtual dataset")?,
        };
        let place = self.files.locate_from(&file, &piece.dataset)?;
        let source = place.map(|place| self.open_at(place)).transpose()?.flatten();
        let source = source.ok_or("no such dataset")?;
        let segments = piece.segments(&source.shape.dimensions, start, end)?;
        let (Some(low), Some(high)) = (
            segments.iter().map(|segment| segment.source).min(),
            segments.iter().map(|segment| segment.source + segment.len).max(),
        ) else {
            return Ok(());
        };
        let wanted = segments.iter().map(|segment| segment.len).sum::<u64>();
        if high - low > wanted.saturating_mul(MOST_SCATTERED).max(FEW_ELEMENTS) {
            return Err(format!("{wanted} elements are scattered over {}", high - low));
        }
        // At least one element: there is a segment.
        let row = source.shape.row_elements().max(1);
        let (first, last) = (low / row, high.div_ceil(row));
        let numbers = self.numbers(&source, (first, last - first), depth + 1, spent)?.convert(plan.target)?;
        for segment in segments {
            let from = (segment.source - first * row) as usize;
            if from + segment.len as usize > numbers.len() {
                return Err("fewer elements than the source declares".to_string());
            }
            out.copy((segment.own - start) as usize, &numbers, from, segment.len as usize)?;
        }
        Ok(())
    }

    fn integers_at(&self, path: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()> {
        out.clear();
        let opened = self.open_dataset(path)?;
        let found = opened.dataset.datatype().map_err(text)?;
        if opened.plan.is_none()
            && found == DatatypeMessage::i64_type()
            && !opened.shape.dimensions.is_empty()
        {
            return self.read(&opened, start, count, out);
        }
        match self.numbers(&opened, (start, count), 0, &mut 0)? {
            Numbers::Integers(values) => *out = values,
            Numbers::Floats(_) => return Err(format!("found elements of type {found}, wanted integers")),
        }
        Ok(())
    }

    fn floats_at(&self, path: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()> {
        out.clear();
        let opened = self.open_dataset(path)?;
        let found = opened.dataset.datatype().map_err(text)?;
        if !matches!(found, DatatypeMessage::FloatingPoint { size: 4 | 8, .. }) {
            return Err(format!("found elements of type {found}, wanted floats of 4 or 8 bytes"));
        }
        if opened.plan.is_none() && found == DatatypeMessage::f64_type() {
            return self.read(&opened, start, count, out);
        }
        if opened.plan.is_none() && found == DatatypeMessage::f32_type() {
            let mut single: Vec<f32> = Vec::new();
            self.read(&opened, start, count, &mut single)?;
            out.extend(single.iter().map(|&value| f64::from(value)));
            return Ok(());
        }
        match self.numbers(&opened, (start, count), 0, &mut 0)? {
            Numbers::Floats(values) => *out = values,
            Numbers::Integers(_) => return Err(format!("found elements of type {found}, wanted floats")),
        }
        Ok(())
    }

    fn contacts_at(&self, path: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()> {
        let opened = self.open_dataset(path)?;
        let found = opened.dataset.datatype().map_err(text)?;
        if opened.plan.is_some() || found != datatype(&crate::container::contact_element()) {
            return Err(format!("found elements of type {found}, wanted contacts as palpate writes them"));
        }
        let mut records: Vec<Record> = Vec::new();
        self.read(&opened, start, count, &mut records)?;
        out.extend(records.iter().map(|record| record.0));
        Ok(())
    }

    fn texts_at(&self, path: &str) -> Outcome<Vec<String>> {
        let opened = self.open_dataset(path)?;
        let found = opened.dataset.datatype().map_err(text)?;
        if opened.plan.is_some() {
            return Err("a virtual dataset of strings, wanted one that is in this file".to_string());
        }
        match found {
            DatatypeMessage::FixedString { .. } => {}
            DatatypeMessage::VarLenString { .. } => self.check_references(&opened)?,
            other => return Err(format!("found elements of type {other}, wanted strings")),
        }
        opened.dataset.read_strings().map_err(text)
    }

    /// Refuses strings of variable length that are stored once and counted often: together they could be far longer than
    /// the file.
    fn check_references(&self, opened: &Opened) -> Outcome<()> {
        let references = opened.dataset.read_raw_bytes().map_err(text)?;
        // Each is the length, and where the string is.
        let size = opened.shape.element_size.max(5);
        let mut places: Vec<&[u8]> = references.chunks_exact(size).map(|reference| &reference[4..]).collect();
        places.sort_unstable();
        let most = places.chunk_by(|a, b| a == b).map(<[&[u8]]>::len).max().unwrap_or(0) as u64;
        let account = &self.files.account;
        let most = if most > 1 { most } else { 0 };
        check_expansion(account.file_bytes().checked_mul(most), account.file_bytes(), account.limits())
    }
}

impl Source for PureSource {
    fn is_group(&self, path: &str) -> Outcome<bool> {
        caught(|| Ok(self.open_group(path)?.is_some()))
    }

    fn groups(&self, group: &str) -> Outcome<Vec<String>> {
        caught(|| {
            let Some((place, group)) = self.open_group(group)? else { return Ok(Vec::new()) };
            self.files.account.charge(Some(self.files.account.file_bytes() / LINK_BYTES))?;
            let mut names = Vec::new();
            for name in group.link_names().map_err(text)? {
                let path =
                    if place.path.is_empty() { name.clone() } else { format!("{}/{name}", place.path) };
                let target = self.files.locate_from(&place.file, &path)?;
                let group = target.map(|place| group_at(&place.file, &place.path)).transpose()?;
                if group.flatten().is_some() {
                    names.push(name);
                }
            }
            Ok(names)
        })
    }

    fn attribute(&self, group: &str, name: &str) -> Outcome<Option<String>> {
        caught(|| {
            let Some((_, group)) = self.open_group(group)? else { return Ok(None) };
            if !group.attr_names().map_err(text)?.iter().any(|candidate| candidate == name) {
                return Ok(None);
            }
            let value = group.attr_string(name).map_err(text)?;
            Ok(Some(value.trim_end_matches('\0').to_string()))
        })
    }

    fn first_byte(&self, group: &str, name: &str) -> Outcome<Option<u8>> {
        // The library has the numbers of a group's attribute as text only: up to the first zero byte.
        Ok(self.attribute(group, name)?.and_then(|value| value.bytes().next()))
    }

    fn shape(&self, dataset: &str) -> Outcome<Option<Shape>> {
        caught(|| {
            let Some(opened) = self.find(dataset)? else { return Ok(None) };
            // Numbers have eight bytes once they are read.
            let bytes = data_bytes(&opened.shape.dimensions, opened.shape.element_size.max(8));
            self.files.account.charge(bytes)?;
            Ok(Some(opened.shape))
        })
    }

    fn charge(&self, bytes: u64) -> Outcome<()> {
        self.files.account.charge(Some(bytes))
    }

    fn integers(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()> {
        caught(|| self.integers_at(dataset, start, count, out))
    }

    fn floats(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()> {
        caught(|| self.floats_at(dataset, start, count, out))
    }

    fn contacts(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()> {
        caught(|| self.contacts_at(dataset, start, count, out))
    }

    fn texts(&self, dataset: &str) -> Outcome<Vec<String>> {
        caught(|| self.texts_at(dataset))
    }
}

/// The group at a path without links; `None` if there is none.
fn group_at(file: &OpenFile, path: &str) -> Outcome<Option<H5Group>> {
    if path.is_empty() {
        return Ok(Some(file.file.root_group()));
    }
    match file.file.root_group().group(path) {
        Ok(group) => Ok(Some(group)),
        Err(Hdf5Error::NotFound(_)) => Ok(None),
        Err(error) => Err(text(error)),
    }
}

/// First element, count and number of elements of rows `start..start + count`; rejects rows out of range.
fn slice(shape: &Shape, start: u64, count: u64) -> Outcome<(Vec<usize>, Vec<usize>, usize)> {
    if start.checked_add(count).is_none_or(|end| end > shape.rows()) {
        return Err(format!("rows {start} and {count} more asked for, it has {}", shape.rows()));
    }
    let narrow = |extent: u64| {
        usize::try_from(extent).map_err(|_| format!("{extent} rows are too many for this machine"))
    };
    let mut starts = vec![0; shape.dimensions.len()];
    let mut counts = shape.dimensions.iter().map(|&extent| narrow(extent)).collect::<Outcome<Vec<_>>>()?;
    if let (Some(first_start), Some(first_count)) = (starts.first_mut(), counts.first_mut()) {
        *first_start = narrow(start)?;
        *first_count = narrow(count)?;
    }
    let elements = counts.iter().product();
    Ok((starts, counts, elements))
}

/// A contact as an element of a dataset.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Record(Contact);

impl H5Type for Record {
    fn hdf5_type() -> DatatypeMessage {
        datatype(&crate::container::contact_element())
    }

    fn element_size() -> usize {
        size_of::<Contact>()
    }
}
