//! Writing through rust-hdf5.

use super::datatype::datatype;
use super::guard::{caught_writing, text};
use crate::container::{Chunking, Element, Outcome, Sink, Stream};
use rust_hdf5::{DatatypeMessage, H5Dataset, H5File, H5Group};
use std::path::Path;

/// An HDF5 file being written.
pub(crate) struct PureSink {
    /// `None` once it is closed.
    file: Option<H5File>,
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
    /// Creates a file, replacing an existing one. It is not locked: its [`Replacement`](palpate_files::Replacement) is.
    pub(crate) fn create(path: &Path) -> Outcome<Self> {
        // VTK orders blocks by creation order.
        let file =
            caught_writing(|| H5File::options().no_locking().track_order(true).create(path).map_err(text))?;
        Ok(Self { file: Some(file), streams: Vec::new() })
    }

    fn open_group(&self, path: &str) -> Outcome<H5Group> {
        let root = self.file.as_ref().ok_or("the file is closed")?.root_group();
        if path.is_empty() { Ok(root) } else { root.group(path).map_err(text) }
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
        match self.file.take() {
            Some(file) => file.close().map_err(text),
            None => Ok(()),
        }
    }
}

impl Drop for PureSink {
    /// Closes a file that is abandoned, as after a full disk. The library would do so itself, and print that it fails.
    fn drop(&mut self) {
        self.streams.clear();
        if let Some(file) = self.file.take() {
            // What it has buffered is discarded where it cannot be written.
            let _ = caught_writing(|| file.flush().map_err(text));
            let _ = caught_writing(|| file.close_no_sync().map_err(text));
        }
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
