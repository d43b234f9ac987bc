//! Minima over polytopes and cylinders, of functions that are least on a solid's surface or at places of their own.

use super::face::Face;
use super::minimum::{Lowest, Minimum};
use super::queries::Search;
use crate::implicit::{CylinderDomain, ImplicitFunction, LeastInSolid, OrientedBounds, PolytopeFace};
use palpate_math::{Aabb, Point, Vector};
use std::cell::Cell;

impl Search {
    /// Returns the minimum over a convex polytope, given the triangles of its surface, anticlockwise from outside, and its
    /// own signed distance, if it is at most `cutoff`; as [`below`](Self::below). `None` if the function does not know its
    /// minima.
    pub fn below_in_polytope(
        &mut self,
        function: &dyn ImplicitFunction,
        surface: impl Iterator<Item = [Point; 3]> + Clone,
        solid: &dyn ImplicitFunction,
        cutoff: f64,
    ) -> Option<Option<Minimum>> {
        if !function.is_least_on_surfaces() {
            return None;
        }
        self.polytope.clear();
        self.polytope.extend(surface.clone().map(PolytopeFace::new));
        let bounds = Aabb::from_points(self.polytope.iter().flat_map(|face| &face.corners));
        let gap = self.tolerance.gap(0.5 * bounds.diagonal_length(), &[bounds.min, bounds.max]);
        if let Some(found) = function.least_in_polytope(&mut self.polytope, cutoff, gap) {
            return Some(minimum(function, found, cutoff));
        }
        let mut faces = std::mem::take(&mut self.faces);
        faces.clear();
        faces.extend(surface.map(Face::new));
        let found = self.below_in_faces(function, &mut faces, solid, cutoff);
        self.faces = faces;
        Some(found)
    }

    /// Returns the minimum over a cylinder, if it is at most `cutoff`; as [`below`](Self::below). `None` if the function does
    /// not find it by a method of its own.
    pub fn below_in_cylinder(
        &mut self,
        function: &dyn ImplicitFunction,
        domain: &CylinderDomain,
        cutoff: f64,
    ) -> Option<Option<Minimum>> {
        let reach = domain.radius.max(domain.half_height);
        let corner = domain.center + Vector::repeat(domain.radius + domain.half_height);
        let gap = self.tolerance.gap(reach, &[domain.center, corner]);
        let found = function.least_in_cylinder(domain, cutoff, gap)?;
        Some(minimum(function, found, cutoff))
    }

    /// Returns the minimum over a body bounded by surfaces of the second degree, if it is at most `cutoff`; as
    /// [`below`](Self::below). `None` if the body is none, or the function does not find it by a method of its own.
    pub fn below_in_quadrics(
        &mut self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        cutoff: f64,
    ) -> Option<Option<Minimum>> {
        if !function.is_least_on_surfaces() {
            return None;
        }
        let (mut lowest, mut is_settled) = (Lowest::below(cutoff), true);
        let is_of_quadrics = body.over_quadrics(&mut |piece| {
            let corner = piece.bounds.center + Vector::repeat(piece.reach());
            let gap = self.tolerance.gap(piece.reach(), &[piece.bounds.center, corner]);
            let below = lowest.cutoff();
            match function.least_in_quadrics(piece, below, gap).filter(|_| is_settled) {
                Some(found) => lowest.take(minimum(function, found, below)),
                None => is_settled = false,
            }
        });
        (is_of_quadrics && is_settled).then(|| lowest.found())
    }

    /// Returns the minimum over a body that [has cells](ImplicitFunction::over_cells), given a box around it, if it is at most
    /// `cutoff`; as [`below`](Self::below). `None` if the body has none, or the function does not find it by a method of its own.
    pub(super) fn below_in_cells(
        &self,
        function: &dyn ImplicitFunction,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> Option<Option<Minimum>> {
        let corner = root.center + Vector::repeat(root.reach());
        let gap = self.tolerance.gap(root.reach(), &[root.center, corner]);
        let found = function.least_in_cells(body, cutoff, gap)?;
        Some(minimum(function, found, cutoff))
    }

    fn below_in_faces(
        &mut self,
        function: &dyn ImplicitFunction,
        faces: &mut [Face],
        solid: &dyn ImplicitFunction,
        cutoff: f64,
    ) -> Option<Minimum> {
        let bounds = solid.oriented_bounds().unwrap_or_else(|| solid.sublevel_bounds(0.0).into());
        let last = Cell::new(0);
        let overlaps = |center: &Point, radius: f64| {
            let is_outside = |face: &Face| face.is_below(center, radius);
            if faces.get(last.get()).is_some_and(is_outside) {
                return false;
            }
            if let Some(number) = faces.iter().position(is_outside) {
                last.set(number);
                return false;
            }
            true
        };
        let mut lowest = Lowest::below(cutoff);
        if let Some(point) = function.lowest_minimum(&bounds, &overlaps, cutoff) {
            let sample = function.sample(&point);
            let lower = sample.value;
            lowest.take(Some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true }));
        }
        let rate = function.lipschitz().unwrap_or(f64::INFINITY);
        for face in faces.iter_mut() {
            face.lower = face.below(function, rate);
        }
        // The lowest first: it leaves out more of the others.
        faces.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower));
        for face in faces.iter() {
            if face.lower > lowest.cutoff() {
                break;
            }
            lowest.take(match face.least(function, lowest.cutoff(), self.tolerance) {
                Some(found) => found,
                None => self.below(function, &face.corners, lowest.cutoff()),
            });
        }
        lowest.found()
    }
}

/// Returns what was found, if it is at most the cutoff.
fn minimum(function: &dyn ImplicitFunction, found: LeastInSolid, cutoff: f64) -> Option<Minimum> {
    let LeastInSolid { point, lower } = found;
    if lower > cutoff {
        return None;
    }
    let sample = function.sample(&point);
    let lower = lower.min(sample.value);
    Some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true })
}

#[cfg(test)]
mod tests {
    use super::super::ellipsoids::tests::Counted;
    use super::*;
    use crate::implicit::Grid;
    use crate::{OrientedBox, Pose};
    use std::sync::atomic::AtomicUsize;

    /// Samples of an ellipsoid's value with noise, in a box; the lowest samples are well inside.
    fn noisy_ball(random: &mut impl FnMut() -> f64, noise: f64) -> Grid {
        let size = [9, 7, 8];
        let spacing = Vector::new(0.3, 0.4, 0.35);
        let origin = Point::new(-1.2, -1.2, -1.225);
        let values = (0..size.iter().product()).map(|number: usize| {
            let steps = [number % 9, number / 9 % 7, number / 63].map(|n| n as f64);
            let place = origin + spacing.component_mul(&Vector::from(steps));
            place.coords.component_div(&Vector::new(0.9, 0.7, 0.8)).norm() - 1.0 + noise * random()
        });
        Grid::new(origin, spacing, size, values.collect()).unwrap()
    }

    /// Against branch and bound over the tetrahedra of a box.
    #[test]
    fn tetrahedra_have_nothing_lower() {
        let mut state = 11_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut inside, mut on_surface, mut nothing) = (0, 0, 0);
        for case in 0..120 {
            let grid = noisy_ball(&mut random, [0.0, 0.15][case % 2]);
            let axis = Vector::new(random(), random(), random());
            let pose = Pose::new(Vector::new(random(), random(), random()) * [1.2, 0.3][case % 5 % 2], axis);
            let half =
                Vector::new(random(), random(), random()).map(|x| 0.05 + [0.3, 0.8][case % 3 % 2] * x.abs());
            let solid = OrientedBox::new(pose, half).unwrap();
            let corner = |number: usize| {
                let side = |axis: usize| if number >> axis & 1 == 1 { half[axis] } else { -half[axis] };
                pose * Point::new(side(0), side(1), side(2))
            };
            let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            let halves = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
            let surface = halves.map(|ids| ids.map(corner));
            let cutoff = [f64::INFINITY, 0.0][case / 2 % 2];
            let mut search = Search::with_tolerance(1e-12);
            let found = search.below_in_polytope(&grid, surface, &solid, cutoff).unwrap();
            let hidden = Counted(&grid, AtomicUsize::new(0));
            let mut wanted = Lowest::below(cutoff);
            for path in [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]] {
                let corners = [0, path[0], path[1], 7].map(corner);
                wanted.take(search.below(&hidden, &corners, wanted.cutoff()));
            }
            match (found, wanted.found()) {
                (Some(found), Some(wanted)) => {
                    let apart = (found.sample.value - wanted.sample.value).abs();
                    assert!(apart < 1e-11, "{case}: {found:?} is not {wanted:?}");
                    assert!(found.converged && found.lower <= found.sample.value, "{case}: {found:?}");
                    let depth = -solid.sample(&found.point).value;
                    assert!(depth > -1e-12, "{case}: {found:?} is outside");
                    if depth > 1e-6 { inside += 1 } else { on_surface += 1 }
                }
                (None, None) => nothing += 1,
                other => panic!("{case}: {other:?}"),
            }
        }
        assert!(inside > 15 && on_surface > 40 && nothing > 10, "{inside} {on_surface} {nothing}");
    }
}
