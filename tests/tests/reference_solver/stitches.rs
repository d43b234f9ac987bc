//! Five stitches: a needle with a thread behind it goes through five folds of an organ that is pulled about. Every crossing of the
//! shaft with the surface is held by a row; none is lost, and their order stays.

use crate::steps;
use palpate::procedure::{Crossing, CrossingId, Event, Shaft, ShaftTracker};
use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_response::pbd::{Positions, ShaftSegment, Sliding};
use palpate_tests::xpbd::{Deformable, Elasticity, Grip, Material, Settings, World};
use palpate_tests::{Random, meshes};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Metres at size 1: the length of the organ, of a fold, the mean height and half the height of a fold.
const LENGTH: f64 = 0.1;
const FOLD: f64 = 0.02;
const HEIGHT: f64 = 0.015;
const HALF: f64 = 0.006;

/// Segments of needle and thread, those of the needle, and the length of one, metres at size 1.
const SEGMENTS: usize = 200;
const NEEDLE: usize = 20;
const SPACING: f64 = 0.7e-3;

/// A block whose upper side is folded five times.
fn organ(cubes: [u32; 3], size: f64) -> (Vec<Point>, Vec<[u32; 4]>) {
    let (mut vertices, cells) = meshes::tetra_block(&mut Random::new(2), cubes, 0.0);
    let high = f64::from(cubes[1]) / f64::from(cubes[0]);
    for vertex in &mut vertices {
        let x = vertex.x * 0.5 * LENGTH;
        let top = HEIGHT - HALF * (TAU * (x / FOLD + 0.5)).cos();
        *vertex = Point::new(x, top * (vertex.y / high + 1.0) * 0.5, vertex.z * 0.5 * LENGTH) * size;
    }
    (vertices, cells)
}

/// Where the needle goes at a length of its way, metres at size 1: nearly straight through the middle of the folds.
fn way(length: f64) -> Point {
    let x = length - 0.5 * LENGTH - 8e-3;
    Point::new(x, HEIGHT + 1e-3 * (TAU * x / 37e-3).sin(), 0.3e-3)
}

struct Stitching {
    world: World,
    mesh: TetraMesh,
    tissue: std::ops::Range<usize>,
    thread: std::ops::Range<usize>,
    size: f64,
    shaft: Shaft,
    tracker: ShaftTracker,
    /// The tissue's places at the crossings when they were new.
    holes: BTreeMap<CrossingId, [(usize, f64); 3]>,
    /// Particles of the tissue that are pulled about, and where they were.
    pulled: Vec<(usize, Point)>,
}

impl Stitching {
    fn new(cubes: [u32; 3], size: f64) -> Self {
        let settings = Settings {
            step: 1e-3 * size,
            iterations: 15,
            damping: 30.0 / size,
            gravity: Vector::zeros(),
            ..Settings::default()
        };
        let mut world = World::new(settings);
        let (vertices, cells) = organ(cubes, size);
        let mesh = TetraMesh::new(vertices.clone(), cells.clone()).unwrap();
        let soft = Elasticity { young: 2e4, poisson: 0.4 };
        let body = Deformable::solid(vertices, cells, 1e3, soft).unwrap();
        let organ = world.add_deformable("organ", body.fixed_where(|place| place.y < 1e-9 * size)).unwrap();
        let points = (0..=SEGMENTS).map(|k| way(-SPACING * k as f64) * size).collect();
        let mass = 1.1e3 * 0.785e-6 * size * size * SPACING * size;
        let material = Material { mass, stretch: 1e-6 / size, bend: 1e-5 / size };
        let thread = Deformable::thread(points, 0.3e-3 * size, material).unwrap();
        let thread = world.add_deformable("thread", thread).unwrap();
        let [tissue, thread] = [organ, thread].map(|id| world.particles(id));
        for k in 0..=NEEDLE {
            let at = thread.start + k;
            world.grips.push(Grip::new(at, world.positions[at], 1e-4 / size, 5.0 * size * size));
        }
        let is_top = |at: &usize| {
            let place = world.positions[*at] / size;
            place.y > HEIGHT + 0.9 * HALF && place.z.abs() > 2e-3
        };
        let pulled: Vec<(usize, Point)> =
            tissue.clone().filter(is_top).map(|at| (at, world.positions[at])).collect();
        for &(at, place) in &pulled {
            world.grips.push(Grip::new(at, place, 1e-3 / size, 0.1 * size * size));
        }
        let shaft = Shaft::new(&[&world.positions[thread.clone()]]).unwrap();
        let tracker = ShaftTracker::new(0.5e-3 * size);
        Self { world, mesh, tissue, thread, size, shaft, tracker, holes: BTreeMap::new(), pulled }
    }

    /// The needle at a length of its way, the tissue pulled to the sides at a phase; one step, then the crossings and their rows.
    fn step(&mut self, length: f64, phase: f64) {
        for k in 0..=NEEDLE {
            self.world.grips[k].place = way(length - SPACING * k as f64) * self.size;
        }
        let pull =
            Vector::new(1.5e-3 * phase.sin(), 0.5e-3 * (2.0 * phase).sin(), 1e-3 * (1.3 * phase).sin());
        for (grip, (_, place)) in self.world.grips[NEEDLE + 1..].iter_mut().zip(&self.pulled) {
            grip.place = place + pull * self.size;
        }
        self.world.step().unwrap();
        self.mesh.set_positions(&self.world.positions[self.tissue.clone()]).unwrap();
        self.mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let (needle, thread) = self.world.positions[self.thread.clone()].split_at(NEEDLE + 1);
        self.shaft.set(&[needle, thread]).unwrap();
        self.tracker.update(&self.shaft, &self.mesh).unwrap();
        self.world.slidings.clear();
        for crossing in self.tracker.crossings() {
            let hole = *self.holes.entry(crossing.id).or_insert_with(|| hole(crossing, self.tissue.start));
            let section = crossing.place.section as usize * NEEDLE;
            let front = self.thread.start + section + crossing.place.segment as usize;
            let segment = ShaftSegment::Particles([front, front + 1]);
            let mut sliding = Sliding::new(&hole, segment, crossing.place.weight);
            (sliding.compliance, sliding.friction) = (1e-5 / self.size, 0.2);
            self.world.slidings.push(sliding);
        }
    }

    /// How far the holes are from the shaft, across it, metres at size 1.
    fn offset(&self) -> f64 {
        let positions = Positions { particles: &self.world.positions, bodies: &[] };
        let offsets = self.world.slidings.iter().map(|sliding| sliding.offset(&positions).norm());
        offsets.fold(0.0, f64::max) / self.size
    }
}

fn hole(crossing: &Crossing, first: usize) -> [(usize, f64); 3] {
    [0, 1, 2].map(|k| (first + crossing.vertices[k] as usize, crossing.weights[k]))
}

#[test]
fn no_stitch_of_five_slips_out() {
    let steps = steps("PALPATE_STITCH_STEPS", 300);
    let is_full = steps >= 5000;
    let (cubes, sizes) = if is_full { ([40, 6, 7], &[1.0, 0.1, 10.0][..]) } else { ([20, 3, 4], &[1.0][..]) };
    for &size in sizes {
        let mut run = Stitching::new(cubes, size);
        assert!(!is_full || run.mesh.cells().len() > 10_000);
        // The crossings that the tip has made, the last first.
        let mut stitches: Vec<CrossingId> = Vec::new();
        let (mut offset, mut energy, mut moved, mut passed, mut grazing) = (0.0_f64, 0.0_f64, 0.0_f64, 0, 0);
        for step in 0..steps {
            // The needle starts and stops gently.
            let part = (step + 1) as f64 / steps as f64;
            run.step(part * part * (3.0 - 2.0 * part) * (LENGTH + 16e-3), 12.0 * part);
            let crossings = run.tracker.crossings();
            let is_new = |crossing: &&Crossing| crossing.id.0 > stitches.first().map_or(0, |last| last.0);
            let first = crossings.first().filter(|first| first.place.arc < 10e-3 * size).filter(is_new);
            if let Some(first) = first {
                stitches.insert(0, first.id);
            }
            // Where the thread grazes the surface in between, pairs come and go.
            let now: Vec<CrossingId> = crossings.iter().map(|crossing| crossing.id).collect();
            let kept: Vec<CrossingId> = now.iter().copied().filter(|id| stitches.contains(id)).collect();
            assert_eq!(kept, stitches, "size {size}, step {step}: {now:?}");
            grazing += usize::from(now.len() > kept.len());
            let is_passed = |event: &&Event| matches!(event, Event::Passed { sections: [0, 1], .. });
            passed += run.tracker.events().iter().filter(is_passed).count();
            offset = offset.max(run.offset());
            energy = energy.max(run.world.kinetic_energy() / size.powi(3));
            let (at, place) = run.pulled[0];
            moved = moved.max((run.world.positions[at] - place).norm() / size);
        }
        println!(
            "size {size}: {} crossings, {passed} passed to the thread, offset {offset:.1e} m, tissue moved {moved:.1e} m, at most {energy:.1e} J, grazing in {grazing} of {steps}",
            stitches.len()
        );
        assert_eq!(stitches.len(), 10, "size {size}: {stitches:?}");
        assert!(passed >= 8 && moved > 0.5e-3, "size {size}: {passed} passed, moved {moved}");
        assert!(offset < 1e-3, "size {size}: a hole is {offset} m beside the shaft");
        assert!(energy < 1e-2, "size {size}: {energy} J");
    }
}
