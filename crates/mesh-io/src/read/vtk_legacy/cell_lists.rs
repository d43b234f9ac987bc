//! The cells of a section, each a list of vertices.
//!
//! Up to version 4 a section is one array: before the vertices of each cell stands their number. From version 5 on it is two,
//! `CONNECTIVITY`, the vertices of all cells, and before it `OFFSETS`, where each cell begins, and the end. The word `OFFSETS`
//! tells them apart: as the number of vertices of a binary cell it is more than any file holds.

use super::field::skip_metadata;
use super::input::Input;
use super::numbers::{NumberType, Numbers, number_type};
use crate::cells::syntax;
use crate::{MeshIoError, Place};

/// The cells of a section.
pub(super) struct CellLists<'a> {
    numbers: Numbers<'a>,
    /// For each cell, the number behind its last vertex.
    ends: Vec<usize>,
    /// How many numbers a cell has before its vertices: their count, or none.
    before: usize,
}

impl<'a> CellLists<'a> {
    /// Reads the cells, behind the keyword of their section. Errors: counts and offsets that contradict each other or the length
    /// of the file.
    pub(super) fn read(input: &mut Input<'a>) -> Result<Self, MeshIoError> {
        let place = input.place();
        let (count, size) = (input.count("the number of cells")?, input.count("the size of the cells")?);
        if input.take_keyword("OFFSETS") {
            return Self::by_offsets(input, count, size);
        }
        let lists = Self::by_counts(input, size)?;
        if lists.len() as u64 != count {
            let wanted = format!("{}, those that the section holds", lists.len());
            return Err(syntax(input.file, place, "the number of cells", &count, &wanted));
        }
        Ok(lists)
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Gives each cell's number, vertices and place. Errors: a vertex that is no whole number, and those of `add`.
    pub(super) fn each(
        &self,
        mut add: impl FnMut(usize, &[u64], Place) -> Result<(), MeshIoError>,
    ) -> Result<(), MeshIoError> {
        let (mut ids, mut start) = (Vec::new(), 0);
        for (cell, &end) in self.ends.iter().enumerate() {
            ids.clear();
            for index in start + self.before..end {
                ids.push(self.numbers.whole(index, "a vertex of a cell")?);
            }
            add(cell, &ids, self.numbers.place(start))?;
            start = end;
        }
        Ok(())
    }

    fn by_counts(input: &mut Input<'a>, size: u64) -> Result<Self, MeshIoError> {
        let words = ["numbers of the cells", "a number of a cell"];
        let numbers = Numbers::read(input, NumberType::Signed(4), size, words)?;
        let mut ends = Vec::new();
        let mut next = 0;
        while next < numbers.values.len() {
            let what = "the number of vertices of a cell";
            let count = numbers.whole(next, what)?;
            let first = next + 1;
            let left = numbers.values.len() - first;
            if count > left as u64 {
                let wanted = format!("{left} or fewer, the numbers left");
                return Err(numbers.error(next, what, &count, &wanted));
            }
            next = first + count as usize;
            ends.push(next);
        }
        Ok(Self { numbers, ends, before: 1 })
    }

    fn by_offsets(input: &mut Input<'a>, count: u64, size: u64) -> Result<Self, MeshIoError> {
        let kind = number_type(input, "the type of the offsets")?;
        let offsets = Numbers::read(input, kind, count, ["offsets of the cells", "the offset of a cell"])?;
        skip_metadata(input, 1);
        if !input.take_keyword("CONNECTIVITY") {
            let wanted = "CONNECTIVITY";
            return Err(input
                .word("the word behind the offsets", wanted)?
                .error("the word behind the offsets", wanted));
        }
        let kind = number_type(input, "the type of the vertices")?;
        let numbers = Numbers::read(input, kind, size, ["vertices of the cells", "a vertex of a cell"])?;
        skip_metadata(input, 1);
        // The first offset is zero; some writers leave it out, and begin with the end of the first cell.
        let skipped = usize::from(offsets.values.first() == Some(&0.0));
        let mut ends = Vec::with_capacity(offsets.values.len());
        let (mut start, size) = (0, numbers.values.len());
        for index in skipped..offsets.values.len() {
            let what = "the offset of a cell";
            let end = offsets.whole(index, what)?;
            if end < start as u64 || end > size as u64 {
                return Err(offsets.error(index, what, &end, &format!("{start} to {size}")));
            }
            start = end as usize;
            ends.push(start);
        }
        if start != size {
            let last = offsets.values.len().saturating_sub(1);
            let wanted = format!("{size}, the number of vertices of all cells");
            return Err(offsets.error(last, "the last offset", &start, &wanted));
        }
        Ok(Self { numbers, ends, before: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bytes: &[u8], binary: bool) -> Input<'_> {
        let mut input = Input::new("file", bytes);
        input.binary = binary;
        input
    }

    /// The cells with their places, or the message of an error.
    fn cells(bytes: &[u8], binary: bool) -> Result<Vec<(Vec<u64>, Place)>, String> {
        let mut found = Vec::new();
        let mut input = input(bytes, binary);
        CellLists::read(&mut input)
            .and_then(|lists| {
                lists.each(|index, ids, place| {
                    assert_eq!(index, found.len());
                    found.push((ids.to_vec(), place));
                    Ok(())
                })
            })
            .map_err(|error| error.to_string())?;
        assert!(input.next().is_none(), "a word left");
        Ok(found)
    }

    #[test]
    fn both_layouts_in_words() {
        let wanted = |lines: [usize; 3]| {
            let ids = [vec![0, 1, 2], vec![], vec![3, 4]];
            Ok(ids.into_iter().zip(lines.map(Place::Line)).collect::<Vec<_>>())
        };
        assert_eq!(cells(b"3 8\n3 0 1 2\n0\n2\n3 4", false), wanted([2, 3, 4]));
        let offsets = "4 5\nOFFSETS vtktypeint64\n0 3 3 5\nMETADATA\nINFORMATION 0\n\nCONNECTIVITY vtktypeint32\n0 1 2\n3 4";
        assert_eq!(cells(offsets.as_bytes(), false), wanted([8, 9, 9]));
        // Without the leading zero.
        let short = offsets.replace("4 5\n", "3 5\n").replace("0 3 3 5", "3 3 5");
        assert_eq!(cells(short.as_bytes(), false), wanted([8, 9, 9]));
        for none in
            ["0 0", "0 0\n", "1 0 OFFSETS int 0 CONNECTIVITY int", "0 0\nOFFSETS int\nCONNECTIVITY int"]
        {
            assert_eq!(cells(none.as_bytes(), false), Ok(Vec::new()), "{none}");
        }
    }

    #[test]
    fn both_layouts_in_binary() {
        let ints = |numbers: &[i32]| numbers.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<_>>();
        let longs = |numbers: &[i64]| numbers.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<_>>();
        let wanted =
            |first, second| Ok(vec![(vec![0, 10], Place::Byte(first)), (vec![9], Place::Byte(second))]);
        assert_eq!(cells(&[b"2 5\n".to_vec(), ints(&[2, 0, 10, 1, 9])].concat(), true), wanted(4, 16));
        let bytes = [
            b"3 3\nOFFSETS vtktypeint64\n".to_vec(),
            longs(&[0, 2, 3]),
            b"\nCONNECTIVITY vtktypeint32\r\n".to_vec(),
            ints(&[0, 10, 9]),
        ]
        .concat();
        assert_eq!(cells(&bytes, true), wanted(77, 85));
    }

    #[test]
    fn counts_and_offsets_that_contradict_are_named() {
        let error = |text: &str| cells(text.as_bytes(), false).unwrap_err();
        assert_eq!(
            error("2 4\n3 0 1 2"),
            "file, line 1: the number of cells is 2: wanted 1, those that the section holds"
        );
        assert_eq!(
            error("1 4\n9 0 1 2"),
            "file, line 2: the number of vertices of a cell is 9: wanted 3 or fewer, the numbers left"
        );
        assert!(error("1 4\n-1 0 1 2").contains("line 2: the number of vertices of a cell is -1"));
        assert!(error("1 4\n3 0 -1 2").contains("line 2: a vertex of a cell is -1: wanted a whole number"));
        assert!(
            error("1 99\n3 0 1 2").contains("the number of numbers of the cells is 99: wanted 4 or fewer")
        );
        let offsets =
            |offsets: &str| error(&format!("3 4\nOFFSETS int\n{offsets}\nCONNECTIVITY int\n0 1 2 3"));
        assert!(offsets("0 5 4").contains("line 3: the offset of a cell is 5: wanted 0 to 4"));
        assert!(offsets("0 3 2").contains("line 3: the offset of a cell is 2: wanted 3 to 4"));
        assert!(offsets("0 2 3").contains("line 3: the last offset is 3: wanted 4, the number of vertices"));
        assert!(offsets("0 4").contains("line 4: the offset of a cell is \"CONNECTIVITY\""));
        assert!(
            offsets("0 2 4 4").contains("line 3: the word behind the offsets is \"4\": wanted CONNECTIVITY")
        );
        assert!(error("0 2\nOFFSETS int\nCONNECTIVITY int\n0 1").contains("the last offset is 0: wanted 2"));
    }
}
