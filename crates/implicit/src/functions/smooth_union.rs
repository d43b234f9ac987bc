//! Smooth union of bodies.

use super::composite::{coarsest, content, fastest, lowest_of_parts, some};
use crate::base::validate::positive;
use crate::base::{Cell, CellValues, EdgeSplit, Exactness, GeometryError, Sample};
use crate::bounds::{Several, VALUES, mixed_with};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::nearest::segment_segment;
use palpate_math::{Aabb, Point};
use std::sync::Arc;

/// The union of bodies with a fillet where their values differ by less than a radius: the minimum, minus
/// `(radius - difference)² / (4 radius)` (the quadratic smooth minimum; Quilez 2013, "Smooth minimum"). More than two
/// bodies are joined in sequence, so that the result depends slightly on their order.
///
/// The value is a bound, and not the exact distance anywhere; its Lipschitz constant is that of the parts.
#[derive(Clone)]
pub struct SmoothUnion {
    parts: Vec<Arc<dyn ImplicitFunction>>,
    radius: f64,
    floor: f64,
}

impl SmoothUnion {
    /// Creates the smooth union of one or more bodies, `radius` in metres. Errors: no bodies; a radius that is not
    /// finite and greater than 0.
    pub fn new(parts: Vec<Arc<dyn ImplicitFunction>>, radius: f64) -> Result<Self, GeometryError> {
        let radius = positive("the radius of a smooth union", radius)?;
        let mut union = Self { parts: some(parts, "a smooth union")?, radius, floor: f64::NEG_INFINITY };
        union.floor = union.lowest();
        Ok(union)
    }

    /// Computes a lower bound of all values: no value is below the blend of those of the parts. Two rods have these a distance apart.
    fn lowest(&self) -> f64 {
        if let [a, b] = &self.parts[..]
            && let (Some(([a, b], first)), Some(([c, d], second))) =
                (a.rounded_segment(), b.rounded_segment())
        {
            let apart = segment_segment(&a, &b, &c, &d).distance_squared.sqrt();
            return self.blend(-first, apart - second).0.min(self.blend(apart - first, -second).0);
        }
        let floors = self.parts.iter().map(|part| part.floor());
        floors.reduce(|a, b| self.blend(a, b).0).unwrap_or(f64::NEG_INFINITY)
    }

    /// Computes the smooth minimum, which is concave and increasing in both, and the weight of the second's gradient.
    fn blend(&self, a: f64, b: f64) -> (f64, f64) {
        let h = (self.radius - (a - b).abs()).max(0.0) / self.radius;
        let fill = 0.25 * self.radius * h * h;
        let weight_of_higher = 0.5 * h;
        if b < a { (b - fill, 1.0 - weight_of_higher) } else { (a - fill, weight_of_higher) }
    }

    /// Blends linear lower bounds of two parts to one of their blend. The blend is increasing and concave, so it is nowhere below the
    /// linear function through its values at the corners.
    fn blended(&self, a: &CellValues, b: &CellValues) -> CellValues {
        std::array::from_fn(|k| self.blend(a[k], b[k]).0)
    }
}

impl ImplicitFunction for SmoothUnion {
    fn sample(&self, point: &Point) -> Sample {
        let mut sum = self.parts[0].sample(point);
        for part in &self.parts[1..] {
            let sample = part.sample(point);
            let (value, weight) = self.blend(sum.value, sample.value);
            let gradient = sum.gradient * (1.0 - weight) + sample.gradient * weight;
            let feature = if sample.value < sum.value { sample.feature } else { sum.feature };
            sum = Sample { value, gradient, feature };
        }
        sum
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        // Every fillet lowers the minimum by at most a quarter of the radius.
        let level = level + 0.25 * self.radius * (self.parts.len() - 1) as f64;
        self.parts.iter().fold(Aabb::EMPTY, |all, part| all.merged(&part.sublevel_bounds(level)))
    }

    fn lipschitz(&self) -> Option<f64> {
        fastest(&self.parts)
    }

    fn resolution(&self) -> f64 {
        coarsest(&self.parts)
    }

    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let bounds = self.parts.iter().map(|part| part.bound_below(cell));
        bounds.reduce(|a, b| self.blended(&a, &b)).unwrap_or(cell.constant(f64::INFINITY))
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::SmoothUnion { own: self, of: &self.parts, radius: self.radius })
    }

    fn content(&self) -> Vec<f64> {
        let mut content = content(4.0, &self.parts);
        content.push(self.radius);
        content
    }
}

impl Structure for SmoothUnion {
    /// The blend of the best bounds of the parts, then of each with each: where the distance from a part has a crease, it has several.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        let corners = cell.corners.len();
        let mut best: Option<CellValues> = None;
        let (mut all, mut of_part) = (Several::<VALUES>::default(), Several::<VALUES>::default());
        for part in &self.parts {
            of_part.clear();
            let mut best_of_part: Option<CellValues> = None;
            part.bounds_below(cell, &mut |bound| {
                of_part.take(bound, corners);
                best_of_part = Some(mixed_with(best_of_part, bound, corners));
                false
            });
            let Some(best_of_part) = best_of_part else { return };
            let Some(before) = best else {
                best = Some(best_of_part);
                std::mem::swap(&mut all, &mut of_part);
                continue;
            };
            let is_beyond = |a: &CellValues| (0..corners).all(|k| best_of_part[k] >= a[k] + self.radius);
            if is_beyond(&before) && all.get().iter().all(is_beyond) {
                continue;
            }
            best = Some(self.blended(&before, &best_of_part));
            let before = all;
            all.clear();
            for (a, b) in before.get().iter().flat_map(|a| of_part.get().iter().map(move |b| (a, b))) {
                all.take(self.blended(a, b), corners);
            }
        }
        let Some(best) = best else { return };
        if visit(best) || all.get().len() == 1 {
            return;
        }
        for bound in all.get() {
            if visit(*bound) {
                return;
            }
        }
    }

    fn value(&self, point: &Point) -> f64 {
        let first = self.parts[0].value(point);
        self.parts[1..].iter().fold(first, |sum, part| self.blend(sum, part.value(point)).0)
    }

    fn bound_about(&self, cell: &Cell<'_>, place: &Point) -> Option<CellValues> {
        let mut bounds = self.parts.iter().map(|part| part.bound_about(cell, place));
        let first = bounds.next()??;
        bounds.try_fold(first, |sum, bound| bound.map(|bound| self.blended(&sum, &bound)))
    }

    fn floor(&self) -> f64 {
        self.floor
    }

    fn lowest_near(&self, point: &Point) -> Option<Point> {
        lowest_of_parts(self, &self.parts, point)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.parts.iter().find_map(|part| part.edge_split(cell))
    }
}
