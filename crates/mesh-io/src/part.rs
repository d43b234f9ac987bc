//! The named parts of a file.

use std::ops::Range;

/// A named part of a file: a physical group of Gmsh, a node of glTF, a set of elements of Abaqus or Vega. Parts may share cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its segments: ranges of [`Contents::lines`](crate::Contents::lines), ascending.
    pub lines: Vec<Range<usize>>,
    /// Its triangles: ranges of [`Contents::triangles`](crate::Contents::triangles), ascending.
    pub triangles: Vec<Range<usize>>,
    /// Its tetrahedra: ranges of [`Contents::tetrahedra`](crate::Contents::tetrahedra), ascending.
    pub tetrahedra: Vec<Range<usize>>,
}

impl Part {
    /// The number of its segments, triangles and tetrahedra.
    pub fn counts(&self) -> [usize; 3] {
        [&self.lines, &self.triangles, &self.tetrahedra]
            .map(|ranges| ranges.iter().map(ExactSizeIterator::len).sum())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, read_bytes};

    #[test]
    fn a_part_has_its_own_cells_and_vertices() {
        let text = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n9, 0, 0, 1\n*ELEMENT, TYPE=S3, ELSET=floor\n1, 1, 2, 3\n\
                    *ELEMENT, TYPE=S3, ELSET=wall\n2, 9, 2, 3\n";
        let contents = read_bytes(text.as_bytes(), Format::Abaqus, "a.inp").unwrap();
        let names: Vec<&str> = contents.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["floor", "wall"]);
        let wall = contents.part("wall").unwrap();
        assert_eq!((wall.positions.len(), wall.triangles.as_slice()), (3, [[2, 0, 1]].as_slice()));
        assert_eq!((wall.positions[2].z, contents.parts[1].counts()), (1.0, [0, 1, 0]));
        assert!(contents.part("ceiling").is_none());
    }
}
