//! Polynomials with integer coefficients: products, pseudo-division, common factors.

use smallvec::SmallVec;

use super::integer::Integer;

/// A polynomial in powers of the time, constant first, without leading zeros; zero has no coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial {
    pub(super) coefficients: SmallVec<[Integer; 4]>,
}

impl Polynomial {
    /// The linear polynomial with these values at 0 and 1.
    pub(super) fn linear(start: Integer, end: &Integer) -> Self {
        let slope = end.minus(&start);
        let mut coefficients = SmallVec::new();
        coefficients.push(start);
        coefficients.push(slope);
        Self { coefficients }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.coefficients.last().is_some_and(Integer::is_zero) {
            self.coefficients.pop();
        }
        self
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The degree; zero for constants and zero itself.
    pub(super) fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    fn combine(&self, other: &Self, operation: impl Fn(&mut Integer, &Integer)) -> Self {
        let mut result = self.clone();
        if result.coefficients.len() < other.coefficients.len() {
            result.coefficients.resize(other.coefficients.len(), Integer::default());
        }
        for (own, theirs) in result.coefficients.iter_mut().zip(&other.coefficients) {
            operation(own, theirs);
        }
        result.trimmed()
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        self.combine(other, Integer::add)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.combine(other, Integer::subtract)
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::default();
        }
        let mut coefficients: SmallVec<[Integer; 4]> =
            SmallVec::from_elem(Integer::default(), self.coefficients.len() + other.coefficients.len() - 1);
        for (i, left) in self.coefficients.iter().enumerate() {
            for (j, right) in other.coefficients.iter().enumerate() {
                coefficients[i + j].add(&left.times(right));
            }
        }
        Self { coefficients }
    }

    fn derivative(&self) -> Self {
        let mut coefficients = SmallVec::new();
        for (power, coefficient) in self.coefficients.iter().enumerate().skip(1) {
            coefficients.push(coefficient.times(&Integer::from_f64(power as f64, 0)));
        }
        Self { coefficients }
    }

    /// Returns quotient and remainder of a non-zero multiple of `self` by `divisor`, which is not zero.
    fn pseudo_division(&self, divisor: &Self) -> (Self, Self) {
        let mut remainder = self.clone();
        let mut quotient = Self::default();
        let Some(leading) = divisor.coefficients.last() else {
            return (quotient, remainder);
        };
        while remainder.coefficients.len() >= divisor.coefficients.len() {
            let shift = remainder.coefficients.len() - divisor.coefficients.len();
            let Some(top) = remainder.coefficients.pop() else { break };
            for coefficient in remainder.coefficients.iter_mut().chain(&mut quotient.coefficients) {
                *coefficient = coefficient.times(leading);
            }
            let below = &divisor.coefficients[..divisor.coefficients.len() - 1];
            for (own, theirs) in remainder.coefficients[shift..].iter_mut().zip(below) {
                own.subtract(&top.times(theirs));
            }
            if quotient.coefficients.len() <= shift {
                quotient.coefficients.resize(shift + 1, Integer::default());
            }
            quotient.coefficients[shift].add(&top);
            remainder = remainder.trimmed();
        }
        (quotient.trimmed(), remainder)
    }

    /// Returns a greatest common divisor, up to a constant factor.
    pub(super) fn common_factor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            if b.degree() == 0 {
                return b;
            }
            let (_, remainder) = a.pseudo_division(&b);
            (a, b) = (b, remainder);
        }
        a
    }

    /// Returns the polynomial without the roots it shares with `other`, to whatever power; `other` is not zero.
    pub(super) fn without_roots_of(mut self, other: &Self) -> Self {
        loop {
            let common = self.common_factor(other);
            if common.degree() == 0 {
                return self;
            }
            self = self.pseudo_division(&common).0;
        }
    }

    /// Returns the polynomial with the same roots, each of them simple.
    pub(super) fn square_free(self) -> Self {
        if self.degree() < 2 {
            return self;
        }
        let common = self.common_factor(&self.derivative());
        if common.degree() == 0 { self } else { self.pseudo_division(&common).0 }
    }

    /// Returns a polynomial whose roots are those of the three in common; zero if all three are zero.
    pub(super) fn common_of(three: &[Self; 3]) -> Self {
        three[0].common_factor(&three[1]).common_factor(&three[2])
    }

    /// Returns the sign of the value at `index / 2^depth`.
    pub(super) fn sign_at(&self, index: &Integer, depth: usize) -> i32 {
        let mut value = Integer::default();
        for (place, coefficient) in self.coefficients.iter().rev().enumerate() {
            value = value.times(index);
            let mut term = coefficient.clone();
            term.shift_left(place * depth);
            value.add(&term);
        }
        value.sign()
    }

    /// Returns the polynomial in `x` of a positive multiple of the values at `(index + x) / 2^depth`.
    pub(super) fn restricted(&self, index: &Integer, depth: usize) -> Self {
        let degree = self.degree();
        let mut result = self.clone();
        for (power, coefficient) in result.coefficients.iter_mut().enumerate() {
            coefficient.shift_left((degree - power) * depth);
        }
        if !index.is_zero() {
            for end in 0..degree {
                for place in (end..degree).rev() {
                    let carried = result.coefficients[place + 1].times(index);
                    result.coefficients[place].add(&carried);
                }
            }
        }
        result
    }

    /// Returns about where in [0, 1] the polynomial changes its sign, once, from `first` to the other.
    pub(super) fn approximate_root(&self, first: i32) -> f64 {
        let bits = self.coefficients.iter().map(Integer::bits).max().unwrap_or(0);
        let mut c = [0.0; 4];
        for (value, coefficient) in c.iter_mut().zip(&self.coefficients) {
            *value = coefficient.approximate(bits.saturating_sub(64));
        }
        let at = |x: f64| c[0] + x * (c[1] + x * (c[2] + x * c[3]));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..48 {
            let middle = 0.5 * (low + high);
            if (at(middle) > 0.0) == (first > 0) { low = middle } else { high = middle }
        }
        low
    }

    /// Returns the polynomials in `x` of positive multiples of the values at `x / 2` and at `(1 + x) / 2`.
    pub(super) fn halves(mut self) -> (Self, Self) {
        let degree = self.degree();
        for (power, coefficient) in self.coefficients.iter_mut().enumerate() {
            coefficient.shift_left(degree - power);
        }
        let mut right = self.clone();
        for end in 0..degree {
            for place in (end..degree).rev() {
                let (low, high) = right.coefficients.split_at_mut(place + 1);
                low[place].add(&high[0]);
            }
        }
        (self, right)
    }

    /// Returns the signs of the Bernstein coefficients on [0, 1]. The degree is at most three.
    pub(super) fn bernstein_signs(&self) -> SmallVec<[i32; 4]> {
        let c = &self.coefficients;
        let mut sums: SmallVec<[Integer; 4]> = SmallVec::new();
        // A coefficient is the sum over j <= i of C(i, j) / C(n, j) c_j; times three for a cubic, two for a quadratic.
        let weights: &[[f64; 4]] = match c.len() {
            0 | 1 => &[[1.0, 0.0, 0.0, 0.0]],
            2 => &[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]],
            3 => &[[1.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]],
            _ => &[[1.0, 0.0, 0.0, 0.0], [3.0, 1.0, 0.0, 0.0], [3.0, 2.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]],
        };
        for row in weights {
            let mut sum = Integer::default();
            for (coefficient, &weight) in c.iter().zip(row) {
                if weight == 1.0 {
                    sum.add(coefficient);
                } else if weight > 1.0 {
                    sum.add(&coefficient.times(&Integer::from_f64(weight, 0)));
                }
            }
            sums.push(sum);
        }
        sums.iter().map(Integer::sign).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i32]) -> Polynomial {
        let coefficients = coefficients.iter().map(|&c| Integer::from_f64(f64::from(c), 0)).collect();
        Polynomial { coefficients }.trimmed()
    }

    fn root(numerator: i32, denominator: i32) -> Polynomial {
        polynomial(&[-numerator, denominator])
    }

    #[test]
    fn common_roots_are_removed_to_every_power() {
        let f = root(1, 3).times(&root(1, 3)).times(&root(2, 7));
        let other = root(1, 3).times(&root(5, 11));
        let rest = f.clone().without_roots_of(&other);
        assert_eq!(rest.degree(), 1);
        assert_eq!(rest.common_factor(&root(2, 7)).degree(), 1);
        assert_eq!(f.clone().square_free().degree(), 2);
        let three = [f.clone(), other.clone(), root(1, 3).times(&polynomial(&[1, 0, 1]))];
        assert_eq!(Polynomial::common_of(&three).degree(), 1);
        assert!(Polynomial::common_of(&[(); 3].map(|()| Polynomial::default())).is_zero());
    }

    #[test]
    fn restriction_and_halves_agree() {
        let f = polynomial(&[3, -17, 5, 9]);
        let (left, right) = f.clone().halves();
        assert_eq!(left.halves().1, f.restricted(&Integer::from_f64(1.0, 0), 2));
        assert_eq!(right.halves().0, f.restricted(&Integer::from_f64(2.0, 0), 2));
        let signs = f.bernstein_signs();
        assert_eq!(signs.as_slice(), [1, -1, -1, 0]);
        assert_eq!(f.sign_at(&Integer::from_f64(1.0, 0), 0), 0);
        assert_eq!(f.sign_at(&Integer::from_f64(1.0, 0), 3), 1);
    }
}
