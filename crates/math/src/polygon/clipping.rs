//! Ear clipping with a queue of corners by the length of their diagonals.
//!
//! A corner is checked when it is the one with the shortest diagonal. If another corner lies in its triangle, it waits
//! until that one is clipped, or until one of its neighbours is: before that it is no ear.

use super::corner_tree::CornerTree;
use crate::orient::orient2d_along;
use crate::{Point, Vector};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A polygon while its ears are clipped.
pub(super) struct Clipping<'a> {
    corners: &'a [Point],
    /// The axis of the projection, and 1 if the polygon is counter-clockwise in it, else -1.
    axis: usize,
    turn: f64,
    /// The neighbours of each corner among those left.
    before: Vec<usize>,
    after: Vec<usize>,
    /// How many neighbours of each corner were clipped; entries of an earlier state are void.
    state: Vec<u32>,
    /// The lowest corner left.
    first: usize,
    left: usize,
    /// Corners to check, and all corners, for where none is an ear.
    unchecked: BinaryHeap<Corner>,
    all: BinaryHeap<Corner>,
    /// The corners that wait for each corner to be clipped.
    waiting: Vec<Vec<Corner>>,
    tree: CornerTree,
}

/// A corner in a queue; the greatest has the shortest diagonal, and of equal ones the lowest rank.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// The squared length of its diagonal.
    length: f64,
    /// Its number; that of all corners for the first one, which comes last.
    rank: usize,
    number: usize,
    state: u32,
}

impl Ord for Corner {
    fn cmp(&self, other: &Self) -> Ordering {
        other.length.total_cmp(&self.length).then(other.rank.cmp(&self.rank))
    }
}

impl PartialOrd for Corner {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Corner {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Corner {}

impl<'a> Clipping<'a> {
    /// A whole polygon of three corners or more, and its normal.
    pub(super) fn new(corners: &'a [Point], normal: &Vector) -> Self {
        let (count, axis) = (corners.len(), normal.iamax());
        let mut clipping = Self {
            corners,
            axis,
            turn: normal[axis].signum(),
            before: (0..count).map(|corner| (corner + count - 1) % count).collect(),
            after: (0..count).map(|corner| (corner + 1) % count).collect(),
            state: vec![0; count],
            first: 0,
            left: count,
            unchecked: BinaryHeap::with_capacity(count),
            all: BinaryHeap::with_capacity(count),
            waiting: vec![Vec::new(); count],
            tree: CornerTree::new(corners, axis),
        };
        (0..count).for_each(|corner| clipping.queue(corner));
        clipping
    }

    /// Returns the triangles in the order in which they are clipped.
    pub(super) fn triangles(mut self) -> Vec<[usize; 3]> {
        let mut triangles = Vec::with_capacity(self.left.saturating_sub(2));
        while self.left > 3 {
            let ear = self.ear().unwrap_or(self.first);
            triangles.push(self.around(ear));
            self.clip(ear);
        }
        let [_, first, second] = self.around(self.first);
        triangles.push([first, second, self.after[second]]);
        triangles
    }

    /// Returns the ear with the shortest diagonal, or the corner with the shortest diagonal if there is no ear.
    fn ear(&mut self) -> Option<usize> {
        while let Some(corner) = self.unchecked.pop() {
            if self.is_current(&corner) && self.is_convex(corner.number) {
                match self.within(corner.number) {
                    None => return Some(corner.number),
                    Some(other) => self.waiting[other].push(corner),
                }
            }
        }
        while let Some(corner) = self.all.pop() {
            if self.is_current(&corner) {
                return Some(corner.number);
            }
        }
        None
    }

    fn clip(&mut self, ear: usize) {
        let [before, _, after] = self.around(ear);
        (self.after[before], self.before[after]) = (after, before);
        self.left -= 1;
        self.state[ear] += 1;
        self.tree.remove(ear);
        if ear == self.first {
            self.first = after;
        }
        for corner in [before, after] {
            self.state[corner] += 1;
            self.queue(corner);
        }
        for corner in std::mem::take(&mut self.waiting[ear]) {
            if self.is_current(&corner) {
                self.unchecked.push(corner);
            }
        }
    }

    /// Puts a corner into both queues.
    fn queue(&mut self, number: usize) {
        let [before, _, after] = self.around(number);
        let length = (self.corners[after] - self.corners[before]).norm_squared();
        let rank = if number == self.first { self.corners.len() } else { number };
        let corner = Corner { length, rank, number, state: self.state[number] };
        self.unchecked.push(corner);
        self.all.push(corner);
    }

    /// Whether neither the corner nor a neighbour of it was clipped since it was queued.
    fn is_current(&self, corner: &Corner) -> bool {
        self.state[corner.number] == corner.state
    }

    fn around(&self, corner: usize) -> [usize; 3] {
        [self.before[corner], corner, self.after[corner]]
    }

    fn is_convex(&self, corner: usize) -> bool {
        let [a, b, c] = self.around(corner).map(|id| &self.corners[id]);
        self.turn * orient2d_along(self.axis, a, b, c) > 0.0
    }

    /// Returns a corner left in the triangle of a convex corner.
    fn within(&self, corner: usize) -> Option<usize> {
        self.tree.within(self.corners, self.around(corner), self.turn)
    }
}
