//! How close a lower bound is to the best value when a search converges.

use crate::implicit::ImplicitFunction;
use palpate_math::{Point, rounding};

/// The part of the gap to which bounds are searched. The rest is for rounding errors, and for sizes that are bounds themselves.
const SEARCHED: f64 = 0.5;

/// How far outside a body a place counts as in it, relative to the gap. At an edge of the body the
/// least value changes by as much, divided by the sine of half the edge's angle: by the gap at an angle of two degrees.
const OUTSIDE: f64 = 1.0 / 64.0;

/// Returns the rounding error of a length between some extreme points.
pub(super) fn rounding_at(corners: &[Point]) -> f64 {
    rounding::length(rounding::largest_coordinate(corners))
}

/// The gap of a search, relative to the size of what is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    pub(super) relative: f64,
    /// The gap is relative to this where what is searched is larger.
    pub(super) largest: f64,
}

impl Tolerance {
    /// Creates the tolerance, given the gap relative to whatever is searched.
    pub(super) const fn new(relative: f64) -> Self {
        Self { relative, largest: f64::INFINITY }
    }

    /// Returns the gap for a domain of this radius.
    pub(super) fn of(&self, radius: f64) -> f64 {
        SEARCHED * self.relative * radius.min(self.largest)
    }

    /// Returns the gap for a domain of this radius, but no less than rounding error, given some of its extreme points.
    pub(super) fn gap(&self, radius: f64, corners: &[Point]) -> f64 {
        self.of(radius).max(4.0 * rounding_at(corners))
    }

    /// Returns the gap of a search of a function for a domain of this radius, given some of its extreme points: no less than half the
    /// resolution of the function and of its constraint.
    pub(super) fn gap_of(
        &self,
        function: &dyn ImplicitFunction,
        constraint: Option<&dyn ImplicitFunction>,
        radius: f64,
        corners: &[Point],
    ) -> f64 {
        let of_constraint = constraint.map_or(0.0, |constraint| constraint.resolution());
        self.gap(radius, corners).max(SEARCHED * function.resolution().max(of_constraint))
    }

    /// Returns how far outside a body a place counts as in it, given the gap and the rounding error of a value.
    pub(super) fn outside(gap: f64, rounding: f64) -> f64 {
        (OUTSIDE * gap).max(rounding)
    }
}

#[cfg(test)]
mod tests {
    use super::super::convex::random_cases::{Random, function};
    use crate::implicit::{
        ImplicitFunction, Intersection, OrientedBounds, Search, SmoothUnion, Structure, Torus,
    };
    use crate::{OrientedBox, Pose, Sphere};
    use palpate_math::Point;
    use std::sync::Arc;

    /// At the rim of a thin lens a place that is a little outside is lower by forty times that: such places do not count as in
    /// the lens, or hardly.
    #[test]
    fn the_sharp_rim_of_a_lens_is_exact() {
        let ball = |z: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(0.0, 0.0, z), 1.0).unwrap())
        };
        let (rim, away): (f64, f64) = (0.025, 3.0);
        let apart = (1.0 - rim * rim).sqrt();
        let lens = Intersection::new(vec![ball(apart), ball(-apart)]).unwrap();
        let root = OrientedBounds::from(lens.sublevel_bounds(0.0));
        let functions: [(Arc<dyn ImplicitFunction>, f64); 2] = [
            (Arc::new(Sphere::new(Point::new(away, 0.0, 0.0), 1.0).unwrap()), 1.0),
            (Arc::new(Torus::new(Pose::translation(away, 0.0, 0.0), 1.0, 0.2).unwrap()), 1.2),
        ];
        for (function, radius) in functions {
            let mut search = Search::with_tolerance(1e-9);
            let found = search.below_within(function.as_ref(), &lens, &root, f64::INFINITY).unwrap();
            let wanted = away - rim - radius;
            let tolerance = 1e-9 * root.reach();
            assert!((found.sample.value - wanted).abs() < tolerance, "{found:?} {wanted}");
            assert!(
                found.converged && found.lower <= wanted && wanted - found.lower < tolerance,
                "{found:?}"
            );
        }
    }

    /// Smooth unions of three bodies on a box: where the gap asked for is out of reach, the answer is no worse than that to a
    /// coarse one.
    #[test]
    fn a_gap_out_of_reach_ends_in_the_finest_one_within() {
        let mut random = Random(19);
        let mut limited = 0;
        for number in 0..60 {
            let parts: Vec<_> = (0..3).map(|_| function(1, &mut random, 0.5, 1.0)).collect();
            let union = SmoothUnion::new(parts, 0.3).unwrap();
            let body = OrientedBox::new(random.pose(0.7), random.vector().map(|x| 0.2 + 0.3 * x.abs()));
            let body = body.unwrap();
            let root = body.oriented_bounds().unwrap();
            let found = [1e-9, 1e-3]
                .map(|tolerance| Search::with_tolerance(tolerance).below_within(&union, &body, &root, 0.0));
            let [Some(fine), Some(coarse)] = &found else { continue };
            limited += usize::from(!fine.converged);
            let [gap, most] = [fine, coarse].map(|found| found.sample.value - found.lower);
            let most = most.max(1e-3 * root.reach());
            assert!(gap <= most, "{number}: {gap} {most} {fine:?} {coarse:?}");
        }
        assert!(limited >= 5, "{limited}");
    }
}
