//! What a cut made of a mesh, and how to carry data over.

use crate::sweep::EdgeCut;
use std::ops::Range;

/// A vertex that a cut has added: a place on an edge, or the copy of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewVertex {
    /// The vertices that the mesh had before; twice the same for a copy.
    pub of: [u32; 2],
    /// Their weights, which add up to 1 exactly.
    pub weights: [f64; 2],
}

/// What a cut made of a mesh. The cells that it did not touch, and all vertices that there were, keep their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Division {
    /// Where the sweep passed through edges, in order of time; also where the cut was moved to a vertex.
    pub cuts: Vec<EdgeCut>,
    /// The number of the first new vertex.
    pub first_vertex: u32,
    /// The new vertices, from number [`first_vertex`](Self::first_vertex) on.
    pub vertices: Vec<NewVertex>,
    /// The cells that are gone, ascending.
    pub removed: Vec<u32>,
    /// The numbers of the new cells.
    pub cells: Range<u32>,
    /// For each new cell the one that it is, or is part of.
    pub parents: Vec<u32>,
}

impl Division {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
    }

    /// Appends the values of the new vertices to a field of the vertices: rest positions, temperatures, velocities.
    /// `blend(a, b, t)` is the value at the part `t` of the way from a vertex to another.
    pub fn carry<T: Clone>(&self, field: &mut Vec<T>, blend: impl Fn(&T, &T, f64) -> T) {
        field.reserve(self.vertices.len());
        for NewVertex { of: [a, b], weights } in &self.vertices {
            let [Some(from), Some(to)] = [a, b].map(|id| field.get(*id as usize)) else { return };
            let value = if a == b { from.clone() } else { blend(from, to, weights[1]) };
            field.push(value);
        }
    }

    /// Appends the values of the new cells to a field of the cells: each has that of its parent.
    pub fn carry_cells<T: Clone>(&self, field: &mut Vec<T>) {
        let values: Vec<T> =
            self.parents.iter().filter_map(|parent| field.get(*parent as usize).cloned()).collect();
        field.extend(values);
    }
}
