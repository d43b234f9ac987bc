//! Records of a journal: conversion to and from bytes.

use crate::frame::{Frame, Placement, Primitive, ShapeChange, State, TopologyChange, coordinate_bytes};
use crate::session::Topology;
use std::collections::BTreeMap;

/// The first bytes of a journal.
pub(crate) const MAGIC: &[u8; 16] = b"palpate journal\n";
/// Size of a record's head in bytes.
pub(super) const HEAD: usize = 24;
/// Record tags.
pub(super) const HEADER: u32 = 1;
pub(super) const TOPOLOGY: u32 = 2;
pub(super) const FRAME: u32 = 3;
pub(super) const SHAPE: u32 = 4;
pub(super) const NUMBERED_FRAME: u32 = 5;
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

/// From which frames on the objects have their cells and their shapes; objects whose first ones still hold are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dependencies {
    pub(super) cells: BTreeMap<u32, u64>,
    pub(super) shapes: BTreeMap<u32, u64>,
}

impl Dependencies {
    /// Those from frame number `number` on; `None` if nothing changes in it.
    pub(super) fn after(&self, number: u64, frame: &Frame) -> Option<Self> {
        if frame.changes.is_empty() && frame.shapes.is_empty() {
            return None;
        }
        let mut after = self.clone();
        after.cells.extend(frame.changes.iter().map(|change| (change.object as u32, number)));
        after.shapes.extend(frame.shapes.iter().map(|change| (change.object as u32, number)));
        Some(after)
    }

    fn push(&self, out: &mut Vec<u8>) {
        for list in [&self.cells, &self.shapes] {
            out.extend_from_slice(&(list.len() as u32).to_le_bytes());
            for (object, number) in list {
                out.extend_from_slice(&object.to_le_bytes());
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
    }

    fn parse(input: &mut Input<'_>) -> Option<Self> {
        let mut lists = [BTreeMap::new(), BTreeMap::new()];
        for list in &mut lists {
            for _ in 0..input.u32()? {
                list.insert(input.u32()?, input.u64()?);
            }
        }
        let [cells, shapes] = lists;
        Some(Self { cells, shapes })
    }
}

pub(super) fn push_numbered_frame(
    out: &mut Vec<u8>,
    number: u64,
    dependencies: &Dependencies,
    frame: &Frame,
) {
    out.extend_from_slice(&number.to_le_bytes());
    dependencies.push(out);
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

/// What a frame's record has beside the coordinates.
pub(super) struct Survey {
    /// The frame's number and what it depends on; `None` in journals of the first layout.
    pub(super) numbered: Option<(u64, Dependencies)>,
    pub(super) changes: Vec<TopologyChange>,
    pub(super) time: f64,
}

/// Reads a frame record of this tag without its coordinates; `None` if it is not a frame of such objects: `has_points` tells
/// which have points, and which poses.
pub(super) fn survey(tag: u32, mut input: Input<'_>, has_points: &[bool]) -> Option<Survey> {
    let numbered = parse_number(tag, &mut input)?;
    let changes = parse_changes(&mut input)?;
    let counts = Counts::parse(&mut input, has_points.len())?;
    let time = input.f64().filter(|time| time.is_finite())?;
    for (&has_points, count) in has_points.iter().zip(counts.0.0.as_chunks().0) {
        let count = u32::from_le_bytes(*count);
        if has_points != (count != NO_POINTS) {
            return None;
        }
        input.take(if has_points { (count as usize).checked_mul(24)? } else { 80 })?;
    }
    input.0.len().is_multiple_of(84).then_some(Survey { numbered, changes, time })
}

/// Reads the states and placements of a frame record of this tag into `frame`, whose buffers are reused; `None` if it is not a
/// frame of `objects` objects.
pub(super) fn parse_frame(tag: u32, mut input: Input<'_>, objects: usize, frame: &mut Frame) -> Option<()> {
    parse_number(tag, &mut input)?;
    parse_changes(&mut input)?;
    let mut counts = Counts::parse(&mut input, objects)?;
    frame.time = input.f64()?;
    frame.states.truncate(objects);
    for object in 0..objects {
        let count = counts.0.u32()?;
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

fn parse_number(tag: u32, input: &mut Input<'_>) -> Option<Option<(u64, Dependencies)>> {
    match tag {
        FRAME => Some(None),
        NUMBERED_FRAME => Some(Some((input.u64()?, Dependencies::parse(input)?))),
        _ => None,
    }
}

fn parse_changes(input: &mut Input<'_>) -> Option<Vec<TopologyChange>> {
    let mut changes = Vec::new();
    for _ in 0..input.u32()? {
        changes.push(parse_topology(input)?);
    }
    Some(changes)
}

/// The numbers of points of all objects.
struct Counts<'a>(Input<'a>);

impl<'a> Counts<'a> {
    fn parse(input: &mut Input<'a>, objects: usize) -> Option<Self> {
        Some(Self(Input(input.take(objects.checked_mul(4)?)?)))
    }
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
