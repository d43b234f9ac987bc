//! Vertices that carry their numbers, counted from 0 or from 1 as the first of them says.

use super::lines::Words;
use crate::MeshIoError;
use crate::cells::Collector;

/// The number of the first vertex, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbering {
    base: u64,
    count: u64,
}

impl Numbering {
    /// The next vertex of a file. Errors: a number that is not the next; a first one other than 0 and 1.
    pub(super) fn vertex(
        &mut self,
        number: u64,
        point: [f64; 3],
        cells: &mut Collector,
        words: &Words<'_>,
    ) -> Result<(), MeshIoError> {
        if self.count == 0 {
            if number > 1 {
                return Err(words.error("the number of the first vertex", &number, "0 or 1"));
            }
            self.base = number;
        }
        let wanted = self.base + self.count;
        if number != wanted {
            return Err(words.error("the number of a vertex", &number, &format!("{wanted}, the next one")));
        }
        self.count += 1;
        cells.point(point, words.place)
    }

    /// A vertex by its number. Errors: one before the first.
    pub(super) fn id(&self, number: u64, words: &Words<'_>) -> Result<u64, MeshIoError> {
        let wanted = format!("{} or more, as the vertices are counted", self.base);
        number.checked_sub(self.base).ok_or_else(|| words.error("a vertex of a cell", &number, &wanted))
    }

    /// The next words as the vertices of a cell.
    pub(super) fn ids(&self, count: usize, words: &mut Words<'_>) -> Result<Vec<u64>, MeshIoError> {
        (0..count)
            .map(|_| {
                let number = words.count("a vertex of a cell")?;
                self.id(number, words)
            })
            .collect()
    }
}
