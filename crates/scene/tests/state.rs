//! What a scene holds after errors, assignments and poses that cannot be.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use palpate_contact::CollisionData;
use palpate_detect::Order;
use palpate_geometry::{
    Capsule, Compound, Geometry, GeometryKind, LARGEST, Plane, PointSet, Pose, SMALLEST, Sphere, SurfaceMesh,
    Version,
};
use palpate_math::{Aabb, Point, Vector};
use palpate_scene::{GeometryId, Groups, Outcome, PairId, PairOptions, Scene};

fn ball(x: f64, y: f64) -> Sphere {
    Sphere::new(Point::new(x, y, 0.0), 1.0).unwrap()
}

fn floor() -> Plane {
    Plane::new(Point::origin(), Vector::y()).unwrap()
}

/// A closed pyramid with a corner at the origin.
fn organ() -> SurfaceMesh {
    let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]].map(Point::from);
    SurfaceMesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

/// What a failed step must leave as it is.
fn held(scene: &Scene) -> Vec<(PairId, Outcome, Vec<Order>, CollisionData)> {
    let of_pair = |id: PairId| {
        let pair = scene.pair(id).unwrap();
        (id, pair.outcome(), pair.orders(), pair.contacts().clone())
    };
    scene.pairs().map(of_pair).collect()
}

fn same(one: &[(PairId, Outcome, Vec<Order>, CollisionData)], two: &Scene) -> bool {
    let two = held(two);
    one.len() == two.len()
        && one.iter().zip(&two).all(|(a, b)| (a.0, a.1, &a.2) == (b.0, b.1, &b.2) && a.3.same_bits(&b.3))
}

/// A new child of the first compound is bound before the one of the second is refused; assigning another compound puts that right.
// Proves: REQ-STEP-ATOMIC
#[test]
fn a_step_that_cannot_rebind_a_pair_leaves_all_as_before() {
    let mut scene = Scene::standard();
    let probe = scene.add("probe", ball(1.0, 1.0)).unwrap();
    let ground = scene.add("ground", floor()).unwrap();
    let first = scene.add("first", Compound::default().with(ball(0.0, 0.5))).unwrap();
    let second = scene.add("second", Compound::default().with(ball(0.0, 0.5))).unwrap();
    scene.add_pair(first, probe, PairOptions::default()).unwrap();
    scene.add_pair(second, ground, PairOptions::default()).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 2);
    let before = held(&scene);

    scene.geometry_mut::<Compound>(first).unwrap().add_child(Box::new(organ()));
    scene.geometry_mut::<Compound>(second).unwrap().add_child(Box::new(floor()));
    for _ in 0..2 {
        let error = scene.step().unwrap_err().to_string();
        assert!(error.contains("second") && error.contains("plane"), "{error}");
        assert!(same(&before, &scene), "{error}");
        assert_eq!((scene.steps(), scene.snapshots().read().all_contacts().len()), (1, 2));
    }

    *scene.geometry_mut::<Compound>(second).unwrap() =
        Compound::default().with(ball(0.0, 0.5)).with(ball(9.0, 0.25));
    scene.step().unwrap();
    assert_eq!(scene.steps(), 2);
    let mut children: Vec<u32> = scene.all_contacts().map(|(_, contact)| contact.a.child).collect();
    children.dedup();
    assert_eq!(children, [0, 1, 0, 1]);
}

/// Points that are not there on demand, so that their detector fails.
struct Spoilt {
    points: PointSet,
    spoilt: bool,
}

impl Geometry for Spoilt {
    fn kind(&self) -> GeometryKind {
        GeometryKind::new("spoilt")
    }

    fn bounds(&self) -> Aabb {
        self.points.bounds()
    }

    fn version(&self) -> Version {
        self.points.version()
    }

    fn as_points(&self) -> Option<&PointSet> {
        (!self.spoilt).then_some(&self.points)
    }
}

/// While one detector fails, a pair of groups would come and another go.
// Proves: REQ-STEP-ATOMIC
#[test]
fn a_step_whose_detector_fails_leaves_the_pairs_of_groups_as_before() {
    let mut scene = Scene::standard();
    let others = Groups { membership: 2, ..Groups::default() };
    let a = scene.add("a", ball(0.0, 0.0)).unwrap();
    scene.add("b", ball(1.0, 0.0)).unwrap();
    scene.add("c", ball(50.0, 0.0)).unwrap();
    let points = PointSet::new(vec![Point::origin()]).unwrap();
    let cloud = scene.add_in("cloud", Spoilt { points, spoilt: false }, others).unwrap();
    let ground = scene.add_in("ground", floor(), others).unwrap();
    scene.add_pairs_between(1, 1, PairOptions::default()).unwrap();
    scene.add_pair(cloud, ground, PairOptions::default().with_detector("point_set_plane")).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 2);
    let before = held(&scene);
    scene.geometry_mut::<Sphere>(a).unwrap().set_center(Point::new(49.0, 0.5, 0.0)).unwrap();
    scene.geometry_mut::<Spoilt>(cloud).unwrap().spoilt = true;
    for _ in 0..2 {
        let error = scene.step().unwrap_err().to_string();
        assert!(error.contains("cloud") && same(&before, &scene), "{error}");
    }
    scene.geometry_mut::<Spoilt>(cloud).unwrap().spoilt = false;
    assert_eq!((scene.step().unwrap().contacts, scene.steps()), (2, 2));
    let names: Vec<&str> = scene
        .pairs_in_contact()
        .flat_map(|pair| [pair.a(), pair.b()])
        .map(|id| scene.name(id).unwrap())
        .collect();
    assert_eq!(names, ["cloud", "ground", "a", "c"]);
}

/// Another compound with as many changes: a nested child of two for one of one.
#[test]
fn assigning_another_compound_is_noticed() {
    let mut scene = Scene::standard();
    let ground = scene.add("ground", floor()).unwrap();
    let nested = || Compound::default().with(ball(0.0, 0.5)).with(ball(9.0, 0.5));
    let tool = scene.add("tool", Compound::default().with(Compound::default().with(ball(0.0, 0.5)))).unwrap();
    scene.add_pair(tool, ground, PairOptions::default()).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 1);
    *scene.geometry_mut::<Compound>(tool).unwrap() = Compound::default().with(nested());
    assert_eq!(scene.step().unwrap().contacts, 2);
    *scene.geometry_mut::<Compound>(tool).unwrap() = Compound::default()
        .with(Capsule::new(Pose::translation(0.0, 0.9, 0.0), 0.5, 1.0).unwrap())
        .with(ball(5.0, 5.0));
    assert_eq!(scene.step().unwrap().contacts, 1);
}

/// A pair with a placed mesh keeps a copy of the other side, which another ball of the same age must replace.
#[test]
fn assigning_another_shape_to_the_partner_of_a_placed_mesh_is_noticed() {
    let mut scene = Scene::standard();
    let organ = scene.add("organ", organ()).unwrap();
    let below = |z: f64| Sphere::new(Point::new(1.0, 1.0, z), 1.0).unwrap();
    let probe = scene.add("probe", below(-0.5)).unwrap();
    let pair = scene.add_pair(probe, organ, PairOptions::default()).unwrap();
    scene.set_pose(organ, Pose::translation(0.0, -0.5, 0.0)).unwrap();
    assert!(scene.step().unwrap().contacts > 0);
    let depth = |scene: &Scene| scene.contacts(pair).unwrap().deepest().unwrap().depth;
    let before = depth(&scene);
    *scene.geometry_mut::<Sphere>(probe).unwrap() = below(-0.25);
    scene.step().unwrap();
    assert!((depth(&scene) - before).abs() > 0.01, "{before}");
    *scene.geometry_mut::<Sphere>(probe).unwrap() = ball(90.0, 1.0);
    assert_eq!(scene.step().unwrap().contacts, 0);
}

// Proves: REQ-NUMBERS
#[test]
fn poses_that_are_none_and_lengths_out_of_range_are_refused() {
    let mut scene = Scene::standard();
    let organ = scene.add("organ", organ()).unwrap();
    let tool = scene.add("tool", Compound::default().with(ball(0.0, 0.0))).unwrap();
    let probe = scene.add("probe", ball(1.0, 1.0)).unwrap();
    let turned = |w: f64| {
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, 0.0, 0.0, 0.0));
        Pose::from_parts(Translation3::identity(), rotation)
    };
    let refused =
        |scene: &mut Scene, id: GeometryId, pose: Pose| scene.set_pose(id, pose).unwrap_err().to_string();
    for id in [organ, tool, probe] {
        let error = refused(&mut scene, id, turned(f64::NAN));
        assert!(error.contains("a component of the rotation is NaN: wanted a finite number"), "{error}");
        assert!(refused(&mut scene, id, turned(0.0)).contains("its length is not 1"));
        let error = refused(&mut scene, id, Pose::translation(0.0, 1e61, 0.0));
        assert!(error.contains("the position is 1e61: wanted 1.42724769270596e45 or less"), "{error}");
        assert!(scene.set_pose(id, turned(1.0)).is_ok());
    }
    let pair = scene.add_pair(organ, probe, PairOptions::default()).unwrap();
    for margin in [0.5 * SMALLEST, 2.0 * LARGEST, f64::NAN, -1.0] {
        let error = scene.set_margin(pair, margin).unwrap_err().to_string();
        assert!(error.contains("wanted 0, or from 7.006492321624085e-46 to 1.42724769270596e45"), "{error}");
    }
    assert!([0.0, SMALLEST, LARGEST].iter().all(|&margin| scene.set_margin(pair, margin).is_ok()));
}

/// The order of two spheres is settled by their content when the pair is bound, and again when one is replaced unless it is kept.
#[test]
fn orders_that_are_kept_survive_a_replacement() {
    for keep in [false, true] {
        let mut scene = Scene::standard();
        let a = scene.add("a", ball(0.0, 0.0)).unwrap();
        let b = scene.add("b", ball(1.0, 0.0)).unwrap();
        let pair = scene.add_pair(a, b, PairOptions::default()).unwrap();
        assert_eq!(scene.pair(pair).unwrap().orders(), [Order::AsGiven]);
        if keep {
            scene.keep_orders(pair).unwrap();
        }
        scene.replace(a, Box::new(ball(2.0, 0.0))).unwrap();
        let wanted = if keep { Order::AsGiven } else { Order::Swapped };
        assert_eq!(scene.pair(pair).unwrap().orders(), [wanted]);
    }
}
