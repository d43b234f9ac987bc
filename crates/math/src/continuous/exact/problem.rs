//! The earliest time at which an equation holds and the features meet in their interiors.

use smallvec::{SmallVec, smallvec};

use super::integer::Integer;
use super::polynomial::Polynomial;
use crate::continuous::TimeInterval;

/// Depth of the bisection at which a root that is still undecided makes the equation free of the roots on the
/// boundary of the features. Most queries end before: this costs more than they do.
const PATIENCE: usize = 64;

/// Levels of the bisection that are skipped at once where a root is known to be the only one.
const STRIDE: usize = 28;

/// An impact of the interiors of two features: a root in [0, 1] of `equation` at which every weight is positive.
///
/// At a root, each weight is a vector parallel to `normal`, the weight times it. It is zero only if the impact lies
/// on the boundary of a feature, or if the normal is zero; both are queries of lower dimension.
pub(super) struct Problem<'a> {
    pub(super) equation: Polynomial,
    pub(super) normal: &'a [Polynomial; 3],
    pub(super) weights: &'a [[Polynomial; 3]],
}

/// Where the point of impact would lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Inside,
    Outside,
    Undecided,
}

/// The interval `[index, index + 1] / 2^depth`.
struct Node {
    /// The equation on the interval, as a polynomial on [0, 1].
    equation: Polynomial,
    index: Integer,
    depth: usize,
    /// Every weight is positive at any root in the interval.
    is_inside: bool,
}

impl Node {
    fn interval(&self) -> TimeInterval {
        let [lower, _] = self.index.bounds(self.depth);
        let mut next = self.index.clone();
        next.add(&Integer::from_f64(1.0, 0));
        let [_, upper] = next.bounds(self.depth);
        TimeInterval { lower, upper: upper.min(1.0) }
    }

    /// Returns the part `stride` levels deeper that contains the only root in the open interval or begins with it; `None`
    /// if floating point does not find it. `first` and `last` are the signs of the equation before and after the root.
    fn around_root(&self, first: i32, last: i32, stride: usize) -> Option<Self> {
        let parts = 2.0_f64.powi(stride as i32);
        let place = (self.equation.approximate_root(first) * parts).floor().min(parts - 1.0);
        let sign_at = |place: f64| self.equation.sign_at(&Integer::from_f64(place, 0), stride);
        // The ends of the interval may be roots, but not the one within it.
        let before = if place > 0.0 { sign_at(place) } else { first };
        let after = if place + 1.0 < parts { sign_at(place + 1.0) } else { last };
        let place = if before == 0 || (before == first && after == last) {
            place
        } else if after == 0 {
            place + 1.0
        } else {
            return None;
        };
        let part = Integer::from_f64(place, 0);
        let mut index = self.index.clone();
        index.shift_left(stride);
        index.add(&part);
        let equation = self.equation.restricted(&part, stride);
        Some(Self { equation, index, depth: self.depth + stride, is_inside: self.is_inside })
    }

    fn halves(self) -> [Self; 2] {
        let mut left = self.index;
        left.shift_left(1);
        let right = left.clone().with_lowest_bit();
        let equations = self.equation.halves();
        let (depth, is_inside) = (self.depth + 1, self.is_inside);
        [
            Self { equation: equations.0, index: left, depth, is_inside },
            Self { equation: equations.1, index: right, depth, is_inside },
        ]
    }
}

/// What a search came to.
enum Outcome {
    Done(Option<TimeInterval>),
    /// An interval is still undecided at the depth allowed.
    TooDeep,
}

impl Problem<'_> {
    /// Returns an interval at most `2^-levels` wide that contains the earliest impact of the interiors, if there is one.
    ///
    /// `boundary` is an interval, at most `2^-levels` wide, that contains the earliest impact of the boundaries. With it the earlier
    /// of both is found, or the union of the two intervals where it is open which is the earlier.
    pub(super) fn earliest(self, levels: usize, boundary: Option<TimeInterval>) -> Option<TimeInterval> {
        let vanishes = |three: &[Polynomial; 3]| three.iter().all(Polynomial::is_zero);
        if self.equation.is_zero() || vanishes(self.normal) || self.weights.iter().any(vanishes) {
            return boundary;
        }
        if let Outcome::Done(found) = self.search(&self.equation, levels, boundary, levels.max(PATIENCE)) {
            return found;
        }
        let mut equation = self.equation.clone().square_free();
        for three in self.weights.iter().chain([self.normal]) {
            equation = equation.without_roots_of(&Polynomial::common_of(three));
        }
        match self.search(&equation, levels, boundary, usize::MAX) {
            Outcome::Done(found) => found,
            Outcome::TooDeep => boundary,
        }
    }

    /// Bisects [0, 1], the earlier half first, by Descartes' rule of signs on the Bernstein coefficients.
    fn search(
        &self,
        equation: &Polynomial,
        levels: usize,
        boundary: Option<TimeInterval>,
        deepest: usize,
    ) -> Outcome {
        let whole =
            Node { equation: equation.clone(), index: Integer::default(), depth: 0, is_inside: false };
        let mut nodes: SmallVec<[Node; 4]> = smallvec![whole];
        while let Some(mut node) = nodes.pop() {
            if let Some(boundary) = boundary {
                let own = node.interval();
                if own.lower >= boundary.lower {
                    return Outcome::Done(Some(boundary));
                }
                if own.upper >= boundary.lower && node.depth >= levels {
                    return Outcome::Done(Some(TimeInterval { lower: own.lower, upper: boundary.upper }));
                }
            }
            let signs = node.equation.bernstein_signs();
            if signs.first().is_none_or(|&sign| sign == 0)
                && self.place_at(&node.index, node.depth) == Place::Inside
            {
                let [lower, upper] = node.index.bounds(node.depth);
                return Outcome::Done(Some(TimeInterval { lower, upper }));
            }
            let variations = variations(&signs);
            if variations == 0 {
                continue;
            }
            if !node.is_inside {
                match self.place_within(&node.index, node.depth) {
                    Place::Inside => node.is_inside = true,
                    Place::Outside => continue,
                    Place::Undecided => {}
                }
            }
            if node.is_inside && variations == 1 && node.depth >= levels {
                return Outcome::Done(Some(node.interval()));
            }
            if node.depth >= deepest {
                return Outcome::TooDeep;
            }
            let stride = if node.depth < levels { (levels - node.depth).min(STRIDE) } else { STRIDE };
            if variations == 1
                && let Some(&first) = signs.iter().find(|&&sign| sign != 0)
                && let Some(part) = node.around_root(first, -first, stride)
            {
                nodes.push(part);
                continue;
            }
            let [left, right] = node.halves();
            nodes.extend([right, left]);
        }
        let one = Integer::from_f64(1.0, 0);
        if equation.sign_at(&one, 0) == 0 && self.place_at(&one, 0) == Place::Inside {
            return Outcome::Done(Some(TimeInterval { lower: 1.0, upper: 1.0 }));
        }
        Outcome::Done(boundary)
    }

    /// Whether the features meet in their interiors at `index / 2^depth`, a root of the equation.
    pub(super) fn meets_at_start(&self) -> bool {
        self.place_at(&Integer::default(), 0) == Place::Inside
    }

    fn place_at(&self, index: &Integer, depth: usize) -> Place {
        self.place(|polynomial| polynomial.sign_at(index, depth))
    }

    fn place_within(&self, index: &Integer, depth: usize) -> Place {
        self.place(|polynomial| {
            let signs = polynomial.restricted(index, depth).bernstein_signs();
            let (least, greatest) = signs.iter().fold((1, -1), |(l, g), &s| (s.min(l), s.max(g)));
            match (least, greatest) {
                (0.., 1) => 1,
                (-1, ..=0) => -1,
                _ => 0,
            }
        })
    }

    /// Decides by the signs of the components, zero where they are not known.
    fn place(&self, sign: impl Fn(&Polynomial) -> i32) -> Place {
        if self.weights.is_empty() {
            return Place::Inside;
        }
        let normal = self.normal.each_ref().map(&sign);
        let mut place = Place::Inside;
        for weight in self.weights {
            let known = (0..3).filter(|&k| normal[k] != 0).map(|k| normal[k] * sign(&weight[k]));
            match known.into_iter().find(|&sign| sign != 0) {
                Some(1..) => {}
                Some(_) => return Place::Outside,
                None => place = Place::Undecided,
            }
        }
        place
    }
}

/// Changes of sign in the sequence, zeros left out.
fn variations(signs: &[i32]) -> usize {
    let mut last = 0;
    let mut count = 0;
    for &sign in signs.iter().filter(|&&sign| sign != 0) {
        count += usize::from(last != 0 && sign != last);
        last = sign;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_do_not_change_the_sign() {
        assert_eq!(variations(&[0, 1, 0, 1]), 0);
        assert_eq!(variations(&[1, 0, -1, 0]), 1);
        assert_eq!(variations(&[-1, 1, 0, -1]), 2);
    }
}
