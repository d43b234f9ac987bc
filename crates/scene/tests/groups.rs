//! Pairs by groups: bound when near, with the same contacts as pairs added one by one.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::Contact;
use palpate_geometry::{Plane, PointSet, Sphere};
use palpate_math::{Point, Vector};
use palpate_scene::{Groups, PairOptions, Scene, SceneError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn sphere(center: [f64; 3]) -> Sphere {
    Sphere::new(Point::from(center), 0.1).unwrap()
}

fn floor() -> Plane {
    Plane::new(Point::new(0.0, -0.9, 0.0), Vector::y()).unwrap()
}

/// A cloud of spheres over a floor.
fn scene(random: &mut ChaCha8Rng, count: usize) -> Scene {
    let mut scene = Scene::standard();
    scene.add("floor", floor()).unwrap();
    for number in 0..count {
        let center = std::array::from_fn(|_| random.random_range(-1.0..1.0));
        scene.add(&format!("sphere {number}"), sphere(center)).unwrap();
    }
    scene
}

fn contacts(scene: &Scene) -> Vec<([usize; 2], Contact)> {
    let of_pair = |id| scene.pair(id).map(|pair| [pair.a().index(), pair.b().index()]).unwrap();
    let mut all: Vec<_> = scene.all_contacts().map(|(pair, contact)| (of_pair(pair), *contact)).collect();
    all.sort_by_key(|(pair, _)| *pair);
    all
}

#[test]
fn contacts_equal_those_of_all_pairs_while_everything_moves() {
    let (mut seen, margin) = (0, 0.01);
    let mut one = scene(&mut ChaCha8Rng::seed_from_u64(3), 80);
    let mut two = scene(&mut ChaCha8Rng::seed_from_u64(3), 80);
    one.add_pairs_by_groups(PairOptions::default().with_margin(margin)).unwrap();
    for pair in two.add_all_pairs().unwrap().bound {
        two.set_margin(pair, margin).unwrap();
    }
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..20 {
        for number in 1..=80 {
            let step = Vector::from_fn(|_, _| random.random_range(-0.05..0.05));
            for scene in [&mut one, &mut two] {
                let id = scene.geometries().nth(number).unwrap();
                let sphere = scene.geometry_mut::<Sphere>(id).unwrap();
                sphere.set_center(sphere.center() + step).unwrap();
            }
        }
        one.step().unwrap();
        two.step().unwrap();
        let (found, wanted) = (contacts(&one), contacts(&two));
        assert_eq!(found.len(), wanted.len());
        for ((pair, contact), (wanted_pair, wanted)) in found.iter().zip(&wanted) {
            assert!(pair == wanted_pair && contact.same_bits(wanted), "{pair:?}");
        }
        seen += found.len();
        let near = one.pairs().count();
        assert!(near < 600, "{near} pairs of {}", two.pairs().count());
    }
    assert!(seen > 400, "only {seen} contacts");
}

#[test]
fn a_pair_has_the_same_id_whenever_it_is_near() {
    let mut scene = Scene::standard();
    let a = scene.add("a", sphere([0.0; 3])).unwrap();
    let b = scene.add("b", sphere([0.15, 0.0, 0.0])).unwrap();
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    scene.step().unwrap();
    let id = scene.pairs_in_contact().next().unwrap().id();
    assert_eq!((scene.pair(id).unwrap().a(), scene.pair(id).unwrap().b()), (a, b));
    scene.geometry_mut::<Sphere>(b).unwrap().set_center(Point::new(5.0, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    assert!(scene.contacts(id).unwrap().is_empty() && scene.pair(id).is_err());
    scene.geometry_mut::<Sphere>(b).unwrap().set_center(Point::new(0.1, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    assert_eq!(scene.contacts(id).unwrap().len(), 1);
    assert!(matches!(scene.set_margin(id, 0.1), Err(SceneError::PairOfGroups { .. })));
    assert!(matches!(scene.remove_pair(id), Err(SceneError::PairOfGroups { .. })));
}

#[test]
fn sides_and_options_come_from_the_first_call_that_applies() {
    let [tools, organs] = [1_u32, 2].map(|bit| Groups { membership: bit, mask: u32::MAX });
    let mut scene = Scene::standard();
    let organ = scene.add_in("organ", sphere([0.0; 3]), organs).unwrap();
    let tool = scene.add_in("tool", sphere([0.21, 0.0, 0.0]), tools).unwrap();
    scene.add_in("other tool", sphere([0.41, 0.0, 0.0]), tools).unwrap();
    scene.add_pairs_between(1, 2, PairOptions::default().with_margin(0.02)).unwrap();
    scene.add_pairs_between(1, 1, PairOptions::default().with_margin(0.001)).unwrap();
    scene.step().unwrap();
    let pairs: Vec<_> = scene.pairs_in_contact().map(|pair| (pair.a(), pair.b(), pair.margin())).collect();
    assert_eq!(pairs[0], (tool, organ, 0.02), "the tool is side A, although its id is higher");
    assert_eq!((pairs.len(), pairs[1].2), (2, 0.001));
}

#[test]
fn kinds_without_a_detector_are_refused_when_added() {
    let mut scene = Scene::standard();
    scene.add("floor", floor()).unwrap();
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    scene.add("ball", sphere([0.0; 3])).unwrap();
    let error = scene.add("wall", floor()).unwrap_err().to_string();
    assert!(error.contains("floor:wall") && error.contains("plane and plane"), "{error}");
    assert!(scene.id("wall").is_none() && scene.geometries().count() == 2);
    let settings = PairOptions::of(serde_json::json!({"sides": "three"}));
    let error = scene.add_pairs_by_groups(settings).unwrap_err().to_string();
    assert!(error.contains("three"), "{error}");
    let ball = scene.id("ball").unwrap();
    let error = scene.replace(ball, Box::new(floor())).unwrap_err().to_string();
    assert!(error.contains("plane and plane"), "{error}");
    assert_eq!(scene.geometry(ball).unwrap().kind().name(), "sphere");
}

#[test]
fn added_and_removed_geometries_are_tracked() {
    let mut scene = Scene::standard();
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    let a = scene.add("a", sphere([0.0; 3])).unwrap();
    let b = scene.add("b", sphere([0.1, 0.0, 0.0])).unwrap();
    scene.step().unwrap();
    assert_eq!(scene.all_contacts().count(), 1);
    let points = PointSet::new(vec![Point::new(0.1, 0.01, 0.0)]).unwrap();
    let c = scene.add("c", points).unwrap();
    scene.step().unwrap();
    assert_eq!(scene.all_contacts().count(), 2, "touches b; the distance to a is 1e-3");
    assert_eq!(scene.remove(b).unwrap().kind().name(), "sphere");
    assert_eq!(scene.all_contacts().count(), 0, "the contacts of a removed geometry are gone at once");
    scene.step().unwrap();
    assert_eq!(scene.all_contacts().count(), 0);
    assert!(scene.name(b).unwrap_err().to_string().contains("removed"));
    assert_eq!(scene.geometries().collect::<Vec<_>>(), [a, c]);
    let again = scene.add("b", sphere([0.05, 0.0, 0.0])).unwrap();
    assert!(again != b, "a number is not reused");
    scene.step().unwrap();
    assert_eq!(scene.all_contacts().count(), 2);
    scene.remove_pairs_by_groups();
    assert_eq!(scene.step().unwrap().contacts, 0);
}

#[test]
fn removing_a_geometry_removes_its_pairs() {
    let mut scene = Scene::standard();
    let [a, b, c] = ["a", "b", "c"].map(|name| scene.add(name, sphere([0.0; 3])).unwrap());
    let [ab, bc] = [(a, b), (b, c)].map(|(a, b)| scene.add_pair(a, b, PairOptions::default()).unwrap());
    scene.step().unwrap();
    scene.remove(a).unwrap();
    assert!(scene.pair(ab).is_err() && scene.contacts(bc).unwrap().len() == 1);
    assert!(scene.add_pair(a, b, PairOptions::default()).is_err());
    assert_eq!(scene.step().unwrap().contacts, 1);
    assert_eq!(scene.pair(bc).unwrap().contacts().len(), 1);
}

#[test]
fn a_setting_applies_to_the_pairs_whose_detector_has_it() {
    // A plane has `sides`, two spheres have no settings at all.
    let mut scene = scene(&mut ChaCha8Rng::seed_from_u64(5), 12);
    let low = scene.add("low", sphere([0.0, -0.85, 0.0])).unwrap();
    scene.add("lower", sphere([0.0, -0.95, 0.0])).unwrap();
    scene.add_pairs_by_groups(PairOptions::of(serde_json::json!({"sides": "two"}))).unwrap();
    scene.step().unwrap();
    let floor = scene.geometries().next().unwrap();
    let settings = |scene: &Scene, with: &dyn Fn(&palpate_scene::Pair) -> bool| {
        let id = scene.pairs().find(|&id| with(scene.pair(id).unwrap())).unwrap();
        scene.pair(id).unwrap().settings()
    };
    assert_eq!(settings(&scene, &|pair| pair.is_with(floor) && pair.is_with(low))["sides"], "two");
    let spheres = settings(&scene, &|pair| pair.is_with(low) && !pair.is_with(floor));
    assert!(spheres.get("sides").is_none(), "{spheres}");
    let unknown = PairOptions::of(serde_json::json!({"sidse": "two"}));
    let error = scene.add_pairs_by_groups(unknown).unwrap_err().to_string();
    assert!(error.contains("found `sidse`: wanted a setting of this or another detector"), "{error}");
    assert_eq!(scene.rules_of_groups(), 1);
}
