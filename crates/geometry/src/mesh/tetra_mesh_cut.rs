//! Cutting of tetrahedral meshes.

use super::cut::{self, CellMap};
use crate::cells::is_tombstone;
use crate::derived::{FACES, VertexLists, boundary_of, face_of, numbers, runs};
use crate::validate::cells_in_range;
use crate::{GeometryError, SurfaceMesh, TetraMesh};
use palpate_contact::NONE;
use palpate_math::{Point, orient};
use std::ops::Range;

impl TetraMesh {
    /// Whether a tetrahedron was removed. Its vertices are [`NONE`]; numbers beyond the last count as removed.
    pub fn is_removed(&self, cell: u32) -> bool {
        self.cells.get(cell as usize).is_none_or(is_tombstone)
    }

    /// Whether any tetrahedron was removed since the mesh was made or [compacted](Self::compact).
    pub fn is_cut(&self) -> bool {
        self.cells.iter().any(is_tombstone)
    }

    /// The numbers of the removed tetrahedra, ascending.
    pub fn removed_cells(&self) -> Vec<u32> {
        cut::removed(&self.cells)
    }

    /// Removes tetrahedra; the others keep their numbers. The boundary loses their faces and gains those that they hid; its
    /// other triangles and edges keep their numbers. Errors: a tetrahedron that is not there or is named twice; then nothing
    /// is changed.
    ///
    /// Cost: in proportion to the change, but for one light pass over the boundary that finds its connected parts, and one
    /// over the mesh when it is first cut, unless it was prepared with [`Needs::CUTS`](crate::Needs::CUTS).
    pub fn remove_cells(&mut self, removed: &[u32]) -> Result<(), GeometryError> {
        let removed = cut::checked(&self.cells, removed)?;
        self.change(&removed, &[], &[]).map(|_| ())
    }

    /// Adds vertices at `positions` (world frame, metres), then tetrahedra (vertex ids, also new ones). Returns the numbers of
    /// the tetrahedra. Errors: a coordinate that is not finite, a vertex id out of range; then nothing is changed.
    pub fn add_cells(
        &mut self,
        positions: &[Point],
        cells: &[[u32; 4]],
    ) -> Result<Range<u32>, GeometryError> {
        self.change(&[], positions, cells)
    }

    /// Replaces tetrahedra by others: adds vertices at `positions` (world frame, metres), then `cells` (vertex ids, also new ones),
    /// and removes those at `removed`. Returns the numbers of the new tetrahedra. Errors: a tetrahedron that is not there or is
    /// named twice, a coordinate that is not finite, a vertex id out of range; then nothing is changed. Cost as
    /// [`remove_cells`](Self::remove_cells), once for all.
    pub fn replace_cells(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        cells: &[[u32; 4]],
    ) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.cells, removed)?;
        self.change(&removed, positions, cells)
    }

    /// Divides a tetrahedron by a new vertex at `point`, in four. Returns their numbers. Errors: a tetrahedron that is not
    /// there, a coordinate that is not finite; then nothing is changed.
    pub fn split_cell(&mut self, cell: u32, point: &Point) -> Result<Range<u32>, GeometryError> {
        let removed = cut::checked(&self.cells, &[cell])?;
        let (whole, new) = (self.cells[cell as usize], self.points.len() as u32);
        let with = |corner: usize| {
            let mut part = whole;
            part[corner] = new;
            part
        };
        self.change(&removed, &[*point], &[with(0), with(1), with(2), with(3)])
    }

    /// Numbers the tetrahedra, and the triangles of the boundary, anew, without the removed ones, in the order of the
    /// tetrahedra. The vertices keep their numbers.
    pub fn compact(&mut self) -> CellMap {
        let map = cut::compacted(&mut self.cells);
        self.renumbered(&map);
        map
    }

    /// Returns the mesh with the numbers of one that was cut: its tetrahedra leave out the numbers `removed`, whose tetrahedra count as
    /// removed. The inverse of [`compact`](Self::compact). Errors: a number beyond the last of all, or one that is named twice.
    pub fn with_removed(mut self, removed: &[u32]) -> Result<Self, GeometryError> {
        if removed.is_empty() {
            return Ok(self);
        }
        let map = cut::spread(&mut self.cells, removed)?;
        self.renumbered(&map);
        Ok(self)
    }

    /// The numbers of the triangles of the boundary, in the order of the tetrahedra and their faces, and of its edges, in the order of
    /// their first use by these triangles: in the ids of contacts, and in runs as [`SurfaceMesh::edge_numbers`]. Empty for a mesh that
    /// has them in this order, as before it was cut.
    pub fn boundary_numbers(&self) -> [Vec<u32>; 2] {
        let adjacency = &self.boundary.adjacency;
        let triangles = runs(&adjacency.triangles_by_rank(), self.boundary_cells.len());
        [triangles, adjacency.edge_runs()]
    }

    /// Returns a mesh that was just made with these [`boundary_numbers`](Self::boundary_numbers); empty ones leave them. Errors: not
    /// as many as there are triangles or edges, one that is named twice, more than cuts of the tetrahedra can make.
    pub fn with_boundary_numbers(mut self, [triangles, edges]: [&[u32]; 2]) -> Result<Self, GeometryError> {
        // A tetrahedron shows its faces when it is made, and those that it hides when it is removed.
        let most = 8 * self.cells.len();
        if !edges.is_empty() {
            self.boundary.adjacency.number_edges(edges, 3 * most)?;
            self.boundary.points.version.rebuilt();
        }
        if !triangles.is_empty() {
            let (numbers, count) = numbers("boundary triangles", triangles, self.boundary_cells.len(), most)?;
            let (mut ranks, mut cells) = (vec![NONE; count], vec![NONE; count]);
            let before = ranks_of(&self.boundary, &self.boundary_cells, &self.cells);
            for ((&number, rank), &cell) in numbers.iter().zip(before).zip(&self.boundary_cells) {
                (ranks[number as usize], cells[number as usize]) = (rank, cell);
            }
            self.boundary.number_triangles(&numbers, count, ranks);
            self.boundary_cells = cells;
        }
        Ok(self)
    }

    /// What depends on the numbers of the tetrahedra is made anew.
    fn renumbered(&mut self, map: &CellMap) {
        self.inverted = self.inverted.iter().filter_map(|&cell| map.get(cell)).collect();
        let (inverted, cells) = (&self.inverted, &self.cells);
        let (triangles, boundary_cells) = boundary_of(cells, |cell| inverted.binary_search(&cell).is_ok());
        self.boundary = SurfaceMesh::new(self.points.positions().to_vec(), triangles)
            .expect("the vertices and cells of a mesh were checked")
            .trusted();
        self.boundary_cells = boundary_cells;
        self.points.set_owners(&self.cells);
        self.points.version.rebuilt();
        self.boundary_version = self.points.version;
        // Its previous positions are not those of the mesh.
        self.boundary_motion = Default::default();
        self.at_vertices.clear();
    }

    fn change(
        &mut self,
        removed: &[u32],
        positions: &[Point],
        added: &[[u32; 4]],
    ) -> Result<Range<u32>, GeometryError> {
        cells_in_range(added, self.points.len() + positions.len())?;
        let (before, first_new) = (self.points.version, self.cells.len());
        self.points.add(positions)?;
        self.cells.extend_from_slice(added);
        for (cell, ids) in (first_new as u32..).zip(added) {
            let [a, b, c, d] = ids.map(|id| &self.points.positions()[id as usize]);
            if orient::orient3d(a, b, c, d) < 0.0 {
                self.inverted.push(cell);
            }
        }
        let touched = cut::touched(&self.cells, removed, first_new);
        let faces =
            faces(&self.cells, removed.iter().copied().chain(first_new as u32..self.cells.len() as u32));
        let lists = self.at_vertices.cut(&self.cells, removed, first_new);
        for vertex in touched {
            self.points.set_owner(vertex, lists.at(vertex).first().map_or(NONE, |corner| corner / 4));
        }
        let was_current = self.boundary_version == before;
        cut_boundary(
            (&mut self.boundary, &mut self.boundary_cells),
            &faces,
            (&self.cells, lists, &self.inverted),
            positions,
        )?;
        for &cell in removed {
            self.cells[cell as usize] = [NONE; 4];
        }
        self.points.version.rebuilt();
        if was_current {
            self.boundary_version = self.points.version;
        }
        self.boundary_motion = Default::default();
        self.tree.cut((before, self.points.version), removed, &self.cells, self.points.positions());
        Ok(first_new as u32..self.cells.len() as u32)
    }
}

/// Returns the faces of cells by their vertices, ascending, each once.
fn faces(cells: &[[u32; 4]], changed: impl Iterator<Item = u32>) -> Vec<[u32; 3]> {
    let of_cell = |cell: u32| FACES.map(|corners| key(corners.map(|corner| cells[cell as usize][corner])));
    let mut faces: Vec<[u32; 3]> = changed.flat_map(of_cell).collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}

fn key(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// Updates the boundary where faces may have become part of it, or have ceased to be.
fn cut_boundary(
    (boundary, boundary_cells): (&mut SurfaceMesh, &mut Vec<u32>),
    faces: &[[u32; 3]],
    (cells, lists, inverted): (&[[u32; 4]], &VertexLists, &[u32]),
    new_vertices: &[Point],
) -> Result<(), GeometryError> {
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for face in faces {
        let shown = triangle_of(boundary, face);
        let owner = only_owner(cells, lists, face);
        let is_kept =
            owner.zip(shown).is_some_and(|((cell, _), shown)| boundary_cells[shown as usize] == cell);
        if is_kept {
            continue;
        }
        gone.extend(shown);
        new.extend(owner);
    }
    gone.sort_unstable();
    new.sort_unstable();
    rank_faces(boundary, boundary_cells, cells, &new);
    let triangle = |&(cell, number): &(u32, usize)| {
        face_of(&cells[cell as usize], number, inverted.binary_search(&cell).is_ok())
    };
    let triangles: Vec<[u32; 3]> = new.iter().map(triangle).collect();
    boundary.change(&gone, new_vertices, &triangles)?;
    for triangle in gone {
        boundary_cells[triangle as usize] = NONE;
    }
    boundary_cells.extend(new.iter().map(|&(cell, _)| cell));
    Ok(())
}

/// Ranks the triangles of a boundary, and those that will be added, in the order in which a new boundary has them: of their cells,
/// and of the faces of a cell. Ties are then decided as there.
fn rank_faces(boundary: &mut SurfaceMesh, boundary_cells: &[u32], cells: &[[u32; 4]], new: &[(u32, usize)]) {
    if !boundary.adjacency.is_ranked() {
        let ranks = ranks_of(boundary, boundary_cells, cells);
        boundary.adjacency.add_ranks(ranks);
    }
    boundary.adjacency.add_ranks(new.iter().map(|&(cell, face)| rank(cell, face)));
}

fn rank(cell: u32, face: usize) -> u32 {
    FACES.len() as u32 * cell + face as u32
}

/// The ranks of the triangles of a boundary without removed ones.
fn ranks_of(boundary: &SurfaceMesh, boundary_cells: &[u32], cells: &[[u32; 4]]) -> Vec<u32> {
    let of_triangle = |(triangle, &cell): (&[u32; 3], &u32)| {
        let ids = &cells[cell as usize];
        let opposite = ids.iter().position(|id| !triangle.contains(id));
        rank(cell, opposite.unwrap_or(0))
    };
    boundary.triangles.iter().zip(boundary_cells).map(of_triangle).collect()
}

/// Returns the triangle of the boundary with these vertices.
fn triangle_of(boundary: &SurfaceMesh, face: &[u32; 3]) -> Option<u32> {
    let at_vertex = boundary.adjacency().corners_at(face[0]).iter().map(|corner| corner / 3);
    let mut same = at_vertex.filter(|&triangle| key(boundary.triangles()[triangle as usize]) == *face);
    same.next()
}

/// Returns the cell that has a face, and the number of the face, if no other cell has it.
fn only_owner(cells: &[[u32; 4]], lists: &VertexLists, face: &[u32; 3]) -> Option<(u32, usize)> {
    let mut found = None;
    let mut last = NONE;
    for cell in lists.at(face[0]).iter().map(|corner| corner / 4) {
        // A degenerate cell is at a vertex twice.
        if std::mem::replace(&mut last, cell) == cell {
            continue;
        }
        for (number, corners) in FACES.iter().enumerate() {
            if key(corners.map(|corner| cells[cell as usize][corner])) == *face {
                if found.is_some() {
                    return None;
                }
                found = Some((cell, number));
            }
        }
    }
    found
}
