//! The HDF5 Group's C library, through hdf5-metno: the feature `libhdf5`.

use super::limits::check_size;
use super::{Chunking, Element, Outcome, Shape, Sink, Source, Stream};
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

/// An HDF5 file opened for reading.
pub(crate) struct NativeSource {
    file: File,
    file_size: u64,
}

impl NativeSource {
    /// Opens a file; the error is the library's.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        let file_size = std::fs::metadata(path).map_err(text)?.len();
        Ok(Self { file: File::open(path).map_err(text)?, file_size })
    }

    fn group(&self, path: &str) -> Outcome<Option<Group>> {
        if !self.exists(path) {
            return Ok(None);
        }
        if path.is_empty() { self.file.group("/") } else { self.file.group(path) }.map(Some).map_err(text)
    }

    /// Whether all links of a path exist: the library checks one at a time.
    fn exists(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(path.len()));
        ends.into_iter().all(|end| self.file.link_exists(&path[..end]))
    }

    fn find(&self, path: &str) -> Outcome<Option<Dataset>> {
        if !self.exists(path) {
            return Ok(None);
        }
        // A group of that name is not a dataset.
        Ok(self.file.dataset(path).ok())
    }

    fn open_dataset(&self, path: &str) -> Outcome<Dataset> {
        self.find(path)?.ok_or_else(|| "no such dataset".to_string())
    }

    fn checked_shape(&self, dataset: &Dataset) -> Outcome<Shape> {
        let wide = |extents: Vec<usize>| extents.into_iter().map(|extent| extent as u64).collect::<Vec<_>>();
        let dimensions = wide(dataset.shape());
        let chunk = dataset.chunk().map(wide);
        let element_size = dataset.dtype().map_err(text)?.size();
        check_size(&dimensions, chunk.as_deref(), element_size, self.file_size)?;
        Ok(Shape { dimensions, chunk_rows: chunk.and_then(|chunk| chunk.first().copied()), element_size })
    }

    /// Reads rows; the library converts them to `T` if possible.
    fn rows<T: H5Type>(&self, dataset: &Dataset, start: u64, count: u64) -> Outcome<Vec<T>> {
        let shape = self.checked_shape(dataset)?;
        let end = start.checked_add(count).filter(|&end| end <= shape.rows());
        let end =
            end.ok_or_else(|| format!("rows {start} and {count} more asked for, it has {}", shape.rows()))?;
        if count == 0 || shape.row_elements() == 0 {
            return Ok(Vec::new());
        }
        if shape.dimensions.is_empty() {
            return dataset.read_raw().map_err(text);
        }
        let mut slices = vec![SliceOrIndex::from(start as usize..end as usize)];
        slices.resize(shape.dimensions.len(), SliceOrIndex::from(..));
        let selection = Selection::Hyperslab(Hyperslab::from(slices));
        let read: ArrayD<T> = dataset.read_slice(selection).map_err(text)?;
        Ok(read.into_raw_vec_and_offset().0)
    }
}

impl Source for NativeSource {
    fn groups(&self, group: &str) -> Outcome<Vec<String>> {
        let Some(group) = self.group(group)? else { return Ok(Vec::new()) };
        let mut names = group.member_names().map_err(text)?;
        names.retain(|name| group.group(name).is_ok());
        names.sort();
        Ok(names)
    }

    fn attribute(&self, group: &str, name: &str) -> Outcome<Option<String>> {
        let Some(group) = self.group(group)? else { return Ok(None) };
        if !group.attr_names().map_err(text)?.iter().any(|candidate| candidate == name) {
            return Ok(None);
        }
        let attribute = group.attr(name).map_err(text)?;
        let found = strings(&attribute)?;
        found.into_iter().next().map(Some).ok_or_else(|| format!("attribute '{name}' is empty"))
    }

    fn shape(&self, dataset: &str) -> Outcome<Option<Shape>> {
        self.find(dataset)?.map(|dataset| self.checked_shape(&dataset)).transpose()
    }

    fn integers(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<i64>) -> Outcome<()> {
        let dataset = self.open_dataset(dataset)?;
        match descriptor(&dataset)? {
            TypeDescriptor::Integer(_) | TypeDescriptor::Unsigned(_) => {
                *out = self.rows(&dataset, start, count)?;
                Ok(())
            }
            other => Err(format!("found elements of type {other}, wanted integers")),
        }
    }

    fn floats(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<f64>) -> Outcome<()> {
        let dataset = self.open_dataset(dataset)?;
        match descriptor(&dataset)? {
            TypeDescriptor::Float(FloatSize::U4 | FloatSize::U8) => {
                *out = self.rows(&dataset, start, count)?;
                Ok(())
            }
            other => Err(format!("found elements of type {other}, wanted floats of 4 or 8 bytes")),
        }
    }

    fn contacts(&self, dataset: &str, start: u64, count: u64, out: &mut Vec<Contact>) -> Outcome<()> {
        let dataset = self.open_dataset(dataset)?;
        let found = descriptor(&dataset)?;
        if found != ContactRecord::type_descriptor() {
            return Err(format!("found elements of type {found}, wanted contacts as palpate writes them"));
        }
        let records: Vec<ContactRecord> = self.rows(&dataset, start, count)?;
        out.extend_from_slice(bytemuck::cast_slice(&records));
        Ok(())
    }

    fn texts(&self, dataset: &str) -> Outcome<Vec<String>> {
        let dataset = self.open_dataset(dataset)?;
        self.checked_shape(&dataset)?;
        strings(&dataset)
    }
}

/// The strings of a dataset or attribute. Fixed-length strings are read into the next larger of some buffer
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
        TypeDescriptor::FixedUnicode(length) => fixed!(FixedUnicode, length, 64 4096 65536 1048576 67108864),
        TypeDescriptor::FixedAscii(length) => fixed!(FixedAscii, length, 64 4096 65536 1048576 67108864),
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
