//! A check before rust-hdf5 opens a file: it opens the sources of all virtual datasets whose selections are unlimited, and
//! does not return where one source serves any number of blocks.

use super::guard::text;
use crate::container::Outcome;
use rust_hdf5::VirtualMapping;
use rust_hdf5::format::FormatContext;
use rust_hdf5::format::global_heap::GlobalHeapCollection;
use rust_hdf5::format::messages::virtual_mapping::VirtualMappingList;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The first bytes of a global heap, where mappings are stored.
const SIGNATURE: &[u8; 4] = b"GCOL";
/// The size of a heap follows its signature and four more bytes.
const SIZE_AT: usize = 8;
/// Bytes that are searched at a time.
const BUFFER: usize = 1 << 20;
/// Bytes that are compared at a time.
const BLOCK: usize = 256;

/// Refuses a file with a mapping without end. Cost: reads the file, at the speed of the disk or its cache.
pub(super) fn check(path: &Path) -> Outcome<()> {
    let mut file = File::open(path).map_err(text)?;
    let length = file.metadata().map_err(text)?.len();
    // Heaps do not overlap; each is tried twice, and few other bytes look like one.
    let mut left = length.saturating_mul(4);
    let mut buffer = vec![0; BUFFER.min(usize::try_from(length).unwrap_or(BUFFER))];
    let mut position = 0;
    while position + (SIGNATURE.len() as u64) < length {
        file.seek(SeekFrom::Start(position)).map_err(text)?;
        let count = fill(&mut file, &mut buffer)?;
        for at in find(&buffer[..count]) {
            check_heap(&mut file, position + at as u64, length, &mut left)?;
        }
        // The last bytes may be the beginning of a signature.
        position += count.saturating_sub(SIGNATURE.len() - 1).max(1) as u64;
    }
    Ok(())
}

fn fill(file: &mut File, buffer: &mut [u8]) -> Outcome<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read(&mut buffer[count..]).map_err(text)? {
            0 => break,
            read => count += read,
        }
    }
    Ok(count)
}

/// Where the signature is.
fn find(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let next = bytes.get(1..).unwrap_or_default();
    for (number, (block, next)) in bytes.chunks(BLOCK).zip(next.chunks(BLOCK)).enumerate() {
        // Without a branch per byte: few blocks have the first two bytes.
        let pairs = block.iter().zip(next);
        let any =
            pairs.fold(0, |any, (&a, &b)| any | (u8::from(a == SIGNATURE[0]) & u8::from(b == SIGNATURE[1])));
        if any != 0 {
            let first = number * BLOCK;
            let last = (first + BLOCK).min(bytes.len());
            found.extend((first..last).filter(|&at| bytes[at..].starts_with(SIGNATURE)));
        }
    }
    found
}

fn check_heap(file: &mut File, position: u64, length: u64, left: &mut u64) -> Outcome<()> {
    // What is no heap, or a damaged one, the library refuses if anything refers to it.
    for sizeof_size in [8_u8, 4] {
        let mut head = [0; SIZE_AT + 8];
        file.seek(SeekFrom::Start(position)).map_err(text)?;
        let count = fill(file, &mut head)?;
        if count < head.len() {
            return Ok(());
        }
        let mut wide = [0; 8];
        wide[..usize::from(sizeof_size)].copy_from_slice(&head[SIZE_AT..SIZE_AT + usize::from(sizeof_size)]);
        let size = u64::from_le_bytes(wide);
        if size < 16 || position.checked_add(size).is_none_or(|end| end > length) {
            continue;
        }
        *left = left.checked_sub(size).ok_or("global heaps that overlap")?;
        let mut bytes = vec![0; usize::try_from(size).map_err(text)?];
        file.seek(SeekFrom::Start(position)).map_err(text)?;
        if fill(file, &mut bytes)? < bytes.len() {
            return Ok(());
        }
        let context = FormatContext { sizeof_addr: 8, sizeof_size };
        let Ok((heap, _)) = GlobalHeapCollection::decode(&bytes, &context) else { continue };
        for object in &heap.objects {
            let Ok(list) = VirtualMappingList::decode(&object.data, &context) else { continue };
            if let Some(mapping) = list.mappings.iter().find(|mapping| is_endless(mapping)) {
                return Err(format!(
                    "a virtual dataset leads to '{}' of '{}' in any number of blocks, wanted a pattern of names",
                    mapping.source_dset_name, mapping.source_file_name
                ));
            }
        }
    }
    Ok(())
}

/// Whether the library would look for one block after another, and always find it.
fn is_endless(mapping: &VirtualMapping) -> bool {
    let is_pattern = |name: &str| name.replace("%%", "").contains('%');
    mapping.virtual_selection.unlim_dim().is_some()
        && mapping.source_selection.unlim_dim().is_none()
        && !is_pattern(&mapping.source_file_name)
        && !is_pattern(&mapping.source_dset_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_found_wherever_they_are() {
        let mut bytes = vec![b'G'; 2000];
        for at in [0, 254, 255, 256, 1023, 1996] {
            bytes[at..at + 4].copy_from_slice(SIGNATURE);
        }
        bytes[254..258].copy_from_slice(b"GGCO");
        bytes[255..259].copy_from_slice(SIGNATURE);
        assert_eq!(find(&bytes), [0, 255, 1023, 1996]);
        assert!(find(b"GC").is_empty() && find(&[]).is_empty());
    }
}
