//! The part of a smooth union that is in neither of its two bodies.

use super::minimum::{Lowest, Minimum};
use super::queries::{Search, minimum};
use crate::implicit::bounds::below_the_higher;
use crate::implicit::function::share_of_second;
use crate::implicit::{Blend, Cell, ImplicitFunction, OrientedBounds, Sample};
use palpate_math::{Aabb, Point};

/// A smooth union, where both of its bodies are within its radius. That contains the fillet: where the union is not positive and the
/// values of both bodies are, the lower is at most a quarter of the radius, and the higher at most the radius.
pub(super) struct Fillet<'a> {
    /// Its offset is zero.
    pub(super) blend: &'a Blend<'a>,
}

impl Fillet<'_> {
    /// Returns a box around the fillet; `None` if the bodies are too far apart for one.
    pub(super) fn bounds(&self) -> Option<OrientedBounds> {
        let Blend { parts, radius, .. } = self.blend;
        let bounds = |part: usize, share: f64| parts[part].sublevel_bounds(share * radius);
        let common = [[bounds(0, 0.25), bounds(1, 1.0)], [bounds(0, 1.0), bounds(1, 0.25)]]
            .map(|[a, b]| a.intersection(&b))
            .into_iter()
            .filter(|common| !common.is_empty());
        common.reduce(|a, b| a.merged(&b)).map(OrientedBounds::from)
    }

    /// Returns linear lower bounds: of the union, and of the values of both bodies less the radius. The blend is concave, so that the one
    /// of two linear functions is above the chord of its values at the corners.
    fn bounds_of_all(&self, cell: &Cell<'_>) -> [[f64; 4]; 3] {
        let [a, b] = self.blend.parts.map(|part| part.bound_below(cell));
        let whole = std::array::from_fn(|k| self.blend.of(a[k], b[k]));
        [whole, a.map(|value| value - self.blend.radius), b.map(|value| value - self.blend.radius)]
    }
}

impl ImplicitFunction for Fillet<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let Blend { parts, radius, .. } = *self.blend;
        let [a, b] = parts.map(|part| part.sample(point));
        let share = share_of_second(radius, [a.value, b.value]);
        let gradient = a.gradient * (1.0 - share) + b.gradient * share;
        let whole = Sample { value: self.blend.of(a.value, b.value), gradient, feature: a.feature };
        let higher = |a: Sample, b: Sample| if b.value > a.value { b } else { a };
        [a, b]
            .into_iter()
            .fold(whole, |highest, part| higher(highest, Sample { value: part.value - radius, ..part }))
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let [a, b] = self.blend.parts.map(|part| part.sublevel_bounds(level + self.blend.radius));
        a.intersection(&b)
    }

    fn lipschitz(&self) -> Option<f64> {
        let [a, b] = self.blend.parts.map(|part| part.lipschitz());
        a.zip(b).map(|(a, b)| a.max(b))
    }

    fn bound_below(&self, cell: &Cell<'_>) -> [f64; 4] {
        let higher = |a: [f64; 4], b: [f64; 4]| below_the_higher(&a, &b, cell.corners.len());
        let [whole, beyond_a, beyond_b] = self.bounds_of_all(cell);
        higher(higher(whole, beyond_a), beyond_b)
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
        let [whole, beyond @ ..] = self.bounds_of_all(cell);
        visit(whole);
        // What is positive nowhere excludes nothing.
        beyond.into_iter().filter(|bound| bound.iter().any(|value| *value > 0.0)).for_each(visit);
    }
}

impl Search {
    /// Searches a blend of two convex bodies part by part, and then its fillet alone, which is between both. `None` for other bodies.
    pub(super) fn below_in_blend(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        cutoff: f64,
    ) -> Option<Option<Minimum>> {
        let mut lowest = Lowest::below(cutoff);
        let (mut is_searched, mut undecided) = (false, false);
        body.over_blend(&mut |blend| {
            let bounds = blend.parts.map(|part| part.sublevel_bounds(0.0));
            if blend.offset != 0.0 || bounds.iter().any(|bounds| !bounds.diagonal_length().is_finite()) {
                return;
            }
            is_searched = true;
            let mut bounds_of_parts = [f64::INFINITY; 2];
            for ((part, bounds), lower) in blend.parts.into_iter().zip(bounds).zip(&mut bounds_of_parts) {
                let root = part.oriented_bounds().unwrap_or_else(|| bounds.into());
                let below = lowest.cutoff();
                let found = self.part_below_in_body(function, part, &root, below).unwrap_or_else(|| {
                    let found = self.part_below_in_any(function, part, &root, below);
                    undecided |= self.division.undecided;
                    found
                });
                *lower = found.map_or(below, |found| found.lower);
                lowest.take(found);
            }
            let fillet = Fillet { blend };
            let Some(root) = fillet.bounds() else { return };
            let gap = self.tolerance.of(root.reach());
            let best = lowest.found();
            let below = best.map_or(cutoff, |best| best.sample.value.min(cutoff) - gap);
            if below < function.floor() {
                lowest.lower_by(gap);
                return;
            }
            let from = best.map(|best| best.point);
            let in_family = if undecided {
                None
            } else {
                self.least_in_family(function, blend, bounds_of_parts, from.as_ref(), below)
            };
            lowest.take(match in_family {
                Some(least) => least.and_then(|least| minimum(function, &least, below)),
                None => {
                    let found = self.below_within(function, &fillet, &root, below);
                    undecided |= self.division.undecided;
                    found
                }
            });
            lowest.lower_by(gap);
        });
        self.division.undecided = undecided;
        is_searched.then(|| lowest.found())
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_bodies::Random;
    use super::*;
    use crate::implicit::{Search, SmoothUnion, Torus};
    use crate::{Capsule, Ellipsoid, OrientedBox, Pose};
    use palpate_math::Vector;
    use std::sync::Arc;

    type Function = Arc<dyn ImplicitFunction>;

    fn solid(random: &mut Random, kind: usize) -> Function {
        let pose = Pose::new(random.vector() * 0.3, random.vector() * 2.0);
        match kind % 3 {
            0 => Arc::new(Capsule::new(pose, 0.25, 1.2).unwrap()),
            1 => Arc::new(OrientedBox::new(pose, Vector::new(0.7, 0.3, 0.25)).unwrap()),
            _ => Arc::new(Ellipsoid::new(pose, Vector::new(0.7, 0.3, 0.4)).unwrap()),
        }
    }

    fn blend(random: &mut Random, kind: usize) -> SmoothUnion {
        let parts = vec![solid(random, kind), solid(random, kind / 3)];
        SmoothUnion::new(parts, 0.2 + 0.1 * random.next()).unwrap()
    }

    #[test]
    fn what_is_in_neither_body_is_in_the_fillet_and_no_bound_is_above() {
        let mut random = Random(3);
        let mut between = 0;
        for kind in 0..9 {
            let whole = blend(&mut random, kind);
            let all = whole.sublevel_bounds(0.0);
            let is_blend = whole.over_blend(&mut |blend| {
                let fillet = Fillet { blend };
                let OrientedBounds { center, half } = fillet.bounds().unwrap();
                let across = half.iter().map(Vector::abs).sum::<Vector>();
                let box_of = Aabb::from_points([center - across, center + across]).grown(1e-12);
                for _ in 0..8_000 {
                    let share = random.vector();
                    let point = all.center() + all.size().component_mul(&share) * 0.5;
                    let is_between = whole.sample(&point).value <= 0.0
                        && blend.parts.iter().all(|part| part.sample(&point).value > 0.0);
                    if is_between {
                        between += 1;
                        assert!(fillet.sample(&point).value <= 1e-15 && box_of.contains_point(&point));
                    }
                    let corners = [0; 4].map(|_| point + random.vector() * 0.1);
                    let cell = Cell::new(&corners);
                    let center = fillet.sample(&cell.center).value;
                    fillet.bounds_below(&cell, &mut |bound| {
                        assert!(0.25 * bound.iter().sum::<f64>() <= center + 1e-14);
                    });
                }
            });
            assert!(is_blend);
        }
        assert!(between > 300, "{between}");
    }

    /// Functions of several kinds over blends, across each other and beside: the same minimum as over the whole.
    #[test]
    fn part_by_part_the_minimum_is_the_same() {
        let mut random = Random(17);
        let (mut found_some, mut nothing) = (0, 0);
        for case in 0..90 {
            let shift = Pose::new(random.vector() * 1.2, random.vector());
            let function: Function = match case % 4 {
                0 => Arc::new(Torus::new(shift, 0.6, 0.2).unwrap()),
                1 => Arc::new(OrientedBox::new(shift, Vector::new(0.6, 0.4, 0.3)).unwrap()),
                _ => Arc::new(blend(&mut random, case)),
            };
            let body = blend(&mut random, case / 4);
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let mut search = Search::with_tolerance(1e-12);
            let fast = search.below_in_body(function.as_ref(), &body, &root, 0.0);
            let is_open = search.undecided();
            let slow = search.below_within(function.as_ref(), &body, &root, 0.0);
            let (Some(fast), Some(slow)) = (fast, slow) else {
                assert!(fast.is_none() && slow.is_none() || is_open || search.undecided(), "{case}");
                nothing += 1;
                continue;
            };
            found_some += 1;
            let [of_fast, of_slow] = [fast, slow].map(|found| found.sample.value - found.lower);
            assert!(of_fast >= 0.0 && fast.lower <= slow.sample.value + 1e-12, "{case}: {fast:?} {slow:?}");
            assert!(slow.lower <= fast.sample.value + 1e-12, "{case}: {fast:?} {slow:?}");
            assert!(!fast.converged || of_fast < 1e-9, "{case}: {of_fast} {of_slow}");
            assert!(body.sample(&fast.point).value < 1e-9, "{case}");
        }
        assert!(found_some > 40 && nothing > 5, "{found_some} {nothing}");
    }
}
