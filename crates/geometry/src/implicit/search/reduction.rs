//! The deepest point of a body in a mesh, by linear programs over boxes that shrink.
//!
//! Over a box, no point in the mesh is deeper than linear functions say, and the body is within others ([`DepthBounds`]). The least
//! place of these is a linear program of a few rows. The triangle that is closest there, and the tangents of the body there, make the
//! bounds tighter; then the box is reduced to the part that may be deeper than the deepest point known (range reduction: Ryoo and
//! Sahinidis 1995, <https://doi.org/10.1016/0098-1354(94)00097-2>). The error of a bound is quadratic in the size of the box, so that
//! boxes shrink fast where the depth falls on all sides. What does not shrink is halved.

use super::box_program::{BoxProgram, LeastInBox, Linear, MOST, reduced};
use super::depth_bounds::{
    DepthBounds, Limits, MOST_LIMITS, MOST_VALUES, Region, RegionBox, Triangles, Values,
};
use super::minimum::Minimum;
use super::nearby::Nearby;
use crate::implicit::mesh_solid::Near;
use crate::implicit::{ImplicitFunction, MeshSolid, OrientedBounds, Sample};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// Number of linear programs after which the search gives up: twenty are typical, some hundred where the depth hardly falls.
const MOST_PROGRAMS: usize = 600;

/// Room for open regions: each halving of one adds one.
const ROOM: usize = 128;

/// What the reduction of a box costs, in programs.
const OF_A_REDUCTION: usize = 2;

/// Iteration limit of the tightening of one box, and the share of the remaining gap below which a round counts as no progress.
const MOST_ROUNDS: usize = 8;
const LEAST_GAIN: f64 = 0.1;

/// The share of a box's volume up to which it is not halved.
const SHRUNK: f64 = 0.5;

/// Trust region of a descent: its first size relative to the region, the factor after a failed step, and the size at which the descent
/// ends relative to the searched box.
const FIRST_STEP: f64 = 0.25;
const SHORTER: f64 = 0.25;
const LAST_STEP: f64 = 1e-6;

/// How often the best point is improved by descent, and the programs of each.
const MOST_DESCENTS: usize = 5;
const MOST_STEPS: usize = 64;

const _: () = assert!(MOST_VALUES + MOST_LIMITS < MOST, "a program has room for all bounds");

/// The search with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduction {
    open: Vec<Region>,
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// The greatest value of use, not positive.
    pub(super) cutoff: f64,
    /// The gap between bound and value at which the search ends.
    pub(super) gap: f64,
    /// A point to begin with.
    pub(super) seed: Option<&'a Point>,
    /// Values at the corners of the box, the first axis varying fastest: the body's value is nowhere below their trilinear mean.
    pub(super) trilinear: Option<&'a [f64; 8]>,
}

/// The search of one box.
struct Deepest<'a> {
    bounds: DepthBounds<'a>,
    rate: f64,
    cutoff: f64,
    gap: f64,
    best: Option<(Point, Sample)>,
    /// The least bound of the regions that were closed by the gap.
    lower: f64,
    programs: usize,
    descents: usize,
    /// The value that the last descent began with.
    descended: f64,
}

/// The search took too many programs.
struct Exhausted;

/// A region, and what bounds it.
struct Bounded {
    of: RegionBox,
    near: Option<Option<Near>>,
    values: Values,
    limits: Limits,
}

impl Reduction {
    /// Returns the least signed distance from a solid over a body in a box, if it is at most the cutoff. `None` if that is not decided.
    pub(super) fn deepest(
        &mut self,
        solid: &MeshSolid<'_>,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        wanted: &Wanted<'_>,
    ) -> Option<Option<Minimum>> {
        let nearby = Nearby::new(solid.surface(), root);
        let mut bounds = DepthBounds::new(solid.shared_with(body), &nearby, body, root, wanted.gap);
        bounds.trilinear = wanted.trilinear;
        let mut deepest = Deepest {
            bounds,
            rate: body.lipschitz()?,
            cutoff: wanted.cutoff,
            gap: wanted.gap,
            best: None,
            lower: f64::INFINITY,
            programs: 0,
            descents: 0,
            descended: f64::INFINITY,
        };
        if let Some(seed) = wanted.seed {
            deepest.try_point(seed);
        }
        self.open.clear();
        self.open.reserve(ROOM);
        self.open.push(Region { low: [0.0; 3], size: [1.0; 3], triangles: Triangles::new() });
        while let Some(mut region) = self.open.pop() {
            if let Some(axis) = deepest.search(&mut region).ok()? {
                region.size[axis] *= 0.5;
                let mut other = region.clone();
                other.low[axis] += region.size[axis];
                self.open.extend([other, region]);
            }
        }
        Some(deepest.found())
    }
}

impl Deepest<'_> {
    fn found(&self) -> Option<Minimum> {
        let (point, sample) = self.best?;
        // Of a value just above the cutoff the bound may not be.
        let lower =
            if sample.value <= self.cutoff { self.lower.min(sample.value - self.gap) } else { self.lower };
        (lower <= self.cutoff).then_some(Minimum { weights: [0.0; 4], point, sample, lower, converged: true })
    }

    /// Greater values are of no use.
    fn threshold(&self) -> f64 {
        let best = self.best.map(|(_, sample)| sample.value).filter(|value| *value <= self.cutoff);
        best.map_or(self.cutoff, |value| value - self.gap)
    }

    /// Tries the point of the body close to a point, which is returned.
    fn try_point(&mut self, point: &Point) -> Option<Point> {
        let point = self.bounds.feasible(point)?;
        let sample = self.bounds.solid.sample(&point);
        if self.best.is_none_or(|(_, best)| sample.value < best.value) {
            self.best = Some((point, sample));
        }
        Some(point)
    }

    /// Searches a region until it is closed, or returns the axis along which it is to be halved.
    fn search(&mut self, region: &mut Region) -> Result<Option<usize>, Exhausted> {
        loop {
            let Some(mut bounded) = self.bounded(region) else { return Ok(None) };
            if self.tighten(region, &mut bounded)? {
                return Ok(None);
            }
            self.descend(&region.triangles, bounded.of.radius);
            self.programs += OF_A_REDUCTION;
            let Some(volume) = self.reduce(region, &bounded) else { return Ok(None) };
            if volume > SHRUNK {
                return Ok(Some(self.bounds.longest(region)));
            }
        }
    }

    /// Bounds a region by its triangles and by the body near its centre and near the best point; `None` if its centre shows that it
    /// is of no use.
    fn bounded(&self, region: &mut Region) -> Option<Bounded> {
        let bounds = &self.bounds;
        let of = bounds.box_of(region);
        if bounds.body.sample(&of.center).value > self.rate * of.radius {
            return None;
        }
        let closest = bounds.closest(&of.center, &region.triangles)?;
        let signed = bounds.nearby.signed_distance(&bounds.solid, &of.center, closest);
        if signed - of.radius > self.threshold() {
            return None;
        }
        remember(closest, &mut region.triangles);
        let mut bounded = Bounded { of, near: None, values: Values::new(), limits: Limits::new() };
        for &triangle in &region.triangles {
            bounds.add_values(triangle, &of, &mut bounded.near, &mut bounded.values);
        }
        bounds.add_limits(region, &mut bounded.limits);
        bounds.add_tangents(&of.center, &of, &mut bounded.limits);
        if let Some((best, _)) = &self.best {
            bounds.add_tangents(best, &of, &mut bounded.limits);
        }
        Some(bounded)
    }

    /// Adds bounds where the least value is, as long as they raise it; returns whether the region is closed.
    fn tighten(&mut self, region: &mut Region, bounded: &mut Bounded) -> Result<bool, Exhausted> {
        let Bounded { of, near, values, limits } = bounded;
        let mut last = f64::NEG_INFINITY;
        for _ in 0..MOST_ROUNDS {
            self.programs += 1;
            if self.programs > MOST_PROGRAMS || values.is_empty() {
                return Err(Exhausted);
            }
            let LeastInBox::Least { lower, place } = (BoxProgram { values, limits }).least() else {
                return Ok(true);
            };
            let lower = lower * self.bounds.unit;
            if lower > self.threshold() {
                return Ok(true);
            }
            let point = self.bounds.point(region, &place);
            let tried = self.try_point(&point);
            if self.best.is_some_and(|(_, best)| best.value - lower <= self.gap) {
                self.lower = self.lower.min(lower);
                return Ok(true);
            }
            let closest = self.bounds.closest(&point, &region.triangles);
            let missing =
                closest.filter(|closest| !region.triangles.contains(closest) && !region.triangles.is_full());
            if let Some(triangle) = missing {
                region.triangles.push(triangle);
                self.bounds.add_values(triangle, of, near, values);
            }
            let is_outside = tried != Some(point);
            if is_outside {
                for place in [Some(point), tried].into_iter().flatten() {
                    self.bounds.add_tangents(&place, of, limits);
                }
            }
            let is_raised = lower - last >= LEAST_GAIN * (self.threshold() - lower);
            if missing.is_none() && !is_outside || !is_raised {
                break;
            }
            last = lower;
        }
        Ok(false)
    }

    /// Reduces a region to the part of use, and returns the share of its volume that this is; `None` if nothing is left.
    fn reduce(&self, region: &mut Region, bounded: &Bounded) -> Option<f64> {
        let threshold = self.threshold() / self.bounds.unit;
        let mut all = ArrayVec::<Linear, MOST>::new();
        all.extend(bounded.values.iter().map(|[low, x, y, z]| [low - threshold, *x, *y, *z]));
        all.extend(bounded.limits.iter().copied());
        let (low, high) = reduced(&all)?;
        let mut volume = 1.0;
        for k in 0..3 {
            volume *= high[k] - low[k];
            region.low[k] += region.size[k] * low[k];
            region.size[k] *= high[k] - low[k];
        }
        Some(volume)
    }

    /// Improves the best point by linear programs in boxes around it, which shrink where their linear functions are too far off.
    fn descend(&mut self, triangles: &Triangles, size: f64) {
        let is_new = |(_, best): &(Point, Sample)| best.value <= 0.0 && best.value < self.descended;
        if self.descents == MOST_DESCENTS || !self.best.as_ref().is_some_and(is_new) {
            return;
        }
        self.descents += 1;
        let (mut triangles, mut step) = (triangles.clone(), FIRST_STEP * size);
        for _ in 0..MOST_STEPS {
            let Some((place, before)) = self.best.filter(|_| step > LAST_STEP * self.bounds.unit) else {
                break;
            };
            let half = [0, 1, 2].map(|axis: usize| Vector::ith(axis, step));
            let (mut values, mut limits) = (Values::new(), Limits::new());
            self.add_closest(&place, &mut triangles);
            for &triangle in &triangles {
                self.bounds.add_slope(triangle, &place, &half, &mut values);
            }
            if values.is_empty() {
                break;
            }
            self.bounds.add_slope_of_body(&place, &half, &mut limits);
            self.bounds.add_tangents(&place, &RegionBox { center: place, half, radius: step }, &mut limits);
            let program = BoxProgram { values: &values, limits: &limits };
            let LeastInBox::Least { place: shares, .. } = program.least() else { break };
            let target = place + Vector::from(shares.map(|share| (2.0 * share - 1.0) * step));
            self.add_closest(&target, &mut triangles);
            self.try_point(&target);
            if self.best.is_none_or(|(_, best)| best.value >= before.value - self.gap) {
                step *= SHORTER;
            }
        }
        self.descended = self.best.map_or(f64::INFINITY, |(_, best)| best.value - self.gap);
    }

    /// Adds the triangle that is closest to a point.
    fn add_closest(&self, point: &Point, triangles: &mut Triangles) {
        if let Some(closest) = self.bounds.closest(point, triangles) {
            remember(closest, triangles);
        }
    }
}

/// Adds a triangle, if it is new; in place of the oldest if the list is full.
fn remember(triangle: usize, triangles: &mut Triangles) {
    if !triangles.contains(&triangle) {
        if triangles.is_full() {
            triangles.remove(0);
        }
        triangles.push(triangle);
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_bodies::{KINDS, MESHES, Random, meshes};
    use super::*;
    use crate::implicit::search::tolerance::Tolerance;
    use crate::implicit::{ImplicitBody, Search};
    use crate::{Geometry, Needs, Pose, SurfaceMesh};

    /// Bodies of all kinds in boxes about and across meshes, by division and by samples.
    #[test]
    fn the_deepest_point_is_that_of_the_division() {
        let meshes = meshes(1.0);
        let (mut random, mut reduction) = (Random(11), Reduction::default());
        let (mut found_some, mut nothing, mut open) = (0, 0, 0);
        for case in 0..500 {
            let solid = MeshSolid::of_surface(&meshes[case % MESHES]).unwrap();
            let body = random.body(case / MESHES % KINDS, 1.0);
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let cutoff = [0.0, -0.1][case / (MESHES * KINDS) % 2];
            let gap = 1e-10 * root.reach();
            let wanted = Wanted { cutoff, gap, seed: None, trilinear: None };
            let Some(found) = reduction.deepest(&solid, body.as_ref(), &root, &wanted) else {
                open += 1;
                continue;
            };
            let slow = Search::with_tolerance(1e-12).below_within(&solid, body.as_ref(), &root, cutoff);
            let (Some(found), Some(slow)) = (found, slow) else {
                let other = found.or(slow);
                assert!(
                    other.is_none_or(|other| (other.sample.value - cutoff).abs() < 1e-9),
                    "{case}: {other:?}"
                );
                nothing += 1;
                continue;
            };
            found_some += 1;
            assert!(found.converged && found.sample.value - found.lower < 1.01 * gap, "{case}: {found:?}");
            assert!((found.sample.value - slow.sample.value).abs() < 2.0 * gap, "{case}: {found:?} {slow:?}");
            assert!((solid.sample(&found.point).value - found.sample.value).abs() < 1e-12, "{case}");
            assert!(body.sample(&found.point).value <= Tolerance::outside(gap, 1e-15), "{case}: {found:?}");
            for _ in 0..300 {
                let share = random.vector();
                let point = root.center + (0..3).map(|k| root.half[k] * share[k]).sum::<Vector>();
                let is_shared = body.sample(&point).value <= 0.0;
                assert!(!is_shared || solid.sample(&point).value >= found.lower, "{case}: {point}");
            }
        }
        assert!(found_some > 200 && nothing > 40 && open < 10, "{found_some} {nothing} {open}");
    }

    /// A million sizes from the origin, the gap is as wide as rounding makes it.
    #[test]
    fn far_from_the_origin_the_answer_is_the_same() {
        let (mut count, mut random) = (0, Random(13));
        let far = Vector::new(3e6, -1e6, 2e6);
        let near = &meshes(1.0)[1];
        let corners = near.points().positions().iter().map(|corner| corner + far).collect();
        let mut moved = SurfaceMesh::new(corners, near.triangles().to_vec()).unwrap();
        moved.prepare(Needs::TREE | Needs::NORMALS);
        for case in 0..60 {
            let body = random.body(case % KINDS, 1.0);
            let pose = Pose::from(far);
            let other = ImplicitBody::new(pose, body.clone()).unwrap();
            let deepest = |mesh: &SurfaceMesh, body: &dyn ImplicitFunction| {
                let root = OrientedBounds::from(body.sublevel_bounds(0.0));
                let solid = MeshSolid::of_surface(mesh).unwrap();
                Search::with_tolerance(1e-12).deepest_in_mesh(&solid, body, &root, 0.0, None)
            };
            let (Some(here), Some(there)) = (deepest(near, body.as_ref()), deepest(&moved, &other)) else {
                continue;
            };
            count += 1;
            assert!(there.converged && there.sample.value - there.lower < 1e-6, "{case}: {there:?}");
            assert!((here.sample.value - there.sample.value).abs() < 1e-7, "{case}: {here:?} {there:?}");
        }
        assert!(count > 30, "{count}");
    }

    /// Nothing but the exponents of the numbers changes with the size.
    #[test]
    fn a_scaled_problem_has_the_scaled_answer() {
        let mut count = 0;
        for case in 0..60 {
            let solve = |scale: f64| {
                let meshes = meshes(scale);
                let solid = MeshSolid::of_surface(&meshes[case % MESHES]).unwrap();
                let body = Random(case as u64).body(case / MESHES % KINDS, scale);
                let root = OrientedBounds::from(body.sublevel_bounds(0.0));
                let gap = 1e-10 * root.reach();
                let wanted = Wanted { cutoff: 0.0, gap, seed: None, trilinear: None };
                Reduction::default().deepest(&solid, body.as_ref(), &root, &wanted)
            };
            let (Some(Some(one)), scale) = (solve(1.0), 2.0_f64.powi(-27)) else { continue };
            count += 1;
            let other = solve(scale).unwrap().unwrap();
            assert_eq!(one.point * scale, other.point, "{case}");
            assert_eq!(
                (one.sample.value * scale, one.lower * scale),
                (other.sample.value, other.lower),
                "{case}"
            );
        }
        assert!(count > 25, "{count}");
    }
}
