//! Takes the cells near a cut apart.

use crate::complex::{Complex, Vertex};
use crate::divisible::Divisible;
use palpate_contact::NONE;
use palpate_geometry::DisjointSets;
use std::cmp::Reverse;

/// The vertices of a facet, ascending; [`NONE`] past the last.
type Facet = [u32; 3];

/// A facet of a cell: all vertices but one.
fn facet<const N: usize>(vertices: &[u32; N], but: usize) -> Facet {
    let mut facet = [NONE; 3];
    let others = vertices.iter().enumerate().filter(|(corner, _)| *corner != but);
    facet.iter_mut().zip(others).for_each(|(place, (_, vertex))| *place = *vertex);
    facet.sort_unstable();
    facet
}

/// Some of the cells around a vertex, which hang together by other facets than those of the cut.
#[derive(Default)]
struct Part {
    cells: Vec<u32>,
    /// Whether it has both sides of a facet of the cut.
    has_slit: bool,
    /// Whether all vertices of its cells are on the cut: it lies within the cut, on no side of it.
    is_full: bool,
    /// The vertices of the facets that part it from the other side.
    border: Vec<u32>,
}

impl<M: Divisible<N>, const N: usize> Complex<'_, M, N> {
    /// Doubles the vertices where the cut parts the cells around them. Then they are no longer on the cut, but in those parts of
    /// their cells in which it goes on: with a slit, or within them with a vertex at which it ends. A vertex of no such facet is no
    /// longer on the cut if the sweep passes through its edge again: the ends of the edge are on one side.
    pub(crate) fn take_apart(&mut self) {
        let facets = self.cut_facets();
        for (at, vertex) in (0..).zip(&mut self.vertices) {
            vertex.is_cut &= !vertex.is_passed_again || facets.iter().any(|facet| facet.contains(&at));
        }
        let mut is_end = vec![false; self.vertices.len()];
        let mut parted = Vec::new();
        for (at, vertex) in (0..).zip(&self.vertices).filter(|(_, vertex)| vertex.is_cut) {
            let parts = if vertex.is_whole { self.parts(at, &facets) } else { Vec::new() };
            let is_parted = vertex.is_parted && vertex.is_whole || parts.len() > 1;
            is_end[at as usize] = !is_parted;
            if is_parted {
                parted.push((at, parts));
            }
        }
        let mut moved = Vec::new();
        for (vertex, parts) in &parted {
            for (rank, part) in parts.iter().enumerate() {
                let ids = part.cells.iter().flat_map(|cell| &self.cells[*cell as usize].vertices);
                let has_end = ids.filter(|at| is_end[**at as usize]).any(|at| !part.border.contains(at));
                let is_cut = part.has_slit || has_end;
                let own = &mut self.vertices[*vertex as usize];
                if rank == 0 {
                    (own.is_cut, own.is_parted) = (is_cut, true);
                    continue;
                }
                let copy = Vertex { id: NONE, is_cut, cells: Vec::new(), ..*own };
                moved.extend(part.cells.iter().map(|cell| (*cell, *vertex, self.vertices.len() as u32)));
                self.vertices.push(copy);
            }
        }
        for (cell, from, to) in moved {
            let changed = &mut self.cells[cell as usize];
            changed.vertices.iter_mut().filter(|vertex| **vertex == from).for_each(|vertex| *vertex = to);
            changed.is_changed = true;
        }
    }

    /// Returns the facets on which the cut parts two cells, ascending: all their vertices are on the cut. A cell of which all
    /// vertices are on the cut stays with one neighbour.
    fn cut_facets(&self) -> Vec<Facet> {
        let is_cut = |vertex: &u32| self.vertices[*vertex as usize].is_cut;
        let mut found: Vec<(Facet, u32)> = Vec::new();
        let mut is_full = vec![false; self.cells.len()];
        for (number, cell) in self.cells.iter().enumerate() {
            let on_cut = cell.vertices.iter().filter(|vertex| is_cut(vertex)).count();
            is_full[number] = on_cut == N;
            if on_cut + 1 >= N {
                let corners = (0..N).filter(|&corner| on_cut == N || !is_cut(&cell.vertices[corner]));
                found.extend(corners.map(|corner| (facet(&cell.vertices, corner), number as u32)));
            }
        }
        found.sort_unstable();
        let mut groups: Vec<&[(Facet, u32)]> =
            found.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1).collect();
        let mut stays = true;
        while std::mem::take(&mut stays) {
            groups.retain(|group| {
                let full: Vec<u32> =
                    group.iter().map(|at| at.1).filter(|&cell| is_full[cell as usize]).collect();
                let joins = full.len() == 1 && group.len() == 2;
                if joins {
                    is_full[full[0] as usize] = false;
                    stays = true;
                }
                !joins
            });
        }
        groups.iter().map(|group| group[0].0).collect()
    }

    /// Finds the parts of the cells around a vertex, the largest first.
    fn parts(&self, vertex: u32, cut: &[Facet]) -> Vec<Part> {
        let around = &self.vertices[vertex as usize].cells;
        let mut sides: Vec<(Facet, u32)> = Vec::with_capacity(around.len() * N);
        for (at, &cell) in (0..).zip(around) {
            let vertices = &self.cells[cell as usize].vertices;
            let others = (0..N).filter(|&corner| vertices[corner] != vertex);
            sides.extend(others.map(|corner| (facet(vertices, corner), at)));
        }
        sides.sort_unstable();
        let (mut sets, mut cuts) = (DisjointSets::new(around.len()), Vec::new());
        for two in sides.windows(2).filter(|two| two[0].0 == two[1].0) {
            if cut.binary_search(&two[0].0).is_err() {
                sets.join(two[0].1, two[1].1);
            } else {
                cuts.push((two[0].0, [two[0].1, two[1].1]));
            }
        }
        let mut parts: Vec<Part> = around.iter().map(|_| Part::default()).collect();
        for (at, &cell) in (0..).zip(around) {
            parts[sets.lowest(at) as usize].cells.push(cell);
        }
        let is_cut = |cell: &u32| {
            self.cells[*cell as usize].vertices.iter().all(|at| self.vertices[*at as usize].is_cut)
        };
        parts.iter_mut().for_each(|part| part.is_full = part.cells.iter().all(is_cut));
        for (facet, sides) in cuts {
            let [one, other] = sides.map(|at| sets.lowest(at) as usize);
            let [is_full, other_is_full] = [one, other].map(|part| parts[part].is_full);
            if one == other {
                parts[one].has_slit = true;
            } else if !is_full && !other_is_full {
                [one, other].iter().for_each(|part| parts[*part].border.extend(facet));
            }
        }
        parts.retain(|part| !part.cells.is_empty());
        parts.sort_by_key(|part| Reverse(part.cells.len()));
        parts
    }
}
