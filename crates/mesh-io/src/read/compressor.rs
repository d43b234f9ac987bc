//! The compressors of VTK's XML format.

use flate2::read::ZlibDecoder;
use lzma_rust2::XzReader;
use std::io::Read;

/// Memory for one block of LZMA, in KiB: a dictionary of 64 MiB is the largest that a level of it has.
const LZMA_KIB: u32 = 66 << 10;

/// How the arrays of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compressor {
    Zlib,
    Lz4,
    Lzma,
}

impl Compressor {
    /// The names in the attribute `compressor`, for messages.
    pub(super) const NAMES: &'static str =
        "vtkZLibDataCompressor, vtkLZ4DataCompressor or vtkLZMADataCompressor";

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "vtkZLibDataCompressor" => Self::Zlib,
            "vtkLZ4DataCompressor" => Self::Lz4,
            "vtkLZMADataCompressor" => Self::Lzma,
            _ => return None,
        })
    }

    /// Appends the bytes of a block, which expands to exactly `wanted` bytes. `None` if it does not.
    pub(super) fn expand(self, block: &[u8], wanted: usize, expanded: &mut Vec<u8>) -> Option<()> {
        let mut read = |reader: &mut dyn Read| {
            let before = expanded.len();
            reader.take(wanted as u64 + 1).read_to_end(expanded).ok()?;
            (expanded.len() - before == wanted).then_some(())
        };
        match self {
            Self::Zlib => read(&mut ZlibDecoder::new(block)),
            Self::Lzma => read(&mut XzReader::new_mem_limit(block, false, LZMA_KIB)),
            Self::Lz4 => {
                // A byte stands for 255 at most.
                if wanted > block.len().saturating_mul(255) {
                    return None;
                }
                let bytes = lz4_flex::block::decompress(block, wanted).ok()?;
                (bytes.len() == wanted).then(|| expanded.extend(bytes))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_expand_to_what_is_wanted_and_no_more() {
        let text = b"light work, light work, light work, light work".repeat(20);
        let mut zlib = Vec::new();
        flate2::read::ZlibEncoder::new(text.as_slice(), flate2::Compression::fast())
            .read_to_end(&mut zlib)
            .unwrap();
        let lz4 = lz4_flex::block::compress(&text);
        for (compressor, block) in [(Compressor::Zlib, zlib), (Compressor::Lz4, lz4)] {
            let mut expanded = b"before".to_vec();
            compressor.expand(&block, text.len(), &mut expanded).unwrap();
            assert_eq!(&expanded[6..], text);
            assert!(compressor.expand(&block, text.len() - 1, &mut Vec::new()).is_none());
            assert!(compressor.expand(&block, text.len() + 1, &mut Vec::new()).is_none());
            assert!(compressor.expand(&block[..block.len() / 2], text.len(), &mut Vec::new()).is_none());
            assert!(compressor.expand(&block, usize::MAX - 1, &mut Vec::new()).is_none());
        }
    }
}
