//! Limits on the data in a file of a given size: larger claims are damage, detected before memory is allocated.

use super::Outcome;

/// Deflate compresses at most 1032 to 1 (Deutsch 1996, RFC 1951: a 258-byte match in two bits). A chunk that was
/// never written, and is all zeros, compresses better still, but is not worth the risk.
const GREATEST_COMPRESSION: u64 = 1100;
/// The largest chunk accepted, in bytes: a chunk is decompressed as a whole.
const LARGEST_CHUNK: u64 = 256 << 20;

/// Rejects a dataset whose `dimensions` of elements of `element_size` bytes cannot come from a file of `file_size`
/// bytes, or whose chunks are too large to be decompressed in bounded memory.
pub(crate) fn check_size(
    dimensions: &[u64],
    chunk: Option<&[u64]>,
    element_size: usize,
    file_size: u64,
) -> Outcome<()> {
    let bytes = |extents: &[u64]| {
        extents.iter().try_fold(element_size as u64, |product, &extent| product.checked_mul(extent))
    };
    let limit = file_size.saturating_mul(GREATEST_COMPRESSION);
    match bytes(dimensions) {
        Some(size) if size <= limit => {}
        _ => {
            return Err(format!(
                "shape {dimensions:?} of {element_size} bytes each is more than {file_size} bytes of file can hold"
            ));
        }
    }
    let Some(chunk) = chunk else { return Ok(()) };
    match bytes(chunk) {
        Some(size) if size > 0 && size <= LARGEST_CHUNK => Ok(()),
        _ => Err(format!("chunks of {chunk:?} elements, wanted at most {LARGEST_CHUNK} bytes each")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_accepted() {
        assert_eq!(check_size(&[10, 3], Some(&[5, 3]), 8, 1000), Ok(()));
        assert_eq!(check_size(&[], None, 4, 1000), Ok(()));
        assert_eq!(check_size(&[0, 3], None, 8, 1000), Ok(()));
    }

    #[test]
    fn what_cannot_fit_is_refused() {
        assert!(check_size(&[1 << 20, 3], None, 8, 1000).is_err());
        assert!(check_size(&[u64::MAX, 3], None, 8, 1000).is_err());
        assert!(check_size(&[10, 3], Some(&[1 << 30, 3]), 8, 1 << 40).is_err());
        assert!(check_size(&[10, 3], Some(&[0, 3]), 8, 1000).is_err());
    }
}
