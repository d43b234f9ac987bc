//! Open cells of the search.

use palpate_math::Point;
use std::cmp::Ordering;

/// A cell still to be split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) corners: [Point; 4],
    pub(super) weights: [[f64; 4]; 4],
    pub(super) lower: f64,
    pub(super) number: u64,
}

impl Ord for Open {
    /// The lowest bound first; ties go to the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then_with(|| other.number.cmp(&self.number))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}
