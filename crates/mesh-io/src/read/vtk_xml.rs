//! VTK's XML format: unstructured grids (`.vtu`) and polygon data (`.vtp`).

use super::arrays::Encoding;
use super::vtk_cell::{UNSTRUCTURED_OR_POLYGONS, cell};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use roxmltree::{Document, Node};

pub(super) fn read(bytes: &[u8], format: Format, file: &str) -> Result<Contents, MeshIoError> {
    let (text, raw) = without_raw_bytes(bytes);
    let text = String::from_utf8_lossy(&text);
    let document = Document::parse(&text).map_err(|error| {
        let place = Place::Line(error.pos().row as usize);
        syntax(file, place, "the file", &format_args!("no XML ({error})"), "VTK's XML format")
    })?;
    let root = document.root_element();
    let encoding = encoding(root, raw, file)?;
    let mut cells = Collector::new(file, format);
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
            reading.each("Lines", |ids, place| cells.polyline(ids, place))?;
            reading.each("Polys", |ids, place| cells.polygon(ids, place))?;
            reading.each("Strips", |ids, place| cells.strip(ids, place))?;
        } else {
            let kinds = match reading.part("Cells") {
                Some(part) => reading.array(part, "types")?,
                None => Vec::new(),
            };
            let mut kinds = kinds.into_iter();
            reading.each("Cells", |ids, place| {
                let kind = kinds
                    .next()
                    .ok_or_else(|| syntax(file, place, "the type of a cell", &"missing", "a number"))?;
                cell(&mut cells, kind as u64, ids, place)
            })?;
        }
    }
    cells.finish()
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
) -> Result<Encoding<'a>, MeshIoError> {
    let compressed = match root.attribute("compressor") {
        None | Some("") => false,
        Some("vtkZLibDataCompressor") => true,
        Some(other) => {
            let (file, found) = (file.to_owned(), other.to_owned());
            return Err(MeshIoError::Unsupported {
                file,
                what: "the compressor",
                found,
                wanted: "vtkZLibDataCompressor",
            });
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
        compressed,
        appended: raw.map(|bytes| (bytes, true)).or_else(written),
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
        syntax(self.encoding.file, place_of(node), what, found, wanted)
    }

    fn points(&self, cells: &mut Collector) -> Result<(), MeshIoError> {
        let Some(part) = self.part("Points") else { return Ok(()) };
        let Some(array) = part.children().find(|node| node.has_tag_name("DataArray")) else { return Ok(()) };
        let numbers = self.encoding.numbers(array)?;
        if !numbers.len().is_multiple_of(3) {
            return Err(self.error(
                array,
                "the number of coordinates",
                &numbers.len(),
                "a multiple of three",
            ));
        }
        numbers.chunks_exact(3).for_each(|p| cells.point([p[0], p[1], p[2]]));
        Ok(())
    }

    fn array(&self, part: Node<'_, '_>, name: &str) -> Result<Vec<f64>, MeshIoError> {
        let array = part
            .children()
            .find(|node| node.has_tag_name("DataArray") && node.attribute("Name") == Some(name))
            .ok_or_else(|| self.error(part, name, &"missing", "a DataArray of that name"))?;
        self.encoding.numbers(array)
    }

    /// The vertices of each cell of a part.
    fn each(
        &self,
        name: &str,
        mut add: impl FnMut(&[u64], Place) -> Result<(), MeshIoError>,
    ) -> Result<(), MeshIoError> {
        let Some(part) = self.part(name) else { return Ok(()) };
        if !part.children().any(|node| node.has_tag_name("DataArray")) {
            return Ok(());
        }
        let whole = |x: f64| {
            // Large integers that are exact: more than the vertices of any mesh.
            let is_whole = x >= 0.0 && x.fract() == 0.0 && x < 9e15;
            if is_whole {
                Ok(x as u64)
            } else {
                Err(self.error(part, "a vertex or an offset", &x, "a whole number"))
            }
        };
        let connectivity: Vec<u64> =
            self.array(part, "connectivity")?.into_iter().map(whole).collect::<Result<_, _>>()?;
        let mut start = 0_usize;
        for end in self.array(part, "offsets")? {
            let end = whole(end)?;
            let range = start..usize::try_from(end).unwrap_or(usize::MAX);
            let Some(ids) = connectivity.get(range.clone()) else {
                let wanted = format!("{start} to {}", connectivity.len());
                return Err(self.error(part, "the offset of a cell", &end, &wanted));
            };
            let ids: Vec<u64> = ids.iter().map(|id| id.saturating_add(self.base)).collect();
            add(&ids, place_of(part))?;
            start = range.end;
        }
        Ok(())
    }
}

fn place_of(node: Node<'_, '_>) -> Place {
    Place::Line(node.document().text_pos_at(node.range().start).row as usize)
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
        let contents = read(bytes, Format::Vtu, "a.vtu").unwrap();
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
        let error = |text: &str| read(text.as_bytes(), Format::Vtu, "a.vtu").unwrap_err().to_string();
        assert!(error("<VTKFile").starts_with("a.vtu, line 1: the file is no XML"));
        let points = "<DataArray type=\"Float32\" format=\"ascii\">0 0 x</DataArray>";
        assert!(
            error(&grid("", points, "")).contains("line 6: a number of an array is \"x\": wanted a number")
        );
        let points = "<DataArray type=\"Float32\" format=\"binary\">//////////8=</DataArray>";
        assert!(error(&grid("", points, "")).contains("the data of an array is cut off or damaged"));
        assert!(
            error(&grid("compressor=\"vtkLZMADataCompressor\"", "", ""))
                .contains("the compressor is vtkLZMA")
        );
        assert!(error(&grid("", "", "")).contains("a vertex of a cell is 3: wanted less than 0"));
    }
}
