//! Recordings of placed geometries and of pairs of groups.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

#[allow(dead_code, reason = "shared with the other tests of the recorder")]
#[path = "../record/mod.rs"]
mod record;

mod cuts;
mod ring;
mod sides;

use palpate::contact::Contact;
use palpate::prelude::*;
use palpate::replay::{Replay, ReplayOptions};
use record::{organ, pose};

/// A mesh and a compound that the scene places, and pairs of groups, which exist only while they are near.
#[test]
fn placed_geometries_and_groups_replay_to_the_same_bits() {
    let mut scene = Scene::standard();
    let floor = Plane::new(Point::new(0.0, -0.4, 0.0), Vector::y()).unwrap();
    scene.add("floor", floor).unwrap();
    let organ_id = scene.add("organ", organ(0.5, 6)).unwrap();
    let tool =
        Compound::default().with(Sphere::new(Point::new(0.3, 0.1, 0.0), 0.3).unwrap()).with(organ(0.3, 4));
    let tool_id = scene.add("tool", tool).unwrap();
    let rod_id = scene.add("rod", Capsule::new(pose(0, 1), 0.1, 0.6).unwrap()).unwrap();
    let place = |scene: &mut Scene, step: usize| {
        scene.set_pose(organ_id, pose(1, step) * Pose::translation(0.1 * step as f64, 0.0, 0.0)).unwrap();
        scene
            .set_pose(tool_id, pose(2, step) * Pose::translation(0.5 - 0.1 * step as f64, 0.0, 0.0))
            .unwrap();
        scene.set_pose(rod_id, pose(3, step) * Pose::translation(1.0 - 0.2 * step as f64, 0.1, 0.0)).unwrap();
    };
    place(&mut scene, 0);
    scene.add_pairs_by_groups(PairOptions::default().with_margin(0.01)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    let of = |scene: &Scene| {
        let mut all: Vec<(String, String, Contact)> = Vec::new();
        for pair in scene.pairs_in_contact() {
            let names = [pair.a(), pair.b()].map(|id| scene.name(id).unwrap().to_owned());
            let contacts = pair.contacts().contacts.iter();
            all.extend(contacts.map(|contact| (names[0].clone(), names[1].clone(), *contact)));
        }
        all.sort_by(|p, q| (&p.0, &p.1).cmp(&(&q.0, &q.1)));
        all
    };
    let mut live = Vec::new();
    for step in 0..10 {
        place(&mut scene, step);
        scene.step().unwrap();
        recorder.record(&scene, step as f64).unwrap();
        live.push(of(&scene));
        scene.advance();
    }
    recorder.finish().unwrap();
    let mut replay = Replay::open(&[&path], &ReplayOptions::default()).unwrap();
    let (mut compared, mut steps_apart) = (0, 0);
    for (step, live) in live.iter().enumerate() {
        replay.load(step).unwrap();
        replay.detect().unwrap();
        let found = of(replay.scene());
        assert_eq!(found.len(), live.len(), "step {step}");
        for (found, live) in found.iter().zip(live) {
            assert!((&found.0, &found.1) == (&live.0, &live.1) && found.2.same_bits(&live.2), "step {step}");
        }
        compared += live.len();
        let pairs: std::collections::BTreeSet<_> = live.iter().map(|c| (&c.0, &c.1)).collect();
        steps_apart += usize::from(pairs.len() < 6);
    }
    assert!(compared > 200 && steps_apart > 2, "{compared} contacts, {steps_apart} steps with pairs apart");

    let mut scene = Scene::standard();
    let organ_id = scene.add("organ", organ(0.5, 4)).unwrap();
    let mut recorder = Recorder::create(folder.path().join("other.h5"), &scene).unwrap();
    let tool = Compound::default().with(Sphere::new(Point::new(0.3, 0.1, 0.0), 0.3).unwrap());
    let tool_id = scene.add("tool", tool).unwrap();
    recorder.record(&scene, 0.0).unwrap_err();
    let path = folder.path().join("first.h5");
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    // A first pose before the first step is accepted, a later one is not.
    scene.set_pose(tool_id, Pose::translation(0.0, 0.5, 0.0)).unwrap();
    recorder.record(&scene, 0.0).unwrap();
    scene.set_pose(organ_id, Pose::identity()).unwrap();
    let error = recorder.record(&scene, 1.0).unwrap_err().to_string();
    assert!(error.contains("\"organ\", its pose in the scene") && error.contains("before"), "{error}");
    recorder.finish().unwrap();
    let replay = Replay::open(&[&path], &ReplayOptions::default()).unwrap();
    let tool_id = replay.scene().id("tool").unwrap();
    assert_eq!(replay.scene().placement(tool_id).unwrap().unwrap().translation.vector.y, 0.5);
}
