//! Flat patches: edge-connected coplanar triangles that act as one face.

use crate::room::{self, make_room};
use palpate_contact::NONE;
use palpate_geometry::SurfaceMesh;
use palpate_math::Vector;

/// The cosine of the largest angle between the normals of two triangles of a patch: about 1.4 milliradians.
pub(crate) const COPLANAR: f64 = 1.0 - 1e-6;

/// The patches among the candidates of a query; candidates are in ascending order.
#[derive(Debug, Default)]
pub(crate) struct FacePatches {
    /// Per candidate, the index of its patch, or [`NONE`].
    patch_of: Vec<u32>,
    count: u32,
    open: Vec<u32>,
    /// The members of the last patch, as indices into the candidates, in ascending order.
    members: Vec<u32>,
}

impl FacePatches {
    /// Removes all patches.
    pub(crate) fn begin(&mut self, candidates: usize) {
        self.patch_of.clear();
        make_room(&mut self.patch_of, candidates);
        self.patch_of.resize(candidates, NONE);
        room::open(&mut self.open);
        room::open(&mut self.members);
        self.count = 0;
    }

    /// Returns the patch of a candidate, or [`NONE`].
    pub(crate) fn patch_of(&self, index: usize) -> u32 {
        self.patch_of[index]
    }

    /// Returns the members of the last patch, as indices into the candidates.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Starts a new patch at candidate `seed` with the given unit normal, and adds the coplanar candidates that are
    /// connected to it and in no other patch.
    pub(crate) fn grow(&mut self, surface: &SurfaceMesh, candidates: &[u32], seed: usize, normal: &Vector) {
        let Some(normals) = surface.normals() else { return };
        let adjacency = surface.adjacency();
        let patch = self.count;
        self.count += 1;
        self.members.clear();
        self.open.clear();
        self.patch_of[seed] = patch;
        room::push(&mut self.open, seed as u32);
        while let Some(index) = self.open.pop() {
            room::push(&mut self.members, index);
            let triangle = candidates[index as usize];
            for edge in adjacency.triangle_edges[triangle as usize] {
                let other = across(adjacency.edge_triangles[edge as usize], triangle);
                let Ok(next) = candidates.binary_search(&other) else { continue };
                if self.patch_of[next] == NONE && normals.face(other).dot(normal) >= COPLANAR {
                    self.patch_of[next] = patch;
                    room::push(&mut self.open, next as u32);
                }
            }
        }
        self.members.sort_unstable();
    }

    /// Whether the triangle across an edge of a member of the last patch is also in that patch.
    pub(crate) fn goes_on(
        &self,
        surface: &SurfaceMesh,
        candidates: &[u32],
        edge: u32,
        triangle: u32,
    ) -> bool {
        let other = across(surface.adjacency().edge_triangles[edge as usize], triangle);
        let found = candidates.binary_search(&other);
        found.is_ok_and(|next| self.patch_of[next] == self.count - 1)
    }
}

/// Returns the other triangle of an edge, or [`NONE`].
pub(crate) fn across([first, second]: [u32; 2], triangle: u32) -> u32 {
    if first == triangle { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{floor, mesh, tetrahedron};

    #[test]
    fn a_square_is_one_patch_and_the_faces_of_a_corner_are_three() {
        let mut patches = FacePatches::default();
        patches.begin(2);
        patches.grow(&floor(1.0), &[0, 1], 1, &Vector::y());
        assert_eq!((patches.members(), patches.patch_of(0)), (&[0, 1][..], 0));
        let corner = tetrahedron(1.0);
        assert!(!patches.goes_on(&floor(1.0), &[0, 1], 1, 0), "nothing is across the border");
        patches.begin(4);
        for seed in 0..4 {
            let normal = corner.normals().unwrap().face(seed as u32);
            patches.grow(&corner, &[0, 1, 2, 3], seed, &normal);
            assert_eq!(patches.members(), [seed as u32]);
        }
    }

    /// Two sides of a roof, each sloped by half the angle between them.
    #[test]
    fn triangles_are_one_patch_to_a_milliradian() {
        for (between, members) in [(5e-4, 2), (5e-3, 1)] {
            let low = -0.5 * between;
            let corners = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, low, 0.0], [-1.0, low, 0.0]];
            let roof = mesh(&corners, &[[0, 1, 2], [1, 0, 3]]);
            let mut patches = FacePatches::default();
            patches.begin(2);
            patches.grow(&roof, &[0, 1], 0, &roof.normals().unwrap().face(0));
            assert_eq!(patches.members().len(), members, "{between}");
        }
    }
}
