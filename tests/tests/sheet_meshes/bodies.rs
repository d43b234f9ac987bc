//! Thin tools: 1 to 2 mm thick, 30 to 60 mm long, beside meshes of 100 mm.

use super::MM;
use super::turns::turn_to;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_tests::compound::Body;
use palpate_tests::meshes::icosphere;
use palpate_tests::{Random, Shape};

/// The tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    Box,
    Cylinder,
    Hull,
    Cone,
    Ellipsoid,
    Capsule,
    /// A cylinder and a box behind it, or two capsules side by side.
    Compound,
    /// A closed surface mesh.
    Mesh,
}

impl Tool {
    pub(crate) const ALL: [Self; 8] = [
        Self::Box,
        Self::Cylinder,
        Self::Hull,
        Self::Cone,
        Self::Ellipsoid,
        Self::Capsule,
        Self::Compound,
        Self::Mesh,
    ];
}

/// A tool in its place.
pub(crate) struct Placed {
    pub(crate) tool: Tool,
    pub(crate) body: Body,
    /// The tip and the other end of a line inside the body.
    pub(crate) axis: [Point; 2],
    /// Half its thickness.
    pub(crate) radius: f64,
}

fn upright(y: f64) -> Pose {
    Pose::from_parts(Translation3::new(0.0, y, 0.0), UnitQuaternion::identity())
}

/// The tool about the origin, along y, its tip at `half`.
fn local(tool: Tool, half: f64, radius: f64, random: &mut Random) -> Body {
    let (pose, length) = (Pose::identity(), 2.0 * half);
    let radii = Vector::new(radius, half, radius);
    Body::Whole(match tool {
        Tool::Box => Shape::OrientedBox { pose, half_extents: radii },
        Tool::Cylinder => Shape::Cylinder { pose, radius, length },
        Tool::Hull => {
            let corner = |random: &mut Random| Point::from(random.direction().component_mul(&radii));
            let mut corners: Vec<Point> = (0..14).map(|_| corner(random)).collect();
            corners.push(Point::new(0.0, half, 0.0));
            corners.push(Point::new(0.0, -half, 0.0));
            Shape::Convex { pose, corners, margin: 0.0 }
        }
        Tool::Cone => Shape::Cone { pose, radius, length },
        Tool::Ellipsoid => Shape::Ellipsoid { pose, radii },
        Tool::Capsule => Shape::Capsule { pose, radius, length: length - 2.0 * radius },
        Tool::Mesh => {
            let (mut vertices, cells) = icosphere(2);
            vertices.iter_mut().for_each(|vertex| vertex.coords.component_mul_assign(&radii));
            Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
        }
        Tool::Compound => return compound(half, radius, random),
    })
}

fn compound(half: f64, radius: f64, random: &mut Random) -> Body {
    if random.one_in(2) {
        let front = Shape::Cylinder { pose: upright(0.45 * half), radius, length: 1.1 * half };
        let half_extents = Vector::new(radius, 0.55 * half, radius);
        return Body::Children(vec![front, Shape::OrientedBox { pose: upright(-0.45 * half), half_extents }]);
    }
    let shape = Shape::Capsule { pose: Pose::identity(), radius, length: 2.0 * (half - radius) };
    let beside = shape.shifted(&Vector::new(3.0 * radius, -random.between(0.0, 2.0 * MM), 0.0));
    Body::Children(vec![shape, beside])
}

/// A tool with its tip at a place, pointing along a direction.
pub(crate) fn placed(tool: Tool, tip: Point, direction: &Vector, random: &mut Random) -> Placed {
    let half = random.between(15.0 * MM, 30.0 * MM);
    let radius = random.between(0.5 * MM, 1.0 * MM);
    let body = local(tool, half, radius, random);
    let turn = turn_to(direction, random);
    let pose = Pose::from_parts(Translation3::from(tip - direction * half), turn);
    let other = tip - direction * (2.0 * half);
    Placed { tool, body: body.map(|shape| shape.moved(&pose)), axis: [tip, other], radius }
}

/// How far a shape reaches along a direction.
fn reach_of(shape: &Shape, direction: &Vector) -> f64 {
    let along = |pose: &Pose, reach: &dyn Fn(Vector) -> f64| {
        let local = pose.rotation.inverse_transform_vector(direction);
        pose.translation.vector.dot(direction) + reach(local)
    };
    match shape {
        Shape::OrientedBox { pose, half_extents } => along(pose, &|local| local.abs().dot(half_extents)),
        Shape::Cylinder { pose, radius, length } => {
            along(pose, &|local| radius * local.x.hypot(local.z) + 0.5 * length * local.y.abs())
        }
        Shape::Capsule { pose, radius, length } => {
            along(pose, &|local| radius * local.norm() + 0.5 * length * local.y.abs())
        }
        Shape::Cone { pose, radius, length } => along(pose, &|local| {
            let base = radius * local.x.hypot(local.z) - 0.5 * length * local.y;
            base.max(0.5 * length * local.y)
        }),
        Shape::Ellipsoid { pose, radii } => along(pose, &|local| local.component_mul(radii).norm()),
        Shape::Convex { pose, corners, margin } => along(pose, &|local| {
            margin + corners.iter().map(|corner| corner.coords.dot(&local)).fold(f64::MIN, f64::max)
        }),
        Shape::SurfaceMesh { vertices, .. } => {
            vertices.iter().map(|vertex| vertex.coords.dot(direction)).fold(f64::MIN, f64::max)
        }
        other => unreachable!("{} is no tool", other.kind()),
    }
}

/// How far a body reaches along a unit direction.
pub(crate) fn reach(body: &Body, direction: &Vector) -> f64 {
    body.parts().iter().map(|shape| reach_of(shape, direction)).fold(f64::MIN, f64::max)
}
