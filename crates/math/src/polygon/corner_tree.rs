//! A tree over the projected corners of a polygon, from which corners are removed.

use crate::Point;
use crate::orient::orient2d_along;

/// Corners in a leaf.
const LEAF: usize = 8;

/// The corners, halved along alternating coordinates. The children of node `k` are `2 k + 1` and `2 k + 2`.
pub(super) struct CornerTree {
    axis: usize,
    /// The corners in the order of the leaves, and the place of each in it.
    order: Vec<usize>,
    places: Vec<usize>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    /// The least and the greatest coordinates of its corners when it was built.
    low: [f64; 2],
    high: [f64; 2],
    /// How many of its corners are left.
    left: usize,
}

/// A triangle whose corners a query looks past, counter-clockwise if `turn` is 1, clockwise if it is -1.
struct Query<'a> {
    corners: &'a [Point],
    ids: [usize; 3],
    turn: f64,
}

impl CornerTree {
    /// The tree of points projected along `axis`.
    pub(super) fn new(corners: &[Point], axis: usize) -> Self {
        let none = Node { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2], left: 0 };
        let mut tree = Self {
            axis,
            order: (0..corners.len()).collect(),
            places: vec![0; corners.len()],
            nodes: Vec::new(),
        };
        let leaves = corners.len().div_ceil(LEAF).next_power_of_two();
        tree.nodes = vec![none; 2 * leaves];
        tree.build(corners, 0, 0..corners.len(), 0);
        for (place, &corner) in tree.order.iter().enumerate() {
            tree.places[corner] = place;
        }
        tree
    }

    fn build(&mut self, corners: &[Point], node: usize, range: std::ops::Range<usize>, along: usize) {
        let [u, v] = self.plane();
        let mut bounds = self.nodes[node];
        for &corner in &self.order[range.clone()] {
            for (k, axis) in [u, v].into_iter().enumerate() {
                bounds.low[k] = bounds.low[k].min(corners[corner][axis]);
                bounds.high[k] = bounds.high[k].max(corners[corner][axis]);
            }
        }
        bounds.left = range.len();
        self.nodes[node] = bounds;
        if range.len() > LEAF {
            let half = range.len() / 2;
            let axis = [u, v][along];
            self.order[range.clone()]
                .select_nth_unstable_by(half, |&a, &b| corners[a][axis].total_cmp(&corners[b][axis]));
            let middle = range.start + half;
            self.build(corners, 2 * node + 1, range.start..middle, 1 - along);
            self.build(corners, 2 * node + 2, middle..range.end, 1 - along);
        }
    }

    fn plane(&self) -> [usize; 2] {
        [(self.axis + 1) % 3, (self.axis + 2) % 3]
    }

    /// Removes a corner that is there.
    pub(super) fn remove(&mut self, corner: usize) {
        let place = self.places[corner];
        let (mut node, mut range) = (0, 0..self.order.len());
        loop {
            self.nodes[node].left -= 1;
            if range.len() <= LEAF {
                break;
            }
            let middle = range.start + range.len() / 2;
            (node, range) = if place < middle {
                (2 * node + 1, range.start..middle)
            } else {
                (2 * node + 2, middle..range.end)
            };
        }
        self.places[corner] = usize::MAX;
    }

    /// Returns a corner left that lies in the triangle of three others, its sides included, whose turn is 1
    /// (counter-clockwise in the projection) or -1. Which one is found varies with the triangle, so that not all wait
    /// for the same one.
    pub(super) fn within(&self, corners: &[Point], ids: [usize; 3], turn: f64) -> Option<usize> {
        self.below(&Query { corners, ids, turn }, 0, 0..self.order.len(), ids[1].wrapping_mul(0x9e37_79b9))
    }

    fn below(
        &self,
        query: &Query<'_>,
        node: usize,
        range: std::ops::Range<usize>,
        bits: usize,
    ) -> Option<usize> {
        if self.nodes[node].left == 0 || self.is_outside(query, &self.nodes[node]) {
            return None;
        }
        if range.len() <= LEAF {
            let left = self.order[range].iter().copied().filter(|&corner| self.places[corner] != usize::MAX);
            return left
                .filter(|corner| !query.ids.contains(corner))
                .find(|&corner| (0..3).all(|side| self.side(query, side, &query.corners[corner]) >= 0.0));
        }
        let middle = range.start + range.len() / 2;
        let halves = [(2 * node + 1, range.start..middle), (2 * node + 2, middle..range.end)];
        let [one, other] = halves.map(|(child, range)| move || self.below(query, child, range, bits >> 1));
        if bits & 1 == 0 { one().or_else(other) } else { other().or_else(one) }
    }

    /// The side of a point: positive inside of side `k` of the triangle, decided exactly.
    fn side(&self, query: &Query<'_>, k: usize, point: &Point) -> f64 {
        let [a, b] = [k, (k + 1) % 3].map(|corner| &query.corners[query.ids[corner]]);
        query.turn * orient2d_along(self.axis, a, b, point)
    }

    /// Whether all of a node's box lies outside of one side: even its corner farthest inward.
    fn is_outside(&self, query: &Query<'_>, node: &Node) -> bool {
        let [u, v] = self.plane();
        (0..3).any(|k| {
            let [a, b] = [k, (k + 1) % 3].map(|corner| &query.corners[query.ids[corner]]);
            let pick = |along: usize, rises: bool| if rises { node.high[along] } else { node.low[along] };
            let mut inmost = Point::origin();
            inmost[u] = pick(0, query.turn * b[v] < query.turn * a[v]);
            inmost[v] = pick(1, query.turn * b[u] > query.turn * a[u]);
            self.side(query, k, &inmost) < 0.0
        })
    }
}
