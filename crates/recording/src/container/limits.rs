//! Limits on the data in a file of a given size: larger claims are refused before memory is allocated.

use super::Outcome;
use palpate_math::Limits;

/// The largest chunk accepted, in bytes: a chunk is decompressed as a whole.
const LARGEST_CHUNK: u64 = 256 << 20;

/// Bytes of a dataset of `dimensions` elements of `element_size` bytes; `None` if a u64 cannot count them.
pub(crate) fn data_bytes(dimensions: &[u64], element_size: usize) -> Option<u64> {
    dimensions.iter().try_fold(element_size as u64, |product, &extent| product.checked_mul(extent))
}

/// Rejects data of `bytes`, read so far or claimed by one dataset, that files of `file_bytes` may not expand to. `None`
/// is more than a u64 can count.
pub(crate) fn check_expansion(bytes: Option<u64>, file_bytes: u64, limits: &Limits) -> Outcome<()> {
    match bytes {
        Some(bytes) if bytes <= limits.expansion(file_bytes) => Ok(()),
        _ => {
            let found =
                bytes.map_or_else(|| "2^64 bytes or more".to_string(), |bytes| format!("{bytes} bytes"));
            Err(format!(
                "found data of {found} in {file_bytes} bytes of file, the limits are expanded_bytes = {} and \
                 expansion_ratio = {}",
                limits.expanded_bytes, limits.expansion_ratio
            ))
        }
    }
}

/// Rejects chunks that are too large to be decompressed in bounded memory.
pub(crate) fn check_chunk(chunk: &[u64], element_size: usize, limits: &Limits) -> Outcome<()> {
    let most = LARGEST_CHUNK.max(limits.expanded_bytes);
    match data_bytes(chunk, element_size) {
        Some(size) if size > 0 && size <= most => Ok(()),
        _ => Err(format!("chunks of {chunk:?} elements, wanted at most {most} bytes each")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { expanded_bytes: 1000, expansion_ratio: 10, ..Limits::DEFAULT };

    #[test]
    fn what_fits_is_accepted() {
        assert_eq!(data_bytes(&[10, 3], 8), Some(240));
        assert_eq!(data_bytes(&[], 4), Some(4));
        assert_eq!(data_bytes(&[0, 3], 8), Some(0));
        assert_eq!(check_expansion(Some(1000), 1, &LIMITS), Ok(()));
        assert_eq!(check_expansion(Some(2000), 200, &LIMITS), Ok(()));
        assert_eq!(check_chunk(&[5, 3], 8, &LIMITS), Ok(()));
    }

    #[test]
    fn what_is_too_much_is_refused_by_the_name_of_the_limit() {
        let message = check_expansion(Some(1001), 100, &LIMITS).unwrap_err();
        assert_eq!(
            message,
            "found data of 1001 bytes in 100 bytes of file, the limits are expanded_bytes = 1000 and \
             expansion_ratio = 10"
        );
        assert!(check_expansion(data_bytes(&[u64::MAX, 3], 8), 1, &LIMITS).is_err());
        assert!(check_chunk(&[1 << 30, 3], 8, &LIMITS).is_err());
        assert!(check_chunk(&[0, 3], 8, &LIMITS).is_err());
    }
}
