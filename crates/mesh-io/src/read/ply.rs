//! The Stanford polygon format, ASCII and binary: `vertex` with x, y and z, `face` with `vertex_indices` or
//! `vertex_index`, `edge` with `vertex1` and `vertex2`, `tristrips` with `vertex_indices`.
//!
//! Source: G. Turk, "The PLY Polygon File Format" (1994), and the reader `plyfile.c` that came with it.

use super::ply_header::{Element, header};
use super::ply_values::{Input, Values};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let header = header(bytes, file)?;
    let mut cells = Collector::new(file, Format::Ply, limits);
    let mut input = Input::new(file, &header);
    let mut values = Values::default();
    for element in &header.elements {
        if element.count == 0 {
            continue;
        }
        let sort = Sort::of(element, file)?;
        for _ in 0..element.count {
            let place = input.element(element, &mut values)?;
            let row = Row { file, place };
            match sort {
                Sort::Vertex(axes) => cells.point(axes.map(|axis| values.of(axis)[0]), place)?,
                Sort::Face(list) => cells.polygon(&row.vertices(values.of(list))?, place)?,
                Sort::Edge(ends) => {
                    let ends = ends.map(|end| values.of(end)[0]);
                    cells.polyline(&row.vertices(&ends)?, place)?;
                }
                Sort::Strips(list) => {
                    // Minus one ends a strip.
                    for strip in values.of(list).split(|&id| id == -1.0).filter(|strip| !strip.is_empty()) {
                        cells.strip(&row.vertices(strip)?, place)?;
                    }
                }
                Sort::Other => cells.left_out(&element.name),
            }
        }
    }
    input.end()?;
    cells.finish()
}

/// What elements are, and which of their properties are read.
#[derive(Clone, Copy)]
enum Sort {
    Vertex([usize; 3]),
    Face(usize),
    Edge([usize; 2]),
    Strips(usize),
    Other,
}

impl Sort {
    /// Errors: a property that is missing, or of another type.
    fn of(element: &Element, file: &str) -> Result<Self, MeshIoError> {
        let find = |names: &[&str], list: bool, whole: bool| {
            let fits = |name: &&str| {
                element.properties.iter().position(|property| {
                    property.name == *name
                        && property.count.is_some() == list
                        && (!whole || property.value.is_whole())
                })
            };
            names.iter().find_map(fits).ok_or_else(|| {
                let what = format!("the property {:?} of the elements {:?}", names[0], element.name);
                let wanted = match (list, whole) {
                    (true, _) => "a list of whole numbers",
                    (false, true) => "a whole number",
                    (false, false) => "a number",
                };
                syntax(file, Place::Unknown, &what, &"missing, or of another type", wanted)
            })
        };
        Ok(match element.name.as_str() {
            "vertex" => Self::Vertex([
                find(&["x"], false, false)?,
                find(&["y"], false, false)?,
                find(&["z"], false, false)?,
            ]),
            "face" => Self::Face(find(&["vertex_indices", "vertex_index"], true, true)?),
            "edge" => Self::Edge([find(&["vertex1"], false, true)?, find(&["vertex2"], false, true)?]),
            "tristrips" => Self::Strips(find(&["vertex_indices"], true, true)?),
            _ => Self::Other,
        })
    }
}

/// An element by its place.
struct Row<'a> {
    file: &'a str,
    place: Place,
}

impl Row<'_> {
    /// Whole numbers as vertices. Errors: a negative one.
    fn vertices(&self, ids: &[f64]) -> Result<Vec<u64>, MeshIoError> {
        let vertex = |&id: &f64| {
            let wrong = || syntax(self.file, self.place, "a vertex of a cell", &id, "0 or more");
            if id >= 0.0 { Ok(id as u64) } else { Err(wrong()) }
        };
        ids.iter().map(vertex).collect()
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
        let contents = read(TEXT.as_bytes(), "a.ply", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.positions[0].x, 0.1);
        assert_eq!((contents.triangles.len(), contents.lines.as_slice()), (2, [[0, 2]].as_slice()));
    }

    #[test]
    fn damage_is_named() {
        let error = |text: String| read(text.as_bytes(), "a.ply", &Limits::DEFAULT).unwrap_err().to_string();
        let without = error(TEXT.replace("property float y\n", ""));
        assert!(
            without.starts_with("a.ply: the property \"y\" of the elements \"vertex\" is missing"),
            "{without}"
        );
        assert!(
            error(TEXT.replace("vertex 4", "vertex 5")).contains("line 17: behind the values of an element")
        );
        assert!(
            error(TEXT.replace("edge 1", "edge 0")).contains("line 18: the last element that is counted")
        );
        assert!(
            error(TEXT.replace("edge 1", "edge 2"))
                .contains("line 19: an element \"edge\" is the end of the file")
        );
        assert!(error(TEXT.replace("0.1 0 0", "nan 0 0")).contains("line 13: the x of vertex 0 is NaN"));
        assert!(error(TEXT.replace("0.1 0 0", "0.1 0 2147483648")).contains("line 13: a value of \"z\""));
        assert!(
            error(TEXT.replace("4 0 1 2 3", "256 0 1 2 3")).contains("line 17: a value of \"vertex_index\"")
        );
        assert!(
            error(TEXT.replace("4 0 1 2 3", "3 0 1 2 3"))
                .contains("line 17: behind the values of an element is \"3\"")
        );
        let error = error(TEXT.replace("4 0 1 2 3", "4 0 1 2 -3"));
        assert_eq!(error, "a.ply, line 17: a vertex of a cell is -3: wanted 0 or more");
    }

    #[test]
    fn binary_values_of_either_order() {
        for big in [false, true] {
            let order = if big { "big" } else { "little" };
            let mut bytes = TEXT[..TEXT.find("end_header").unwrap()].to_owned().into_bytes();
            bytes =
                String::from_utf8(bytes).unwrap().replace("ascii", &format!("binary_{order}_endian")).into();
            bytes.extend(b"end_header\n");
            let mut put = |number: &[u8]| {
                let mut number = number.to_vec();
                if big {
                    number.reverse();
                }
                bytes.extend(number);
            };
            for point in [[0.1, 0.0, 0.0], [1.0, 0.0, -2.0], [1.0, 1.5, 0.0], [0.0, 1.0, 0.0]] {
                put(&f64::to_le_bytes(point[0]));
                put(&(point[1] as f32).to_le_bytes());
                put(&(point[2] as i32).to_le_bytes());
            }
            put(&[4]);
            (0..4_i32).for_each(|id| put(&id.to_le_bytes()));
            [0, 2_i32].iter().for_each(|id| put(&id.to_le_bytes()));
            let contents = read(&bytes, "a.ply", &Limits::DEFAULT).unwrap();
            assert_eq!((contents.positions[0].x, contents.positions[1].z), (0.1, -2.0));
            assert_eq!((contents.triangles.len(), contents.lines.as_slice()), (2, [[0, 2]].as_slice()));
            bytes.push(b'\n');
            assert!(read(&bytes, "a.ply", &Limits::DEFAULT).is_ok());
            bytes.push(7);
            let error = read(&bytes, "a.ply", &Limits::DEFAULT).unwrap_err().to_string();
            assert!(error.contains("the last element that is counted is followed by 2 bytes"), "{error}");
            bytes.truncate(bytes.len() - 4);
            let error = read(&bytes, "a.ply", &Limits::DEFAULT).unwrap_err().to_string();
            assert!(
                error.contains("an element \"edge\" is cut off: 2 bytes are left: wanted 1 numbers of 4"),
                "{error}"
            );
        }
    }
}
