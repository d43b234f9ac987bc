//! Flat rectangles divided into triangles, in the plane y = 0 around the origin.

use crate::meshes::Triangles;
use crate::random::Random;
use palpate_math::Point;

/// How a rectangle is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Division {
    /// Two triangles.
    Pair,
    /// Cells with a diagonal of the first or the second kind.
    Grid([u32; 2], bool),
    /// Cells whose inner vertices are displaced, with random diagonals.
    Shaken([u32; 2]),
    /// Triangles divided at random points, many of them thin.
    Scattered(usize),
    /// Triangles as long as the rectangle is wide.
    Needles(u32),
    /// A fan about a corner.
    Fan(u32),
}

impl Division {
    /// A random one.
    pub(super) fn any(random: &mut Random) -> Self {
        let n = [1 + random.below(12) as u32, 1 + random.below(12) as u32];
        match random.below(7) {
            0 => Self::Pair,
            1 | 2 => Self::Grid(n, random.one_in(2)),
            3 => Self::Shaken(n),
            4 => Self::Scattered(1 + random.below(60)),
            5 => Self::Needles(3 + random.below(40) as u32),
            _ => Self::Fan(2 + random.below(12) as u32),
        }
    }

    /// The triangles of a rectangle of these half extents.
    pub(super) fn triangles(self, half: [f64; 2], random: &mut Random) -> Triangles {
        match self {
            Self::Pair => grid(half, [1, 1], |_, _| true),
            Self::Grid(n, diagonal) => grid(half, n, |_, _| diagonal),
            Self::Shaken(n) => shaken(half, n, random),
            Self::Scattered(count) => scattered(half, count, random),
            Self::Needles(count) => grid(half, [count, 1], |_, _| true),
            Self::Fan(count) => fan(half, count),
        }
    }
}

/// `n[0]` by `n[1]` cells of two triangles; the closure chooses the diagonal of a cell.
pub(super) fn grid(half: [f64; 2], n: [u32; 2], mut diagonal: impl FnMut(u32, u32) -> bool) -> Triangles {
    let place = |k: u32, axis: usize| half[axis] * (2.0 * f64::from(k) / f64::from(n[axis]) - 1.0);
    let lattice = (0..=n[0]).flat_map(|i| (0..=n[1]).map(move |j| (i, j)));
    let vertices = lattice.map(|(i, j)| Point::new(place(i, 0), 0.0, place(j, 1))).collect();
    let id = |i: u32, j: u32| i * (n[1] + 1) + j;
    let mut cells = Vec::new();
    for (i, j) in (0..n[0]).flat_map(|i| (0..n[1]).map(move |j| (i, j))) {
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        cells.extend(if diagonal(i, j) { [[a, c, b], [a, d, c]] } else { [[a, d, b], [b, d, c]] });
    }
    (vertices, cells)
}

fn shaken(half: [f64; 2], n: [u32; 2], random: &mut Random) -> Triangles {
    let (mut vertices, cells) = grid(half, n, |_, _| random.one_in(2));
    for (index, vertex) in vertices.iter_mut().enumerate() {
        let (i, j) = (index as u32 / (n[1] + 1), index as u32 % (n[1] + 1));
        let shake = random.vector();
        if i > 0 && i < n[0] {
            vertex.x += 0.45 * half[0] / f64::from(n[0]) * shake.x;
        }
        if j > 0 && j < n[1] {
            vertex.z += 0.45 * half[1] / f64::from(n[1]) * shake.z;
        }
    }
    (vertices, cells)
}

/// Triangles divided in three, each at a random point inside.
fn scattered(half: [f64; 2], count: usize, random: &mut Random) -> Triangles {
    let (mut vertices, mut cells) = grid(half, [1, 1], |_, _| true);
    for _ in 0..count {
        let chosen = random.below(cells.len());
        let [a, b, c] = cells[chosen];
        let weights = [0; 3].map(|_| random.between(0.1, 1.0));
        let sum: f64 = weights.iter().sum();
        let corners = [a, b, c].map(|id| vertices[id as usize].coords);
        let place = (corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]) / sum;
        let new = vertices.len() as u32;
        vertices.push(Point::from(place));
        cells[chosen] = [a, b, new];
        cells.extend([[b, c, new], [c, a, new]]);
    }
    (vertices, cells)
}

/// Triangles from one corner to the two sides opposite.
fn fan(half: [f64; 2], count: u32) -> Triangles {
    let place = |x: f64, z: f64| Point::new(half[0] * x, 0.0, half[1] * z);
    let along = |k: u32| 2.0 * f64::from(k) / f64::from(count) - 1.0;
    let mut vertices = vec![place(-1.0, -1.0)];
    vertices.extend((0..=count).map(|k| place(along(k), 1.0)));
    vertices.extend((0..count).rev().map(|k| place(1.0, along(k))));
    let cells = (1..vertices.len() as u32 - 1).map(|k| [0, k, k + 1]).collect();
    (vertices, cells)
}
