//! The default library: rust-hdf5, HDF5 in pure Rust.

use super::limits::check_size;
use super::{Chunking, Element, Field, Outcome, Shape, Sink, Source, Stream};
use bytemuck::{Pod, Zeroable};
use palpate_contact::Contact;
use rust_hdf5::format::messages::datatype::CompoundMember;
use rust_hdf5::{DatatypeMessage, H5Dataset, H5File, H5Group, H5Type, Hdf5Error};
use std::path::Path;

/// An HDF5 file opened for reading.
pub(crate) struct PureSource {
    file: H5File,
    file_size: u64,
}

impl PureSource {
    /// Opens a file; the error is the library's.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        let file_size = std::fs::metadata(path).map_err(text)?.len();
        // Locking is optional for readers: recordings are also opened from read-only disks.
        let file = H5File::options().best_effort_locking().open(path).map_err(text)?;
        Ok(Self { file, file_size })
    }

    fn find(&self, path: &str) -> Outcome<Option<H5Dataset>> {
        match self.file.dataset(path) {
            Ok(dataset) => Ok(Some(dataset)),
            // For a path through a missing link the library reports a dangling link.
            Err(Hdf5Error::NotFound(_) | Hdf5Error::DanglingLink { .. }) => Ok(None),
            Err(error) => Err(text(error)),
        }
    }

    fn open_dataset(&self, path: &str) -> Outcome<H5Dataset> {
        self.find(path)?.ok_or_else(|| "no such dataset".to_string())
    }

    fn open_group(&self, path: &str) -> Outcome<Option<H5Group>> {
        if path.is_empty() {
            return Ok(Some(self.file.root_group()));
        }
        match self.file.root_group().group(path) {
            Ok(group) => Ok(Some(group)),
            Err(Hdf5Error::NotFound(_)) => Ok(None),
            Err(error) => Err(text(error)),
        }
    }

    fn checked_shape(&self, dataset: &H5Dataset) -> Outcome<Shape> {
        let wide = |extents: Vec<usize>| extents.into_iter().map(|extent| extent as u64).collect::<Vec<_>>();
        let dimensions = if dataset.is_null() { vec![0] } else { wide(dataset.shape()) };
        let chunk = dataset.chunk_dims().map(wide);
        let element_size = dataset.element_size();
        check_size(&dimensions, chunk.as_deref(), element_size, self.file_size)?;
        let chunk_rows = chunk.and_then(|chunk| chunk.first().copied());
        Ok(Shape { dimensions, chunk_rows, element_size })
    }

    /// Opens a dataset and returns the number of elements in rows `start..start + count`; rejects rows out of
    /// range.
    fn rows(
        &self,
        path: &str,
        start: u64,
        count: u64,
    ) -> Outcome<(H5Dataset, Vec<usize>, Vec<usize>, usize)> {
        let dataset = self.open_dataset(path)?;
        let shape = self.checked_shape(&dataset)?;
        if start.checked_add(count).is_none_or(|end| end > shape.rows()) {
            return Err(format!("rows {start} and {count} more asked for, it has {}", shape.rows()));
        }
        let narrow = |extent: u64| {
            usize::try_from(extent).map_err(|_| format!("{extent} rows are too many for this machine"))
        };
        let mut starts = vec![0; shape.dimensions.len()];
        let mut counts =
            shape.dimensions.iter().map(|&extent| narrow(extent)).collect::<Outcome<Vec<_>>>()?;
        if let (Some(first_start), Some(first_count)) = (starts.first_mut(), counts.first_mut()) {
            *first_start = narrow(start)?;
            *first_count = narrow(count)?;
        }
        let elements = counts.iter().product();
        Ok((dataset, starts, counts, elements))
    }

    fn read<T: H5Type + Zeroable>(
        &self,
        path: &str,
        start: u64,
        count: u64,
        out: &mut Vec<T>,
    ) -> Outcome<()> {
        let (dataset, starts, counts, elements) = self.rows(path, start, count)?;
        let before = out.len();
        out.resize(before + elements, T::zeroed());
        if elements == 0 {
            return Ok(());
        }
        if counts.is_empty() {
            return dataset.read_raw_into(&mut out[before..]).map_err(text);
        }
        dataset.read_slice_into(&mut out[before..], &starts, &counts).map_err(text)
    }
}

impl Source for PureSource {
    fn groups(&self, group: &str) -> Outcome<Vec<String>> {
        let Some(group) = self.open_group(group)? else { return Ok(Vec::new()) };
        let mut names = group.link_names().map_err(text)?;
        names.retain(|name| group.group(name).is_ok());
        Ok(names)
    }

    fn attribute(&self, group: &str, name: &str) -> Outcome<Option<String>> {
        let Some(group) = self.open_group(group)? else { return Ok(None) };
        if !group.attr_names().map_err(text)?.iter().any(|candidate| candidate == name) {
            return Ok(None);
        }
        let value = group.attr_string(name).map_err(text)?;
        Ok(Some(value.trim_end_matches('\0').to_string()))
    }

    fn shape(&self, dataset: &str) -> Outcome<Option<Shape>> {
        self.find(dataset)?.map(|dataset| self.checked_shape(&dataset)).transpose()
    }

    fn integers(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()> {
        out.clear();
        let (handle, starts, counts, elements) = self.rows(dataset, start, count)?;
        if elements == 0 {
            return Ok(());
        }
        if handle.datatype().map_err(text)? == DatatypeMessage::i64_type() && !counts.is_empty() {
            return self.read(dataset, start, count, out);
        }
        if counts.is_empty() {
            *out = handle.read_numeric_as().map_err(text)?;
        } else {
            *out = handle.read_numeric_slice_as(&starts, &counts).map_err(text)?;
        }
        Ok(())
    }

    fn floats(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()> {
        out.clear();
        let datatype = self.open_dataset(dataset)?.datatype().map_err(text)?;
        match datatype {
            DatatypeMessage::FloatingPoint { size: 8, .. } => self.read(dataset, start, count, out),
            DatatypeMessage::FloatingPoint { size: 4, .. } => {
                let mut single: Vec<f32> = Vec::new();
                self.read(dataset, start, count, &mut single)?;
                out.extend(single.iter().map(|&value| f64::from(value)));
                Ok(())
            }
            other => Err(format!("found elements of type {other}, wanted floats of 4 or 8 bytes")),
        }
    }

    fn contacts(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()> {
        let found = self.open_dataset(dataset)?.datatype().map_err(text)?;
        let wanted = datatype(&crate::contacts::contact_element());
        if found != wanted {
            return Err(format!("found elements of type {found}, wanted contacts as palpate writes them"));
        }
        let mut records: Vec<Record> = Vec::new();
        self.read(dataset, start, count, &mut records)?;
        out.extend(records.iter().map(|record| record.0));
        Ok(())
    }

    fn texts(&self, dataset: &str) -> Outcome<Vec<String>> {
        let handle = self.open_dataset(dataset)?;
        self.checked_shape(&handle)?;
        handle.read_strings().map_err(text)
    }
}

/// A contact as an element of a dataset.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Record(Contact);

impl H5Type for Record {
    fn hdf5_type() -> DatatypeMessage {
        datatype(&crate::contacts::contact_element())
    }

    fn element_size() -> usize {
        size_of::<Contact>()
    }
}

/// An HDF5 file being written.
pub(crate) struct PureSink {
    file: H5File,
    streams: Vec<Growing>,
}

/// A growing dataset, with the rows of an incomplete chunk.
struct Growing {
    dataset: H5Dataset,
    row: Vec<u64>,
    chunk_bytes: usize,
    chunks: usize,
    bytes: usize,
    row_bytes: usize,
    pending: Vec<u8>,
}

impl PureSink {
    /// Creates a file, replacing an existing one.
    pub(crate) fn create(path: &Path) -> Outcome<Self> {
        // VTK orders blocks by creation order.
        let file = H5File::options().track_order(true).create(path).map_err(text)?;
        Ok(Self { file, streams: Vec::new() })
    }

    fn open_group(&self, path: &str) -> Outcome<H5Group> {
        if path.is_empty() {
            Ok(self.file.root_group())
        } else {
            self.file.root_group().group(path).map_err(text)
        }
    }
}

impl Sink for PureSink {
    fn group(&mut self, path: &str) -> Outcome<()> {
        let (parent, name) = split(path);
        self.open_group(parent)?.create_group(name).map(drop).map_err(text)
    }

    fn text_attribute(&mut self, group: &str, name: &str, value: &str) -> Outcome<()> {
        let size = u32::try_from(value.len()).map_err(text)?;
        let datatype = DatatypeMessage::FixedString { size, padding: 1, charset: 0 };
        self.open_group(group)?.set_attr_typed(name, datatype, value.as_bytes().to_vec()).map_err(text)
    }

    fn integer_attribute(&mut self, group: &str, name: &str, values: &[i64]) -> Outcome<()> {
        let group = self.open_group(group)?;
        match values {
            [value] => group.set_attr_numeric(name, value).map_err(text),
            _ => group.set_attr_array_numeric(name, values).map_err(text),
        }
    }

    fn soft_link(&mut self, group: &str, name: &str, target: &str) -> Outcome<()> {
        self.open_group(group)?.create_soft_link(name, target).map_err(text)
    }

    fn dataset(&mut self, path: &str, element: &Element, dimensions: &[u64], bytes: &[u8]) -> Outcome<()> {
        let (parent, name) = split(path);
        let extents = narrow(dimensions)?;
        let builder = self.open_group(parent)?.new_dataset::<u8>().datatype(datatype(element));
        let builder = if extents.is_empty() { builder.scalar() } else { builder.shape(&extents) };
        let dataset = builder.create(name).map_err(text)?;
        if bytes.is_empty() { Ok(()) } else { dataset.write_raw_bytes(bytes).map_err(text) }
    }

    fn stream(&mut self, path: &str, element: &Element, row: &[u64], chunking: Chunking) -> Outcome<Stream> {
        let (parent, name) = split(path);
        let with_rows = |rows: u64| narrow(&[&[rows], row].concat());
        let limits: Vec<Option<usize>> = [vec![None], narrow(row)?.into_iter().map(Some).collect()].concat();
        let builder = self.open_group(parent)?.new_dataset::<u8>().datatype(datatype(element));
        let builder = builder.shape(with_rows(0)?).chunk(&with_rows(chunking.rows)?).max_shape(&limits);
        let builder = if chunking.level > 0 { builder.shuffle_deflate(chunking.level) } else { builder };
        let dataset = builder.create(name).map_err(text)?;
        let row_bytes = narrow(row)?.iter().product::<usize>() * element.size();
        let chunk_bytes = row_bytes * usize::try_from(chunking.rows).map_err(text)?;
        let row = row.to_vec();
        self.streams.push(Growing {
            dataset,
            row,
            chunk_bytes,
            chunks: 0,
            bytes: 0,
            row_bytes,
            pending: Vec::new(),
        });
        Ok(Stream(self.streams.len() - 1))
    }

    fn append(&mut self, stream: Stream, bytes: &[u8]) -> Outcome<()> {
        self.streams.get_mut(stream.0).ok_or("no such growing dataset")?.append(bytes)
    }

    fn close(mut self: Box<Self>) -> Outcome<()> {
        for stream in &mut self.streams {
            stream.complete()?;
        }
        self.streams.clear();
        self.file.close().map_err(text)
    }
}

impl Growing {
    fn append(&mut self, mut bytes: &[u8]) -> Outcome<()> {
        self.bytes += bytes.len();
        while self.pending.len() + bytes.len() >= self.chunk_bytes {
            let (now, later) = bytes.split_at(self.chunk_bytes - self.pending.len());
            bytes = later;
            if self.pending.is_empty() {
                self.dataset.write_chunk(self.chunks, now).map_err(text)?;
            } else {
                self.pending.extend_from_slice(now);
                self.dataset.write_chunk(self.chunks, &self.pending).map_err(text)?;
                self.pending.clear();
            }
            self.chunks += 1;
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the last chunk, padded with zeros, and sets the extent.
    fn complete(&mut self) -> Outcome<()> {
        if !self.pending.is_empty() {
            self.pending.resize(self.chunk_bytes, 0);
            self.dataset.write_chunk(self.chunks, &self.pending).map_err(text)?;
        }
        let rows = (self.bytes / self.row_bytes) as u64;
        self.dataset.extend(&narrow(&[&[rows], self.row.as_slice()].concat())?).map_err(text)
    }
}

/// Parent and name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn narrow(extents: &[u64]) -> Outcome<Vec<usize>> {
    extents.iter().map(|&extent| usize::try_from(extent).map_err(text)).collect()
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

fn datatype(element: &Element) -> DatatypeMessage {
    match element {
        Element::U8 => DatatypeMessage::u8_type(),
        Element::U32 => DatatypeMessage::u32_type(),
        Element::U64 => DatatypeMessage::u64_type(),
        Element::I64 => DatatypeMessage::i64_type(),
        Element::F32 => DatatypeMessage::f32_type(),
        Element::F64 => DatatypeMessage::f64_type(),
        Element::Text(size) => DatatypeMessage::FixedString { size: *size as u32, padding: 1, charset: 1 },
        Element::Array(element, count) => DatatypeMessage::array(vec![*count], datatype(element)),
        Element::Record(fields) => {
            let mut offset = 0;
            let members = fields.iter().map(|Field { name, element }| {
                let member =
                    CompoundMember { name: (*name).to_string(), offset, datatype: datatype(element) };
                offset += element.size() as u32;
                member
            });
            let members = members.collect();
            DatatypeMessage::compound(offset, members)
        }
    }
}
