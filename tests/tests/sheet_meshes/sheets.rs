//! Sheets and slabs of [`SIZE`], in cells of a few millimetres.

use super::{MM, SIZE};
use nalgebra::Rotation3;
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use palpate_tests::meshes::Triangles;
use std::collections::HashMap;

/// How the cells of a grid are divided into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// All along the same diagonal.
    Regular,
    /// Along one diagonal and the other in turn.
    InTurn,
    /// By a vertex in the middle, into four.
    Crossed,
    /// Along any diagonal, and the inner vertices moved within the plane.
    Shaken,
}

impl Division {
    pub(crate) const ALL: [Self; 4] = [Self::Regular, Self::InTurn, Self::Crossed, Self::Shaken];
}

/// A square of [`SIZE`] in the plane z = 0 about the origin, in about as many cells as are asked for.
pub(crate) fn flat(cell: f64, division: Division, random: &mut Random) -> Triangles {
    let n = (SIZE / cell).round().max(2.0) as u32;
    let step = SIZE / f64::from(n);
    let place = |k: u32| (f64::from(k) - 0.5 * f64::from(n)) * step;
    let mut vertices = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let is_inner = i > 0 && i < n && j > 0 && j < n;
            let shake = if division == Division::Shaken && is_inner { 0.3 * step } else { 0.0 };
            let moved = if shake > 0.0 { random.vector() * shake } else { Vector::zeros() };
            vertices.push(Point::new(place(i) + moved.x, place(j) + moved.y, 0.0));
        }
    }
    let id = |i: u32, j: u32| i * (n + 1) + j;
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            let is_other = match division {
                Division::Crossed => {
                    let middle = vertices.len() as u32;
                    vertices.push(Point::new(place(i) + 0.5 * step, place(j) + 0.5 * step, 0.0));
                    triangles.extend([[a, b, middle], [b, c, middle], [c, d, middle], [d, a, middle]]);
                    continue;
                }
                Division::Regular => false,
                Division::InTurn => (i + j) % 2 == 1,
                Division::Shaken => random.one_in(2),
            };
            triangles.extend(if is_other { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    (vertices, triangles)
}

/// Half a cylinder of radius 40 mm along y.
pub(crate) fn half_cylinder((mut vertices, triangles): Triangles) -> Triangles {
    for vertex in &mut vertices {
        let angle = std::f64::consts::PI * vertex.x / SIZE;
        *vertex = Point::new(40.0 * MM * angle.sin(), vertex.y, 40.0 * MM * angle.cos());
    }
    (vertices, triangles)
}

/// A part of a ball of radius 80 mm.
pub(crate) fn dome((mut vertices, triangles): Triangles) -> Triangles {
    for vertex in &mut vertices {
        vertex.z = ((80.0 * MM).powi(2) - vertex.x.powi(2) - vertex.y.powi(2)).sqrt();
    }
    (vertices, triangles)
}

/// The closed surface of a box about the origin, of so many square cells along each axis.
pub(crate) fn slab(cells: [u32; 3], size: Vector) -> Triangles {
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (level, is_high) in [(0, false), (cells[axis], true)] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let mut id = |i: u32, j: u32| {
                        let mut lattice = [0; 3];
                        (lattice[axis], lattice[u], lattice[v]) = (level, i, j);
                        *numbers.entry(lattice).or_insert_with(|| {
                            let part = |k: usize| f64::from(lattice[k]) / f64::from(cells[k]) - 0.5;
                            vertices.push(Point::new(part(0) * size.x, part(1) * size.y, part(2) * size.z));
                            vertices.len() as u32 - 1
                        })
                    };
                    let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
                    let both = [[a, b, c], [a, c, d]];
                    triangles.extend(if is_high { both } else { both.map(|[a, b, c]| [a, c, b]) });
                }
            }
        }
    }
    (vertices, triangles)
}

/// The mesh turned.
pub(crate) fn turned((mut vertices, triangles): Triangles, turn: &Rotation3<f64>) -> Triangles {
    vertices.iter_mut().for_each(|vertex| *vertex = turn * *vertex);
    (vertices, triangles)
}
