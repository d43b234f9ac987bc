//! MEDIT's format in ASCII (`.mesh`), as fTetWild, MMG, CGAL and Gmsh write it.
//!
//! Numbers may be divided into lines in any way; vertices are counted from 1. The references of cells of one shape are numbers of their
//! parts. Source: P. Frey, "MEDIT: an interactive mesh visualization software", INRIA RT-0253 (2001), and libMeshb.

use super::lines::{Lines, Words};
use crate::cells::Collector;
use crate::shape::Shape;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;

/// The sections of cells.
const CELLS: [(&str, Shape); 8] = [
    ("Edges", Shape::Line),
    ("Triangles", Shape::Triangle),
    ("Quadrilaterals", Shape::Quadrilateral),
    ("Tetrahedra", Shape::Tetrahedron),
    ("Hexahedra", Shape::Hexahedron),
    ("Hexaedra", Shape::Hexahedron),
    ("Prisms", Shape::Wedge),
    ("Pyramids", Shape::Pyramid),
];

/// Sections of curved cells, by the number of their vertices.
const CURVED: [(&str, Shape, usize); 3] = [
    ("EdgesP2", Shape::Line, 3),
    ("TrianglesP2", Shape::Triangle, 6),
    ("TetrahedraP2", Shape::Tetrahedron, 10),
];

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(file, Format::Medit, limits);
    let mut text = Text { lines: Lines::new(file, bytes, Some(b'#')), words: None, word: "" };
    let first = text.next("the first word")?;
    if !first.eq_ignore_ascii_case("MeshVersionFormatted") {
        return Err(text.error("the first word", &format_args!("{first:?}"), "MeshVersionFormatted"));
    }
    // Versions differ in the bits of a number, which text does not have.
    text.count("the version")?;
    let mut dimension = 3;
    while let Some(name) = text.next_or_end() {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("End") {
            return text.nothing_behind().and_then(|()| cells.finish());
        } else if is("Dimension") {
            dimension = text.count("the dimension")?;
            if !(2..=3).contains(&dimension) {
                return Err(text.error("the dimension", &dimension, "2 or 3"));
            }
        } else if is("Vertices") {
            vertices(&mut text, &mut cells, dimension)?;
        } else if let Some((_, shape)) = CELLS.iter().find(|(known, _)| is(known)) {
            section(&mut text, &mut cells, *shape, shape.corners())?;
        } else if let Some((_, shape, count)) = CURVED.iter().find(|(known, ..)| is(known)) {
            section(&mut text, &mut cells, *shape, *count)?;
        } else if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            text.skip_numbers();
        } else {
            return Err(text.error("the name of a section", &format_args!("{name:?}"), "a keyword of MEDIT"));
        }
    }
    cells.finish()
}

fn vertices(text: &mut Text<'_>, cells: &mut Collector, dimension: u64) -> Result<(), MeshIoError> {
    for _ in 0..text.count("the number of vertices")? {
        let mut point = [0.0; 3];
        for x in point.iter_mut().take(dimension as usize) {
            *x = text.number("a coordinate")?;
        }
        cells.point(point, text.place())?;
        text.whole("the reference of a vertex")?;
    }
    Ok(())
}

fn section(
    text: &mut Text<'_>,
    cells: &mut Collector,
    shape: Shape,
    nodes: usize,
) -> Result<(), MeshIoError> {
    let mut ids = vec![0; nodes];
    for _ in 0..text.count("the number of cells")? {
        for id in &mut ids {
            let vertex = text.count("a vertex of a cell")?;
            *id = vertex.checked_sub(1).ok_or_else(|| text.error("a vertex of a cell", &0, "1 or more"))?;
        }
        let before = cells.counts();
        if nodes == shape.corners() {
            cells.cell(shape, &ids, text.place())?;
        } else {
            cells.curved(shape, &ids, text.place())?;
        }
        let reference = text.whole("the reference of a cell")?;
        if reference != 0 {
            cells.add_to_part(&format!("{} {reference}", shape.plural()), before, text.place())?;
        }
    }
    Ok(())
}

/// The words of a file, across lines.
struct Text<'a> {
    lines: Lines<'a>,
    words: Option<Words<'a>>,
    /// A word that was looked at and is not read yet; empty for none.
    word: &'a str,
}

impl<'a> Text<'a> {
    fn next_or_end(&mut self) -> Option<&'a str> {
        if !self.word.is_empty() {
            return Some(std::mem::take(&mut self.word));
        }
        loop {
            if let Some(word) = self.words.as_mut().and_then(Words::next) {
                return Some(word);
            }
            self.words = Some(self.lines.next()?);
        }
    }

    fn next(&mut self, what: &str) -> Result<&'a str, MeshIoError> {
        match self.next_or_end() {
            Some(word) => Ok(word),
            None => self.lines.wanted(what).map(|_| ""),
        }
    }

    fn place(&self) -> crate::Place {
        self.words.as_ref().map_or(crate::Place::Unknown, |words| words.place)
    }

    fn error(&self, what: &str, found: &dyn std::fmt::Display, wanted: &str) -> MeshIoError {
        self.lines.error_at(self.place(), what, found, wanted)
    }

    fn parsed<T: std::str::FromStr>(&mut self, what: &str, wanted: &str) -> Result<T, MeshIoError> {
        let word = self.next(what)?;
        word.parse().map_err(|_| self.error(what, &format_args!("{word:?}"), wanted))
    }

    fn count(&mut self, what: &str) -> Result<u64, MeshIoError> {
        self.parsed(what, "a whole number, 0 or more")
    }

    fn whole(&mut self, what: &str) -> Result<i64, MeshIoError> {
        self.parsed(what, "a whole number")
    }

    fn number(&mut self, what: &str) -> Result<f64, MeshIoError> {
        self.parsed(what, "a number")
    }

    /// Passes over the numbers of a section that is no part of the mesh.
    fn skip_numbers(&mut self) {
        while let Some(word) = self.next_or_end() {
            if word.parse::<f64>().is_err() {
                self.word = word;
                return;
            }
        }
    }

    fn nothing_behind(&mut self) -> Result<(), MeshIoError> {
        match self.next_or_end() {
            None => Ok(()),
            Some(word) => Err(self.error("behind End", &format_args!("{word:?}"), "the end of the file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "MeshVersionFormatted 2\n\nDimension\n3\n# a remark\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1e-1 0\n1 1 1 0\n\
        Corners 2\n1 2\nTriangles 1\n1 2 3 7\nTetrahedra\n1\n1 2 3 4 2\nPyramids 1 1 2 5 3 4 0\nTangents 1\n0.5 0.5 -1\nEdges 1\n1 2 0\nEnd\n";

    #[test]
    fn sections_of_every_sort() {
        let contents = read(TEXT.as_bytes(), "a.mesh", &Limits::DEFAULT).unwrap();
        assert_eq!((contents.positions.len(), contents.positions[3].z), (5, 0.1));
        assert_eq!(
            (contents.lines.as_slice(), contents.triangles.as_slice()),
            ([[0, 1]].as_slice(), [[0, 1, 2]].as_slice())
        );
        assert_eq!((contents.tetrahedra[0], contents.tetrahedra.len()), ([0, 1, 2, 3], 3));
        let parts: Vec<&str> = contents.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(parts, ["triangles 7", "tetrahedra 2"]);
        assert_eq!(contents.cut_cells.get("pyramids"), Some(&1));
        // A plane has two coordinates.
        let plane = "MeshVersionFormatted 2 Dimension 2 Vertices 3 0 0 1 1 0 1 0 1 1 Triangles 1 1 2 3 0 End";
        assert_eq!(read(plane.as_bytes(), "a.mesh", &Limits::DEFAULT).unwrap().positions[1].z, 0.0);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |from: &str, to: &str| {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT);
            read(text.as_bytes(), "a.mesh", &Limits::DEFAULT).unwrap_err().to_string()
        };
        assert!(error("MeshVersion", "Version").contains("line 1: the first word is \"VersionFormatted\""));
        assert!(error("Dimension\n3", "Dimension\n4").contains("line 4: the dimension is 4: wanted 2 or 3"));
        assert!(error("0 1 0 0", "0 x 0 0").contains("line 10: a coordinate is \"x\": wanted a number"));
        assert!(error("1 2 3 7", "0 2 3 7").contains("line 16: a vertex of a cell is 0: wanted 1 or more"));
        assert!(error("1 2 3 7", "6 2 3 7").contains("line 16: a vertex of a cell is 5: wanted less than 5"));
        assert!(error("Vertices\n5", "Vertices\n6").contains("line 13: a coordinate is \"Corners\""));
        assert!(error("1e-1", "1e999").contains("line 11: the z of vertex 3 is inf"));
        assert!(
            error("Edges 1\n1 2 0\nEnd\n", "Edges 9\n1 2 0")
                .contains("a vertex of a cell is the end of the file")
        );
        assert!(error("End", "End 1").contains("behind End is \"1\": wanted the end of the file"));
        assert!(error("Corners 2", "!orners 2").contains("line 13: the name of a section is \"!orners\""));
    }
}
