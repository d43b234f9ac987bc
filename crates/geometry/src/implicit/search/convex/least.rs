//! The search for the minimum of a convex function over a convex solid.

use super::corners::Corners;
use super::descent::descend;
use super::domain::ConvexDomain;
use super::objective::{Objective, Tangent};
use super::planes::Planes;
use super::progress::Progress;
use crate::implicit::ImplicitFunction;
use palpate_math::{Point, rounding};

/// The gap between bound and value to which a search gets if it can, relative to the size of the solid.
const FINEST_GAP: f64 = 1e-12;

/// Iteration limit of the projection to the function's own lowest places and to the solid.
const MOST_PROJECTIONS: usize = 4;

/// The least place of a convex function over a convex solid.
#[derive(Clone, Copy, Debug)]
pub(in crate::implicit::search) struct LeastOfConvex {
    /// The place.
    pub(in crate::implicit::search) point: Point,
    /// The value there.
    pub(in crate::implicit::search) value: f64,
    /// A certified lower bound of all values.
    pub(in crate::implicit::search) lower: f64,
}

/// The search with its buffers, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(in crate::implicit::search) struct ConvexSearch {
    planes: Planes,
}

impl ConvexSearch {
    /// Returns the minimum of a convex function over a solid, with a bound within `gap`, or a bound above the cutoff.
    /// `None` if it did not find that.
    pub(in crate::implicit::search) fn least(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &ConvexDomain<'_>,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastOfConvex> {
        if !function.is_convex() {
            return None;
        }
        let function = &Objective::new(function);
        let rounding = domain.rounding() + rounding::length(function.largest_coordinate);
        let finest = (FINEST_GAP * domain.reach()).max(4.0 * rounding);
        let mut progress =
            Progress { best: None, lower: f64::NEG_INFINITY, cutoff, gap: finest.min(gap), rounding };
        progress.bound(function.floor);
        let mut corners = Corners::new(first_corner(function, domain, &mut progress));
        self.planes.clear();
        let done = progress.is_done()
            || descend(function, domain, &mut corners, &mut progress, &mut self.planes)
            || reach_deepest(function, domain, &mut progress)
            || self.planes.close(function, domain, &corners, &mut progress);
        progress.gap = gap.max(4.0 * rounding);
        if !done && !progress.is_done() {
            return None;
        }
        let best = progress.best.unwrap_or_else(|| function.tangent(&corners.place()));
        let Tangent { point, value, .. } = best;
        Some(LeastOfConvex { point, value, lower: progress.lower.min(value) })
    }
}

/// Tries the function's own lowest places, if they are known: one may be in the solid. Alternates between these and the solid.
fn reach_deepest(function: &Objective<'_>, domain: &ConvexDomain<'_>, progress: &mut Progress) -> bool {
    let mut last = None;
    for _ in 0..MOST_PROJECTIONS {
        let from = progress.best.map_or(domain.center(), |best| best.point);
        let deepest = function.deepest_near(&from);
        let Some(place) = deepest.filter(|_| deepest != last) else { return false };
        last = deepest;
        let tangent = function.tangent(&nearest(&place, domain, progress.rounding));
        progress.take(&tangent, f64::NEG_INFINITY);
        if progress.is_done() {
            return true;
        }
    }
    false
}

/// Returns the point of the solid that is closest to a point, about.
fn nearest(point: &Point, domain: &ConvexDomain<'_>, rounding: f64) -> Point {
    let distance = Objective::distance(point);
    let mut nearest =
        Progress { best: None, lower: 0.0, cutoff: f64::INFINITY, gap: rounding, rounding: 0.0 };
    let mut corners = Corners::new(first_corner(&distance, domain, &mut nearest));
    descend(&distance, domain, &mut corners, &mut nearest, &mut Planes::default());
    corners.place()
}

/// Returns the support point against the gradient at the centre.
fn first_corner(function: &Objective<'_>, domain: &ConvexDomain<'_>, progress: &mut Progress) -> Point {
    let tangent = function.tangent(&domain.center());
    let lowest = domain.support(&-tangent.gradient);
    progress.take(&tangent, tangent.at(&lowest));
    lowest
}

#[cfg(test)]
mod tests {
    use super::super::random_cases::{Body, KINDS, Random, function};
    use super::*;
    use crate::implicit::{Intersection, Offset};
    use crate::{Capsule, Cylinder, Ellipsoid, ImplicitBody, OrientedBox, Pose, Sphere};
    use palpate_math::Vector;
    use std::sync::Arc;

    /// Random functions of all kinds, about, across and far beside random boxes, hulls, cylinders and curved bodies:
    /// the same minimum as by branch and bound, within both bounds.
    #[test]
    fn branch_and_bound_finds_the_same_minimum() {
        const CASES: usize = 150;
        let mut random = Random(5);
        let mut search = ConvexSearch::default();
        let (mut closed, mut compared, mut curved) = (0, 0, 0);
        for case in 0..4 * 3 * KINDS * CASES {
            let (kind, deep) = (case % KINDS, [0.2, 1.0, 1.6][case / KINDS % 3]);
            let body = Body::random(case / KINDS / 3 % 4, &mut random, 1.0);
            let domain = body.domain();
            let function = function(kind, &mut random, 0.6, deep);
            let gap = 1e-10 * domain.reach();
            let Some(found) = search.least(function.as_ref(), &domain, f64::INFINITY, gap) else { continue };
            closed += 1;
            curved += usize::from(matches!(body, Body::Curved(_)));
            // The distance inside of a hull is costly; one such case in eight is enough.
            if kind == 6 && case % 8 != 0 {
                continue;
            }
            let slow = body.slowly(function.as_ref(), f64::INFINITY).unwrap();
            let (value, other) = (found.value, slow.sample.value);
            if slow.converged {
                compared += 1;
                assert!((value - other).abs() < 3.0 * gap, "{case}: {found:?} {slow:?}");
            } else {
                assert!(
                    slow.lower - 3.0 * gap <= value && value <= other + 3.0 * gap,
                    "{case}: {found:?} {slow:?}"
                );
            }
            // Branch and bound takes points just outside of a cylinder.
            let outside = if matches!(body, Body::Cylinder(_) | Body::Curved(_)) { gap } else { 1e-15 };
            assert!(found.lower <= other + outside, "{case}: {found:?} {other}");
            assert!(value - found.lower <= gap, "{case}: {found:?} {slow:?}");
            let depth = body.distance(&found.point);
            assert!(depth < 1e-14 * domain.reach(), "{case}: {found:?} is outside by {depth}");
        }
        assert!(closed > 12_500 && compared > 11_000, "{closed} {compared}");
        assert!(curved > 3300, "{curved}");
    }

    /// Nothing but the exponents of the numbers changes with the size.
    #[test]
    fn a_scaled_problem_has_the_scaled_answer() {
        let mut count = 0;
        for case in 0..200 {
            let solve = |scale: f64| {
                let mut random = Random(case);
                let body = Body::random(case as usize % 4, &mut random, scale);
                let function = function(case as usize % 6, &mut random, scale, 0.6);
                let domain = body.domain();
                ConvexSearch::default().least(
                    function.as_ref(),
                    &domain,
                    f64::INFINITY,
                    1e-10 * domain.reach(),
                )
            };
            let Some(one) = solve(1.0) else { continue };
            count += 1;
            for scale in [2.0_f64.powi(-30), 2.0_f64.powi(28)] {
                let other = solve(scale).unwrap();
                assert_eq!(one.point * scale, other.point);
                assert_eq!((one.lower * scale, one.value * scale), (other.lower, other.value));
            }
        }
        assert!(count > 150, "{count}");
    }

    /// Far away, the first bound is enough.
    #[test]
    fn a_bound_above_the_cutoff_ends_the_search() {
        let ball = Sphere::new(Point::new(0.0, 9.0, 0.5), 1.0).unwrap();
        let domain = ConvexDomain::of_box(&Pose::identity(), &Vector::repeat(1.0));
        let mut search = ConvexSearch::default();
        let found = search.least(&ball, &domain, 0.5, 1e-10).unwrap();
        assert!(found.lower > 0.5 && found.value >= 7.0);
        let found = search.least(&ball, &domain, 7.0, 1e-10).unwrap();
        assert!((found.value - 7.0).abs() < 1e-12 && found.lower <= 7.0);
    }

    /// Of random places the closest of those where the value is the floor: none of the others is closer, by samples.
    #[test]
    fn the_lowest_places_of_bodies_are_in_their_middles() {
        let pose = Pose::new(Vector::new(0.3, -0.2, 0.5), Vector::new(0.4, -1.1, 0.7));
        let ball = |x: f64, r: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, 0.2, 0.1), r).unwrap())
        };
        let plate = OrientedBox::new(pose, Vector::new(0.5, 0.25, 1.0)).unwrap();
        let bodies: [Arc<dyn ImplicitFunction>; 8] = [
            ball(0.4, 0.7),
            Arc::new(plate.clone()),
            Arc::new(Capsule::new(pose, 0.3, 1.2).unwrap()),
            Arc::new(Cylinder::new(pose, 0.3, 1.2).unwrap()),
            Arc::new(Cylinder::new(pose, 0.7, 0.4).unwrap()),
            Arc::new(Ellipsoid::new(pose, Vector::new(0.5, 0.3, 0.4)).unwrap()),
            Arc::new(Offset::new(Arc::new(plate), 0.125).unwrap()),
            Arc::new(Intersection::new(vec![ball(-0.3, 0.6), ball(0.5, 0.7)]).unwrap()),
        ];
        let mut random = Random(17);
        for (number, body) in bodies.iter().enumerate() {
            let body = ImplicitBody::new(Pose::translation(0.1, 0.2, -0.3), body.clone()).unwrap();
            for _ in 0..50 {
                let place = Point::from(random.vector() * 1.5);
                let lowest = body.as_function().lowest_near(&place).unwrap();
                assert!((body.sample(&lowest).value - body.as_function().floor()).abs() < 1e-14, "{number}");
                for _ in 0..20 {
                    // The closest place of any other, as those of a convex body are convex.
                    let other = body.as_function().lowest_near(&Point::from(random.vector() * 1.5)).unwrap();
                    assert!((place - lowest).dot(&(other - lowest)) < 1e-14, "{number}");
                }
            }
        }
    }

    /// Small bodies in large ones, deep down: the floor is found in the solid, and proven by itself.
    #[test]
    fn a_body_in_the_middle_of_a_solid_is_found() {
        let (mut random, mut search, mut deep) = (Random(23), ConvexSearch::default(), 0);
        for case in 0..600 {
            let solid = Body::random(case % 3, &mut random, 1.0);
            let domain = solid.domain();
            let at =
                Pose::new(domain.center() - Point::origin() + random.vector() * 0.1, random.vector() * 3.0);
            let size = (random.next() + 1.5) * 0.2;
            let parts: [Arc<dyn ImplicitFunction>; 3] = [
                Arc::new(Cylinder::new(at, size, (random.next() + 1.2) * 0.4).unwrap()),
                Arc::new(OrientedBox::new(at, Vector::new(size, 0.1, 0.2)).unwrap()),
                Arc::new(Intersection::new(vec![ball(&at, 0.3, 0.4), ball(&at, 0.0, 0.35)]).unwrap()),
            ];
            let function = &parts[case / 3 % 3];
            let found = search.least(function.as_ref(), &domain, f64::INFINITY, 1e-10 * domain.reach());
            let found = found.unwrap();
            deep += usize::from(found.value - function.floor() < 1e-12);
            assert!(found.value - found.lower <= 1e-10 * domain.reach(), "{case}: {found:?}");
        }
        assert!(deep > 300, "{deep}");
    }

    fn ball(at: &Pose, x: f64, radius: f64) -> Arc<dyn ImplicitFunction> {
        Arc::new(Sphere::new(at * Point::new(x, 0.0, 0.0), radius).unwrap())
    }
}
