//! The Stanford polygon format, ASCII and binary, by the crate `ply-rs-bw`: `vertex` with x, y and z, `face` with
//! `vertex_indices` or `vertex_index`, `edge` with `vertex1` and `vertex2`, `tristrips`.

use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};
use std::io::{BufReader, Cursor};

pub(super) fn read(bytes: &[u8], file: &str) -> Result<Contents, MeshIoError> {
    let parser = Parser::<DefaultElement>::new();
    let ply = parser.read_ply(&mut BufReader::new(Cursor::new(bytes))).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default().to_owned();
        syntax(file, Place::Unknown, "the file", &first, "PLY 1.0")
    })?;
    let mut cells = Collector::new(file, Format::Ply);
    for (name, elements) in &ply.payload {
        for (index, element) in elements.iter().enumerate() {
            let missing = |what: &str| {
                let what = format!("{what} of {name} {index}");
                syntax(file, Place::Unknown, &what, &"missing, or of another type", "a property of that name")
            };
            let wanted = |what: &str| element.get(what).ok_or_else(|| missing(what));
            match name.as_str() {
                "vertex" => {
                    let at = |axis: &str| wanted(axis).and_then(|x| number(x).ok_or_else(|| missing(axis)));
                    cells.point([at("x")?, at("y")?, at("z")?]);
                }
                "face" => {
                    let list = element.get("vertex_indices").or_else(|| element.get("vertex_index"));
                    let ids = list.and_then(indices).ok_or_else(|| missing("vertex_indices"))?;
                    let ids = not_negative(file, &ids)?;
                    cells.polygon(&ids, Place::Unknown)?;
                }
                "edge" => {
                    let end = |what: &str| wanted(what).and_then(|id| whole(id).ok_or_else(|| missing(what)));
                    let ids = not_negative(file, &[end("vertex1")?, end("vertex2")?])?;
                    cells.polyline(&ids, Place::Unknown)?;
                }
                "tristrips" => {
                    let ids = element.get("vertex_indices").and_then(indices);
                    let ids = ids.ok_or_else(|| missing("vertex_indices"))?;
                    // Minus one ends a strip.
                    for strip in ids.split(|&id| id == -1).filter(|strip| !strip.is_empty()) {
                        cells.strip(&not_negative(file, strip)?, Place::Unknown)?;
                    }
                }
                other => cells.left_out(other),
            }
        }
    }
    cells.finish()
}

fn not_negative(file: &str, ids: &[i64]) -> Result<Vec<u64>, MeshIoError> {
    ids.iter()
        .map(|&id| {
            u64::try_from(id)
                .map_err(|_| syntax(file, Place::Unknown, "a vertex of a cell", &id, "0 or more"))
        })
        .collect()
}

fn number(property: &Property) -> Option<f64> {
    match *property {
        Property::Float(x) => Some(f64::from(x)),
        Property::Double(x) => Some(x),
        _ => whole(property).map(|x| x as f64),
    }
}

fn whole(property: &Property) -> Option<i64> {
    match *property {
        Property::Char(x) => Some(i64::from(x)),
        Property::UChar(x) => Some(i64::from(x)),
        Property::Short(x) => Some(i64::from(x)),
        Property::UShort(x) => Some(i64::from(x)),
        Property::Int(x) => Some(i64::from(x)),
        Property::UInt(x) => Some(i64::from(x)),
        _ => None,
    }
}

fn indices(property: &Property) -> Option<Vec<i64>> {
    match property {
        Property::ListChar(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        Property::ListUChar(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        Property::ListShort(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        Property::ListUShort(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        Property::ListInt(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        Property::ListUInt(list) => Some(list.iter().map(|&x| i64::from(x)).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty float y\nproperty int z\n\
        element face 1\nproperty list uchar int vertex_index\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n\
        end_header\n0.1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n0 2\n";

    #[test]
    fn faces_edges_and_types() {
        let contents = read(TEXT.as_bytes(), "a.ply").unwrap();
        assert_eq!(contents.positions[0].x, 0.1);
        assert_eq!((contents.triangles.len(), contents.lines.as_slice()), (2, [[0, 2]].as_slice()));
    }

    #[test]
    fn damage_is_named() {
        let error = |text: String| read(text.as_bytes(), "a.ply").unwrap_err().to_string();
        assert!(error(TEXT.replace("property float y\n", "")).starts_with("a.ply"));
        let error = error(TEXT.replace("4 0 1 2 3", "4 0 1 2 -3"));
        assert_eq!(error, "a.ply: a vertex of a cell is -3: wanted 0 or more");
    }
}
