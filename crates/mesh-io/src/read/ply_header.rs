//! The header of a PLY file: its encoding, and its elements with their properties.

use super::lines::{split_line, without_mark};
use crate::cells::syntax;
use crate::{MeshIoError, Place};
use std::collections::HashSet;

/// How the values behind the header are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NumberType {
    /// Whole numbers of so many bytes.
    Signed(usize),
    Unsigned(usize),
    Float,
    Double,
}

impl NumberType {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "char" | "int8" => Self::Signed(1),
            "short" | "int16" => Self::Signed(2),
            "int" | "int32" => Self::Signed(4),
            "uchar" | "uint8" => Self::Unsigned(1),
            "ushort" | "uint16" => Self::Unsigned(2),
            "uint" | "uint32" => Self::Unsigned(4),
            "float" | "float32" => Self::Float,
            "double" | "float64" => Self::Double,
            _ => return None,
        })
    }

    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Signed(_) | Self::Unsigned(_))
    }
}

/// A property of an element.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    /// The type of the number of values, for a list.
    pub(super) count: Option<NumberType>,
    pub(super) value: NumberType,
}

/// Elements of one sort.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

/// A header, and what follows it.
pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    pub(super) rest: &'a [u8],
    /// The number of its last line, and of its bytes.
    pub(super) lines: usize,
    pub(super) bytes: usize,
}

/// Reads the header. Keywords may be capitals. Errors: a line that is none of a header; an element without properties of
/// which there are some; a second property of a name.
pub(super) fn header<'a>(bytes: &'a [u8], file: &str) -> Result<Header<'a>, MeshIoError> {
    let mut rest = without_mark(bytes);
    let (mut encoding, mut elements) = (None, Vec::<Element>::new());
    // The names of elements, and those of the properties of the last of them.
    let (mut names, mut properties) = (HashSet::new(), HashSet::new());
    let mut number = 0;
    loop {
        number += 1;
        let place = Place::Line(number);
        if rest.is_empty() {
            return Err(syntax(file, place, "the header", &"cut off", "end_header"));
        }
        let (line, behind) = split_line(rest);
        rest = behind;
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let keyword = words.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
        let error = |what: &str, found: &str, wanted: &str| {
            Err(syntax(file, place, what, &format_args!("{found:?}"), wanted))
        };
        if number == 1 {
            if keyword != "ply" {
                return error("the first word", words.first().unwrap_or(&""), "ply");
            }
            continue;
        }
        match (keyword.as_str(), &words[..]) {
            ("comment" | "obj_info" | "", _) => {}
            ("format", [_, name, "1.0"]) => {
                encoding = Some(match name.to_ascii_lowercase().as_str() {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => {
                        return error("the format", name, "ascii, binary_little_endian or binary_big_endian");
                    }
                });
            }
            ("element", [_, name, count]) => {
                let Ok(count) = count.parse() else {
                    return error("the number of elements", count, "a whole number, 0 or more");
                };
                close(file, place, elements.last())?;
                if !names.insert((*name).to_owned()) {
                    return error("the name of elements", name, "one that no elements before have");
                }
                properties.clear();
                elements.push(Element { name: (*name).to_owned(), count, properties: Vec::new() });
            }
            ("property", [_, rest @ ..]) => {
                let Some(element) = elements.last_mut() else {
                    return error("the line", line.trim(), "an element before its properties");
                };
                let Some(property) = property(rest) else {
                    return error("the property", line.trim(), "a type, or list and two types, and a name");
                };
                if !properties.insert(property.name.clone()) {
                    return error(
                        "the name of a property",
                        &property.name,
                        "one that no property before has",
                    );
                }
                element.properties.push(property);
            }
            ("end_header", [_]) => {
                close(file, place, elements.last())?;
                let Some(encoding) = encoding else {
                    return Err(syntax(
                        file,
                        place,
                        "the format",
                        &"missing",
                        "a line format before end_header",
                    ));
                };
                let bytes = bytes.len() - rest.len();
                return Ok(Header { encoding, elements, rest, lines: number, bytes });
            }
            _ => {
                return error("a line of the header", line.trim(), "format, element, property or end_header");
            }
        }
    }
}

/// An error if there are elements without properties: they take no bytes, so nothing bounds their number.
fn close(file: &str, place: Place, element: Option<&Element>) -> Result<(), MeshIoError> {
    match element {
        Some(Element { name, count, properties }) if properties.is_empty() && *count > 0 => {
            let what = format!("the number of properties of the {count} elements {name:?}");
            Err(syntax(file, place, &what, &0, "1 or more"))
        }
        _ => Ok(()),
    }
}

fn property(words: &[&str]) -> Option<Property> {
    let (count, value, name) = match *words {
        [list, count, value, name] if list.eq_ignore_ascii_case("list") => {
            (Some(NumberType::named(count)?), value, name)
        }
        [value, name] => (None, value, name),
        _ => return None,
    };
    let is_counted = count.is_none_or(NumberType::is_whole);
    is_counted.then_some(())?;
    Some(Property { name: name.to_owned(), count, value: NumberType::named(value)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_capitals_with_every_end_of_line() {
        let text = "ply\nformat binary_big_endian 1.0\ncomment x\nelement vertex 2\nproperty float32 x\n\
            property list uchar int y\nelement none 0\nend_header\n\n1";
        for end in ["\n", "\r\n", "\r"] {
            let (head, rest) = text.split_at(text.len() - 2);
            for head in [head.to_owned(), head.to_uppercase()] {
                let bytes = [head.replace('\n', end), rest.to_owned()].concat().into_bytes();
                if end == "\r" {
                    // A line feed behind it would belong to the end of the line.
                    continue;
                }
                let header = header(&bytes, "a.ply").unwrap();
                assert_eq!((header.encoding, header.rest), (Encoding::BigEndian, b"\n1".as_slice()));
                assert_eq!((header.lines, header.bytes), (8, bytes.len() - 2));
                assert_eq!(header.elements[0].properties[0].value, NumberType::Float);
                assert_eq!(header.elements[0].properties[1].count, Some(NumberType::Unsigned(1)));
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |lines: &str| {
            let text = format!("ply\nformat ascii 1.0\n{lines}\nend_header\n");
            header(text.as_bytes(), "a.ply").map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(
            error("element junk 999999999999\nelement vertex 3\nproperty float x"),
            "a.ply, line 4: the number of properties of the 999999999999 elements \"junk\" is 0: wanted 1 or more"
        );
        assert!(
            error("element junk 1").contains("line 4: the number of properties of the 1 elements \"junk\"")
        );
        assert!(error("element vertex -1").contains("line 3: the number of elements is \"-1\""));
        assert!(error("property float x").contains("line 3: the line is \"property float x\""));
        assert!(
            error("element a 1\nproperty half x").contains("line 4: the property is \"property half x\"")
        );
        assert!(error("element a 1\nproperty list float int x").contains("line 4: the property"));
        assert!(
            error("element a 1\nproperty int x\nproperty int x").contains("line 5: the name of a property")
        );
        assert!(error("format ascii 2.0").contains("line 3: a line of the header is \"format ascii 2.0\""));
        let plain = |text: &str| header(text.as_bytes(), "a.ply").map(|_| ()).unwrap_err().to_string();
        assert!(plain("off\n").contains("line 1: the first word is \"off\": wanted ply"));
        assert!(plain("ply\nend_header\n").contains("line 2: the format is missing"));
        assert!(
            plain("ply\nformat ascii 1.0\n").contains("line 3: the header is cut off: wanted end_header")
        );
    }
}
