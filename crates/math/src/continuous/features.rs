//! Closest points of the features of a query, at a time.

use crate::nearest::{point_segment, point_triangle, segment_segment};
use crate::{Point, Vector};

/// Which features a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Features {
    VertexVertex,
    VertexEdge,
    VertexTriangle,
    EdgeEdge,
}

impl Features {
    /// The number of vertices of the first feature; the others are of the second.
    #[inline]
    pub(super) fn of_first(self) -> usize {
        if self == Self::EdgeEdge { 2 } else { 1 }
    }

    /// Returns the weights of the vertices at the closest points.
    pub(super) fn closest_weights(self, p: &[Point]) -> [f64; 4] {
        match (self, p) {
            (Self::VertexEdge, [v, a, b]) => {
                let t = point_segment(v, a, b).t;
                [1.0, 1.0 - t, t, 0.0]
            }
            (Self::VertexTriangle, [v, a, b, c]) => {
                let [a, b, c] = point_triangle(v, a, b, c).weights;
                [1.0, a, b, c]
            }
            (Self::EdgeEdge, [a0, a1, b0, b1]) => {
                let found = segment_segment(a0, a1, b0, b1);
                [1.0 - found.s, found.s, 1.0 - found.t, found.t]
            }
            _ => [1.0, 1.0, 0.0, 0.0],
        }
    }

    /// Returns the vector from the closest point of the first feature to that of the second, and one that is closer to
    /// perpendicular to the features where rounding error dominates the first.
    pub(super) fn apart(self, p: &[Point], weights: &[f64; 4]) -> [Vector; 2] {
        let mut between = Vector::zeros();
        for (place, point) in p.iter().enumerate() {
            let sign = if place < self.of_first() { -1.0 } else { 1.0 };
            between += point.coords * (sign * weights[place]);
        }
        let along = match (self, p) {
            (Self::VertexEdge, [_, a, b]) => Some(*b - a),
            (Self::VertexTriangle, [_, a, b, c]) => {
                match [weights[1], weights[2], weights[3]].map(|w| w > 0.0) {
                    [true, true, true] => return [between, towards((b - a).cross(&(c - a)), &between)],
                    [true, true, false] => Some(b - a),
                    [true, false, true] => Some(c - a),
                    [false, true, true] => Some(c - b),
                    _ => None,
                }
            }
            (Self::EdgeEdge, [a0, a1, b0, b1]) => match [weights[0] * weights[1], weights[2] * weights[3]] {
                [a, b] if a > 0.0 && b > 0.0 => {
                    return [between, towards((a1 - a0).cross(&(b1 - b0)), &between)];
                }
                [a, _] if a > 0.0 => Some(a1 - a0),
                [_, b] if b > 0.0 => Some(b1 - b0),
                _ => None,
            },
            _ => None,
        };
        let across = along.map_or(between, |along| {
            let squared = along.norm_squared();
            if squared > 0.0 { between - along * (between.dot(&along) / squared) } else { between }
        });
        [between, across]
    }
}

fn towards(normal: Vector, direction: &Vector) -> Vector {
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}
