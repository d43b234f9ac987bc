//! The least value of a signed distance grid over a triangle, with a certified lower bound.
//!
//! The triangle is divided at the planes of the lattice, blocks of cells that are not low enough left out. In a cell its
//! value is a polynomial of third degree, with second derivatives that are linear in the position: their extremes over a
//! polygon are at its corners. Where the value is concave along some direction, it is least on the polygon's boundary,
//! where it is a polynomial of one variable. Where it is convex, a tangent is a lower bound, and Newton's method finds the
//! minimum. Polygons that are neither are halved. What is above the best value by the greatest second derivative is left
//! out.

use super::cell::{CellValue, Local};
use super::minima::Block;
use super::polygon::{Divided, Place, Polygon};
use super::samples::Grid;
use crate::implicit::LeastOnTriangle;
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most polygons of one triangle that are halved.
const MOST_HALVED: usize = 200;

/// The most steps of Newton's method.
const MOST_STEPS: usize = 12;

/// The second derivatives in the plane: twice along the first axis, along both, and twice along the second.
type Bend = [f64; 3];

/// A triangle in the lattice's frame, whose unit is the spacing along each axis.
struct Face<'a> {
    grid: &'a Grid,
    /// The first corner.
    origin: Vector,
    /// Two orthogonal units that span the plane.
    axes: [Vector; 2],
    /// The squared length in metres of the first, the product of both, and that of the second.
    metric: [f64; 3],
}

/// The least value so far.
struct Least {
    value: f64,
    at: Place,
    cutoff: f64,
    /// A lower bound of all that was left out.
    left_out: f64,
    gap: f64,
    halved: usize,
}

impl Least {
    fn consider(&mut self, value: f64, at: impl FnOnce() -> Place) {
        if value < self.value {
            (self.value, self.at) = (value, at());
        }
    }

    /// Leaves out values, given a lower bound of them, if they are of no use.
    fn leaves_out(&mut self, bound: f64) -> bool {
        let is_useless = bound > self.cutoff || bound >= self.value - self.gap;
        if is_useless {
            self.left_out = self.left_out.min(bound);
        }
        is_useless
    }
}

/// A part of the triangle was too hard.
struct Stalled;

impl Grid {
    /// Returns the least value over a triangle, with a bound that is closer than `gap`; `None` if the minimum may lie
    /// outside the lattice's box, or be set by the distance to its sides, or if that bound is not reached.
    pub(super) fn least_over(&self, corners: &[Point; 3], cutoff: f64, gap: f64) -> Option<LeastOnTriangle> {
        let corners =
            corners.map(|corner| (corner - self.lattice.origin).component_div(&self.lattice.spacing));
        let sides = [corners[1] - corners[0], corners[2] - corners[0]];
        let length = sides[0].norm();
        let first = sides[0] / length;
        let along = sides[1].dot(&first);
        let across = sides[1] - first * along;
        let height = across.norm();
        let spacing = self.lattice.spacing;
        let axes = [first, across / height];
        let scaled = axes.map(|axis| axis.component_mul(&spacing));
        let metric = [scaled[0].norm_squared(), scaled[0].dot(&scaled[1]), scaled[1].norm_squared()];
        if !(length > 0.0 && height > 0.0 && metric.iter().all(|x| x.is_finite())) {
            return None;
        }
        let face = Face { grid: self, origin: corners[0], axes, metric };
        let whole = Polygon::triangle([[0.0, 0.0], [length, 0.0], [along, height]]);
        let (inside, is_cut) = face.within_the_lattice(whole)?;
        let mut least = Least {
            value: f64::INFINITY,
            at: [0.0; 2],
            cutoff,
            left_out: f64::INFINITY,
            gap: 0.5 * gap,
            halved: 0,
        };
        if let Some(inside) = inside {
            face.search(&inside, &mut least).ok()?;
        }
        if is_cut && self.least_outside < least.value.min(cutoff) {
            return None;
        }
        let lower = least.left_out.min(least.value);
        if lower > cutoff {
            return Some(LeastOnTriangle { weights: [1.0, 0.0, 0.0], lower });
        }
        // The value is the maximum of the trilinear one and that of the sides. Where the trilinear one is least, and is
        // the maximum, the value is least too.
        if !least.value.is_finite() || least.value - lower > gap || !face.is_trilinear(&least) {
            return None;
        }
        let second = (least.at[1] / height).clamp(0.0, 1.0);
        let first = ((least.at[0] - second * along) / length).clamp(0.0, 1.0 - second);
        Some(LeastOnTriangle { weights: [1.0 - first - second, first, second], lower })
    }
}

impl Face<'_> {
    fn position(&self, [x, y]: &Place) -> Vector {
        self.origin + self.axes[0] * *x + self.axes[1] * *y
    }

    /// Returns the coordinate of a place along an axis of the lattice.
    fn coordinate(&self, [x, y]: &Place, axis: usize) -> f64 {
        self.origin[axis] + (self.axes[0][axis] * x + self.axes[1][axis] * y)
    }

    /// Returns the part of a polygon in the lattice's box, if there is one, and whether there are others.
    fn within_the_lattice(&self, mut polygon: Polygon) -> Option<(Option<Polygon>, bool)> {
        let mut is_cut = false;
        for axis in 0..3 {
            let last = (self.grid.lattice.size[axis] - 1) as f64;
            for (plane, sign) in [(0.0, -1.0), (last, 1.0)] {
                match polygon.divided(|place| sign * (self.coordinate(place, axis) - plane))? {
                    Divided::Below => {}
                    Divided::Above => return Some((None, true)),
                    Divided::Both([inside, _]) => (polygon, is_cut) = (inside, true),
                }
            }
        }
        Some((Some(polygon), is_cut))
    }

    /// Whether the distance to the sides of the lattice's box is not the value at the least place.
    fn is_trilinear(&self, least: &Least) -> bool {
        let lattice = &self.grid.lattice;
        let position = self.position(&least.at);
        self.grid.is_whole || {
            let point = lattice.origin + position.component_mul(&lattice.spacing);
            self.grid.side(&self.grid.clamped(&point)).0 <= least.value
        }
    }

    fn search(&self, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let (mut first, mut last) = ([usize::MAX; 3], [0; 3]);
        for corner in &polygon.corners {
            for (axis, (first, last)) in first.iter_mut().zip(&mut last).enumerate() {
                let end = self.grid.lattice.size[axis] - 2;
                let cell = (self.coordinate(corner, axis).max(0.0) as usize).min(end);
                (*first, *last) = ((*first).min(cell), (*last).max(cell));
            }
        }
        self.in_block(&Block::around(first, last), polygon, least)
    }

    /// Searches the part of the triangle in a block of cells.
    fn in_block(&self, block: &Block, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let Grid { lattice, values, minima, .. } = self.grid;
        if least.leaves_out(minima.least(lattice, values, block)) {
            return Ok(());
        }
        if block.level == 0 {
            let cell = InCell::new(self, block.at);
            return cell.search(polygon, least);
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
        if plane >= self.grid.lattice.size[axis] - 1 {
            return self.in_children(axis + 1, child, downhill, polygon, least);
        }
        let mut beyond = child;
        beyond.at[axis] += 1;
        let height = |place: &Place| self.coordinate(place, axis) - plane as f64;
        match polygon.divided(height).ok_or(Stalled)? {
            Divided::Below => self.in_children(axis + 1, child, downhill, polygon, least),
            Divided::Above => self.in_children(axis + 1, beyond, downhill, polygon, least),
            Divided::Both([below, above]) => {
                let mut parts = [(child, below), (beyond, above)];
                // The lower part first: it leaves out more of the other.
                if self.axes[0][axis] * downhill[0] + self.axes[1][axis] * downhill[1] > 0.0 {
                    parts.reverse();
                }
                let mut each = parts.iter();
                each.try_for_each(|(child, part)| self.in_children(axis + 1, *child, downhill, part, least))
            }
        }
    }

    /// Evaluates the value at the centre of a polygon, and returns the direction in which it falls; `None` if it is so high
    /// that no other is of use.
    fn downhill(&self, polygon: &Polygon, least: &mut Least) -> Option<Place> {
        let center = polygon.center();
        let position = self.position(&center);
        let cell = [0, 1, 2].map(|axis| {
            let last = self.grid.lattice.size[axis] - 2;
            (position[axis].max(0.0) as usize).min(last)
        });
        let local = position - Vector::from(cell.map(|n| n as f64));
        let Local { value, gradient, .. } = CellValue::new(&self.grid.samples(cell)).at(&local);
        least.consider(value, || center);
        let squared = |corner: &Place| {
            let [x, y] = [corner[0] - center[0], corner[1] - center[1]];
            let [first, both, second] = self.metric;
            first * x * x + 2.0 * both * x * y + second * y * y
        };
        let reach = polygon.corners.iter().map(squared).fold(0.0, f64::max).sqrt();
        let is_above = least.leaves_out(value - self.grid.rate * reach);
        (!is_above).then(|| self.axes.map(|axis| -gradient.dot(&axis)))
    }
}

/// The value of one cell in the plane of a triangle.
struct InCell<'a> {
    face: &'a Face<'a>,
    value: CellValue,
    /// The first corner of the triangle from that of the cell.
    origin: Vector,
    /// The coefficients of the mixed derivatives in those of the plane.
    bends: [Vector; 3],
}

/// A place, and the value and its derivatives there.
#[derive(Clone, Copy)]
struct About {
    place: Place,
    position: Vector,
    local: Local,
    slope: Place,
    bend: Bend,
}

type Corners = ArrayVec<About, 16>;

impl<'a> InCell<'a> {
    fn new(face: &'a Face<'a>, cell: [usize; 3]) -> Self {
        let value = CellValue::new(&face.grid.samples(cell));
        let origin = face.origin - Vector::from(cell.map(|n| n as f64));
        let [a, b] = &face.axes;
        let product = |a: &Vector, b: &Vector| {
            Vector::new(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x)
        };
        Self { face, value, origin, bends: [product(a, a), product(a, b), product(b, b)] }
    }

    fn about(&self, place: Place) -> About {
        let [a, b] = &self.face.axes;
        let position = self.origin + a * place[0] + b * place[1];
        let local = self.value.at(&position);
        let slope = [local.gradient.dot(a), local.gradient.dot(b)];
        let bend = self.bends.map(|coefficients| coefficients.dot(&local.mixed));
        About { place, position, local, slope, bend }
    }

    /// Searches a polygon in the cell.
    fn search(&self, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let corners: Corners = polygon.corners.iter().map(|corner| self.about(*corner)).collect();
        for corner in &corners {
            least.consider(corner.local.value, || corner.place);
        }
        if least.leaves_out(below_corners(polygon, &corners)) {
            return Ok(());
        }
        let lowest = self.along_boundary(&corners, least);
        if is_concave_somewhere(&corners, least.gap) {
            return Ok(());
        }
        let is_convex = corners.iter().all(|corner| is_positive(&corner.bend));
        if is_convex && self.minimum_inside(&corners, lowest, least) {
            return Ok(());
        }
        least.halved += 1;
        if least.halved > MOST_HALVED {
            return Err(Stalled);
        }
        let Some(Divided::Both(halves)) = polygon.halved() else { return Err(Stalled) };
        halves.iter().try_for_each(|half| self.search(half, least))
    }

    /// Finds the least place on the boundary of a polygon.
    fn along_boundary(&self, corners: &Corners, least: &mut Least) -> Place {
        let mut lowest = (f64::INFINITY, [0.0; 2]);
        for (index, corner) in corners.iter().enumerate() {
            let next = &corners[if index + 1 < corners.len() { index + 1 } else { 0 }];
            if corner.local.value < lowest.0 {
                lowest = (corner.local.value, corner.place);
            }
            let cubic = self.value.along(&corner.local, &(next.position - corner.position));
            if cubic.below() >= lowest.0 {
                continue;
            }
            cubic.for_each_stationary(|s| {
                let value = cubic.at(s);
                if value < lowest.0 {
                    lowest = (value, [0, 1].map(|k| corner.place[k] + s * (next.place[k] - corner.place[k])));
                }
            });
        }
        least.consider(lowest.0, || lowest.1);
        lowest.1
    }

    /// Finds the minimum in a polygon in which the value is convex, from the least place on its boundary. Returns whether a
    /// tangent proves it.
    fn minimum_inside(&self, corners: &Corners, from: Place, least: &mut Least) -> bool {
        let mut place = from;
        for _ in 0..MOST_STEPS {
            let about = self.about(place);
            least.consider(about.local.value, || place);
            let [x, y] = about.slope;
            let rise = |corner: &About| x * (corner.place[0] - place[0]) + y * (corner.place[1] - place[1]);
            let rise = corners.iter().map(rise).fold(f64::INFINITY, f64::min);
            if least.leaves_out(about.local.value + rise) {
                return true;
            }
            let [first, both, second] = about.bend;
            let determinant = first * second - both * both;
            let step = [(both * y - second * x) / determinant, (both * x - first * y) / determinant];
            if !step.iter().all(|x| x.is_finite()) {
                return false;
            }
            let share = share_within(corners, &place, &step);
            place = [place[0] + share * step[0], place[1] + share * step[1]];
        }
        false
    }
}

/// Returns how much of a step from a place in a polygon stays in it.
fn share_within(corners: &Corners, place: &Place, step: &Place) -> f64 {
    let cross = |[ax, ay]: Place, [bx, by]: Place| ax * by - ay * bx;
    let between = |from: &Place, to: &Place| [to[0] - from[0], to[1] - from[1]];
    let mut share = 1.0_f64;
    for (index, corner) in corners.iter().enumerate() {
        let next = &corners[if index + 1 < corners.len() { index + 1 } else { 0 }];
        let side = between(&corner.place, &next.place);
        // The corners are anticlockwise: what is inside is on the left.
        let (room, approach) = (cross(side, between(&corner.place, place)), cross(side, *step));
        if approach < 0.0 {
            share = share.min(room.max(0.0) / -approach);
        }
    }
    share
}

/// Returns a lower bound over a polygon: what is left of the value when its greatest second derivative is taken out is
/// concave, and least at a corner.
fn below_corners(polygon: &Polygon, corners: &Corners) -> f64 {
    let center = polygon.center();
    let greatest = corners.iter().map(|corner| greatest(&corner.bend)).fold(0.0, f64::max);
    let below = |corner: &About| {
        let [x, y] = [corner.place[0] - center[0], corner.place[1] - center[1]];
        corner.local.value - 0.5 * greatest * (x * x + y * y)
    };
    corners.iter().map(below).fold(f64::INFINITY, f64::min)
}

/// Returns the second derivative along the direction in which it is greatest.
fn greatest([first, both, second]: &Bend) -> f64 {
    let difference = first - second;
    0.5 * (first + second + (difference * difference + 4.0 * both * both).sqrt())
}

/// Whether the second derivative is positive along every direction.
fn is_positive([first, both, second]: &Bend) -> bool {
    *first > 0.0 && first * second > both * both
}

/// Whether there is a direction along which the second derivative is at no corner above a small number.
fn is_concave_somewhere(corners: &Corners, small: f64) -> bool {
    let share = 1.0 / corners.len() as f64;
    let mean = |k: usize| corners.iter().map(|corner| corner.bend[k]).sum::<f64>() * share;
    let [first, both, second] = [mean(0), mean(1), mean(2)];
    let difference = first - second;
    let lowest = 0.5 * (first + second - (difference * difference + 4.0 * both * both).sqrt());
    if lowest > small {
        return false;
    }
    // Both are eigenvectors; the longer has less rounding error.
    let candidates = [[both, lowest - first], [lowest - second, both]];
    let squares = candidates.map(|[x, y]| x * x + y * y);
    let [x, y] = if squares[0] > squares[1] { candidates[0] } else { candidates[1] };
    let square = x * x + y * y;
    let direction = if square > 0.0 { [x / square.sqrt(), y / square.sqrt()] } else { [1.0, 0.0] };
    let [x, y] = direction;
    corners.iter().all(|corner| {
        let [first, both, second] = corner.bend;
        first * x * x + 2.0 * both * x * y + second * y * y <= small
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use crate::implicit::{ImplicitFunction, Search};
    use std::sync::atomic::AtomicUsize;

    /// Against the search by branch and bound, and against samples of the triangle.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(7);
        let (mut known, mut inside, mut left, mut above) = (0, 0, 0, 0);
        for round in 0..60 {
            let grid = random_grid(&mut random, [2, 3, 5, 8, 13][round % 5], [0.0, 0.02, 0.3][round % 3]);
            // A wrapper that does not pass the method on.
            let searched = Counted(&grid, AtomicUsize::new(0));
            let half = grid.lattice.end().coords;
            let size = half.norm();
            for case in 0..40 {
                let reach = [0.9, 1.4][case % 2];
                let mut corner = || Point::from(random.vector().component_mul(&half) * reach);
                let mut corners = [corner(), corner(), corner()];
                match case % 10 {
                    // Small, in a plane of the lattice, along an axis, thin.
                    5 | 8 => {
                        let middle = corners[0].coords * 0.7;
                        corners = corners.map(|corner| Point::from(middle + corner.coords * 0.2));
                    }
                    6 => corners.iter_mut().for_each(|corner| corner.y = grid.lattice.place([1; 3]).y),
                    7 => corners[1] = Point::new(corners[0].x, corners[0].y, corners[1].z),
                    9 => corners[2] = corners[0] + (corners[1] - corners[0]) * 0.5 + random.vector() * 1e-9,
                    _ => {}
                }
                let cutoff = if case % 3 == 0 { 0.0 } else { f64::INFINITY };
                let found = grid.least_on_triangle(&corners, cutoff, 1e-12 * size);
                let all = Search::default().below(&grid, &corners, cutoff);
                let wanted = Search::default().below(&searched, &corners, cutoff);
                match (&all, &wanted) {
                    (Some(all), Some(wanted)) => {
                        let apart = all.sample.value - wanted.sample.value;
                        assert!(
                            apart.abs() <= 4e-12 * size || !wanted.converged && apart < 0.0,
                            "{round} {case}: {all:?} is not {wanted:?}"
                        );
                        let gap = all.sample.value - all.lower;
                        let is_closed = (0.0..=2e-12 * size).contains(&gap);
                        assert!(is_closed || found.is_none(), "{round} {case}: {all:?}");
                    }
                    (None, None) => above += 1,
                    (Some(only), None) | (None, Some(only)) => {
                        assert!(
                            (only.sample.value - cutoff).abs() < 4e-12 * size,
                            "{round} {case}: {only:?}"
                        );
                    }
                }
                if found.is_none() {
                    left += 1;
                } else if let Some(all) = all {
                    known += 1;
                    inside += usize::from(all.weights[..3].iter().all(|weight| *weight > 1e-6));
                    for step in 0..=400 {
                        let [i, j] = [step % 21, step / 21].map(|n| f64::from(n) / 20.0);
                        let [first, second] = if i + j > 1.0 { [1.0 - i, 1.0 - j] } else { [i, j] };
                        let place = corners[0]
                            + (corners[1] - corners[0]) * first
                            + (corners[2] - corners[0]) * second;
                        assert!(grid.sample(&place).value >= all.lower, "{round} {case} at {place}");
                    }
                }
            }
        }
        assert!(known > 1000 && inside > 150 && left > 300 && above > 100, "{known} {inside} {left} {above}");
    }
}
