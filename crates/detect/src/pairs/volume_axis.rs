//! A segment in a tetrahedral mesh: where it is deepest.

use crate::pairs::deepest::{Deepest, DeepestSearch};
use palpate_geometry::{SurfaceMesh, TetraMesh};
use palpate_math::intersect::segment_tetrahedron;
use palpate_math::{Aabb, Point};

/// The search for the deepest point of a segment in the tetrahedra of a mesh, with its memory. What is inside is told by
/// the tetrahedra, exactly, and not by the normals of the boundary.
#[derive(Debug, Default)]
pub(crate) struct VolumeAxis {
    search: DeepestSearch,
    candidates: Vec<u32>,
    stretches: Vec<Stretch>,
}

/// The part of the segment in a tetrahedron, as weights of its end.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: f64,
    to: f64,
    cell: u32,
}

impl VolumeAxis {
    /// The deepest point of the segment in the mesh, and the lowest tetrahedron that holds it; `None` when it meets no
    /// tetrahedron.
    pub(crate) fn deepest(
        &mut self,
        mesh: &TetraMesh,
        boundary: &SurfaceMesh,
        [start, end]: [&Point; 2],
    ) -> Option<(Deepest, u32)> {
        self.candidates.clear();
        mesh.tree()?.overlap(&Aabb::from_corners(start, end), |cell| self.candidates.push(cell));
        self.stretches.clear();
        for &cell in &self.candidates {
            let part = segment_tetrahedron(start, end, mesh.corners(cell).each_ref());
            self.stretches.extend(part.map(|(from, to)| Stretch { from, to, cell }));
        }
        self.stretches.sort_unstable_by(|x, y| x.from.total_cmp(&y.from).then(x.cell.cmp(&y.cell)));
        let (mut best, mut index): (Option<Deepest>, usize) = (None, 0);
        while let Some(&Stretch { from, mut to, .. }) = self.stretches.get(index) {
            // Stretches that touch are searched as one.
            while let Some(next) = self.stretches.get(index).filter(|next| next.from <= to) {
                to = to.max(next.to);
                index += 1;
            }
            let found = self.search.between(boundary, [start, end], from, to)?;
            best = Some(best.map_or(found, |best| deeper_of(best, found)));
        }
        let deepest = best?;
        let holds = |stretch: &&Stretch| (stretch.from..=stretch.to).contains(&deepest.t);
        let cell = self.stretches.iter().filter(holds).map(|stretch| stretch.cell).min()?;
        Some((deepest, cell))
    }
}

/// The deeper of two, the first of equals; the bound and its state are those of both.
fn deeper_of(first: Deepest, second: Deepest) -> Deepest {
    let deeper = if second.signed.distance < first.signed.distance { second } else { first };
    let converged = first.converged && second.converged;
    Deepest { upper: first.upper.max(second.upper), converged, ..deeper }
}
