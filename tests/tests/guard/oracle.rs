//! What has crossed, by exact signs of volumes, solid angles and the Gauss integral, brute force.

use palpate_math::{Aabb, Point, Vector};
use palpate_tests::oracle::crosses;
use std::f64::consts::PI;

/// A body as its segments and triangles: those of a mesh; of a convex solid a mesh inscribed in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skin {
    pub(crate) points: Vec<Point>,
    pub(crate) segments: Vec<[u32; 2]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) is_closed: bool,
    /// Whether the segments are one closed loop, in order.
    pub(crate) is_loop: bool,
}

impl Skin {
    /// Adds the triangles of another.
    pub(crate) fn append(&mut self, other: Self) {
        let first = self.points.len() as u32;
        self.triangles.extend(other.triangles.iter().map(|ids| ids.map(|id| first + id)));
        self.points.extend(other.points);
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        let sides = self.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let mut edges: Vec<[u32; 2]> =
            self.segments.iter().copied().chain(sides).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The points of the segments and triangles; all, if there are neither.
    pub(crate) fn surface_points(&self) -> Vec<Point> {
        match (self.segments.is_empty(), self.triangles.is_empty()) {
            (true, true) => self.points.clone(),
            _ => self.edges().iter().flatten().map(|id| *self.at(*id)).collect(),
        }
    }

    fn at(&self, id: u32) -> &Point {
        &self.points[id as usize]
    }

    /// Whether an edge of one crosses a triangle of the other; of one skin with itself those that share no vertex.
    pub(crate) fn crosses(&self, other: &Self, is_self: bool) -> bool {
        let has_edge_through = |edges: &Self, triangles: &Self| {
            edges.edges().iter().any(|ids| {
                let ends = ids.map(|id| edges.at(id));
                let bounds = Aabb::from_points(ends);
                triangles.triangles.iter().any(|corners| {
                    if is_self && corners.iter().any(|id| ids.contains(id)) {
                        return false;
                    }
                    let corners = corners.map(|id| triangles.at(id));
                    bounds.overlaps(&Aabb::from_points(corners)) && crosses(ends, corners)
                })
            })
        };
        has_edge_through(self, other) || (!is_self && has_edge_through(other, self))
    }

    /// How often a closed skin is around a point: its triangles are seen under 4π times that (A. Van Oosterom, J. Strackee,
    /// "The solid angle of a plane triangle", 1983).
    fn windings(&self, p: &Point) -> i64 {
        let angle = |ids: &[u32; 3]| {
            let [a, b, c] = ids.map(|id| self.at(id) - p);
            let [x, y, z] = [a.norm(), b.norm(), c.norm()];
            let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        (self.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)).round() as i64
    }

    /// How often a closed skin is around the first point of another.
    pub(crate) fn containment(&self, other: &Self) -> Option<i64> {
        self.is_closed.then(|| self.windings(&other.points[0]))
    }

    /// The linking number of two closed loops: the solid angles of pairs of segments (K. Klenin, J. Langowski, "Computation
    /// of writhe in modeling of supercoiled DNA", 2000).
    pub(crate) fn linking(&self, other: &Self) -> Option<i64> {
        if !(self.is_loop && other.is_loop) {
            return None;
        }
        let mut sum = 0.0;
        for first in &self.segments {
            for second in &other.segments {
                sum += gauss(first.map(|id| *self.at(id)), second.map(|id| *other.at(id)));
            }
        }
        Some((sum / (4.0 * PI)).round() as i64)
    }
}

/// The solid angle of the directions from a point of one segment to a point of another, with its sign.
fn gauss([a, b]: [Point; 2], [c, d]: [Point; 2]) -> f64 {
    let corners = [c - a, d - a, d - b, c - b];
    let normal = |k: usize| -> Option<Vector> { corners[k].cross(&corners[(k + 1) % 4]).try_normalize(0.0) };
    let (Some(n0), Some(n1), Some(n2), Some(n3)) = (normal(0), normal(1), normal(2), normal(3)) else {
        return 0.0;
    };
    let angle = |x: Vector, y: Vector| x.dot(&y).clamp(-1.0, 1.0).asin();
    let sum = angle(n0, n1) + angle(n1, n2) + angle(n2, n3) + angle(n3, n0);
    sum * (d - c).cross(&(b - a)).dot(&(c - a)).signum()
}

#[test]
fn links_windings_and_crossings_are_counted() {
    let ring = |turn: fn(f64, f64) -> Point| {
        let points: Vec<Point> =
            (0..12).map(|k| PI * f64::from(k) / 6.0).map(|angle| turn(angle.cos(), angle.sin())).collect();
        let segments = (0..12).map(|k| [k, (k + 1) % 12]).collect();
        Skin { points, segments, is_loop: true, ..Skin::default() }
    };
    let flat = ring(|c, s| Point::new(c, s, 0.0));
    let linked = ring(|c, s| Point::new(1.0 + c, 0.0, s));
    let apart = ring(|c, s| Point::new(3.0 + c, 0.0, s));
    assert_eq!(flat.linking(&linked).map(i64::abs), Some(1));
    assert_eq!(flat.linking(&apart), Some(0));
    let (vertices, triangles) = palpate_tests::meshes::icosphere(1);
    let ball = Skin {
        points: vertices.iter().map(|v| Point::from(v.coords * 0.5 + Vector::new(1.0, 0.03, 0.02))).collect(),
        triangles,
        is_closed: true,
        ..Skin::default()
    };
    assert!(ball.crosses(&flat, false) && flat.crosses(&ball, false) && !ball.crosses(&apart, false));
    assert_eq!(ball.windings(&Point::new(1.1, 0.0, 0.0)).abs(), 1);
    assert_eq!(ball.windings(&Point::new(2.1, 0.0, 0.0)), 0);
}
