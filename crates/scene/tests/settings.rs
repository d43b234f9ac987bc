//! Settings of a pair that change between steps, and the pairs of two geometries.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use palpate_detect::Order;
use palpate_detect::pairs::PlaneBodySettings;
use palpate_geometry::{Capsule, Compound, Cylinder, Plane, PointSet, Pose, Sphere, pose};
use palpate_math::{Point, Vector};
use palpate_scene::{Outcome, PairId, PairOptions, Scene, SceneError};
use serde_json::json;

fn floor() -> Plane {
    Plane::new(Point::origin(), Vector::y()).unwrap()
}

/// A capsule that lies on the floor, 0.25 deep.
fn rod() -> Capsule {
    let turn = pose::rotation_from_axis(Vector::x()).unwrap();
    Capsule::new(pose::from_rotation(Point::new(0.0, 0.25, 0.0), turn).unwrap(), 0.5, 2.0).unwrap()
}

fn on_the_floor(options: PairOptions) -> (Scene, PairId) {
    let mut scene = Scene::standard();
    let rod = scene.add("rod", rod()).unwrap();
    let floor = scene.add("floor", floor()).unwrap();
    let pair = scene.add_pair(rod, floor, options).unwrap();
    (scene, pair)
}

const ONE: PlaneBodySettings =
    PlaneBodySettings { sides: palpate_detect::pairs::PlaneSides::AsGiven, manifold: false };

#[test]
fn settings_change_in_place_from_the_next_step_on() {
    let (mut scene, pair) = on_the_floor(PairOptions::default().with_margin(0.125));
    assert_eq!(scene.step().unwrap().contacts, 2);
    scene.set_settings(pair, ONE).unwrap();
    let now = scene.pair(pair).unwrap();
    assert_eq!((now.contacts().len(), now.outcome(), now.margin()), (0, Outcome::Pending, 0.125));
    assert_eq!((now.settings()["manifold"].clone(), now.detector()), (json!(false), "plane_capsule"));
    assert_eq!(scene.step().unwrap().contacts, 1);
    let (mut fresh, same) = on_the_floor(PairOptions::of(ONE).with_margin(0.125));
    fresh.step().unwrap();
    assert!(scene.contacts(pair).unwrap().same_bits(fresh.contacts(same).unwrap()));
    scene.set_settings(pair, json!({})).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 2, "the defaults again");
}

/// A pair that the broad phase has culled is found again with its new settings, at its old margin.
#[test]
fn a_pair_that_is_apart_keeps_its_margin() {
    let mut scene = Scene::standard();
    let drum = |y: f64| Cylinder::new(Pose::translation(0.0, y, 0.0), 1.0, 1.0).unwrap();
    let a = scene.add("a", drum(0.0)).unwrap();
    let b = scene.add("b", drum(9.0)).unwrap();
    let pair = scene.add_pair(a, b, PairOptions::default().with_margin(0.25)).unwrap();
    for settings in [json!({}), json!({"manifold": false})] {
        scene.set_settings(pair, settings).unwrap();
        scene.step().unwrap();
        assert_eq!(scene.pair(pair).unwrap().outcome(), Outcome::Apart);
    }
    *scene.geometry_mut::<Cylinder>(b).unwrap() = drum(1.125);
    scene.step().unwrap();
    let depths: Vec<f64> = scene.contacts(pair).unwrap().contacts.iter().map(|found| found.depth).collect();
    assert_eq!(depths, [-0.125]);
}

#[test]
fn a_setting_that_the_detector_lacks_is_named_and_nothing_changes() {
    let (mut scene, pair) = on_the_floor(PairOptions::of(ONE));
    scene.step().unwrap();
    let before = scene.contacts(pair).unwrap().clone();
    for wrong in [json!({"manifolds": true}), json!({"manifold": "no"}), json!(3)] {
        let error = scene.set_settings(pair, &wrong).unwrap_err().to_string();
        assert!(error.starts_with("pair rod:floor: ") && error.contains("plane_capsule"), "{error}");
        assert!(wrong.get("manifolds").is_none() || error.contains("manifolds"), "{error}");
    }
    let now = scene.pair(pair).unwrap();
    assert_eq!((before.len(), now.settings()["manifold"].clone()), (1, json!(false)));
    assert!(now.contacts().same_bits(&before));
    scene.remove_pair(pair).unwrap();
    assert!(matches!(scene.set_settings(pair, ONE), Err(SceneError::UnknownPair { .. })));
}

#[test]
fn the_children_of_a_compound_get_the_settings_and_pairs_of_groups_refuse_them() {
    let mut scene = Scene::standard();
    let tool = scene.add("tool", Compound::default().with(rod()).with(rod())).unwrap();
    let ground = scene.add("ground", floor()).unwrap();
    let pair = scene.add_pair(tool, ground, PairOptions::default()).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 4);
    scene.set_settings(pair, json!({"manifold": false})).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 2);
    let error = scene.set_settings(pair, json!({"manifolds": false})).unwrap_err().to_string();
    assert!(error.contains("manifolds"), "{error}");

    let mut scene = Scene::standard();
    scene.add("rod", rod()).unwrap();
    scene.add("floor", floor()).unwrap();
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    scene.step().unwrap();
    let pair = scene.pairs().next().unwrap();
    assert!(matches!(scene.set_settings(pair, ONE), Err(SceneError::PairOfGroups { .. })));
}

/// Two geometries of one kind are ordered by their content when they are bound; new settings do not exchange them.
#[test]
fn new_settings_do_not_change_the_order_of_the_inputs() {
    let mut scene = Scene::standard();
    let drum = |x: f64| Cylinder::new(Pose::translation(x, 0.0, 0.0), 1.0, 1.0).unwrap();
    let a = scene.add("a", drum(0.0)).unwrap();
    let b = scene.add("b", drum(1.0)).unwrap();
    let pair = scene.add_pair(a, b, PairOptions::default()).unwrap();
    assert_eq!(scene.pair(pair).unwrap().orders(), [Order::AsGiven]);
    scene.geometry_mut::<Cylinder>(a).unwrap().set_pose(Pose::translation(2.0, 0.0, 0.0)).unwrap();
    scene.set_settings(pair, json!({"manifold": false})).unwrap();
    assert_eq!(scene.pair(pair).unwrap().orders(), [Order::AsGiven]);
    // Replacing a geometry orders them anew.
    scene.replace(a, Box::new(drum(2.0))).unwrap();
    assert_eq!(scene.pair(pair).unwrap().orders(), [Order::Swapped]);
}

#[test]
fn the_pairs_of_two_geometries_are_found_whichever_is_side_a() {
    let mut scene = Scene::standard();
    let ball = |x: f64| Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap();
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| scene.add(&format!("ball {x}"), ball(x)).unwrap());
    let cloud = scene.add("cloud", PointSet::new(vec![Point::new(50.0, 0.0, 0.0)]).unwrap()).unwrap();
    let mut add = |a, b| scene.add_pair(a, b, PairOptions::default()).unwrap();
    let (first, other, second, own) = (add(a, b), add(a, c), add(b, a), add(cloud, cloud));
    assert_eq!(scene.pairs_of(a, b).unwrap(), [first, second]);
    assert_eq!(scene.pairs_of(b, a).unwrap(), [first, second]);
    assert_eq!(scene.pairs_of(c, a).unwrap(), [other]);
    assert_eq!((scene.pairs_of(cloud, cloud).unwrap(), scene.pairs_of(a, a).unwrap()), (vec![own], vec![]));
    assert!(scene.pairs_of(b, c).unwrap().is_empty());
    // Pairs of groups are listed while they are near.
    scene.add_pairs_by_groups(PairOptions::default()).unwrap();
    scene.step().unwrap();
    let near = scene.pairs_of(c, b).unwrap();
    assert!(near.len() == 1 && near[0].is_of_groups());
    assert_eq!(
        (scene.pairs_of(a, b).unwrap(), scene.pairs_of(cloud, b).unwrap()),
        (vec![first, second], vec![])
    );
    scene.remove(a).unwrap();
    assert!(matches!(scene.pairs_of(a, b), Err(SceneError::UnknownGeometry { .. })));
    assert!(matches!(Scene::standard().pairs_of(b, c), Err(SceneError::OtherScene { .. })));
}
