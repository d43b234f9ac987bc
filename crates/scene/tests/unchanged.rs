//! Pairs that nothing changed for keep their contacts, and these are what their detectors would find.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_detect::{Detection, Registry};
use palpate_geometry::{Capsule, LineMesh, OrientedBox, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_scene::{Change, GeometryId, PairId, PairOptions, Scene};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize % count
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5)
    }
}

/// A sheet of triangles about the origin, in the plane y = 0.
fn sheet() -> SurfaceMesh {
    let count = 6;
    let place = |n: usize| Point::new((n % count) as f64 * 0.4 - 1.0, 0.0, (n / count) as f64 * 0.4 - 1.0);
    let square = |n: usize| {
        let a = (n / (count - 1) * count + n % (count - 1)) as u32;
        let (b, c, d) = (a + 1, a + count as u32, a + count as u32 + 1);
        [[a, c, b], [b, c, d]]
    };
    let triangles = (0..(count - 1) * (count - 1)).flat_map(square).collect();
    SurfaceMesh::new((0..count * count).map(place).collect(), triangles).unwrap()
}

struct World {
    scene: Scene,
    sheet: GeometryId,
    thread: GeometryId,
    shapes: [GeometryId; 3],
    pairs: Vec<PairId>,
}

/// Sheet, thread and shapes about the origin, in pairs of all kinds of detection.
fn world() -> World {
    let mut scene = Scene::new(Registry::standard());
    let sheet = scene.add("sheet", sheet()).unwrap();
    let points: Vec<Point> = (0..12).map(|n| Point::new(f64::from(n) * 0.1 - 0.5, 0.02, 0.1)).collect();
    let cells = (0..11).map(|n| [n, n + 1]).collect();
    let thread = LineMesh::new(points, cells).unwrap().with_radius(0.03).unwrap();
    let thread = scene.add("thread", thread).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::new(0.1, 0.1, 0.0), 0.2).unwrap()).unwrap();
    let rod = Capsule::new(Pose::translation(0.0, 0.1, 0.3), 0.15, 0.6).unwrap();
    let rod = scene.add("rod", rod).unwrap();
    let block = OrientedBox::new(Pose::translation(-0.3, 0.1, 0.0), Vector::repeat(0.2)).unwrap();
    let block = scene.add("block", block).unwrap();
    let all = [sheet, thread, ball, rod, block];
    let mut pairs = Vec::new();
    for (number, a) in all.into_iter().enumerate() {
        for b in all.into_iter().skip(number + 1) {
            pairs.push(scene.add_pair(a, b, PairOptions::default()).unwrap());
            let detection = Detection::Continuous;
            let continuous = PairOptions { detection, margin: 0.01, ..PairOptions::default() };
            pairs.extend(scene.add_pair(a, b, continuous));
        }
    }
    pairs.push(scene.add_pair(thread, thread, PairOptions::default()).unwrap());
    World { scene, sheet, thread, shapes: [ball, rod, block], pairs }
}

impl World {
    /// Changes something, or nothing.
    fn change(&mut self, random: &mut Random) {
        let shape = self.shapes[random.below(3)];
        let scale = [1e-16, 1e-9, 1e-3, 0.1][random.below(4)];
        match random.below(12) {
            0 | 1 => self.scene.advance(),
            2 => {
                let pose = self.scene.pose(shape).unwrap();
                self.scene.set_pose(shape, pose).unwrap();
            }
            3 => {
                let mut pose = self.scene.pose(shape).unwrap();
                pose.translation.vector += random.vector() * scale;
                self.scene.set_pose(shape, pose).unwrap();
            }
            4 => {
                let pose = Pose::translation(0.0, 0.05 * random.next(), 0.0);
                self.scene.set_pose(self.sheet, pose).unwrap();
            }
            5 => {
                let thread = self.scene.geometry_as::<LineMesh>(self.thread).unwrap();
                let mut points = palpate_geometry::Geometry::as_points(thread).unwrap().positions().to_vec();
                let moved = random.below(points.len());
                points[moved] += random.vector() * scale;
                self.scene.set_positions(self.thread, &points).unwrap();
            }
            6 => {
                let pair = self.pairs[random.below(self.pairs.len())];
                self.scene.set_margin(pair, 0.02 * random.next()).unwrap();
            }
            // The previous state alone.
            7 => palpate_geometry::Geometry::advance(
                self.scene.geometry_mut::<Sphere>(self.shapes[0]).unwrap(),
            ),
            8 if random.below(20) == 0 => {
                let sheet = self.scene.geometry_mut::<SurfaceMesh>(self.sheet).unwrap();
                let cell = random.below(sheet.triangles().len()) as u32;
                let _ = sheet.remove_cells(&[cell]);
            }
            _ => {}
        }
    }
}

/// Against a scene that looks every time: one with a filter, which keeps everything.
#[test]
fn what_is_kept_is_what_would_be_found() {
    let steps = std::env::var("PALPATE_UNCHANGED").ok().and_then(|steps| steps.parse().ok()).unwrap_or(2000);
    let (mut kept, mut afresh) = (world(), world());
    afresh.scene.set_filter(Some(Box::new(|_: PairId, _: [GeometryId; 2], _: &_| true)));
    let (mut unchanged, mut run, mut contacts) = (0, 0, 0);
    for step in 0..steps {
        // Both are changed in the same way.
        for world in [&mut kept, &mut afresh] {
            let mut random = Random(step);
            for _ in 0..random.below(3) {
                world.change(&mut random);
            }
        }
        let report = kept.scene.step().unwrap();
        let wanted = afresh.scene.step().unwrap();
        assert_eq!((report.contacts, report.pairs_run), (wanted.contacts, wanted.pairs_run), "step {step}");
        assert_eq!(wanted.pairs_unchanged, 0);
        for (own, other) in kept.scene.active_pairs().zip(afresh.scene.active_pairs()) {
            assert_eq!(
                (own.id().number(), own.outcome()),
                (other.id().number(), other.outcome()),
                "step {step}"
            );
            assert!(own.contacts().same_bits(other.contacts()), "step {step}: pair {}", own.id().number());
        }
        unchanged += report.pairs_unchanged;
        run += report.pairs_run - report.pairs_unchanged;
        contacts += report.contacts;
    }
    let steps = steps as usize;
    assert!(
        unchanged > 4 * steps && run > 2 * steps && contacts > 10 * steps,
        "{unchanged} {run} {contacts}"
    );
}

#[test]
fn at_rest_no_detector_runs() {
    let mut world = world();
    world.scene.advance();
    let first = world.scene.step().unwrap();
    for _ in 0..3 {
        world.scene.advance();
        let report = world.scene.step().unwrap();
        assert_eq!((report.pairs_run, report.contacts), (first.pairs_run, first.contacts));
        assert_eq!(report.pairs_unchanged, report.pairs_run);
    }
    let mut moved = world.scene.pose(world.shapes[0]).unwrap();
    moved.translation.vector.y += 1e-12;
    world.scene.set_pose(world.shapes[0], moved).unwrap();
    let report = world.scene.step().unwrap();
    let with_it = world.scene.active_pairs().filter(|pair| pair.is_with(world.shapes[0])).count();
    assert_eq!(report.pairs_run - report.pairs_unchanged, with_it);
}

/// The numbers of begun and ended contacts of the last step.
fn begun_and_ended(scene: &Scene) -> [usize; 2] {
    [Change::Began, Change::Ended]
        .map(|change| scene.events().iter().filter(|event| event.change == change).count())
}

#[test]
fn what_sleeps_is_not_looked_at() {
    let mut world = world();
    let (sheet, shapes) = (world.sheet, world.shapes);
    world.scene.set_events(true);
    for id in [sheet, world.thread].into_iter().chain(shapes) {
        world.scene.set_asleep(id, true).unwrap();
    }
    let first = world.scene.step().unwrap();
    assert!(first.contacts > 10 && world.scene.is_asleep(sheet).unwrap());
    let mut random = Random(9);
    // The host's solver moves them by its rounding, and one of them far away.
    for step in 0..20 {
        world.scene.advance();
        for id in shapes {
            let mut pose = world.scene.pose(id).unwrap();
            pose.translation.vector += 1e-6 * random.vector();
            world.scene.set_pose(id, pose).unwrap();
        }
        let report = world.scene.step().unwrap();
        assert_eq!((report.pairs_unchanged, report.contacts), (first.pairs_run, first.contacts), "{step}");
        assert_eq!(begun_and_ended(&world.scene), [0, 0]);
    }
    world.scene.set_pose(shapes[0], Pose::translation(0.0, 5.0, 0.0)).unwrap();
    let report = world.scene.step().unwrap();
    assert_eq!((report.pairs_unchanged, report.contacts), (first.pairs_run, first.contacts));
    // One that is awake meets it where it is now.
    world.scene.set_asleep(shapes[1], false).unwrap();
    world.scene.set_pose(shapes[1], Pose::translation(0.0, 5.1, 0.0)).unwrap();
    world.scene.step().unwrap();
    let met = |scene: &Scene| {
        let with_both = |pair: &&palpate_scene::Pair| pair.is_with(shapes[0]) && pair.is_with(shapes[1]);
        scene.active_pairs().filter(with_both).map(|pair| pair.contacts().len()).sum::<usize>()
    };
    assert!(met(&world.scene) > 0);
    // Awake, all are as in a scene that never slept.
    world.scene.set_asleep(shapes[0], false).unwrap();
    let report = world.scene.step().unwrap();
    assert!(report.contacts < first.contacts && begun_and_ended(&world.scene)[1] > 0, "{report:?}");
}

#[test]
fn a_saved_scene_sleeps_on_as_it_would_have() {
    let mut world = world();
    let ball = world.shapes[0];
    world.scene.set_asleep(ball, true).unwrap();
    world.scene.set_asleep(world.sheet, true).unwrap();
    world.scene.step().unwrap();
    world.scene.set_pose(ball, Pose::translation(0.1, 0.15, 0.0)).unwrap();
    let saved = world.scene.save().unwrap();
    let contacts = |scene: &Scene| {
        let all: Vec<_> = scene.active_pairs().map(|pair| pair.contacts().contacts.clone()).collect();
        format!("{all:?}")
    };
    world.scene.step().unwrap();
    let wanted = contacts(&world.scene);
    world.scene.restore(&saved).unwrap();
    assert!(world.scene.is_asleep(ball).unwrap() && !world.scene.is_asleep(world.shapes[1]).unwrap());
    world.scene.step().unwrap();
    assert_eq!(contacts(&world.scene), wanted);
}
