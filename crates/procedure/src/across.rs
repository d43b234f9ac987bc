//! Which tetrahedron lies across a face.

use palpate_contact::NONE;
use palpate_geometry::TetraMesh;
use palpate_math::tetrahedron::face_corners;

/// The table is made anew where more than one cell in this many has changed.
const FEW: usize = 8;

/// For each tetrahedron and corner, the tetrahedron across the face opposite the corner; [`NONE`] at the boundary.
#[derive(Debug, Default)]
pub(crate) struct Across {
    topology: u64,
    /// The cells of which the table is.
    of: Vec<[u32; 4]>,
    pub(crate) cells: Vec<[u32; 4]>,
    faces: Vec<([u32; 3], u32, u32)>,
    changed: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Across {
    /// Brings the table up to date. After a cut the cost is a pass over the cells, and in proportion to the change.
    pub(crate) fn update(&mut self, mesh: &TetraMesh, topology: u64) {
        if self.topology == topology {
            return;
        }
        self.topology = topology;
        let cells = mesh.cells();
        self.changed.clear();
        let is_changed = |&cell: &u32| self.of.get(cell as usize) != Some(&cells[cell as usize]);
        self.changed.extend((0..cells.len() as u32).filter(is_changed));
        let is_new = self.of.len() > cells.len() || FEW * self.changed.len() > cells.len();
        if is_new {
            self.cells.clear();
        }
        self.of.clear();
        self.of.extend_from_slice(cells);
        self.cells.resize(cells.len(), [NONE; 4]);
        self.is_touched.clear();
        self.is_touched.resize(mesh.points().len(), is_new);
        if !is_new {
            self.forget_changed();
        }
        self.join_open();
    }

    /// Opens the faces of the cells that have changed, and marks their vertices.
    fn forget_changed(&mut self) {
        for &cell in &self.changed {
            let across = std::mem::replace(&mut self.cells[cell as usize], [NONE; 4]);
            for other in across.into_iter().filter(|other| *other != NONE) {
                self.cells[other as usize]
                    .iter_mut()
                    .filter(|back| **back == cell)
                    .for_each(|back| *back = NONE);
            }
            let ids = self.of[cell as usize];
            ids.iter().filter(|id| **id != NONE).for_each(|id| self.is_touched[*id as usize] = true);
        }
    }

    /// Joins open faces between marked vertices.
    fn join_open(&mut self) {
        self.faces.clear();
        for (cell, (ids, across)) in
            (0..).zip(self.of.iter().zip(&self.cells)).filter(|(_, (ids, _))| ids[0] != NONE)
        {
            for corner in (0..4).filter(|&corner| across[corner] == NONE) {
                let mut face = face_corners(corner).map(|corner| ids[corner]);
                if face.iter().all(|id| self.is_touched[*id as usize]) {
                    face.sort_unstable();
                    self.faces.push((face, cell, corner as u32));
                }
            }
        }
        self.faces.sort_unstable();
        for two in self.faces.windows(2).filter(|two| two[0].0 == two[1].0) {
            let [(_, cell, corner), (_, other, its)] = [two[0], two[1]];
            self.cells[cell as usize][corner as usize] = other;
            self.cells[other as usize][its as usize] = cell;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    /// A fan of tetrahedra around an edge, cells removed and added: as a table made anew.
    #[test]
    fn a_cut_changes_what_it_touches() {
        let points =
            (0..40).map(|k| Point::new(f64::from(k), f64::from(k * k), f64::from(k * k * k))).collect();
        let cells = (2..37).map(|k| [0, 1, k, k + 1]).collect();
        let mut mesh = TetraMesh::new(points, cells).unwrap();
        let mut table = Across::default();
        let mut joined = 0;
        for step in 0..12_u32 {
            if step > 0 {
                let removed = (7 * step) % 30;
                let ids = mesh.cells()[removed as usize];
                let parts = [[38, ids[1], ids[2], ids[3]], [ids[0], 38, ids[2], ids[3]]];
                mesh.replace_cells(&[removed], &[], &parts[..(step % 3) as usize]).unwrap();
            }
            table.update(&mesh, u64::from(step) + 1);
            let mut new = Across::default();
            new.update(&mesh, 1);
            assert_eq!(table.cells, new.cells, "step {step}");
            joined += table.cells.iter().flatten().filter(|cell| **cell != NONE).count();
        }
        assert!(joined > 500, "{joined}");
    }
}
