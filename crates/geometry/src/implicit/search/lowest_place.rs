//! The lowest place of a body over a plane.

use super::minimum::{Lowest, Minimum};
use super::queries::{Search, over_parts};
use crate::Plane;
use crate::implicit::{ImplicitFunction, OrientedBounds};

impl Search {
    /// Returns the lowest place of a body in a box over a plane, if it is no higher than `cutoff`; as
    /// [`below_within`](Self::below_within). The parts of a union by their support maps, if they have any.
    pub fn lowest_over(
        &mut self,
        plane: &Plane,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Minimum> {
        let (mut lowest, mut undecided) = (Lowest::below(cutoff), false);
        over_parts(body, &mut |part| {
            let own = part.oriented_bounds();
            let root = own.as_ref().unwrap_or(root);
            let cutoff = lowest.cutoff();
            let found = match part.support_point(&-plane.normal()) {
                Some(point) => {
                    let sample = ImplicitFunction::sample(plane, &point);
                    let lower = plane.height(&point).min(sample.value);
                    let found = Minimum { weights: [0.0; 4], point, sample, lower, converged: true };
                    Some(found).filter(|_| lower <= cutoff)
                }
                None => {
                    let found = self.below_within(plane, part, root, cutoff);
                    undecided |= self.undecided();
                    found
                }
            };
            lowest.take(found);
        });
        self.set_undecided(undecided);
        lowest.found()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::grid::{Random, random_grid};
    use crate::implicit::{ImplicitBody, Union};
    use crate::{Pose, Sphere};
    use palpate_math::Point;
    use std::sync::Arc;

    /// Of a union of a grid and a ball, placed and scaled.
    #[test]
    fn the_lowest_part_of_a_union_is_found() {
        let mut random = Random(43);
        let mut of_grid = 0;
        for case in 0..200 {
            let grid = random_grid(&mut random, 5 + case % 4, 0.02);
            let resolution = 1.5 * grid.resolution();
            let ball = Sphere::new(Point::from(random.vector() * 0.7), 0.5).unwrap();
            let pose = Pose::new(random.vector(), random.vector() * 3.0);
            let both: Vec<Arc<dyn ImplicitFunction>> = vec![Arc::new(grid), Arc::new(ball)];
            let whole = ImplicitBody::new(pose, Arc::new(Union::new(both.clone()).unwrap())).unwrap();
            let whole = whole.with_scale(1.5).unwrap();
            let plane = Plane::new(Point::from(random.vector()), random.vector()).unwrap();
            let lowest = |body: &ImplicitBody| {
                let root = body.as_function().oriented_bounds().unwrap();
                let found = Search::default().lowest_over(&plane, body, &root, f64::INFINITY).unwrap();
                assert!(found.converged, "{case}");
                found.sample.value
            };
            let of_parts = [0, 1].map(|part| {
                let body = ImplicitBody::new(pose, both[part].clone()).unwrap();
                lowest(&body.with_scale(1.5).unwrap())
            });
            let wanted = of_parts[0].min(of_parts[1]);
            let found = lowest(&whole);
            assert!((found - wanted).abs() < 2.0 * resolution, "{case}: {found} {wanted}");
            of_grid += usize::from(of_parts[0] < of_parts[1]);
        }
        assert!((40..160).contains(&of_grid), "{of_grid}");
    }
}
