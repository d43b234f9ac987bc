//! Snapshots read by another thread: whole steps, in order, without blocking the scene.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_geometry::{PointSet, Sphere};
use palpate_math::Point;
use palpate_scene::{Outcome, PairId, PairOptions, Scene, SnapshotReader};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// A ball and a row of points, of which the first `step % POINTS` are inside the ball: the number of contacts and their
/// depths identify the step.
const POINTS: u64 = 50;

struct Rig {
    scene: Scene,
    positions: Vec<Point>,
}

impl Rig {
    fn new() -> Self {
        let mut scene = Scene::standard();
        let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
        let positions = vec![Point::new(9.0, 0.0, 0.0); POINTS as usize];
        let cloud = scene.add("cloud", PointSet::new(positions.clone()).unwrap()).unwrap();
        scene.add_pair(cloud, ball, PairOptions::default()).unwrap();
        Self { scene, positions }
    }

    fn pair(&self) -> PairId {
        self.scene.pairs().next().unwrap()
    }

    fn step(&mut self) {
        let step = self.scene.steps() + 1;
        for (number, point) in (0..).zip(&mut self.positions) {
            point.x = if number < step % POINTS { 1.0 - depth_in(step) } else { 9.0 };
        }
        let cloud = self.scene.id("cloud").unwrap();
        self.scene.geometry_mut::<PointSet>(cloud).unwrap().set_positions(&self.positions).unwrap();
        self.scene.step().unwrap();
    }
}

/// A power of two for every residue, so that it is represented exactly.
fn depth_in(step: u64) -> f64 {
    1.0 / (1u64 << (step % 50)) as f64
}

/// The number of distinct snapshots a reader has seen, and whether stepping has finished.
#[derive(Default)]
struct Progress {
    distinct: AtomicUsize,
    done: AtomicBool,
}

/// Marks stepping as finished, even if the scene's thread panics.
struct DoneOnDrop<'a>(&'a [Progress]);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|progress| progress.done.store(true, Ordering::Release));
    }
}

/// Reads until stepping has finished, and checks every snapshot.
fn follow(mut reader: SnapshotReader, pair: PairId, progress: &Progress) {
    let mut last = 0;
    while !progress.done.load(Ordering::Acquire) {
        let snapshot = reader.read();
        let step = snapshot.step();
        assert!(step >= last, "step {step} after step {last}");
        assert_eq!(snapshot.contacts(pair).len() as u64, step % POINTS);
        assert!(snapshot.all_contacts().iter().all(|contact| contact.depth == depth_in(step)));
        progress.distinct.fetch_add(usize::from(step > last), Ordering::Relaxed);
        last = step;
    }
}

// Proves: REQ-READERS
#[test]
fn a_reader_sees_whole_steps_in_order() {
    // Stepping continues until both readers have seen enough distinct steps, however busy the machine is.
    const DISTINCT: usize = 100;
    let mut rig = Rig::new();
    let pair = rig.pair();
    let reader = rig.scene.snapshots();
    let progress = [Progress::default(), Progress::default()];
    thread::scope(|scope| {
        let threads = progress.each_ref().map(|progress| {
            let reader = reader.clone();
            scope.spawn(move || follow(reader, pair, progress))
        });
        let _done = DoneOnDrop(&progress);
        let wants_more = |progress: &Progress| progress.distinct.load(Ordering::Relaxed) < DISTINCT;
        while progress.iter().any(wants_more) && !threads.iter().any(|thread| thread.is_finished()) {
            (0..100).for_each(|_| rig.step());
            thread::yield_now();
        }
    });
    assert!(rig.scene.steps() >= DISTINCT as u64);
    assert_eq!(reader.clone().read().step(), rig.scene.steps());
}

#[test]
fn a_kept_snapshot_does_not_change() {
    let mut rig = Rig::new();
    let pair = rig.pair();
    rig.step();
    let mut reader = rig.scene.snapshots();
    let first = reader.keep();
    assert_eq!((first.step(), first.contacts(pair).len()), (1, 1), "a reader begins with the last step");
    rig.step();
    rig.step();
    assert_eq!((first.step(), first.contacts(pair).len()), (1, 1));
    assert_eq!((reader.read().step(), reader.read().contacts(pair).len()), (3, 3));
    let third = reader.read().pairs().next().unwrap();
    assert_eq!((third.pair, third.contacts.len()), (pair, 3));
    assert!(matches!(third.outcome, Outcome::Ran(_)));
}

#[test]
fn a_culled_pair_has_no_contacts_in_a_snapshot() {
    let mut rig = Rig::new();
    let pair = rig.pair();
    let mut reader = rig.scene.snapshots();
    assert_eq!((reader.read().step(), reader.read().pairs().len()), (0, 1), "before the first step");
    (0..POINTS).for_each(|_| rig.step());
    assert_eq!(rig.scene.pair(pair).unwrap().outcome(), Outcome::Apart);
    assert_eq!((reader.read().step(), reader.read().pairs().len()), (POINTS, 0));
    assert!(reader.read().contacts(pair).is_empty());
}

#[test]
fn buffers_are_reused() {
    let mut rig = Rig::new();
    let mut reader = rig.scene.snapshots();
    let mut places = BTreeSet::new();
    for _ in 0..100 {
        rig.step();
        reader.read();
        places.insert(std::sync::Arc::as_ptr(&reader.keep()) as usize);
    }
    // One published, one being filled, one still held by the reader.
    assert!(places.len() <= 3, "{} buffers", places.len());
}
