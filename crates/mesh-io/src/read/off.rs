//! The object file format of Geomview, in ASCII: `OFF`, also with colours (`COFF`) and normals (`NOFF`).

use super::lines::Lines;
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};

pub(super) fn read(bytes: &[u8], file: &str) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(file, Format::Off);
    let mut lines = Lines::new(file, bytes, Some(b'#'));
    let mut words = lines.wanted("the first line")?;
    match words.next() {
        Some("OFF" | "COFF" | "NOFF" | "CNOFF") => {}
        found => {
            return Err(words.error(
                "the first word",
                &format_args!("{:?}", found.unwrap_or_default()),
                "OFF",
            ));
        }
    }
    // The counts may follow on the same line.
    let mut rest = words.clone();
    match rest.next() {
        Some("BINARY") => {
            let (file, found) = (file.to_owned(), "BINARY".to_owned());
            return Err(MeshIoError::Unsupported { file, what: "the encoding", found, wanted: "ASCII" });
        }
        Some(_) => {}
        None => words = lines.wanted("the counts")?,
    }
    let (points, faces) = (words.count("the number of vertices")?, words.count("the number of faces")?);
    for _ in 0..points {
        cells.point(lines.wanted("a vertex")?.point()?);
    }
    let mut ids = Vec::new();
    for _ in 0..faces {
        let mut words = lines.wanted("a face")?;
        let corners = words.count("the number of corners")?;
        ids.clear();
        // Colours may follow; a count larger than the line ends in an error.
        for _ in 0..corners {
            ids.push(words.count("a corner")?);
        }
        cells.polygon(&ids, words.place)?;
    }
    cells.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_on_either_line_and_colours() {
        for head in ["OFF\n4 1 0\n", "COFF 4 1 0\n"] {
            let text =
                format!("{head}0 0 0 255 0 0\n# a remark\n1 0 0\r\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n");
            let contents = read(text.as_bytes(), "a.off").unwrap();
            assert_eq!(contents.triangles, [[0, 1, 2], [0, 2, 3]]);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text.as_bytes(), "a.off").unwrap_err().to_string();
        assert!(error("PLY\n").contains("line 1: the first word is \"PLY\": wanted OFF"));
        assert!(error("OFF\n2 1 0\n0 0 0\n").contains("line 4: a vertex is the end of the file"));
        assert!(error("OFF\n1 1 0\n0 0 0\n3 0 0\n").contains("line 4: a corner is missing"));
        assert!(error("OFF BINARY\n").contains("the encoding is BINARY: wanted ASCII"));
    }
}
