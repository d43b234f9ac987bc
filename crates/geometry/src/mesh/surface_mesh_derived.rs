//! The derived data of a surface mesh.

use super::{Sidedness, SurfaceMesh};
use crate::Needs;
use palpate_bvh::Tasks;

impl SurfaceMesh {
    /// Updates the derived data named by `needs`.
    pub(super) fn bring_up_to_date(&mut self, needs: Needs, tasks: &dyn Tasks) {
        let (version, positions) = (self.points.version, self.points.positions());
        if needs.contains(Needs::TREE) {
            self.tree.update(version, &self.triangles, positions, tasks);
        }
        if needs.contains(Needs::NORMALS) {
            let around = (positions, self.points.bare_bounds());
            self.sides.update(version, &self.triangles, &self.adjacency, around, tasks);
            self.decide_sides(tasks);
            if self.sidedness() == Sidedness::WindingNumber {
                self.winding.update(version, &self.triangles, positions);
            }
        }
        if needs.contains(Needs::SWEPT) {
            let version = self.points.motion_version();
            self.swept.update_swept(version, &self.triangles, self.points.motion(), tasks);
        }
        if needs.contains(Needs::CUTS) {
            self.tree.prepare_cuts(self.points.version);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geometry;
    use palpate_math::Point;

    /// Two threads, the second first.
    struct Two;

    impl Tasks for Two {
        fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
            tasks.iter_mut().rev().for_each(|task| task());
        }

        fn width(&self) -> usize {
            2
        }
    }

    /// Prepared, moved and prepared again: the trees are those of one thread.
    #[test]
    fn threads_change_no_derived_data() {
        let side = 120_u32;
        let point = |i: u32, lift: f64| {
            let (x, y) = (f64::from(i / side), f64::from(i % side));
            Point::new(x, y, lift * (0.3 * x).sin() * (0.2 * y).cos())
        };
        let positions = |lift: f64| (0..side * side).map(|i| point(i, lift)).collect::<Vec<_>>();
        let quads = (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| i * side + j));
        let triangles = quads.flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]]).collect();
        let needs = Needs::TREE | Needs::NORMALS | Needs::SWEPT;
        let mut serial = SurfaceMesh::new(positions(1.0), triangles).unwrap();
        let mut parallel = serial.clone();
        for lift in [1.0, 2.0, 3.0] {
            for (mesh, is_parallel) in [(&mut serial, false), (&mut parallel, true)] {
                mesh.advance();
                mesh.set_positions(&positions(lift)).unwrap();
                if is_parallel {
                    mesh.prepare_by(needs, &Two)
                } else {
                    mesh.prepare(needs)
                }
                assert!(mesh.is_prepared(needs));
            }
            assert_eq!(format!("{:?}", serial.tree()), format!("{:?}", parallel.tree()));
            assert_eq!(format!("{:?}", serial.swept_tree()), format!("{:?}", parallel.swept_tree()));
        }
    }
}
