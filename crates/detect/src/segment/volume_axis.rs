//! The deepest points of a segment in a tetrahedral mesh.

use crate::room;
use crate::segment::segment_penetration::{Deepest, DeepestSearch};
use palpate_contact::NONE;
use palpate_geometry::{SurfaceMesh, TetraMesh};
use palpate_math::intersect::segment_tetrahedron;
use palpate_math::{Aabb, Point};

/// The search for the deepest point of a segment in the tetrahedra of a mesh, and its reusable memory. Containment is
/// decided exactly by the tetrahedra, not by the normals of the boundary.
#[derive(Debug, Default)]
pub(crate) struct VolumeAxis {
    search: DeepestSearch,
    candidates: Vec<u32>,
    stretches: Vec<Stretch>,
    found: Vec<(Deepest, u32)>,
}

/// The part of the segment in a tetrahedron, as parameters along the segment.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: f64,
    to: f64,
    cell: u32,
}

impl VolumeAxis {
    /// Returns the deepest points of the segment in the mesh, each with the lowest-index tetrahedron that contains
    /// it: one per part of the boundary that an inside stretch exits through, the deepest first. Empty if it
    /// intersects no tetrahedron.
    pub(crate) fn deepest(
        &mut self,
        mesh: &TetraMesh,
        boundary: &SurfaceMesh,
        [start, end]: [&Point; 2],
    ) -> &[(Deepest, u32)] {
        self.found.clear();
        self.candidates.clear();
        if let Some(tree) = mesh.tree() {
            tree.overlap(&Aabb::from_corners(start, end), |cell| room::push(&mut self.candidates, cell));
        }
        self.stretches.clear();
        for &cell in &self.candidates {
            let part = segment_tetrahedron(start, end, mesh.corners(cell).each_ref());
            room::extend(&mut self.stretches, part.map(|(from, to)| Stretch { from, to, cell }));
        }
        self.stretches.sort_unstable_by(|x, y| x.from.total_cmp(&y.from).then(x.cell.cmp(&y.cell)));
        let part_of =
            |deepest: &Deepest| boundary.adjacency().part_of(boundary.owner(deepest.nearest.feature));
        let mut index = 0;
        while let Some(&Stretch { from, mut to, .. }) = self.stretches.get(index) {
            // Touching stretches are searched as one.
            while let Some(next) = self.stretches.get(index).filter(|next| next.from <= to) {
                to = to.max(next.to);
                index += 1;
            }
            let Some(deepest) = self.search.between(boundary, [start, end], from, to) else { continue };
            match self.found.iter_mut().find(|(other, _)| part_of(other) == part_of(&deepest)) {
                Some((other, _)) => *other = deeper_of(*other, deepest),
                None => room::push(&mut self.found, (deepest, NONE)),
            }
        }
        for (deepest, cell) in &mut self.found {
            let holds = |stretch: &&Stretch| (stretch.from..=stretch.to).contains(&deepest.t);
            *cell = self.stretches.iter().filter(holds).map(|stretch| stretch.cell).min().unwrap_or(NONE);
        }
        self.found.retain(|&(_, cell)| cell != NONE);
        // Of equally deep places the first along the axis.
        self.found.sort_unstable_by(|(x, a), (y, b)| {
            x.signed.distance.total_cmp(&y.signed.distance).then(x.t.total_cmp(&y.t)).then(a.cmp(b))
        });
        &self.found
    }
}

/// Returns the deeper of two; ties go to the first. The bound and the convergence cover both.
fn deeper_of(first: Deepest, second: Deepest) -> Deepest {
    let deeper = if second.signed.distance < first.signed.distance { second } else { first };
    let converged = first.converged && second.converged;
    Deepest { upper: first.upper.max(second.upper), converged, ..deeper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{Geometry, Needs};

    /// In the face between two tetrahedra, x + y + z = 8, whichever of the two has the lower index.
    #[test]
    fn of_two_tetrahedra_that_hold_a_place_the_lower_is_named() {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        for cells in [[[0, 1, 2, 3], [1, 2, 3, 4]], [[1, 2, 3, 4], [0, 1, 2, 3]]] {
            let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells.to_vec()).unwrap();
            mesh.prepare(Needs::TREE | Needs::BOUNDARY);
            let ends = [Point::new(4.0, 3.0, 1.0), Point::new(2.0, 5.0, 1.0)];
            let mut search = VolumeAxis::default();
            let found = search.deepest(&mesh, mesh.boundary().unwrap(), ends.each_ref());
            assert_eq!((found.len(), found[0].1), (1, 0));
        }
    }
}
