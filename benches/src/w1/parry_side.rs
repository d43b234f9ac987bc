//! The pairs of W1 in parry.

use parry3d_f64::glamx::{DMat3, DQuat, DVec3};
use parry3d_f64::math::Pose;
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, SharedShape};

use super::cell::Cell;
use super::record::{Kind, Side};

/// A cell, prepared for queries. Hulls that parry refuses to build have no shape.
pub(super) struct Parry {
    shapes: Vec<[Option<SharedShape>; 2]>,
    poses: Vec<[Pose; 2]>,
}

impl Parry {
    pub(super) fn new(cell: &Cell) -> Self {
        let hulls: Vec<Option<SharedShape>> = cell
            .hulls
            .iter()
            .map(|hull| {
                let points = hull.points.iter().map(|&p| DVec3::from_array(p)).collect();
                ConvexPolyhedron::from_convex_mesh(points, &hull.triangles).map(SharedShape::new)
            })
            .collect();
        let shape = |side: &Side| -> Option<SharedShape> {
            Some(match side.kind {
                Kind::Hull(index) => hulls[index].clone()?,
                Kind::Sphere(radius) => SharedShape::new(Ball::new(radius)),
                Kind::Capsule(radius, half) => SharedShape::new(Capsule::new_z(half, radius)),
                // parry's cylinders and cones lie along y.
                Kind::Cylinder(radius, half) => SharedShape::new(Cylinder::new(half, radius)),
                Kind::Cone(radius, half) => SharedShape::new(Cone::new(half, radius)),
                Kind::Box(half) => SharedShape::new(Cuboid::new(DVec3::from_array(half))),
            })
        };
        Self {
            shapes: cell.records.iter().map(|record| [shape(&record.a), shape(&record.b)]).collect(),
            poses: cell.records.iter().map(|record| [pose(&record.a), pose(&record.b)]).collect(),
        }
    }

    /// Whether parry could build both shapes.
    pub(super) fn can(&self, pair: usize) -> bool {
        self.shapes[pair].iter().all(Option::is_some)
    }

    /// The signed distance of a pair, if parry has an answer.
    #[inline]
    pub(super) fn ask(&self, pair: usize) -> Option<f64> {
        let [Some(a), Some(b)] = &self.shapes[pair] else {
            return None;
        };
        let [pose_a, pose_b] = &self.poses[pair];
        query::contact(pose_a, a.as_ref(), pose_b, b.as_ref(), f64::MAX).ok()?.map(|contact| contact.dist)
    }
}

fn pose(side: &Side) -> Pose {
    let [x, y, z] = side.rotation.map(DVec3::from_array);
    let mut rotation = DMat3::from_cols(x, y, z).transpose();
    if matches!(side.kind, Kind::Cylinder(..) | Kind::Cone(..)) {
        rotation = DMat3::from_cols(rotation.y_axis, rotation.z_axis, rotation.x_axis);
    }
    Pose::from_parts(DVec3::from_array(side.center), DQuat::from_mat3(&rotation))
}
