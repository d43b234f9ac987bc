//! Position-based constraints between the vertices of two sides.
//!
//! Source: Müller, Heidelberger, Hennix and Ratcliff, "Position based dynamics" (2007), sections 3.2 and 3.3.

use palpate_contact::{Contact, Feature, Side};
use palpate_math::Vector;

/// A point on a mesh as a weighted sum of vertices: it moves by `sum(weight * displacement)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedVertices {
    feature: Feature,
}

impl WeightedVertices {
    /// Returns the vertex ids: 1 to 4, or none for a shape without vertices.
    pub fn vertices(&self) -> &[u32] {
        self.feature.vertex_ids()
    }

    /// Returns the weights, in the order of the vertices. They sum to 1.
    pub fn weights(&self) -> &[f64] {
        self.feature.vertex_weights()
    }

    /// Iterates over the vertices with their weights.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, f64)> + '_ {
        self.vertices().iter().copied().zip(self.weights().iter().copied())
    }

    /// Returns the point's displacement (metres) when vertex `v` moves by `displacement(v)`; zero for a shape without
    /// vertices.
    pub fn displacement(&self, displacement: impl Fn(u32) -> Vector) -> Vector {
        self.iter().fold(Vector::zeros(), |sum, (vertex, weight)| sum + displacement(vertex) * weight)
    }
}

/// The gap of one contact as a linear function of its vertices' displacements since the contact was found.
///
/// A side on a shape without vertices is treated as static.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactConstraint {
    /// The point on side A.
    pub a: WeightedVertices,
    /// The point on side B.
    pub b: WeightedVertices,
    /// Unit direction along which the gap grows when A moves.
    pub direction: Vector,
    /// Metres: minus the gap when the contact was found.
    pub depth: f64,
}

impl From<&Contact> for ContactConstraint {
    fn from(contact: &Contact) -> Self {
        Self {
            a: WeightedVertices { feature: contact.a },
            b: WeightedVertices { feature: contact.b },
            direction: contact.direction_of(Side::A),
            depth: contact.depth,
        }
    }
}

impl ContactConstraint {
    /// Returns the gap in metres once vertex `v` of side A has moved by `of_a(v)` and vertex `v` of side B by
    /// `of_b(v)`.
    pub fn gap(&self, of_a: impl Fn(u32) -> Vector, of_b: impl Fn(u32) -> Vector) -> f64 {
        (self.a.displacement(of_a) - self.b.displacement(of_b)).dot(&self.direction) - self.depth
    }

    /// Returns the gradient of the gap with respect to the vertices of side A: `weight * direction` each.
    pub fn gradient_a(&self) -> impl ExactSizeIterator<Item = (u32, Vector)> + '_ {
        self.a.iter().map(|(vertex, weight)| (vertex, self.direction * weight))
    }

    /// Returns the gradient of the gap with respect to the vertices of side B: `-weight * direction` each.
    pub fn gradient_b(&self) -> impl ExactSizeIterator<Item = (u32, Vector)> + '_ {
        self.b.iter().map(|(vertex, weight)| (vertex, self.direction * -weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;
    use std::collections::HashMap;

    /// Vertex 7, a quarter below a triangle of vertices 1, 2 and 3.
    fn vertex_under_triangle() -> Contact {
        let a = Feature::vertex(7, 0, Point::new(0.25, -0.25, 0.25));
        let b = Feature::triangle([1, 2, 3], [0.5, 0.25, 0.25], 4, Point::new(0.25, 0.0, 0.25));
        Contact::exact(a, b, Vector::y(), 0.25, 7)
    }

    #[test]
    fn the_gap_begins_at_minus_the_depth_and_follows_the_weights() {
        let constraint = ContactConstraint::from(&vertex_under_triangle());
        let still = |_| Vector::zeros();
        assert_eq!(constraint.gap(still, still), -0.25);
        assert_eq!(constraint.gap(|_| Vector::y(), still), 0.75, "A up by 1");
        let second = |vertex| if vertex == 2 { Vector::y() } else { Vector::zeros() };
        assert_eq!(constraint.gap(still, second), -0.5, "a quarter of B's second vertex");
        assert_eq!(constraint.gap(|_| Vector::x(), |_| Vector::z()), -0.25, "sideways changes nothing");
    }

    #[test]
    fn one_projection_along_the_gradients_closes_the_gap() {
        let constraint = ContactConstraint::from(&vertex_under_triangle());
        let squares = |(_, gradient): (u32, Vector)| gradient.norm_squared();
        let sum: f64 = constraint.gradient_a().map(squares).chain(constraint.gradient_b().map(squares)).sum();
        let scale = constraint.depth / sum;
        let step = |(vertex, gradient): (u32, Vector)| (vertex, gradient * scale);
        let a: HashMap<_, _> = constraint.gradient_a().map(step).collect();
        let b: HashMap<_, _> = constraint.gradient_b().map(step).collect();
        assert_eq!((a.len(), b.len()), (1, 3));
        let gap = constraint.gap(|vertex| a[&vertex], |vertex| b[&vertex]);
        assert!(gap.abs() <= 4.0 * f64::EPSILON * constraint.depth, "{gap:e}");
    }

    #[test]
    fn a_shape_without_vertices_is_static() {
        let plane = Contact { b: Feature::point(Point::origin()), ..vertex_under_triangle() };
        let constraint = ContactConstraint::from(&plane);
        assert_eq!(constraint.gradient_b().len(), 0);
        assert_eq!(constraint.gap(|_| Vector::zeros(), |_| Vector::y()), -0.25);
    }

    #[test]
    fn exchanged_sides_exchange_the_gradients() {
        let (given, mirrored) = (vertex_under_triangle(), vertex_under_triangle().mirrored());
        let (given, mirrored) = (ContactConstraint::from(&given), ContactConstraint::from(&mirrored));
        assert!(given.gradient_a().eq(mirrored.gradient_b()));
        assert!(given.gradient_b().eq(mirrored.gradient_a()));
    }
}
