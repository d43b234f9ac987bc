//! Member of the family of convex functions whose minimum is a blend.

use crate::implicit::{Blend, Cell, EdgeSplit, ImplicitFunction, Sample};
use nalgebra::Matrix3;
use palpate_math::{Aabb, Point, Vector};

/// Two convex functions, each with its share, lowered by a constant.
pub(super) struct Mixture<'a> {
    parts: [&'a dyn ImplicitFunction; 2],
    share: f64,
    pub(super) lowered: f64,
}

impl<'a> Mixture<'a> {
    /// Creates the function of a blend for one share.
    pub(super) fn new(blend: &Blend<'a>, share: f64) -> Self {
        let lowered = blend.radius * share * (1.0 - share) + blend.offset;
        Self { parts: blend.parts, share, lowered }
    }

    /// Returns the function lowered by more.
    pub(super) fn lowered_by(self, height: f64) -> Self {
        Self { lowered: self.lowered + height, ..self }
    }

    /// Mixes a number of the first and one of the second.
    fn of(&self, a: f64, b: f64) -> f64 {
        (1.0 - self.share) * a + self.share * b - self.lowered
    }

    fn of_each(&self, number: impl Fn(&dyn ImplicitFunction) -> [f64; 4]) -> [f64; 4] {
        let [a, b] = self.parts.map(number);
        std::array::from_fn(|k| self.of(a[k], b[k]))
    }
}

impl ImplicitFunction for Mixture<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let [a, b] = self.parts.map(|part| part.sample(point));
        let gradient = a.gradient * (1.0 - self.share) + b.gradient * self.share;
        Sample { value: self.of(a.value, b.value), gradient, feature: a.feature }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        // One of the two is at most the mixture.
        let [a, b] = self.parts.map(|part| part.sublevel_bounds(level + self.lowered));
        a.merged(&b)
    }

    fn lipschitz(&self) -> Option<f64> {
        let [a, b] = self.parts.map(|part| part.lipschitz());
        a.zip(b).map(|(a, b)| a.max(b))
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn tangent_height(&self, point: &Point, _: &Sample) -> f64 {
        let [a, b] = self.parts.map(|part| part.tangent_height(point, &part.sample(point)));
        self.of(a, b)
    }

    /// Each piece of one function, mixed with the tangent of the other. Pairs of pieces are left out.
    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        let [first, second] = &self.parts;
        let shares = [1.0 - self.share, self.share];
        for (part, other, [own, others]) in [(first, second, shares), (second, first, [shares[1], shares[0]])]
        {
            let mut sampled = None;
            part.pieces(point, &mut |value, gradient| {
                let (height, slope) = *sampled.get_or_insert_with(|| {
                    let sample = other.sample(point);
                    (other.tangent_height(point, &sample), sample.gradient)
                });
                visit(own * value + others * height - self.lowered, gradient * own + slope * others);
            });
        }
    }

    fn hessian(&self, point: &Point, piece: usize) -> Option<Matrix3<f64>> {
        let [first, second] = &self.parts;
        let mut of_first = 0;
        if piece > 0 {
            first.pieces(point, &mut |_, _| of_first += 1);
        }
        let [piece, other] = if piece > of_first { [0, piece - of_first] } else { [piece, 0] };
        Some(first.hessian(point, piece)? * (1.0 - self.share) + second.hessian(point, other)? * self.share)
    }

    fn bound_below(&self, cell: &Cell<'_>) -> [f64; 4] {
        self.of_each(|part| part.bound_below(cell))
    }

    fn bound_above(&self, cell: &Cell<'_>) -> [f64; 4] {
        self.of_each(|part| part.bound_above(cell))
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.parts.iter().find_map(|part| part.edge_split(cell))
    }

    fn floor(&self) -> f64 {
        let [a, b] = self.parts.map(|part| part.floor());
        if a.is_finite() && b.is_finite() { self.of(a, b) } else { f64::NEG_INFINITY }
    }
}
