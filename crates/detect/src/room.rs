//! Room for lists that are filled anew in every step.
//!
//! The length of such a list depends on what is near, and may grow slowly over many steps. A list that is full therefore
//! gets several times the room it needs, and a few kilobytes at least, so that slightly longer lists in later steps do
//! not touch the heap.

/// How much more room than needed a list gets when it needs more.
const AHEAD: usize = 4;

/// The most spare bytes ahead; a list that is longer than that is doubled.
const MOST_BYTES_AHEAD: usize = 1 << 15;

/// The least room in bytes: a page.
const LEAST_BYTES: usize = 4096;

/// The iterations of EPA for which the memory of a mesh's queries has room: a quarter of the limit. Of a thousand triangles
/// against ellipsoids, needles among them, one or two take more.
pub(crate) const EPA_ITERATIONS: u32 = 128;

/// The least room in entries, however large.
const FEWEST: usize = 8;

/// Gives a list its first room: before the first step, for a list that may be needed late.
#[inline]
pub(crate) fn open<T>(list: &mut Vec<T>) {
    if list.capacity() == 0 {
        grow(list, 1);
    }
}

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

/// Appends entries, with room ahead.
#[inline]
pub(crate) fn extend<T>(list: &mut Vec<T>, entries: impl IntoIterator<Item = T>) {
    let entries = entries.into_iter();
    make_room(list, entries.size_hint().0);
    entries.for_each(|entry| push(list, entry));
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
        open(&mut numbers);
        assert_eq!(numbers.capacity(), 1024);
        push(&mut numbers, 1);
        open(&mut numbers);
        assert_eq!(numbers.capacity(), 1024);
        (0..1023).for_each(|number| push(&mut numbers, number));
        assert_eq!(numbers.capacity(), 1024);
        push(&mut numbers, 1);
        assert_eq!((numbers.len(), numbers.capacity()), (1025, 4100));
        extend(&mut numbers, 0..3000);
        assert_eq!((numbers.len(), numbers.capacity()), (4025, 4100));
        extend(&mut numbers, (0..200).filter(|number| number % 2 == 0));
        assert_eq!((numbers.len(), numbers.capacity()), (4125, 4101 + 8192));
        let mut large: Vec<[u8; 1024]> = Vec::new();
        make_room(&mut large, 1);
        assert_eq!(large.capacity(), 8);
        make_room(&mut large, 9);
        assert_eq!(large.capacity(), 36);
        make_room(&mut large, 40);
        assert_eq!(large.capacity(), 80, "no more than 32 kilobytes ahead, or twice as much");
    }
}
