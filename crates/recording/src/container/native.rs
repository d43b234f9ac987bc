//! The HDF5 Group's C library, through hdf5-metno: the feature `libhdf5`.

use super::pure::PureSource;
use super::{Chunking, Element, Outcome, ReadOptions, Shape, Sink, Source, Stream};
use bytemuck::{AnyBitPattern, Pod, Zeroable};
use hdf5::dataset::Layout;
use hdf5::plist::group_create::LinkCreationOrder;
use hdf5::types::{FixedAscii, FixedUnicode, FloatSize, TypeDescriptor, VarLenAscii, VarLenUnicode};
use hdf5::{Dataset, Extent, File, Group, H5Type, Hyperslab, Selection, SliceOrIndex};
use ndarray::{ArrayD, ArrayView1, ArrayView2};
use palpate_contact::Contact;
use std::path::Path;

/// One side of a contact as declared to the library; the same bytes as palpate's `Feature`.
#[derive(Clone, Copy, H5Type, Pod, Zeroable)]
#[repr(C)]
struct FeatureRecord {
    kind: u32,
    vertex_count: u32,
    vertices: [u32; 4],
    cell: u32,
    child: u32,
    weights: [f64; 4],
    point: [f64; 3],
}

/// A contact as declared to the library; the same bytes as palpate's `Contact`.
#[derive(Clone, Copy, H5Type, Pod, Zeroable)]
#[repr(C)]
struct ContactRecord {
    a: FeatureRecord,
    b: FeatureRecord,
    direction: [f64; 3],
    depth: f64,
    depth_upper: f64,
    time_of_impact: f64,
    id: u64,
}

/// An HDF5 file opened for reading. What the file is made of is checked by rust-hdf5 first: which links are followed, what
/// may be read, and how much. The C library then reads the datasets of the file itself; those that are virtual or in other
/// files are read as without it.
pub(crate) struct NativeSource {
    file: File,
    checked: PureSource,
}

impl NativeSource {
    /// Opens a file; the error is the library's.
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Outcome<Self> {
        let checked = PureSource::open(path, options)?;
        Ok(Self { file: File::open(path).map_err(text)?, checked })
    }

    /// The group at a path, if it is in this file.
    fn group(&self, path: &str) -> Outcome<Option<Group>> {
        let Some(place) = self.checked.locate(path)?.filter(|place| place.is_own) else { return Ok(None) };
        let path = if place.path.is_empty() { "/" } else { &place.path };
        self.file.group(path).map(Some).map_err(text)
    }

    /// The dataset at a path; `None` if it must be read without the C library.
    fn dataset(&self, path: &str) -> Outcome<Option<Dataset>> {
        if self.checked.is_elsewhere(path)? {
            return Ok(None);
        }
        let place = self.checked.locate(path)?.ok_or("no such dataset")?;
        self.file.dataset(&place.path).map(Some).map_err(text)
    }

    /// Reads rows; the library converts them to `T` if possible.
    fn rows<T: H5Type>(dataset: &Dataset, start: u64, count: u64) -> Outcome<Vec<T>> {
        let dimensions = dataset.shape();
        let rows = dimensions.first().copied().unwrap_or(1) as u64;
        let end = start.checked_add(count).filter(|&end| end <= rows);
        let end = end.ok_or_else(|| format!("rows {start} and {count} more asked for, it has {rows}"))?;
        if count == 0 || dimensions.contains(&0) {
            return Ok(Vec::new());
        }
        if dimensions.is_empty() {
            return dataset.read_raw().map_err(text);
        }
        let mut slices = vec![SliceOrIndex::from(start as usize..end as usize)];
        slices.resize(dimensions.len(), SliceOrIndex::from(..));
        let selection = Selection::Hyperslab(Hyperslab::from(slices));
        let read: ArrayD<T> = dataset.read_slice(selection).map_err(text)?;
        Ok(read.into_raw_vec_and_offset().0)
    }
}

impl Source for NativeSource {
    fn is_group(&self, path: &str) -> Outcome<bool> {
        self.checked.is_group(path)
    }

    fn groups(&self, group: &str) -> Outcome<Vec<String>> {
        self.checked.groups(group)
    }

    fn attribute(&self, group: &str, name: &str) -> Outcome<Option<String>> {
        let Some(found) = self.group(group)? else { return self.checked.attribute(group, name) };
        if !found.attr_names().map_err(text)?.iter().any(|candidate| candidate == name) {
            return Ok(None);
        }
        let attribute = found.attr(name).map_err(text)?;
        let found = strings(&attribute)?;
        found.into_iter().next().map(Some).ok_or_else(|| format!("attribute '{name}' is empty"))
    }

    fn first_byte(&self, group: &str, name: &str) -> Outcome<Option<u8>> {
        self.checked.first_byte(group, name)
    }

    fn shape(&self, dataset: &str) -> Outcome<Option<Shape>> {
        self.checked.shape(dataset)
    }

    fn charge(&self, bytes: u64) -> Outcome<()> {
        self.checked.charge(bytes)
    }

    fn integers(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()> {
        let Some(found) = self.dataset(dataset)? else {
            return self.checked.integers(dataset, start, count, out);
        };
        match descriptor(&found)? {
            TypeDescriptor::Integer(_) | TypeDescriptor::Unsigned(_) => {
                *out = Self::rows(&found, start, count)?;
                Ok(())
            }
            other => Err(format!("found elements of type {other}, wanted integers")),
        }
    }

    fn floats(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()> {
        let Some(found) = self.dataset(dataset)? else {
            return self.checked.floats(dataset, start, count, out);
        };
        match descriptor(&found)? {
            TypeDescriptor::Float(FloatSize::U4 | FloatSize::U8) => {
                *out = Self::rows(&found, start, count)?;
                Ok(())
            }
            other => Err(format!("found elements of type {other}, wanted floats of 4 or 8 bytes")),
        }
    }

    fn contacts(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()> {
        let Some(found) = self.dataset(dataset)? else {
            return self.checked.contacts(dataset, start, count, out);
        };
        let element = descriptor(&found)?;
        if element != ContactRecord::type_descriptor() {
            return Err(format!("found elements of type {element}, wanted contacts as palpate writes them"));
        }
        let records: Vec<ContactRecord> = Self::rows(&found, start, count)?;
        out.extend_from_slice(bytemuck::cast_slice(&records));
        Ok(())
    }

    fn texts(&self, dataset: &str) -> Outcome<Vec<String>> {
        // The C library has strings of fixed length in buffers whose size is fixed when it is compiled.
        self.checked.texts(dataset)
    }
}

/// The strings of an attribute. Fixed-length strings are read into the next larger of some buffer
/// lengths.
fn strings(container: &hdf5::Container) -> Outcome<Vec<String>> {
    macro_rules! fixed {
        ($kind:ident, $length:expr, $($size:literal)*) => {
            match $length {
                $(length if length <= $size => read::<$kind<$size>>(container),)*
                length => Err(format!("a string of {length} bytes is longer than any that palpate writes")),
            }
        };
    }
    fn read<T: H5Type + AsRef<str>>(container: &hdf5::Container) -> Outcome<Vec<String>> {
        let values = container.read_raw::<T>().map_err(text)?;
        Ok(values.iter().map(|value| value.as_ref().to_string()).collect())
    }
    match container.dtype().and_then(|dtype| dtype.to_descriptor()).map_err(text)? {
        TypeDescriptor::VarLenUnicode => read::<VarLenUnicode>(container),
        TypeDescriptor::VarLenAscii => read::<VarLenAscii>(container),
        TypeDescriptor::FixedUnicode(length) => fixed!(FixedUnicode, length, 64 4096 65536),
        TypeDescriptor::FixedAscii(length) => fixed!(FixedAscii, length, 64 4096 65536),
        other => Err(format!("found elements of type {other}, wanted strings")),
    }
}

fn descriptor(dataset: &Dataset) -> Outcome<TypeDescriptor> {
    dataset.dtype().and_then(|dtype| dtype.to_descriptor()).map_err(text)
}

/// An HDF5 file being written.
pub(crate) struct NativeSink {
    file: File,
    streams: Vec<Growing>,
}

struct Growing {
    dataset: Dataset,
    element: Element,
    row: Vec<u64>,
    rows: usize,
}

impl NativeSink {
    /// Creates a file, replacing an existing one.
    pub(crate) fn create(path: &Path) -> Outcome<Self> {
        Ok(Self { file: File::create(path).map_err(text)?, streams: Vec::new() })
    }

    fn open_group(&self, path: &str) -> Outcome<Group> {
        self.file.group(if path.is_empty() { "/" } else { path }).map_err(text)
    }
}

impl Sink for NativeSink {
    fn group(&mut self, path: &str) -> Outcome<()> {
        // VTK orders blocks by creation order.
        let builder = self.file.create_group_builder();
        let builder = builder.with_gcpl(|plist| plist.link_creation_order(LinkCreationOrder::Indexed));
        builder.create(path).map(drop).map_err(text)
    }

    fn text_attribute(&mut self, group: &str, name: &str, value: &str) -> Outcome<()> {
        let value = FixedAscii::<32>::from_ascii(value).map_err(text)?;
        let group = self.open_group(group)?;
        let attribute = group.new_attr::<FixedAscii<32>>().create(name).map_err(text)?;
        attribute.write_scalar(&value).map_err(text)
    }

    fn integer_attribute(&mut self, group: &str, name: &str, values: &[i64]) -> Outcome<()> {
        let group = self.open_group(group)?;
        match values {
            [value] => {
                group.new_attr::<i64>().create(name).and_then(|attribute| attribute.write_scalar(value))
            }
            _ => {
                let attribute = group.new_attr::<i64>().shape(values.len()).create(name);
                attribute.and_then(|attribute| attribute.write(ArrayView1::from(values)))
            }
        }
        .map_err(text)
    }

    fn soft_link(&mut self, group: &str, name: &str, target: &str) -> Outcome<()> {
        self.open_group(group)?.link_soft(target, name).map_err(text)
    }

    fn dataset(&mut self, path: &str, element: &Element, dimensions: &[u64], bytes: &[u8]) -> Outcome<()> {
        fn write<T: H5Type + AnyBitPattern>(
            file: &File,
            path: &str,
            dimensions: &[usize],
            bytes: &[u8],
        ) -> Outcome<()> {
            let builder = file.new_dataset::<T>();
            let dataset = match dimensions {
                [] => builder.create(path),
                _ => builder.shape(dimensions).create(path),
            };
            let dataset = dataset.map_err(text)?;
            let values: Vec<T> = elements(bytes);
            match (dimensions, values.first()) {
                ([], Some(value)) => dataset.write_scalar(value).map_err(text),
                (_, Some(_)) => dataset.write_raw(ArrayView1::from(&values)).map_err(text),
                (_, None) => Ok(()),
            }
        }
        let extents = dimensions.iter().map(|&extent| extent as usize).collect::<Vec<_>>();
        match element {
            Element::U8 => write::<u8>(&self.file, path, &extents, bytes),
            Element::U32 => write::<u32>(&self.file, path, &extents, bytes),
            Element::U64 => write::<u64>(&self.file, path, &extents, bytes),
            Element::I64 => write::<i64>(&self.file, path, &extents, bytes),
            Element::F32 => write::<f32>(&self.file, path, &extents, bytes),
            Element::F64 => write::<f64>(&self.file, path, &extents, bytes),
            // Lengths are fixed at compile time, so text is stored with its length.
            Element::Text(width) => {
                let texts = bytes.chunks(*width).map(|bytes| {
                    let whole = std::str::from_utf8(bytes).map_err(text)?;
                    whole.trim_end_matches('\0').parse::<VarLenUnicode>().map_err(text)
                });
                let texts = texts.collect::<Outcome<Vec<_>>>()?;
                let builder = self.file.new_dataset::<VarLenUnicode>();
                match (dimensions, texts.first()) {
                    ([], Some(value)) => {
                        builder.create(path).and_then(|dataset| dataset.write_scalar(value)).map_err(text)
                    }
                    _ => {
                        let dataset = builder.shape(extents.as_slice()).create(path);
                        dataset.and_then(|dataset| dataset.write_raw(ArrayView1::from(&texts))).map_err(text)
                    }
                }
            }
            Element::Record(_) | Element::Array(..) => Err("records come in streams only".to_string()),
        }
    }

    fn stream(&mut self, path: &str, element: &Element, row: &[u64], chunking: Chunking) -> Outcome<Stream> {
        fn create<T: H5Type>(file: &File, path: &str, row: &[u64], chunking: Chunking) -> Outcome<Dataset> {
            let fixed = row.iter().map(|&extent| Extent::from(extent as usize));
            let extents: Vec<Extent> = std::iter::once(Extent::resizable(0)).chain(fixed).collect();
            let chunk: Vec<usize> = std::iter::once(chunking.rows)
                .chain(row.iter().copied())
                .map(|extent| extent as usize)
                .collect();
            let builder = file.new_dataset::<T>().shape(extents).chunk(chunk);
            let level = u8::try_from(chunking.level).map_err(text)?;
            let builder = if level > 0 { builder.shuffle().deflate(level) } else { builder };
            builder.create(path).map_err(text)
        }
        let dataset = match element {
            Element::U8 => create::<u8>(&self.file, path, row, chunking)?,
            Element::U32 => create::<u32>(&self.file, path, row, chunking)?,
            Element::U64 => create::<u64>(&self.file, path, row, chunking)?,
            Element::I64 => create::<i64>(&self.file, path, row, chunking)?,
            Element::F32 => create::<f32>(&self.file, path, row, chunking)?,
            Element::F64 => create::<f64>(&self.file, path, row, chunking)?,
            Element::Record(_) => create::<ContactRecord>(&self.file, path, row, chunking)?,
            Element::Text(_) | Element::Array(..) => return Err("text does not come in streams".to_string()),
        };
        debug_assert!(matches!(dataset.layout(), Layout::Chunked), "streams are stored in chunks");
        self.streams.push(Growing { dataset, element: element.clone(), row: row.to_vec(), rows: 0 });
        Ok(Stream(self.streams.len() - 1))
    }

    fn append(&mut self, stream: Stream, bytes: &[u8]) -> Outcome<()> {
        let stream = self.streams.get_mut(stream.0).ok_or("no such growing dataset")?;
        match stream.element {
            Element::U8 => stream.append::<u8>(bytes),
            Element::U32 => stream.append::<u32>(bytes),
            Element::U64 => stream.append::<u64>(bytes),
            Element::I64 => stream.append::<i64>(bytes),
            Element::F32 => stream.append::<f32>(bytes),
            Element::F64 => stream.append::<f64>(bytes),
            _ => stream.append::<ContactRecord>(bytes),
        }
    }

    fn close(mut self: Box<Self>) -> Outcome<()> {
        self.streams.clear();
        self.file.flush().map_err(text)?;
        let path = self.file.filename();
        self.file.close().map_err(text)?;
        std::fs::File::open(path).and_then(|file| file.sync_all()).map_err(text)
    }
}

impl Growing {
    fn append<T: H5Type + AnyBitPattern>(&mut self, bytes: &[u8]) -> Outcome<()> {
        let values: Vec<T> = elements(bytes);
        let width = self.row.iter().product::<u64>() as usize;
        let (start, count) = (self.rows, values.len() / width);
        if count == 0 {
            return Ok(());
        }
        let end = start + count;
        if self.row.is_empty() {
            self.dataset.resize(end).map_err(text)?;
            self.dataset.write_slice(ArrayView1::from(&values), start..end).map_err(text)?;
        } else {
            let view = ArrayView2::from_shape((count, width), &values).map_err(text)?;
            self.dataset.resize((end, width)).map_err(text)?;
            self.dataset.write_slice(view, (start..end, ..)).map_err(text)?;
        }
        self.rows = end;
        Ok(())
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Elements from their bytes, which may be unaligned.
fn elements<T: AnyBitPattern>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}
