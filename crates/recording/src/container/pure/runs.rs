//! The elements that a selection of a virtual dataset consists of.

use crate::container::Outcome;
use rust_hdf5::Selection;

/// Pieces that one selection may consist of.
const MOST_RUNS: u64 = 4 << 20;

/// Consecutive elements, counted row by row over a whole dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) len: u64,
}

impl Run {
    pub(super) fn end(self) -> u64 {
        self.start + self.len
    }
}

/// The elements of a selection in a dataset of `dimensions`, in the order in which HDF5 visits them: row by row, or as
/// listed for points. Errors: it is unlimited, reaches beyond the dataset, or is in too many pieces.
pub(super) fn runs(selection: &Selection, dimensions: &[u64]) -> Outcome<Vec<Run>> {
    if selection.unlim_dim().is_some() {
        return Err("the selection is unlimited".to_string());
    }
    let whole = dimensions.iter().try_fold(1_u64, |product, &extent| product.checked_mul(extent));
    let whole = whole.ok_or("more elements than can be counted")?;
    let boxes = selection.to_boxes(dimensions).map_err(|error| error.to_string())?;
    let mut runs = Vec::new();
    for (start, count) in &boxes {
        push_box(start, count, dimensions, &mut runs)?;
    }
    if !matches!(selection, Selection::Points(_)) {
        runs.sort_unstable_by_key(|run| run.start);
        if runs.windows(2).any(|pair| pair[0].end() > pair[1].start) {
            return Err("the selection has overlapping blocks".to_string());
        }
    }
    if runs.iter().any(|run| run.end() > whole) {
        return Err("the selection reaches beyond the dataset".to_string());
    }
    runs.dedup_by(|next, before| {
        let continues = before.end() == next.start;
        if continues {
            before.len += next.len;
        }
        continues
    });
    Ok(runs)
}

/// The rows of a box.
fn push_box(start: &[u64], count: &[u64], dimensions: &[u64], runs: &mut Vec<Run>) -> Outcome<()> {
    let inside =
        |axis: usize| start[axis].checked_add(count[axis]).is_some_and(|end| end <= dimensions[axis]);
    if start.len() != dimensions.len() || count.len() != dimensions.len() || !(0..start.len()).all(inside) {
        return Err(format!("the selection reaches beyond the dataset of {dimensions:?}"));
    }
    if count.contains(&0) {
        return Ok(());
    }
    // Axes that are selected as a whole are one with the axis before them.
    let whole = (0..dimensions.len()).rev().take_while(|&axis| count[axis] == dimensions[axis]).count();
    let split = (dimensions.len() - whole).saturating_sub(1);
    // The caller has checked that the product fits.
    let below: Vec<u64> = (0..dimensions.len()).map(|axis| dimensions[axis + 1..].iter().product()).collect();
    let pieces = count[..split].iter().try_fold(1_u64, |product, &count| product.checked_mul(count));
    if pieces.is_none_or(|pieces| pieces + runs.len() as u64 > MOST_RUNS) {
        return Err(format!("the selection is in more than {MOST_RUNS} pieces"));
    }
    let len = count.get(split).map_or(1, |&count| count * below[split]);
    let first = start.iter().zip(&below).map(|(&start, &below)| start * below).sum::<u64>();
    let mut at = vec![0; split];
    loop {
        let offset = at.iter().zip(&below).map(|(&at, &below)| at * below).sum::<u64>();
        runs.push(Run { start: first + offset, len });
        let Some(axis) = (0..split).rev().find(|&axis| at[axis] + 1 < count[axis]) else { return Ok(()) };
        at[axis] += 1;
        at[axis + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdf5::{Hyperslab, HyperslabBlock, PointSelection};

    fn block(start: [u64; 2], end: [u64; 2]) -> HyperslabBlock {
        HyperslabBlock { start: start.to_vec(), end: end.to_vec() }
    }

    fn blocks(blocks: Vec<HyperslabBlock>) -> Selection {
        Selection::Hyperslab { rank: 2, form: Hyperslab::Blocks(blocks) }
    }

    fn pairs(selection: &Selection, dimensions: &[u64]) -> Outcome<Vec<(u64, u64)>> {
        runs(selection, dimensions).map(|runs| runs.iter().map(|run| (run.start, run.len)).collect())
    }

    #[test]
    fn whole_rows_are_one_run() {
        assert_eq!(pairs(&Selection::All, &[4, 3]), Ok(vec![(0, 12)]));
        assert_eq!(pairs(&blocks(vec![block([1, 0], [2, 2])]), &[4, 3]), Ok(vec![(3, 6)]));
        assert_eq!(pairs(&Selection::All, &[]), Ok(vec![(0, 1)]));
        assert_eq!(pairs(&Selection::None, &[4, 3]), Ok(vec![]));
        assert_eq!(pairs(&Selection::All, &[0, 3]), Ok(vec![]));
    }

    #[test]
    fn a_column_is_a_run_per_row() {
        let column = blocks(vec![block([0, 1], [2, 1])]);
        assert_eq!(pairs(&column, &[3, 3]), Ok(vec![(1, 1), (4, 1), (7, 1)]));
    }

    #[test]
    fn blocks_are_visited_row_by_row() {
        let two = blocks(vec![block([0, 2], [1, 2]), block([0, 0], [1, 0])]);
        assert_eq!(pairs(&two, &[2, 3]), Ok(vec![(0, 1), (2, 2), (5, 1)]));
        assert!(pairs(&blocks(vec![block([0, 0], [1, 1]), block([1, 1], [1, 2])]), &[2, 3]).is_err());
        assert!(pairs(&blocks(vec![block([0, 0], [2, 0])]), &[2, 3]).is_err());
    }

    #[test]
    fn points_keep_their_order() {
        let points = PointSelection { rank: 2, points: vec![vec![1, 2], vec![0, 0], vec![0, 1]] };
        assert_eq!(pairs(&Selection::Points(points), &[2, 3]), Ok(vec![(5, 1), (0, 2)]));
    }
}
