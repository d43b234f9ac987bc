//! The binary container, and the bytes of the buffers.

use super::super::arrays::base64;
use super::super::beside::Beside;
use super::document::Document;
use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The chunks of a binary file: the JSON text, and the bytes of the first buffer if there are any.
pub(super) fn chunks<'a>(bytes: &'a [u8], file: &str) -> Result<(&'a [u8], Option<&'a [u8]>), MeshIoError> {
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let error = |at: usize, what: &str, found: &dyn std::fmt::Display, wanted: &str| {
        Err(syntax(file, Place::Byte(at), what, found, wanted))
    };
    let (Some(version), Some(length), true) = (number(4), number(8), bytes.starts_with(b"glTF")) else {
        return error(0, "the head of the file", &"another", "glTF, its version and its length");
    };
    if version != 2 {
        return error(4, "the version", &version, "2");
    }
    if length as usize != bytes.len() {
        return error(8, "the length of the file", &bytes.len(), &format!("{length}, as its head says"));
    }
    let chunk = |at: usize| {
        let (length, kind) = (number(at)? as usize, bytes.get(at + 4..at + 8)?);
        Some((kind, bytes.get(at + 8..(at + 8).checked_add(length)?)?))
    };
    let Some((b"JSON", text)) = chunk(12) else {
        return error(12, "the first chunk", &"another, or cut off", "JSON");
    };
    let next = 20 + text.len();
    if next == bytes.len() {
        return Ok((text, None));
    }
    match chunk(next) {
        Some((b"BIN\0", data)) => Ok((text, Some(data))),
        // Other chunks are extensions.
        Some(_) => Ok((text, None)),
        None => error(next, "the second chunk", &"cut off", "as many bytes as its head says"),
    }
}

/// The bytes of every buffer: of the container, in the text, or in files beside it. Errors: fewer than the document says.
pub(super) fn buffers(
    document: &Document,
    own: Option<&[u8]>,
    beside: &Beside<'_>,
) -> Result<Vec<Vec<u8>>, MeshIoError> {
    let error = |what: &str, found: &dyn std::fmt::Display, wanted: &str| {
        syntax(beside.file(), Place::Unknown, what, found, wanted)
    };
    let mut all = Vec::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let bytes = match &buffer.uri {
            None => own.filter(|_| index == 0).map(<[u8]>::to_vec).ok_or_else(|| {
                error(&format!("buffer {index}"), &"without bytes", "a uri, or a binary chunk")
            })?,
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let (_, text) = data.split_once(";base64,").ok_or_else(|| {
                        error(&format!("the uri of buffer {index}"), &"not base64", "data:...;base64,...")
                    })?;
                    base64(text.as_bytes(), usize::MAX)
                }
                None => beside.bytes(&unescaped(uri))?,
            },
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let wanted = format!("{}, as the document says", buffer.byte_length);
            return Err(error(&format!("the number of bytes of buffer {index}"), &bytes.len(), &wanted));
        }
        all.push(bytes);
    }
    Ok(all)
}

/// A name with `%20` and its like as characters.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unescaped() {
        assert_eq!(unescaped("a%20b%2e%zz%"), "a b.%zz%");
    }

    #[test]
    fn damaged_containers_are_named() {
        let error = |bytes: &[u8]| chunks(bytes, "a.glb").unwrap_err().to_string();
        assert!(error(b"glTF").contains("byte 0: the head of the file"));
        assert!(error(b"glTF\x01\0\0\0\x0c\0\0\0").contains("byte 4: the version is 1: wanted 2"));
        assert!(
            error(b"glTF\x02\0\0\0\x0d\0\0\0").contains("byte 8: the length of the file is 12: wanted 13")
        );
        assert!(error(b"glTF\x02\0\0\0\x0c\0\0\0").contains("byte 12: the first chunk"));
        let bytes = b"glTF\x02\0\0\0\x1a\0\0\0\x02\0\0\0JSON{}\x05\0\0\0".as_slice();
        assert!(error(bytes).contains("byte 22: the second chunk is cut off"));
    }
}
