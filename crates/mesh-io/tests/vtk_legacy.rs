//! VTK's legacy format: one mesh in every form that VTK writes it, cut off, damaged, and with counts of billions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_mesh_io::{Contents, Format, MeshIoError, read_bytes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How a file is written.
#[derive(Clone, Copy, Debug)]
struct Form {
    binary: bool,
    /// Cells by offsets, as from version 5 on; by counts otherwise.
    offsets: bool,
    /// An unstructured grid; polygon data otherwise.
    grid: bool,
    /// Lines end with a carriage return; with a line feed otherwise.
    returns: bool,
}

fn forms() -> impl Iterator<Item = Form> {
    (0..16).map(|bits| Form {
        binary: bits & 1 != 0,
        offsets: bits & 2 != 0,
        grid: bits & 4 != 0,
        returns: bits & 8 != 0,
    })
}

/// The bytes of a file in the making.
struct Writer {
    form: Form,
    bytes: Vec<u8>,
}

impl Writer {
    fn text(&mut self, text: &str) {
        let end = if self.form.returns { "\r" } else { "\n" };
        self.bytes.extend(text.replace('\n', end).as_bytes());
    }

    /// The numbers of an array, each given to `encode` in a binary file, and the end of the last line.
    fn numbers<T: Copy + ToString, const N: usize>(&mut self, numbers: &[T], encode: fn(T) -> [u8; N]) {
        if self.form.binary {
            self.bytes.extend(numbers.iter().flat_map(|&x| encode(x)));
        } else {
            let lines: Vec<String> = numbers
                .chunks(9)
                .map(|line| line.iter().map(T::to_string).collect::<Vec<_>>().join(" "))
                .collect();
            self.text(&lines.join(" \n"));
        }
        self.text("\n");
    }

    fn cells(&mut self, keyword: &str, cells: &[&[i32]]) {
        let ids = cells.concat();
        if self.form.offsets {
            let ends = cells.iter().scan(0, |end, cell| {
                *end += cell.len() as i64;
                Some(*end)
            });
            let offsets: Vec<i64> = [0].into_iter().chain(ends).collect();
            self.text(&format!("{keyword} {} {}\nOFFSETS vtktypeint64\n", offsets.len(), ids.len()));
            self.numbers(&offsets, i64::to_be_bytes);
            self.text("CONNECTIVITY vtktypeint64\n");
            let ids: Vec<i64> = ids.into_iter().map(i64::from).collect();
            self.numbers(&ids, i64::to_be_bytes);
        } else {
            let with_counts: Vec<i32> =
                cells.iter().flat_map(|cell| [&[cell.len() as i32], *cell].concat()).collect();
            self.text(&format!("{keyword} {} {}\n", cells.len(), with_counts.len()));
            self.numbers(&with_counts, i32::to_be_bytes);
        }
    }
}

/// The last number has one digit: cut off, it is no other.
const CORNERS: [f32; 15] = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -2.0, 0.1, 3.0];

/// What VTK writes behind points whose range it has computed.
const REMARKS: &str = "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 3\n\n";

/// Two segments, a triangle, a quadrilateral and a strip of two; a tetrahedron and a pyramid too, in a grid.
fn file(form: Form) -> Vec<u8> {
    let version = if form.offsets { "5.1" } else { "4.2" };
    let encoding = if form.binary { "BINARY" } else { "ASCII" };
    let set = if form.grid { "UNSTRUCTURED_GRID" } else { "POLYDATA" };
    let mut file = Writer { form, bytes: Vec::new() };
    file.text(&format!("# vtk DataFile Version {version}\nvtk output\n{encoding}\nDATASET {set}\n"));
    file.text("FIELD FieldData 2\nTimeValue 1 1 double\n");
    file.numbers(&[0.5], f64::to_be_bytes);
    file.text("units 1 1 string\n");
    if form.binary {
        file.text("\n"); // A length is a byte with its two high bits set.
        let end = file.bytes.len() - 1;
        file.bytes[end] = 0xc0 | 2;
    }
    file.text("mm\nPOINTS 5 float\n");
    file.numbers(&CORNERS, f32::to_be_bytes);
    file.text(REMARKS);
    let [line, triangle, quadrilateral, strip]: [&[i32]; 4] =
        [&[0, 1, 4], &[0, 2, 1], &[0, 1, 2, 3], &[0, 1, 2, 3]];
    if form.grid {
        let cells = [line, triangle, quadrilateral, strip, &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[4]];
        file.cells("CELLS", &cells);
        file.text("CELL_TYPES 7\n");
        file.numbers(&[4, 5, 9, 6, 10, 14, 1], i32::to_be_bytes);
    } else {
        file.cells("VERTICES", &[&[4], &[0, 1]]);
        file.cells("LINES", &[line]);
        file.cells("POLYGONS", &[triangle, quadrilateral]);
        file.cells("TRIANGLE_STRIPS", &[strip]);
    }
    file.bytes
}

fn read(bytes: &[u8]) -> Result<Contents, MeshIoError> {
    read_bytes(bytes, Format::VtkLegacy, "a.vtk")
}

#[test]
fn every_form_holds_the_same_mesh() {
    for form in forms() {
        let mut bytes = file(form);
        let contents = read(&bytes).unwrap_or_else(|error| panic!("{form:?}: {error}"));
        let coordinates: Vec<f64> = contents.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        assert_eq!(coordinates, CORNERS.map(f64::from), "{form:?}");
        assert_eq!(contents.lines, [[0, 1], [1, 4]], "{form:?}");
        assert_eq!(contents.triangles[0], [0, 2, 1], "{form:?}");
        assert_eq!(contents.triangles[3..], [[0, 1, 2], [2, 1, 3]], "{form:?}");
        assert_eq!(contents.split_polygons, 1, "{form:?}");
        let cells = "5 points, 2 lines, 5 triangles";
        let solid = ", 3 tetrahedra, 1 pyramids cut into tetrahedra";
        assert_eq!(contents.summary(), format!("{cells}{}", if form.grid { solid } else { "" }), "{form:?}");
        // What follows the mesh is not looked at.
        bytes.extend(b"\nPOINT_DATA 5\nSCALARS s float 1\nLOOKUP_TABLE default\n1 2 \xff");
        assert_eq!(read(&bytes).unwrap(), contents, "{form:?}");
    }
}

/// A file that is cut off between two sections is whole, as far as it goes; anywhere else it is an error.
#[test]
fn files_that_are_cut_off_are_errors() {
    for form in forms() {
        let whole = file(form);
        let contents = read(&whole).unwrap();
        let (mut refused, mut accepted) = (0, 0);
        for length in 0..whole.len() {
            match read(&whole[..length]) {
                Ok(part) => {
                    assert_eq!(part.positions, contents.positions, "{form:?} cut at {length}");
                    assert!(contents.lines.starts_with(&part.lines), "{form:?} cut at {length}");
                    assert!(contents.triangles.starts_with(&part.triangles), "{form:?} cut at {length}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("a.vtk"), "{error}");
                    refused += 1;
                }
            }
        }
        // Behind the points and behind every section that may be the last one, with and without the end of the line, but for
        // the whole file; and anywhere in the remarks but within their first word.
        let sections = if form.grid { 2 } else { 5 };
        let expected = 2 * sections - 1 + REMARKS.len() - "METADAT".len();
        assert_eq!((accepted, refused), (expected, whole.len() - expected), "{form:?}");
    }
}

/// Bytes changed to others, one to three in a copy.
#[test]
fn changed_bytes_are_read_or_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(23);
    let (mut refused, mut accepted) = (0, 0);
    for form in forms() {
        let whole = file(form);
        for _ in 0..1000 {
            let mut copy = whole.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..copy.len());
                copy[at] = random.random_range(0..=255);
            }
            match read(&copy) {
                Ok(contents) => {
                    assert!(contents.positions.len() <= copy.len() && contents.triangles.len() <= copy.len());
                    // Coordinates may be infinite now; that is said, not a panic.
                    let _ = contents.into_mesh();
                    accepted += 1;
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("a.vtk"), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 4000 && accepted > 1000, "{refused} refused, {accepted} read");
}

/// Every count of a file, replaced by a greater one, is refused before anything of that size is allocated.
#[test]
fn counts_are_not_trusted() {
    let keywords = [
        "FieldData",
        "TimeValue 1",
        "units 1",
        "POINTS",
        "CELLS",
        "CELL_TYPES",
        "LINES",
        "POLYGONS",
        "TRIANGLE_STRIPS",
    ];
    let mut refused = 0;
    for form in forms() {
        let whole = file(form);
        for keyword in keywords {
            let behind = whole.windows(keyword.len()).position(|part| part == keyword.as_bytes());
            let Some(start) = behind.map(|at| at + keyword.len() + 1) else { continue };
            // One count, or two on a line.
            let digits = |at: usize| whole[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let second = start + digits(start);
            let starts = [Some(start), (whole[second] == b' ').then_some(second + 1)];
            for start in starts.into_iter().flatten().filter(|&start| digits(start) > 0) {
                let end = start + digits(start);
                for count in
                    ["999", "2147483647", "4294967297", "6148914691236517206", "18446744073709551615", "-1"]
                {
                    let copy = [&whole[..start], count.as_bytes(), &whole[end..]].concat();
                    let error = read(&copy).expect_err(keyword).to_string();
                    assert!(error.starts_with("a.vtk, "), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 300, "{refused} refused");
}
