//! Quadratic vector functions of time in Bernstein form, with a bound on their rounding error.

use crate::Vector;

/// Bound on the error of a product that underflows, for coordinates scaled to at most 2.
pub(super) const UNDERFLOW: f64 = f64::from_bits((1023 - 900) << 52);

/// A vector between two moving points: at the start, at the end, and its largest component. Each component is accurate
/// to half a unit in the last place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    pub(super) start: Vector,
    pub(super) end: Vector,
    pub(super) size: f64,
}

impl Linear {
    #[inline]
    pub(super) fn new(start: Vector, end: Vector) -> Self {
        let larger = |k: usize| start[k].abs().max(end[k].abs());
        Self { start, end, size: larger(0).max(larger(1)).max(larger(2)) }
    }
}

/// Bernstein coefficients on [0, 1], and a bound on the error of each component of any of them, and of [`Self::on`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic {
    pub(super) coefficients: [Vector; 3],
    pub(super) error: f64,
}

impl Quadratic {
    /// The cross product of two vectors.
    ///
    /// With `u` the unit roundoff and `A`, `B` the largest components: a coefficient is at most `2 A B`, computed with
    /// a relative error of at most 5 `u` in each term; a restriction adds 6 `u`. The bound is 16 `u`.
    #[inline]
    pub(super) fn cross(a: &Linear, b: &Linear) -> Self {
        let middle = (a.start.cross(&b.end) + a.end.cross(&b.start)) * 0.5;
        let coefficients = [a.start.cross(&b.start), middle, a.end.cross(&b.end)];
        Self { coefficients, error: 16.0 * f64::EPSILON * (a.size * b.size) + UNDERFLOW }
    }

    /// The products of one vector with two, each in a component; the third is zero. A coefficient is at most `3 A B`, with a
    /// relative error of at most 6 `u` in each term; a restriction adds 6 `u`.
    #[inline]
    pub(super) fn dots(a: &Linear, [b, c]: [&Linear; 2]) -> Self {
        let dots = |a: &Vector, [b, c]: [&Vector; 2]| Vector::new(a.dot(b), a.dot(c), 0.0);
        let middle = dots(&a.start, [&b.end, &c.end]) + dots(&a.end, [&b.start, &c.start]);
        let coefficients =
            [dots(&a.start, [&b.start, &c.start]), middle * 0.5, dots(&a.end, [&b.end, &c.end])];
        Self { coefficients, error: 24.0 * f64::EPSILON * (a.size * b.size.max(c.size)) + UNDERFLOW }
    }

    /// The difference; its own rounding is within what the two bounds leave.
    #[inline]
    pub(super) fn minus(&self, other: &Self) -> Self {
        let difference = |k: usize| self.coefficients[k] - other.coefficients[k];
        Self { coefficients: [difference(0), difference(1), difference(2)], error: self.error + other.error }
    }

    /// The sign of component `k` on an interval: 1 or -1 if it is proven to have it throughout, else 0.
    #[inline]
    pub(super) fn sign(&self, k: usize, on: &Restriction) -> i32 {
        let [a, b, c] = self.coefficients.each_ref().map(|v| v[k]);
        let values = on.0.each_ref().map(|w| w[0] * a + w[1] * b + w[2] * c);
        let least = values[0].min(values[1]).min(values[2]);
        let greatest = values[0].max(values[1]).max(values[2]);
        i32::from(least > self.error) - i32::from(greatest < -self.error)
    }

    /// The component that is largest in the middle of the interval.
    #[inline]
    pub(super) fn largest_component(&self, on: &Restriction) -> usize {
        let w = &on.0[1];
        let [a, b, c] = &self.coefficients;
        (a * w[0] + b * w[1] + c * w[2]).iamax()
    }
}

/// The weights of the Bernstein coefficients on [0, 1] in those on an interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restriction([[f64; 3]; 3]);

impl Restriction {
    /// To `[l, r]`, two multiples of `2^-53` within [0, 1].
    #[inline]
    pub(super) fn to(l: f64, r: f64) -> Self {
        let (ml, mr) = (1.0 - l, 1.0 - r);
        Self([
            [ml * ml, 2.0 * (l * ml), l * l],
            [ml * mr, l * mr + r * ml, l * r],
            [mr * mr, 2.0 * (r * mr), r * r],
        ])
    }
}
