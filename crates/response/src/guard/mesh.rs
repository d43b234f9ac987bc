//! The cells of a guarded mesh, and the tree over them.

use nalgebra::Isometry3;
use palpate_bvh::{Bvh, Cells};
use palpate_geometry::{Geometry, TypedGeometry};
use palpate_math::{Aabb, Point, Vector};
use std::collections::HashSet;

/// Points, segments or triangles.
pub(super) struct Mesh {
    /// The vertices of each cell; a cell of fewer than three repeats its last. A removed cell has `u32::MAX`.
    cells: Vec<[u32; 3]>,
    /// The number of vertices of a cell, 1 to 3.
    pub(super) corners: usize,
    /// Per cell, of which vertices (bits 0 to 2) and edges (bits 3 to 5, edge `k` from vertex `k` to `k + 1`) it is the first.
    owned: Vec<u8>,
    /// The vertices that have cells, ascending.
    used: Vec<u32>,
    /// The number of vertices, with and without cells.
    pub(super) vertices: usize,
    /// Vertices of a body that is not of particles; with the box around them.
    local: Vec<Point>,
    bounds: Aabb,
    tree: Bvh,
    fit: Fit,
}

/// How the tree fits the positions of a step.
#[derive(Default)]
struct Fit {
    /// The positions that the boxes contain.
    anchors: Vec<Point>,
    /// The box around those of vertices that have cells.
    bounds: Aabb,
    /// Metres: how far a vertex may be from its anchor, or leave it in a step, before the tree is fitted again.
    slack: f64,
    corners: [Vec<Point>; 2],
    refits: u32,
}

/// Refits after which the tree is asked whether it is worn.
const REFITS: u32 = 64;

/// The wear above which a tree is built again.
const WORN: f64 = 2.0;

impl Mesh {
    /// Cells of `N` vertices.
    pub(super) fn new<const N: usize>(positions: Vec<Point>, cells: &[[u32; N]]) -> Self {
        let filled = |cell: &[u32; N]| [0, 1, 2].map(|k: usize| cell[k.min(N - 1)]);
        let cells: Vec<[u32; 3]> = cells.iter().map(filled).collect();
        let (owned, used) = owners(&cells, N);
        let mut mesh = Self {
            cells,
            corners: N,
            owned,
            used,
            vertices: positions.len(),
            local: positions,
            bounds: Aabb::EMPTY,
            tree: Bvh::default(),
            fit: Fit::default(),
        };
        mesh.settle();
        mesh
    }

    /// The cells of a geometry, if it is a mesh, and its radius.
    pub(super) fn of(geometry: &dyn Geometry) -> Option<(Self, f64)> {
        match TypedGeometry::of(geometry) {
            TypedGeometry::PointSet(points) => {
                let cells: Vec<[u32; 1]> = (0..points.len() as u32).map(|vertex| [vertex]).collect();
                Some((Self::new(points.positions().to_vec(), &cells), points.radius()))
            }
            TypedGeometry::LineMesh(mesh) => {
                Some((Self::new(mesh.points().positions().to_vec(), mesh.cells()), mesh.radius()))
            }
            TypedGeometry::SurfaceMesh(mesh) => {
                Some((Self::new(mesh.points().positions().to_vec(), mesh.triangles()), mesh.radius()))
            }
            TypedGeometry::TetraMesh(mesh) => {
                Some((Self::new(mesh.points().positions().to_vec(), mesh.boundary_triangles()), 0.0))
            }
            _ => None,
        }
    }

    /// The mesh in another frame.
    pub(super) fn moved(mut self, frame: &Isometry3<f64>) -> Self {
        self.local.iter_mut().for_each(|point| *point = frame * *point);
        self.settle();
        self
    }

    /// The mesh of particles: its positions are given in each step.
    pub(super) fn without_positions(mut self) -> Self {
        self.local = Vec::new();
        self
    }

    /// Fits the tree to vertices that do not move in their frame.
    fn settle(&mut self) {
        self.bounds = Aabb::from_points(self.used.iter().map(|&id| self.local[id as usize]));
        self.tree.rebuild_cells(&Cells { ids: &self.cells, positions: [&self.local] });
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The vertices of a cell; none of a removed one.
    pub(super) fn cell(&self, cell: u32) -> &[u32] {
        let ids = &self.cells[cell as usize];
        if ids[0] == u32::MAX { &[] } else { &ids[..self.corners] }
    }

    /// Which of its vertices have this cell as their first.
    pub(super) fn own_vertices(&self, cell: u32) -> impl Iterator<Item = usize> + Clone + use<> {
        let owned = self.owned[cell as usize];
        (0..self.corners).filter(move |k| owned >> k & 1 == 1)
    }

    /// The same of its edges, each by its two vertices.
    pub(super) fn own_edges(&self, cell: u32) -> impl Iterator<Item = [usize; 2]> + Clone + use<> {
        let owned = self.owned[cell as usize];
        (0..3).filter(move |k| owned >> (3 + k) & 1 == 1).map(|k| [k, (k + 1) % 3])
    }

    pub(super) fn used(&self) -> &[u32] {
        &self.used
    }

    /// Whether every vertex has a cell.
    pub(super) fn is_all_used(&self) -> bool {
        self.used.len() == self.vertices
    }

    /// The vertices in the frame of a body that is not of particles.
    pub(super) fn local(&self) -> &[Point] {
        &self.local
    }

    /// The box around [`local`](Self::local).
    pub(super) fn local_bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Visits the cells whose boxes overlap, in no particular order.
    pub(super) fn overlap(&self, bounds: &Aabb, visit: impl FnMut(u32)) {
        self.tree.overlap(bounds, visit);
    }

    /// The positions that the tree was fitted to last.
    pub(super) fn anchors(&self) -> Option<&[Point]> {
        (self.fit.anchors.len() == self.vertices).then_some(&self.fit.anchors)
    }

    /// The box around the [`anchors`](Self::anchors) of vertices that have cells.
    pub(super) fn fitted_bounds(&self) -> &Aabb {
        &self.fit.bounds
    }

    /// Fits the tree to the motion of particles, none of which is farther from its [anchor](Self::anchors), or goes farther,
    /// than the root of `farthest`. Returns by how much a query has to be grown to find every cell of which a vertex may, in
    /// the step, come into the box: no vertex goes farther from its start than its displacement is long.
    ///
    /// The tree is fitted again only when a vertex has left the neighbourhood of where it was then.
    pub(super) fn fit(&mut self, start: &[Point], end: &[Point], farthest: f64) -> f64 {
        let slack = self.fit.slack;
        if self.anchors().is_some() && farthest <= 0.25 * slack * slack {
            return slack;
        }
        self.refit(start, end);
        0.0
    }

    fn refit(&mut self, start: &[Point], end: &[Point]) {
        let is_new = self.anchors().is_none();
        let Fit { anchors, bounds, corners, refits, slack } = &mut self.fit;
        anchors.clear();
        anchors.extend_from_slice(start);
        *bounds = Aabb::from_points(self.used.iter().map(|id| start[*id as usize]));
        for (corner, sign) in corners.iter_mut().zip([-1.0, 1.0]) {
            corner.clear();
            corner.extend(start.iter().zip(end).map(|(start, end)| {
                let reach = sign * (end - start).norm();
                start + Vector::repeat(reach)
            }));
        }
        let cells = Cells { ids: &self.cells, positions: [&corners[0][..], &corners[1][..]] };
        *refits += 1;
        if is_new {
            self.tree.rebuild_cells(&cells);
        } else {
            self.tree.refit_cells(&cells);
            if *refits % REFITS == 0 && self.tree.wear() > WORN {
                self.tree.rebuild_cells_fast(&cells);
            }
        }
        *slack = 0.5 * mean_size(&self.cells, start);
    }
}

/// The mean length of the first edge of the cells; of points nothing.
fn mean_size(cells: &[[u32; 3]], positions: &[Point]) -> f64 {
    let present = cells.iter().filter(|ids| ids[0] != u32::MAX);
    let lengths = present.map(|ids| (positions[ids[0] as usize] - positions[ids[1] as usize]).norm());
    lengths.sum::<f64>() / cells.len().max(1) as f64
}

/// The number of edges of a cell of 1 to 3 vertices.
pub(super) fn edge_count(corners: usize) -> usize {
    [0, 1, 3][corners - 1]
}

/// Of which vertices and edges each cell is the first, and the vertices that have cells.
fn owners(cells: &[[u32; 3]], corners: usize) -> (Vec<u8>, Vec<u32>) {
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    let owned = cells.iter().map(|ids| {
        if ids[0] == u32::MAX {
            return 0;
        }
        let mut mask = 0;
        for (k, id) in ids.iter().enumerate().take(corners) {
            mask |= u8::from(vertices.insert(*id)) << k;
        }
        for k in 0..edge_count(corners) {
            let (a, b) = (ids[k], ids[(k + 1) % 3]);
            mask |= u8::from(edges.insert([a.min(b), a.max(b)])) << (3 + k);
        }
        mask
    });
    let owned = owned.collect();
    let mut used: Vec<u32> = vertices.into_iter().collect();
    used.sort_unstable();
    (owned, used)
}
