//! Versions that tag derived data.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a state of a geometry. Derived data of the same version is reused; new positions refit it, a new topology
/// rebuilds it.
///
/// Every change draws a number that no other change in the process has: two geometries have the same version only if one
/// is an unchanged clone of the other. Assigning another geometry is therefore a change of version like any other. The
/// numbers increase, but depend on what else runs; only their equality means something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version {
    /// Differs when cells differ.
    pub topology: u64,
    /// Differs when coordinates, poses or sizes differ.
    pub positions: u64,
}

impl Version {
    /// The version of a new geometry. The default, in contrast, is the version of nothing.
    #[must_use]
    pub fn new() -> Self {
        let drawn = draw();
        Self { topology: drawn, positions: drawn }
    }

    /// Records a change of coordinates, poses or sizes.
    pub fn moved(&mut self) {
        self.positions = draw();
    }

    /// Records a change of cells or children.
    pub fn rebuilt(&mut self) {
        *self = Self::new();
    }
}

/// Returns a number that was not returned before, greater than 0.
pub(crate) fn draw() -> u64 {
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    DRAWN.fetch_add(1, Ordering::Relaxed) + 1
}

#[cfg(test)]
mod tests {
    use crate::{Compound, Geometry, ImplicitBody, Plane, Pose, Sphere, SurfaceMesh, Version};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    #[test]
    fn no_two_changes_have_one_version() {
        let drawn = || -> Vec<u64> {
            let mut version = Version::new();
            (0..1000).map(|_| (version.moved(), version.positions).1).collect()
        };
        let mut all = std::thread::scope(|scope| {
            let workers = [0; 4].map(|_| scope.spawn(drawn));
            workers.map(|worker| worker.join().unwrap()).concat()
        });
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 4000);
    }

    #[test]
    fn another_geometry_and_a_changed_clone_have_another_version_and_a_clone_has_the_same() {
        let ball = Sphere::new(Point::origin(), 1.0).unwrap();
        assert_eq!(ball.version(), ball.clone().version());
        assert_ne!(ball.version(), Sphere::new(Point::origin(), 1.0).unwrap().version());
        assert_eq!(ball, Sphere::new(Point::origin(), 1.0).unwrap(), "the version is no part of the value");
        let [mut one, mut other] = [ball.clone(), ball.clone()];
        one.set_center(Point::new(1.0, 0.0, 0.0)).unwrap();
        other.set_center(Point::new(2.0, 0.0, 0.0)).unwrap();
        assert_ne!(one.version(), other.version());
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        assert_ne!(plane.clone().turned().version(), plane.version());
        assert_ne!(plane.clone().with_two_sided(true).version(), plane.version());
        let body = ImplicitBody::new(Pose::identity(), Arc::new(ball)).unwrap();
        assert_ne!(Geometry::version(&body.clone().with_scale(2.0).unwrap()), Geometry::version(&body));
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from).to_vec();
        let mesh = SurfaceMesh::new(corners, vec![[0, 1, 2]]).unwrap();
        assert_ne!(mesh.clone().with_closed(true).version(), mesh.version());
        assert_ne!(mesh.clone().examined().version(), mesh.version());
    }

    /// The sums of the children's versions would be equal: what one child loses, the other gains.
    #[test]
    fn compounds_of_other_children_have_other_versions() {
        let ball = |x: f64| Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap();
        let make = || Compound::default().with(ball(0.0)).with(ball(1.0));
        let [mut a, mut b] = [make(), make()];
        assert!(a.version() != b.version() && a.changes() != b.changes());
        a.child_mut::<Sphere>(0).unwrap().set_center(Point::new(2.0, 0.0, 0.0)).unwrap();
        b.child_mut::<Sphere>(1).unwrap().set_center(Point::new(2.0, 0.0, 0.0)).unwrap();
        assert_ne!(a.version(), b.version());
        let clone = a.try_clone().unwrap();
        assert_eq!(clone.version(), a.version());
    }
}
