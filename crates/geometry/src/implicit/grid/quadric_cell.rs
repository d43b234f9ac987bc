//! The least value in a box of one cell where polynomials of the second degree are not positive.
//!
//! Positions are in sizes of the cell from its first corner. The trilinear value `f` has no second derivative along an axis, but
//! mixed ones. With weights `w` that are not negative `f` is in the body nowhere below `f + w q`, if the `q` are the polynomials of
//! the body. Where that is convex in the box, a tangent is below it; with the weights of Lagrange the tangent is level at the
//! least place. So one place found proves itself in the whole box, unless the value falls in a direction along which the
//! surface bends less than the value's own level.

use super::cell::CellValue;
use super::cell_surface::{ROUNDING, Surface};
use super::crossed::Crossed;
use super::twisted::{Twisted, TwistedIn};
use crate::implicit::Circle;
use crate::implicit::factors::Factors;
use crate::implicit::means::{largest_of, least_of, least_within, lower_of};
use crate::implicit::program::{Answer, Behind, PLANES, Solution, solve};
use crate::implicit::quadric::{QuadricBody, Ring, SURFACES, Wall};
use arrayvec::ArrayVec;
use nalgebra::Matrix3;
use palpate_math::{Point, Vector, direction};

/// The most surfaces in a cell: the wall of a cone and the plane at its tip are added.
const MOST_SURFACES: usize = SURFACES + 2;

/// Iteration limit of Newton's method.
const MOST_STEPS: usize = 12;

/// A step shorter than this is the last; and one with the exact second derivatives that is shorter than the root of this: the error that
/// is left is about its square.
const SHORTEST: f64 = 1e-14;
const SHORT: f64 = 1e-7;

/// How much the second derivatives are raised across what holds a place, relative to their size.
const STIFF: [f64; 3] = [0.0, 4.0, 64.0];

/// How much a second derivative is raised above what would be flat, relative to its size.
const RAISED: f64 = 1e-3;

/// Which part of a weight is changed for bending along the normal.
const CHANGED: [f64; 5] = [0.0, 1.0 / 64.0, 0.0625, 0.125, 0.5];

/// How close to a side of its box a place is put on it, relative to the size of the cell.
const ON_SIDE: f64 = 1e-13;

/// A box in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    pub(super) low: Vector,
    pub(super) high: Vector,
}

/// Returns lower bounds of the values of a cell at the corners of a box of it, given its samples: a trilinear value is a mean of these.
pub(super) fn values_in_box(samples: &[f64; 8], within: &Within) -> [f64; 8] {
    let rounding = rounding_of(samples);
    CellValue::new(samples).at_corners(&within.low, &within.high).map(|value| value - rounding)
}

/// Returns the rounding error of the values of a cell.
pub(super) fn rounding_of(samples: &[f64; 8]) -> f64 {
    ROUNDING * largest_of(samples)
}

impl Within {
    pub(super) fn cell() -> Self {
        Self { low: Vector::zeros(), high: Vector::repeat(1.0) }
    }

    pub(super) fn clamp(&self, place: &Vector) -> Vector {
        place.sup(&self.low).inf(&self.high)
    }

    /// Returns a place, put on the sides that it is as good as on.
    fn on_sides(&self, place: &Vector) -> Vector {
        let nearest = |from: f64, side: f64| if (from - side).abs() <= ON_SIDE { side } else { from };
        Vector::from_fn(|axis, _| nearest(nearest(place[axis], self.low[axis]), self.high[axis]))
    }

    /// Returns how far the box reaches from a place along each axis.
    fn farthest(&self, place: &Vector) -> Vector {
        (self.low - place).abs().sup(&(self.high - place).abs())
    }

    /// Returns the least that a linear function with this slope rises from a place in the box.
    pub(super) fn least_fall(&self, place: &Vector, slope: &Vector) -> f64 {
        let (before, behind) = (self.low - place, self.high - place);
        (0..3).map(|axis| lower_of(slope[axis] * before[axis], slope[axis] * behind[axis])).sum()
    }

    /// Returns the most of a linear function in the box, given its value at the cell's first corner and its slope.
    fn highest(&self, value: f64, slope: &Vector) -> f64 {
        value + slope.component_mul(&self.low).sup(&slope.component_mul(&self.high)).sum()
    }

    pub(super) fn corner(&self, number: usize) -> Vector {
        Vector::from_fn(|axis, _| if number >> axis & 1 == 1 { self.high[axis] } else { self.low[axis] })
    }

    /// Whether both sides across an axis are the same.
    pub(super) fn is_flat(&self, axis: usize) -> bool {
        self.low[axis] == self.high[axis]
    }

    /// Returns a direction with nothing across the axes along which the box is flat.
    pub(super) fn along(&self, way: &Vector) -> Vector {
        Vector::from_fn(|axis, _| if self.is_flat(axis) { 0.0 } else { way[axis] })
    }

    /// Returns both halves across the longest side.
    pub(super) fn halves(&self) -> [Self; 2] {
        let axis = (self.high - self.low).imax();
        let middle = 0.5 * (self.low[axis] + self.high[axis]);
        let (mut first, mut second) = (*self, *self);
        (first.high[axis], second.low[axis]) = (middle, middle);
        [first, second]
    }
}

/// The surfaces of a cell at a place.
struct SurfacesAt<'a> {
    /// The surface of another grid.
    first: Option<Surface>,
    own: &'a [Surface],
    /// The wall of a cone and a ring.
    last: ArrayVec<Surface, 2>,
}

impl SurfacesAt<'_> {
    fn iter(&self) -> impl Iterator<Item = &Surface> {
        self.first.iter().chain(self.own).chain(&self.last)
    }
}

/// A place found, with the weights of the surfaces there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) place: Vector,
    /// Whether the last step was none.
    pub(super) is_final: bool,
    weights: [f64; MOST_SURFACES],
}

/// What a search of a box has found.
pub(super) enum Outcome {
    Settled(Settled),
    /// Nothing of the body is in the box.
    Empty,
    /// Nothing.
    Stalled,
}

/// A cell and the body's polynomials in it.
pub(super) struct QuadricCell {
    value: CellValue,
    low: Point,
    size: Vector,
    surfaces: ArrayVec<Surface, MOST_SURFACES>,
    wall: Option<Wall>,
    ring: Option<Ring>,
    /// The surface of another grid in one of its cells.
    twisted: Option<TwistedIn>,
    /// The rounding error of the values.
    rounding: f64,
}

impl QuadricCell {
    /// Creates the cell with the surfaces of a body that bound it in a box, and what the surface of another grid leaves of it.
    pub(super) fn new(
        crossed: &Crossed,
        within: &Within,
        body: &QuadricBody,
        twisted: Option<&Twisted>,
    ) -> Self {
        let QuadricBody { wall, ring, .. } = *body;
        let (low, size) = (crossed.low, crossed.size);
        let mut cell = Self {
            value: CellValue::new(&crossed.samples),
            low,
            size,
            surfaces: ArrayVec::new(),
            wall,
            ring,
            twisted: twisted.map(|twisted| twisted.in_cell(&low, &size)),
            rounding: rounding_of(&crossed.samples),
        };
        for surface in &body.surfaces {
            // A plane behind which the box is bounds nothing.
            let is_behind = surface.is_flat() && {
                let (value, slope) = Surface::plane(surface, &low, &size);
                within.highest(value, &slope) <= 0.0
            };
            if !is_behind {
                cell.surfaces.push(Surface::new(surface, &low, &size));
            }
        }
        cell.surfaces.extend(wall.and_then(|wall| cell.at_tip(&wall)));
        cell
    }

    /// Returns the plane through a cone's tip that touches it against the slope there, if the tip is in the cell: no polynomial
    /// of the wall holds what is at the tip.
    fn at_tip(&self, wall: &Wall) -> Option<Surface> {
        let at = (wall.tip - self.low).component_div(&self.size);
        if Within::cell().clamp(&at) != at {
            return None;
        }
        let slope = self.value.at(&at).gradient.component_div(&self.size);
        let outward = (-direction::across(&slope, &wall.axis)).try_normalize(0.0)?;
        Some(Surface::new(&wall.touching(&outward, None), &self.low, &self.size))
    }

    /// Returns the surfaces at a place, as they are in a box: for the wall of a cone, a ring and another grid those that
    /// touch them beside the place.
    fn at(&self, place: &Vector, within: &Within) -> SurfacesAt<'_> {
        let mut last = ArrayVec::new();
        if let Some(wall) = &self.wall {
            last.extend(self.beside_wall(wall, place, within));
        }
        if let Some(ring) = &self.ring {
            last.extend(self.beside_ring(ring, place, within));
        }
        let first = self.twisted.as_ref().map(|twisted| {
            let far = within.farthest(place);
            Surface::in_sizes(&twisted.touching(place, &far))
        });
        SurfacesAt { first, own: &self.surfaces, last }
    }

    fn beside_wall(&self, wall: &Wall, place: &Vector, within: &Within) -> Option<Surface> {
        let from = |place: &Vector| direction::across(&(self.position(place) - wall.tip), &wall.axis);
        let outward = from(place).try_normalize(0.0)?;
        let most = (0..8).map(|number| from(&within.corner(number)).norm_squared()).fold(0.0, f64::max);
        let most = most.sqrt() * (1.0 + ROUNDING);
        let touching = wall.touching(&outward, Some(most.min(wall.radius)));
        Some(Surface::new(&touching, &self.low, &self.size))
    }

    fn beside_ring(&self, ring: &Ring, place: &Vector, within: &Within) -> Option<Surface> {
        let Circle { center, axis, .. } = &ring.circle;
        let from = |place: &Vector| self.position(place) - center;
        let outward = direction::across(&from(place), axis).try_normalize(0.0)?;
        let along = std::array::from_fn(|number| outward.dot(&from(&within.corner(number))));
        let least = least_of(&along) * (1.0 - ROUNDING);
        let touching = (least > 0.0).then(|| ring.touching(&outward, least))?;
        Some(Surface::new(&touching, &self.low, &self.size))
    }

    /// Returns the position of a place.
    pub(super) fn position(&self, place: &Vector) -> Point {
        self.low + self.size.component_mul(place)
    }

    /// Returns a lower bound of the values in the part of a box that is in the body, by a plane in front of each surface, until it
    /// is above a limit; infinity if there is none.
    pub(super) fn below_planes(&self, within: &Within, limit: f64) -> f64 {
        let middle = (within.low + within.high) * 0.5;
        let half = (within.high - within.low) * 0.5;
        let corners: [Vector; 8] = std::array::from_fn(|number| within.corner(number));
        let values = self.value.at_corners(&within.low, &within.high);
        let mut lower = least_of(&values) - self.rounding;
        if lower > limit {
            return lower;
        }
        for surface in self.at(&middle, within).iter() {
            let touched = if surface.is_convex() && !surface.is_flat() {
                surface.beside(&middle, &self.size)
            } else {
                middle
            };
            let (height, slope) = surface.at(&touched);
            let height = height - surface.drop(&half);
            let heights = corners.map(|corner| height + slope.dot(&(corner - touched)) - surface.rounding);
            if heights.iter().all(|height| *height > 0.0) {
                return f64::INFINITY;
            }
            if heights.iter().all(|height| *height <= 0.0) {
                continue;
            }
            lower = lower.max(least_within(&values, &heights) - self.rounding);
            if lower > limit {
                break;
            }
        }
        lower
    }

    /// Returns the least place in a box near a place, about: by Newton's method on the conditions of Lagrange, each step a
    /// quadratic program.
    pub(super) fn settle(&self, within: &Within, near: &Vector) -> Outcome {
        let mut settled =
            Settled { place: within.clamp(near), is_final: false, weights: [0.0; MOST_SURFACES] };
        let mut on_sides = Vector::zeros();
        for _ in 0..MOST_STEPS {
            let local = self.value.at(&settled.place);
            let (gradient, mut bend, mut across) = (local.gradient, local.bend(), Matrix3::zeros());
            let mut planes: ArrayVec<Behind, PLANES> = ArrayVec::new();
            for (surface, weight) in self.at(&settled.place, within).iter().zip(settled.weights) {
                let (height, normal) = surface.at(&settled.place);
                planes.push(Behind { normal, offset: -height });
                bend += surface.bend * weight;
                if weight > 0.0 {
                    across += normal * normal.transpose() / normal.norm_squared();
                }
            }
            let count = planes.len();
            for axis in 0..3 {
                let (below, above) =
                    (settled.place[axis] - within.low[axis], within.high[axis] - settled.place[axis]);
                planes.push(Behind { normal: Vector::ith(axis, -1.0), offset: below });
                planes.push(Behind { normal: Vector::ith(axis, 1.0), offset: above });
            }
            across += Matrix3::from_diagonal(&on_sides);
            let exact = bend;
            let (bend, stiff) = stiffened(&exact, &across, &gradient, &STIFF);
            let Solution { place: step, weights } = match solve(&bend, &gradient, &planes) {
                Some(Answer::Least(solution)) => solution,
                Some(Answer::Nothing(weights))
                    if self.is_empty(&weights[..count], &settled.place, within) =>
                {
                    return Outcome::Empty;
                }
                _ => return Outcome::Stalled,
            };
            on_sides = held_by(&weights[count..]);
            // What the stiffness adds to the slope along a normal is a part of its weight. What holds the place keeps one.
            settled.weights = std::array::from_fn(|k| {
                if k >= count || weights[k] == 0.0 {
                    return 0.0;
                }
                let Behind { normal, .. } = &planes[k];
                let added = if settled.weights[k] > 0.0 {
                    stiff * normal.dot(&step) / normal.norm_squared()
                } else {
                    0.0
                };
                (weights[k] + added).max(f64::MIN_POSITIVE)
            });
            settled.place = within.clamp(&(settled.place + step));
            // Stiffness across what holds the place changes no step.
            let is_exact = stiff > 0.0 || bend == exact;
            if step.amax() <= if is_exact { SHORT } else { SHORTEST } {
                settled.is_final = true;
                break;
            }
        }
        settled.place = within.on_sides(&settled.place);
        Outcome::Settled(settled)
    }

    /// Whether in a box the tangent planes of all surfaces at a place, with these weights, are nowhere behind the place.
    fn is_empty(&self, weights: &[f64], place: &Vector, within: &Within) -> bool {
        let (mut sum, mut slope) = (0.0, Vector::zeros());
        let far = within.farthest(place);
        for (surface, weight) in self.at(place, within).iter().zip(weights) {
            let (height, normal) = surface.at(place);
            sum += weight * (height - surface.drop(&far) - surface.rounding);
            slope += normal * *weight;
        }
        sum + within.least_fall(place, &slope) > 0.0
    }

    /// Returns a lower bound of the values in the part of a box that is in the body, by the tangent of the value plus the
    /// weighted polynomials at a settled place. Second derivatives that are negative by so little that `gap` is not exceeded
    /// count as none, and so do those that leave the bound above a `limit`.
    pub(super) fn below_settled(&self, settled: &Settled, within: &Within, gap: f64, limit: f64) -> f64 {
        let Settled { place, weights, .. } = settled;
        let surfaces = self.at(place, within);
        let by_corners = self.below_corners(&surfaces, weights, place, within);
        if by_corners > limit {
            return by_corners;
        }
        let [unchanged, changed] =
            [0.0, 1.0].map(|changed| self.tangent(&surfaces, weights, place, within, changed));
        let mut tangents = CHANGED.iter().map(|part| {
            let mut tangent = unchanged.towards(&changed, *part);
            tangent.bend_at_sides(within, self.value.third().abs());
            tangent.lower(within, gap, limit)
        });
        tangents.find(|lower| *lower > f64::NEG_INFINITY).unwrap_or(by_corners)
    }

    /// Returns a lower bound by the value plus the weighted tangent planes at the corners of a box: both are means of these.
    fn below_corners(
        &self,
        surfaces: &SurfacesAt<'_>,
        weights: &[f64; MOST_SURFACES],
        place: &Vector,
        within: &Within,
    ) -> f64 {
        let far = within.farthest(place);
        let (mut sum, mut slope, mut rounding) = (0.0, Vector::zeros(), self.rounding);
        for (surface, &weight) in surfaces.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            let (height, normal) = surface.at(place);
            sum += weight * (height - surface.drop(&far));
            slope += normal * weight;
            rounding += 2.0 * weight * surface.rounding;
        }
        let corners = std::array::from_fn(|number| {
            let corner = within.corner(number);
            self.value.value(&corner) + slope.dot(&(corner - place))
        });
        least_of(&corners) + sum - rounding
    }

    /// Returns the tangent with a part of the weights changed for bending along the normals. It depends linearly on the part.
    fn tangent(
        &self,
        surfaces: &SurfacesAt<'_>,
        weights: &[f64; MOST_SURFACES],
        place: &Vector,
        within: &Within,
        changed: f64,
    ) -> Tangent {
        let local = self.value.at(place);
        let far = within.farthest(place);
        let mut tangent = Tangent {
            place: *place,
            value: local.value,
            slope: local.gradient,
            bend: local.bend(),
            rounding: self.rounding,
        };
        for (surface, &weight) in surfaces.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            tangent.add(surface, weight, within, &far, changed);
        }
        tangent
    }
}

/// A function of the second degree in a box that is nowhere in the body above the values, about a place.
struct Tangent {
    place: Vector,
    value: f64,
    slope: Vector,
    bend: Matrix3<f64>,
    rounding: f64,
}

impl Tangent {
    /// Adds a polynomial `q` that is not positive in the body times a weight, a part of which is changed for bending along the
    /// normal: with `-width` its lowest value in the box, `q (q + width)` is not positive, either. Its second derivatives
    /// are twice the square of the slope of `q`, and those of `q` times `2 q + width`. Between two places of the body the slope
    /// differs from that at the place by no more than `turn`; so half of its square is left, but for twice that of `turn`.
    fn add(&mut self, surface: &Surface, whole: f64, within: &Within, far: &Vector, changed: f64) {
        let (height, normal) = surface.at(&self.place);
        let height = height - surface.rounding;
        self.rounding += whole * surface.rounding;
        let drop = surface.drop(far);
        let width = drop - (height + within.least_fall(&self.place, &normal));
        let part = if width > 0.0 { changed } else { 0.0 };
        let (weight, factor) = (whole * (1.0 - part), if part > 0.0 { part * whole / width } else { 0.0 });
        let at_place = weight + factor * (2.0 * height + width);
        self.value += height * (weight + factor * (height + width));
        self.slope += normal * at_place;
        self.bend += surface.bend * at_place;
        if surface.is_convex() {
            // The tangent plane is not above the polynomial, and serves as well.
            self.bend += normal * normal.transpose() * (2.0 * factor) - surface.bend * (at_place - weight);
        } else {
            let size = surface.bend.norm();
            let turn = size * far.norm();
            let lost = 2.0 * factor * (width.max(drop) * size + turn * turn);
            self.bend += normal * normal.transpose() * factor - Matrix3::from_diagonal_element(lost);
        }
    }

    /// Returns a mean with another one: `part` of that.
    fn towards(&self, other: &Self, part: f64) -> Self {
        let own = 1.0 - part;
        Self {
            place: self.place,
            value: own * self.value + part * other.value,
            slope: self.slope * own + other.slope * part,
            bend: self.bend * own + other.bend * part,
            rounding: self.rounding,
        }
    }

    /// Takes out how much the mixed derivatives, which change linearly, differ from those at the place. In the box the product of
    /// the distances from two opposite sides is not negative: at a side of the box the slope is changed for bending.
    fn bend_at_sides(&mut self, within: &Within, third: f64) {
        let (before, behind) = (within.low - self.place, within.high - self.place);
        let far = before.abs().sup(&behind.abs());
        let change = [far.y + far.z, far.z + far.x, far.x + far.y].map(|sum| third * sum);
        for axis in 0..3 {
            self.bend[(axis, axis)] -= change[axis];
            let (rise, room) = if before[axis] == 0.0 {
                (self.slope[axis], behind[axis])
            } else if behind[axis] == 0.0 {
                (-self.slope[axis], -before[axis])
            } else {
                continue;
            };
            if rise > 0.0 {
                self.bend[(axis, axis)] += 2.0 * rise / room;
                self.slope[axis] = 0.0;
            }
        }
    }

    /// Returns the lower bound; minus infinity if the function is not convex.
    fn lower(&self, within: &Within, gap: f64, limit: f64) -> f64 {
        let far = (within.low - self.place).abs().sup(&(within.high - self.place).abs());
        let lowest = self.value + within.least_fall(&self.place, &self.slope) - self.rounding;
        let slack = gap.max(lowest - limit);
        let bend = self.bend + Matrix3::from_diagonal_element(slack / far.norm_squared());
        if Factors::of(&bend).is_none() {
            return f64::NEG_INFINITY;
        }
        lowest - 0.5 * slack
    }
}

/// Returns second derivatives with positive eigenvalues, and by how much they are raised across the surfaces and sides that hold a
/// place, given the projection onto their normals and the parts of their size to try: along these they change no step.
pub(super) fn stiffened(
    bend: &Matrix3<f64>,
    across: &Matrix3<f64>,
    slope: &Vector,
    parts: &[f64],
) -> (Matrix3<f64>, f64) {
    let size = bend.amax();
    for stiff in parts.iter().map(|part| part * size) {
        let tried = bend + across * stiff;
        if Factors::of(&tried).is_some() {
            return (tried, stiff);
        }
    }
    (raised(bend, slope), 0.0)
}

/// Returns one for each axis with a side of a box that has a weight, else zero, given the weights of both sides of each axis.
pub(super) fn held_by(sides: &[f64]) -> Vector {
    Vector::from_fn(|axis, _| if sides[2 * axis] > 0.0 || sides[2 * axis + 1] > 0.0 { 1.0 } else { 0.0 })
}

/// Returns second derivatives with positive eigenvalues: the given ones, if theirs are, else raised.
fn raised(bend: &Matrix3<f64>, slope: &Vector) -> Matrix3<f64> {
    let size = bend.amax().max(RAISED * slope.amax());
    let mut raise = RAISED * size;
    let mut tried = *bend;
    loop {
        if Factors::of(&tried).is_some() || raise > 8.0 * size || size == 0.0 {
            let least = if size > 0.0 { RAISED * RAISED * size } else { 1.0 };
            return tried + Matrix3::identity() * least;
        }
        tried = bend + Matrix3::identity() * raise;
        raise *= 8.0;
    }
}
