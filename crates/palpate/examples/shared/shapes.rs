//! Meshes and bodies for the examples.

#![allow(dead_code)] // each example uses some of them

use palpate::nalgebra::{Translation3, UnitQuaternion, center};
use palpate::prelude::*;
use std::collections::HashMap;

/// Vertices and triangles, counter-clockwise seen from outside.
pub(crate) type Triangles = (Vec<Point>, Vec<[u32; 3]>);

/// A geometry centred on its local origin, and its pose.
pub(crate) type Placed = (Box<dyn Geometry>, Pose);

/// An octahedron with its corners on the unit axes.
pub(crate) fn octahedron() -> Triangles {
    let axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    (axes.map(|axis| Point::from(axis.map(f64::from))).to_vec(), triangles)
}

/// A cube with its corners at ±1.
pub(crate) fn cube() -> Triangles {
    let corner = |k: u32| Point::new(sign(k, 0), sign(k, 1), sign(k, 2));
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ((0..8).map(corner).collect(), sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

/// -1 or 1, chosen by a bit.
fn sign(number: u32, bit: u32) -> f64 {
    f64::from(number >> bit & 1) * 2.0 - 1.0
}

/// A surface with every triangle subdivided into four.
pub(crate) fn divided((mut vertices, triangles): Triangles) -> Triangles {
    let mut middles = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            vertices.push(center(&vertices[a as usize], &vertices[b as usize]));
            vertices.len() as u32 - 1
        })
    };
    let divide = |[a, b, c]: [u32; 3]| {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    let triangles = triangles.into_iter().flat_map(divide).collect();
    (vertices, triangles)
}

/// A closed slab of 4 m by 4 m whose top is at y = 0.
pub(crate) fn slab() -> Triangles {
    let (mut vertices, triangles) = (0..3).fold(cube(), |mesh, _| divided(mesh));
    vertices.iter_mut().for_each(|v| *v = Point::new(2.0 * v.x, 0.2 * (v.y - 1.0), 2.0 * v.z));
    (vertices, triangles)
}

/// An ellipsoid centred on the origin: an octahedron subdivided `divisions` times.
pub(crate) fn ellipsoid(radii: Vector, divisions: usize) -> Triangles {
    let (mut vertices, triangles) = (0..divisions).fold(octahedron(), |mesh, _| divided(mesh));
    for vertex in &mut vertices {
        vertex.coords = vertex.coords.normalize().component_mul(&radii);
    }
    (vertices, triangles)
}

/// Vertices and tetrahedra of a rounded block, centred on the origin: cubes of six tetrahedra each (Kuhn's division).
pub(crate) fn rounded_block(radii: Vector, cubes: [u32; 3]) -> (Vec<Point>, Vec<[u32; 4]>) {
    let [n, m, l] = cubes;
    let round = |x: f64, y: f64, z: f64| x * (1.0 - 0.35 * (y * y + z * z) + 0.2 * y * y * z * z).sqrt();
    let vertex = |k: u32| {
        let place = |index: u32, count: u32| 2.0 * f64::from(index) / f64::from(count) - 1.0;
        let [x, y, z] =
            [place(k / (m + 1) / (l + 1), n), place(k / (l + 1) % (m + 1), m), place(k % (l + 1), l)];
        Point::new(round(x, y, z) * radii.x, round(y, z, x) * radii.y, round(z, x, y) * radii.z)
    };
    let steps = [(m + 1) * (l + 1), l + 1, 1];
    let tetrahedra = |cube: u32| {
        let first = cube / m / l * steps[0] + cube / l % m * steps[1] + cube % l;
        [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]].map(|order: [usize; 3]| {
            let ids = order.iter().scan(first, |id, &axis| {
                *id += steps[axis];
                Some(*id)
            });
            let mut cell = [first; 4];
            cell[1..].iter_mut().zip(ids).for_each(|(to, id)| *to = id);
            // The odd orders are turned.
            if (order[0] + 1) % 3 != order[1] {
                cell.swap(2, 3);
            }
            cell
        })
    };
    ((0..(n + 1) * (m + 1) * (l + 1)).map(vertex).collect(), (0..n * m * l).flat_map(tetrahedra).collect())
}

/// Boxes, capsules, hulls, a compound and a surface mesh in local frames, with poses stacked above one another.
pub(crate) fn pile(count: u32) -> Result<Vec<Placed>, GeometryError> {
    let (stone, sides) = ellipsoid(Vector::new(0.1, 0.07, 0.08), 1);
    let origin = Pose::identity();
    let geometry = |k: u32| -> Result<Box<dyn Geometry>, GeometryError> {
        Ok(match (count - k, k % 3) {
            (1, _) => Box::new(SurfaceMesh::new(stone.clone(), sides.clone())?),
            (2, _) => {
                let above = Pose::translation(0.0, 0.08, 0.0);
                let head = OrientedBox::new(above, Vector::new(0.08, 0.03, 0.03))?;
                Box::new(Compound::default().with(Capsule::new(origin, 0.03, 0.15)?).with(head))
            }
            (_, 0) => Box::new(OrientedBox::new(origin, Vector::new(0.09, 0.06, 0.07))?),
            (_, 1) => Box::new(Capsule::new(origin, 0.05, 0.1)?),
            _ => Box::new(Convex::new(origin, &stone)?),
        })
    };
    let placed = |k: u32| {
        let [layer, row, column] = [k / 9, k / 3 % 3, k % 3].map(f64::from);
        let place = Translation3::new(0.25 * row + 0.03 * layer, 0.2 + 0.25 * layer, 0.25 * column);
        let turn = f64::from(k) * Vector::new(0.7, 1.3, 0.4);
        Ok((geometry(k)?, Pose::from_parts(place, UnitQuaternion::from_euler_angles(turn.x, turn.y, turn.z))))
    };
    (0..count).map(placed).collect()
}
