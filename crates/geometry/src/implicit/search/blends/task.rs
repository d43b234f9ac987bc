//! The two bodies of a search, evaluated to second order.

use crate::Ellipsoid;
use crate::implicit::function::share_of_second;
use crate::implicit::search::tolerance::Tolerance;
use crate::implicit::{Blend, ImplicitFunction, Jet, OrientedBounds};
use crate::shape::CurvedEllipsoid;
use arrayvec::ArrayVec;
use nalgebra::Matrix3;
use palpate_math::{Point, Vector, rounding};

/// How much more than the rounding error of a coordinate bounds are lowered, and the least gap in units of that.
const SLACK: f64 = 2.0;
const LEAST_GAP: f64 = 8.0;

/// A smooth convex function, or a blend of two.
#[derive(Clone)]
pub(super) struct Body<'a> {
    /// Both functions; the same twice if there is only one.
    parts: [Part<'a>; 2],
    /// Zero if there is only one.
    pub(super) radius: f64,
    offset: f64,
}

impl<'a> Body<'a> {
    /// Calls `visit` with a body whose functions are smooth and convex, and have a support map.
    pub(super) fn over(function: &'a dyn ImplicitFunction, visit: &mut dyn FnMut(&Body<'_>)) {
        if function.is_convex() {
            if let Some(part) = Part::new(function) {
                visit(&Body { parts: [part.clone(), part], radius: 0.0, offset: 0.0 });
            }
            return;
        }
        function.over_blend(&mut |Blend { parts, radius, offset }| {
            if let [Some(first), Some(second)] = parts.map(Part::new) {
                visit(&Body { parts: [first, second], radius: *radius, offset: *offset });
            }
        });
    }

    pub(super) fn is_blend(&self) -> bool {
        self.radius > 0.0
    }

    /// Returns the shares of the single functions.
    pub(super) fn shares(&self) -> &'static [f64] {
        if self.is_blend() { &[0.0, 1.0] } else { &[0.0] }
    }

    /// Returns what the blend subtracts for a share.
    pub(super) fn subtracted(&self, share: f64) -> f64 {
        self.radius * share * (1.0 - share)
    }

    pub(super) fn blend(&self) -> Blend<'_> {
        Blend { parts: self.parts.each_ref().map(Part::function), radius: self.radius, offset: self.offset }
    }

    /// Returns the value at a place.
    pub(super) fn value(&self, place: &Point) -> f64 {
        let [a, b] = &self.parts;
        if self.is_blend() {
            self.blend().of(a.value(place), b.value(place))
        } else {
            a.value(place) - self.offset
        }
    }

    /// Returns one member of the blend's family at a place, or the blend itself.
    pub(super) fn at(&self, place: &Point, share: Option<f64>) -> Option<BodyJet> {
        let share = if self.is_blend() { share } else { Some(0.0) };
        let single = match share {
            Some(0.0) => Some(0),
            Some(1.0) => Some(1),
            _ => None,
        };
        if let Some(part) = single {
            let jet = self.parts[part].jet(place)?.lowered(self.offset);
            return Some(BodyJet::single(&jet, part as f64));
        }
        let (a, b) = (self.parts[0].jet(place)?, self.parts[1].jet(place)?);
        let own = share.unwrap_or_else(|| share_of_second(self.radius, [a.value, b.value]));
        let mut mixed = BodyJet::mixed(&a.lowered(self.offset), &b.lowered(self.offset), own);
        mixed.subtracted = self.subtracted(own);
        if share.is_none() && own > 0.0 && own < 1.0 {
            // The share changes from place to place.
            let across = b.gradient - a.gradient;
            mixed.hessian -= across * (across / (2.0 * self.radius)).transpose();
        }
        Some(mixed)
    }
}

/// A smooth convex function with a support map.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "two parts a search, on the stack: nothing is to be allocated")]
enum Part<'a> {
    Ellipsoid(CurvedEllipsoid),
    Other(&'a dyn ImplicitFunction),
}

impl<'a> Part<'a> {
    /// `None` for a function that has no Hessian, pieces, or no support map.
    fn new(function: &'a dyn ImplicitFunction) -> Option<Self> {
        if let Some((pose, radii)) = function.ellipsoid() {
            let shape = Ellipsoid::new(pose, radii).ok()?;
            return Some(Self::Ellipsoid(CurvedEllipsoid::new(&shape)));
        }
        let place = function.support_point(&Vector::y())?;
        let mut is_smooth = function.jet(&place).is_some() && function.lowest_near(&place).is_some();
        function.pieces(&place, &mut |_, _| is_smooth = false);
        is_smooth.then_some(Self::Other(function))
    }

    fn function(&self) -> &dyn ImplicitFunction {
        match self {
            Self::Ellipsoid(curved) => curved.shape(),
            Self::Other(function) => *function,
        }
    }

    fn jet(&self, place: &Point) -> Option<Jet> {
        match self {
            Self::Ellipsoid(curved) => Some(curved.jet(place)),
            Self::Other(function) => function.jet(place),
        }
    }

    fn value(&self, place: &Point) -> f64 {
        self.function().value(place)
    }
}

/// A mixture of one or two functions at a place, to second order.
#[derive(Clone, Debug)]
pub(super) struct BodyJet {
    /// The share of the second function.
    pub(super) share: f64,
    /// The value of the mixture, and what the blend subtracts from it.
    value: f64,
    pub(super) subtracted: f64,
    /// What the mixture's tangent certainly has at the place.
    pub(super) height: f64,
    pub(super) gradient: Vector,
    pub(super) hessian: Matrix3<f64>,
    /// Tangents of the other sides of creases close by.
    pub(super) other_sides: ArrayVec<(f64, Vector), 3>,
}

impl BodyJet {
    fn single(jet: &Jet, share: f64) -> Self {
        Self {
            share,
            value: jet.value,
            subtracted: 0.0,
            height: jet.height,
            gradient: jet.gradient,
            hessian: jet.hessian,
            other_sides: jet.other_side.into_iter().collect(),
        }
    }

    fn mixed(a: &Jet, b: &Jet, share: f64) -> Self {
        let own = 1.0 - share;
        let mix = |a: (f64, Vector), b: (f64, Vector)| (own * a.0 + share * b.0, a.1 * own + b.1 * share);
        let sides = [a, b].map(|jet| (jet.height, jet.gradient));
        let (height, gradient) = mix(sides[0], sides[1]);
        let others = [
            a.other_side.map(|other| mix(other, sides[1])),
            b.other_side.map(|other| mix(sides[0], other)),
            a.other_side.zip(b.other_side).map(|(a, b)| mix(a, b)),
        ];
        Self {
            share,
            value: own * a.value + share * b.value,
            subtracted: 0.0,
            height,
            gradient,
            hessian: a.hessian * own + b.hessian * share,
            other_sides: others.into_iter().flatten().collect(),
        }
    }

    /// Returns the value of the member of the family, or of the blend.
    pub(super) fn total(&self) -> f64 {
        self.value - self.subtracted
    }
}

/// The minimization of one body's function over another body.
pub(super) struct Task<'a> {
    pub(super) function: Body<'a>,
    pub(super) body: Body<'a>,
    /// A box that contains the body, and the radius of the ball about it.
    pub(super) root: &'a OrientedBounds,
    pub(super) reach: f64,
    pub(super) gap: f64,
    pub(super) slack: f64,
}

impl<'a> Task<'a> {
    pub(super) fn new(function: Body<'a>, body: Body<'a>, root: &'a OrientedBounds, gap: f64) -> Self {
        let reach = root.reach();
        let slack = SLACK * rounding::length(rounding::largest_coordinate([&root.center]) + reach);
        Self { function, body, root, reach, gap: gap.max(LEAST_GAP * slack), slack }
    }

    /// Whether a place with this value of the body counts as in it.
    pub(super) fn is_inside(&self, value: f64) -> bool {
        value <= Tolerance::outside(self.gap, 2.0 * self.slack)
    }

    /// Returns a place to begin at, given the shares of single functions: the support point of the body along the function's descent from
    /// its middle, or of that from there.
    pub(super) fn start(&self, shares: [f64; 2]) -> Option<Point> {
        let function = self.function.parts[shares[0] as usize].function();
        let body = self.body.parts[shares[1] as usize].function();
        let middle = body.lowest_near(&self.root.center)?;
        let first = body.support_point(&-function.sample(&middle).gradient)?;
        let own = function.sample(&first);
        let second = body.support_point(&-own.gradient)?;
        Some(if function.value(&second) < own.value { second } else { first })
    }
}
