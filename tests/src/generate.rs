//! A random geometry of a kind.

use crate::generate_function::{Class, unit_function};
use crate::meshes;
use crate::random::Random;
use crate::{Function, Regime, Shape};
use nalgebra::Translation3;
use palpate_detect::Accepts;
use palpate_geometry::{GeometryKind, Pose};
use palpate_math::{Point, Vector};

/// The kinds that a side accepts, its simplest member first.
pub fn members(side: &Accepts) -> Vec<GeometryKind> {
    match side {
        Accepts::Kind(kind) => vec![kind.clone()],
        Accepts::Points => vec![
            GeometryKind::POINT_SET,
            GeometryKind::LINE_MESH,
            GeometryKind::SURFACE_MESH,
            GeometryKind::TETRA_MESH,
        ],
        Accepts::SignedDistance => vec![
            GeometryKind::SPHERE,
            GeometryKind::CAPSULE,
            GeometryKind::CYLINDER,
            GeometryKind::ORIENTED_BOX,
            GeometryKind::PLANE,
        ],
        Accepts::Surface => vec![GeometryKind::SURFACE_MESH, GeometryKind::TETRA_MESH],
        Accepts::DistanceBound | Accepts::BoundedBody => vec![GeometryKind::IMPLICIT],
        Accepts::ConvexSolid => {
            vec![GeometryKind::CYLINDER, GeometryKind::ORIENTED_BOX, GeometryKind::CONVEX]
        }
        Accepts::SupportMap => vec![
            GeometryKind::SPHERE,
            GeometryKind::CAPSULE,
            GeometryKind::CYLINDER,
            GeometryKind::ORIENTED_BOX,
            GeometryKind::CONVEX,
        ],
    }
}

/// A random geometry of `kind` and about the given size, in a random pose near the origin.
pub fn generate(kind: &GeometryKind, size: f64, random: &mut Random) -> Result<Shape, String> {
    let shape = unit_shape(kind, random)?;
    Ok(shape.scaled(size).moved(&random.pose(size)))
}

fn unit_shape(kind: &GeometryKind, random: &mut Random) -> Result<Shape, String> {
    let pose = Pose::identity();
    let radius = if random.one_in(2) { random.between(0.02, 0.2) } else { 0.0 };
    Ok(match kind.name() {
        "sphere" => Shape::Sphere { center: Point::origin(), radius: random.between(0.2, 1.0) },
        "capsule" => {
            Shape::Capsule { pose, radius: random.between(0.1, 0.6), length: random.between(0.1, 1.5) }
        }
        "cylinder" => {
            Shape::Cylinder { pose, radius: random.between(0.2, 1.0), length: random.between(0.2, 2.0) }
        }
        "plane" => {
            Shape::Plane { position: Point::origin(), normal: Vector::y(), two_sided: random.one_in(3) }
        }
        "oriented_box" => {
            let mut half = || random.between(0.2, 1.0);
            Shape::OrientedBox { pose, half_extents: Vector::new(half(), half(), half()) }
        }
        "convex" => unit_convex(pose, random),
        "point_set" => {
            let count = 20 + random.below(60);
            let vertices = (0..count).map(|_| Point::from(random.vector())).collect();
            Shape::PointSet { vertices, radius }
        }
        "line_mesh" => {
            let count = 20 + random.below(30);
            let (vertices, cells) = meshes::walk(random, count);
            Shape::LineMesh { vertices, cells, radius: 0.5 * radius }
        }
        "surface_mesh" => {
            let (vertices, cells) = unit_surface(random);
            Shape::SurfaceMesh { vertices, cells, radius: 0.5 * radius }
        }
        "tetra_mesh" => {
            let mut n = || 1 + random.below(3) as u32;
            let n = [n(), n(), n()];
            let (vertices, cells) = meshes::tetra_block(random, n, 0.15);
            Shape::TetraMesh { vertices, cells }
        }
        "implicit" => {
            // Against other shapes: one that the search can handle.
            Shape::Implicit { pose, scale: scale(random), function: unit_function(Class::Searchable, random) }
        }
        other => return Err(format!("write a generator for kind {other}")),
    })
}

/// Often 1.
fn scale(random: &mut Random) -> f64 {
    if random.one_in(2) { 1.0 } else { random.between(0.7, 1.4) }
}

/// An implicit body and its partner: a function that the oracle can evaluate over the partner's elements, and
/// meshes of few cells, since each is searched.
fn unit_implicit_pair(kinds: [&GeometryKind; 2], random: &mut Random) -> Result<[Shape; 2], String> {
    let class = match kinds[1].name() {
        "point_set" | "line_mesh" | "sphere" | "capsule" => Class::Any,
        "plane" => Class::Searchable,
        // For some functions the oracle knows only slow lower bounds by sampling: used in one of a few cases.
        "surface_mesh" | "tetra_mesh" if !random.one_in(16) => Class::Searchable,
        _ if !random.one_in(4) => Class::Searchable,
        _ => Class::Any,
    };
    let function = loop {
        let function = unit_function(class, random);
        // There is no formula for the lowest point of an intersection.
        if *kinds[1] != GeometryKind::PLANE || !matches!(function, Function::Intersection(_)) {
            break function;
        }
    };
    let pose = Pose::identity();
    let a = Shape::Implicit { pose, scale: scale(random), function };
    let b = match kinds[1].name() {
        "implicit" => {
            // Certainly the smaller one.
            let function = unit_function(Class::Primitive, random).scaled(0.25);
            Shape::Implicit { pose, scale: 1.0, function }
        }
        "surface_mesh" => {
            let (vertices, cells) = match random.below(3) {
                0 => meshes::icosphere(0),
                1 => meshes::torus(random, 6, 4),
                _ => meshes::sheet(random, 3),
            };
            let radius = if random.one_in(3) { random.between(0.02, 0.1) } else { 0.0 };
            Shape::SurfaceMesh { vertices, cells, radius }
        }
        "tetra_mesh" => {
            let n = [1, 1 + random.below(2) as u32, 1];
            let (vertices, cells) = meshes::tetra_block(random, n, 0.15);
            Shape::TetraMesh { vertices, cells }
        }
        "line_mesh" => {
            let (vertices, cells) = meshes::walk(random, 12);
            let radius = if random.one_in(2) { random.between(0.02, 0.1) } else { 0.0 };
            Shape::LineMesh { vertices, cells, radius }
        }
        _ => unit_shape(kinds[1], random)?,
    };
    Ok([a, b])
}

/// A hull, an ellipsoid or a cone.
fn unit_convex(pose: Pose, random: &mut Random) -> Shape {
    match random.below(4) {
        0 => {
            let mut radius = || random.between(0.2, 1.0);
            Shape::Ellipsoid { pose, radii: Vector::new(radius(), radius(), radius()) }
        }
        1 => Shape::Cone { pose, radius: random.between(0.2, 1.0), length: random.between(0.3, 2.0) },
        _ => {
            let count = 4 + random.below(16);
            // Away from the centre, so that most are corners of the hull.
            let corners =
                (0..count).map(|_| Point::from(random.direction() * random.between(0.6, 1.0))).collect();
            let margin = if random.one_in(3) { random.between(0.02, 0.3) } else { 0.0 };
            Shape::Convex { pose, corners, margin }
        }
    }
}

fn unit_surface(random: &mut Random) -> meshes::Triangles {
    match random.below(5) {
        0 => meshes::icosphere(1),
        1 => meshes::bumpy(random, 2, 0.15),
        2 => meshes::torus(random, 10, 6),
        3 => meshes::bumpy(random, 1, 0.2),
        _ => {
            let n = 3 + random.below(6) as u32;
            meshes::sheet(random, n)
        }
    }
}

/// The same shape with another thickness, so that it can touch a shape that has none.
pub fn thickened(shape: Shape, by: f64) -> Shape {
    match shape {
        Shape::PointSet { vertices, .. } => Shape::PointSet { vertices, radius: by },
        Shape::LineMesh { vertices, cells, .. } => Shape::LineMesh { vertices, cells, radius: by },
        Shape::SurfaceMesh { vertices, cells, .. } => Shape::SurfaceMesh { vertices, cells, radius: by },
        other => other,
    }
}

/// A point in the shape: in its core, or a vertex of a mesh.
pub fn anchor(shape: &Shape, random: &mut Random) -> Point {
    let vertices = shape.vertices();
    match shape {
        Shape::Sphere { center, .. } => *center,
        Shape::Capsule { pose, length, .. } | Shape::Cylinder { pose, length, .. } => {
            pose * Point::new(0.0, random.between(-0.5, 0.5) * length, 0.0)
        }
        Shape::OrientedBox { pose, .. } | Shape::Ellipsoid { pose, .. } | Shape::Cone { pose, .. } => {
            Point::from(pose.translation.vector)
        }
        Shape::Convex { pose, corners, .. } => {
            let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
            pose * Point::from(sum / corners.len() as f64)
        }
        Shape::Plane { position, .. } => *position,
        Shape::Implicit { pose, scale, function } => pose * (function.anchor() * *scale),
        Shape::SurfaceMesh { .. } | Shape::TetraMesh { .. } if random.one_in(2) => {
            let sum = vertices.iter().fold(Vector::zeros(), |sum, vertex| sum + vertex.coords);
            Point::from(sum / vertices.len() as f64)
        }
        _ => vertices[random.below(vertices.len())],
    }
}

/// A random pair with coincident anchors, and a direction along which B leaves A; solids may be treated as sheets.
pub fn generate_pair(
    kinds: [&GeometryKind; 2],
    regime: Regime,
    as_sheets: bool,
    random: &mut Random,
) -> Result<([Shape; 2], Vector), String> {
    let exponent = random.between(-2.0, 1.0);
    let size = 10.0_f64.powf(exponent);
    let ratio = random.between(0.3, 1.5);
    let [a, b] = if *kinds[0] == GeometryKind::IMPLICIT {
        let [a, b] = unit_implicit_pair(kinds, random)?;
        let ratio = match kinds[1].name() {
            "implicit" => 1.0,
            // Long edges, so that the body touches them between their ends.
            "line_mesh" | "surface_mesh" | "tetra_mesh" => 2.5 * ratio,
            _ => ratio,
        };
        let a = a.scaled(size).moved(&random.pose(size));
        [a, b.scaled(size * ratio).moved(&random.pose(size))]
    } else {
        [generate(kinds[0], size, random)?, generate(kinds[1], size * ratio, random)?]
    };
    let sheets = as_sheets || !(a.is_solid() || b.is_solid());
    let nothing_to_meet = sheets && a.rounding_radius() + b.rounding_radius() == 0.0;
    let thick = if regime == Regime::Deep { 0.15 } else { 0.05 };
    let (a, b) = if nothing_to_meet {
        (thickened(a, thick * size), thickened(b, thick * size * ratio))
    } else {
        (a, b)
    };
    let direction = match (&a, &b) {
        (Shape::Plane { normal, .. }, _) => normal * 1.5 + random.direction(),
        (_, Shape::Plane { normal, .. }) => -(normal * 1.5 + random.direction()),
        _ => random.direction(),
    };
    let shift = anchor(&a, random) - anchor(&b, random);
    let pair = [a, b.shifted(&shift)];
    // Sometimes far from the origin, where coordinates are large compared with distances.
    let away = if random.one_in(4) { 100.0 } else { 2.0 };
    let everywhere = Pose::from_parts(Translation3::from(random.vector() * (away * size)), random.rotation());
    let pair = pair.map(|shape| shape.moved(&everywhere));
    Ok((pair, everywhere.rotation * direction.normalize()))
}
