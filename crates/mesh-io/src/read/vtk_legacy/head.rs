//! The head of a file: version, title, encoding and the sort of its data set.

use super::input::Input;
use crate::MeshIoError;
use crate::cells::syntax;
use crate::read::vtk_cell::UNSTRUCTURED_OR_POLYGONS;

/// The data sets that are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DataSet {
    PolygonData,
    UnstructuredGrid,
}

/// Reads the head, and tells `input` the encoding of what follows. Errors: another file, a version above 5, another data set.
pub(super) fn head(input: &mut Input<'_>) -> Result<DataSet, MeshIoError> {
    encoding(input)?;
    let word = input.word("the word behind the head", "DATASET")?;
    let found = if word.is("FIELD") {
        "a field"
    } else if word.is("DATASET") {
        let word = input.word("the data set", UNSTRUCTURED_OR_POLYGONS)?;
        match word.text.to_ascii_uppercase().as_str() {
            "POLYDATA" => return Ok(DataSet::PolygonData),
            "UNSTRUCTURED_GRID" => return Ok(DataSet::UnstructuredGrid),
            "STRUCTURED_POINTS" => "structured points",
            "STRUCTURED_GRID" => "a structured grid",
            "RECTILINEAR_GRID" => "a rectilinear grid",
            _ => return Err(word.error("the data set", UNSTRUCTURED_OR_POLYGONS)),
        }
    } else {
        return Err(word.error("the word behind the head", "DATASET"));
    };
    Err(unsupported(input, "the data set", found, UNSTRUCTURED_OR_POLYGONS))
}

/// Reads the version, the title and the encoding.
fn encoding(input: &mut Input<'_>) -> Result<(), MeshIoError> {
    let wanted = "# vtk DataFile Version and a number, as 3.0";
    let first = input.word("the first line", wanted)?;
    let rest = String::from_utf8_lossy(input.line().unwrap_or_default());
    let version = || {
        let mut words = rest.split_ascii_whitespace();
        for wanted in ["vtk", "DataFile", "Version"] {
            words.next().filter(|word| word.eq_ignore_ascii_case(wanted))?;
        }
        let (major, minor) = words.next()?.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    };
    match version().filter(|_| first.is("#")) {
        Some((0..=5, _)) => {}
        Some((major, minor)) => {
            return Err(unsupported(input, "the version", &format!("{major}.{minor}"), "5.1 or less"));
        }
        None => {
            let found = format!("{:?}", format!("{}{rest}", first.text).trim_end());
            return Err(syntax(input.file, first.place, "the first line", &found, wanted));
        }
    }
    input.line().ok_or_else(|| input.error("the title", &"the end of the file", "a line"))?;
    let wanted = "ASCII or BINARY";
    let word = input.word("the encoding", wanted)?;
    input.binary = word.is("BINARY");
    if input.binary || word.is("ASCII") { Ok(()) } else { Err(word.error("the encoding", wanted)) }
}

fn unsupported(input: &Input<'_>, what: &'static str, found: &str, wanted: &'static str) -> MeshIoError {
    MeshIoError::Unsupported { file: input.file.to_owned(), what, found: found.to_owned(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# vtk DataFile Version 3.0\na test\nASCII\n";

    fn error(text: &str) -> String {
        head(&mut Input::new("a.vtk", text.as_bytes())).unwrap_err().to_string()
    }

    #[test]
    fn heads_of_both_encodings() {
        let mut input =
            Input::new("a.vtk", b"\n# VTK DataFile version 5.1 \r\n\r\nbinary\r\ndataset polydata\r\n");
        assert_eq!((head(&mut input).unwrap(), input.binary), (DataSet::PolygonData, true));
        let text = format!("{HEAD}DATASET UNSTRUCTURED_GRID");
        let mut input = Input::new("a.vtk", text.as_bytes());
        assert_eq!((head(&mut input).unwrap(), input.binary), (DataSet::UnstructuredGrid, false));
    }

    #[test]
    fn damage_is_named() {
        let first = "a.vtk, line 1: the first line is";
        let wanted = "wanted # vtk DataFile Version and a number, as 3.0";
        assert_eq!(error("nothing at all\n"), format!("{first} \"nothing at all\": {wanted}"));
        assert_eq!(error(""), format!("{first} the end of the file: {wanted}"));
        assert_eq!(
            error("# vtk DataFile Version 3\n"),
            format!("{first} \"# vtk DataFile Version 3\": {wanted}")
        );
        assert_eq!(error("# vtk DataFile Version 6.0\n"), "a.vtk: the version is 6.0: wanted 5.1 or less");
        assert!(error("# vtk DataFile Version 3.0").contains("the title is the end of the file"));
        assert!(error(&HEAD.replace("ASCII", "TEXT")).contains("line 3: the encoding is \"TEXT\""));
        assert!(error(HEAD).contains("the word behind the head is the end of the file: wanted DATASET"));
        let set = |name: &str| error(&format!("{HEAD}DATASET {name}"));
        assert_eq!(
            set("STRUCTURED_GRID"),
            format!("a.vtk: the data set is a structured grid: wanted {UNSTRUCTURED_OR_POLYGONS}")
        );
        assert!(set("TABLE").contains("line 4: the data set is \"TABLE\""));
        assert!(error(&format!("{HEAD}FIELD f 1\n")).contains("the data set is a field"));
    }
}
