//! Generated meshes of about unit size around the origin.

use crate::random::Random;
use palpate_math::{Point, Vector};
use std::collections::HashMap;

/// The closed meshes of the shared folder, in `data/meshes`.
pub const CLOSED: [&str; 12] = [
    "Bunny.stl",
    "aneurysm3D_1.off",
    "genus3_decimated.obj",
    "liver-smooth.obj",
    "liver.vtk",
    "liver2.msh",
    "malleus.obj",
    "nut.ply",
    "palm.stl",
    "sphere.obj",
    "tube.vtk",
    "Ossicles.vtu",
];

/// Vertices and triangles.
pub type Triangles = (Vec<Point>, Vec<[u32; 3]>);

/// An icosahedron divided `level` times and put on the unit sphere: 20 · 4^level triangles.
pub fn icosphere(level: usize) -> Triangles {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut vertices = Vec::new();
    for (first, second) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        vertices.push(Vector::new(first, second, 0.0).normalize());
    }
    for (first, second) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        vertices.push(Vector::new(0.0, first, second).normalize());
    }
    for (first, second) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        vertices.push(Vector::new(second, 0.0, first).normalize());
    }
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..level {
        triangles = divided(&mut vertices, &triangles, |a, b| (a + b).normalize());
    }
    (vertices.into_iter().map(Point::from).collect(), triangles)
}

/// Divides each triangle in four; `middle` places the new vertices, one for each edge.
pub fn divided(
    vertices: &mut Vec<Vector>,
    triangles: &[[u32; 3]],
    middle: impl Fn(&Vector, &Vector) -> Vector,
) -> Vec<[u32; 3]> {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut result = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
            *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                vertices.push(middle(&vertices[from as usize], &vertices[to as usize]));
                vertices.len() as u32 - 1
            })
        });
        result.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    result
}

/// A closed, bumpy, stretched ball.
pub fn bumpy(random: &mut Random, level: usize, bump: f64) -> Triangles {
    let (mut vertices, triangles) = icosphere(level);
    let stretch = Vector::new(random.between(0.6, 1.2), random.between(0.6, 1.2), random.between(0.6, 1.2));
    for vertex in &mut vertices {
        let height = 1.0 + random.between(-bump, bump);
        *vertex = Point::from(vertex.coords.component_mul(&stretch) * height);
    }
    (vertices, triangles)
}

/// A closed torus of `around` times `across` pairs of triangles, its vertices slightly perturbed.
pub fn torus(random: &mut Random, around: u32, across: u32) -> Triangles {
    let mut vertices = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let angle = |k: u32, n: u32| std::f64::consts::TAU * f64::from(k) / f64::from(n);
            let (u, v) = (angle(i, around), angle(j, across));
            let ring = 0.8 + 0.35 * v.cos();
            let point = Vector::new(ring * u.cos(), 0.35 * v.sin(), ring * u.sin());
            vertices.push(Point::from(point + random.vector() * 0.02));
        }
    }
    let id = |i: u32, j: u32| (i % around) * across + j % across;
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            // The surface has to find its outward side: half of all tori wind inward.
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    if random.one_in(2) {
        triangles.iter_mut().for_each(|ids| ids.swap(1, 2));
    }
    (vertices, triangles)
}

/// An open sheet of `n` by `n` squares of two triangles each, perturbed.
pub fn sheet(random: &mut Random, n: u32) -> Triangles {
    let mut vertices = Vec::new();
    let place = |k: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0;
    for i in 0..=n {
        for j in 0..=n {
            let shake = random.vector() * (0.5 / f64::from(n));
            vertices.push(Point::new(place(i), 0.0, place(j)) + shake);
        }
    }
    let id = |i: u32, j: u32| i * (n + 1) + j;
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    (vertices, triangles)
}

/// The axis-aligned box from `low` to `high`, two triangles a side, wound outward.
pub fn box_surface(low: Point, high: Point) -> Triangles {
    let corner = |k: usize| {
        let side = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
        Point::new(side(0), side(1), side(2))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// A random walk of `n` segments, with some extra segments between vertices two or three apart.
pub fn walk(random: &mut Random, n: usize) -> (Vec<Point>, Vec<[u32; 2]>) {
    let mut vertices = vec![Point::from(random.vector() * 0.5)];
    while vertices.len() <= n {
        let last = vertices[vertices.len() - 1];
        let next = last + random.direction() * random.between(0.1, 0.4);
        if next.coords.norm() < 1.0 {
            vertices.push(next);
        }
    }
    let mut cells: Vec<[u32; 2]> = (1..=n as u32).map(|end| [end - 1, end]).collect();
    for start in 0..n as u32 {
        let end = start + 2 + random.below(2) as u32;
        if random.one_in(6) && end <= n as u32 {
            cells.push([end, start]);
        }
    }
    (vertices, cells)
}

/// A block of `n[0]` × `n[1]` × `n[2]` cubes of six tetrahedra each (Kuhn's division), centred at the origin, its
/// vertices perturbed by up to `shake` of a cube.
pub fn tetra_block(random: &mut Random, n: [u32; 3], shake: f64) -> (Vec<Point>, Vec<[u32; 4]>) {
    let longest = f64::from(n[0].max(n[1]).max(n[2]));
    let step = 2.0 / longest;
    let mut vertices = Vec::new();
    for i in 0..=n[0] {
        for j in 0..=n[1] {
            for k in 0..=n[2] {
                let place = |index: u32, axis: usize| (f64::from(index) - 0.5 * f64::from(n[axis])) * step;
                let moved = if shake > 0.0 { random.vector() * (shake * step) } else { Vector::zeros() };
                vertices.push(Point::new(place(i, 0), place(j, 1), place(k, 2)) + moved);
            }
        }
    }
    let id = |corner: [u32; 3]| (corner[0] * (n[1] + 1) + corner[1]) * (n[2] + 1) + corner[2];
    let mut cells = Vec::new();
    for i in 0..n[0] {
        for j in 0..n[1] {
            for k in 0..n[2] {
                for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                    let mut corner = [i, j, k];
                    let mut cell = [id(corner); 4];
                    for (step, &axis) in order.iter().enumerate() {
                        corner[axis] += 1;
                        cell[step + 1] = id(corner);
                    }
                    cells.push(cell);
                }
            }
        }
    }
    (vertices, cells)
}
