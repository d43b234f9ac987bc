//! The simplex of GJK: the vertices of the difference that its nearest point to the origin needs.

use crate::dimension::Dimension;
use crate::simplex_reduction::{Reduced, segment};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// Up to four vertices of the Minkowski difference, newest last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex<V> {
    pub(crate) points: [V; 4],
    pub(crate) vertices: [Vertex<V>; 4],
    pub(crate) weights: [f64; 4],
    pub(crate) count: usize,
}

impl<V: VectorSpace> Simplex<V> {
    pub(crate) fn empty() -> Self {
        Self { points: [V::zero(); 4], vertices: [Vertex::none(); 4], weights: [0.0; 4], count: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, vertex: Vertex<V>) {
        debug_assert!(self.count < 4, "GJK terminates at a full simplex");
        let at = self.count & 3;
        self.points[at] = vertex.point;
        self.vertices[at] = vertex;
        self.weights[at] = 1.0;
        self.count = at + 1;
    }

    /// Whether a vertex is in the simplex already: by its ids if it has them, else by its coordinates.
    #[inline(always)]
    pub(crate) fn contains(&self, vertex: &Vertex<V>) -> bool {
        self.vertices[..self.count.min(4)].iter().any(|known| known.is(vertex))
    }

    /// Adds a vertex and drops those with zero weight, keeping the order.
    #[inline(always)]
    pub(crate) fn join(&mut self, vertex: Vertex<V>, weights: &[f64; 4]) {
        let weight = weights[self.count & 3];
        self.keep(weights);
        if weight > 0.0 {
            let at = self.count & 3;
            self.push(vertex);
            self.weights[at] = weight;
        }
    }

    /// Drops the vertices with zero weight, keeping the order.
    #[inline(always)]
    pub(crate) fn keep(&mut self, weights: &[f64; 4]) {
        let mut kept = 0;
        for (at, &weight) in weights.iter().enumerate().take(self.count) {
            if weight > 0.0 {
                if kept != at {
                    self.points[kept] = self.points[at];
                    self.vertices[kept] = self.vertices[at];
                }
                self.weights[kept] = weight;
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Returns the point of the first shape and of the difference given by the weights; both in the first shape's
    /// frame.
    #[inline]
    pub(crate) fn witness(&self) -> (V, V) {
        let mut on_a = V::zero();
        let mut difference = V::zero();
        for at in 0..self.count.min(4) {
            on_a = on_a + self.vertices[at].on_a * self.weights[at];
            difference = difference + self.points[at] * self.weights[at];
        }
        (on_a, difference)
    }
}

impl<V: Dimension> Simplex<V> {
    /// Returns the point closest to the origin.
    #[inline(always)]
    pub(crate) fn reduced(&self) -> Reduced<V> {
        let older = self.count.saturating_sub(1) & 3;
        nearest_of(&self.points, older, self.points[older], false)
    }

    /// Returns the point closest to the origin if a vertex were added; `straight` where both cores are polyhedra.
    ///
    /// The vertex is passed by value: reading it back right after storing it in pieces of another size would stall the
    /// loop (failed store forwarding).
    #[inline(always)]
    pub(crate) fn reduced_with(&self, newest: V, straight: bool) -> Reduced<V> {
        nearest_of(&self.points, self.count, newest, straight)
    }
}

/// Returns the point closest to the origin of the simplex of some points and a newer one; `straight` where both cores are
/// polyhedra.
#[inline(always)]
pub(crate) fn nearest_of<V: Dimension>(
    points: &[V; 4],
    older: usize,
    newest: V,
    straight: bool,
) -> Reduced<V> {
    let [a, b, c, _] = *points;
    match older {
        0 => Reduced { nearest: newest, weights: [1.0, 0.0, 0.0, 0.0], inside: false },
        1 if straight => segment::reduce_by_products(a, newest),
        1 => segment::reduce(&[a, newest, newest, newest]),
        2 => V::reduce_triangle(&[a, b, newest, newest]),
        _ => V::reduce_tetrahedron(&[a, b, c, newest]),
    }
}
