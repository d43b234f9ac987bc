//! Room for lists that are filled anew in every step.
//!
//! How long such a list gets depends on what is near: its first maximum may come late. A list that needs more room than
//! it has gets several times as much, and never less than a few kilobytes, so that later steps with a few more entries
//! than ever before do not touch the heap.

/// How much more room than needed a list gets when it needs more.
const AHEAD: usize = 4;

/// The most spare bytes ahead; a list that is longer than that is doubled.
const MOST_BYTES_AHEAD: usize = 1 << 15;

/// The least room in bytes: a page.
const LEAST_BYTES: usize = 4096;

/// The least room in entries, however large.
const FEWEST: usize = 8;

/// Makes room for `more` entries beside those of the list, ahead if it has too little.
#[inline]
pub(crate) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        grow(list, more);
    }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, more: usize) {
    let (size, needed) = (size_of::<T>().max(1), list.len() + more);
    let least = (LEAST_BYTES / size).max(FEWEST);
    let ahead = (AHEAD * needed).min(needed + MOST_BYTES_AHEAD / size);
    let wanted = ahead.max(2 * needed).max(least);
    list.reserve_exact(wanted - list.len());
}

/// Appends an entry, with room ahead.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, entry: T) {
    make_room(list, 1);
    list.push(entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4096 bytes are 1024 numbers; of entries of a kilobyte there are eight.
    #[test]
    fn a_list_grows_fourfold_from_a_page() {
        let mut numbers: Vec<u32> = Vec::new();
        make_room(&mut numbers, 0);
        assert_eq!(numbers.capacity(), 0);
        push(&mut numbers, 1);
        assert_eq!(numbers.capacity(), 1024);
        (0..1023).for_each(|number| push(&mut numbers, number));
        assert_eq!(numbers.capacity(), 1024);
        push(&mut numbers, 1);
        assert_eq!((numbers.len(), numbers.capacity()), (1025, 4100));
        let mut large: Vec<[u8; 1024]> = Vec::new();
        make_room(&mut large, 1);
        assert_eq!(large.capacity(), 8);
        make_room(&mut large, 9);
        assert_eq!(large.capacity(), 36);
        make_room(&mut large, 40);
        assert_eq!(large.capacity(), 80, "no more than 32 kilobytes ahead, or twice as much");
    }
}
