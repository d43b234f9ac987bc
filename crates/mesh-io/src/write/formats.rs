//! The bytes of each output format. Numbers are the shortest that read back as the same bits.

use super::parts::Parts;
use std::fmt::Display;

/// Numbers separated by spaces.
fn row(numbers: impl IntoIterator<Item = impl Display>) -> String {
    let mut text = String::new();
    for number in numbers {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&number.to_string());
    }
    text
}

pub(super) fn obj(parts: &Parts<'_>) -> Vec<u8> {
    let mut text = String::new();
    let from_one = |ids: &[u32]| row(ids.iter().map(|id| u64::from(*id) + 1));
    parts.positions.iter().for_each(|p| text.push_str(&format!("v {}\n", row(p.iter()))));
    parts.lines.iter().for_each(|ids| text.push_str(&format!("l {}\n", from_one(ids))));
    parts.triangles.iter().for_each(|ids| text.push_str(&format!("f {}\n", from_one(ids))));
    text.into_bytes()
}

pub(super) fn ply(parts: &Parts<'_>) -> Vec<u8> {
    let mut text = format!("ply\nformat ascii 1.0\nelement vertex {}\n", parts.positions.len());
    ["x", "y", "z"].iter().for_each(|axis| text.push_str(&format!("property double {axis}\n")));
    if !parts.triangles.is_empty() {
        text.push_str(&format!(
            "element face {}\nproperty list uchar uint vertex_indices\n",
            parts.triangles.len()
        ));
    }
    if !parts.lines.is_empty() {
        text.push_str(&format!(
            "element edge {}\nproperty uint vertex1\nproperty uint vertex2\n",
            parts.lines.len()
        ));
    }
    text.push_str("end_header\n");
    parts.positions.iter().for_each(|p| text.push_str(&format!("{}\n", row(p.iter()))));
    parts.triangles.iter().for_each(|ids| text.push_str(&format!("3 {}\n", row(ids))));
    parts.lines.iter().for_each(|ids| text.push_str(&format!("{}\n", row(ids))));
    text.into_bytes()
}

/// Binary; the normals are computed from the triangles as 32-bit numbers, zero for degenerate ones.
pub(super) fn stl(parts: &Parts<'_>) -> Vec<u8> {
    let mut bytes = b"binary STL".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((parts.triangles.len() as u32).to_le_bytes());
    for ids in parts.triangles.iter() {
        let [a, b, c] = ids.map(|id| &parts.positions[id as usize]);
        let normal = palpate_math::triangle::unit_normal(a, b, c).unwrap_or_default();
        let numbers = normal.iter().chain([a, b, c].into_iter().flat_map(|p| p.iter()));
        numbers.for_each(|&x| bytes.extend((x as f32).to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

pub(super) fn vtu(parts: &Parts<'_>) -> Vec<u8> {
    let lists = || {
        let lines = parts.lines.iter().map(|ids| (ids.as_slice(), 3));
        let triangles = parts.triangles.iter().map(|ids| (ids.as_slice(), 5));
        lines.chain(triangles).chain(parts.tetrahedra.iter().map(|ids| (ids.as_slice(), 10)))
    };
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n\
         <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n",
        parts.positions.len(),
        lists().count()
    );
    parts.positions.iter().for_each(|p| text.push_str(&format!("{}\n", row(p.iter()))));
    text.push_str("</DataArray>\n</Points>\n<Cells>\n");
    text.push_str("<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n");
    lists().for_each(|(ids, _)| text.push_str(&format!("{}\n", row(ids))));
    text.push_str("</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n");
    let mut end = 0;
    for (ids, _) in lists() {
        end += ids.len();
        text.push_str(&format!("{end}\n"));
    }
    text.push_str("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n");
    lists().for_each(|(_, kind)| text.push_str(&format!("{kind}\n")));
    text.push_str("</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text.into_bytes()
}
