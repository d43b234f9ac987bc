//! Events of contacts: compared with sets of keys, and by a case whose events a reader can name.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::ContactKey;
use palpate_geometry::{Geometry, OrientedBox, Plane, PointSet, Pose, Sphere};
use palpate_math::{Point, Vector};
use palpate_scene::{Change, Event, PairId, PairOptions, Scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn floor(scene: &mut Scene) -> palpate_scene::GeometryId {
    scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap()
}

/// The change and the place of every event.
fn told(scene: &Scene) -> Vec<(Change, Option<u32>)> {
    scene.events().iter().map(|event| (event.change, event.contact)).collect()
}

#[test]
fn a_ball_that_comes_stays_and_goes() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::new(0.0, 2.0, 0.0), 1.0).unwrap()).unwrap();
    let floor = floor(&mut scene);
    let pair = scene.add_pair(ball, floor, PairOptions::default()).unwrap();
    scene.geometry_mut::<Sphere>(ball).unwrap().set_center(Point::new(0.0, 0.5, 0.0)).unwrap();
    scene.step().unwrap();
    assert!(scene.events().is_empty(), "events are off");
    let mut heights = |heights: &[f64]| -> Vec<Vec<(Change, Option<u32>)>> {
        scene.set_events(true);
        let step = |&height: &f64| {
            scene.geometry_mut::<Sphere>(ball).unwrap().set_center(Point::new(0.0, height, 0.0)).unwrap();
            scene.step().unwrap();
            assert!(scene.events().iter().all(|event| event.pair == pair));
            told(&scene)
        };
        heights.iter().map(step).collect()
    };
    let (began, persists, ended) =
        ((Change::Began, Some(0)), (Change::Persists, Some(0)), (Change::Ended, None));
    let found = heights(&[0.5, 0.25, 2.0, 9.0, 0.5]);
    assert_eq!(found, [vec![began], vec![persists], vec![ended], vec![], vec![began]]);
    // Removing the pair ends its contact in the next step.
    scene.remove_pair(pair).unwrap();
    assert_eq!(told(&scene), [began]);
    scene.step().unwrap();
    assert_eq!(told(&scene), [ended]);
    scene.step().unwrap();
    assert!(scene.events().is_empty());
}

/// Every key of a scene's contacts.
fn keys(scene: &Scene) -> Vec<(PairId, ContactKey)> {
    scene.all_contacts().map(|(pair, contact)| (pair, contact.key())).collect()
}

/// The events by their definition, from the keys of two steps.
fn expected(before: &[(PairId, ContactKey)], now: &[(PairId, ContactKey)]) -> Vec<Event> {
    let (old, new): (BTreeSet<_>, BTreeSet<_>) =
        (before.iter().copied().collect(), now.iter().copied().collect());
    let pairs: BTreeSet<PairId> = before.iter().chain(now).map(|(pair, _)| *pair).collect();
    let mut events = Vec::new();
    for pair in pairs {
        let own = now.iter().filter(|entry| entry.0 == pair);
        for (contact, entry) in (0..).zip(own) {
            let change = if old.contains(entry) { Change::Persists } else { Change::Began };
            events.push(Event { pair, key: entry.1, change, contact: Some(contact) });
        }
        for entry in before.iter().filter(|entry| entry.0 == pair && !new.contains(entry)) {
            events.push(Event { pair, key: entry.1, change: Change::Ended, contact: None });
        }
    }
    events
}

/// Boxes and clouds over a floor, in pairs and in groups, move at random; some pairs are removed on the way.
#[test]
fn events_are_the_differences_of_the_sets_of_keys() {
    let mut rng = ChaCha8Rng::seed_from_u64(55);
    let mut counts = [0_usize; 3];
    for _ in 0..20 {
        let mut scene = Scene::standard();
        let ground = floor(&mut scene);
        let mut ids = Vec::new();
        for number in 0..6 {
            let cloud: Vec<Point> =
                (0..12).map(|_| Point::from([0; 3].map(|_| rng.random_range(-0.4..0.4)))).collect();
            let half = Vector::new(0.3, 0.2, 0.25);
            let geometry: Box<dyn Geometry> = match number % 2 {
                0 => Box::new(OrientedBox::new(Pose::identity(), half).unwrap()),
                _ => Box::new(PointSet::new(cloud).unwrap()),
            };
            ids.push(scene.add_boxed(&format!("body {number}"), geometry, Default::default()).unwrap());
        }
        let mut pairs: Vec<PairId> = ids
            .iter()
            .map(|&id| scene.add_pair(id, ground, PairOptions::default().with_margin(0.05)).unwrap())
            .collect();
        scene.add_pairs_by_groups(PairOptions::default()).unwrap();
        scene.set_events(true);
        let mut before = Vec::new();
        for step in 0..40 {
            for &id in &ids {
                let at = [0; 3].map(|_| rng.random_range(-0.3..0.5));
                if rng.random_bool(0.5) {
                    scene.set_pose(id, Pose::translation(at[0], at[1], at[2])).unwrap();
                }
            }
            if step % 13 == 12 {
                scene.remove_pair(pairs.pop().unwrap()).unwrap();
            }
            scene.step().unwrap();
            let now = keys(&scene);
            assert_eq!(scene.events(), expected(&before, &now));
            for event in scene.events() {
                counts[event.change as usize] += 1;
            }
            before = now;
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
