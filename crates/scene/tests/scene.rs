//! The public interface of a scene: names, ids, pairs and errors.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_detect::{Registry, Status};
use palpate_geometry::{Capsule, LineMesh, Needs, Plane, PointSet, Sphere, SurfaceMesh, pose};
use palpate_math::{Point, Vector};
use palpate_scene::{Groups, Outcome, PairOptions, Scene, SceneError, StepReport};

fn sphere(x: f64) -> Sphere {
    Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap()
}

fn floor() -> Plane {
    Plane::new(Point::new(0.0, -0.5, 0.0), Vector::y()).unwrap()
}

fn points(x: f64) -> PointSet {
    PointSet::new(vec![Point::new(x, 0.0, 0.0)]).unwrap()
}

#[test]
fn a_sphere_sinks_into_the_floor() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(3.0)).unwrap();
    let ground = scene.add("ground", floor()).unwrap();
    let pair = scene.add_pair(ball, ground, PairOptions::default()).unwrap();
    assert_eq!(scene.pair(pair).unwrap().outcome(), Outcome::Pending);

    assert_eq!(scene.step().unwrap(), StepReport { pairs_run: 1, contacts: 1, ..StepReport::default() });
    let contact = scene.contacts(pair).unwrap().contacts[0];
    assert_eq!((contact.depth, contact.direction), (0.5, [0.0, 1.0, 0.0]), "up, out of the floor");
    assert_eq!(scene.pair(pair).unwrap().detector(), "plane_sphere");
    assert_eq!(scene.deepest().unwrap().0, pair);

    scene.advance();
    let up = scene.geometry_mut::<Sphere>(ball).unwrap();
    up.set_center(Point::new(3.0, 5.0, 0.0)).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 0);
    assert!(scene.deepest().is_none());
    assert_eq!(scene.geometry_as::<Sphere>(ball).unwrap().previous_pose().unwrap().translation.y, 0.0);
    assert_eq!(scene.steps(), 2);
}

#[test]
fn exchanging_the_pair_mirrors_its_contacts() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let rod =
        Capsule::new(pose::from_wxyz(Point::new(1.0, 0.5, 0.0), [1.0, 0.0, 0.0, 0.0]).unwrap(), 0.5, 2.0);
    let rod = scene.add("rod", rod.unwrap()).unwrap();
    let given = scene.add_pair(ball, rod, PairOptions::default()).unwrap();
    let exchanged = scene.add_pair(rod, ball, PairOptions::default()).unwrap();
    scene.step().unwrap();
    let [given, exchanged] = [given, exchanged].map(|pair| scene.contacts(pair).unwrap().clone());
    assert_eq!(given.len(), 1);
    assert!(given.contacts[0].same_bits(&exchanged.contacts[0].mirrored()));
}

#[test]
fn geometries_are_found_by_name_and_type() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    assert_eq!((scene.id("ball"), scene.id("bell")), (Some(ball), None));
    assert_eq!(scene.name(ball).unwrap(), "ball");
    assert_eq!(scene.geometry(ball).unwrap().kind().name(), "sphere");
    assert_eq!(scene.geometries().collect::<Vec<_>>(), [ball]);

    let error = scene.geometry_mut::<Plane>(ball).unwrap_err().to_string();
    assert!(error.contains("\"ball\" is a sphere") && error.contains("Plane"), "{error}");
    let error = scene.add("ball", floor()).unwrap_err();
    assert_eq!(error, SceneError::DuplicateName { name: "ball".to_owned(), id: ball });
}

#[test]
fn ids_of_another_scene_are_errors() {
    let mut other = Scene::standard();
    let [_, b] = ["a", "b"].map(|name| other.add(name, sphere(0.0)).unwrap());
    let pair = other.add_pair(b, b, PairOptions::default());
    assert!(pair.unwrap_err().to_string().contains("sphere with itself"));
    let all = other.add_all_pairs().unwrap();

    let mut scene = Scene::standard();
    let a = scene.add("a", sphere(0.0)).unwrap();
    assert!(scene.geometry(b).is_err() && scene.name(b).is_err() && scene.groups(b).is_err());
    assert!(scene.add_pair(a, b, PairOptions::default()).unwrap_err().to_string().contains("geometry 1"));
    assert!(scene.replace(b, Box::new(floor())).is_err());
    assert!(scene.contacts(all.bound[0]).unwrap_err().to_string().contains("pair 0"));
    assert!(scene.remove_pair(all.bound[0]).is_err() && scene.set_margin(all.bound[0], 0.0).is_err());
}

#[test]
fn a_pair_without_detector_is_an_error_that_names_objects_and_kinds() {
    let mut scene = Scene::standard();
    let left = scene.add("left floor", floor()).unwrap();
    let right = scene.add("right floor", floor()).unwrap();
    let error = scene.add_pair(left, right, PairOptions::default()).unwrap_err().to_string();
    assert!(error.contains("left floor:right floor") && error.contains("plane and plane"), "{error}");
    let error =
        scene.add_pair(left, right, PairOptions::default().with_detector("magic")).unwrap_err().to_string();
    assert!(error.contains("magic") && error.contains("plane_sphere"), "{error}");
    assert_eq!(scene.pairs().count(), 0);
}

#[test]
fn margins_must_be_finite_and_not_negative() {
    let mut scene = Scene::standard();
    let [a, b] = [("a", 0.0), ("b", 3.0)].map(|(name, x)| scene.add(name, sphere(x)).unwrap());
    for margin in [-1.0, f64::NAN, f64::INFINITY] {
        let error = scene.add_pair(a, b, PairOptions::default().with_margin(margin)).unwrap_err();
        assert!(error.to_string().contains("margin"), "{error}");
    }
    let pair = scene.add_pair(a, b, PairOptions::default().with_margin(1.0)).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 1);
    assert_eq!(scene.contacts(pair).unwrap().contacts[0].depth, -1.0);
    scene.set_margin(pair, 0.5).unwrap();
    assert_eq!(scene.step().unwrap(), StepReport { pairs_apart: 1, ..StepReport::default() });
    assert_eq!(scene.pair(pair).unwrap().outcome(), Outcome::Apart);
    assert!(scene.set_margin(pair, -0.5).unwrap_err().to_string().contains("a:b"));
    assert_eq!(scene.pair(pair).unwrap().margin(), 0.5);
}

#[test]
fn ids_of_pairs_are_stable_and_never_reused() {
    let mut scene = Scene::standard();
    let [a, b, c] = [0.0, 1.0, 1.5].map(|x| scene.add(&format!("at {x}"), sphere(x)).unwrap());
    let [ab, bc, ac] =
        [(a, b), (b, c), (a, c)].map(|(a, b)| scene.add_pair(a, b, PairOptions::default()).unwrap());
    scene.step().unwrap();
    let depth = |scene: &Scene, pair| scene.contacts(pair).unwrap().contacts[0].depth;
    let before = [depth(&scene, ab), depth(&scene, ac)];
    assert_eq!(before, [1.0, 0.5]);

    scene.remove_pair(bc).unwrap();
    assert_eq!([depth(&scene, ab), depth(&scene, ac)], before, "the contacts of other pairs are unchanged");
    assert_eq!(scene.all_contacts().map(|(pair, _)| pair).collect::<Vec<_>>(), [ab, ac]);
    let again = scene.add_pair(b, c, PairOptions::default()).unwrap();
    assert!(![ab, bc, ac].contains(&again));
    scene.step().unwrap();
    assert_eq!(scene.pairs().collect::<Vec<_>>(), [ab, ac, again]);
    assert_eq!([depth(&scene, ab), depth(&scene, ac), depth(&scene, again)], [1.0, 0.5, 1.5]);
    assert_eq!(scene.deepest().unwrap().0, again);
    assert_eq!(scene.remove_pair(bc).unwrap_err(), SceneError::UnknownPair { id: bc, count: 3 });
}

#[test]
fn groups_choose_the_pairs() {
    let (tool, organ) = (Groups { membership: 1, mask: 2 }, Groups { membership: 2, mask: 1 });
    let mut scene = Scene::standard();
    let left = scene.add_in("left", sphere(0.0), tool).unwrap();
    let right = scene.add_in("right", sphere(1.0), tool).unwrap();
    let cloud = scene.add_in("cloud", points(0.5), organ).unwrap();
    let known = scene.add_pair(cloud, left, PairOptions::default()).unwrap();
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    assert_eq!(scene.pairs().collect::<Vec<_>>(), [known], "bound when the two are first near");
    scene.step().unwrap();
    let pairs: Vec<_> = scene.pairs().collect();
    assert_eq!(pairs.len(), 2, "the pair of the tools is filtered, the known one is not added twice");
    let pair = scene.pair(pairs[1]).unwrap();
    assert_eq!((pair.a(), pair.b()), (right, cloud));
    assert!(pairs[0] == known && pairs[1].is_of_groups());
}

#[test]
fn by_groups_an_unsupported_pair_is_an_error_and_nothing_is_added() {
    let mut scene = Scene::standard();
    scene.add("ball", sphere(0.0)).unwrap();
    scene.add("floor", floor()).unwrap();
    scene.add("wall", floor()).unwrap();
    let error = scene.add_pairs_by_groups(PairOptions::default()).unwrap_err().to_string();
    assert!(error.contains("floor:wall"), "{error}");
    assert_eq!(scene.pairs().count(), 0);
}

#[test]
fn all_pairs_lists_the_unsupported_pairs() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let floor_id = scene.add("floor", floor()).unwrap();
    let wall = scene.add("wall", floor()).unwrap();
    let all = scene.add_all_pairs().unwrap();
    assert_eq!(all.unsupported, [(floor_id, wall)]);
    let ends = |pair| scene.pair(pair).map(|pair| (pair.a(), pair.b())).unwrap();
    assert_eq!(all.bound.iter().copied().map(ends).collect::<Vec<_>>(), [(ball, floor_id), (ball, wall)]);
    let again = scene.add_all_pairs().unwrap();
    assert!(again.bound.is_empty() && again.unsupported == [(floor_id, wall)]);
}

#[test]
fn replacing_a_geometry_rebinds_its_pairs() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let other = scene.add("other", sphere(1.5)).unwrap();
    let pair = scene.add_pair(ball, other, PairOptions::default().with_margin(0.25)).unwrap();
    scene.step().unwrap();

    scene.replace(ball, Box::new(points(0.75))).unwrap();
    assert!(scene.contacts(pair).unwrap().is_empty(), "the contacts were those of the sphere");
    assert_eq!(scene.pair(pair).unwrap().detector(), "point_set_sphere");
    assert_eq!((scene.id("ball"), scene.pair(pair).unwrap().margin()), (Some(ball), 0.25));
    scene.step().unwrap();
    assert_eq!(scene.contacts(pair).unwrap().contacts[0].depth, 0.25);
}

#[test]
fn a_culled_pair_becomes_active_when_its_geometry_is_replaced() {
    let mut scene = Scene::standard();
    let [a, b] = [("a", 0.0), ("b", 9.0)].map(|(name, x)| scene.add(name, sphere(x)).unwrap());
    let pair = scene.add_pair(a, b, PairOptions::default()).unwrap();
    let mut outcome_with = |x: f64| {
        scene.replace(b, Box::new(sphere(x))).unwrap();
        assert_eq!(scene.pair(pair).unwrap().outcome(), Outcome::Pending);
        scene.step().unwrap();
        (scene.pair(pair).unwrap().outcome(), scene.contacts(pair).unwrap().len())
    };
    assert_eq!(outcome_with(9.0), (Outcome::Apart, 0));
    assert_eq!(outcome_with(8.0), (Outcome::Apart, 0));
    assert_eq!(outcome_with(1.0), (Outcome::Ran(Status::default()), 1));
}

#[test]
fn only_needed_derived_data_is_prepared() {
    let mut scene = Scene::standard();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let organ = scene.add("organ", SurfaceMesh::new(corners.to_vec(), triangles).unwrap()).unwrap();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let pair = scene.add_pair(organ, ball, PairOptions::default()).unwrap();
    let prepared_when_moved = |scene: &mut Scene| {
        scene.geometry_mut::<SurfaceMesh>(organ).unwrap().set_positions(&corners).unwrap();
        scene.step().unwrap();
        scene.geometry(organ).unwrap().is_prepared(Needs::TREE)
    };
    assert!(prepared_when_moved(&mut scene));
    scene.remove_pair(pair).unwrap();
    assert!(!prepared_when_moved(&mut scene), "no pair needs the tree");
}

#[test]
fn an_unsupported_replacement_changes_nothing() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let ground = scene.add("ground", floor()).unwrap();
    let pair = scene.add_pair(ball, ground, PairOptions::default()).unwrap();
    scene.step().unwrap();
    let error = scene.replace(ball, Box::new(floor())).unwrap_err().to_string();
    assert!(error.contains("ball:ground") && error.contains("plane and plane"), "{error}");
    assert_eq!(scene.geometry(ball).unwrap().kind().name(), "sphere");
    assert_eq!(scene.contacts(pair).unwrap().len(), 1);
}

#[test]
fn replacement_keeps_the_requested_detector_and_settings() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", sphere(0.0)).unwrap();
    let ground = scene.add("ground", floor()).unwrap();
    let options = PairOptions::default().with_detector("plane_sphere");
    scene.add_pair(ball, ground, options).unwrap();
    let error = scene.replace(ball, Box::new(points(0.0))).unwrap_err().to_string();
    assert!(error.contains("plane_sphere does not accept point_set"), "{error}");
}

#[test]
fn self_contact_is_a_pair_of_one_geometry() {
    let zigzag = |depth: f64| {
        let points =
            [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, depth], [1.5, depth], [0.5, depth]];
        let points = points.map(|[x, y]| Point::new(x, y, 0.0)).to_vec();
        LineMesh::new(points, (0..6).map(|k| [k, k + 1]).collect()).unwrap().with_radius(0.25).unwrap()
    };
    let mut scene = Scene::standard();
    let thread = scene.add("thread", zigzag(0.4)).unwrap();
    let pair = scene.add_pair(thread, thread, PairOptions::default()).unwrap();
    scene.step().unwrap();
    assert!(scene.pair(pair).unwrap().is_self());
    let deepest = scene.deepest().expect("the strands are closer than their thickness").1.depth;
    assert!((deepest - 0.1).abs() < 1e-12, "{deepest}");
    scene.replace(thread, Box::new(zigzag(0.6))).unwrap();
    assert_eq!(scene.step().unwrap(), StepReport { pairs_run: 1, ..StepReport::default() });
}

#[test]
fn an_empty_registry_refuses_every_pair_when_it_is_added() {
    let mut scene = Scene::new(Registry::new());
    let [a, b] = ["a", "b"].map(|name| scene.add(name, sphere(0.0)).unwrap());
    assert!(matches!(scene.add_pair(a, b, PairOptions::default()), Err(SceneError::Pair { .. })));
    assert_eq!(scene.add_all_pairs().unwrap().unsupported, [(a, b)]);
    assert_eq!(scene.step().unwrap(), StepReport::default());
}
