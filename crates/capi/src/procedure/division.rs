//! What a cut made of a mesh, as C sees it.

use palpate::procedure::{Division, EdgeCut, NewVertex};

/// Where a blade passed through an edge of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_edge_cut {
    /// The vertices of the edge, the lower first.
    pub edge: [u32; 2],
    /// The weight of the second vertex, 0 to 1.
    pub weight: f64,
    /// When the blade is there, 0 to 1.
    pub time: f64,
}

/// A vertex that a cut has added: a place on an edge, or the copy of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_new_vertex {
    /// The vertices that the mesh had before; twice the same for a copy.
    pub of: [u32; 2],
    /// Their weights, which add up to 1 exactly.
    pub weights: [f64; 2],
}

/// What a cut made of a mesh. The cells that it did not touch, and all vertices that there were, keep their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_division {
    /// Where the blade passed through edges, in order of time; also where the cut was moved to a vertex.
    pub cuts: *const palpate_edge_cut,
    /// Their number.
    pub cut_count: usize,
    /// The new vertices, from number `first_vertex` on.
    pub vertices: *const palpate_new_vertex,
    /// Their number.
    pub vertex_count: usize,
    /// The cells that are gone, ascending.
    pub removed: *const u32,
    /// Their number.
    pub removed_count: usize,
    /// For each new cell, from number `first_cell` on, the one that it is part of.
    pub parents: *const u32,
    /// The number of new cells.
    pub cell_count: usize,
    /// The number of the first new vertex.
    pub first_vertex: u32,
    /// The number of the first new cell.
    pub first_cell: u32,
}

/// The memory of a division that is handed out.
#[derive(Default)]
pub(super) struct Kept {
    division: Division,
    cuts: Vec<palpate_edge_cut>,
    vertices: Vec<palpate_new_vertex>,
}

impl Kept {
    /// Keeps a division, and returns the view of it.
    pub(super) fn keep(&mut self, division: Division) -> palpate_division {
        let cut = |&EdgeCut { edge, weight, time }: &EdgeCut| palpate_edge_cut { edge, weight, time };
        let vertex = |&NewVertex { of, weights }: &NewVertex| palpate_new_vertex { of, weights };
        self.cuts = division.cuts.iter().map(cut).collect();
        self.vertices = division.vertices.iter().map(vertex).collect();
        self.division = division;
        let Division { first_vertex, removed, cells, parents, .. } = &self.division;
        palpate_division {
            cuts: self.cuts.as_ptr(),
            cut_count: self.cuts.len(),
            vertices: self.vertices.as_ptr(),
            vertex_count: self.vertices.len(),
            removed: removed.as_ptr(),
            removed_count: removed.len(),
            parents: parents.as_ptr(),
            cell_count: parents.len(),
            first_vertex: *first_vertex,
            first_cell: cells.start,
        }
    }
}
