//! The least value of a signed distance grid over a convex polygon in a plane, with a certified lower bound.
//!
//! The polygon is divided at the planes of the lattice, blocks of cells that are not low enough left out.

use super::cell::{CellValue, Local};
use super::crossed::Stalled;
use super::facet::{Facet, Least};
use super::facet_cell::InCell;
use super::minima::Block;
use super::polygon::{Divided, Place, Polygon};
use super::samples::Grid;
use palpate_math::Vector;

impl Facet<'_> {
    /// Returns the coordinate of a place along an axis of the lattice.
    fn coordinate(&self, [x, y]: &Place, axis: usize) -> f64 {
        self.plane.origin[axis] + (self.plane.axes[0][axis] * x + self.plane.axes[1][axis] * y)
    }

    /// Returns the part of a polygon in the lattice's box, if there is one, and whether there are others.
    pub(super) fn within_the_lattice(&self, mut polygon: Polygon) -> Option<(Option<Polygon>, bool)> {
        let (mut is_cut, mut parts) = (false, [Polygon::default(), Polygon::default()]);
        for axis in 0..3 {
            let last = (self.plane.grid.lattice.size[axis] - 1) as f64;
            for (plane, sign) in [(0.0, -1.0), (last, 1.0)] {
                let height = |place: &Place| sign * (self.coordinate(place, axis) - plane);
                match polygon.divide(height, &mut parts)? {
                    Divided::Below => {}
                    Divided::Above => return Some((None, true)),
                    Divided::Both => {
                        is_cut = true;
                        std::mem::swap(&mut polygon, &mut parts[0]);
                    }
                }
            }
        }
        Some((Some(polygon), is_cut))
    }

    /// Returns the part of a polygon in a cell that is grown at both sides along each axis, by parts of its size.
    pub(super) fn within_cell(
        &self,
        mut polygon: Polygon,
        cell: [usize; 3],
        grown: &[Vector; 2],
    ) -> Result<Option<Polygon>, Stalled> {
        let mut parts = [Polygon::default(), Polygon::default()];
        for axis in 0..3 {
            let low = cell[axis] as f64 - grown[0][axis];
            let high = (cell[axis] + 1) as f64 + grown[1][axis];
            for (plane, sign) in [(low, -1.0), (high, 1.0)] {
                let height = |place: &Place| sign * (self.coordinate(place, axis) - plane);
                match polygon.divide(height, &mut parts).ok_or(Stalled)? {
                    Divided::Below => {}
                    Divided::Above => return Ok(None),
                    Divided::Both => std::mem::swap(&mut polygon, &mut parts[0]),
                }
            }
        }
        Ok(Some(polygon))
    }

    /// Searches a polygon in a cell.
    pub(super) fn search_cell(
        &self,
        cell: [usize; 3],
        polygon: &Polygon,
        least: &mut Least,
    ) -> Result<(), Stalled> {
        InCell::new(self, cell).search(polygon, least)
    }

    /// Searches a polygon within the lattice's box.
    pub(super) fn search(&self, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let (mut first, mut last) = ([usize::MAX; 3], [0; 3]);
        for corner in &polygon.corners {
            for (axis, (first, last)) in first.iter_mut().zip(&mut last).enumerate() {
                let end = self.plane.grid.lattice.size[axis] - 2;
                let cell = (self.coordinate(corner, axis).max(0.0) as usize).min(end);
                (*first, *last) = ((*first).min(cell), (*last).max(cell));
            }
        }
        self.in_block(&Block::around(first, last), polygon, least)
    }

    /// Searches a polygon in a block of cells.
    fn in_block(&self, block: &Block, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let Grid { lattice, values, minima, .. } = self.plane.grid;
        if least.leaves_out(minima.least(lattice, values, block)) {
            return Ok(());
        }
        if block.level == 0 {
            return InCell::new(self, block.at).search(polygon, least);
        }
        let Some(downhill) = self.downhill(polygon, least) else { return Ok(()) };
        let child = Block { level: block.level - 1, at: block.at.map(|n| 2 * n) };
        self.in_children(0, child, downhill, polygon, least)
    }

    /// Searches the parts of a polygon in the children of a block that are on both sides of its planes, from one axis on.
    fn in_children(
        &self,
        axis: usize,
        child: Block,
        downhill: Place,
        polygon: &Polygon,
        least: &mut Least,
    ) -> Result<(), Stalled> {
        if axis == 3 {
            return self.in_block(&child, polygon, least);
        }
        let plane = (child.at[axis] + 1) << child.level;
        if plane >= self.plane.grid.lattice.size[axis] - 1 {
            return self.in_children(axis + 1, child, downhill, polygon, least);
        }
        let mut beyond = child;
        beyond.at[axis] += 1;
        let height = |place: &Place| self.coordinate(place, axis) - plane as f64;
        let mut parts = [Polygon::default(), Polygon::default()];
        match polygon.divide(height, &mut parts).ok_or(Stalled)? {
            Divided::Below => self.in_children(axis + 1, child, downhill, polygon, least),
            Divided::Above => self.in_children(axis + 1, beyond, downhill, polygon, least),
            Divided::Both => {
                // The lower part first: it leaves out more of the other.
                let is_beyond_lower =
                    self.plane.axes[0][axis] * downhill[0] + self.plane.axes[1][axis] * downhill[1] > 0.0;
                let [below, above] = &parts;
                let mut order = [(child, below), (beyond, above)];
                if is_beyond_lower {
                    order.reverse();
                }
                let mut each = order.into_iter();
                each.try_for_each(|(child, part)| self.in_children(axis + 1, child, downhill, part, least))
            }
        }
    }

    /// Evaluates the value at the centre of a polygon, and returns the direction in which it falls; `None` if it is so high
    /// that no other is of use.
    fn downhill(&self, polygon: &Polygon, least: &mut Least) -> Option<Place> {
        let center = polygon.center();
        let position = self.plane.position(&center);
        let cell = [0, 1, 2].map(|axis| {
            let last = self.plane.grid.lattice.size[axis] - 2;
            (position[axis].max(0.0) as usize).min(last)
        });
        let local = position - Vector::from(cell.map(|n| n as f64));
        let Local { value, gradient, .. } = CellValue::new(&self.plane.grid.samples(cell)).at(&local);
        least.consider(value, || center);
        let squared = |corner: &Place| {
            let [x, y] = [corner[0] - center[0], corner[1] - center[1]];
            let [first, both, second] = self.plane.metric;
            first * x * x + 2.0 * both * x * y + second * y * y
        };
        let reach = polygon.corners.iter().map(squared).fold(0.0, f64::max).sqrt();
        let is_above = least.leaves_out(value - self.plane.grid.rate * reach);
        (!is_above).then(|| self.plane.axes.map(|axis| -gradient.dot(&axis)))
    }
}
