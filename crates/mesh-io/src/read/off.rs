//! The object file format of Geomview, in ASCII: `OFF`, also with normals, colours and texture coordinates behind the
//! coordinates (`NOFF`, `COFF`, `STOFF` and their combinations).

use super::lines::Lines;
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(file, Format::Off, limits);
    let mut lines = Lines::new(file, bytes, Some(b'#'));
    let mut words = lines.wanted("the first line")?;
    let unsupported = |what, found: &str, wanted| {
        Err(MeshIoError::Unsupported { file: file.to_owned(), what, found: found.to_owned(), wanted })
    };
    let word = words.next().unwrap_or_default();
    if word.ends_with("nOFF") {
        return unsupported("the number of coordinates", "that of a head nOFF", "3");
    }
    match word.to_ascii_uppercase().strip_suffix("OFF") {
        Some("" | "N" | "C" | "CN" | "NC" | "ST" | "STN" | "STC" | "STCN") => {}
        Some("4" | "C4" | "N4" | "CN4" | "ST4" | "STC4" | "STCN4") => {
            return unsupported("the number of coordinates", "4", "3");
        }
        _ => return Err(words.error("the first word", &format_args!("{word:?}"), "OFF")),
    }
    // The counts may follow on the same line.
    let mut rest = words.clone();
    match rest.next() {
        Some(word) if word.eq_ignore_ascii_case("BINARY") => {
            return unsupported("the encoding", "BINARY", "ASCII");
        }
        Some(_) => {}
        None => words = lines.wanted("the counts")?,
    }
    let (points, faces) = (words.count("the number of vertices")?, words.count("the number of faces")?);
    // The number of edges, which nobody needs.
    words.numbers_to_end("the number of edges")?;
    for _ in 0..points {
        let mut words = lines.wanted("a vertex")?;
        let point = words.point()?;
        words.numbers_to_end("a number behind a vertex")?;
        cells.point(point, words.place)?;
    }
    let mut ids = Vec::new();
    for _ in 0..faces {
        let mut words = lines.wanted("a face")?;
        let corners = words.count("the number of corners")?;
        ids.clear();
        // A count larger than the line ends in an error.
        for _ in 0..corners {
            ids.push(words.count("a corner")?);
        }
        words.numbers_to_end("a colour of a face")?;
        cells.polygon(&ids, words.place)?;
    }
    lines.end("the last face that is counted")?;
    cells.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_on_either_line_and_colours() {
        for head in
            ["OFF\n4 1 0\n", "COFF 4 1 0\n", "off\n4 1\n", "STCNOFF\r\n4\t1 0\n", "\u{feff}OFF\r4 1 0\r"]
        {
            let text =
                format!("{head}0 0 0 255 0 0\n# a remark\n1 0 0\r\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n");
            let contents = read(text.as_bytes(), "a.off", &Limits::DEFAULT).unwrap();
            assert_eq!(contents.triangles, [[0, 1, 2], [0, 2, 3]]);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text.as_bytes(), "a.off", &Limits::DEFAULT).unwrap_err().to_string();
        assert!(error("PLY\n").contains("line 1: the first word is \"PLY\": wanted OFF"));
        assert!(error("OFF\n2 1 0\n0 0 0\n").contains("line 4: a vertex is the end of the file"));
        assert!(error("OFF\n1 1 0\n0 0 0\n3 0 0\n").contains("line 4: a corner is missing"));
        assert!(
            error("OFF\n1 0 0\n0 0 0\n3 0 0 0\n")
                .contains("line 4: the last face that is counted is followed by \"3\"")
        );
        assert!(
            error("OFF\n1 0 0\n0 0 inf\n")
                .contains("line 3: the z of vertex 0 is inf: wanted a finite number")
        );
        assert!(error("OFF\n1 0 0\n0 0 0 red\n").contains("line 3: a number behind a vertex is \"red\""));
        assert!(error("4OFF\n1 0 0\n0 0 0 1\n").contains("the number of coordinates is 4: wanted 3"));
        assert!(error("nOFF\n3\n").contains("the number of coordinates is that of a head nOFF"));
        assert!(error("OFF Binary\n").contains("the encoding is BINARY: wanted ASCII"));
        assert!(error("OFF BINARY\n").contains("the encoding is BINARY: wanted ASCII"));
    }
}
