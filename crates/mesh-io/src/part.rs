//! The named parts of a file.

use crate::Contents;
use std::collections::BTreeMap;
use std::ops::Range;

/// A named part of a file: a physical group of Gmsh, a node of glTF, a set of elements of Abaqus or Vega. Parts may share cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its segments: ranges of [`Contents::lines`], ascending.
    pub lines: Vec<Range<usize>>,
    /// Its triangles: ranges of [`Contents::triangles`], ascending.
    pub triangles: Vec<Range<usize>>,
    /// Its tetrahedra: ranges of [`Contents::tetrahedra`], ascending.
    pub tetrahedra: Vec<Range<usize>>,
}

impl Part {
    /// The number of its segments, triangles and tetrahedra.
    pub fn counts(&self) -> [usize; 3] {
        [&self.lines, &self.triangles, &self.tetrahedra]
            .map(|ranges| ranges.iter().map(ExactSizeIterator::len).sum())
    }
}

impl Contents {
    /// The part of that name alone: its cells in the order of the file, and the vertices that they have, numbered anew in
    /// ascending order. `None` if there is no such part.
    pub fn part(&self, name: &str) -> Option<Self> {
        let part = self.parts.iter().find(|part| part.name == name)?;
        let mut lines = picked(&self.lines, &part.lines);
        let mut triangles = picked(&self.triangles, &part.triangles);
        let mut tetrahedra = picked(&self.tetrahedra, &part.tetrahedra);
        let lists = [lines.as_flattened(), triangles.as_flattened(), tetrahedra.as_flattened()];
        let mut used: Vec<u32> = lists.concat();
        used.sort_unstable();
        used.dedup();
        let positions = used.iter().map(|&id| self.positions[id as usize]).collect();
        let renumber = |id: &mut u32| *id = used.binary_search(id).unwrap_or(0) as u32;
        lines.as_flattened_mut().iter_mut().for_each(renumber);
        triangles.as_flattened_mut().iter_mut().for_each(renumber);
        tetrahedra.as_flattened_mut().iter_mut().for_each(renumber);
        Some(Self {
            file: self.file.clone(),
            format: self.format,
            positions,
            lines,
            triangles,
            tetrahedra,
            split_polygons: 0,
            cut_cells: BTreeMap::new(),
            straightened: BTreeMap::new(),
            left_out: BTreeMap::new(),
            parts: Vec::new(),
        })
    }
}

fn picked<T: Copy>(cells: &[T], ranges: &[Range<usize>]) -> Vec<T> {
    ranges.iter().flat_map(|range| &cells[range.clone()]).copied().collect()
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
