//! Solids of every kind in difficult forms: thin, long, hollow, in several parts, with corners that are redundant
//! for the hull.

use super::SolidKind;
use crate::random::Random;
use crate::{Function, Shape, meshes};
use nalgebra::Translation3;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// The form of a solid. A kind that does not support a form uses another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// About as long as wide.
    Chunky,
    /// Thin in one direction.
    Plate,
    /// Thin in two directions, with ends as wide as the middle.
    Rod,
    /// Eighty times as long as wide.
    Needle,
    /// Hollow, or a torus.
    Shell,
    /// In several parts.
    Parts,
    /// An axis-aligned box whose coordinates are multiples of a power of two.
    Block,
}

/// A solid of about unit size around the origin; not for compounds, whose children are made here.
pub(super) fn solid(kind: SolidKind, form: Form, random: &mut Random) -> Shape {
    match kind {
        SolidKind::SurfaceMesh => surface(form, random),
        SolidKind::TetraMesh => tetrahedra(form, random),
        SolidKind::Implicit => implicit(form, random),
        SolidKind::Convex => convex(form, random),
        SolidKind::Sphere => {
            let radius = if form == Form::Block { 0.5 } else { random.between(0.3, 1.0) };
            Shape::Sphere { center: Point::origin(), radius }
        }
        SolidKind::Capsule => {
            let [radius, length] = round_extents(form, random);
            Shape::Capsule { pose: Pose::identity(), radius, length }
        }
        SolidKind::Cylinder => {
            let [radius, length] = round_extents(form, random);
            Shape::Cylinder { pose: Pose::identity(), radius, length }
        }
        SolidKind::OrientedBox => {
            Shape::OrientedBox { pose: Pose::identity(), half_extents: extents(form, random) }
        }
        SolidKind::Compound => unreachable!("a compound is made of its children"),
    }
}

/// Half extents of a box of the form.
fn extents(form: Form, random: &mut Random) -> Vector {
    let thin = random.between(0.01, 0.08);
    let mut wide = || random.between(0.4, 0.7);
    match form {
        Form::Plate => Vector::new(wide(), thin, wide()),
        Form::Rod => Vector::new(thin, wide(), thin),
        Form::Needle => Vector::new(0.01, 0.8, 0.01),
        Form::Block => Vector::from_fn(|_, _| random.pick(&[0.25, 0.5, 1.0])),
        _ => Vector::new(wide(), wide(), wide()),
    }
}

/// The radius and the length of a capsule or a cylinder of the form.
fn round_extents(form: Form, random: &mut Random) -> [f64; 2] {
    match form {
        Form::Plate => [random.between(0.4, 0.8), random.between(0.02, 0.1)],
        Form::Rod => [random.between(0.02, 0.1), random.between(0.8, 1.6)],
        Form::Needle => [0.01, 1.6],
        Form::Block => [random.pick(&[0.25, 0.5]), random.pick(&[0.5, 1.0])],
        _ => [random.between(0.2, 0.6), random.between(0.2, 1.2)],
    }
}

fn surface(form: Form, random: &mut Random) -> Shape {
    let (vertices, cells) = match form {
        Form::Shell => return shell_surface(random),
        Form::Parts => {
            let count = 2 + random.below(2);
            let parts: Vec<_> = (0..count).map(|_| part(random)).collect();
            joined(parts)
        }
        Form::Chunky => match random.below(5) {
            0 => meshes::icosphere(0),
            1 => meshes::icosphere(1),
            2 => meshes::bumpy(random, 1, 0.2),
            3 => tetrahedron(random),
            _ => box_of(extents(form, random)),
        },
        Form::Needle if random.one_in(2) => {
            let (mut vertices, cells) = meshes::icosphere(0);
            vertices.iter_mut().for_each(|p| (p.x, p.z) = (p.x / 80.0, p.z / 80.0));
            (vertices, cells)
        }
        _ => {
            let half = extents(form, random);
            let n = [0; 3].map(|_| 1 + random.below(3) as u32);
            // Blocks touch exactly: thirds of their sides would round when they are turned.
            let n = n.map(|n| if form == Form::Block && n == 3 { 4 } else { n });
            if random.one_in(2) { box_of(half) } else { grid_box(half, n) }
        }
    };
    let radius = if form == Form::Chunky && random.one_in(6) { random.between(0.02, 0.1) } else { 0.0 };
    Shape::SurfaceMesh { vertices, cells, radius }
}

/// A corner of a box, and three points.
fn tetrahedron(random: &mut Random) -> meshes::Triangles {
    let mut along =
        |axis: usize| Point::from(Vector::ith(axis, random.between(0.5, 1.2)) - Vector::repeat(0.3));
    let vertices = vec![Point::new(-0.3, -0.3, -0.3), along(0), along(1), along(2)];
    (vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

fn box_of(half: Vector) -> meshes::Triangles {
    meshes::box_surface(Point::from(-half), Point::from(half))
}

/// A torus, or a ball with a cavity.
fn shell_surface(random: &mut Random) -> Shape {
    let (vertices, cells) = if random.one_in(2) {
        meshes::torus(random, 10, 6)
    } else {
        let outer = meshes::icosphere(1);
        let (mut inner, mut turned) = meshes::icosphere(1);
        let ratio = random.between(0.5, 0.95);
        inner.iter_mut().for_each(|p| p.coords *= ratio);
        turned.iter_mut().for_each(|ids| ids.swap(1, 2));
        joined(vec![outer, (inner, turned)])
    };
    Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
}

/// A small box or ball in the unit ball, in a cell of a coarse lattice, so that no two of them overlap.
fn part(random: &mut Random) -> meshes::Triangles {
    let half = Vector::from_fn(|_, _| random.between(0.03, 0.2));
    if random.one_in(2) {
        box_of(half)
    } else {
        let (mut vertices, cells) = meshes::icosphere(0);
        vertices.iter_mut().for_each(|p| p.coords.component_mul_assign(&half));
        (vertices, cells)
    }
}

/// All parts, each at its own position in a lattice of half a unit.
fn joined(parts: Vec<meshes::Triangles>) -> meshes::Triangles {
    let hollow = parts.len() == 2 && parts[0].1.len() == 80 && parts[1].1.len() == 80;
    let places = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [-0.5, 0.5, 0.0]];
    let (mut vertices, mut cells) = (Vec::new(), Vec::new());
    for (place, (points, triangles)) in places.into_iter().zip(parts) {
        let first = vertices.len() as u32;
        let shift = if hollow { Vector::zeros() } else { Vector::from(place) };
        vertices.extend(points.into_iter().map(|point| point + shift));
        cells.extend(triangles.into_iter().map(|ids| ids.map(|id| id + first)));
    }
    (vertices, cells)
}

/// The surface of a box of `n` cells along each axis: coplanar triangles, collinear edges.
pub fn grid_box(half: Vector, n: [u32; 3]) -> meshes::Triangles {
    let (mut vertices, mut cells) = (Vec::new(), Vec::new());
    let mut ids = std::collections::HashMap::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, n[axis]] {
            for (i, j) in (0..n[u]).flat_map(|i| (0..n[v]).map(move |j| (i, j))) {
                let quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[di, dj]| {
                    let mut lattice = [0; 3];
                    (lattice[axis], lattice[u], lattice[v]) = (side, i + di, j + dj);
                    *ids.entry(lattice).or_insert_with(|| {
                        let place =
                            |k: usize| half[k] * (2.0 * f64::from(lattice[k]) / f64::from(n[k]) - 1.0);
                        vertices.push(Point::new(place(0), place(1), place(2)));
                        vertices.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = quad;
                if side == 0 {
                    cells.extend([[a, c, b], [a, d, c]]);
                } else {
                    cells.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    (vertices, cells)
}

fn tetrahedra(form: Form, random: &mut Random) -> Shape {
    let mut n = || 1 + random.below(2) as u32;
    let n = if form == Form::Shell { [3; 3] } else { [n(), n(), n()] };
    let shake = if matches!(form, Form::Chunky | Form::Shell) { 0.12 } else { 0.0 };
    let (mut vertices, mut cells) = meshes::tetra_block(random, n, shake);
    if form == Form::Shell {
        // Without the cube in the middle: vertex [1, 1, 1] is the first of its corners, [2, 2, 2] the last.
        let id = |corner: u32| (corner * 4 + corner) * 4 + corner;
        cells.retain(|cell| !(cell.contains(&id(1)) && cell.contains(&id(2))));
    }
    let longest = f64::from(n[0].max(n[1]).max(n[2]));
    let half = extents(form, random);
    let factors = Vector::from_fn(|axis, _| half[axis] * longest / f64::from(n[axis]));
    vertices.iter_mut().for_each(|p| p.coords.component_mul_assign(&factors));
    if form == Form::Parts {
        let first = vertices.len() as u32;
        let shift = Vector::new(half.x * 2.0 + random.between(0.05, 0.3), 0.0, 0.0);
        let copy: Vec<Point> = vertices.iter().map(|p| p + shift).collect();
        let again: Vec<[u32; 4]> = cells.iter().map(|ids| ids.map(|id| id + first)).collect();
        vertices.extend(copy);
        cells.extend(again);
        vertices.iter_mut().for_each(|p| p.coords = (p.coords - shift * 0.5) * 0.5);
    }
    if form == Form::Needle && random.one_in(2) {
        // One sliver.
        let corners = [[0.01, -0.8, 0.0], [-0.01, -0.8, 0.01], [-0.01, -0.8, -0.01], [0.0, 0.8, 0.0]];
        return Shape::TetraMesh { vertices: corners.map(Point::from).to_vec(), cells: vec![[0, 1, 2, 3]] };
    }
    Shape::TetraMesh { vertices, cells }
}

fn implicit(form: Form, random: &mut Random) -> Shape {
    let pose = Pose::identity();
    let ball = |place: Vector, radius: f64| {
        Function::Primitive(Box::new(Shape::Sphere { center: Point::from(place), radius }))
    };
    let boxed =
        |half_extents: Vector| Function::Primitive(Box::new(Shape::OrientedBox { pose, half_extents }));
    let function = match form {
        Form::Chunky => match random.below(5) {
            0 => ball(Vector::zeros(), random.between(0.3, 0.9)),
            1 => boxed(extents(form, random)),
            2 => {
                let [radius, length] = round_extents(form, random);
                Function::Primitive(Box::new(Shape::Cylinder { pose, radius, length }))
            }
            3 => Function::Offset { of: Box::new(boxed(extents(form, random) * 0.7)), distance: 0.15 },
            _ => Function::Union(vec![ball(Vector::x() * 0.3, 0.5), boxed(extents(form, random))]),
        },
        Form::Plate | Form::Rod | Form::Block => boxed(extents(form, random)),
        Form::Needle if random.one_in(2) => Function::Torus { pose, major: 0.8, minor: 0.01 },
        Form::Needle => {
            let [radius, length] = round_extents(form, random);
            Function::Primitive(Box::new(Shape::Capsule { pose, radius, length }))
        }
        Form::Shell if random.one_in(2) => {
            Function::Torus { pose, major: 0.6, minor: random.between(0.1, 0.3) }
        }
        Form::Shell => {
            let thickness = random.between(0.02, 0.2);
            Function::Difference(vec![ball(Vector::zeros(), 0.8), ball(Vector::zeros(), 0.8 - thickness)])
        }
        Form::Parts => {
            let places = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [-0.5, 0.5, 0.0]];
            let count = 2 + random.below(2);
            let parts = places.into_iter().take(count);
            Function::Union(parts.map(|place| ball(Vector::from(place), random.between(0.05, 0.2))).collect())
        }
    };
    Shape::Implicit { pose, scale: random.pick(&[1.0, 1.0, 0.5]), function }
}

fn convex(form: Form, random: &mut Random) -> Shape {
    let pose = Pose::identity();
    let half = extents(form, random);
    let margin = if random.one_in(5) { random.between(0.02, 0.1) } else { 0.0 };
    match random.below(6) {
        0 if form != Form::Block => Shape::Ellipsoid { pose, radii: half },
        1 if form != Form::Block => Shape::Cone { pose, radius: half.x, length: 2.0 * half.y },
        2 | 3 if form != Form::Block => {
            let count = 4 + random.below(12);
            let corner = |_| Point::from((random.direction() * 0.8).component_mul(&half));
            Shape::Convex { pose, corners: (0..count).map(corner).collect(), margin }
        }
        // A box; with extra corners on its edges and faces, as CAD programs write them.
        4 => {
            let n = [0; 3].map(|_| 1 + random.below(2) as u32);
            Shape::Convex { pose, corners: grid_box(half, n).0, margin: 0.0 }
        }
        _ if form != Form::Block && random.one_in(2) => prism(pose, half, random),
        _ => Shape::Convex { pose, corners: box_of(half).0, margin: 0.0 },
    }
}

/// A prism with each side split in two, rotated in its own frame so that its coplanar corners are coplanar only to
/// rounding.
fn prism(pose: Pose, half: Vector, random: &mut Random) -> Shape {
    let sides = 3 + random.below(4);
    let baked = Pose::from_parts(Translation3::identity(), random.rotation());
    let ring: Vec<[f64; 2]> = (0..sides)
        .map(|k| f64::from(k as u32) / sides as f64 * std::f64::consts::TAU)
        .map(|angle| [half.x * angle.cos(), half.z * angle.sin()])
        .collect();
    let middle = |k: usize| {
        let [x, z] =
            [ring[k], ring[(k + 1) % sides]].into_iter().fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
        [0.5 * x, 0.5 * z]
    };
    let all: Vec<[f64; 2]> = ring.iter().copied().chain((0..sides).map(middle)).collect();
    let corners =
        [-half.y, half.y].into_iter().flat_map(|y| all.iter().map(move |[x, z]| Point::new(*x, y, *z)));
    Shape::Convex { pose, corners: corners.map(|corner| baked * corner).collect(), margin: 0.0 }
}
