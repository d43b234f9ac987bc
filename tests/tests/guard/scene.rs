//! Bodies of all kinds, apart from each other, with a guard over all pairs.

use crate::oracle::Skin;
use nalgebra::Translation3;
use palpate_geometry::implicit::{Torus, Union};
use palpate_geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use palpate_response::guard::{Guard, Moves};
use palpate_tests::{Random, meshes};
use std::sync::Arc;

/// The kinds of bodies: the first are of particles.
pub(crate) const KINDS: [&str; 17] = [
    "thread",
    "cloth",
    "ball",
    "block",
    "points",
    "sphere",
    "capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "box",
    "hull",
    "rigid mesh",
    "compound",
    "rigid thread",
    "ring",
    "beads",
];

/// Metres at size 1: kept between surfaces.
pub(crate) const DISTANCE: f64 = 0.01;

/// The radius of threads at size 1.
const RADIUS: f64 = 0.02;

pub(crate) struct Body {
    pub(crate) kind: &'static str,
    pub(crate) moves: Moves,
    /// In the frame of the pose; of particles without points.
    skin: Skin,
    count: usize,
}

pub(crate) struct Scene {
    pub(crate) size: f64,
    pub(crate) bodies: Vec<Body>,
    pub(crate) particles: Vec<Point>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) guard: Guard,
    /// Pairs of bodies.
    pub(crate) pairs: Vec<[usize; 2]>,
}

fn is_of_particles(kind: &str) -> bool {
    KINDS[..5].contains(&kind)
}

fn loop_of(count: u32) -> (Vec<Point>, Vec<[u32; 2]>) {
    let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(count);
    let points = (0..count).map(|k| Point::new(0.8 * angle(k).cos(), 0.0, 0.8 * angle(k).sin())).collect();
    (points, (0..count).map(|k| [k, (k + 1) % count]).collect())
}

/// The geometry of a kind, about 0.8 in radius around the origin, with its skin.
fn make(kind: &str, random: &mut Random, size: f64) -> (Box<dyn Geometry>, Skin) {
    let at = Pose::identity();
    let scaled = |points: Vec<Point>, factor: f64| -> Vec<Point> {
        points.into_iter().map(|p| Point::from(p.coords * (factor * size))).collect()
    };
    let mesh = |(points, triangles): meshes::Triangles, factor: f64, is_closed: bool| {
        let skin = Skin { points: scaled(points, factor), triangles, is_closed, ..Skin::default() };
        let mesh = SurfaceMesh::new(skin.points.clone(), skin.triangles.clone()).unwrap();
        (Box::new(mesh) as Box<dyn Geometry>, skin)
    };
    let solid = |geometry: Box<dyn Geometry>| {
        let skin = inscribed(&*geometry);
        (geometry, skin)
    };
    match kind {
        "thread" | "rigid thread" => {
            let (points, segments) = loop_of(20);
            let points = scaled(points, 1.0);
            let mesh = LineMesh::new(points.clone(), segments.clone()).unwrap().with_radius(RADIUS * size);
            let skin = Skin { points, segments, is_loop: true, ..Skin::default() };
            (Box::new(mesh.unwrap()), skin)
        }
        "points" => {
            let points = scaled((0..12).map(|_| Point::from(random.vector() * 0.5)).collect(), 1.0);
            let set = PointSet::new(points.clone()).unwrap().with_radius(RADIUS * size).unwrap();
            (Box::new(set), Skin { points, ..Skin::default() })
        }
        "cloth" => mesh(meshes::sheet(random, 4), 0.6, false),
        "ball" => mesh(meshes::icosphere(1), 0.7, true),
        "rigid mesh" => mesh(meshes::torus(random, 10, 6), 0.5, true),
        "block" => {
            let (points, cells) = meshes::tetra_block(random, [2, 2, 2], 0.1);
            let mesh = TetraMesh::new(scaled(points, 0.5), cells).unwrap();
            let (points, triangles) =
                (mesh.points().positions().to_vec(), mesh.boundary_triangles().to_vec());
            (Box::new(mesh), Skin { points, triangles, is_closed: true, ..Skin::default() })
        }
        "sphere" => solid(Box::new(Sphere::new(Point::origin(), 0.6 * size).unwrap())),
        "capsule" => solid(Box::new(Capsule::new(at, 0.2 * size, 1.0 * size).unwrap())),
        "cylinder" => solid(Box::new(Cylinder::new(at, 0.4 * size, 1.0 * size).unwrap())),
        "cone" => solid(Box::new(Cone::new(at, 0.5 * size, 1.0 * size).unwrap())),
        "ellipsoid" => solid(Box::new(Ellipsoid::new(at, Vector::new(0.7, 0.3, 0.2) * size).unwrap())),
        "box" => solid(Box::new(OrientedBox::new(at, Vector::new(0.5, 0.3, 0.4) * size).unwrap())),
        "hull" => {
            let points = scaled((0..16).map(|_| Point::from(random.vector() * 0.45)).collect(), 1.0);
            solid(Box::new(Convex::new(at, &points).unwrap().with_radius(0.05 * size).unwrap()))
        }
        "compound" => {
            let arm = |x: f64| Pose::translation(x * size, 0.0, 0.0);
            let capsule = |x: f64| Capsule::new(arm(x), 0.1 * size, 0.9 * size).unwrap();
            let compound = Compound::new(vec![Box::new(capsule(-0.3)), Box::new(capsule(0.3))]);
            let [mut skin, other] = [-0.3, 0.3].map(|x| inscribed(&capsule(x)));
            skin.append(other);
            (Box::new(compound), skin)
        }
        "ring" => {
            let torus = Torus::new(at, 0.55 * size, 0.2 * size).unwrap();
            (Box::new(ImplicitBody::new(at, Arc::new(torus)).unwrap()), inside_of_ring(size))
        }
        "beads" => {
            let ball = |x: f64| Sphere::new(Point::new(x * size, 0.0, 0.0), 0.3 * size).unwrap();
            let union = Union::new(vec![Arc::new(ball(-0.25)), Arc::new(ball(0.25))]).unwrap();
            let [mut skin, other] = [-0.25, 0.25].map(|x| inscribed(&ball(x)));
            skin.append(other);
            (Box::new(ImplicitBody::new(at, Arc::new(union)).unwrap()), skin)
        }
        _ => panic!("no kind {kind}"),
    }
}

/// A closed surface inside a ring of radius 0.55 and 0.2: its chords are within 0.02 of a ring of 0.17.
fn inside_of_ring(size: f64) -> Skin {
    let (n, m) = (16_u32, 8_u32);
    let angle = |k: u32, count: u32| std::f64::consts::TAU * f64::from(k) / f64::from(count);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let (around, along) = (angle(i, n), angle(j, m));
        let radius = 0.55 + 0.17 * along.cos();
        points.push(Point::new(radius * around.cos(), 0.17 * along.sin(), radius * around.sin()) * size);
        let id = |i: u32, j: u32| (i % n) * m + j % m;
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    Skin { points, triangles, is_closed: true, ..Skin::default() }
}

/// A closed surface inside a convex solid, of points of its own surface.
fn inscribed(geometry: &dyn Geometry) -> Skin {
    let (directions, triangles) = meshes::icosphere(2);
    let map = geometry.as_convex().unwrap();
    let points = directions.iter().map(|way| map.support_map().support(&way.coords)).collect();
    Skin { points, triangles, is_closed: true, ..Skin::default() }
}

impl Scene {
    /// Six bodies of random kinds, one of which is a tool if it is rigid, over a fixed plane.
    pub(crate) fn new(random: &mut Random, size: f64, without: Option<usize>) -> Self {
        let mut scene = Self {
            size,
            bodies: Vec::new(),
            particles: Vec::new(),
            poses: Vec::new(),
            guard: Guard::new(),
            pairs: Vec::new(),
        };
        let mut guarded = Vec::new();
        for slot in 0..6 {
            let kind = KINDS[random.below(KINDS.len())];
            let (geometry, mut skin) = make(kind, random, size);
            let place = Vector::new(f64::from(slot % 3), f64::from(slot / 3), 0.0) * (2.2 * size);
            let pose = Pose::from_parts(Translation3::from(place), random.rotation());
            let count = skin.points.len();
            let moves = if is_of_particles(kind) {
                let first = scene.particles.len();
                scene.particles.extend(skin.points.drain(..).map(|point| pose * point));
                Moves::Particles(first)
            } else {
                scene.poses.push(pose);
                let index = scene.poses.len() - 1;
                if slot == 0 { Moves::Tool(index) } else { Moves::Body(index) }
            };
            guarded.push(scene.guard.add(&*geometry, moves).unwrap());
            scene.bodies.push(Body { kind, moves, skin, count });
        }
        let floor = Plane::new(Point::new(0.0, -1.1 * size, 0.0), Vector::y()).unwrap();
        let floor = scene.guard.add(&floor, Moves::Fixed).unwrap();
        for a in 0..guarded.len() {
            for b in a..guarded.len() {
                let is_self = a == b;
                if is_self && !["thread", "cloth", "ball"].contains(&scene.bodies[a].kind) {
                    continue;
                }
                if without != Some(scene.pairs.len()) {
                    scene.guard.add_pair(guarded[a], guarded[b], DISTANCE * size).unwrap();
                }
                scene.pairs.push([a, b]);
            }
            scene.guard.add_pair(guarded[a], floor, DISTANCE * size).unwrap();
        }
        scene
    }

    /// The particles of a body.
    pub(crate) fn range(&self, body: usize) -> std::ops::Range<usize> {
        match self.bodies[body].moves {
            Moves::Particles(first) => first..first + self.bodies[body].count,
            _ => 0..0,
        }
    }

    /// The skin of a body where it is.
    pub(crate) fn skin(&self, body: usize) -> Skin {
        let own = &self.bodies[body];
        let mut skin = own.skin.clone();
        match own.moves {
            Moves::Body(index) | Moves::Tool(index) => {
                skin.points.iter_mut().for_each(|point| *point = self.poses[index] * *point);
            }
            _ => skin.points = self.particles[self.range(body)].to_vec(),
        }
        skin
    }

    pub(crate) fn height_of_floor(&self) -> f64 {
        -1.1 * self.size
    }
}
