//! A state that is given back leads to the same contacts, bit for bit; and the filter of contacts.
#![allow(clippy::unwrap_used)] // tests, also in what they share

#[allow(dead_code)] // shared with the model
#[path = "model/geometries.rs"]
mod geometries;

use geometries::{KINDS, random, random_pose};
use palpate_contact::{Contact, Side};
use palpate_geometry::{Geometry, Plane, Sphere};
use palpate_math::{Point, Vector};
use palpate_scene::{Event, GeometryId, PairId, PairOptions, SavedScene, Scene, SceneError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What one step came to.
type Told = (u64, Vec<(PairId, Vec<u8>)>, Vec<Event>);

fn told(scene: &Scene) -> Told {
    let bits = |contact: &Contact| format!("{contact:?}").into_bytes();
    let contacts = scene.all_contacts().map(|(pair, contact)| (pair, bits(contact))).collect();
    (scene.steps(), contacts, scene.events().to_vec())
}

/// Moves geometries at random, removes one now and then, and steps.
fn go_on(scene: &mut Scene, seed: u64, steps: usize) -> Vec<Told> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found = Vec::new();
    for step in 0..steps {
        scene.advance();
        let ids: Vec<GeometryId> = scene.geometries().collect();
        for &id in &ids {
            let pose = random_pose(&mut rng);
            if rng.random_bool(0.4) {
                scene.set_pose(id, pose).unwrap();
            }
        }
        if step == steps / 2 {
            scene.remove(ids[rng.random_range(0..ids.len())]).unwrap();
        }
        scene.step().unwrap();
        found.push(told(scene));
    }
    found
}

fn random_scene(rng: &mut ChaCha8Rng) -> Scene {
    let mut scene = Scene::standard();
    for number in 0..10 {
        let kind = rng.random_range(0..KINDS);
        let geometry: Box<dyn Geometry> = random(rng, kind);
        scene.add_boxed(&format!("g{number}"), geometry, Default::default()).unwrap();
    }
    scene.add_all_pairs_with(PairOptions::default().with_margin(0.02)).unwrap();
    if rng.random_bool(0.5) {
        scene.remove(scene.id("g3").unwrap()).unwrap();
    }
    scene.set_events(true);
    scene
}

#[test]
fn what_follows_a_state_is_the_same_to_the_bit_whenever_it_is_given_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let mut contacts = 0;
    for round in 0..70 {
        let mut scene = random_scene(&mut rng);
        go_on(&mut scene, round, 4);
        let before = told(&scene);
        let saved: SavedScene = scene.save().unwrap();
        let wanted = go_on(&mut scene, 100 + round, 6);
        let later = scene.add("later", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
        for _ in 0..2 {
            scene.restore(&saved).unwrap();
            assert_eq!(told(&scene), before);
            assert!(scene.geometry(later).is_err(), "it was added after the state was saved");
            assert_eq!(go_on(&mut scene, 100 + round, 6), wanted);
        }
        let again = scene.add("later", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
        assert_ne!(again, later, "an id is not given twice");
        contacts += wanted.iter().map(|step| step.1.len()).sum::<usize>();
    }
    assert!(contacts > 5000, "{contacts}");
}

#[test]
fn pairs_of_groups_are_given_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let mut scene = Scene::standard();
    for number in 0..30 {
        let at = Point::from([0; 3].map(|_| rng.random_range(-1.0..1.0)));
        scene.add(&format!("g{number}"), Sphere::new(at, 0.3).unwrap()).unwrap();
    }
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    scene.set_events(true);
    scene.step().unwrap();
    let (before, saved) = (told(&scene), scene.save().unwrap());
    let wanted = go_on(&mut scene, 5, 6);
    scene.restore(&saved).unwrap();
    assert_eq!(told(&scene), before);
    assert_eq!(go_on(&mut scene, 5, 6), wanted);
    assert!(before.1.len() > 20, "{}", before.1.len());
    assert!(matches!(Scene::standard().restore(&saved), Err(SceneError::SavedElsewhere)));
}

#[test]
fn a_filter_drops_contacts_before_anything_sees_them() {
    let mut scene = Scene::standard();
    let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap();
    let balls: Vec<GeometryId> = (0..4)
        .map(|k| {
            let ball = Sphere::new(Point::new(f64::from(k) * 3.0, 0.5, 0.0), 1.0).unwrap();
            scene.add(&format!("ball {k}"), ball).unwrap()
        })
        .collect();
    for &ball in &balls {
        scene.add_pair(ball, floor, PairOptions::default()).unwrap();
    }
    scene.set_events(true);
    scene.step().unwrap();
    assert_eq!(scene.all_contacts().count(), 4);
    let held = balls[2];
    scene.set_filter(Some(Box::new(move |_: PairId, sides: [GeometryId; 2], contact: &Contact| {
        sides[0] != held && contact.feature(Side::A).point[0] < 8.0
    })));
    let report = scene.step().unwrap();
    assert_eq!((report.contacts, scene.all_contacts().count()), (2, 2));
    assert_eq!(scene.events().iter().filter(|event| event.contact.is_none()).count(), 2);
    scene.set_filter(None);
    assert_eq!(scene.step().unwrap().contacts, 4);
}
