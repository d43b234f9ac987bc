//! Objects and their states in a frame, as they are written.

use std::fmt;

/// An object: a geometry of the scene, or a child of a compound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectLine {
    pub(super) kind: String,
    /// Of a child of a compound: `tool[3]`.
    pub(super) name: String,
    /// Its description without coordinates; null if it has none, a text with a checksum if it is long.
    pub(super) shape: serde_json::Value,
}

/// The state of an object in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// CRC-32 of the coordinates, or of the pose and the sizes.
    pub(super) state: u32,
    /// CRC-32 of the cells; 0 without cells.
    pub(super) cells: u32,
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.state)?;
        if self.cells != 0 { write!(f, "-{:08x}", self.cells) } else { Ok(()) }
    }
}

impl Fingerprint {
    /// Parses the text written by [`Display`](fmt::Display).
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |digits| u32::from_str_radix(digits, 16).ok();
        let (state, cells) = text.split_once('-').unwrap_or((text, "0"));
        Some(Self { state: number(state)?, cells: number(cells)? })
    }
}

impl fmt::Display for ObjectLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.kind, serde_json::Value::from(self.name.as_str()), self.shape)
    }
}

impl ObjectLine {
    /// Parses the text written by [`Display`](fmt::Display).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<serde_json::Value>();
        let (name, shape) = (values.next()?.ok()?, values.next()?.ok()?);
        let is_whole = values.next().is_none();
        is_whole.then_some(Self { kind: kind.to_owned(), name: name.as_str()?.to_owned(), shape })
    }
}
