//! Wavefront OBJ: `v`, `f`, `l`; everything else (normals, textures, groups, materials) is ignored.
//!
//! Vertices keep their numbers regardless of groups: loaders for rendering renumber them, but a simulator's maps
//! are by number.

use super::lines::{Lines, Words};
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};

pub(super) fn read(bytes: &[u8], file: &str) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(file, Format::Obj);
    let mut lines = Lines::new(file, bytes, Some(b'#'));
    while let Some(mut words) = lines.next() {
        match words.next() {
            Some("v") => cells.point(words.point()?),
            Some("f") => {
                let ids = corners(&mut words, cells.point_count())?;
                cells.polygon(&ids, words.place)?;
            }
            Some("l") => {
                let ids = corners(&mut words, cells.point_count())?;
                cells.polyline(&ids, words.place)?;
            }
            _ => {}
        }
    }
    cells.finish()
}

/// The vertices of corners like `7`, `7/1`, `7//3`, `7/1/3`; counted from 1, or from the last one back when negative.
fn corners(words: &mut Words<'_>, point_count: usize) -> Result<Vec<u64>, MeshIoError> {
    let mut ids = Vec::new();
    while let Some(word) = words.next() {
        let vertex = word.split('/').next().unwrap_or(word);
        let number = vertex.parse::<i64>().ok().filter(|&number| number != 0);
        let id = match number {
            Some(number) if number > 0 => Some(number as u64 - 1),
            Some(number) => (point_count as u64).checked_sub(number.unsigned_abs()),
            None => None,
        };
        let wanted = "a vertex, counted from 1, or back from -1";
        ids.push(id.ok_or_else(|| words.error("a corner", &format_args!("{word:?}"), wanted))?);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_lines_and_groups() {
        let text = b"o a\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nvn 0 0 1\ng one\nf 1/1/1 2//1 3\ng two\nv 0 0 1e-1\nf -1 1 2 3\nl 1 4\n";
        let contents = read(text, "a.obj").unwrap();
        assert_eq!(contents.positions[3].z, 0.1);
        assert_eq!(contents.triangles, [[0, 1, 2], [0, 1, 2], [3, 0, 2]]);
        assert_eq!((contents.lines.as_slice(), contents.split_polygons), ([[0, 3]].as_slice(), 1));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text.as_bytes(), "a.obj").unwrap_err().to_string();
        assert_eq!(error("v 0 0 0\nv 1 x 0\n"), "a.obj, line 2: the y of a vertex is \"x\": wanted a number");
        assert!(error("v 0 0 0\nf 1 0 1\n").contains("line 2: a corner is \"0\""));
        assert!(error("v 0 0 0\nf 1 -2 1\n").contains("line 2: a corner is \"-2\""));
        assert!(error("v 0 0 0\nf 1 1 2\n").contains("line 2: a vertex of a cell is 1: wanted less than 1"));
        assert!(error("v 0 0 0\nf 1 1\n").contains("the number of vertices of a face is 2"));
    }
}
