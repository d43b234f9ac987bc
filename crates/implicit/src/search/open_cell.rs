//! Open cells of the searches.

use palpate_math::Point;
use std::cmp::Ordering;

/// A cell still to be split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<T> {
    pub(super) lower: f64,
    pub(super) number: u64,
    pub(super) of: T,
}

/// A segment, a triangle or a tetrahedron, with the barycentric weights of its corners in the whole domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    pub(super) corners: [Point; 4],
    pub(super) weights: [[f64; 4]; 4],
    /// Where the bound of a segment is attained, as a fraction of it; at an end, if that is not known.
    pub(super) lowest: f64,
}

impl<T> Ord for Open<T> {
    /// The lowest bound first; ties go to the lowest number.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then_with(|| other.number.cmp(&self.number))
    }
}

impl<T> PartialOrd for Open<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Open<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Open<T> {}
