//! VTKHDF files as another program writes them: triangles over time, which a test then spoils.

#![allow(dead_code, clippy::unwrap_used, reason = "a test fails by panicking, and none uses all of this")]

use rust_hdf5::{ByteOrder, DatatypeMessage, H5Dataset, H5File, H5Group, LibverBound};
use std::path::Path;

pub(crate) const POINTS: usize = 4;
pub(crate) const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

pub(crate) fn text(group: &H5Group, name: &str, value: &str) {
    let datatype = DatatypeMessage::FixedString { size: value.len() as u32, padding: 1, charset: 0 };
    group.set_attr_typed(name, datatype, value.as_bytes().to_vec()).unwrap();
}

pub(crate) fn integers(group: &H5Group, name: &str, shape: &[usize], values: &[i64]) {
    let dataset = group.new_dataset::<i64>().shape(shape).create(name).unwrap();
    if !values.is_empty() {
        dataset.write_raw(values).unwrap();
    }
}

pub(crate) fn floats(group: &H5Group, name: &str, shape: &[usize], values: &[f64]) -> H5Dataset {
    let dataset = group.new_dataset::<f64>().shape(shape).create(name).unwrap();
    dataset.write_raw(values).unwrap();
    dataset
}

/// The coordinates of a step: numbers that a single float has not.
pub(crate) fn coordinates(step: usize) -> Vec<f64> {
    (0..3 * POINTS).map(|at| 0.1 * step as f64 + at as f64 / 3.0).collect()
}

/// The coordinates of all steps.
pub(crate) fn all_coordinates(steps: usize) -> Vec<f64> {
    (0..steps).flat_map(coordinates).collect()
}

/// What of a file is unusual.
#[derive(Clone)]
pub(crate) struct Plain {
    pub(crate) version: [i64; 2],
    pub(crate) times: Vec<f64>,
    /// The parts of a file with as many parts as steps, cells stored once; or one part.
    pub(crate) parts_advance: bool,
    /// In place of the number of points.
    pub(crate) points: Option<i64>,
    /// In the oldest form of HDF5, whose metadata have no checksums.
    pub(crate) old: bool,
}

impl Default for Plain {
    fn default() -> Self {
        Self { version: [2, 0], times: vec![0.0, 0.5, 1.0], parts_advance: false, points: None, old: false }
    }
}

impl Plain {
    /// Writes a file whose `Points` `write_points` makes.
    pub(crate) fn write(&self, path: &Path, write_points: impl FnOnce(&H5Group)) {
        let libver = if self.old { LibverBound::Earliest } else { LibverBound::V18 };
        let file = H5File::options().libver(libver).create(path).unwrap();
        let root = file.create_group("VTKHDF").unwrap();
        root.set_attr_array_numeric("Version", &self.version).unwrap();
        text(&root, "Type", "PolyData");
        let steps = self.times.len();
        let parts = if self.parts_advance { steps } else { 1 };
        integers(&root, "NumberOfPoints", &[parts], &vec![self.points.unwrap_or(POINTS as i64); parts]);
        for category in ["Vertices", "Lines", "Polygons", "Strips"] {
            let group = root.create_group(category).unwrap();
            let is_used = category == "Polygons";
            let (cells, ids) = if is_used { (2, 6) } else { (0, 0) };
            integers(&group, "NumberOfCells", &[parts], &vec![cells; parts]);
            integers(&group, "NumberOfConnectivityIds", &[parts], &vec![ids; parts]);
            let offsets: &[i64] = if is_used { &[0, 3, 6] } else { &[0] };
            integers(&group, "Offsets", &[offsets.len()], offsets);
            let corners: Vec<i64> = TRIANGLES.iter().flatten().map(|&id| i64::from(id)).collect();
            integers(&group, "Connectivity", &[ids as usize], &corners[..ids as usize]);
        }
        write_points(&root);
        let group = root.create_group("Steps").unwrap();
        group.set_attr_numeric("NSteps", &(steps as i64)).unwrap();
        floats(&group, "Values", &[steps], &self.times);
        let rising = |by: usize| (0..steps).map(|step| (step * by) as i64).collect::<Vec<_>>();
        integers(&group, "PartOffsets", &[steps], &rising(usize::from(self.parts_advance)));
        integers(&group, "NumberOfParts", &[steps], &vec![1; steps]);
        integers(&group, "PointOffsets", &[steps], &rising(POINTS));
        integers(&group, "CellOffsets", &[steps, 4], &vec![0; 4 * steps]);
        integers(&group, "ConnectivityIdOffsets", &[steps, 4], &vec![0; 4 * steps]);
        file.close().unwrap();
    }

    /// Writes a file with the points of [`coordinates`].
    pub(crate) fn write_whole(&self, path: &Path) {
        let steps = self.times.len();
        self.write(path, |root| {
            floats(root, "Points", &[POINTS * steps, 3], &all_coordinates(steps));
        });
    }
}

/// Doubles in the other byte order.
pub(crate) fn big_endian() -> DatatypeMessage {
    let mut found = DatatypeMessage::f64_type();
    if let DatatypeMessage::FloatingPoint { byte_order, .. } = &mut found {
        *byte_order = ByteOrder::BigEndian;
    }
    found
}
