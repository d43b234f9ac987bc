//! Records of a journal: conversion to and from bytes.

use crate::frame::{Frame, Placement, Primitive, ShapeChange, State, TopologyChange, coordinate_bytes};
use crate::session::Topology;

/// The first bytes of a journal.
pub(crate) const MAGIC: &[u8; 16] = b"palpate journal\n";
/// Size of a record's head in bytes.
pub(super) const HEAD: usize = 24;
/// Record tags.
pub(super) const HEADER: u32 = 1;
pub(super) const TOPOLOGY: u32 = 2;
pub(super) const FRAME: u32 = 3;
pub(super) const SHAPE: u32 = 4;
/// Stands for the number of points of a primitive.
const NO_POINTS: u32 = u32::MAX;

/// The content of a record's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) tag: u32,
    pub(super) checksum: u32,
    pub(super) length: u64,
}

impl Head {
    /// Reads a head; `None` if its checksum does not match.
    pub(super) fn parse(bytes: &[u8; HEAD]) -> Option<Self> {
        let (content, rest) = bytes.split_at(16);
        let (stored, zero) = rest.split_at(4);
        if crc32fast::hash(content).to_le_bytes() != stored || zero != [0; 4] {
            return None;
        }
        let mut input = Input(content);
        Some(Self { tag: input.u32()?, checksum: input.u32()?, length: input.u64()? })
    }
}

/// Appends a record to `out`; `fill` appends its payload.
pub(super) fn push_record(out: &mut Vec<u8>, tag: u32, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD]);
    fill(out);
    let payload = &out[start + HEAD..];
    let length = payload.len() as u64;
    let checksum = crc32fast::hash(payload);
    let head = &mut out[start..start + HEAD];
    head[..4].copy_from_slice(&tag.to_le_bytes());
    head[4..8].copy_from_slice(&checksum.to_le_bytes());
    head[8..16].copy_from_slice(&length.to_le_bytes());
    let head_checksum = crc32fast::hash(&head[..16]);
    head[16..20].copy_from_slice(&head_checksum.to_le_bytes());
}

pub(super) fn push_topology(out: &mut Vec<u8>, object: usize, topology: &Topology) {
    let points_per_cell = match topology {
        Topology::Points => 1,
        other => other.points_per_cell(),
    };
    out.extend_from_slice(&(object as u32).to_le_bytes());
    out.extend_from_slice(&(points_per_cell as u32).to_le_bytes());
    out.extend_from_slice(&(topology.cell_count() as u64).to_le_bytes());
    out.extend_from_slice(bytemuck::cast_slice(topology.indices()));
}

pub(super) fn push_frame(out: &mut Vec<u8>, frame: &Frame) {
    out.extend_from_slice(&(frame.changes.len() as u32).to_le_bytes());
    for change in &frame.changes {
        push_topology(out, change.object, &change.topology);
    }
    for state in &frame.states {
        let count = state.point_count().map_or(NO_POINTS, |count| count as u32);
        out.extend_from_slice(&count.to_le_bytes());
    }
    out.extend_from_slice(&frame.time.to_le_bytes());
    for state in &frame.states {
        match state {
            State::Points(points) => out.extend_from_slice(coordinate_bytes(points)),
            State::Primitive(primitive) => out.extend_from_slice(bytemuck::bytes_of(&primitive.to_row())),
        }
    }
    for placement in &frame.placements {
        out.extend_from_slice(&(placement.object as u32).to_le_bytes());
        out.extend_from_slice(bytemuck::bytes_of(&placement.to_row()));
    }
}

pub(super) fn push_shape(out: &mut Vec<u8>, change: &ShapeChange) {
    out.extend_from_slice(&(change.object as u32).to_le_bytes());
    out.extend_from_slice(change.shape.as_bytes());
}

/// Reads a shape record; `None` if it is not one.
pub(super) fn parse_shape(mut input: Input<'_>) -> Option<ShapeChange> {
    let object = input.u32()? as usize;
    Some(ShapeChange { object, shape: String::from_utf8(input.0.to_vec()).ok()? })
}

/// Reads a topology record; `None` if it is malformed.
pub(super) fn parse_topology(input: &mut Input<'_>) -> Option<TopologyChange> {
    let object = input.u32()? as usize;
    let points_per_cell = input.u32()?;
    let cells = usize::try_from(input.u64()?).ok()?;
    let bytes = input.take(cells.checked_mul(points_per_cell as usize)?.checked_mul(4)?)?;
    let indices: Vec<u32> = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let topology = match points_per_cell {
        0 => Topology::None,
        1 => Topology::Points,
        2 => Topology::Lines(indices.as_chunks().0.to_vec()),
        3 => Topology::Triangles(indices.as_chunks().0.to_vec()),
        4 => Topology::Tetrahedra(indices.as_chunks().0.to_vec()),
        _ => return None,
    };
    Some(TopologyChange { object, topology })
}

/// Reads a frame record into `frame`, whose buffers are reused; `None` if it is not a frame of `objects` objects.
pub(super) fn parse_frame(mut input: Input<'_>, objects: usize, frame: &mut Frame) -> Option<()> {
    frame.changes.clear();
    for _ in 0..input.u32()? {
        frame.changes.push(parse_topology(&mut input)?);
    }
    let mut counts = Input(input.take(objects.checked_mul(4)?)?);
    frame.time = input.f64()?;
    frame.states.truncate(objects);
    for object in 0..objects {
        let count = counts.u32()?;
        if count == NO_POINTS {
            let row: [f64; 10] = bytemuck::pod_read_unaligned(input.take(80)?);
            set_state(&mut frame.states, object, State::Primitive(Primitive::from_row(row)));
        } else {
            let bytes = input.take((count as usize).checked_mul(24)?)?;
            let points = points_of(&mut frame.states, object);
            points.resize(count as usize, crate::Point::origin());
            bytemuck::cast_slice_mut(points.as_mut_slice()).copy_from_slice(bytes);
        }
    }
    frame.placements.clear();
    while !input.0.is_empty() {
        let object = input.u32()? as usize;
        let row: [f64; 10] = bytemuck::pod_read_unaligned(input.take(80)?);
        frame.placements.push(Placement::from_row(object, row));
    }
    Some(())
}

/// Sets or appends the state of an object.
pub(crate) fn set_state(states: &mut Vec<State>, object: usize, state: State) {
    match states.get_mut(object) {
        Some(old) => *old = state,
        None => states.push(state),
    }
}

/// The point buffer of an object, created if missing.
pub(crate) fn points_of(states: &mut Vec<State>, object: usize) -> &mut Vec<crate::Point> {
    if !matches!(states.get(object), Some(State::Points(_))) {
        set_state(states, object, State::Points(Vec::new()));
    }
    match &mut states[object] {
        State::Points(points) => points,
        State::Primitive(_) => unreachable!("the state was made one of points above"),
    }
}

/// Bytes still to be read.
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (now, later) = self.0.split_at_checked(count)?;
        self.0 = later;
        Some(now)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }
}
