//! The distances between two elements as constraints: value, direction and weights.
//!
//! Each function measures between the *lines and planes* through the elements, so that value and gradient are smooth:
//! the gradient of the value with respect to vertex `i` of A is `weights_a[i] * direction`, with respect to vertex `j` of
//! B it is `-weights_b[j] * direction`. This is exact although direction and weights depend on the positions: the value
//! is stationary with respect to both (envelope theorem). `is_inside` says whether both witness points are on the
//! elements themselves.
//!
//! Directions keep to the side of a given one, and values are negative past it: what has passed through is pushed back.
//! `None` if the elements do not define a direction: coincident points, parallel or degenerate edges, flat triangles.
//!
//! Source: M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, "Position based dynamics" (2007), section 4.3 (point and
//! triangle, edge and edge); for the closest points C. Ericson, "Real-Time Collision Detection" (2005), section 5.1.

use palpate_math::triangle::area_vector;
use palpate_math::{Point, Vector};

/// The distance between two elements along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementGap<const A: usize, const B: usize> {
    /// The signed distance in metres along the direction.
    pub value: f64,
    /// The unit direction from the point of B to the point of A, or against it if the value is negative.
    pub direction: Vector,
    /// The weights of A's vertices: they sum to 1.
    pub weights_a: [f64; A],
    /// The weights of B's vertices: they sum to 1.
    pub weights_b: [f64; B],
    /// Whether no weight is negative.
    pub is_inside: bool,
}

impl<const A: usize, const B: usize> ElementGap<A, B> {
    /// The gap between the weighted points of the vertices `a` and `b`, along `between` or against it.
    fn new(
        [a, b]: [[f64; 3]; 2],
        between: Vector,
        weights: ([f64; A], [f64; B]),
        side: &Vector,
    ) -> Option<Self> {
        let length = between.norm();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let unit = between / length;
        let direction = if unit.dot(side) < 0.0 { -unit } else { unit };
        let (weights_a, weights_b) = weights;
        let is_inside = weights_a.iter().chain(&weights_b).all(|&weight| weight >= 0.0);
        let value = (Vector::from(a) - Vector::from(b)).dot(&direction);
        Some(Self { value, direction, weights_a, weights_b, is_inside })
    }

    /// The same with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> ElementGap<B, A> {
        ElementGap {
            value: self.value,
            direction: -self.direction,
            weights_a: self.weights_b,
            weights_b: self.weights_a,
            is_inside: self.is_inside,
        }
    }
}

/// The distance between two points.
pub fn point_point(a: &Point, b: &Point, side: &Vector) -> Option<ElementGap<1, 1>> {
    ElementGap::new([a.coords.into(), b.coords.into()], a - b, ([1.0], [1.0]), side)
}

/// The distance of a point from the line through an edge.
pub fn point_edge(p: &Point, edge: [&Point; 2], side: &Vector) -> Option<ElementGap<1, 2>> {
    let along = edge[1] - edge[0];
    let t = (p - edge[0]).dot(&along) / along.norm_squared();
    if !t.is_finite() {
        return None;
    }
    // Across the line: the difference to the foot, cleared of what rounding leaves along it.
    let between = (p - edge[0]) - along * t;
    let between = between - along * (between.dot(&along) / along.norm_squared());
    let foot = edge[0] + along * t;
    ElementGap::new([p.coords.into(), foot.coords.into()], between, ([1.0], [1.0 - t, t]), side)
}

/// The distance of a point from the plane through a triangle.
pub fn point_triangle(p: &Point, [a, b, c]: [&Point; 3], side: &Vector) -> Option<ElementGap<1, 3>> {
    let normal = area_vector(a, b, c);
    let square = normal.norm_squared();
    // Areas of the triangles that the point's projection forms with the edges, relative to the whole.
    let share = |from: &Point, to: &Point| (to - from).cross(&(p - from)).dot(&normal) / square;
    let (of_b, of_c) = (share(c, a), share(a, b));
    if !(of_b.is_finite() && of_c.is_finite()) {
        return None;
    }
    let weights = [1.0 - of_b - of_c, of_b, of_c];
    ElementGap::new([p.coords.into(), a.coords.into()], normal, ([1.0], weights), side)
}

/// The distance between the lines through two edges.
pub fn edge_edge(a: [&Point; 2], b: [&Point; 2], side: &Vector) -> Option<ElementGap<2, 2>> {
    let (along_a, along_b) = (a[1] - a[0], b[1] - b[0]);
    let normal = along_a.cross(&along_b);
    let square = normal.norm_squared();
    // Below this squared sine the lines are parallel: their common perpendicular is mostly rounding error.
    if square <= 1e-20 * along_a.norm_squared() * along_b.norm_squared() {
        return None;
    }
    let apart = b[0] - a[0];
    let s = apart.cross(&along_b).dot(&normal) / square;
    let t = apart.cross(&along_a).dot(&normal) / square;
    let feet = [a[0].coords.into(), b[0].coords.into()];
    ElementGap::new(feet, normal, ([1.0 - s, s], [1.0 - t, t]), side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_below_a_triangle_has_a_negative_gap() {
        let corners = [Point::origin(), Point::new(2.0, 0.0, 0.0), Point::new(0.0, 0.0, -2.0)];
        let [a, b, c] = &corners;
        let gap = point_triangle(&Point::new(0.5, -0.25, -1.0), [a, b, c], &Vector::y()).unwrap();
        assert_eq!((gap.value, gap.direction), (-0.25, Vector::y()));
        assert_eq!(gap.weights_b, [0.25, 0.25, 0.5]);
        assert!(gap.is_inside);
        let out = point_triangle(&Point::new(3.0, 1.0, 0.0), [a, b, c], &Vector::y()).unwrap();
        assert!(!out.is_inside && out.value == 1.0);
        assert!(point_triangle(&Point::origin(), [a, b, b], &Vector::y()).is_none(), "a flat triangle");
    }

    #[test]
    fn crossing_edges_are_apart_by_their_common_perpendicular() {
        let a = [Point::new(-1.0, 1.0, 0.0), Point::new(3.0, 1.0, 0.0)];
        let b = [Point::new(0.0, 0.0, -1.0), Point::new(0.0, 0.0, 1.0)];
        let gap = edge_edge([&a[0], &a[1]], [&b[0], &b[1]], &Vector::y()).unwrap();
        assert_eq!((gap.value, gap.weights_a, gap.weights_b), (1.0, [0.75, 0.25], [0.5, 0.5]));
        let through = edge_edge([&a[0], &a[1]], [&b[0], &b[1]], &-Vector::y()).unwrap();
        assert_eq!(through.value, -1.0);
        assert!(edge_edge([&a[0], &a[1]], [&a[0], &a[1]], &Vector::y()).is_none(), "parallel");
    }

    #[test]
    fn points_and_lines() {
        let (p, ends) = (Point::new(0.5, 2.0, 0.0), [Point::origin(), Point::new(2.0, 0.0, 0.0)]);
        let gap = point_edge(&p, [&ends[0], &ends[1]], &Vector::y()).unwrap();
        assert_eq!((gap.value, gap.weights_b), (2.0, [0.75, 0.25]));
        assert_eq!(gap.mirrored().direction, -Vector::y());
        let gap = point_point(&p, &ends[0], &-Vector::y()).unwrap();
        assert_eq!(gap.value, -p.coords.norm());
        assert!(point_point(&p, &p, &Vector::y()).is_none());
        assert!(point_edge(&p, [&p, &p], &Vector::y()).is_none());
    }
}
