//! The volumetric meshes of Vega FEM (`.veg`), in ASCII: tetrahedra (`TET`) and cubes (`CUBIC`); iMSTK's own format.
//!
//! Vertices and elements carry their numbers, from 0 or from 1. Sets of elements become parts; materials and regions are not
//! read. `*INCLUDE FILE` reads a file beside it. Source: the documentation of Vega FEM, "Volumetric meshes".

use super::beside::Beside;
use super::lines::{Lines, Words};
use super::numbered::Numbering;
use crate::cells::Collector;
use crate::shape::Shape;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;

/// Files that include one another, at most.
const DEPTH: usize = 8;

pub(super) fn read(bytes: &[u8], beside: &Beside<'_>, limits: &Limits) -> Result<Contents, MeshIoError> {
    let cells = Collector::new(beside.file(), Format::Vega, limits);
    let mut reading = Reading { cells, beside, numbering: None, starts: None };
    reading.file(bytes, beside.file(), 0)?;
    reading.cells.finish()
}

struct Reading<'a> {
    cells: Collector,
    beside: &'a Beside<'a>,
    /// Of the vertices, once they are read.
    numbering: Option<Numbering>,
    /// The number of the first element, and of each element the first of its tetrahedra, and the end of the last.
    starts: Option<(u64, Vec<usize>)>,
}

impl Reading<'_> {
    fn file(&mut self, bytes: &[u8], file: &str, depth: usize) -> Result<(), MeshIoError> {
        let mut lines = Lines::new(file, bytes, Some(b'#'));
        let mut next = lines.next();
        while let Some(mut words) = next {
            let word = words.next().unwrap_or_default();
            match word.to_ascii_uppercase().as_str() {
                "*VERTICES" => self.vertices(&mut lines)?,
                "*ELEMENTS" => self.elements(&mut lines)?,
                "*INCLUDE" => {
                    if depth == DEPTH {
                        return Err(words.error("the depth of included files", &(depth + 1), "at most 8"));
                    }
                    let name = words.rest();
                    let bytes = self.beside.bytes(name)?;
                    self.file(&bytes, name, depth + 1)?;
                }
                "*SET" => {
                    next = self.set(words.rest(), &mut lines)?;
                    continue;
                }
                "*MATERIAL" | "*REGION" => {
                    next = lines.next();
                    while next.as_ref().is_some_and(|words| !words.clone().rest().starts_with('*')) {
                        next = lines.next();
                    }
                    continue;
                }
                _ => {
                    let wanted = "*VERTICES, *ELEMENTS, *SET, *MATERIAL, *REGION or *INCLUDE";
                    return Err(words.error("the first word", &format_args!("{word:?}"), wanted));
                }
            }
            next = lines.next();
        }
        Ok(())
    }

    fn vertices(&mut self, lines: &mut Lines<'_>) -> Result<(), MeshIoError> {
        let mut words = lines.wanted("the number of vertices")?;
        if self.numbering.is_some() {
            return Err(words.error("a section *VERTICES", &"the second", "one"));
        }
        let count = words.count("the number of vertices")?;
        if let Some(dimension) = words.next().filter(|&dimension| dimension != "3") {
            return Err(words.error("the dimension", &format_args!("{dimension:?}"), "3"));
        }
        let mut numbering = Numbering::default();
        for _ in 0..count {
            let mut words = lines.wanted("a vertex")?;
            let number = words.count("the number of a vertex")?;
            let point = words.point()?;
            words.numbers_to_end("a number behind a vertex")?;
            numbering.vertex(number, point, &mut self.cells, &words)?;
        }
        self.numbering = Some(numbering);
        Ok(())
    }

    fn elements(&mut self, lines: &mut Lines<'_>) -> Result<(), MeshIoError> {
        let mut words = lines.wanted("the type of the elements")?;
        let kind = words.next().unwrap_or_default();
        let shape = match kind.to_ascii_uppercase().as_str() {
            "TET" | "TETS" => Shape::Tetrahedron,
            "CUBIC" => Shape::Hexahedron,
            _ => {
                return Err(words.error(
                    "the type of the elements",
                    &format_args!("{kind:?}"),
                    "TET or CUBIC",
                ));
            }
        };
        let mut words = lines.wanted("the number of elements")?;
        let count = words.count("the number of elements")?;
        let nodes = words.count("the number of vertices of an element")?;
        if nodes != shape.corners() as u64 {
            return Err(words.error(
                "the number of vertices of an element",
                &nodes,
                &shape.corners().to_string(),
            ));
        }
        let (Some(numbering), None) = (self.numbering, &self.starts) else {
            return Err(words.error(
                "the place of *ELEMENTS",
                &"not behind *VERTICES, or a second",
                "one section behind *VERTICES",
            ));
        };
        let (mut first, mut starts) = (0, vec![0]);
        for index in 0..count {
            let mut words = lines.wanted("an element")?;
            let number = words.count("the number of an element")?;
            if index == 0 {
                first = number;
            }
            if number != first.saturating_add(index) {
                return Err(words.error(
                    "the number of an element",
                    &number,
                    &first.saturating_add(index).to_string(),
                ));
            }
            let ids = numbering.ids(shape.corners(), &mut words)?;
            words.numbers_to_end("a number behind an element")?;
            self.cells.cell(shape, &ids, words.place)?;
            starts.push(self.cells.counts()[2]);
        }
        self.starts = Some((first, starts));
        Ok(())
    }

    /// The elements of a set, with commas between them. Returns the line behind it.
    fn set<'b>(&mut self, name: &str, lines: &mut Lines<'b>) -> Result<Option<Words<'b>>, MeshIoError> {
        let mut elements = Vec::new();
        let behind = loop {
            let Some(words) = lines.next() else { break None };
            let text = words.clone().rest();
            if text.starts_with('*') {
                break Some(words);
            }
            for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
                let range = self.range(word);
                let wanted = "the number of an element";
                let range = range
                    .ok_or_else(|| words.error("an element of a set", &format_args!("{word:?}"), wanted))?;
                elements.push((range, words.place));
            }
        };
        elements.sort_unstable_by_key(|(range, _)| range.start);
        elements.dedup_by_key(|(range, _)| range.start);
        let name: String = name.chars().take(1000).collect();
        for (range, place) in elements {
            self.cells.add_run(&name, [0..0, 0..0, range], place)?;
        }
        Ok(behind)
    }

    /// The tetrahedra of an element.
    fn range(&self, word: &str) -> Option<std::ops::Range<usize>> {
        let (first, starts) = self.starts.as_ref()?;
        let index = usize::try_from(word.parse::<u64>().ok()?.checked_sub(*first)?).ok()?;
        Some(*starts.get(index)?..*starts.get(index.checked_add(1)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# made by hand\n*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 0.1\n5 1 1 1\n\n*ELEMENTS\nTET\n2 4 0\n\
        1 1 2 3 4\n2 2 3 4 5\n\n*MATERIAL soft\nENU, 1000, 1e6, 0.45\n*SET half\n2\n*REGION\nhalf, soft\n";

    fn read_with(text: &str, included: &str) -> Result<Contents, MeshIoError> {
        let find = |name: &str| (name == "b.veg").then(|| included.as_bytes().to_vec());
        read(text.as_bytes(), &Beside::new("a.veg", &find, 1 << 20), &Limits::DEFAULT)
    }

    #[test]
    fn tetrahedra_sets_and_included_files() {
        let contents = read_with(TEXT, "").unwrap();
        assert_eq!(contents.tetrahedra, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!((contents.positions[3].z, contents.parts[0].name.as_str()), (0.1, "half"));
        assert_eq!(contents.part("half").unwrap().tetrahedra, [[0, 1, 2, 3]]);
        let (vertices, rest) = TEXT.split_at(TEXT.find("*ELEMENTS").unwrap());
        let divided = read_with(&format!("*include b.veg\n{rest}"), vertices).unwrap();
        assert_eq!((&divided.positions, &divided.tetrahedra), (&contents.positions, &contents.tetrahedra));
        let corners: String = (0..8).map(|k| format!("{k} {} {} {}\n", k % 2, k / 2 % 2, k / 4)).collect();
        let cube = format!("*VERTICES\n8 3 0 0\n{corners}*ELEMENTS\nCUBIC\n1 8 0\n0 0 1 3 2 4 5 7 6\n");
        let contents = read_with(&cube, "").unwrap();
        assert_eq!((contents.tetrahedra.len(), contents.cut_cells.get("hexahedra")), (6, Some(&1)));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |from: &str, to: &str| {
            read_with(&TEXT.replacen(from, to, 1), "*INCLUDE b.veg\n").unwrap_err().to_string()
        };
        assert!(
            error("TET\n", "HEX\n")
                .contains("line 11: the type of the elements is \"HEX\": wanted TET or CUBIC")
        );
        assert!(
            error("2 4 0", "2 8 0").contains("line 12: the number of vertices of an element is 8: wanted 4")
        );
        assert!(error("2 2 3 4 5", "2 2 3 4 6").contains("a vertex of a cell is 5: wanted less than 5"));
        assert!(error("2 2 3 4 5", "3 2 3 4 5").contains("the number of an element is 3: wanted 2"));
        assert!(error("half\n2", "half\n3").contains("line 19: an element of a set is \"3\""));
        assert!(error("*VERTICES", "*POINTS").contains("line 2: the first word is \"*POINTS\""));
        assert!(error("# made by hand", "*INCLUDE b.veg").contains("the depth of included files is 9"));
        assert!(
            error("# made by hand", "*INCLUDE ../b.veg")
                .contains("the name of a file beside is \"../b.veg\"")
        );
        assert!(error("*ELEMENTS", "*MATERIAL").contains("a.veg"), "the set has no elements");
    }
}
