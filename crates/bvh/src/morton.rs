//! Fast construction: entries in the order of a space-filling curve, split where their codes differ.
//!
//! Source: C. Lauterbach, M. Garland, S. Sengupta, D. Luebke and D. Manocha, "Fast BVH Construction on GPUs", Computer
//! Graphics Forum 28 (2009), section 4, gathered to nodes of eight children.

use palpate_math::Aabb;

use crate::Bvh;
use crate::cells::{Cells, around_if_any};
use crate::frame::{Lanes, larger, smaller};
use crate::split::LEAF_SIZE;
use crate::tasks::{FEWEST_CELLS, InTurn, Tasks, fill};
use crate::tree::{Node, WIDTH};

/// Bits of a code along each axis.
const BITS: u32 = 10;

/// Cells of the grid along each axis.
const GRID: f32 = (1 << BITS) as f32;

/// Below this number of entries a comparison sort is faster than a radix sort.
const FEW: usize = 256;

impl Bvh {
    /// Like [`rebuild_cells`](Self::rebuild_cells), several times as fast: for cells that have moved too far for a
    /// [refit](Self::refit_cells). Queries return the same, and take somewhat longer.
    ///
    /// # Panics
    /// Like [`rebuild_cells`](Self::rebuild_cells).
    pub fn rebuild_cells_fast<const N: usize, const K: usize>(&mut self, cells: &Cells<'_, N, K>) {
        self.rebuild_cells_fast_by(cells, &InTurn);
    }

    /// Like [`rebuild_cells_fast`](Self::rebuild_cells_fast), on the threads of the caller, as far as it is divided among
    /// them (all but the sort and the nodes without boxes): the same tree for any number.
    ///
    /// # Panics
    /// Like [`rebuild_cells`](Self::rebuild_cells).
    pub fn rebuild_cells_fast_by<const N: usize, const K: usize>(
        &mut self,
        cells: &Cells<'_, N, K>,
        tasks: &dyn Tasks,
    ) {
        self.set_cells(cells, tasks);
        let vertices = std::mem::take(&mut self.buffers.vertices);
        self.buffers.codes.resize(cells.ids.len(), 0);
        fill(tasks, FEWEST_CELLS, (cells.ids, &mut self.buffers.codes), |ids| {
            u64::from(code(&around_if_any::<N, K>(ids, &vertices)))
        });
        self.rebuild_in_order();
        self.buffers.vertices = vertices;
        self.order_cells(cells);
        self.remove_empty_cells(cells.ids);
        self.refit_ordered::<N, K>(tasks);
        self.cost_when_built = self.cost();
    }

    /// Like [`rebuild`](Self::rebuild), several times as fast: for boxes that have moved too far for a
    /// [refit](Self::refit). Queries return the same, and take somewhat longer.
    ///
    /// # Panics
    /// Like [`rebuild`](Self::rebuild).
    pub fn rebuild_fast(&mut self, boxes: &[Aabb]) {
        self.set_boxes(boxes);
        let frame = self.frame;
        let entry = |id: usize| frame.map_box(&boxes[id]);
        self.buffers.codes.clear();
        self.buffers.codes.extend((0..boxes.len()).map(|id| u64::from(code(&entry(id)))));
        self.rebuild_in_order();
        self.refit_entries(&InTurn, |_, id| entry(id));
        self.cost_when_built = self.cost();
    }

    /// Rebuilds the nodes over entries whose codes have been stored, without boxes.
    fn rebuild_in_order(&mut self) {
        let codes = &mut self.buffers.codes;
        let count = codes.len();
        assert!(count < 1 << 31, "{count} boxes; a tree holds fewer than 2^31");
        for (id, code) in (0_u64..).zip(codes.iter_mut()) {
            *code = *code << 32 | id;
        }
        sort(codes, &mut self.buffers.spare_codes);
        self.ids.clear();
        self.ids.extend(codes.iter().map(|&code| code as u32));
        self.entries.clear();
        self.entries.resize(count, Lanes::EMPTY);
        self.nodes.clear();
        self.links.clear();
        if count > LEAF_SIZE {
            // As for the other construction.
            self.nodes.reserve(count / 2);
            self.buffers.unions.reserve(count / 2);
            let mut builder = Builder { codes: &self.buffers.codes, nodes: &mut self.nodes };
            builder.build(0, count);
        }
    }
}

/// Returns the place of a box's centre on the curve. Boxes without a finite centre have some place too.
#[inline]
fn code(entry: &Lanes) -> u32 {
    let cell = |axis: usize| {
        let centre = 0.5 * entry.low[axis] + 0.5 * entry.high[axis];
        smaller(larger((centre + 1.0) * (0.5 * GRID), 0.0), GRID - 1.0) as u32
    };
    code_of_cell([cell(0), cell(1), cell(2)])
}

/// Returns the place of a cell of the grid on the curve.
#[inline]
fn code_of_cell([x, y, z]: [u32; 3]) -> u32 {
    spread(x) << 2 | spread(y) << 1 | spread(z)
}

/// Puts two zeros between the ten lowest bits.
#[inline]
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00FF;
    let x = (x | x << 8) & 0x0300_F00F;
    let x = (x | x << 4) & 0x030C_30C3;
    (x | x << 2) & 0x0924_9249
}

/// Sorts by the codes in the upper half, then by the numbers in the lower one, which ascend.
fn sort(codes: &mut Vec<u64>, spare: &mut Vec<u64>) {
    if codes.len() < FEW {
        codes.sort_unstable();
        return;
    }
    const BUCKETS: usize = 1 << BITS;
    let digit = |code: u64, pass: usize| (code >> (32 + BITS as usize * pass)) as usize % BUCKETS;
    let mut counts = [[0_u32; BUCKETS]; 3];
    for &code in &*codes {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(code, pass)] += 1;
        }
    }
    spare.resize(codes.len(), 0);
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &code in &*codes {
            let place = &mut counts[digit(code, pass)];
            spare[*place as usize] = code;
            *place += 1;
        }
        std::mem::swap(codes, spare);
    }
}

struct Builder<'a> {
    codes: &'a [u64],
    nodes: &'a mut Vec<Node>,
}

impl Builder<'_> {
    /// Builds the node over more entries than fit a leaf, without boxes; returns its index.
    fn build(&mut self, start: usize, end: usize) -> u32 {
        let mut parts = [[start, end]; WIDTH];
        let mut count = 1;
        if end - start <= WIDTH * LEAF_SIZE {
            count = (end - start).div_ceil(LEAF_SIZE);
            for (lane, part) in parts[..count].iter_mut().enumerate() {
                let first = start + lane * LEAF_SIZE;
                *part = [first, end.min(first + LEAF_SIZE)];
            }
        } else {
            while count < WIDTH {
                let largest = (1..count).fold(0, |best, other| {
                    let len = |part: usize| parts[part][1] - parts[part][0];
                    if len(other) > len(best) { other } else { best }
                });
                let [from, to] = parts[largest];
                if to - from <= WIDTH * LEAF_SIZE {
                    break;
                }
                let middle = self.middle(from, to);
                parts[largest] = [from, middle];
                parts[count] = [middle, to];
                count += 1;
            }
            parts[..count].sort_unstable();
        }
        let index = self.nodes.len();
        // Allocated before its children are built, so that they come after it.
        self.nodes.push(Node { len: count as u32, ..Node::EMPTY });
        for (lane, &[from, to]) in parts[..count].iter().enumerate() {
            let is_leaf = to - from <= LEAF_SIZE;
            let first = if is_leaf { from as u32 } else { self.build(from, to) };
            let node = &mut self.nodes[index];
            node.first[lane] = first;
            node.counts[lane] = if is_leaf { (to - from) as u8 } else { 0 };
        }
        index as u32
    }

    /// Returns where the highest bit that differs changes; the middle if all codes are the same.
    fn middle(&self, from: usize, to: usize) -> usize {
        let code = |place: usize| (self.codes[place] >> 32) as u32;
        let differing = code(from) ^ code(to - 1);
        if differing == 0 {
            return from + (to - from) / 2;
        }
        let bit = 1 << differing.ilog2();
        from + self.codes[from..to].partition_point(|code| (code >> 32) as u32 & bit == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::MAXIMUM_DEPTH;
    use crate::sample::{Sample, checked_depth, stirred};
    use palpate_math::{Point, Vector};

    #[test]
    fn the_order_is_that_of_the_codes() {
        let mut sample = Sample::new(61);
        for count in [1, 5, FEW - 1, FEW, 5_000] {
            let mut codes: Vec<u64> = (0..count as u64)
                .map(|id| {
                    u64::from(code(&Lanes { low: [sample.number() as f32; 4], high: [0.3; 4] })) << 32 | id
                })
                .collect();
            let mut expected = codes.clone();
            expected.sort_unstable();
            sort(&mut codes, &mut Vec::new());
            assert_eq!(codes, expected, "{count}");
        }
        assert_eq!((spread(0b11_1111_1111), spread(0b10_0000_0101)), (0x0924_9249, 1 << 27 | 1 << 6 | 1));
    }

    /// Same answers as from a tree of the slow construction, built over other boxes before.
    #[test]
    fn every_tree_is_sound_and_answers_the_same() {
        let mut sample = Sample::new(62);
        let (mut found, mut met) = (0, 0);
        for (name, boxes) in sample.sets() {
            let slow = Bvh::build(&boxes);
            let mut fast = Bvh::build(&stirred(&boxes, &mut sample));
            fast.rebuild_fast(&boxes);
            if boxes.is_empty() {
                continue;
            }
            let root = fast.root();
            if !root.is_leaf() {
                let union = fast.nodes[root.first as usize].union();
                assert!(checked_depth(&fast, root, &union) <= MAXIMUM_DEPTH, "{name}");
            }
            let sorted = |tree: &Bvh, query: &Aabb| {
                let mut ids = Vec::new();
                tree.overlap(query, |id| ids.push(id));
                ids.sort_unstable();
                ids
            };
            for query in boxes.iter().filter(|bounds| !bounds.is_empty()).take(50) {
                let expected = sorted(&slow, query);
                met += expected.len();
                assert_eq!(sorted(&fast, query), expected, "{name}");
                let point = query.min + (query.max - query.min) * sample.number();
                let distance = |id: u32| boxes[id as usize].distance_squared_to_point(&point);
                let nearest = slow.nearest(&point, f64::INFINITY, distance);
                found += usize::from(nearest.is_some());
                assert_eq!(fast.nearest(&point, f64::INFINITY, distance), nearest, "{name}");
            }
        }
        assert!(found > 500 && met > 2_000, "{found} {met}");
    }

    /// Cells in one place have the same code: halved by number.
    #[test]
    fn equal_codes_make_no_deep_tree() {
        let mut sample = Sample::new(63);
        let boxes: Vec<Aabb> = (0..5_000)
            .map(|k| Point::from(sample.vector() * 1e-9 + Vector::repeat(if k == 0 { 1.0 } else { 0.0 })))
            .map(Aabb::from_point)
            .collect();
        let mut tree = Bvh::default();
        tree.rebuild_fast(&boxes);
        let union = tree.nodes[0].union();
        assert!(checked_depth(&tree, tree.root(), &union) <= 6);
    }
}
