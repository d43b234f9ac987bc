//! VTK's XML format: unstructured grids (`.vtu`) and polygon data (`.vtp`).

use super::arrays::Encoding;
use super::compressor::Compressor;
use super::lines::without_mark;
use super::vtk_cell::{UNSTRUCTURED_OR_POLYGONS, cell};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;
use roxmltree::{Document, Node};
use std::cell::Cell;

pub(super) fn read(
    bytes: &[u8],
    format: Format,
    file: &str,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let (text, raw) = without_raw_bytes(without_mark(bytes));
    let text = String::from_utf8_lossy(&text);
    not_too_rich(&text, file)?;
    let document = Document::parse(&text).map_err(|error| {
        let place = Place::Line(error.pos().row as usize);
        syntax(file, place, "the file", &format_args!("no XML ({error})"), "VTK's XML format")
    })?;
    let root = document.root_element();
    let encoding = encoding(root, raw, file, limits.expansion(bytes.len() as u64))?;
    let mut cells = Collector::new(file, format, limits);
    let Some(set) =
        root.children().find(|node| node.has_tag_name("UnstructuredGrid") || node.has_tag_name("PolyData"))
    else {
        let found = root.attribute("type").unwrap_or("unknown").to_owned();
        let file = file.to_owned();
        return Err(MeshIoError::Unsupported {
            file,
            what: "the data set",
            found,
            wanted: UNSTRUCTURED_OR_POLYGONS,
        });
    };
    for piece in set.children().filter(|node| node.has_tag_name("Piece")) {
        let reading = Reading { encoding: &encoding, piece, base: cells.point_count() as u64 };
        reading.points(&mut cells)?;
        if set.has_tag_name("PolyData") {
            reading.each("Lines", "NumberOfLines", |_, ids, place| cells.polyline(ids, place))?;
            reading.each("Polys", "NumberOfPolys", |_, ids, place| cells.polygon(ids, place))?;
            reading.each("Strips", "NumberOfStrips", |_, ids, place| cells.strip(ids, place))?;
        } else {
            let kinds = reading.whole("Cells", "types", reading.count("NumberOfCells")?)?;
            reading.each("Cells", "NumberOfCells", |index, ids, place| {
                cell(&mut cells, kinds[index], ids, place)
            })?;
        }
    }
    cells.finish()
}

/// Attributes of an element, and namespaces of a file, at most; no writer has nearly as many. The parser takes time or
/// memory with their square.
const ATTRIBUTES: usize = 256;
const NAMESPACES: usize = 16;

/// An error if an element has too many attributes, or the file too many namespaces.
fn not_too_rich(text: &str, file: &str) -> Result<(), MeshIoError> {
    let (mut line, mut place) = (1, None);
    for tag in text.split_inclusive('<') {
        // No value has the character that begins a tag.
        let quotes = tag.bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
        if quotes > 2 * ATTRIBUTES {
            place = Some((
                Place::Line(line),
                "the number of quotation marks of an element",
                quotes,
                2 * ATTRIBUTES,
            ));
            break;
        }
        line += tag.bytes().filter(|&byte| byte == b'\n').count();
    }
    let namespaces = text.matches("xmlns").count();
    if namespaces > NAMESPACES {
        place = Some((Place::Unknown, "the number of namespaces", namespaces, NAMESPACES));
    }
    let Some((place, what, found, most)) = place else { return Ok(()) };
    Err(syntax(file, place, what, &found, &format!("{most} or fewer")))
}

/// The file without the raw bytes that may be appended, which are no XML, and those bytes.
fn without_raw_bytes(bytes: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let find = |what: &[u8], from: usize| {
        bytes.get(from..)?.windows(what.len()).position(|window| window == what).map(|at| from + at)
    };
    let last = |what: &[u8]| bytes.windows(what.len()).rposition(|window| window == what);
    let cut = || {
        let tag = find(b"<AppendedData", 0)?;
        let open = find(b">", tag)?;
        let is_raw = bytes[tag..open].windows(3).any(|window| window == b"raw");
        let start = find(b"_", open)? + 1;
        let end = last(b"</AppendedData>").filter(|&end| end >= start)?;
        is_raw.then_some((start, end))
    };
    match cut() {
        Some((start, end)) => ([&bytes[..start], &bytes[end..]].concat(), Some(&bytes[start..end])),
        None => (bytes.to_vec(), None),
    }
}

fn encoding<'a>(
    root: Node<'a, 'a>,
    raw: Option<&'a [u8]>,
    file: &'a str,
    expansion: u64,
) -> Result<Encoding<'a>, MeshIoError> {
    let compressor = match root.attribute("compressor") {
        None | Some("") => None,
        Some(name) => {
            let unknown = || MeshIoError::Unsupported {
                file: file.to_owned(),
                what: "the compressor",
                found: name.to_owned(),
                wanted: Compressor::NAMES,
            };
            Some(Compressor::named(name).ok_or_else(unknown)?)
        }
    };
    let written = || {
        let node = root.children().find(|node| node.has_tag_name("AppendedData"))?;
        let text = node.text()?.trim_start().strip_prefix('_')?;
        Some((text.as_bytes(), false))
    };
    Ok(Encoding {
        file,
        big_endian: root.attribute("byte_order") == Some("BigEndian"),
        header_size: if root.attribute("header_type") == Some("UInt64") { 8 } else { 4 },
        compressor,
        appended: raw.map(|bytes| (bytes, true)).or_else(written),
        expansion,
        expanded: Cell::new(0),
        ends_of_lines: root.document().input_text().match_indices('\n').map(|(end, _)| end).collect(),
    })
}

/// One piece of the data set.
struct Reading<'a, 'd> {
    encoding: &'a Encoding<'a>,
    piece: Node<'d, 'd>,
    /// The number of its first point.
    base: u64,
}

impl<'d> Reading<'_, 'd> {
    fn part(&self, name: &str) -> Option<Node<'d, 'd>> {
        self.piece.children().find(|node| node.has_tag_name(name))
    }

    fn error(
        &self,
        node: Node<'_, '_>,
        what: &str,
        found: &dyn std::fmt::Display,
        wanted: &str,
    ) -> MeshIoError {
        syntax(self.encoding.file, self.encoding.place(node), what, found, wanted)
    }

    /// A number that the piece declares; zero if it does not.
    fn count(&self, name: &str) -> Result<u64, MeshIoError> {
        let Some(text) = self.piece.attribute(name) else { return Ok(0) };
        let wanted = "a whole number, 0 or more";
        text.trim().parse().map_err(|_| self.error(self.piece, name, &format_args!("{text:?}"), wanted))
    }

    fn points(&self, cells: &mut Collector) -> Result<(), MeshIoError> {
        let count = self.count("NumberOfPoints")?;
        let array =
            self.part("Points").and_then(|part| part.children().find(|node| node.has_tag_name("DataArray")));
        let Some(array) = array else { return self.nothing("Points", count) };
        if let Some(found) = array.attribute("NumberOfComponents").filter(|found| found.trim() != "3") {
            return Err(self.error(array, "the number of components of a point", &found, "3"));
        }
        let place = self.encoding.place(array);
        let numbers = self.encoding.numbers(array, count.saturating_mul(3))?;
        numbers.chunks_exact(3).try_for_each(|p| cells.point([p[0], p[1], p[2]], place))
    }

    /// An error where the piece declares cells or points that it does not have.
    fn nothing(&self, part: &str, count: u64) -> Result<(), MeshIoError> {
        if count == 0 {
            return Ok(());
        }
        Err(self.error(self.piece, part, &"missing or empty", &format!("{count}, as the piece declares")))
    }

    /// The whole numbers of an array of a part. Errors: no such array; another number of them.
    fn whole(&self, part: &str, name: &str, count: u64) -> Result<Vec<u64>, MeshIoError> {
        let Some(part) = self.part(part) else { return self.nothing(part, count).map(|()| Vec::new()) };
        let array = part
            .children()
            .find(|node| node.has_tag_name("DataArray") && node.attribute("Name") == Some(name));
        let array = match array {
            None if count == 0 => return Ok(Vec::new()),
            array => array.ok_or_else(|| self.error(part, name, &"missing", "a DataArray of that name"))?,
        };
        let whole = |x: f64| {
            // Large integers that are exact: more than the vertices of any mesh.
            let is_whole = x >= 0.0 && x.fract() == 0.0 && x < 9e15;
            if is_whole {
                Ok(x as u64)
            } else {
                Err(self.error(array, "a vertex, an offset or a type", &x, "a whole number"))
            }
        };
        self.encoding.numbers(array, count)?.into_iter().map(whole).collect()
    }

    /// The number and the vertices of each cell of a part.
    fn each(
        &self,
        name: &str,
        count: &str,
        mut add: impl FnMut(usize, &[u64], Place) -> Result<(), MeshIoError>,
    ) -> Result<(), MeshIoError> {
        let offsets = self.whole(name, "offsets", self.count(count)?)?;
        let (Some(part), Some(&last)) = (self.part(name), offsets.last()) else { return Ok(()) };
        let connectivity = self.whole(name, "connectivity", last)?;
        let (mut start, place) = (0_usize, self.encoding.place(part));
        for (index, &end) in offsets.iter().enumerate() {
            let range = start..usize::try_from(end).unwrap_or(usize::MAX);
            let Some(ids) = connectivity.get(range.clone()) else {
                let wanted = format!("{start} to {}", connectivity.len());
                return Err(self.error(part, "the offset of a cell", &end, &wanted));
            };
            let ids: Vec<u64> = ids.iter().map(|id| id.saturating_add(self.base)).collect();
            add(index, &ids, place)?;
            start = range.end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(attributes: &str, points: &str, appended: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" {attributes}>\n<UnstructuredGrid>\n\
             <Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">\n<Points>\n{points}\n</Points>\n<Cells>\n\
             <DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n\
             <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 7</DataArray>\n\
             <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 5</DataArray>\n\
             </Cells>\n</Piece>\n</UnstructuredGrid>\n{appended}</VTKFile>\n"
        )
    }

    const CORNERS: [f32; 12] = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let all =
                group.iter().chain(&[0, 0]).take(3).fold(0_u32, |all, &byte| all << 8 | u32::from(byte));
            for digit in 0..4 {
                let index = (all >> (18 - 6 * digit)) as usize & 63;
                text.push(if digit <= group.len() { DIGITS[index] as char } else { '=' });
            }
        }
        text
    }

    fn check(bytes: &[u8]) {
        let contents = read(bytes, Format::Vtu, "a.vtu", &Limits::DEFAULT).unwrap();
        assert_eq!((contents.positions.len(), contents.positions[1].x), (4, 1.5));
        assert_eq!(
            (contents.tetrahedra.as_slice(), contents.triangles.as_slice()),
            ([[0, 1, 2, 3]].as_slice(), [[0, 1, 2]].as_slice())
        );
    }

    #[test]
    fn ascii_binary_appended_and_compressed_arrays() {
        let array = |format: &str, data: &str| {
            format!(
                "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"{format}\" offset=\"0\">{data}</DataArray>"
            )
        };
        let ascii = CORNERS.map(|x| x.to_string()).join(" ");
        check(grid("byte_order=\"LittleEndian\"", &array("ascii", &ascii), "").as_bytes());
        let little: Vec<u8> = CORNERS.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut bare = 48_u32.to_le_bytes().to_vec();
        bare.extend(&little);
        check(grid("byte_order=\"LittleEndian\"", &array("binary", &base64(&bare)), "").as_bytes());
        let mut wide = 48_u64.to_be_bytes().to_vec();
        wide.extend(CORNERS.iter().flat_map(|x| x.to_be_bytes()));
        let big = "byte_order=\"BigEndian\" header_type=\"UInt64\"";
        check(grid(big, &array("binary", &base64(&wide)), "").as_bytes());
        let written = format!("<AppendedData encoding=\"base64\">\n _{}\n</AppendedData>", base64(&bare));
        check(grid("byte_order=\"LittleEndian\"", &array("appended", ""), &written).as_bytes());
        let raw = grid(
            "byte_order=\"LittleEndian\"",
            &array("appended", ""),
            "<AppendedData encoding=\"raw\">_@</AppendedData>",
        );
        let at = raw.find('@').unwrap();
        check(&[&raw.as_bytes()[..at], &bare, &raw.as_bytes()[at + 1..]].concat());
        let packed = {
            use std::io::Read;
            let mut packed = Vec::new();
            flate2::read::ZlibEncoder::new(little.as_slice(), flate2::Compression::default())
                .read_to_end(&mut packed)
                .unwrap();
            packed
        };
        let head: Vec<u8> = [1, 48, 0, packed.len() as u32].iter().flat_map(|x| x.to_le_bytes()).collect();
        let compressed = "byte_order=\"LittleEndian\" compressor=\"vtkZLibDataCompressor\"";
        check(grid(compressed, &array("binary", &(base64(&head) + &base64(&packed))), "").as_bytes());
    }

    #[test]
    fn damage_is_named() {
        let error = |text: &str| {
            read(text.as_bytes(), Format::Vtu, "a.vtu", &Limits::DEFAULT).unwrap_err().to_string()
        };
        assert!(error("<VTKFile").starts_with("a.vtu, line 1: the file is no XML"));
        let attributes: String = (0..300).map(|k| format!(" a{k}=\"1\"")).collect();
        let rich = error(&grid(&attributes, "", ""));
        assert!(
            rich.contains("line 2: the number of quotation marks of an element is 604: wanted 512"),
            "{rich}"
        );
        let spaces: String = (0..20).map(|k| format!(" xmlns:a{k}=\"b\"")).collect();
        assert!(error(&grid(&spaces, "", "")).contains("the number of namespaces is 20: wanted 16 or fewer"));
        let points = "<DataArray type=\"Float32\" format=\"ascii\">0 0 x</DataArray>";
        assert!(
            error(&grid("", points, "")).contains("line 6: a number of an array is \"x\": wanted a number")
        );
        let points = "<DataArray type=\"Float32\" format=\"binary\">//////////8=</DataArray>";
        assert!(error(&grid("", points, "")).contains(
            "line 6: the number of bytes of an array is 4294967295: wanted 48, as the piece declares"
        ));
        assert!(
            error(&grid("compressor=\"vtkZstdDataCompressor\"", "", ""))
                .contains("the compressor is vtkZstd")
        );
        let missing = "line 4: Points is missing or empty: wanted 4, as the piece declares";
        assert!(error(&grid("", "", "")).contains(missing));
        let three = "<DataArray type=\"Float32\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray>";
        assert!(
            error(&grid("", three, "")).contains("line 6: the number of values of an array is 9: wanted 12")
        );
        let four = three.replace("0</", "0 0 <!-- a remark --> 1 nan</");
        assert!(error(&grid("", &four, "")).contains("line 6: the z of vertex 3 is NaN"));
        let whole =
            |from: &str, to: &str| error(&grid("", &four.replace("nan", "0"), "").replacen(from, to, 1));
        assert!(
            whole("2 3 0 1 2<", "2 3 0 1<")
                .contains("line 9: the number of values of an array is 6: wanted 7")
        );
        assert!(
            whole("2 3 0 1 2<", "2 3 0 1 4<").contains("line 8: a vertex of a cell is 4: wanted less than 4")
        );
        assert!(whole("4 7", "7 4").contains("line 9: the number of values of an array is 7: wanted 4"));
        assert!(whole("10 5", "10 5 5").contains("line 11: the number of values of an array is 3: wanted 2"));
        assert!(whole("10 5", "10 -5").contains("line 11: a vertex, an offset or a type is -5"));
    }
}
