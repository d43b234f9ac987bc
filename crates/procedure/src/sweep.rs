//! The surface that the edge of a blade sweeps between two times.
//!
//! Its triangles count as fixed and the mesh as moved by (-ε, -ε², -ε³), which is the same as the sweep moved by the opposite:
//! an edge of the mesh passes through a triangle of the sweep or not at all, a face of the mesh through an edge of the sweep
//! likewise, all by one shift ([`sides`](crate::sides)).

use crate::ProcedureError;
use crate::search::{crossed_at, line_weights};
use crate::sides::segment_through;
use palpate_math::{Aabb, Point};

/// A triangle of a sweep, with the time at each corner: 0 before, 1 now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptTriangle {
    pub(crate) corners: [Point; 3],
    pub(crate) times: [f64; 3],
    pub(crate) bounds: Aabb,
}

/// The surface that the edge of a blade, a row of points, sweeps between two times: two triangles for each of its segments.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    triangles: Vec<SweptTriangle>,
    /// The edges of the triangles, each once, with the times of their ends.
    edges: Vec<([Point; 2], [f64; 2])>,
}

/// Where a sweep passes through an edge of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeCut {
    /// The vertices of the edge, the lower first.
    pub edge: [u32; 2],
    /// The weight of the second vertex, 0 to 1.
    pub weight: f64,
    /// When the blade is there, 0 to 1.
    pub time: f64,
}

impl Sweep {
    /// Makes the sweep of a blade's edge from the points `before` to the points `now`, world frame, metres; both relative to the
    /// tissue as it is now. Errors: fewer than two points, rows of different length, a coordinate that is not finite.
    pub fn new(before: &[Point], now: &[Point]) -> Result<Self, ProcedureError> {
        let mut sweep = Self::default();
        sweep.set(before, now)?;
        Ok(sweep)
    }

    /// Replaces all points, keeping the memory. Errors as [`new`](Self::new); then nothing is changed.
    pub fn set(&mut self, before: &[Point], now: &[Point]) -> Result<(), ProcedureError> {
        if before.len() != now.len() {
            return Err(ProcedureError::RowsDiffer { before: before.len(), now: now.len() });
        }
        if now.len() < 2 {
            return Err(ProcedureError::TooFewBladePoints { points: now.len() });
        }
        let is_bad = |point: &Point| !point.coords.iter().all(|x| x.is_finite());
        if let Some(point) = (0..now.len()).find(|&at| is_bad(&before[at]) || is_bad(&now[at])) {
            return Err(ProcedureError::BladeNotFinite { point });
        }
        self.triangles.clear();
        self.edges.clear();
        let triangle =
            |corners: [Point; 3], times| SweptTriangle { corners, times, bounds: Aabb::from_points(corners) };
        for (was, is) in before.windows(2).zip(now.windows(2)) {
            let ([a, b], [c, d]) = ([was[0], was[1]], [is[0], is[1]]);
            self.triangles.push(triangle([a, b, c], [0.0, 0.0, 1.0]));
            self.triangles.push(triangle([b, d, c], [0.0, 1.0, 1.0]));
            self.edges.extend([([a, b], [0.0; 2]), ([c, d], [1.0; 2]), ([b, c], [0.0, 1.0])]);
        }
        self.edges.extend(before.iter().zip(now).map(|(was, is)| ([*was, *is], [0.0, 1.0])));
        Ok(())
    }

    /// Returns the triangles, each with its corners: world frame, metres.
    pub fn triangles(&self) -> impl Iterator<Item = [Point; 3]> + '_ {
        self.triangles.iter().map(|triangle| triangle.corners)
    }

    pub(crate) fn swept(&self) -> &[SweptTriangle] {
        &self.triangles
    }

    /// Returns where the sweep passes through a segment, the earliest place: the weight of its second end, and the time.
    pub fn through_edge(&self, ends: [&Point; 2]) -> Option<(f64, f64)> {
        self.places(ends).min_by(|x, y| x.1.total_cmp(&y.1))
    }

    /// As [`through_edge`](Self::through_edge), where the sweep parts the ends of the segment: it passes through it an odd number of
    /// times.
    pub(crate) fn parts(&self, ends: [&Point; 2]) -> Option<(f64, f64)> {
        let (mut count, mut first) = (0, None::<(f64, f64)>);
        for place in self.places(ends) {
            count += 1;
            first = first.filter(|first| first.1 <= place.1).or(Some(place));
        }
        first.filter(|_| count % 2 == 1)
    }

    /// All places where the sweep passes through a segment: the weight of its second end, and the time.
    fn places(&self, ends: [&Point; 2]) -> impl Iterator<Item = (f64, f64)> {
        let bounds = Aabb::from_points(ends.map(|end| *end));
        let near = self.triangles.iter().filter(move |triangle| triangle.bounds.overlaps(&bounds));
        let passed = near.filter(move |triangle| is_passed(ends, triangle.corners.each_ref()));
        passed.map(move |triangle| {
            let corners = triangle.corners.each_ref();
            let weights = line_weights(ends, corners);
            let time: f64 = weights.iter().zip(&triangle.times).map(|(weight, time)| weight * time).sum();
            (crossed_at(ends, corners), time.clamp(0.0, 1.0))
        })
    }

    /// Visits when an edge of the sweep passes through a triangle of a mesh.
    fn through_face(&self, corners: [&Point; 3], mut visit: impl FnMut(f64)) {
        let bounds = Aabb::from_points(corners.map(|corner| *corner));
        for (ends, times) in &self.edges {
            if Aabb::from_points(ends).overlaps(&bounds) && segment_through(ends.each_ref(), corners) != 0 {
                let at = crossed_at(ends.each_ref(), corners);
                visit(times[0] + at * (times[1] - times[0]));
            }
        }
    }

    /// Returns the times at which the blade's edge first and last is in a cell of `N` corners; `None` if never. What it has of a
    /// cell is bounded by the places where the sweep passes through edges, and where its own edges pass through faces; `holds`
    /// says whether the cell holds a point.
    pub(crate) fn stay<const N: usize>(
        &self,
        corners: &[Point; N],
        holds: impl Fn(&Point) -> bool,
    ) -> Option<[f64; 2]> {
        let mut times = [f64::INFINITY, f64::NEG_INFINITY];
        let mut add = |time: f64| times = [times[0].min(time), times[1].max(time)];
        for first in 0..N {
            for second in first + 1..N {
                let edge = [&corners[first], &corners[second]];
                self.places(edge).for_each(|(_, time)| add(time));
                for third in &corners[second + 1..] {
                    self.through_face([edge[0], edge[1], third], &mut add);
                }
            }
        }
        for (ends, at) in &self.edges {
            for (end, time) in ends.iter().zip(at) {
                if holds(end) {
                    add(*time);
                }
            }
        }
        (times[0] <= times[1]).then_some(times)
    }
}

/// Whether a segment of the mesh passes through a triangle of the sweep. Both are mirrored in the origin, where the shift of
/// [`segment_through`] is that of the mesh.
fn is_passed(ends: [&Point; 2], corners: [&Point; 3]) -> bool {
    let ends = ends.map(|point| -point);
    let corners = corners.map(|point| -point);
    segment_through(ends.each_ref(), corners.each_ref()) != 0
}
