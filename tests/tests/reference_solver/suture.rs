//! A needle with a thread that is driven into and along a soft organ at 2 m/s, with one continuous detection per step:
//! no segment of the thread is through the organ's surface at the end of any step of the short run.
//!
//! Long runs end with crossings, the first after 367 steps: see `docs/reference-solver.md`.

use crate::crossing::crossings;
use crate::steps;
use palpate_detect::Detection;
use palpate_math::{Point, Vector};
use palpate_response::Material as Surface;
use palpate_scene::GeometryId;
use palpate_tests::xpbd::{Deformable, Elasticity, Material, Settings, World};
use palpate_tests::{Random, meshes};

/// Metres per second.
const SPEED: f64 = 2.0;

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
    target: Point,
}

impl Suture {
    /// The step and all lengths are proportional to the size; the speed and the stiffness are the same.
    pub(crate) fn new(size: f64) -> Self {
        let radius = 0.5e-3 * size;
        let settings = Settings {
            step: 1e-3 * size,
            iterations: 20,
            damping: 5.0 / size,
            margin: 2.0 * radius,
            detection: Detection::ContinuousThenStatic,
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
        let material = Material { mass, stretch: 1e-4, bend: 1e-2 };
        let thread = Deformable::thread(points, radius, material).unwrap();
        // The needle: the first two particles.
        let thread = thread.fixed_where(|place| (place - start).norm() < 1.5 * spacing);
        let thread = world.add_deformable("thread", thread).unwrap();
        world.add_pair(thread, organ, Surface::with_friction(0.2)).unwrap();
        world.add_pair(thread, thread, Surface::with_friction(0.2)).unwrap();
        let triangles = world
            .scene
            .geometry_as::<palpate_geometry::TetraMesh>(organ)
            .unwrap()
            .boundary_triangles()
            .to_vec();
        Self { world, thread, organ, triangles, size, random: Random::new(3), target: start }
    }

    /// Drives the needle towards its next target: points above and within the organ by turns, or along its surface.
    fn steer(&mut self) {
        let tip = self.world.particles(self.thread).start;
        let step = SPEED * self.world.settings.step;
        let place = self.world.positions[tip];
        if (self.target - place).norm() <= step {
            let mut between = |most: f64| self.random.between(-most, most) * self.size;
            let (x, z) = (between(0.04), between(0.025));
            let y = if self.target.y > HALF_HEIGHT * self.size {
                // A third of the height below the surface, or along it.
                let inside = (1.0 - (x / 0.06 / self.size).powi(2) - (z / 0.04 / self.size).powi(2)).sqrt();
                HALF_HEIGHT * self.size * (inside - 0.33)
            } else {
                HALF_HEIGHT * self.size * 1.4
            };
            self.target = Point::new(x, y, z);
        }
        let velocity = (self.target - place).normalize() * SPEED;
        self.world.velocities[tip] = velocity;
        self.world.velocities[tip + 1] = velocity;
    }

    pub(crate) fn step(&mut self) -> Vec<(usize, [u32; 3])> {
        self.steer();
        self.world.step().unwrap();
        let [thread, organ] = [self.thread, self.organ].map(|id| self.world.particles(id));
        let positions = &self.world.positions;
        crossings(&positions[thread], &positions[organ], &self.triangles)
    }
}

#[test]
fn no_segment_is_through_the_organ() {
    let steps = steps("PALPATE_SUTURE_STEPS", 200);
    let mut failures = Vec::new();
    for size in [1.0, 0.1, 10.0] {
        let mut suture = Suture::new(size);
        let (mut touching, mut crossed, mut overlap, mut least_volume) = (0, 0, 0.0_f64, 1.0_f64);
        let mut first = None;
        for step in 0..steps {
            let found = suture.step();
            if !found.is_empty() {
                crossed += 1;
                first.get_or_insert((step, found));
            }
            touching += usize::from(!suture.world.rows.is_empty());
            overlap = overlap.max(suture.world.overlap() / (0.5e-3 * size));
            least_volume = suture.world.volumes().fold(least_volume, f64::min);
        }
        println!(
            "size {size}: {crossed} of {steps} steps end with a crossing, {touching} with rows; overlap at most {overlap:.3} \
             radii, volume at least {least_volume:.3}; first {first:?}"
        );
        if crossed > 0 || 2 * touching < steps {
            failures.push(size);
        }
    }
    assert!(failures.is_empty(), "sizes {failures:?}");
}
