//! Scenes of a client, by the public loop alone: a thread drawn round a torus and a liver, a knot pulled tight, and instruments
//! dropped on a tray.

use crate::grasper::liver;
use crate::oracle::Skin;
use crate::steps;
use palpate::geometry::pose::rotation_from_axis;
use palpate::math::Aabb;
use palpate::math::continuous::{MovingPoint, Options, edge_edge};
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::Moves;
use palpate::response::pbd::{Distance, RigidBody, Rows};
use palpate::stepping::{Moving, Stepped, Stepper, StepperOptions};
use palpate_tests::{Random, meshes};
use std::time::Instant;

const STEP: f64 = 2e-3; // seconds
const RADIUS: f64 = 0.5e-3; // metres, of the thread
const SPACING: f64 = 2e-3; // metres
const SEGMENTS: usize = 200;

/// What the thread is drawn round, or does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Around {
    Torus,
    Liver,
    /// It has a knot in front of a torus, and is drawn tight by both ends.
    Itself,
}

/// A thread beside a body that does not move; all lengths times `size`.
pub(crate) struct Suture {
    pub(crate) scene: Scene,
    stepper: Stepper,
    pub(crate) moving: Moving,
    masses: Vec<f64>,
    lengths: Vec<Distance>,
    body: Skin,
    random: Random,
    target: Point,
    around: Around,
    size: f64,
    speed: f64,
}

/// An open trefoil (A. R. Shastri, "Polynomial representations of knots", 1992), its points [`SPACING`] apart.
fn knot() -> Vec<Point> {
    let at = |t: f64| Point::new(t.powi(3) - 3.0 * t, t.powi(4) - 4.0 * t * t, 0.4 * (t.powi(5) - 10.0 * t));
    let fine: Vec<Point> = (0..=40_000).map(|k| at(-2.2 + 4.4 * f64::from(k) / 40_000.0)).collect();
    let way: f64 = fine.windows(2).map(|two| (two[1] - two[0]).norm()).sum();
    let (mut points, mut gone) = (vec![fine[0]], 0.0);
    for two in fine.windows(2) {
        gone += (two[1] - two[0]).norm();
        if gone >= points.len() as f64 * way / SEGMENTS as f64 && points.len() < SEGMENTS {
            points.push(two[1]);
        }
    }
    points.push(fine[40_000]);
    let factor = SPACING * SEGMENTS as f64 / way;
    points.iter().map(|point| Point::new(0.0, 0.12, 0.0) + point.coords * factor).collect()
}

fn material(_: &Pair) -> Material {
    Material::with_friction(0.2)
}

fn solve(moving: &mut Moving, rows: &mut Rows, masses: &[f64], lengths: &mut [Distance]) {
    let before = moving.particles.clone();
    moving.advance(STEP);
    lengths.iter_mut().for_each(Distance::begin_step);
    for _ in 0..20 {
        lengths.iter_mut().for_each(|length| length.project(&mut moving.particles, masses, STEP));
        rows.reproject_on_elements(moving.positions());
        let mut state = moving.state(&before, masses);
        rows.iter_mut().for_each(|row| row.project_in(&mut state));
    }
    moving.take_velocities(&before, masses, STEP);
}

impl Suture {
    pub(crate) fn new(around: Around, size: f64, speed: f64) -> Self {
        let mut random = Random::new(7);
        let (vertices, triangles) = match around {
            Around::Torus | Around::Itself => meshes::torus(&mut random, 24, 12),
            Around::Liver => liver(860),
        };
        let factor = if around == Around::Liver { 0.5 } else { 0.03 };
        let vertices: Vec<Point> = vertices.iter().map(|v| Point::from(v.coords * (factor * size))).collect();
        let start = Point::new(0.0, 0.05, 0.0);
        let points = match around {
            Around::Itself => knot(),
            _ => (0..=SEGMENTS).map(|k| start + Vector::new(0.6, 0.8, 0.0) * (SPACING * k as f64)).collect(),
        };
        let points: Vec<Point> = points.iter().map(|point| point * size).collect();
        let mut scene = Scene::standard();
        let thread = LineMesh::polyline(points.clone()).unwrap().with_radius(RADIUS * size).unwrap();
        let thread = scene.add("thread", thread).unwrap();
        let body = SurfaceMesh::new(vertices.clone(), triangles.clone()).unwrap();
        let body = scene.add("body", body).unwrap();
        for other in [body, thread] {
            let options = PairOptions::default().with_margin(2.0 * RADIUS * size);
            scene.add_pair(thread, other, options.with_detection(Detection::Continuous)).unwrap();
        }
        let options = StepperOptions::new(STEP, -0.2 * RADIUS * size);
        let moves = |id| if id == thread { Moves::Particles(0) } else { Moves::Fixed };
        let stepper = Stepper::new(&scene, options, moves).unwrap();
        let mut masses = vec![1e5; points.len()];
        masses[0] = 0.0;
        if around == Around::Itself {
            masses[SEGMENTS] = 0.0;
        }
        let lengths = (0..SEGMENTS).map(|k| Distance::new([k, k + 1], &points, 1e-6)).collect();
        let body = Skin { points: vertices, triangles, is_closed: true, ..Skin::default() };
        let moving = Moving::of_particles(points);
        let target = start * size;
        Self { scene, stepper, moving, masses, lengths, body, random, target, around, size, speed }
    }

    /// Both hands go apart until they are almost as far from each other as the thread is long, then hold it.
    fn pull(&mut self) {
        let [first, last] = [0, SEGMENTS].map(|k| self.moving.particles[k]);
        let (apart, length) = (last - first, SPACING * self.size * SEGMENTS as f64);
        let speed = if apart.norm() < 0.95 * length { self.speed } else { 0.0 };
        let way = apart.try_normalize(0.0).unwrap_or_default() * speed;
        for (k, velocity) in self.moving.velocities.iter_mut().enumerate() {
            *velocity = match k {
                0 => -way,
                SEGMENTS => way,
                _ => *velocity * 0.98,
            };
        }
    }

    /// The hand goes from target to target, in and round the body; it is where its particle got to.
    fn drive(&mut self) {
        if self.around == Around::Itself {
            return self.pull();
        }
        let hand = self.moving.particles[0];
        if (self.target - hand).norm() < 2.0 * self.speed * STEP || self.random.one_in(40) {
            self.target = Point::from(self.random.vector() * (0.04 * self.size));
        }
        let toward = (self.target - hand).try_normalize(0.0).unwrap_or_default();
        for (k, velocity) in self.moving.velocities.iter_mut().enumerate() {
            *velocity =
                if k == 0 { toward * self.speed } else { *velocity * 0.98 - Vector::y() * 0.02 * self.size };
        }
    }

    pub(crate) fn step(&mut self) -> usize {
        self.drive();
        let Self { scene, stepper, moving, masses, lengths, .. } = self;
        let stepped =
            stepper.step(scene, moving, material, |moving, rows| solve(moving, rows, masses, lengths));
        stepped.unwrap().shortened
    }

    /// Makes a step: seconds until the rows of the first detection are solved, and until the guard has ended.
    pub(crate) fn timed_step(&mut self) -> ([f64; 2], Stepped) {
        self.drive();
        let Self { scene, stepper, moving, masses, lengths, .. } = self;
        let (begun, mut plain) = (Instant::now(), None);
        let stepped = stepper.step(scene, moving, material, |moving, rows| {
            solve(moving, rows, masses, lengths);
            plain.get_or_insert_with(|| begun.elapsed().as_secs_f64());
        });
        ([plain.unwrap(), begun.elapsed().as_secs_f64()], stepped.unwrap())
    }

    /// Whether a segment is through the body, or has passed another on the straight way since `before`.
    fn is_crossed(&self, before: &[Point]) -> bool {
        let now = &self.moving.particles;
        let segments = (0..SEGMENTS as u32).map(|k| [k, k + 1]).collect();
        let thread = Skin { points: now.clone(), segments, ..Skin::default() };
        let way = |k: usize| MovingPoint::new(before[k], now[k]);
        let swept = |k: usize| Aabb::from_points([before[k], before[k + 1], now[k], now[k + 1]]);
        let boxes: Vec<Aabb> = (0..SEGMENTS).map(swept).collect();
        let passes = |i: usize, j: usize| {
            let (first, second) = ([way(i), way(i + 1)], [way(j), way(j + 1)]);
            boxes[i].overlaps(&boxes[j]) && edge_edge(&first, &second, &Options::DEFAULT).is_some()
        };
        thread.crosses(&self.body, false) || (0..SEGMENTS).any(|i| (i + 2..SEGMENTS).any(|j| passes(i, j)))
    }
}

/// A hundred thousand steps by `PALPATE_CLIENT_STEPS=100000`.
// Proves: REQ-GUARD
#[test]
fn a_thread_drawn_round_a_body_or_into_a_knot_crosses_neither_it_nor_itself() {
    let steps = steps("PALPATE_CLIENT_STEPS", 40);
    let drawn = [0.2, 1.0, 2.0].map(|speed| (Around::Torus, speed));
    for (around, speed) in drawn.into_iter().chain([
        (Around::Liver, 0.2),
        (Around::Liver, 2.0),
        (Around::Itself, 0.2),
        (Around::Itself, 1.0),
    ]) {
        let mut suture = Suture::new(around, 1.0, speed);
        let (mut shortened, mut crossed, mut way) = (0, 0, 0.0);
        for _ in 0..steps {
            let before = suture.moving.particles.clone();
            shortened += usize::from(suture.step() > 0);
            crossed += usize::from(suture.is_crossed(&before));
            way += (suture.moving.particles[0] - before[0]).norm();
        }
        println!(
            "{around:?}, {speed} m/s: {crossed} of {steps} steps crossed, {shortened} shortened, {way:.3} m"
        );
        assert_eq!(crossed, 0, "{around:?}, {speed} m/s");
        // Hands that have drawn a knot tight hold it.
        let wanted =
            0.25 * speed * STEP * steps.min(if around == Around::Itself { 100 } else { steps }) as f64;
        assert!(way > wanted, "{around:?}, {speed} m/s: the hand went {way} m");
    }
}

/// Without any response of a solver: the guard alone, and the velocities that it takes.
#[test]
fn ten_instruments_dropped_on_a_tray_at_5_metres_per_second_stay_on_it() {
    let steps = steps("PALPATE_CLIENT_STEPS", 60);
    let n = 32_u32;
    let place = |k: u32| 0.4 * (f64::from(k) / f64::from(n) - 0.5);
    let vertices: Vec<Point> = (0..=n)
        .flat_map(|i| (0..=n).map(move |j| (i, j)))
        .map(|(i, j)| Point::new(place(i), 0.003 * f64::from((i * 7 + j * 3) % 5), place(j)))
        .collect();
    let id = |i: u32, j: u32| i * (n + 1) + j;
    let quads =
        (0..n).flat_map(|i| (0..n).map(move |j| [id(i, j), id(i, j + 1), id(i + 1, j + 1), id(i + 1, j)]));
    let triangles: Vec<[u32; 3]> = quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mut random = Random::new(11);
    let (mut scene, mut moving) = (Scene::standard(), Moving::default());
    let tray = scene.add("tray", SurfaceMesh::new(vertices, triangles).unwrap()).unwrap();
    for k in 0..10_usize {
        let at = Pose::identity();
        let body: Box<dyn Geometry> = match k % 5 {
            0 => Box::new(Capsule::new(at, 0.004, 0.08).unwrap()),
            1 => Box::new(OrientedBox::new(at, Vector::new(0.04, 0.004, 0.006)).unwrap()),
            2 => Box::new(Cylinder::new(at, 0.005, 0.06).unwrap()),
            3 => Box::new(Sphere::new(Point::origin(), 0.008).unwrap()),
            _ => Box::new(
                Compound::default()
                    .with(Capsule::new(Pose::translation(0.006, 0.0, 0.0), 0.003, 0.05).unwrap())
                    .with(Capsule::new(Pose::translation(-0.006, 0.0, 0.0), 0.003, 0.05).unwrap()),
            ),
        };
        let id = scene.add_boxed(&format!("instrument {k}"), body, Groups::default()).unwrap();
        let place = Vector::new(0.06 * (k % 5) as f64 - 0.12, 0.08 + 0.1 * (k / 5) as f64, 0.0);
        let axis = rotation_from_axis(random.direction()).unwrap();
        let pose = Pose::from_parts(place.into(), axis);
        scene.set_pose(id, pose).unwrap();
        scene.add_pair(id, tray, PairOptions::default().with_margin(0.002)).unwrap();
        moving.add_body(RigidBody::new(pose, 10.0, Vector::repeat(1e5)));
        moving.body_velocities[k] = [Vector::y() * -5.0, random.vector() * 30.0];
    }
    let moves = |id: GeometryId| if id == tray { Moves::Fixed } else { Moves::Body(id.index() - 1) };
    let mut stepper = Stepper::new(&scene, StepperOptions::new(1.0 / 240.0, 1e-4), moves).unwrap();
    let mut shortened = 0;
    for step in 0..steps {
        let energy = |moving: &Moving| -> f64 {
            moving.body_velocities.iter().map(|[v, w]| v.norm_squared() + w.norm_squared()).sum()
        };
        let before = energy(&moving);
        let stepped = stepper.step(
            &mut scene,
            &mut moving,
            |_| Material::HARD,
            |moving, _| {
                moving.advance(1.0 / 240.0);
            },
        );
        shortened += stepped.unwrap().shortened;
        assert!(energy(&moving) <= before, "step {step}: the guard gives speed");
        // Gravity, after the account.
        moving.body_velocities.iter_mut().for_each(|[velocity, _]| velocity.y -= 9.81 / 240.0);
        for (k, body) in moving.bodies.iter().enumerate() {
            let place = body.pose.translation.vector;
            let is_over = place.x.abs() < 0.2 && place.z.abs() < 0.2;
            assert!(!is_over || place.y > 0.0, "step {step}: instrument {k} is at {place}");
        }
    }
    // In the first sixty steps alone; later some have slid off.
    assert!(shortened > 300, "{shortened}");
    stepper.place(&mut scene, &moving).unwrap();
    scene.step().unwrap();
    let deepest = scene.deepest().map_or(f64::NEG_INFINITY, |(_, contact)| contact.depth);
    assert!(deepest < 0.0, "{deepest}");
}
