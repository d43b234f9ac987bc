//! Contacts as points for ParaView: a VTKHDF dataset with as many points per step as there are contacts.

use crate::container::{Chunking, Element, Outcome, Sink, Stream};
use crate::session::Topology;
use crate::vtkhdf::{self, BlockWriter, Numbers, write_integers};
use palpate_contact::Contact;

/// The point data: direction (three components, unit, moves A out of B), depth (metres), and the index of the pair.
const ARRAYS: [&str; 3] = ["direction", "depth", "pair"];

/// Writes `/VTKHDF` of a file of contacts.
pub(super) struct ContactPoints {
    block: BlockWriter,
    direction: Stream,
    depth: Stream,
    pair: Stream,
    /// First row of each step in the point data.
    starts: Vec<i64>,
    rows: i64,
    last_count: Option<usize>,
    coordinates: Vec<f64>,
    values: Vec<f64>,
    indices: Vec<i64>,
}

impl ContactPoints {
    pub(super) fn new(sink: &mut dyn Sink, chunking: Chunking) -> Outcome<Self> {
        let group = vtkhdf::ROOT;
        sink.group(group)?;
        vtkhdf::root_attributes(sink, group, "PolyData", None)?;
        let rows = (chunking.rows as usize, 1);
        let block = BlockWriter::new(sink, group, &Topology::Points, rows, Numbers::Double, chunking.level)?;
        let data = format!("{group}/PointData");
        sink.group(&data)?;
        let direction = sink.stream(&format!("{data}/direction"), &Element::F64, &[3], chunking)?;
        let depth = sink.stream(&format!("{data}/depth"), &Element::F64, &[], chunking)?;
        let pair = sink.stream(&format!("{data}/pair"), &Element::I64, &[], chunking)?;
        Ok(Self {
            block,
            direction,
            depth,
            pair,
            starts: Vec::new(),
            rows: 0,
            last_count: None,
            coordinates: Vec::new(),
            values: Vec::new(),
            indices: Vec::new(),
        })
    }

    /// Appends a step; the points are those on side A.
    pub(super) fn append(&mut self, sink: &mut dyn Sink, pairs: &[u32], contacts: &[Contact]) -> Outcome<()> {
        self.coordinates.clear();
        self.coordinates.extend(contacts.iter().flat_map(|contact| contact.a.point));
        let changed = self.last_count != Some(contacts.len());
        self.block.step(sink, &self.coordinates, changed.then_some(&Topology::Points))?;
        self.last_count = Some(contacts.len());
        self.values.clear();
        self.values.extend(contacts.iter().flat_map(|contact| contact.direction));
        sink.append(self.direction, bytemuck::cast_slice(&self.values))?;
        self.values.clear();
        self.values.extend(contacts.iter().map(|contact| contact.depth));
        sink.append(self.depth, bytemuck::cast_slice(&self.values))?;
        self.indices.clear();
        self.indices.extend(pairs.iter().map(|&pair| i64::from(pair)));
        sink.append(self.pair, bytemuck::cast_slice(&self.indices))?;
        self.starts.push(self.rows);
        self.rows += contacts.len() as i64;
        Ok(())
    }

    pub(super) fn finish(self, sink: &mut dyn Sink, times: &[f64]) -> Outcome<()> {
        self.block.finish(sink, times)?;
        let offsets = format!("{}/Steps/PointDataOffsets", vtkhdf::ROOT);
        sink.group(&offsets)?;
        for name in ARRAYS {
            write_integers(sink, &format!("{offsets}/{name}"), 1, &self.starts)?;
        }
        Ok(())
    }
}
