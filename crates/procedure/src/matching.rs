//! Which crossing of a step is which of the step before.
//!
//! A crossing keeps its place in the tissue while the shaft slides through it, and its place on the shaft while the tissue
//! slides along; both keep the order. It comes and goes at the tip and at the rear end, or together with its neighbour, where
//! the shaft bends out of the tissue. Each explanation has a cost, the length by which it lets things move: of all the least
//! is taken (an alignment: S. Needleman and C. Wunsch 1970).

use crate::crossing::{Crossing, Passing};
use palpate_math::Point;

/// A crossing of the step before: its place in the tissue, now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub(crate) passing: Passing,
    pub(crate) point: Point,
    pub(crate) arc: f64,
}

/// How the best explanation of the first crossings ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// All came or went at the tip.
    AtTip,
    Matched,
    /// Two that are gone, two that are new.
    PairGone,
    PairNew,
}

/// The memory of the search.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    costs: Vec<(f64, Last)>,
    /// For each crossing now, the one before.
    pub(crate) matched: Vec<Option<usize>>,
}

impl Matching {
    /// Finds for each crossing the one it was before; `lengths` are those of the shaft, before and now.
    pub(crate) fn find(&mut self, before: &[Before], now: &[Crossing], lengths: [f64; 2]) {
        self.matched.clear();
        self.matched.resize(now.len(), None);
        let width = now.len() + 1;
        self.costs.clear();
        let mut best: Option<(f64, [usize; 2])> = None;
        for i in 0..=before.len() {
            for j in 0..=now.len() {
                let cost = self.cost(before, now, [i, j]);
                self.costs.push(cost);
                let rear = before.get(i).map_or(0.0, |gone| lengths[0] - gone.arc)
                    + now.get(j).map_or(0.0, |new| lengths[1] - new.place.arc);
                let total = cost.0 + rear;
                // Of equal costs the one that leaves less to the rear end.
                if best.is_none_or(|(least, _)| total <= least) {
                    best = Some((total, [i, j]));
                }
            }
        }
        let Some((_, [mut i, mut j])) = best else { return };
        loop {
            match self.costs[i * width + j].1 {
                Last::AtTip => return,
                Last::Matched => {
                    (i, j) = (i - 1, j - 1);
                    self.matched[j] = Some(i);
                }
                Last::PairGone => i -= 2,
                Last::PairNew => j -= 2,
            }
        }
    }

    fn cost(&self, before: &[Before], now: &[Crossing], [i, j]: [usize; 2]) -> (f64, Last) {
        let width = now.len() + 1;
        let known = |i: usize, j: usize| self.costs[i * width + j].0;
        let gone = if i > 0 { before[i - 1].arc } else { 0.0 };
        let new = if j > 0 { now[j - 1].place.arc } else { 0.0 };
        let mut best = (gone + new, Last::AtTip);
        let mut keep = |cost: f64, last: Last| {
            if cost < best.0 || cost == best.0 && last == Last::Matched {
                best = (cost, last);
            }
        };
        if i > 0 && j > 0 && before[i - 1].passing == now[j - 1].passing {
            let moved = (before[i - 1].point - now[j - 1].point).norm();
            keep(known(i - 1, j - 1) + moved, Last::Matched);
        }
        if i > 1 && before[i - 1].passing != before[i - 2].passing {
            keep(known(i - 2, j) + before[i - 1].arc - before[i - 2].arc, Last::PairGone);
        }
        if j > 1 && now[j - 1].passing != now[j - 2].passing {
            keep(known(i, j - 2) + now[j - 1].place.arc - now[j - 2].place.arc, Last::PairNew);
        }
        best
    }
}
