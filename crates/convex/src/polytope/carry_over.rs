//! Warm start of EPA's polyhedron: reuses the vertices of the last query at their current positions.

use nalgebra::Vector3;

use super::polyhedron::{AFTER, BoxFace, Polyhedron};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

type Vector = Vector3<f64>;

/// A surface with more vertices has grown over many queries, and most of it is far from the contact.
const VERTICES_AT_MOST: usize = 64;

/// Marks a vertex that no face uses.
const UNUSED: u32 = u32::MAX;

impl Polyhedron {
    /// Compacts the arrays, moves the vertices and recomputes the facets. Returns false if the surface cannot be
    /// reused.
    pub(super) fn carry_over(&mut self, place: impl FnMut([u32; 2]) -> Option<Vertex<Vector>>) -> bool {
        self.queue.clear();
        if self.grown {
            self.drop_removed();
            self.drop_unused();
            self.grown = false;
        }
        if self.faces.is_empty() || self.vertices.len() > VERTICES_AT_MOST || !self.place_vertices(place) {
            return false;
        }
        for number in 0..self.faces.len() {
            let points = self.faces[number].corners.map(|corner| self.vertices[corner as usize].point);
            self.faces[number].facet = self.facet_through(points);
        }
        self.is_convex()
    }

    /// Returns the face with the least bound; ties go to the lowest index.
    pub(super) fn least(&self) -> u32 {
        let bound = |number: usize| self.faces[number].facet.bound;
        (1..self.faces.len())
            .fold(0, |least, number| if bound(number) < bound(least) { number } else { least }) as u32
    }

    /// Queues every face except one whose bound does not exceed `worth`.
    pub(super) fn queue_all_but(&mut self, facet: u32, worth: f64) {
        for (number, face) in self.faces.iter().enumerate() {
            if number as u32 != facet && face.facet.bound <= worth {
                self.queue.push(face.facet.bound, number as u32);
            }
        }
    }

    /// Compacts the remaining faces, in order.
    fn drop_removed(&mut self) {
        self.renumbered.clear();
        let mut kept = 0;
        for number in 0..self.faces.len() {
            self.renumbered.push(kept);
            if !self.faces[number].removed {
                self.faces[kept as usize] = self.faces[number];
                kept += 1;
            }
        }
        self.faces.truncate(kept as usize);
        for face in &mut self.faces {
            face.across =
                face.across.map(|side| BoxFace::new(self.renumbered[side.face()], side.edge() as u32));
        }
    }

    /// Compacts the vertices still in use, in order.
    fn drop_unused(&mut self) {
        self.renumbered.clear();
        self.renumbered.resize(self.vertices.len(), UNUSED);
        for corner in self.faces.iter().flat_map(|face| face.corners) {
            self.renumbered[corner as usize] = 0;
        }
        let mut kept = 0;
        for number in 0..self.vertices.len() {
            if self.renumbered[number] != UNUSED {
                self.vertices[kept as usize] = self.vertices[number];
                self.renumbered[number] = kept;
                kept += 1;
            }
        }
        self.vertices.truncate(kept as usize);
        for face in &mut self.faces {
            face.corners = face.corners.map(|corner| self.renumbered[corner as usize]);
        }
    }

    /// Updates the position of every vertex. Returns false if one has no ids.
    fn place_vertices(&mut self, mut place: impl FnMut([u32; 2]) -> Option<Vertex<Vector>>) -> bool {
        self.vertices.iter_mut().all(|vertex| match place(vertex.ids) {
            Some(placed) => {
                *vertex = placed;
                true
            }
            None => false,
        })
    }

    /// Whether every neighbour's opposite corner is below each face, up to rounding error, and no face is degenerate.
    fn is_convex(&self) -> bool {
        self.faces.iter().enumerate().all(|(number, face)| {
            face.facet.bound.is_finite()
                && face.across.iter().filter(|side| side.face() > number).all(|side| {
                    let neighbour = &self.faces[side.face()];
                    let opposite = neighbour.corners[AFTER[AFTER[side.edge()]]];
                    let height = self.vertices[opposite as usize].point.inner(face.facet.normal);
                    height <= face.facet.distance + self.rounding_error
                })
        })
    }
}
