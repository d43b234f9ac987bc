//! A needle with a thread, in a hand that moves into and along a soft organ at 2 m/s, with one continuous detection per
//! step: no segment of the thread is through the organ's surface at the end of any step.

use crate::crossing::crossings;
use crate::steps;
use palpate_detect::Detection;
use palpate_math::{Point, Vector};
use palpate_response::Material as Surface;
use palpate_scene::GeometryId;
use palpate_tests::xpbd::{Deformable, Elasticity, Grip, Material, Settings, World};
use palpate_tests::{Random, meshes};

/// Metres per second.
const SPEED: f64 = 2.0;

/// Of the thread at size 1, metres.
const RADIUS: f64 = 0.5e-3;

/// Particles of the thread.
const POINTS: usize = 40;

/// Half the height of the organ at size 1, metres. The needle turns back at a third of it below the surface.
const HALF_HEIGHT: f64 = 0.02;

/// An ellipsoid of tetrahedra: a block of cubes, each of its layers around the centre put on an ellipsoid.
fn organ(size: f64) -> (Vec<Point>, Vec<[u32; 4]>) {
    let (mut vertices, cells) = meshes::tetra_block(&mut Random::new(2), [8, 4, 6], 0.0);
    let high = vertices.iter().fold(Vector::zeros(), |high, vertex| high.sup(&vertex.coords.abs()));
    for vertex in &mut vertices {
        let cube = vertex.coords.component_div(&high);
        let round = if cube.norm() > 0.0 { cube * (cube.amax() / cube.norm()) } else { cube };
        // Halfway between the cube and the ball: its corners stay blunt.
        let shape = Vector::new(0.06, HALF_HEIGHT, 0.04) * size;
        *vertex = Point::from((0.8 * round + 0.2 * cube).component_mul(&shape));
    }
    (vertices, cells)
}

pub(crate) struct Suture {
    pub(crate) world: World,
    pub(crate) thread: GeometryId,
    pub(crate) organ: GeometryId,
    triangles: Vec<[u32; 3]>,
    size: f64,
    random: Random,
    /// Where the hand is, and where it goes.
    hand: Point,
    target: Point,
    strokes: usize,
}

impl Suture {
    /// The step and all lengths are proportional to the size; speeds and the modulus of the organ are the same, so that
    /// forces grow with the square of the size and compliances with its inverse.
    pub(crate) fn new(size: f64) -> Self {
        let radius = RADIUS * size;
        let settings = Settings {
            step: 1e-3 * size,
            iterations: 20,
            damping: 5.0 / size,
            margin: 9.0 * radius,
            detection: Detection::Continuous,
            guard: Some(-0.5 * radius),
            ..Settings::default()
        };
        let mut world = World::new(settings);
        let (vertices, cells) = organ(size);
        let soft = Elasticity { young: 1e4, poisson: 0.4 };
        let organ = Deformable::solid(vertices, cells, 1e3, soft).unwrap();
        let organ = organ.fixed_where(|place| place.y < -0.5 * HALF_HEIGHT * size);
        let organ = world.add_deformable("organ", organ).unwrap();
        let spacing = 2.5e-3 * size;
        let start = Point::new(0.0, 1.5 * HALF_HEIGHT * size, 0.0);
        let points = (0..POINTS).map(|k| start + Vector::new(0.6, 0.8, 0.0) * (spacing * k as f64)).collect();
        // A thread of nylon's weight, hardly extensible.
        let mass = 1.1e3 * 0.785e-6 * size * size * spacing;
        let material = Material { mass, stretch: 1e-4 / size, bend: 1e-2 / size };
        let mut thread = Deformable::thread(points, radius, material).unwrap();
        // The needle: the first two particles, of steel.
        thread.masses[..2].fill(7.0 * mass);
        let thread = world.add_deformable("thread", thread).unwrap();
        let first = world.particles(thread).start;
        for particle in [first, first + 1] {
            let place = world.positions[particle];
            world.grips.push(Grip::new(particle, place, 1e-3 / size, 2.0 * size * size));
        }
        world.add_pair(thread, organ, Surface::with_friction(0.2)).unwrap();
        world.add_pair(thread, thread, Surface::with_friction(0.2)).unwrap();
        let triangles = world
            .scene
            .geometry_as::<palpate_geometry::TetraMesh>(organ)
            .unwrap()
            .boundary_triangles()
            .to_vec();
        Self {
            world,
            thread,
            organ,
            triangles,
            size,
            random: Random::new(3),
            hand: start,
            target: start,
            strokes: 0,
        }
    }

    /// Drives the hand towards its next target: three points within the organ, then one above it.
    fn steer(&mut self) {
        let step = SPEED * self.world.settings.step;
        if (self.target - self.hand).norm() <= step {
            let mut between = |most: f64| self.random.between(-most, most) * self.size;
            let (x, z) = (between(0.04), between(0.025));
            let y = if self.strokes % 4 < 3 {
                // A third of the height below the surface.
                let inside = (1.0 - (x / 0.06 / self.size).powi(2) - (z / 0.04 / self.size).powi(2)).sqrt();
                HALF_HEIGHT * self.size * (inside - 0.33)
            } else {
                HALF_HEIGHT * self.size * 1.4
            };
            self.target = Point::new(x, y, z);
            self.strokes += 1;
        }
        let way = (self.target - self.hand).normalize() * step;
        self.hand += way;
        for grip in &mut self.world.grips {
            grip.place += way;
        }
    }

    pub(crate) fn step(&mut self) -> Vec<(usize, [u32; 3])> {
        self.steer();
        self.world.step().unwrap();
        let [thread, organ] = [self.thread, self.organ].map(|id| self.world.particles(id));
        let positions = &self.world.positions;
        crossings(&positions[thread], &positions[organ], &self.triangles)
    }

    /// Whether a row pushes the needle.
    fn presses(&self) -> bool {
        let first = self.world.particles(self.thread).start as u32;
        self.world.rows.iter().any(|row| {
            row.multipliers()[0] > 0.0
                && row.entries().iter().any(|entry| [first, first + 1].contains(&entry.particle))
                && row
                    .entries()
                    .iter()
                    .any(|entry| self.world.particles(self.organ).contains(&(entry.particle as usize)))
        })
    }
}

/// What a run has shown.
#[derive(Debug, Default)]
struct Run {
    steps: usize,
    /// Steps at whose end a segment is through the organ.
    crossed: usize,
    /// Steps in which a row pushes the needle off the organ.
    pressing: usize,
    /// Steps in which the guard has shortened a displacement.
    held: usize,
    /// The length of the ways of the hand and of the needle's tip, metres at size 1.
    ways: [f64; 2],
    /// The largest overlap of a row at the end of a step, in radii of the thread.
    overlap: f64,
}

impl Run {
    fn of(suture: &mut Suture, steps: usize, mut before: impl FnMut(&mut Suture)) -> Self {
        let mut run = Self { steps, ..Self::default() };
        let tip = suture.world.particles(suture.thread).start;
        for _ in 0..steps {
            let places = [suture.hand, suture.world.positions[tip]];
            before(suture);
            run.crossed += usize::from(!suture.step().is_empty());
            run.pressing += usize::from(suture.presses());
            run.held += usize::from(suture.world.held > 0);
            let now = [suture.hand, suture.world.positions[tip]];
            for ((way, now), place) in run.ways.iter_mut().zip(now).zip(places) {
                *way += (now - place).norm() / suture.size;
            }
            run.overlap = run.overlap.max(suture.world.overlap() / (RADIUS * suture.size));
        }
        run
    }
}

#[test]
fn no_segment_is_through_the_organ() {
    let steps = steps("PALPATE_SUTURE_STEPS", 120);
    for size in [1.0, 0.1, 10.0] {
        let mut suture = Suture::new(size);
        let run = Run::of(&mut suture, steps, |_| ());
        println!("size {size}: {run:?}");
        assert_eq!(run.crossed, 0, "size {size}");
        assert!(2 * run.pressing > run.steps, "size {size}: the needle presses in {} steps", run.pressing);
        let speed = run.ways[0] / (run.steps as f64 * 1e-3);
        assert!((speed / SPEED - 1.0).abs() < 1e-9, "size {size}: the hand moves at {speed} m/s");
        assert!(run.ways[1] > 0.1 * run.ways[0], "size {size}: the needle stays behind: {:?}", run.ways);
    }
}

/// Without any iteration no row pushes: what drives the thread at 2 m/s in random directions goes through the organ at
/// once, unless the guard holds it.
#[test]
fn the_guard_alone_holds_what_the_solver_lets_through() {
    for is_guarded in [true, false] {
        let mut suture = Suture::new(1.0);
        suture.world.settings.iterations = 0;
        suture.world.settings.gravity = Vector::zeros();
        if !is_guarded {
            suture.world.settings.guard = None;
        }
        let mut random = Random::new(5);
        let mut step = 0;
        let run = Run::of(&mut suture, 100, |suture| {
            let thread = suture.world.particles(suture.thread);
            if step % 10 == 0 {
                let down = if step % 20 == 0 { 1.5 } else { 0.0 };
                for velocity in &mut suture.world.velocities[thread] {
                    *velocity = Vector::from_fn(|_, _| random.between(-1.0, 1.0)) - Vector::y() * down;
                }
            }
            step += 1;
        });
        println!("guarded {is_guarded}: {run:?}");
        assert_eq!(run.crossed == 0, is_guarded, "{run:?}");
        assert_eq!(run.held > 0, is_guarded, "{run:?}");
    }
}
