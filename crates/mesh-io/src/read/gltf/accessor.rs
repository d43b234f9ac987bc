//! Numbers in buffers.

use super::document::{Accessor, Document, View};
use crate::MeshIoError;
use crate::cells::syntax;
use crate::{Place, cells::Collector};
use palpate_math::Limits;
use std::cell::Cell;

/// A document with its buffers.
pub(super) struct Data<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: Vec<Vec<u8>>,
    file: &'a str,
    /// How many bytes the arrays may have together: several nodes may use the same one.
    expansion: u64,
    expanded: Cell<u64>,
}

/// The bytes of a component.
fn size(component: u64) -> Option<u64> {
    match component {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

/// A component by its type; of a normalized one the part of its greatest value.
fn component(kind: u64, normalized: bool, bytes: &[u8]) -> f64 {
    let mut whole = [0; 4];
    whole[..bytes.len()].copy_from_slice(bytes);
    let number = u32::from_le_bytes(whole);
    let (value, greatest) = match kind {
        5120 => (f64::from(number as u8 as i8), 127.0),
        5121 => (f64::from(number as u8), 255.0),
        5122 => (f64::from(number as u16 as i16), 32767.0),
        5123 => (f64::from(number as u16), 65535.0),
        5126 => return f64::from(f32::from_bits(number)),
        _ => return f64::from(number),
    };
    if normalized { (value / greatest).max(-1.0) } else { value }
}

impl<'a> Data<'a> {
    pub(super) fn new(
        document: &'a Document,
        buffers: Vec<Vec<u8>>,
        file: &'a str,
        limits: &Limits,
        length: u64,
    ) -> Self {
        let length = buffers.iter().fold(length, |sum, bytes| sum.saturating_add(bytes.len() as u64));
        Self { document, buffers, file, expansion: limits.expansion(length), expanded: Cell::new(0) }
    }

    pub(super) fn error(&self, what: &str, found: &dyn std::fmt::Display, wanted: &str) -> MeshIoError {
        syntax(self.file, Place::Unknown, what, found, wanted)
    }

    /// The item of a list. Errors: there is none.
    pub(super) fn item<'b, T>(&self, list: &'b [T], index: usize, what: &str) -> Result<&'b T, MeshIoError> {
        let wanted = format!("less than {}, the number of them", list.len());
        list.get(index).ok_or_else(|| self.error(&format!("the number of {what}"), &index, &wanted))
    }

    /// The rows of `width` numbers of an accessor.
    pub(super) fn rows(&self, index: usize, width: u64) -> Result<Vec<f64>, MeshIoError> {
        let accessor = self.item(&self.document.accessors, index, "an accessor")?;
        let wanted = if width == 3 { "VEC3" } else { "SCALAR" };
        if accessor.kind != wanted {
            return Err(self.error(&format!("the type of accessor {index}"), &accessor.kind, wanted));
        }
        let numbers = accessor.count.saturating_mul(width);
        let expanded = self.expanded.get().saturating_add(numbers.saturating_mul(8));
        if expanded > self.expansion {
            let (file, what) =
                (self.file.to_owned(), ": the number of bytes of the arrays, expanded,".to_owned());
            let (found, value) = (expanded, self.expansion);
            return Err(MeshIoError::Limit { file, what, found, limit: "expanded_bytes", value });
        }
        self.expanded.set(expanded);
        let mut rows = match accessor.buffer_view {
            None => vec![0.0; numbers as usize],
            Some(view) => self.numbers(view, accessor.byte_offset, accessor, [accessor.count, width])?,
        };
        if let Some(sparse) = &accessor.sparse {
            if sparse.count > accessor.count {
                let wanted = format!("at most {}", accessor.count);
                return Err(self.error("the number of changed rows of an accessor", &sparse.count, &wanted));
            }
            let kind = sparse.indices.component_type.unwrap_or(0);
            let (of_indices, count) =
                (Accessor { component_type: kind, normalized: false, ..plain() }, sparse.count);
            let indices = self.numbers(
                sparse.indices.buffer_view,
                sparse.indices.byte_offset,
                &of_indices,
                [count, 1],
            )?;
            let values =
                self.numbers(sparse.values.buffer_view, sparse.values.byte_offset, accessor, [count, width])?;
            for (&index, row) in indices.iter().zip(values.chunks_exact(width as usize)) {
                let start = index as usize * width as usize;
                let found = rows.get_mut(start..start.saturating_add(width as usize));
                let wanted = format!("less than {}", accessor.count);
                found
                    .ok_or_else(|| self.error("a changed row of an accessor", &index, &wanted))?
                    .copy_from_slice(row);
            }
        }
        Ok(rows)
    }

    /// `count` rows of `width` numbers in a view. Errors: beyond its end.
    fn numbers(
        &self,
        view: usize,
        offset: u64,
        accessor: &Accessor,
        [count, width]: [u64; 2],
    ) -> Result<Vec<f64>, MeshIoError> {
        let found = self.item(&self.document.buffer_views, view, "a view of a buffer")?;
        let kind = accessor.component_type;
        let Some(size) = size(kind) else {
            return Err(self.error("the type of a component", &kind, "5120, 5121, 5122, 5123, 5125 or 5126"));
        };
        let row = size * width;
        let stride = found.byte_stride.unwrap_or(row);
        if stride < row {
            return Err(self.error("the stride of a view", &stride, &format!("{row} or more")));
        }
        let bytes = self.bytes(found)?;
        let end = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(row));
        let end = end.and_then(|end| end.checked_add(offset));
        if end.is_none_or(|end| end > bytes.len() as u64) {
            let wanted = format!("at most {}, the length of view {view}", bytes.len());
            return Err(self.error("the end of an accessor", &end.unwrap_or(u64::MAX), &wanted));
        }
        let mut numbers = Vec::with_capacity((count * width) as usize);
        for index in 0..count {
            let start = (offset + index * stride) as usize;
            let row = bytes[start..start + row as usize].chunks_exact(size as usize);
            numbers.extend(row.map(|bytes| component(kind, accessor.normalized, bytes)));
        }
        Ok(numbers)
    }

    fn bytes(&self, view: &View) -> Result<&[u8], MeshIoError> {
        let buffer = self.item(&self.buffers, view.buffer, "a buffer")?;
        let range = usize::try_from(view.byte_offset).ok().zip(usize::try_from(view.byte_length).ok());
        let bytes = range.and_then(|(start, length)| buffer.get(start..start.checked_add(length)?));
        let wanted = format!("at most {}, the length of its buffer", buffer.len());
        bytes.ok_or_else(|| {
            self.error("the end of a view", &view.byte_offset.saturating_add(view.byte_length), &wanted)
        })
    }

    /// An index as a vertex of these.
    pub(super) fn vertex(&self, index: f64, vertices: &[u64]) -> Result<u64, MeshIoError> {
        let wanted = format!("less than {}, the number of positions", vertices.len());
        let found = (index >= 0.0).then(|| vertices.get(index as usize)).flatten();
        found.copied().ok_or_else(|| self.error("an index of a primitive", &index, &wanted))
    }
}

fn plain() -> Accessor {
    Accessor {
        buffer_view: None,
        byte_offset: 0,
        component_type: 0,
        normalized: false,
        count: 0,
        kind: String::new(),
        sparse: None,
    }
}

/// Cells of a primitive by their mode. Errors: a number of corners that the mode does not have.
pub(super) fn add_cells(
    data: &Data<'_>,
    cells: &mut Collector,
    mode: u64,
    ids: &[u64],
    reversed: bool,
) -> Result<(), MeshIoError> {
    let place = Place::Unknown;
    let multiple = match mode {
        1 => 2,
        4 => 3,
        _ => 1,
    };
    if !ids.len().is_multiple_of(multiple) {
        let wanted = format!("a multiple of {multiple}");
        return Err(data.error("the number of corners of a primitive", &ids.len(), &wanted));
    }
    let mut triangle = |[a, b, c]: [u64; 3]| {
        let corners = if reversed { [a, c, b] } else { [a, b, c] };
        // Strips are turned by triangles that have a vertex twice.
        if mode != 4 && (a == b || b == c || c == a) { Ok(()) } else { cells.polygon(&corners, place) }
    };
    match mode {
        0 => Ok(()),
        1 => ids.chunks_exact(2).try_for_each(|ids| cells.polyline(ids, place)),
        2 if ids.len() > 1 => cells.polyline(&[ids, &ids[..1]].concat(), place),
        3 if ids.len() > 1 => cells.polyline(ids, place),
        4 => ids.chunks_exact(3).try_for_each(|ids| triangle([ids[0], ids[1], ids[2]])),
        5 => ids.windows(3).enumerate().try_for_each(|(index, ids)| {
            triangle(if index % 2 == 0 { [ids[0], ids[1], ids[2]] } else { [ids[1], ids[0], ids[2]] })
        }),
        6 if ids.len() > 2 => ids[1..].windows(2).try_for_each(|side| triangle([ids[0], side[0], side[1]])),
        2 | 3 | 6 => Ok(()),
        other => Err(data.error("the mode of a primitive", &other, "0 to 6")),
    }
}
