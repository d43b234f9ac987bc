//! Takes the cells near a cut apart.

use crate::complex::{Complex, Vertex};
use crate::divisible::Divisible;
use palpate_contact::NONE;

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

impl<M: Divisible<N>, const N: usize> Complex<'_, M, N> {
    /// Doubles the vertices where the cut parts the cells around them; these are no longer on the cut.
    pub(crate) fn take_apart(&mut self) {
        let facets = self.cut_facets();
        let mut moved = Vec::new();
        for vertex in 0..self.vertices.len() as u32 {
            let Vertex { is_cut, is_whole, .. } = self.vertices[vertex as usize];
            if is_cut && is_whole {
                self.double(vertex, &facets, &mut moved);
            }
        }
        for (cell, corner, vertex) in moved {
            let changed = &mut self.cells[cell as usize];
            changed.vertices[corner] = vertex;
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

    /// Finds the parts of the cells around a vertex that hang together by other facets than those of the cut. The largest keeps
    /// the vertex; the others get copies.
    fn double(&mut self, vertex: u32, cut: &[Facet], moved: &mut Vec<(u32, usize, u32)>) {
        let around = &self.vertices[vertex as usize].cells;
        let mut sides: Vec<(Facet, usize)> = Vec::with_capacity(around.len() * N);
        for (at, &cell) in around.iter().enumerate() {
            let vertices = &self.cells[cell as usize].vertices;
            let others = (0..N).filter(|&corner| vertices[corner] != vertex);
            sides.extend(others.map(|corner| (facet(vertices, corner), at)));
        }
        sides.sort_unstable();
        let mut part: Vec<usize> = (0..around.len()).collect();
        for group in sides.chunk_by(|x, y| x.0 == y.0) {
            if cut.binary_search(&group[0].0).is_err() {
                group.windows(2).for_each(|two| join(&mut part, two[0].1, two[1].1));
            }
        }
        let roots: Vec<usize> = (0..part.len()).map(|at| root(&part, at)).collect();
        let mut parts: Vec<(usize, usize)> = (0..roots.len())
            .filter(|&at| roots[at] == at)
            .map(|at| (roots.iter().filter(|root| **root == at).count(), at))
            .collect();
        if parts.len() < 2 {
            return;
        }
        parts.sort_unstable_by_key(|&(size, at)| (std::cmp::Reverse(size), at));
        for (number, (_, own)) in (self.vertices.len() as u32..).zip(&parts[1..]) {
            for (cell, _) in around.iter().zip(&roots).filter(|(_, root)| *root == own) {
                let corner = self.cells[*cell as usize].vertices.iter().position(|other| *other == vertex);
                moved.extend(corner.map(|corner| (*cell, corner, number)));
            }
        }
        let doubled = &mut self.vertices[vertex as usize];
        doubled.is_cut = false;
        let copy = Vertex { id: NONE, cells: Vec::new(), ..*doubled };
        self.vertices.extend(parts[1..].iter().map(|_| copy.clone()));
    }
}

fn root(part: &[usize], mut at: usize) -> usize {
    while part[at] != at {
        at = part[at];
    }
    at
}

/// Joins two parts: the lower number stays.
fn join(part: &mut [usize], x: usize, y: usize) {
    let [x, y] = [root(part, x), root(part, y)];
    part[x.max(y)] = x.min(y);
}
