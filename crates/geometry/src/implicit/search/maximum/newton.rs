//! Newton's method for the minimum of a maximum of convex functions over an intersection of convex bodies.
//!
//! Every step replaces all functions by their tangents, and keeps the second derivative of their weighted sum, with the weights of the last
//! step (sequential quadratic programming: Wilson 1963, "A simplicial algorithm for concave programming"). No convex function
//! is below its tangents, so that the weighted sum of these is a lower bound of all values: the weights prove the place.

use super::clipped::Clipped;
use super::problem::{LIMITS, Limit, Outcome, Problem, Progress};
use crate::implicit::Sample;
use crate::implicit::factors::Factors;
use crate::implicit::program::{Behind, PLANES, Solution, solve};
use arrayvec::ArrayVec;
use nalgebra::{Matrix3, Matrix4, Vector4};
use palpate_math::{Point, Vector};

/// Iteration limit: five to eight steps are typical, some thirty at a crease between curved sides.
const MOST_STEPS: usize = 60;

/// The most tangents at a place, of which those that are highest are kept.
const TANGENTS: usize = 48;

/// The initial second derivative, the least multiple of the identity added to later ones, and the largest that is not taken for a crease;
/// times the size of the solid.
const AT_FIRST: f64 = 1.0;
const LIFTED: f64 = 1e-3;
const CREASED: f64 = 1e5;

/// Pieces whose normals differ by less than the root of this are one.
const SAME: f64 = 1e-20;

/// How close to the place the function is sampled again on the far side of a crease, relative to where it was before: as close as the crease
/// allows.
const CLOSER: [f64; 2] = [1.0 / 64.0, 0.25];

/// Tangents of the last step are forgotten if new ones are as steep, up to the square of this.
const ALIKE: f64 = 1e-5;

/// How far from the place where it was measured the second derivative is measured again, relative to the solid; and if a step is longer than
/// this share of the last one.
const FAR: f64 = 0.01;
const SLOW: f64 = 0.03;

/// How much is added to a second derivative that is negative somewhere, relative to it, at first.
const RAISED: f64 = 0.01;

/// The distance over which second derivatives are measured, relative to the solid.
const SHIFT: f64 = 1e-6;

/// The tangent of a piece of a convex function at the place of a step.
#[derive(Clone, Copy)]
struct Tangent {
    limit: usize,
    /// Zero for the function itself, else one more than the number of its piece.
    piece: usize,
    rate: f64,
    /// The place where it touches the function.
    touched: Point,
    value: f64,
    normal: Vector,
}

impl Tangent {
    /// Whether this is of the same function as another, and about as steep.
    fn is_alike(&self, other: &Self) -> bool {
        self.limit == other.limit && (self.normal - other.normal).norm_squared() < ALIKE
    }

    /// Returns the tangent as it is at a place that is moved.
    fn moved(self, way: &Vector) -> Self {
        Self { value: self.value + self.normal.dot(way), ..self }
    }
}

/// The tangents and their weights; those of the maximum add up to one.
struct Step {
    way: Vector,
    weights: [f64; PLANES],
}

impl Problem<'_> {
    /// Searches the solid, where there are no holes, for values that are at most `cutoff`.
    pub(super) fn least_of_convex(&self, solid: &Clipped, cutoff: f64) -> Outcome {
        let mut progress = Progress::below(cutoff);
        let mut place = self.center;
        let at_first = AT_FIRST / self.reach;
        let (mut bend, mut lift) = (Matrix3::identity() * at_first, at_first);
        for point in &self.thickest {
            if self.is_inside(solid, point) && self.try_point(point, &mut progress) {
                place = *point;
            }
        }
        let mut lower = self.floor;
        let mut known = ArrayVec::new();
        let (mut measured, mut last_way) = ((place, bend), f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let samples: Samples = self.limits.iter().map(|limit| limit.sample(&place)).collect();
            if self.is_inside(solid, &place) {
                self.try_sampled(&place, &samples, &mut progress);
            }
            if lower > cutoff || progress.value() - lower <= self.gap {
                return Outcome { best: progress.best.map(|(point, _)| point), lower: Some(lower) };
            }
            let tangents = self.tangents_at(&place, &samples, &known);
            let level = highest(&tangents);
            let Some(step) = step(&tangents, &bend, level, lift) else {
                if known.is_empty() && lift == at_first {
                    break;
                }
                known.clear();
                (bend, lift) = (Matrix3::identity() * at_first, at_first);
                continue;
            };
            lower = lower.max(self.lowest_of(&tangents, &step, &place));
            let way = step.way.cap_magnitude(self.reach);
            place += way;
            lift = (way.norm() / self.reach).clamp(LIFTED, AT_FIRST) / self.reach;
            known.clear();
            let weighted = tangents.iter().zip(step.weights).filter(|(_, weight)| *weight > 0.0);
            known.extend(weighted.clone().map(|(tangent, _)| tangent.moved(&way)));
            let is_slow = way.norm() > SLOW * last_way;
            last_way = way.norm();
            if is_slow || (place - measured.0).norm() > FAR * self.reach {
                let bends = weighted.clone().map(|(tangent, weight)| self.bend_of(tangent) * weight);
                measured = (place, bends.sum());
            }
            bend = raised(&measured.1, lift);
        }
        Outcome { best: progress.best.map(|(point, _)| point), lower: None }
    }

    /// Returns the tangents of all functions and their pieces at a place, the highest if there are many, besides those that are known.
    fn tangents_at(
        &self,
        place: &Point,
        samples: &Samples,
        known: &ArrayVec<Tangent, PLANES>,
    ) -> ArrayVec<Tangent, TANGENTS> {
        let mut tangents = ArrayVec::<Tangent, TANGENTS>::new();
        for (limit, (function, sample)) in self.limits.iter().zip(samples).enumerate() {
            let first = tangents.len();
            let mut piece = 0;
            over_pieces(function, place, sample, &mut |value, normal| {
                // Often the function's own tangent is that of one of its pieces.
                let is_same = |known: &&mut Tangent| (known.normal - normal).norm_squared() < SAME;
                if let Some(known) = tangents[first..].iter_mut().find(is_same) {
                    known.value = known.value.max(value);
                    known.piece = piece;
                } else if !tangents.is_full() {
                    let (rate, touched) = (function.rate, *place);
                    tangents.push(Tangent { limit, piece, rate, touched, value, normal });
                }
                piece += 1;
            });
        }
        for old in known {
            let is_new = |old: &Tangent, tangents: &[Tangent]| tangents.iter().all(|new| !new.is_alike(old));
            if tangents.is_full() || !is_new(old, &tangents) {
                continue;
            }
            let tries = if old.piece == 0 { &CLOSER[..] } else { &[] };
            let mut closer = tries.iter().map(|share| self.tangent_closer_to(place, old, *share));
            let Some(closer) = closer.find(|closer| is_new(closer, &tangents)) else {
                tangents.push(*old);
                continue;
            };
            tangents.push(closer);
            if !tangents.is_full() && !closer.is_alike(old) {
                tangents.push(*old);
            }
        }
        if tangents.len() > PLANES {
            let highest = highest(&tangents);
            let height = |tangent: &Tangent| tangent.value - tangent.rate * highest;
            tangents.sort_by(|a, b| height(b).total_cmp(&height(a)));
            tangents.truncate(PLANES);
        }
        tangents
    }

    /// Returns the tangent of a function on the way from a place to where an old one touches it.
    fn tangent_closer_to(&self, place: &Point, old: &Tangent, share: f64) -> Tangent {
        let limit = &self.limits[old.limit];
        let touched = place + (old.touched - place) * share;
        let sample = limit.sample(&touched);
        let height = limit.tangent_height(&touched, &sample);
        let tangent = Tangent { touched, value: height, normal: sample.gradient, ..*old };
        tangent.moved(&(place - touched))
    }

    /// Returns a lower bound of all values, by the weighted sum of the tangents.
    fn lowest_of(&self, tangents: &[Tangent], step: &Step, place: &Point) -> f64 {
        let (mut value, mut normal) = (0.0, Vector::zeros());
        for (tangent, &weight) in tangents.iter().zip(&step.weights) {
            value += tangent.value * weight;
            normal += tangent.normal * weight;
        }
        let sum: f64 = step.weights.iter().sum();
        value + normal.dot(&(self.center - place)) - normal.norm() * self.reach - self.slack * sum
    }

    /// Returns the second derivative of a function or its piece, where a tangent touches it: by differences, if it is not known. On a
    /// crease there is none.
    fn bend_of(&self, tangent: &Tangent) -> Matrix3<f64> {
        let Tangent { limit, piece, touched, .. } = tangent;
        let limit = &self.limits[*limit];
        let bend = limit.hessian(touched, *piece).or_else(|| {
            let shift = SHIFT * self.reach;
            let own = normal_of(limit, touched, *piece)?;
            let column = |axis| {
                let beside = normal_of(limit, &(touched + Vector::ith(axis, shift)), *piece)?;
                Some((beside - own) / shift)
            };
            Some(Matrix3::from_columns(&[column(0)?, column(1)?, column(2)?]))
        });
        let bend = bend.unwrap_or_else(Matrix3::zeros);
        let is_smooth = bend.norm() * self.reach <= CREASED;
        if is_smooth { (bend + bend.transpose()) * 0.5 } else { Matrix3::zeros() }
    }
}

/// The samples of all functions at a place.
type Samples = ArrayVec<Sample, LIMITS>;

/// Returns the gradient of a function at a place, or that of one of its pieces.
fn normal_of(limit: &Limit<'_>, place: &Point, piece: usize) -> Option<Vector> {
    if piece == 0 {
        return Some(limit.sample(place).gradient);
    }
    let (mut found, mut number) = (None, 0);
    limit.pieces(place, &mut |_, normal| {
        number += 1;
        if number == piece {
            found = Some(normal);
        }
    });
    found
}

/// Returns the highest value of the maximum's functions.
fn highest(tangents: &[Tangent]) -> f64 {
    let of_maximum = tangents.iter().filter(|tangent| tangent.rate > 0.0);
    of_maximum.map(|tangent| tangent.value).fold(f64::NEG_INFINITY, f64::max)
}

/// Visits a function's own tangent, then those of its pieces.
fn over_pieces(limit: &Limit<'_>, place: &Point, sample: &Sample, visit: &mut dyn FnMut(f64, Vector)) {
    visit(limit.tangent_height(place, sample), sample.gradient);
    limit.pieces(place, visit);
}

/// Returns a matrix with a number added to its diagonal, more if it has an eigenvalue that is not positive: where one was measured across a
/// crease.
fn raised(bend: &Matrix3<f64>, lift: f64) -> Matrix3<f64> {
    let mut raise = lift;
    loop {
        let raised = bend + Matrix3::identity() * raise;
        if raise > bend.norm() || Factors::of(&raised).is_some() {
            return raised;
        }
        raise = (RAISED * bend.norm()).max(4.0 * raise);
    }
}

/// Returns the step to where the highest of the tangents is least, with a second derivative added to it, and their weights: a quadratic
/// program over the step and how much lower the highest is than a level, which its own second derivative keeps from falling far.
/// `None` if the solid's tangents have nothing in common.
fn step(tangents: &[Tangent], bend: &Matrix3<f64>, level: f64, lift: f64) -> Option<Step> {
    let mut whole = Matrix4::zeros();
    whole.fixed_view_mut::<3, 3>(0, 0).copy_from(bend);
    whole[(3, 3)] = lift;
    let planes: ArrayVec<Behind<4>, PLANES> = tangents
        .iter()
        .map(|tangent| Behind {
            normal: Vector4::new(tangent.normal.x, tangent.normal.y, tangent.normal.z, -tangent.rate),
            offset: tangent.rate * level - tangent.value,
        })
        .collect();
    let Solution { place, mut weights } = solve(&whole, &Vector4::w(), &planes)?;
    let sum: f64 = tangents.iter().zip(weights).map(|(tangent, weight)| weight * tangent.rate).sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    sum.is_normal().then(|| Step { way: place.xyz(), weights })
}
