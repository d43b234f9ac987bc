//! The cells near a cut, while they are divided.
//!
//! Edges are divided one after the other: a new vertex on an edge divides every cell around the edge in two, so that no vertex
//! ever lies within an edge or a face of a neighbour. Then the cells are taken apart along the facets that have all their
//! vertices on the cut: a vertex is doubled where these part the cells around it ([`part`](crate::part)).

use crate::divisible::{Divisible, is_turned_alike, measure};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point};

/// How small the parts may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutLimits {
    /// A cut nearer than this to an end of an edge, as a part of the edge, goes through the vertex there; 0 to 0.5.
    pub snap: f64,
    /// The least length, area or volume of a part, in metres, square or cubic metres. A cut that would make a smaller one goes
    /// through a vertex.
    pub least: f64,
}

impl Default for CutLimits {
    /// A tenth of an edge, and no least size.
    fn default() -> Self {
        Self { snap: 0.1, least: 0.0 }
    }
}

/// A vertex near the cut.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    /// In the mesh; [`NONE`] for a new one.
    pub(crate) id: u32,
    pub(crate) position: Point,
    /// The vertices of the mesh that it is made of, and their weights.
    pub(crate) of: [u32; 2],
    pub(crate) weights: [f64; 2],
    /// Whether it lies on the cut.
    pub(crate) is_cut: bool,
    /// Whether the cells around it were parted.
    pub(crate) is_parted: bool,
    /// The ends of the edge that it was made on; twice itself for one that was there before the cut.
    pub(crate) edge: [u32; 2],
    /// Whether the sweep passes through this edge again, beside it, an odd number of times.
    pub(crate) is_passed_again: bool,
    /// Whether all cells around it are here.
    pub(crate) is_whole: bool,
    pub(crate) cells: Vec<u32>,
}

/// A vertex at which a cut ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FrontVertex {
    pub(crate) id: u32,
    /// Whether it was doubled, and the cut goes on in a part of its cells.
    pub(crate) is_parted: bool,
    /// As [`Vertex::edge`].
    pub(crate) edge: [u32; 2],
}

/// A cell near the cut, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<const N: usize> {
    pub(crate) vertices: [u32; N],
    /// The cell of the mesh that it is, or is part of.
    pub(crate) parent: u32,
    pub(crate) is_changed: bool,
}

/// What of a mesh is in a complex. It is kept from cut to cut, so that none costs a pass over the mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// For each vertex of the mesh its number in the complex, and for each cell whether it is there.
    numbers: Vec<u32>,
    is_here: Vec<bool>,
    vertices: Vec<u32>,
    cells: Vec<u32>,
}

impl Known {
    /// Forgets all, and makes room for a mesh of so many vertices and cells.
    fn reset(&mut self, vertices: usize, cells: usize) {
        self.vertices.drain(..).for_each(|id| self.numbers[id as usize] = NONE);
        self.cells.drain(..).for_each(|cell| self.is_here[cell as usize] = false);
        self.numbers.resize(self.numbers.len().max(vertices), NONE);
        self.is_here.resize(self.is_here.len().max(cells), false);
    }
}

/// The cells near a cut.
pub(crate) struct Complex<'a, M, const N: usize> {
    mesh: &'a M,
    front: &'a [FrontVertex],
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) cells: Vec<Cell<N>>,
    known: &'a mut Known,
}

impl<'a, M: Divisible<N>, const N: usize> Complex<'a, M, N> {
    /// No cells yet. The vertices of `front`, ascending, are on the cut.
    pub(crate) fn new(mesh: &'a M, front: &'a [FrontVertex], known: &'a mut Known) -> Self {
        known.reset(mesh.positions().len(), mesh.cells().len());
        Self { mesh, front, vertices: Vec::new(), cells: Vec::new(), known }
    }

    /// The number of the first vertex that is not in the mesh.
    pub(crate) fn first_vertex(&self) -> u32 {
        self.mesh.positions().len() as u32
    }

    /// Adds a cell of the mesh, if it is not here.
    pub(crate) fn add(&mut self, cell: u32) {
        if std::mem::replace(&mut self.known.is_here[cell as usize], true) {
            return;
        }
        self.known.cells.push(cell);
        let number = self.cells.len() as u32;
        let vertices = self.mesh.cells()[cell as usize].map(|id| self.number(id));
        for vertex in vertices {
            self.vertices[vertex as usize].cells.push(number);
        }
        self.cells.push(Cell { vertices, parent: cell, is_changed: false });
    }

    fn number(&mut self, id: u32) -> u32 {
        let known = self.known.numbers[id as usize];
        if known != NONE {
            return known;
        }
        let number = self.vertices.len() as u32;
        self.known.numbers[id as usize] = number;
        self.known.vertices.push(id);
        let at_front = self.front.binary_search_by_key(&id, |vertex| vertex.id).map(|at| self.front[at]);
        self.vertices.push(Vertex {
            id,
            position: self.mesh.positions()[id as usize],
            of: [id; 2],
            weights: [1.0, 0.0],
            is_cut: at_front.is_ok(),
            is_parted: at_front.is_ok_and(|vertex| vertex.is_parted),
            edge: at_front.map_or([id; 2], |vertex| vertex.edge),
            is_passed_again: false,
            is_whole: false,
            cells: Vec::new(),
        });
        number
    }

    /// Adds all cells around a vertex of the mesh.
    pub(crate) fn add_around(&mut self, vertex: u32) {
        if std::mem::replace(&mut self.vertices[vertex as usize].is_whole, true) {
            return;
        }
        let Vertex { id, position, .. } = self.vertices[vertex as usize];
        let mesh = self.mesh;
        let _ = mesh.near(&Aabb::from_point(position), &mut |cell| {
            if mesh.cells()[cell as usize].contains(&id) {
                self.add(cell);
            }
        });
    }

    /// Returns the edges of all cells, each once, by vertices of the mesh, the lower first, ascending.
    pub(crate) fn edges(&self) -> Vec<[u32; 2]> {
        let id = |vertex: u32| self.vertices[vertex as usize].id;
        let mut edges = Vec::with_capacity(self.cells.len() * N * (N - 1) / 2);
        for cell in &self.cells {
            for first in 0..N {
                for second in first + 1..N {
                    let ends = [id(cell.vertices[first]), id(cell.vertices[second])];
                    edges.push([ends[0].min(ends[1]), ends[0].max(ends[1])]);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Cuts an edge, of vertices of the mesh, at the weight of its second end: by a new vertex, or at one of its ends. A cut of an
    /// edge with an end on the cut goes through that end.
    pub(crate) fn cut_edge(&mut self, edge: [u32; 2], weight: f64, limits: &CutLimits, snaps: bool) {
        let ends = edge.map(|id| self.known.numbers[id as usize]);
        let mut is_on_cut = false;
        for (end, other) in [(ends[0], edge[1]), (ends[1], edge[0])] {
            let vertex = &mut self.vertices[end as usize];
            is_on_cut |= vertex.is_cut;
            vertex.is_passed_again ^= !snaps && vertex.is_cut && vertex.edge.contains(&other);
        }
        let nearer = usize::from(weight > 0.5);
        let is_near = weight.min(1.0 - weight) < limits.snap;
        if is_on_cut || snaps && !is_near {
            return;
        }
        if is_near || !self.divide(ends, weight, limits) {
            self.vertices[ends[nearer] as usize].is_cut = true;
            self.add_around(ends[nearer]);
        }
    }

    /// Divides an edge, and all cells around it; `false` if a part would be too small.
    fn divide(&mut self, [a, b]: [u32; 2], weight: f64, limits: &CutLimits) -> bool {
        // Weights that add up to 1 exactly.
        let first = 1.0 - weight;
        let weights = [first, 1.0 - first];
        let [from, to] = [a, b].map(|end| &self.vertices[end as usize]);
        let position = Point::from(from.position.coords * weights[0] + to.position.coords * weights[1]);
        let of = [from.id, to.id];
        let has_both = |&&cell: &&u32| self.cells[cell as usize].vertices.contains(&b);
        let around: Vec<u32> = from.cells.iter().filter(has_both).copied().collect();
        let is_sound = |&cell: &u32| {
            let vertices = self.cells[cell as usize].vertices;
            let corners = vertices.map(|vertex| self.vertices[vertex as usize].position);
            let with =
                |old: u32| std::array::from_fn(|k| if vertices[k] == old { position } else { corners[k] });
            let parts: [[Point; N]; 2] = [with(a), with(b)];
            parts.iter().all(|part| measure(part) >= limits.least && is_turned_alike(&corners, part))
        };
        if !around.iter().all(is_sound) {
            return false;
        }
        let new = self.vertices.len() as u32;
        let cells = around.clone();
        self.vertices.push(Vertex {
            id: NONE,
            position,
            of,
            weights,
            is_cut: true,
            is_parted: false,
            edge: of,
            is_passed_again: false,
            is_whole: true,
            cells,
        });
        for cell in around {
            let whole = self.cells[cell as usize];
            let other = self.cells.len() as u32;
            let with = |old: u32| whole.vertices.map(|vertex| if vertex == old { new } else { vertex });
            self.cells[cell as usize] = Cell { vertices: with(b), is_changed: true, ..whole };
            self.cells.push(Cell { vertices: with(a), is_changed: true, ..whole });
            self.vertices[b as usize].cells.retain(|&at| at != cell);
            for vertex in with(a) {
                self.vertices[vertex as usize].cells.push(other);
            }
        }
        true
    }
}
