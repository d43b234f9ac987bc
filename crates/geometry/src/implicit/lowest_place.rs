//! The lowest place of a body over a plane.

use super::ImplicitFunction;
use crate::Plane;
use palpate_implicit::internal::{Lowest, Minimum, OrientedBounds, Search, over_parts};

/// Returns the lowest place of a body in a box over a plane, if it is no higher than `cutoff`; as
/// [`below_within`](Search::below_within). The parts of a union by their support maps, if they have any.
pub fn lowest_over(
    search: &mut Search,
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
                let found = search.below_within(plane, part, root, cutoff);
                undecided |= search.undecided();
                found
            }
        };
        lowest.take(found);
    });
    search.set_undecided(undecided);
    lowest.found()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Grid, ImplicitBody, Union};
    use crate::{Pose, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    /// Of a union of a grid and a ball, placed and scaled.
    #[test]
    fn the_lowest_part_of_a_union_is_found() {
        let mut state = 43_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let mut random = || Vector::new(number(), number(), number());
        let mut of_grid = 0;
        for case in 0..200 {
            let (radii, count) = (Vector::repeat(0.6) + random() * 0.3, 5_usize + case % 4);
            let spacing = Vector::repeat(2.0 / (count - 1) as f64);
            let places = (0..count.pow(3)).map(|k| [k % count, k / count % count, k / count.pow(2)]);
            let values = places.map(|at| {
                let place = Vector::from(at.map(|n| n as f64)).component_mul(&spacing) - Vector::repeat(1.0);
                (place.component_div(&radii).norm() - 1.0) * radii.min()
            });
            let origin = Point::new(-1.0, -1.0, -1.0);
            let grid = Grid::new(origin, spacing, [count; 3], values.collect()).unwrap();
            let resolution = 1.5 * grid.resolution();
            let ball = Sphere::new(Point::from(random() * 0.7), 0.5).unwrap();
            let pose = Pose::new(random(), random() * 3.0);
            let both: Vec<Arc<dyn ImplicitFunction>> = vec![Arc::new(grid), Arc::new(ball)];
            let whole = ImplicitBody::new(pose, Arc::new(Union::new(both.clone()).unwrap())).unwrap();
            let whole = whole.with_scale(1.5).unwrap();
            let plane = Plane::new(Point::from(random()), random()).unwrap();
            let lowest = |body: &ImplicitBody| {
                let root = body.as_function().oriented_bounds().unwrap();
                let found = lowest_over(&mut Search::default(), &plane, body, &root, f64::INFINITY).unwrap();
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
