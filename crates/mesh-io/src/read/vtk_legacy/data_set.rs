//! A whole file, by the sections of its data set.

use super::cell_lists::CellLists;
use super::field::{skip_field, skip_metadata};
use super::head::{DataSet, head};
use super::input::Input;
use super::numbers::{NumberType, Numbers, number_type};
use crate::cells::Collector;
use crate::read::vtk_cell::cell;
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;

/// Reads a file. What stands behind the mesh, the data of its points and cells, is not looked at.
pub(in crate::read) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut input = Input::new(file, bytes);
    let mut cells = Collector::new(file, Format::VtkLegacy, limits);
    match head(&mut input)? {
        DataSet::PolygonData => polygon_data(&mut input, &mut cells)?,
        DataSet::UnstructuredGrid => unstructured_grid(&mut input, &mut cells)?,
    }
    cells.finish()
}

/// The sections of a data set, in any order, each at most once; field data may stand between them.
struct Sections {
    known: &'static [&'static str],
    seen: Vec<&'static str>,
}

impl Sections {
    fn new(known: &'static [&'static str]) -> Self {
        Self { known, seen: Vec::new() }
    }

    /// The keyword of the next section; `None` where the mesh ends. Errors: another word, a second section of a kind, no points.
    fn next(&mut self, input: &mut Input<'_>) -> Result<Option<&'static str>, MeshIoError> {
        while let Some(word) = input.next() {
            if word.is("FIELD") {
                skip_field(input)?;
            } else if word.is("POINT_DATA") || word.is("CELL_DATA") {
                break;
            } else {
                let left = self.known.iter().copied().filter(|known| !self.seen.contains(known));
                let Some(known) = left.clone().find(|known| word.is(known)) else {
                    let wanted =
                        left.chain(["FIELD", "POINT_DATA", "CELL_DATA"]).collect::<Vec<_>>().join(", ");
                    return Err(word.error("the keyword of a section", &wanted));
                };
                self.seen.push(known);
                return Ok(Some(known));
            }
        }
        if self.seen.contains(&"POINTS") {
            return Ok(None);
        }
        Err(input.error("the section POINTS", &"missing", "a section before this place"))
    }
}

fn polygon_data(input: &mut Input<'_>, cells: &mut Collector) -> Result<(), MeshIoError> {
    let mut sections = Sections::new(&["POINTS", "VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS"]);
    while let Some(section) = sections.next(input)? {
        match section {
            "POINTS" => points(input, cells)?,
            "LINES" => CellLists::read(input)?.each(|_, ids, place| cells.polyline(ids, place))?,
            "POLYGONS" => CellLists::read(input)?.each(|_, ids, place| cells.polygon(ids, place))?,
            "TRIANGLE_STRIPS" => CellLists::read(input)?.each(|_, ids, place| cells.strip(ids, place))?,
            // Vertices are no cells of a mesh; they are there already.
            _ => drop(CellLists::read(input)?),
        }
    }
    Ok(())
}

fn unstructured_grid(input: &mut Input<'_>, cells: &mut Collector) -> Result<(), MeshIoError> {
    let (mut lists, mut types) = (None, None);
    let mut sections = Sections::new(&["POINTS", "CELLS", "CELL_TYPES"]);
    while let Some(section) = sections.next(input)? {
        match section {
            "POINTS" => points(input, cells)?,
            "CELLS" => lists = Some(CellLists::read(input)?),
            _ => {
                let count = input.count("the number of cell types")?;
                let words = ["cell types", "the type of a cell"];
                types = Some(Numbers::read(input, NumberType::Signed(4), count, words)?);
            }
        }
    }
    let count = |length: Option<usize>| length.unwrap_or_default();
    let (listed, typed) =
        (count(lists.as_ref().map(CellLists::len)), count(types.as_ref().map(|types| types.values.len())));
    if listed != typed {
        return Err(cells.syntax(Place::Unknown, "the number of cell types", &typed, &listed.to_string()));
    }
    let (Some(lists), Some(types)) = (lists, types) else { return Ok(()) };
    lists.each(|index, ids, place| cell(cells, types.whole(index, "the type of a cell")?, ids, place))
}

fn points(input: &mut Input<'_>, cells: &mut Collector) -> Result<(), MeshIoError> {
    let count = input.count("the number of points")?;
    let kind = number_type(input, "the type of the points")?;
    let numbers = Numbers::read(input, kind, count.saturating_mul(3), ["coordinates", "a coordinate"])?;
    for (index, p) in numbers.values.chunks_exact(3).enumerate() {
        cells.point([p[0], p[1], p[2]], numbers.place(3 * index))?;
    }
    skip_metadata(input, 3);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# vtk DataFile Version 3.0\na test\nASCII\n";

    fn error(text: &str) -> String {
        read(text.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap_err().to_string()
    }

    #[test]
    fn polygon_data_with_lines_and_strips() {
        let text = format!(
            "{HEAD}DATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0\n1 1 0.1 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\nLINES 1 4\n3 0 1 2\n\
             TRIANGLE_STRIPS 1 5\n4 0 1 3 2\nVERTICES 2 4 1 0 1 3\nPOINT_DATA 4\nwhatever"
        );
        let contents = read(text.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.positions[2].z, 0.1);
        assert_eq!(contents.triangles, [[1, 2, 3], [0, 1, 3], [0, 1, 3], [3, 1, 2]]);
        assert_eq!(contents.lines, [[0, 1], [1, 2]]);
        // In small letters, with the ends of lines of another system, behind a byte order mark.
        let small = format!(
            "\u{feff}{}",
            text.to_lowercase().replace('\n', "\r\n").replacen("datafile", "DataFile", 1)
        );
        assert_eq!(read(small.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap(), contents);
    }

    #[test]
    fn unstructured_grids_in_both_versions_of_cells() {
        let points = "DATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n";
        let old = format!("{HEAD}{points}CELLS 3 11\n4 0 1 2 3\n3 0 1 2\n1 0\nCELL_TYPES 3\n10 5 1\n");
        let contents = read(old.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap();
        assert_eq!((contents.tetrahedra.len(), contents.triangles.len()), (1, 1));
        let head = HEAD.replace("3.0", "5.1");
        let new = format!(
            "{head}{points}CELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1 2\nCELL_TYPES 2\n10 5\n"
        );
        let contents = read(new.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap();
        assert_eq!(
            (contents.tetrahedra.as_slice(), contents.triangles.len()),
            ([[0, 1, 2, 3]].as_slice(), 1)
        );
        // Points without cells.
        let contents =
            read(format!("{HEAD}{points}CELL_DATA 0\n").as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.summary(), "4 points");
    }

    #[test]
    fn field_data_and_remarks_are_passed_over() {
        let text = format!(
            "{HEAD}DATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS 1 int\n1 -2 3\n\
             METADATA\nCOMPONENT_NAMES\n\n\nz\n\nFIELD FieldData 0\nVERTICES 1 2\n1 0\n"
        );
        let contents = read(text.as_bytes(), "a.vtk", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.positions, [[1.0, -2.0, 3.0].into()]);
    }

    #[test]
    fn damage_of_sections_is_named() {
        let polygons = |text: &str| error(&format!("{HEAD}DATASET POLYDATA\n{text}"));
        assert_eq!(
            polygons("POINTS 1 float\n0 0 0\nPOLYGONS 1 4\n3 0 0 7\n"),
            "a.vtk, line 8: a vertex of a cell is 7: wanted less than 1, the number of vertices (counted from 0)"
        );
        assert!(polygons("LINES 0 0\n").contains("line 6: the section POINTS is missing"));
        assert!(polygons("POINTS 1 string\n").contains("line 5: the type of the points is \"string\""));
        assert!(polygons("POINTS 1 float\n0 0 ?").contains("line 6: a coordinate is \"?\": wanted a number"));
        assert!(
            polygons("POINTS 1 float\n0 0").contains("the number of coordinates is 3: wanted 2 or fewer")
        );
        assert!(
            polygons("POINTS 18446744073709551615 float\n0 0 0")
                .contains("line 5: the number of coordinates")
        );
        let wanted = "wanted VERTICES, LINES, POLYGONS, TRIANGLE_STRIPS, FIELD, POINT_DATA, CELL_DATA";
        let second = "POINTS 0 float\nPOINTS 0 float\n";
        assert_eq!(
            polygons(second),
            format!("a.vtk, line 6: the keyword of a section is \"POINTS\": {wanted}")
        );
        assert!(
            polygons("POINTS 0 float\nCELLS 0 0\n").contains("line 6: the keyword of a section is \"CELLS\"")
        );
        let grid =
            |text: &str| error(&format!("{HEAD}DATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\n{text}"));
        assert!(grid("CELLS 1 2\n1 0\n").contains("the number of cell types is 0: wanted 1"));
        assert!(
            grid("CELLS 1 2\n1 0\nCELL_TYPES 2\n1 1\n").contains("the number of cell types is 2: wanted 1")
        );
        assert!(grid("CELLS 1 2\n1 0\nCELL_TYPES 1\n-1\n").contains("line 10: the type of a cell is -1"));
    }
}
