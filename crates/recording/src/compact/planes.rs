//! Numbers in byte planes: all lowest bytes, then all second ones, … Bytes that rarely change are then beside each other.

/// Appends the planes of numbers of `N` bytes each.
pub(super) fn append<const N: usize>(out: &mut Vec<u8>, values: &[[u8; N]]) {
    for byte in 0..N {
        out.extend(values.iter().map(|value| value[byte]));
    }
}

/// Takes the planes of `count` numbers from the start of `bytes`; `None` if there are too few.
pub(super) fn take<const N: usize>(bytes: &mut &[u8], count: usize) -> Option<Vec<[u8; N]>> {
    let length = count.checked_mul(N)?;
    let (planes, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    let mut values = vec![[0; N]; count];
    for (byte, plane) in planes.chunks_exact(count.max(1)).enumerate() {
        values.iter_mut().zip(plane).for_each(|(value, &part)| value[byte] = part);
    }
    Some(values)
}
