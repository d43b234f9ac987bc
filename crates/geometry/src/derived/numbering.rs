//! The numbers of the triangles and edges of a mesh that was cut, where they are not those of a mesh made anew.
//!
//! A list of numbers is given in runs: a first number and how many follow each other, flat. A run of none at the end says how many
//! numbers there are, those of removed ones included.

use super::Adjacency;
use crate::GeometryError;
use palpate_contact::NONE;

/// Numbers out of `count` in runs; empty if they are all of them in order.
pub(crate) fn runs(numbers: &[u32], count: usize) -> Vec<u32> {
    let mut runs: Vec<u32> = Vec::new();
    for &number in numbers {
        match runs.as_mut_slice() {
            [.., first, length] if *first + *length == number => *length += 1,
            _ => runs.extend([number, 1]),
        }
    }
    let end = runs.len().checked_sub(2).map_or(0, |last| runs[last] + runs[last + 1]);
    if end as usize != count {
        runs.extend([count as u32, 0]);
    }
    if runs.len() == 2 && runs[0] == 0 { Vec::new() } else { runs }
}

/// The `wanted` numbers in runs, and how many there are with those of removed ones. Errors: other than so many, one that is there twice,
/// more than `most` in all.
pub(crate) fn numbers(
    what: &'static str,
    runs: &[u32],
    wanted: usize,
    most: usize,
) -> Result<(Vec<u32>, usize), GeometryError> {
    let bad = |found: String| GeometryError::Numbers { what, found, wanted, most };
    let (pairs, rest) = runs.as_chunks::<2>();
    let ends = pairs.iter().map(|&[first, length]| first as usize + length as usize);
    let count = ends.max().unwrap_or(0);
    let listed: usize = pairs.iter().map(|&[_, length]| length as usize).sum();
    if !rest.is_empty() {
        return Err(bad("a run without a length".to_owned()));
    }
    if listed != wanted || count > most {
        return Err(bad(format!("{listed} numbers of {count}")));
    }
    let mut seen = vec![false; count];
    let mut numbers = Vec::with_capacity(wanted);
    for number in pairs.iter().flat_map(|&[first, length]| (first..=u32::MAX).take(length as usize)) {
        if std::mem::replace(&mut seen[number as usize], true) {
            return Err(bad(format!("{number} twice")));
        }
        numbers.push(number);
    }
    Ok((numbers, count))
}

impl Adjacency {
    /// The triangles that are left, by rank.
    pub(crate) fn triangles_by_rank(&self) -> Vec<u32> {
        let is_left = |triangle: &u32| self.triangle_edges[*triangle as usize][0] != NONE;
        let mut left: Vec<u32> = (0..self.triangle_edges.len() as u32).filter(is_left).collect();
        left.sort_unstable_by_key(|&triangle| self.rank(triangle));
        left
    }

    /// The numbers of the edges, in runs, in the order of their first use by triangles by rank.
    pub(crate) fn edge_runs(&self) -> Vec<u32> {
        let mut seen = vec![false; self.edges.len()];
        let mut numbers = Vec::new();
        for triangle in self.triangles_by_rank() {
            for edge in self.triangle_edges[triangle as usize] {
                if !std::mem::replace(&mut seen[edge as usize], true) {
                    numbers.push(edge);
                }
            }
        }
        runs(&numbers, self.edges.len())
    }

    /// Gives the edges of a new adjacency other numbers. Errors: as [`numbers`].
    pub(crate) fn number_edges(&mut self, runs: &[u32], most: usize) -> Result<(), GeometryError> {
        let (numbers, count) = numbers("edges", runs, self.edges.len(), most)?;
        let (mut edges, mut sides) = (vec![[NONE; 2]; count], vec![[NONE; 2]; count]);
        for (old, &new) in numbers.iter().enumerate() {
            (edges[new as usize], sides[new as usize]) = (self.edges[old], self.edge_triangles[old]);
        }
        for edge in self.triangle_edges.as_flattened_mut().iter_mut().filter(|edge| **edge != NONE) {
            *edge = numbers[*edge as usize];
        }
        self.removed_edges = count - numbers.len();
        (self.edges, self.edge_triangles) = (edges, sides);
        Ok(())
    }

    /// Gives the triangles of a new adjacency other numbers out of `count`, with the ranks that decide ties.
    pub(crate) fn number_triangles(&mut self, numbers: &[u32], count: usize, ranks: Vec<u32>) {
        for triangle in self.edge_triangles.as_flattened_mut().iter_mut().filter(|one| **one != NONE) {
            *triangle = numbers[*triangle as usize];
        }
        let mut edges = vec![[NONE; 3]; count];
        for (old, &new) in self.triangle_edges.iter().zip(numbers) {
            edges[new as usize] = *old;
        }
        self.triangle_edges = edges;
        self.corners.renumber(|corner| 3 * numbers[corner as usize / 3] + corner % 3);
        self.ranks = ranks;
        self.find_parts_again();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_runs() {
        for (list, count, wanted) in [
            (vec![0, 1, 2], 3, vec![]),
            (vec![0, 1, 2], 5, vec![0, 3, 5, 0]),
            (vec![4, 0, 1, 6], 7, vec![4, 1, 0, 2, 6, 1]),
            (vec![], 0, vec![]),
        ] {
            assert_eq!(runs(&list, count), wanted);
            if !wanted.is_empty() {
                assert_eq!(numbers("edges", &wanted, list.len(), 7), Ok((list, count)));
            }
        }
        let message = |runs: &[u32]| numbers("edges", runs, 3, 9).unwrap_err().to_string();
        let wanted = "the numbers of the edges are";
        assert!(message(&[0, 2]).starts_with(&format!("{wanted} 2 numbers of 2: wanted 3, each once")));
        assert!(
            message(&[0, 2, 1, 1]).contains("1 twice") && message(&[0, 3, 5]).contains("without a length")
        );
        assert!(message(&[0, 2, u32::MAX, 1]).contains("of 4294967296"));
    }
}
