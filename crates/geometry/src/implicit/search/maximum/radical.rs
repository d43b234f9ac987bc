//! The radical planes of balls and holes.
//!
//! Where a ball of radius `R` about `c` and the outside of a ball of radius `r` about `d` meet, the difference of the squared
//! distances from `c` and `d` is at most `R² - r²`. That is a half-space. At a level `v` the radii are `R + v` and `r - v`, and
//! the plane moves with the level, at the rate `(R + r) / |c - d|`. Two spheres that nearly touch from inside are hardly told
//! apart by tangents, but at once by this plane. The same holds for rods along parallel axes, across these.

use super::clipped::Side;
use super::problem::{Limit, Problem};
use palpate_math::nearest::segment_segment;
use palpate_math::{Point, Vector, direction};

/// Centres or axes that are closer together than this, relative to the radii, have no plane: it would move too fast.
const NEAR: f64 = 1e-6;

/// The greatest angle between parallel axes.
const PARALLEL: f64 = 4e-15;

impl Problem<'_> {
    /// Finds the radical planes of all balls and rods with all such holes, for levels that are not above a cutoff, and where the
    /// lenses and shells of two of them are thickest.
    pub(super) fn find_planes(&mut self, cutoff: f64) {
        for (number, limit) in self.limits.iter().enumerate() {
            for other in &self.limits[..number] {
                if let Some(middle) = middle_of_lens(limit, other)
                    && !self.thickest.is_full()
                {
                    self.thickest.push(middle);
                }
            }
        }
        for hole in self.holes.iter().filter(|hole| hole.rate > 0.0) {
            for limit in self.limits.iter().filter(|limit| limit.rate > 0.0) {
                if let Some((side, thickest)) = self.radical_plane(limit, hole, cutoff)
                    && !self.planes.is_full()
                {
                    self.planes.push(side);
                    if !self.thickest.is_full() {
                        self.thickest.push(thickest);
                    }
                }
            }
        }
    }

    /// Returns a radical plane that a point is above, at a level.
    pub(super) fn plane_below(&self, point: &Point, level: f64) -> Option<Side> {
        let is_above = |side: &&Side| side.height(point, level) > 2.0 * self.slack * (1.0 + side.rate);
        self.planes.iter().find(is_above).copied()
    }

    /// Returns the plane, and the middle of where the shell of the two is thickest: of rods, the place beside the solid's centre.
    fn radical_plane(&self, limit: &Limit<'_>, hole: &Limit<'_>, cutoff: f64) -> Option<(Side, Point)> {
        let (outer, inner) = (limit.rounded_segment()?, hole.rounded_segment()?);
        let (center, other) = across(&outer, &inner, cutoff)?;
        let ([from, to], inner) = inner;
        let outer = outer.1;
        // Below the level the hole has a radius.
        if inner <= cutoff {
            return None;
        }
        let apart = other - center;
        let distance = apart.norm();
        if distance <= NEAR * (outer + inner) {
            return None;
        }
        let (normal, rate) = (apart / distance, (outer + inner) / distance);
        let middle = normal.dot(&nalgebra::center(&center, &other).coords);
        let offset = middle + 0.5 * (outer - inner) * rate + self.slack * (1.0 + rate);
        let axis = direction::unit_or(&(to - from), &Vector::zeros());
        let along = axis * axis.dot(&(self.center - other));
        let thickest = other + along - normal * (0.5 * (inner + outer + distance));
        Some((Side { rate, ..Side::fixed(normal, offset) }, thickest))
    }
}

/// Returns the middle of what two balls or rods share: as deep in one as in the other, between their closest points.
fn middle_of_lens(one: &Limit<'_>, other: &Limit<'_>) -> Option<Point> {
    let ([a, b], own) = one.rounded_segment()?;
    let ([c, d], across) = other.rounded_segment()?;
    let closest = segment_segment(&a, &b, &c, &d);
    let way = closest.point_b - closest.point_a;
    let length = way.norm();
    let share = 0.5 * (length + own - across);
    (share > 0.0 && share < length).then(|| closest.point_a + way * (share / length))
}

/// Returns the centres of two balls, or points of two parallel axes across these. `None` for rods of which the hole's axis does not
/// pass all of the other, or whose axes are not parallel.
fn across(outer: &([Point; 2], f64), inner: &([Point; 2], f64), cutoff: f64) -> Option<(Point, Point)> {
    let ([a, b], [c, d]) = (outer.0, inner.0);
    if a == b && c == d {
        return Some((a, c));
    }
    let axis = (d - c).try_normalize(0.0)?;
    let own = (b - a).try_normalize(0.0);
    if own.is_some_and(|own| own.cross(&axis).norm() > PARALLEL) {
        return None;
    }
    let along = |point: &Point| axis.dot(&(point - c));
    let reach = outer.1 + cutoff.max(0.0);
    let [low, high] = [along(&a).min(along(&b)) - reach, along(&a).max(along(&b)) + reach];
    let offset: Vector = direction::across(&(a - c), &axis);
    (low >= 0.0 && high <= along(&d)).then_some((c + offset, c))
}
