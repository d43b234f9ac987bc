//! Geometries as words that the programs read.

use palpate::describe::to_json;
use palpate::geometry::{Compound, Geometry, Pose};
use palpate_tests::Shape;
use std::fmt::Write;

/// One side of a case.
pub(crate) enum Body {
    Whole(Shape),
    Children(Vec<Shape>),
}

impl Body {
    pub(crate) fn build(&self) -> Box<dyn Geometry> {
        match self {
            Self::Whole(shape) => shape.build().unwrap(),
            Self::Children(children) => {
                Box::new(Compound::new(children.iter().map(|child| child.build().unwrap()).collect()))
            }
        }
    }

    pub(crate) fn write(&self, to: &mut String) {
        match self {
            Self::Whole(shape) => write_shape(shape, to),
            Self::Children(children) => {
                write!(to, "compound {} ", children.len()).unwrap();
                children.iter().for_each(|child| write_shape(child, to));
            }
        }
    }
}

/// The bits of numbers.
fn bits(to: &mut String, numbers: impl IntoIterator<Item = f64>) {
    for number in numbers {
        write!(to, "{:x} ", number.to_bits()).unwrap();
    }
}

fn pose(to: &mut String, pose: &Pose) {
    let q = pose.rotation.coords;
    bits(to, pose.translation.vector.iter().copied().chain([q.w, q.x, q.y, q.z]));
}

fn points(to: &mut String, points: &[palpate::math::Point]) {
    write!(to, "{} ", points.len()).unwrap();
    bits(to, points.iter().flat_map(|point| [point.x, point.y, point.z]));
}

fn mesh<const N: usize>(to: &mut String, vertices: &[palpate::math::Point], cells: &[[u32; N]], radius: f64) {
    write!(to, "mesh {} ", N - 1).unwrap();
    points(to, vertices);
    if N > 1 {
        write!(to, "{} ", cells.len()).unwrap();
        cells.iter().flatten().for_each(|id| write!(to, "{id} ").unwrap());
    }
    bits(to, [radius]);
}

fn sized(to: &mut String, name: &str, at: &Pose, sizes: [f64; 3]) {
    write!(to, "{name} ").unwrap();
    pose(to, at);
    bits(to, sizes);
}

fn write_shape(shape: &Shape, to: &mut String) {
    match shape {
        Shape::Sphere { center, radius } => {
            to.push_str("sphere ");
            bits(to, [center.x, center.y, center.z, *radius]);
        }
        Shape::Capsule { pose, radius, length } => sized(to, "capsule", pose, [*radius, *length, 0.0]),
        Shape::Cylinder { pose, radius, length } => sized(to, "cylinder", pose, [*radius, *length, 0.0]),
        Shape::Cone { pose, radius, length } => sized(to, "cone", pose, [*radius, *length, 0.0]),
        Shape::OrientedBox { pose, half_extents } => sized(to, "box", pose, (*half_extents).into()),
        Shape::Ellipsoid { pose, radii } => sized(to, "ellipsoid", pose, (*radii).into()),
        Shape::Plane { position, normal, two_sided } => {
            to.push_str("plane ");
            bits(to, position.iter().chain(normal.iter()).copied());
            write!(to, "{} ", u32::from(*two_sided)).unwrap();
        }
        Shape::Convex { pose: at, corners, margin } => {
            to.push_str("convex ");
            pose(to, at);
            points(to, corners);
            bits(to, [*margin]);
        }
        Shape::PointSet { vertices, radius } => mesh::<1>(to, vertices, &[], *radius),
        Shape::LineMesh { vertices, cells, radius } => mesh(to, vertices, cells, *radius),
        Shape::SurfaceMesh { vertices, cells, radius } => mesh(to, vertices, cells, *radius),
        Shape::TetraMesh { vertices, cells } => mesh(to, vertices, cells, 0.0),
        Shape::Implicit { pose: at, scale, .. } => {
            to.push_str("implicit ");
            pose(to, at);
            bits(to, [*scale]);
            let json = to_json(&*shape.build().unwrap()).unwrap();
            write!(to, "{} ", json["function"]).unwrap();
        }
    }
}
