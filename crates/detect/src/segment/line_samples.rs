//! Points of a segment with their signed distances from a surface.

use crate::mesh::vertex_surface::{first_within, squared_distance_to};
use crate::room;
use palpate_geometry::{SignedDistance, SurfaceMesh, SurfaceNearest};
use palpate_math::Point;

/// The gap between bound and best sample at which the search stops, relative to the length and the depth.
const RELATIVE_GAP: f64 = 1e-12;

/// Elements farther than the nearest by up to this many gaps count as equally near: the best sample may be one gap
/// short of the deepest point, on the slope of either element.
const GAPS_OF_A_TIE: f64 = 8.0;

/// A point of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) t: f64,
    pub(super) point: Point,
    pub(super) signed: SignedDistance,
    pub(super) nearest: SurfaceNearest,
    /// A triangle of the nearest element.
    pub(super) triangle: u32,
    /// Known where they were found in the same search.
    ties: Option<Ties>,
}

impl Sample {
    /// Returns the sample with another parameter, of a segment that has the same point there.
    pub(super) fn at(self, t: f64) -> Self {
        Self { t, ..self }
    }
}

/// The first triangle, by rank, of those within any distance from `least` up to, but not including, `most`.
#[derive(Clone, Copy, Debug)]
struct Ties {
    first: u32,
    least: f64,
    most: f64,
}

/// A segment against a surface.
pub(super) struct Line<'a> {
    pub(super) surface: &'a SurfaceMesh,
    pub(super) start: &'a Point,
    pub(super) end: &'a Point,
    pub(super) length: f64,
    /// Treats every point as inside whatever the normals say: those of a boundary with degenerate cells may be wrong.
    pub(super) known_inside: bool,
}

impl Line<'_> {
    pub(super) fn sample(&self, t: f64) -> Option<Sample> {
        self.sample_within(t, f64::INFINITY)
    }

    /// Samples between two others: their triangles bound the search.
    pub(super) fn sample_between(&self, start: &Sample, end: &Sample, t: f64) -> Option<Sample> {
        let point = self.point(t);
        let [first, second] = [start, end].map(|sample| self.distance_squared(sample.triangle, &point));
        self.sample_within(t, first.min(second))
    }

    pub(super) fn point(&self, t: f64) -> Point {
        if t == 1.0 { *self.end } else { self.start + (self.end - self.start) * t }
    }

    pub(super) fn sample_within(&self, t: f64, bound_squared: f64) -> Option<Sample> {
        let point = self.point(t);
        let (signed, nearest) = self.surface.signed_distance(&point, bound_squared)?;
        let signed = self.taken_inside(signed);
        let triangle = self.surface.owner(nearest.feature);
        Some(Sample { t, point, signed, nearest, triangle, ties: None })
    }

    /// Samples, and finds the triangles that are equally near in the same search; `near` is a triangle that may be
    /// close, and `asked` scratch memory.
    pub(super) fn sample_with_ties(
        &self,
        t: f64,
        near: Option<u32>,
        asked: &mut Vec<(u32, f64)>,
    ) -> Option<Sample> {
        self.surface.normals()?;
        let point = self.point(t);
        // Distances are increased by twice what `settled` needs: everything up to there is asked for.
        let raised = |distance: f64| distance + 2.0 * GAPS_OF_A_TIE * self.gap(distance);
        let square = |distance: f64| distance * distance * (1.0 + 8.0 * f64::EPSILON);
        let bound = near.map_or(f64::INFINITY, |triangle| square(raised(self.distance(triangle, &point))));
        asked.clear();
        self.surface.tree()?.nearest(&point, bound, |triangle| {
            let distance = self.distance(triangle, &point);
            room::push(asked, (triangle, distance));
            square(raised(distance))
        })?;
        let adjacency = self.surface.adjacency();
        let nearer = |&(p, to_p): &(u32, f64), &(q, to_q): &(u32, f64)| {
            to_p.total_cmp(&to_q).then_with(|| adjacency.rank(p).cmp(&adjacency.rank(q)))
        };
        let (triangle, _) = asked.iter().copied().min_by(nearer)?;
        let sample = self.sample_on(t, triangle);
        let sample = Sample { triangle: self.surface.owner(sample.nearest.feature), ..sample };
        let distance = sample.signed.distance.abs();
        let reach = self.reach_of_ties(distance);
        let mut ties = Ties { first: sample.triangle, least: 0.0, most: raised(distance) };
        for &(triangle, distance) in asked.iter() {
            if distance > reach {
                ties.most = ties.most.min(distance);
            } else {
                ties.least = ties.least.max(distance);
                if adjacency.rank(triangle) < adjacency.rank(ties.first) {
                    ties.first = triangle;
                }
            }
        }
        Some(Sample { ties: Some(ties), ..sample })
    }

    /// Returns the distance within which a triangle is as near as one at `distance`.
    fn reach_of_ties(&self, distance: f64) -> f64 {
        distance.abs() + GAPS_OF_A_TIE * self.gap(distance)
    }

    /// Returns the gap at which the search for a depth stops.
    pub(super) fn gap(&self, depth: f64) -> f64 {
        RELATIVE_GAP * (self.length + depth.abs())
    }

    /// Samples where the nearest triangle is known.
    pub(super) fn sample_on(&self, t: f64, triangle: u32) -> Sample {
        let point = self.point(t);
        let nearest = self.surface.nearest_on(triangle, &point);
        let signed = self.taken_inside(self.surface.signed_at(&point, &nearest));
        Sample { t, point, signed, nearest, triangle, ties: None }
    }

    fn taken_inside(&self, signed: SignedDistance) -> SignedDistance {
        if self.known_inside && signed.distance > 0.0 {
            SignedDistance { distance: -signed.distance, gradient: -signed.gradient, ..signed }
        } else {
            signed
        }
    }

    /// Returns the sample with the first triangle, by rank, of those as near as the nearest.
    pub(super) fn settled(&self, sample: Sample) -> Sample {
        let reach = self.reach_of_ties(sample.signed.distance);
        let known = sample.ties.filter(|ties| ties.least <= reach && reach < ties.most);
        let first = known.map_or_else(
            || first_within(self.surface, &sample.point, reach, sample.triangle),
            |ties| ties.first,
        );
        let settled = self.sample_on(sample.t, first);
        // Within rounding error of the surface, an element other than the nearest may give the wrong side.
        if (settled.signed.distance < 0.0) != (sample.signed.distance < 0.0) { sample } else { settled }
    }

    pub(super) fn distance(&self, triangle: u32, point: &Point) -> f64 {
        self.distance_squared(triangle, point).sqrt()
    }

    pub(super) fn distance_squared(&self, triangle: u32, point: &Point) -> f64 {
        squared_distance_to(self.surface, Some(triangle), point)
    }
}
