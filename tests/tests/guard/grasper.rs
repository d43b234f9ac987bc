//! A grasper goes into a soft liver, closes its jaws, and pulls: by the public loop alone, judged by distances of the axes of its parts
//! from every triangle.

use crate::oracle::Skin;
use crate::steps;
use palpate::math::nearest::segment_triangle;
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::Moves;
use palpate::response::pbd::{Distance, RigidBody};
use palpate::stepping::{Moving, Stepper, StepperOptions};
use palpate_tests::meshes::{self, Triangles};
use std::collections::BTreeSet;
use std::path::PathBuf;

const STEP: f64 = 2e-3; // seconds
const STIFFNESS: f64 = 60.0; // newtons per metre: draws a vertex to its place at rest

/// The axes of the parts in the frames of the three tools: the shaft with a ball at its tip, two jaws; with their radii.
fn parts(size: f64) -> Vec<(usize, [Point; 2], f64)> {
    let axis = |tool: usize, low: f64, high: f64, radius: f64| {
        (tool, [low, high].map(|y| Point::new(0.0, y * size, 0.0)), radius * size)
    };
    vec![
        axis(0, 0.01, 0.11, 0.003),
        axis(0, 0.01, 0.01, 0.005),
        axis(1, -0.008, 0.008, 0.002),
        axis(2, -0.008, 0.008, 0.002),
    ]
}

/// A liver of about so many triangles, the largest extent of which is 12 cm.
pub(crate) fn liver(triangles: usize) -> Triangles {
    let shared = std::env::var_os("PALPATE_SHARED").map(PathBuf::from);
    let file = match triangles {
        860 => Some("liver2.msh"),
        10_000 => Some("liver.vtk"),
        _ => None,
    };
    let (points, cells) = match (shared, file) {
        (Some(shared), Some(file)) => {
            let contents = palpate_mesh_io::read(shared.join("data/meshes").join(file)).unwrap();
            match contents.tetrahedra.is_empty() {
                true => (contents.positions, contents.triangles),
                false => {
                    let mesh = TetraMesh::new(contents.positions, contents.tetrahedra).unwrap();
                    (mesh.points().positions().to_vec(), mesh.boundary_triangles().to_vec())
                }
            }
        }
        _ => {
            let (mut points, cells) = meshes::icosphere(if triangles > 20_000 { 6 } else { 2 });
            points.iter_mut().for_each(|p| *p = Point::new(p.x, 0.5 * p.y, 0.8 * p.z));
            (points, cells)
        }
    };
    // Only what the surface has.
    let used: BTreeSet<u32> = cells.iter().flatten().copied().collect();
    let number: std::collections::HashMap<u32, u32> = (0..).zip(&used).map(|(k, id)| (*id, k)).collect();
    let points: Vec<Point> = used.iter().map(|id| points[*id as usize]).collect();
    let bounds = palpate::math::Aabb::from_points(&points);
    let factor = 0.12 / bounds.size().max();
    let points = points.iter().map(|p| Point::from((p - bounds.center()) * factor)).collect();
    (points, cells.iter().map(|ids| ids.map(|id| number[&id])).collect())
}

struct Grasper {
    scene: Scene,
    stepper: Stepper,
    moving: Moving,
    masses: Vec<f64>,
    at_rest: Vec<Point>,
    edges: Vec<Distance>,
    triangles: Vec<[u32; 3]>,
    iterations: usize,
    speed: f64,
    size: f64,
    time: f64,
}

impl Grasper {
    fn new(triangles: usize, speed: f64, size: f64) -> Self {
        let (points, cells) = liver(triangles);
        let points: Vec<Point> = points.iter().map(|p| p * size).collect();
        let sides = cells.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let sides: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        let edge = |ids: &[u32; 2]| Distance::new(ids.map(|id| id as usize), &points, 1e-4);
        let edges = sides.iter().map(edge).collect();
        let mut moving = Moving::of_particles(points.clone());
        let mut scene = Scene::standard();
        let organ = SurfaceMesh::new(points.clone(), cells.clone()).unwrap();
        let organ = scene.add("organ", organ).unwrap();
        let top = points.iter().map(|p| p.y).fold(0.0, f64::max);
        for (tool, [x, y]) in [[0.0, 0.0], [-0.012, -0.008], [0.012, -0.008]].into_iter().enumerate() {
            let of_tool = parts(size).into_iter().filter(|part| part.0 == tool);
            let compound = of_tool.fold(Compound::default(), |compound, (_, [from, to], radius)| {
                if from == to {
                    compound.with(Sphere::new(from, radius).unwrap())
                } else {
                    compound.with(Capsule::from_ends(from, to, radius).unwrap())
                }
            });
            let id = scene.add(&format!("tool {tool}"), compound).unwrap();
            let pose = Pose::translation(x * size, top + (0.022 + y) * size, 0.0);
            moving.add_body(RigidBody::new(pose, 0.0, Vector::zeros()));
            scene.set_pose(id, pose).unwrap();
            let options = PairOptions::default().with_margin(5e-3 * size);
            scene.add_pair(id, organ, options.with_detection(Detection::Continuous)).unwrap();
        }
        let moves =
            |id: GeometryId| if id == organ { Moves::Particles(0) } else { Moves::Tool(id.index() - 1) };
        let stepper = Stepper::new(&scene, StepperOptions::new(STEP, 2e-5 * size), moves).unwrap();
        let (masses, iterations) = (vec![1e3; points.len()], if triangles > 20_000 { 4 } else { 10 });
        Self {
            scene,
            stepper,
            moving,
            masses,
            at_rest: points,
            edges,
            triangles: cells,
            iterations,
            speed,
            size,
            time: 0.0,
        }
    }

    /// 25 mm down, the jaws close by 8 mm each, 25 mm up, they open; aside by 15 mm from time to time.
    fn drive(&mut self) {
        let way = 0.025 / self.speed;
        let phase = self.time % (2.0 * way + 0.2);
        let (down, close) = match phase {
            phase if phase < way => (-self.speed, 0.0),
            phase if phase < way + 0.1 => (0.0, 0.08),
            phase if phase < 2.0 * way + 0.1 => (self.speed, 0.0),
            _ => (0.0, -0.08),
        };
        for (velocities, side) in self.moving.body_velocities.iter_mut().zip([0.0, 1.0, -1.0]) {
            let aside = 0.05 * (3.0 * self.time).cos();
            *velocities = [Vector::new(side * close, down, aside) * self.size, Vector::zeros()];
        }
        self.time += STEP;
    }

    fn step(&mut self) -> [usize; 2] {
        self.drive();
        let Self { scene, stepper, moving, masses, at_rest, edges, iterations, size, .. } = self;
        let material = |_: &Pair| Material { thickness: 1e-4 * *size, ..Material::with_friction(0.3) };
        let stepped = stepper.step(scene, moving, material, |moving, rows| {
            let before = moving.particles.clone();
            for (k, velocity) in moving.velocities.iter_mut().enumerate() {
                let spring = (at_rest[k] - moving.particles[k]) * (STIFFNESS * masses[k]);
                *velocity = *velocity * 0.94 + spring * STEP;
            }
            moving.advance(STEP);
            edges.iter_mut().for_each(Distance::begin_step);
            for iteration in 0..3 * *iterations {
                // The rows have the last word: stretch is left rather than depth.
                if iteration < *iterations {
                    edges.iter_mut().for_each(|edge| edge.project(&mut moving.particles, masses, STEP));
                }
                rows.reproject_on_elements(moving.positions());
                let mut state = moving.state(&before, masses);
                rows.iter_mut().for_each(|row| row.project_in(&mut state));
            }
            moving.take_velocities(&before, masses, STEP);
        });
        let stepped = stepped.unwrap();
        [stepped.shortened, stepped.detections]
    }

    /// How deep the parts are, metres; infinity if an axis is inside.
    fn depth(&self) -> f64 {
        let points = &self.moving.particles;
        let mut deepest = f64::NEG_INFINITY;
        for (tool, axis, radius) in parts(self.size) {
            let [from, to] = axis.map(|end| self.moving.bodies[tool].pose * end);
            let far = radius + (to - from).norm();
            for ids in &self.triangles {
                let [a, b, c] = ids.map(|id| points[id as usize]);
                // Edges are shorter than a centimetre.
                if (a - from).norm() < far + 0.03 * self.size {
                    let near = segment_triangle(&from, &to, &a, &b, &c);
                    deepest = deepest.max(radius - near.distance_squared.sqrt());
                }
            }
        }
        deepest
    }

    /// Whether an axis is inside, by the winding number.
    fn is_inside(&self) -> bool {
        let (points, triangles) = (self.moving.particles.clone(), self.triangles.clone());
        let organ = Skin { points, triangles, is_closed: true, ..Skin::default() };
        parts(self.size).into_iter().any(|(tool, [from, _], _)| {
            let at = self.moving.bodies[tool].pose * from;
            let dot = Skin { points: vec![at], ..Skin::default() };
            organ.containment(&dot) != Some(0)
        })
    }
}

/// Ten thousand steps by `PALPATE_GRASPER_STEPS`, and the livers of 10,000 and 80,000 triangles by `PALPATE_GRASPER_TRIANGLES`.
// Proves: REQ-GUARD
#[test]
fn a_grasper_is_never_in_the_liver() {
    let steps = steps("PALPATE_GRASPER_STEPS", 40);
    let triangles = crate::steps("PALPATE_GRASPER_TRIANGLES", 860);
    for (speed, size) in [(0.1, 1.0), (0.5, 1e-3), (1.0, 1.0), (2.0, 1.0), (1.0, 1e-3)] {
        let mut grasper = Grasper::new(triangles, speed, size);
        let [mut acted, mut detections, mut deep, mut inside] = [0; 4];
        let (mut deepest, mut missing) = (f64::NEG_INFINITY, 0.0_f64);
        for step in 0..steps {
            let [shortened, made] = grasper.step();
            acted += usize::from(shortened > 0);
            detections += made;
            for held in &grasper.stepper.report().contradictions {
                missing = missing.max(held.missing / size);
            }
            let depth = grasper.depth() / size;
            deepest = deepest.max(depth);
            deep += usize::from(depth > 1e-4);
            inside += usize::from(step % 4 == 0 && grasper.is_inside());
        }
        let moved = grasper.moving.particles.iter().zip(&grasper.at_rest).map(|(p, q)| (p - q).norm());
        let yielded = moved.fold(0.0, f64::max) / size;
        println!(
            "{triangles} triangles, {speed} m/s, size {size}: {steps} steps, {inside} inside, {deep} deep, deepest \
             {:.5} mm, guard acts in {acted}, {detections} detections, held back {:.3} mm, yields {:.1} mm",
            1e3 * deepest,
            1e3 * missing,
            1e3 * yielded
        );
        assert!(inside == 0 && deep == 0, "{speed} m/s, size {size}: {inside} inside, {deep} deep");
    }
}
