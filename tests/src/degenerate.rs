//! Pairs in special position: on a lattice, coincident, of zero length, flat, duplicated.

use crate::meshes;
use crate::random::Random;
use crate::{Function, Shape};
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::{GeometryKind, Pose};
use palpate_math::{Point, Vector};

/// Two degenerate geometries on one lattice, often with coincident centres. Coordinates and sizes are small
/// multiples of a power of two, so that mathematically coincident points coincide to the bit.
pub fn degenerate_pair(kinds: [&GeometryKind; 2], random: &mut Random) -> Result<[Shape; 2], String> {
    let a = lattice_shape(kinds[0], random)?;
    let b = lattice_shape(kinds[1], random)?;
    let apart = match random.below(3) {
        0 => Vector::zeros(),
        1 => Vector::ith(random.below(3), random.pick(&[0.5, 1.0, 2.0])),
        _ => random.lattice_point(2, 0.5).coords,
    };
    let shift = random.lattice_point(4, 1.0).coords;
    let shift = if random.one_in(2) { Vector::zeros() } else { shift };
    let motion = Pose::from_parts(Translation3::from(shift), random.exact_rotation());
    let factor = 2.0_f64.powi(random.below(9) as i32 - 6);
    Ok([a, b.shifted(&apart)].map(|shape| shape.moved(&motion).scaled(factor)))
}

fn lattice_pose(random: &mut Random) -> Pose {
    let rotation = if random.one_in(2) { UnitQuaternion::identity() } else { random.exact_rotation() };
    Pose::from_parts(Translation3::identity(), rotation)
}

fn lattice_shape(kind: &GeometryKind, random: &mut Random) -> Result<Shape, String> {
    let pose = lattice_pose(random);
    let radius = random.pick(&[0.25, 0.5, 1.0]);
    let thickness = random.pick(&[0.0, 0.0, 0.25, 0.5]);
    Ok(match kind.name() {
        "sphere" => Shape::Sphere { center: Point::origin(), radius },
        "capsule" => Shape::Capsule { pose, radius, length: random.pick(&[0.0, 0.0, 1.0, 2.0]) },
        "cylinder" => Shape::Cylinder { pose, radius, length: random.pick(&[0.5, 1.0, 2.0]) },
        "plane" => {
            let normal = pose.rotation * Vector::y();
            Shape::Plane { position: Point::origin(), normal, two_sided: random.one_in(2) }
        }
        "oriented_box" => {
            let mut half = || random.pick(&[0.5, 1.0]);
            Shape::OrientedBox { pose, half_extents: Vector::new(half(), half(), half()) }
        }
        "convex" => lattice_convex(pose, random),
        "point_set" => {
            // The lattice is small: many points coincide.
            let vertices = (0..24).map(|_| random.lattice_point(2, 0.5)).collect();
            Shape::PointSet { vertices, radius: thickness }
        }
        "line_mesh" => lattice_lines(thickness, random),
        "surface_mesh" => lattice_surface(thickness, random),
        "tetra_mesh" => lattice_tetrahedra(random),
        "implicit" => {
            Shape::Implicit { pose, scale: random.pick(&[0.5, 1.0, 2.0]), function: lattice_function(random) }
        }
        other => return Err(format!("write a generator of degenerate cases for kind {other}")),
    })
}

/// A primitive on the lattice, or two that coincide or touch.
fn lattice_function(random: &mut Random) -> Function {
    let half = random.pick(&[0.5, 1.0]);
    let ball = |x: f64| {
        Function::Primitive(Box::new(Shape::Sphere { center: Point::new(x, 0.0, 0.0), radius: half }))
    };
    let pose = Pose::identity();
    let block = || {
        let half_extents = Vector::new(half, 1.0, 0.5);
        Function::Primitive(Box::new(Shape::OrientedBox { pose, half_extents }))
    };
    match random.below(7) {
        0 => ball(0.0),
        1 => Function::Primitive(Box::new(Shape::Capsule {
            pose,
            radius: half,
            length: random.pick(&[0.0, 1.0]),
        })),
        2 => Function::Primitive(Box::new(Shape::Cylinder { pose, radius: half, length: 1.0 })),
        3 => Function::Union(vec![ball(0.0), ball(0.0), block()]),
        4 => Function::Union(vec![ball(-half), ball(half)]),
        5 => Function::Offset { of: Box::new(block()), distance: 0.25 },
        _ => block(),
    }
}

/// A hull on the lattice, with or without a volume, an ellipsoid or a cone.
fn lattice_convex(pose: Pose, random: &mut Random) -> Shape {
    let mut half = || random.pick(&[0.5, 1.0]);
    let half = Vector::new(half(), half(), half());
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Point::from(half.component_mul(&Vector::new(sign(0), sign(1), sign(2))))
    };
    let box_corners = (0..8).map(corner);
    let corners: Vec<Point> = match random.below(8) {
        0 => return Shape::Ellipsoid { pose, radii: half },
        1 => return Shape::Cone { pose, radius: half.x, length: 2.0 * half.y },
        // A box, each corner twice.
        2 => box_corners.clone().chain(box_corners).collect(),
        // Flat, collinear, coincident.
        3 => (0..9).map(|k| Point::new(f64::from(k % 3) - 1.0, 0.0, f64::from(k / 3) - 1.0)).collect(),
        4 => (0..4).map(|k| Point::from(half * (f64::from(k) - 2.0))).collect(),
        5 => vec![Point::origin(); 3],
        // An octahedron, with extra points on its edges.
        6 => (0..3)
            .flat_map(|axis| [1.0, -1.0].map(|sign| Point::from(Vector::ith(axis, sign))))
            .chain([Point::new(0.5, 0.5, 0.0), Point::new(0.0, -0.5, 0.5)])
            .collect(),
        _ => box_corners.collect(),
    };
    Shape::Convex { pose, corners, margin: random.pick(&[0.0, 0.0, 0.25]) }
}

fn lattice_lines(radius: f64, random: &mut Random) -> Shape {
    let vertices: Vec<Point> = (0..16).map(|_| random.lattice_point(2, 0.5)).collect();
    let mut cells: Vec<[u32; 2]> = (1..16).map(|end| [end - 1, end]).collect();
    // Zero length by a repeated id, and a segment reversed.
    cells.extend([[3, 3], [8, 7]]);
    Shape::LineMesh { vertices, cells, radius }
}

fn lattice_surface(radius: f64, random: &mut Random) -> Shape {
    let mut half = || random.pick(&[0.5, 1.0]);
    let high = Point::new(half(), half(), half());
    let (mut vertices, mut cells) = meshes::box_surface(-high, high);
    match random.below(4) {
        // A closed box.
        0 => {}
        // Without its lid.
        1 => cells.truncate(10),
        // With degenerate triangles, and a duplicate vertex that shares no id.
        2 => {
            vertices.push(vertices[7]);
            cells.extend([[0, 7, 7], [0, 7, 8], [1, 1, 1], [3, 7, 8]]);
        }
        // Collapsed: all triangles of two sides are degenerate.
        _ => {
            for vertex in &mut vertices {
                vertex.y = 0.0;
            }
        }
    }
    Shape::SurfaceMesh { vertices, cells, radius }
}

fn lattice_tetrahedra(random: &mut Random) -> Shape {
    let n = [1 + random.below(3) as u32, 2, 1 + random.below(2) as u32];
    let (mut vertices, mut cells) = meshes::tetra_block(random, n, 0.0);
    match random.below(3) {
        0 => {}
        // Flat ones: four coplanar corners, a repeated id, a duplicate vertex.
        1 => {
            vertices.push(vertices[0]);
            let doubled = vertices.len() as u32 - 1;
            cells.extend([[0, 1, 2, 3], [0, 0, 1, 2], [0, doubled, 1, 4]]);
        }
        // Some inverted.
        _ => cells.iter_mut().step_by(2).for_each(|ids| ids.swap(0, 1)),
    }
    Shape::TetraMesh { vertices, cells }
}
