//! Axis-aligned boxes in the frame of a grid, and lower bounds over them: blocks of cells, parts of a cell, and boxes outside the lattice.

use super::cell::CellValue;
use super::extremes::{Block, Extremes};
use super::samples::Grid;
use crate::base::{Cell, CellValues};
use crate::bounds::{least_of, linear};
use crate::function::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector};

/// Bounds the rounding error of a linear bound at a corner of a block, and of a region's sides, relative to the numbers added.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// How close a plane of the lattice may pass the side of a box without dividing it, relative to the box and to the spacing.
const ON_THE_PLANE: f64 = 1e-9;

/// A box in the frame of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridBox {
    pub(crate) bounds: Aabb,
    of: Of,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Block(Block),
    /// A part of a cell.
    Cell([usize; 3]),
    /// Beside the lattice's box, on one side of each of its planes.
    Beside,
}

impl Grid {
    /// Calls `visit` with boxes that cover a region: a block of cells, and those beside the lattice's box.
    pub(crate) fn cover(&self, region: &Aabb, visit: &mut dyn FnMut(GridBox)) {
        let whole = self.sublevel_bounds(0.0);
        let inside = region.intersection(&whole);
        if !inside.is_empty() {
            let [first, last] = [inside.min, inside.max].map(|end| self.in_cell(&end).cell);
            visit(self.block(Block::around(first, last)));
        }
        if whole.contains(region) {
            return;
        }
        let thinnest = ROUNDING * region.largest_coordinate();
        let planes = [region.min, whole.min, whole.max, region.max];
        for number in (0..27).filter(|number| *number != 13) {
            let part = [number % 3, number / 3 % 3, number / 9];
            let end = |upper: usize| Point::from([0, 1, 2].map(|axis| planes[part[axis] + upper][axis]));
            let bounds = Aabb { min: end(0), max: end(1) }.intersection(region);
            if !bounds.is_empty() && bounds.size().min() > thinnest {
                visit(GridBox { bounds, of: Of::Beside });
            }
        }
    }

    /// Calls `visit` with the parts of a box; returns false if rounding leaves nothing between its ends.
    pub(crate) fn divide(&self, whole: &GridBox, visit: &mut dyn FnMut(GridBox)) -> bool {
        let of = match whole.of {
            Of::Block(Block { level: 0, at }) => Of::Cell(at),
            Of::Block(block) => {
                for child in block.children().filter(|child| self.has(child)) {
                    visit(self.block(child));
                }
                return true;
            }
            of => of,
        };
        let Aabb { min, max } = whole.bounds;
        let crossed = matches!(of, Of::Beside).then(|| self.crossed_plane(&whole.bounds)).flatten();
        let (axis, middle) = crossed.unwrap_or_else(|| {
            let axis = (max - min).imax();
            (axis, 0.5 * (min[axis] + max[axis]))
        });
        if middle <= min[axis] || middle >= max[axis] {
            return false;
        }
        let (mut low, mut high) = (whole.bounds, whole.bounds);
        (low.max[axis], high.min[axis]) = (middle, middle);
        visit(GridBox { bounds: low, of });
        visit(GridBox { bounds: high, of });
        true
    }

    /// Returns the axis along which a box is longest between planes of the lattice, and the plane closest to its middle.
    fn crossed_plane(&self, bounds: &Aabb) -> Option<(usize, f64)> {
        let crossed = (0..3).filter_map(|axis| {
            let (origin, spacing) = (self.lattice.origin[axis], self.lattice.spacing[axis]);
            let (low, high) = (bounds.min[axis], bounds.max[axis]);
            let last = (self.lattice.size[axis] - 1) as f64;
            let plane = origin + spacing * ((0.5 * (low + high) - origin) / spacing).round().clamp(0.0, last);
            let slack = ON_THE_PLANE * (high - low).max(spacing);
            (plane > low + slack && plane < high - slack).then_some((high - low, axis, plane))
        });
        crossed.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, axis, plane)| (axis, plane))
    }

    /// Returns a lower bound of all values in a box that takes little time: no trilinear value is below all samples.
    pub(crate) fn floor_in(&self, of: &GridBox) -> f64 {
        match of.of {
            Of::Block(Block { level: 0, at }) => least_of(&self.samples(at)),
            Of::Block(block) => self.extremes.of(&self.lattice, &self.values, &block).least,
            Of::Cell(_) => f64::NEG_INFINITY,
            Of::Beside => 0.0,
        }
    }

    /// Returns a lower bound in a box, given its corners. In a cell the trilinear value is the mean of those at the corners.
    pub(crate) fn below_in(&self, of: &GridBox, corners: &[Point; 8]) -> CellValues {
        let values = match of.of {
            Of::Beside => return self.bound_below(&Cell::new(corners)),
            Of::Block(Block { level: 0, at }) => self.samples(at),
            Of::Block(block) => self.below_block(&block, &of.bounds),
            Of::Cell(at) => {
                let first = Vector::from(at.map(|n| n as f64));
                let [low, high] = [of.bounds.min, of.bounds.max].map(|end| self.steps_to(&end) - first);
                CellValue::new(&self.samples(at)).at_corners(&low, &high)
            }
        };
        if self.is_whole || least_of(&values) >= 0.0 {
            return values;
        }
        let center = of.bounds.center();
        let (side, out) = self.side(&center);
        let sides = corners.map(|corner| side + out.dot(&(corner - center)));
        if least_of(&sides) > least_of(&values) { sides } else { values }
    }

    /// Bounds a block by the slopes in it.
    fn below_block(&self, block: &Block, bounds: &Aabb) -> CellValues {
        let Extremes { low, high, .. } = self.extremes.of(&self.lattice, &self.values, block);
        let (slope, spread) = ((low + high) * 0.5, (high - low) * 0.5);
        let half = bounds.size() * 0.5;
        let value = self.trilinear_value(&bounds.center());
        let rises = slope.component_mul(&half);
        let rounding = ROUNDING * (value.abs() + rises.abs().sum());
        linear(value - spread.dot(&half) - rises.sum() - rounding, (rises * 2.0).into())
    }

    fn steps_to(&self, point: &Point) -> Vector {
        (point - self.lattice.origin).component_div(&self.lattice.spacing)
    }

    fn block(&self, block: Block) -> GridBox {
        let first = block.first();
        let last = [0, 1, 2].map(|axis| (first[axis] + (1 << block.level)).min(self.lattice.size[axis] - 1));
        let bounds = Aabb { min: self.lattice.place(first), max: self.lattice.place(last) };
        GridBox { bounds, of: Of::Block(block) }
    }

    fn has(&self, block: &Block) -> bool {
        let first = block.first();
        (0..3).all(|axis| first[axis] < self.lattice.size[axis] - 1)
    }
}

impl GridBox {
    /// Returns its rank by size: the level of a block above zero, zero for a part of a cell.
    pub(crate) fn level(&self) -> u64 {
        if let Of::Block(block) = self.of { block.level as u64 + 1 } else { 0 }
    }

    /// Returns the corners, x varying fastest.
    pub(crate) fn corners(&self) -> [Point; 8] {
        self.bounds.corners()
    }
}
