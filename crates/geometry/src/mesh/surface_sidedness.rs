//! How a surface finds out on which side a point lies.

use super::SurfaceMesh;
use super::sidedness::{Sidedness, Soundness};
use crate::health::{Components, has_self_intersections};
use palpate_bvh::{InTurn, Tasks};

impl SurfaceMesh {
    /// Returns the mesh, declared closed (a solid) or open (a sheet) regardless of its edges.
    #[must_use]
    pub fn with_closed(mut self, closed: bool) -> Self {
        self.points.version.moved();
        self.soundness.take();
        Self { closed, is_declared: true, ..self }
    }

    /// Returns the mesh with the given inside-outside classification; the surface is not searched for self-intersections.
    #[must_use]
    pub fn with_sidedness(mut self, sidedness: Sidedness) -> Self {
        self.points.version.moved();
        self.soundness.take();
        Self { given_sidedness: Some(sidedness), ..self }
    }

    /// Returns the mesh with the inside-outside classification that was decided before, as a recording has it, and whether the
    /// surface was found to intersect itself then; it is not searched again. A change of the topology drops the latter.
    #[must_use]
    pub fn with_decided_sides(self, sidedness: Sidedness, is_self_intersecting: bool) -> Self {
        let mesh = self.with_sidedness(sidedness);
        Self { soundness: Soundness { sidedness, is_self_intersecting }.into(), ..mesh }
    }

    /// Returns the mesh with the inside-outside classification that it has without [`with_sidedness`](Self::with_sidedness):
    /// automatic, see [`sidedness`](Self::sidedness); decided anew, in the positions of now.
    #[must_use]
    pub fn with_auto_sidedness(mut self) -> Self {
        self.points.version.moved();
        self.soundness.take();
        Self { given_sidedness: None, ..self }
    }

    /// Returns the mesh with the inside-outside classification recommended by its [health](Self::health) in the current
    /// positions, which topology changes do not change any more. Cost: that of the health report.
    #[must_use]
    pub fn examined(self) -> Self {
        let health = self.health();
        self.with_decided_sides(health.sidedness(), !health.self_intersections.is_empty())
    }

    /// A surface whose maker knows that it is sound, as the boundary of solid cells is: by pseudonormals, and not searched.
    pub(crate) fn trusted(self) -> Self {
        Self { given_sidedness: Some(Sidedness::Pseudonormals), ..self }
    }

    /// Returns the inside-outside classification: as set by [`with_sidedness`](Self::with_sidedness),
    /// [`with_decided_sides`](Self::with_decided_sides) or [`examined`](Self::examined), else found out. A closed surface uses
    /// pseudonormals if it is closed by its edges, oriented, free of self-intersections, and if its components agree; else winding numbers. Vertices between two fans do
    /// not matter: the pseudonormal of such a vertex is right. An open surface, which has no inside, uses pseudonormals.
    ///
    /// It is decided in the positions of the first [`prepare`](crate::Geometry::prepare) with
    /// [`Needs::NORMALS`](crate::Needs::NORMALS), or of the first call of this function if that is earlier, and again after
    /// each change of the topology; not after motion. [`health`](Self::health) says how the surface is now. Cost when it is decided:
    /// a search for self-intersections, O(n log n).
    pub fn sidedness(&self) -> Sidedness {
        match self.given_sidedness {
            Some(sidedness) => sidedness,
            None if !self.closed => Sidedness::Pseudonormals,
            None => self.soundness(&InTurn).sidedness,
        }
    }

    /// Returns the inside-outside classification that was given; `None` if it is found out.
    pub fn given_sidedness(&self) -> Option<Sidedness> {
        self.given_sidedness
    }

    /// Whether the surface is closed and was found to intersect itself when its [`sidedness`](Self::sidedness) was decided;
    /// false where that was given, but by [`with_decided_sides`](Self::with_decided_sides). Also true where so many triangles lie in
    /// one place that the search was given up.
    pub fn is_self_intersecting(&self) -> bool {
        let is_asked = self.closed && self.given_sidedness.is_none();
        let found = if is_asked { Some(self.soundness(&InTurn)) } else { self.soundness.get().copied() };
        self.closed && found.is_some_and(|found| found.is_self_intersecting)
    }

    /// Decides the sides of a closed surface, if that was not done and nobody gave them.
    pub(super) fn decide_sides(&self, tasks: &dyn Tasks) {
        if self.closed && self.given_sidedness.is_none() {
            self.soundness(tasks);
        }
    }

    fn soundness(&self, tasks: &dyn Tasks) -> Soundness {
        *self.soundness.get_or_init(|| {
            let (positions, triangles) = (self.points.positions(), self.triangles());
            let by = |sidedness, is_self_intersecting| Soundness { sidedness, is_self_intersecting };
            if !self.adjacency.is_closed() {
                return by(Sidedness::WindingNumber, false);
            }
            if has_self_intersections(positions, triangles, (self.tree(), Some(&self.adjacency)), tasks) {
                return by(Sidedness::WindingNumber, true);
            }
            if self.adjacency.parts.is_empty() || self.parts_agree() {
                return by(Sidedness::Pseudonormals, false);
            }
            by(Sidedness::WindingNumber, false)
        })
    }

    /// Whether no component lies in another or winds against it, of a closed surface without self-intersections.
    fn parts_agree(&self) -> bool {
        let mut compacted = self.clone();
        let whole = if self.is_cut() {
            compacted.compact();
            &compacted
        } else {
            self
        };
        let sound = vec![true; whole.adjacency.edges.len()];
        let positions = whole.points.positions();
        Components::new(positions, &whole.triangles, &whole.adjacency, &sound).inconsistent().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geometry, Needs};
    use palpate_math::Point;

    /// A tetrahedron with a corner at `at`, of size `size`; turned inside out if that is negative.
    fn tetrahedron(at: [f64; 3], size: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
        let corner =
            |x: f64, y: f64, z: f64| Point::new(at[0] + size * x, at[1] + size * y, at[2] + size * z);
        let positions =
            vec![corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(0.0, 0.0, 1.0)];
        (positions, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    }

    fn two(second: ([f64; 3], f64)) -> SurfaceMesh {
        let (mut positions, mut triangles) = tetrahedron([0.0; 3], 1.0);
        let (more, cells) = tetrahedron(second.0, second.1);
        positions.extend(more);
        triangles.extend(cells.iter().map(|ids| ids.map(|id| id + 4)));
        SurfaceMesh::new(positions, triangles).unwrap()
    }

    #[test]
    fn it_is_decided_as_health_recommends() {
        let cases = [
            (([5.0, 0.0, 0.0], 1.0), Sidedness::Pseudonormals, false), // Apart.
            (([0.5, 0.1, 0.1], 1.0), Sidedness::WindingNumber, true),  // Overlapping.
            (([0.1, 0.1, 0.1], 0.1), Sidedness::WindingNumber, false), // A body in a body.
            (([1.0, 0.0, 0.0], 1.0), Sidedness::Pseudonormals, false), // Touching at coincident corners.
        ];
        for (second, sidedness, is_self_intersecting) in cases {
            let mesh = two(second);
            assert_eq!(
                (mesh.sidedness(), mesh.is_self_intersecting()),
                (sidedness, is_self_intersecting),
                "{second:?}"
            );
            assert_eq!(mesh.health().sidedness(), sidedness, "{second:?}");
            let examined = mesh.examined();
            assert_eq!(
                (examined.sidedness(), examined.is_self_intersecting()),
                (sidedness, is_self_intersecting)
            );
        }
    }

    #[test]
    fn what_is_given_is_not_searched_and_open_surfaces_are_not() {
        let given = two(([0.5, 0.1, 0.1], 1.0)).with_sidedness(Sidedness::Pseudonormals);
        assert_eq!((given.sidedness(), given.is_self_intersecting()), (Sidedness::Pseudonormals, false));
        let found = given.with_auto_sidedness();
        assert!(found.is_self_intersecting());
        let given = found.with_sidedness(Sidedness::WindingNumber);
        assert!(!given.is_self_intersecting(), "what was found is dropped");
        let decided = given.with_decided_sides(Sidedness::WindingNumber, true);
        assert_eq!((decided.sidedness(), decided.is_self_intersecting()), (Sidedness::WindingNumber, true));
        let open = two(([0.5, 0.1, 0.1], 1.0)).with_closed(false);
        assert_eq!((open.sidedness(), open.is_self_intersecting()), (Sidedness::Pseudonormals, false));
        let torn =
            SurfaceMesh::new(tetrahedron([0.0; 3], 1.0).0, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]]).unwrap();
        assert_eq!(torn.with_closed(true).sidedness(), Sidedness::WindingNumber);
    }

    /// Moved into itself it stays as it was decided; after a change of the topology it is decided anew.
    #[test]
    fn it_is_decided_anew_after_a_cut_and_not_after_motion() {
        let mut mesh = two(([5.0, 0.0, 0.0], 1.0));
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let crossing = two(([0.5, 0.1, 0.1], 1.0)).points().positions().to_vec();
        mesh.set_positions(&crossing).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        assert_eq!((mesh.sidedness(), mesh.is_self_intersecting()), (Sidedness::Pseudonormals, false));
        assert_eq!(mesh.health().sidedness(), Sidedness::WindingNumber);
        assert!(mesh.clone().with_auto_sidedness().is_self_intersecting(), "decided anew on a copy");
        mesh.split_cell(0, &Point::new(0.2, 0.2, 0.0)).unwrap();
        assert_eq!((mesh.sidedness(), mesh.is_self_intersecting()), (Sidedness::WindingNumber, true));
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        assert!(mesh.winding_number(&Point::new(0.55, 0.15, 0.15)).is_some_and(|turns| turns > 1.5));
        mesh.remove_cells(&[5, 6, 7, 4]).unwrap();
        assert_eq!((mesh.sidedness(), mesh.is_self_intersecting()), (Sidedness::Pseudonormals, false));
    }
}
