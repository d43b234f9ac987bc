//! The best place, and the proof that no other is lower.

use super::member::Member;
use super::task::{Body, Task};
use super::triangle::Triangle;
use crate::implicit::search::convex::LeastOfConvex;
use crate::implicit::search::maximum::Maximum;
use crate::implicit::{ImplicitFunction, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::Point;

/// Limit of the members that are searched; some ten are typical, a hundred where both bodies touch in their fillets.
const MOST_MEMBERS: usize = 500;

/// The search with its memory, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(in crate::implicit::search) struct BlendSearch {
    members: Vec<Member>,
    triangles: Vec<Triangle>,
}

impl BlendSearch {
    /// Returns the minimum of a function over a body in a box, with a bound within `gap`, or a bound above the cutoff. `None` if it did
    /// not find that, and for bodies that are not of one or two smooth convex ones each, or of one each.
    pub(in crate::implicit::search) fn least(
        &mut self,
        maximum: &mut Maximum,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        gap: f64,
    ) -> Option<LeastOfConvex> {
        let mut found = None;
        Body::over(function, &mut |function| {
            Body::over(body, &mut |body| {
                if function.is_blend() || body.is_blend() {
                    let task = Task::new(function.clone(), body.clone(), root, gap);
                    found = self.least_of(maximum, &task, cutoff);
                }
            });
        });
        found
    }

    fn least_of(&mut self, maximum: &mut Maximum, task: &Task<'_>, cutoff: f64) -> Option<LeastOfConvex> {
        self.members.clear();
        self.triangles.clear();
        let mut best = Best { point: task.root.center, value: f64::INFINITY };
        let mut start = None;
        for own in task.function.shares() {
            for other in task.body.shares() {
                let shares = [*own, *other];
                let member = task.member(maximum, shares, &task.start(shares)?, best.value)?;
                self.members.push(member);
                if best.take(task, &member) {
                    start = Some(member.point);
                }
            }
        }
        self.add(task, [0, 1, self.members.len() as u32 / 2]);
        if self.members.len() > 2 {
            self.add(task, [1, 2, 3]);
        }
        loop {
            if let Some(start) = start.take() {
                self.settle(task, &start, &mut best);
            }
            let lower = |number: usize| self.triangles[number].lower;
            let next = (0..self.triangles.len()).reduce(|a, b| if lower(b) < lower(a) { b } else { a })?;
            let triangle = self.triangles[next];
            if triangle.lower > cutoff || best.value - triangle.lower <= task.gap {
                let Best { point, value } = best;
                return Some(LeastOfConvex { point, value, lower: triangle.lower.min(value) });
            }
            if self.members.len() >= MOST_MEMBERS {
                return None;
            }
            let place = triangle.between();
            let (shares, nearby) = triangle.at(&place, &self.members);
            let member = task.member(maximum, shares, &nearby, best.value)?;
            let before = best.value;
            if best.take(task, &member) && before - best.value > task.gap {
                start = Some(member.point);
            }
            self.insert(task, next, &place, member);
        }
    }

    /// Descends from a place to a local minimum of both blends, and inserts it unless a corner is there already.
    fn settle(&mut self, task: &Task<'_>, start: &Point, best: &mut Best) {
        let Some(member) = task.minimum_near(start) else { return };
        best.take(task, &member);
        let found =
            self.triangles.iter().enumerate().find_map(|(number, triangle)| {
                Some((number, triangle.place_of(&member.shares, &self.members)?))
            });
        if let Some((number, place)) = found {
            self.insert(task, number, &place, member);
        }
    }

    fn add(&mut self, task: &Task<'_>, corners: [u32; 3]) {
        self.triangles.push(Triangle::new(task, corners, &self.members));
    }

    /// Divides a triangle at a new corner, given the weights of its own; if that is on an edge, also its neighbour.
    fn insert(&mut self, task: &Task<'_>, number: usize, place: &[f64; 3], member: Member) {
        let new = self.members.len() as u32;
        self.members.push(member);
        let corners = self.triangles[number].corners;
        let around: ArrayVec<u32, 3> = (0..3).filter(|&k| place[k] > 0.0).map(|k| corners[k]).collect();
        let replaced =
            |corners: [u32; 3], old: u32| corners.map(|corner| if corner == old { new } else { corner });
        let is_divided = |triangle: &Triangle| around.iter().all(|corner| triangle.corners.contains(corner));
        for index in (0..self.triangles.len()).rev() {
            if is_divided(&self.triangles[index]) {
                // What takes its place in the list is a part already, or was not divided.
                let corners = self.triangles.swap_remove(index).corners;
                around.iter().for_each(|&old| self.add(task, replaced(corners, old)));
            }
        }
    }
}

/// The best place found.
#[derive(Clone, Copy, Debug)]
struct Best {
    point: Point,
    value: f64,
}

impl Best {
    /// Takes the place of a member, if that is better.
    fn take(&mut self, task: &Task<'_>, member: &Member) -> bool {
        let Member { point, value, .. } = *member;
        // No other member of the family is lower than this one by more than that.
        if value - task.function.radius >= self.value {
            return false;
        }
        let value = task.function.value(&point);
        let is_better = value < self.value && task.is_inside(task.body.value(&point));
        if is_better {
            *self = Self { point, value };
        }
        is_better
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::search::random_bodies::Random;
    use crate::implicit::search::tolerance::Tolerance;
    use crate::implicit::{Offset, Search, SmoothUnion};
    use crate::{Capsule, Ellipsoid, ImplicitBody, Pose, Sphere};
    use palpate_math::Vector;
    use std::sync::Arc;

    type Function = Arc<dyn ImplicitFunction>;

    fn solid(random: &mut Random, kind: usize) -> Function {
        let pose = Pose::new(random.vector() * 0.3, random.vector() * 2.0);
        match kind % 5 {
            0 => Arc::new(Capsule::new(pose, 0.25, 1.2).unwrap()),
            1 => Arc::new(Sphere::new(pose * Point::origin(), 0.4).unwrap()),
            _ => Arc::new(Ellipsoid::new(pose, Vector::new(0.7, 0.3, 0.4)).unwrap()),
        }
    }

    fn blend(random: &mut Random, kind: usize) -> Function {
        let parts = vec![solid(random, kind), solid(random, kind / 5)];
        let blend = SmoothUnion::new(parts, 0.3 + 0.2 * random.next()).unwrap();
        if kind.is_multiple_of(2) {
            Arc::new(Offset::new(Arc::new(blend), 0.03).unwrap())
        } else {
            Arc::new(blend)
        }
    }

    /// The share of a blend's second part at a place; zero for other functions.
    fn share(function: &dyn ImplicitFunction, place: &Point) -> f64 {
        let mut found = 0.0;
        function.over_blend(&mut |blend| {
            let [a, b] = blend.parts.map(|part| part.sample(place).value);
            found = crate::implicit::function::share_of_second(blend.radius, [a, b]);
        });
        found
    }

    /// Ellipsoids, rods and balls, blended and single, apart, across each other and deep inside: the same minimum as by dividing space.
    #[test]
    fn the_minimum_is_that_of_dividing_space() {
        let mut random = Random(71);
        let (mut search, mut maximum) = (BlendSearch::default(), Maximum::default());
        let (mut closed, mut compared, mut in_one, mut in_both, mut deep, mut beside) = (0, 0, 0, 0, 0, 0);
        const CASES: usize = 400;
        for case in 0..CASES {
            let shift = Pose::new(random.vector() * [0.4, 0.9, 1.4][case % 3], random.vector());
            let part = if case % 7 == 0 { solid(&mut random, case / 7) } else { blend(&mut random, case) };
            let function = ImplicitBody::new(shift, part).unwrap().with_scale(1.25).unwrap();
            let body =
                if case % 7 == 3 { solid(&mut random, case / 7) } else { blend(&mut random, case / 3) };
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let gap = 1e-9 * root.reach();
            let least = search.least(&mut maximum, &function, body.as_ref(), &root, f64::INFINITY, gap);
            let Some(least) = least else { continue };
            closed += 1;
            let LeastOfConvex { point, value, lower } = least;
            assert!((function.value(&point) - value).abs() < 1e-15, "{case}");
            assert!(body.value(&point) <= Tolerance::outside(gap, 1e-14), "{case}");
            assert!(lower <= value && value - lower <= gap, "{case}");
            let shares = [share(&function, &point), share(body.as_ref(), &point)];
            let between = shares.into_iter().filter(|share| *share > 0.0 && *share < 1.0).count();
            in_one += usize::from(between == 1);
            in_both += usize::from(between == 2);
            deep += usize::from(body.value(&point) < -1e-6);
            // Branch and bound finds no lower value, and where it converges the same.
            let mut slow = Search::with_tolerance(1e-10);
            let found = slow.below_within(&function, body.as_ref(), &root, f64::INFINITY).unwrap();
            assert!(found.sample.value >= lower - 1e-9, "{case}: {found:?} {least:?}");
            assert!(found.lower <= value + 1e-9, "{case}: {found:?} {least:?}");
            compared += usize::from(found.sample.value - found.lower < 2.0 * gap);
            let above = search.least(&mut maximum, &function, body.as_ref(), &root, lower - 0.01, gap);
            assert!(above.is_none_or(|above| above.lower > lower - 0.01), "{case}: {above:?} {least:?}");
            beside += usize::from(above.is_some());
        }
        assert!(
            10 * closed > 9 * CASES && beside > closed / 2 && compared > closed / 2,
            "{closed} {beside} {compared}"
        );
        assert!(in_one > 80 && in_both > 20 && deep > 10, "{in_one} {in_both} {deep}");
    }

    /// Sizes change nothing but the exponents.
    #[test]
    fn a_scaled_problem_has_the_scaled_minimum() {
        let mut compared = 0;
        for case in 0..20 {
            let solve = |scale: f64| {
                let mut random = Random(case);
                let mut posed = |shift: f64| {
                    let pose = Pose::new(random.vector() * (shift * scale), random.vector());
                    ImplicitBody::new(pose, blend(&mut random, 9)).unwrap().with_scale(scale).unwrap()
                };
                let (function, body) = (posed(1.0), posed(0.0));
                let root = OrientedBounds::from(body.sublevel_bounds(0.0));
                let mut maximum = Maximum::default();
                let gap = 1e-9 * root.reach();
                BlendSearch::default().least(&mut maximum, &function, &body, &root, f64::INFINITY, gap)
            };
            let (Some(one), Some(other)) = (solve(1.0), solve(1024.0)) else { continue };
            assert!((one.value * 1024.0 - other.value).abs() < 1e-9 * 1024.0, "{case}: {one:?} {other:?}");
            compared += 1;
        }
        assert!(compared > 15, "{compared}");
    }

    #[test]
    fn bodies_with_flat_sides_are_left_to_others() {
        let mut random = Random(5);
        let block: Function =
            Arc::new(crate::OrientedBox::new(Pose::identity(), Vector::repeat(0.5)).unwrap());
        let (mut search, mut maximum) = (BlendSearch::default(), Maximum::default());
        let blend = blend(&mut random, 3);
        let root = OrientedBounds::from(blend.sublevel_bounds(0.0));
        let mut least = |a: &dyn ImplicitFunction, b: &dyn ImplicitFunction| {
            search.least(&mut maximum, a, b, &root, f64::INFINITY, 1e-9)
        };
        assert!(
            least(block.as_ref(), blend.as_ref()).is_none()
                && least(blend.as_ref(), block.as_ref()).is_none()
        );
        let egg = solid(&mut random, 2);
        assert!(least(egg.as_ref(), egg.as_ref()).is_none(), "two convex bodies are no blends");
    }
}
