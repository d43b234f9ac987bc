//! Pieces of a body: its disjoint components, as far as they can be detected.
//!
//! Each part of a union is a piece of its own, whether they overlap or not. Parts not known to be
//! [connected](ImplicitFunction::is_connected) are divided into blocks of their box: adjacent blocks that may contain
//! an interior point form one piece. Pieces closer together than a block are not separated.

use super::Search;
use crate::base::{Cell, CellValues, EdgeSplit, OrientedBounds, Sample};
use crate::function::{Description, ImplicitFunction, Structure};
use crate::functions::is_bounded;
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector};
use std::sync::Arc;

/// Halvings of a body's box: 32 blocks along each side.
const LEVELS: u32 = 5;
const BLOCKS: usize = 1 << LEVELS;

/// A piece of a body.
#[derive(Clone)]
pub struct Piece {
    /// The part of the union to which it belongs.
    pub part: usize,
    /// A ball inside it, frame of the function.
    pub ball: Option<(Point, f64)>,
    /// The blocks that contain it and its label among these, unless it is the whole part.
    blocks: Option<(Arc<Blocks>, u32)>,
    /// Whether it is known to be connected.
    pub connected: bool,
}

impl Piece {
    /// Calls `visit` with the function of the part to which the piece belongs, restricted to the piece and its surroundings.
    pub fn with_function(
        &self,
        function: &dyn ImplicitFunction,
        visit: &mut dyn FnMut(&dyn ImplicitFunction),
    ) {
        match &self.blocks {
            Some((blocks, label)) => visit(&InBlocks { function, blocks, label: *label }),
            None => visit(function),
        }
    }
}

/// Finds the pieces of a function, part by part.
pub fn pieces(function: &dyn ImplicitFunction) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut part = 0;
    let is_union = function.over_parts(&mut |function| {
        pieces_of_part(function, part, &mut found);
        part += 1;
    });
    if !is_union {
        pieces_of_part(function, 0, &mut found);
    }
    found
}

fn pieces_of_part(function: &dyn ImplicitFunction, part: usize, found: &mut Vec<Piece>) {
    let bounds = function.sublevel_bounds(0.0);
    let rate = function.lipschitz();
    if bounds.is_empty() || rate.is_none() && !function.is_convex() {
        return;
    }
    let connected = function.is_connected();
    let whole = |ball| Piece { part, ball, blocks: None, connected };
    if connected || !is_bounded(&bounds) {
        found.push(whole(ball_in(function, &bounds)));
        return;
    }
    let blocks = Arc::new(Blocks::of(function, &bounds, rate.unwrap_or(1.0)));
    for label in 1..=blocks.pieces {
        let piece = InBlocks { function, blocks: &blocks, label };
        let ball = ball_in(&piece, &piece.sublevel_bounds(0.0));
        let blocks = (blocks.pieces > 1).then(|| (blocks.clone(), label));
        found.push(Piece { part, ball, blocks, connected });
    }
}

/// Finds a ball inside a bounded function: around approximately the deepest point, by a short search.
fn ball_in(function: &dyn ImplicitFunction, bounds: &Aabb) -> Option<(Point, f64)> {
    if !is_bounded(bounds) {
        return None;
    }
    let middle = bounds.center();
    let known = function.is_convex() && function.sample(&middle).value <= function.floor();
    let center = if known { middle } else { Search::default().deepest_in(function, &(*bounds).into())? };
    // Without a Lipschitz constant the value gives no bound of the distance to the surface.
    let radius = function.lipschitz().map_or(0.0, |rate| -function.sample(&center).value / rate.max(1.0));
    Some((center, radius))
}

/// A body's box in blocks, each with the label of the piece of which it may contain a point; 0 for none.
#[derive(Debug)]
struct Blocks {
    low: Point,
    step: Vector,
    labels: Vec<u32>,
    pieces: u32,
}

impl Blocks {
    fn of(function: &dyn ImplicitFunction, bounds: &Aabb, rate: f64) -> Self {
        let step = bounds.size() / BLOCKS as f64;
        let mut blocks = Self { low: bounds.min, step, labels: vec![0; BLOCKS * BLOCKS * BLOCKS], pieces: 0 };
        blocks.mark(function, rate, [0; 3], BLOCKS);
        for index in 0..blocks.labels.len() {
            if blocks.labels[index] == UNNAMED {
                blocks.pieces += 1;
                blocks.name(index, blocks.pieces);
            }
        }
        blocks
    }

    /// Marks the blocks that may contain an interior point, within a cube of blocks.
    fn mark(&mut self, function: &dyn ImplicitFunction, rate: f64, first: [usize; 3], count: usize) {
        let half = self.step * (0.5 * count as f64);
        let corner = self.low + self.step.component_mul(&Vector::from(first.map(|n| n as f64)));
        let value = function.sample(&(corner + half)).value;
        let reach = rate * half.norm() * (1.0 + 1e-9);
        if value > reach {
            return;
        }
        if count == 1 || value < -reach {
            for_each_block(first, first.map(|n| n + count - 1), &mut |index| {
                self.labels[index] = UNNAMED;
                true
            });
            return;
        }
        let half = count / 2;
        for corner in 0..8 {
            let next = [0, 1, 2].map(|axis| first[axis] + half * (corner >> axis & 1));
            self.mark(function, rate, next, half);
        }
    }

    /// Labels all blocks connected to a block.
    fn name(&mut self, index: usize, label: u32) {
        let mut open = vec![index];
        self.labels[index] = label;
        while let Some(index) = open.pop() {
            let at = [index % BLOCKS, index / BLOCKS % BLOCKS, index / (BLOCKS * BLOCKS)];
            let first = at.map(|n| n.saturating_sub(1));
            let last = at.map(|n| (n + 1).min(BLOCKS - 1));
            for_each_block(first, last, &mut |next| {
                if self.labels[next] == UNNAMED {
                    self.labels[next] = label;
                    open.push(next);
                }
                true
            });
        }
    }

    fn block_of(&self, point: &Point) -> [usize; 3] {
        [0, 1, 2].map(|axis| {
            let place = (point[axis] - self.low[axis]) / self.step[axis];
            (place.max(0.0) as usize).min(BLOCKS - 1)
        })
    }

    fn label_at(&self, point: &Point) -> u32 {
        let [i, j, k] = self.block_of(point);
        self.labels[i + BLOCKS * (j + BLOCKS * k)]
    }

    /// Whether a block of the piece overlaps the box, conservatively by one block for rounding.
    fn meets(&self, label: u32, bounds: &Aabb) -> bool {
        let slack = self.step * 1e-6;
        let (first, last) = (self.block_of(&(bounds.min - slack)), self.block_of(&(bounds.max + slack)));
        !for_each_block(first, last, &mut |index| self.labels[index] != label)
    }

    fn bounds_of(&self, label: u32) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for_each_block([0; 3], [BLOCKS - 1; 3], &mut |index| {
            if self.labels[index] == label {
                let at = [index % BLOCKS, index / BLOCKS % BLOCKS, index / (BLOCKS * BLOCKS)];
                for corner in [0.0, 1.0] {
                    let steps = Vector::from(at.map(|n| n as f64 + corner));
                    bounds.include(&(self.low + self.step.component_mul(&steps)));
                }
            }
            true
        });
        bounds
    }
}

/// A block still to be labelled.
const UNNAMED: u32 = u32::MAX;

/// Calls `visit` with every block from `first` to `last`, until it returns false; returns whether it never did.
fn for_each_block(first: [usize; 3], last: [usize; 3], visit: &mut dyn FnMut(usize) -> bool) -> bool {
    for k in first[2]..=last[2] {
        for j in first[1]..=last[1] {
            for i in first[0]..=last[0] {
                if !visit(i + BLOCKS * (j + BLOCKS * k)) {
                    return false;
                }
            }
        }
    }
    true
}

/// The piece of a function that lies in some of its blocks. All other points are outside.
struct InBlocks<'a> {
    function: &'a dyn ImplicitFunction,
    blocks: &'a Blocks,
    label: u32,
}

impl ImplicitFunction for InBlocks<'_> {
    fn sample(&self, point: &Point) -> Sample {
        match self.blocks.label_at(point) {
            label if label == self.label || label == 0 => self.function.sample(point),
            _ => Sample { value: self.blocks.step.norm(), gradient: Vector::zeros(), feature: NONE },
        }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.blocks.bounds_of(self.label).grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.function.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.function.resolution()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        if self.blocks.meets(self.label, &Aabb::from_points(cell.corners)) {
            self.function.bound_below(cell)
        } else {
            cell.constant(f64::INFINITY)
        }
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for InBlocks<'_> {
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        if self.blocks.meets(self.label, &Aabb::from_points(cell.corners)) {
            self.function.bounds_below(cell, visit);
        } else {
            visit(cell.constant(f64::INFINITY));
        }
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.function.tangents(point, visit);
    }

    fn bound_about(&self, cell: &Cell<'_>, place: &Point) -> Option<CellValues> {
        self.function.bound_about(cell, place)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.function.edge_split(cell)
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        Some(self.sublevel_bounds(0.0).into())
    }
}
