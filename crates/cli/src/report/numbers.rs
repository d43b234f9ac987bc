//! The numbers of a page: one buffer, compressed and written as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytemuck::NoUninit;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// A buffer of numbers, each list at an offset that is a multiple of eight bytes.
#[derive(Default)]
pub(super) struct Numbers {
    bytes: Vec<u8>,
}

impl Numbers {
    /// Appends a list; returns its offset in bytes.
    pub(super) fn push<T: NoUninit>(&mut self, values: &[T]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytemuck::cast_slice(values));
        offset
    }

    /// The buffer in gzip, in base 64.
    pub(super) fn text(&self) -> io::Result<String> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&self.bytes)?;
        Ok(STANDARD.encode(packed.finish()?))
    }
}
