//! The least value of a cell over a convex polygon.
//!
//! In a plane the value is a polynomial of third degree, with second derivatives that are linear in the position: their
//! extremes over a polygon are at its corners. Where the value is concave along some direction, it is least on the
//! polygon's boundary, where it is a polynomial of one variable. Where it is convex, a tangent is a lower bound, and
//! Newton's method finds the minimum. Polygons that are neither are halved. What is above the best value by the greatest
//! second derivative is left out.

use super::cell::{CellValue, Local};
use super::facet::{Facet, Least, Stalled};
use super::polygon::{Divided, Place, Polygon};
use arrayvec::ArrayVec;
use palpate_math::Vector;

/// The most polygons of one facet that are halved.
const MOST_HALVED: usize = 200;

/// The most steps of Newton's method.
const MOST_STEPS: usize = 12;

/// The second derivatives in the plane: twice along the first axis, along both, and twice along the second.
type Bend = [f64; 3];

/// The value of one cell in a plane.
pub(super) struct InCell<'a> {
    facet: &'a Facet<'a>,
    value: CellValue,
    /// The position of the place (0, 0) from the cell's first corner.
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
    value: f64,
    slope: Place,
    bend: Bend,
}

type Corners = ArrayVec<About, 16>;

impl<'a> InCell<'a> {
    pub(super) fn new(facet: &'a Facet<'a>, cell: [usize; 3]) -> Self {
        let value = CellValue::new(&facet.plane.grid.samples(cell));
        let origin = facet.plane.origin - Vector::from(cell.map(|n| n as f64));
        let [a, b] = &facet.plane.axes;
        let product = |a: &Vector, b: &Vector| {
            Vector::new(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x)
        };
        Self { facet, value, origin, bends: [product(a, a), product(a, b), product(b, b)] }
    }

    fn about(&self, place: Place) -> About {
        let [a, b] = &self.facet.plane.axes;
        let position = self.origin + a * place[0] + b * place[1];
        let local = self.value.at(&position);
        let slope = [local.gradient.dot(a), local.gradient.dot(b)];
        let bend = self.bends.map(|coefficients| coefficients.dot(&local.mixed));
        About { place, position, local, value: local.value, slope, bend }
    }

    /// Searches a polygon in the cell.
    pub(super) fn search(&self, polygon: &Polygon, least: &mut Least) -> Result<(), Stalled> {
        let corners: Corners = polygon.corners.iter().map(|corner| self.about(*corner)).collect();
        for corner in &corners {
            least.consider(corner.value, || corner.place);
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
        let mut halves = [Polygon::default(), Polygon::default()];
        if polygon.halve(&mut halves) != Some(Divided::Both) {
            return Err(Stalled);
        }
        halves.iter().try_for_each(|half| self.search(half, least))
    }

    /// Finds the least place on the boundary of a polygon.
    fn along_boundary(&self, corners: &Corners, least: &mut Least) -> Place {
        let mut lowest = (f64::INFINITY, [0.0; 2]);
        for (index, corner) in corners.iter().enumerate() {
            let next = &corners[if index + 1 < corners.len() { index + 1 } else { 0 }];
            if corner.value < lowest.0 {
                lowest = (corner.value, corner.place);
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
            least.consider(about.value, || place);
            let [x, y] = about.slope;
            let rise = |corner: &About| x * (corner.place[0] - place[0]) + y * (corner.place[1] - place[1]);
            let rise = corners.iter().map(rise).fold(f64::INFINITY, f64::min);
            if least.leaves_out(about.value + rise) {
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
        corner.value - 0.5 * greatest * (x * x + y * y)
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
