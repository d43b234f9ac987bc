//! Stereolithography, ASCII and binary. Corners with the same three coordinates become one vertex, numbered in the
//! order of first occurrence; the normals of the file are ignored.
//!
//! A file is binary if its length matches its count of triangles: many binary files start with the word `solid`, as
//! ASCII files do. Coordinates in ASCII keep all their digits; its keywords may be capitals.

use super::lines::{Lines, without_mark};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;
use std::collections::HashMap;

/// Size of the header, and of a triangle, in bytes.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut corners = Corners { cells: Collector::new(file, Format::Stl, limits), known: HashMap::new() };
    let count = bytes
        .get(80..HEADER)
        .map(|count| u64::from(u32::from_le_bytes([count[0], count[1], count[2], count[3]])));
    let length = count.map(|count| HEADER as u64 + TRIANGLE as u64 * count);
    if length == Some(bytes.len() as u64) {
        binary(&bytes[HEADER..], &mut corners)?;
    } else if starts_with_solid(bytes) {
        ascii(bytes, file, &mut corners)?;
    } else {
        let found = format!("{} bytes", bytes.len());
        let wanted = match length {
            Some(length) => format!("{length} for the {} triangles it counts", count.unwrap_or(0)),
            None => "84 or more, or the word solid at its start".to_owned(),
        };
        return Err(syntax(file, Place::Unknown, "the length of the file", &found, &wanted));
    }
    corners.cells.finish()
}

fn starts_with_solid(bytes: &[u8]) -> bool {
    let word = without_mark(bytes).trim_ascii_start().get(..5);
    // A binary file that is damaged has zeros, which no text has.
    word.is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !bytes.contains(&0)
}

struct Corners {
    cells: Collector,
    known: HashMap<[u64; 3], u64>,
}

impl Corners {
    fn vertex(&mut self, point: [f64; 3], place: Place) -> Result<u64, MeshIoError> {
        // Positive and negative zero are the same position.
        let key = point.map(|x| (x + 0.0).to_bits());
        let next = self.known.len() as u64;
        let id = *self.known.entry(key).or_insert(next);
        if id == next {
            self.cells.point(point, place)?;
        }
        Ok(id)
    }
}

fn binary(bytes: &[u8], corners: &mut Corners) -> Result<(), MeshIoError> {
    for (index, triangle) in bytes.chunks_exact(TRIANGLE).enumerate() {
        let number = |at: usize| {
            let bytes = [triangle[at], triangle[at + 1], triangle[at + 2], triangle[at + 3]];
            f64::from(f32::from_le_bytes(bytes))
        };
        let start = HEADER + TRIANGLE * index;
        let mut ids = [0; 3];
        for (id, at) in ids.iter_mut().zip([12, 24, 36]) {
            *id = corners.vertex([number(at), number(at + 4), number(at + 8)], Place::Byte(start + at))?;
        }
        corners.cells.polygon(&ids, Place::Byte(start))?;
    }
    Ok(())
}

fn ascii(bytes: &[u8], file: &str, corners: &mut Corners) -> Result<(), MeshIoError> {
    let mut lines = Lines::new(file, bytes, None);
    // The vertices of the loop that is open.
    let mut open: Option<Vec<u64>> = None;
    let mut finished = false;
    while let Some(mut words) = lines.next() {
        let keyword = words.next().unwrap_or_default();
        match (keyword.to_ascii_lowercase().as_str(), &mut open) {
            ("vertex", Some(ids)) => {
                ids.push(corners.vertex(words.point()?, words.place)?);
                words.end("behind a vertex")?;
            }
            ("outer", None) => {
                words.next();
                words.end("behind outer loop")?;
                open = Some(Vec::new());
            }
            ("endloop", Some(ids)) => {
                corners.cells.polygon(ids, words.place)?;
                words.end("behind endloop")?;
                open = None;
            }
            // The normal, the name, and colours of some writers.
            ("solid", None) => finished = false,
            ("endsolid", None) => finished = true,
            ("facet" | "endfacet" | "color", None) => {}
            (_, open) => {
                let wanted = match open {
                    Some(_) => "vertex or endloop",
                    None => "solid, facet, outer loop, endfacet or endsolid",
                };
                return Err(words.error("the first word", &format_args!("{keyword:?}"), wanted));
            }
        }
    }
    match open {
        None if finished => Ok(()),
        None => Err(syntax(file, Place::Unknown, "the last solid", &"unfinished", "endsolid")),
        Some(_) => Err(syntax(file, Place::Unknown, "the last loop", &"unfinished", "endloop")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: &str = "solid a b\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 0.1 -0 0\n  vertex 0 1 0\n endloop\nendfacet\n\
        facet normal 0 0 1\n outer loop\n  vertex 0.1 0 0\n  vertex 1 1 0\n  vertex 0 1 0\n endloop\nendfacet\nendsolid a\n";

    #[test]
    fn corners_in_one_place_are_one_vertex_and_keep_their_digits() {
        let contents = read(ASCII.as_bytes(), "a.stl", &Limits::DEFAULT).unwrap();
        assert_eq!((contents.positions.len(), contents.positions[1].x), (4, 0.1));
        assert_eq!(contents.triangles, [[0, 1, 2], [1, 3, 2]]);
        let end = |end: &str| ASCII.replace('\n', end);
        for text in [ASCII.to_ascii_uppercase(), end("\r\n"), end("\r\t"), format!("\u{feff}{ASCII}")] {
            let other = read(text.as_bytes(), "a.stl", &Limits::DEFAULT).unwrap();
            assert_eq!((&other.positions, &other.triangles), (&contents.positions, &contents.triangles));
        }
    }

    #[test]
    fn a_binary_file_may_begin_with_solid() {
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(1_u32.to_le_bytes());
        for x in [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 0.0_f32] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
        let contents = read(&bytes, "a.stl", &Limits::DEFAULT).unwrap();
        assert_eq!((contents.positions[1].x, contents.triangles.as_slice()), (1.5, [[0, 1, 2]].as_slice()));
        bytes[0] = b'S';
        bytes.pop();
        let error = read(&bytes, "a.stl", &Limits::DEFAULT).unwrap_err().to_string();
        assert_eq!(
            error,
            "a.stl: the length of the file is 133 bytes: wanted 134 for the 1 triangles it counts"
        );
    }

    #[test]
    fn errors_name_the_line() {
        let broken = ASCII.replace("vertex 1 1 0", "vertex 1 ! 0");
        let error = read(broken.as_bytes(), "a.stl", &Limits::DEFAULT).unwrap_err().to_string();
        assert!(error.contains("line 12: the y of a vertex is \"!\""), "{error}");
        let error = |from: &str, to: &str| {
            let broken = ASCII.replacen(from, to, 1);
            read(broken.as_bytes(), "a.stl", &Limits::DEFAULT).unwrap_err().to_string()
        };
        assert!(
            error(" endloop\n", "")
                .contains("line 7: the first word is \"endfacet\": wanted vertex or endloop")
        );
        assert!(error(" outer loop\n", "").contains("line 3: the first word is \"vertex\": wanted solid"));
        assert!(
            error("vertex 0 0 0\n", "vertex 0 0 0 vertex").contains("line 4: behind a vertex is \"vertex\"")
        );
        assert!(error("0.1 -0 0", "0.1 nan 0").contains("line 5: the y of vertex 1 is NaN"));
        assert!(error("endsolid a\n", "").contains("a.stl: the last solid is unfinished: wanted endsolid"));
        let cut = ASCII.rfind(" endloop").unwrap();
        let error = read(&ASCII.as_bytes()[..cut], "a.stl", &Limits::DEFAULT).unwrap_err().to_string();
        assert_eq!(error, "a.stl: the last loop is unfinished: wanted endloop");
    }
}
