//! A compound in a scene: one object, one pair, with children that move and are added and removed.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::NONE;
use palpate_geometry::{Capsule, Compound, Plane, PointSet, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_scene::{Outcome, PairId, PairOptions, Scene};

fn ball(x: f64, y: f64) -> Sphere {
    Sphere::new(Point::new(x, y, 0.0), 1.0).unwrap()
}

fn tool() -> Compound {
    Compound::default()
        .with(ball(0.0, 5.0))
        .with(Capsule::new(Pose::translation(4.0, 5.0, 0.0), 0.5, 2.0).unwrap())
}

/// A closed pyramid with a corner at the origin.
fn organ() -> SurfaceMesh {
    let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]].map(Point::from);
    SurfaceMesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

fn children(scene: &Scene, pair: PairId) -> Vec<(u32, u32)> {
    scene.contacts(pair).unwrap().contacts.iter().map(|contact| (contact.a.child, contact.b.child)).collect()
}

#[test]
fn a_child_moves_and_its_contacts_name_it() {
    let mut scene = Scene::standard();
    let tool = scene.add("tool", tool()).unwrap();
    let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap();
    let pair = scene.add_pair(floor, tool, PairOptions::default()).unwrap();
    assert_eq!(scene.pair(pair).unwrap().detector(), "compound_plane");
    assert_eq!(scene.step().unwrap().contacts, 0);
    let compound = scene.geometry_mut::<Compound>(tool).unwrap();
    compound.child_mut::<Sphere>(0).unwrap().set_center(Point::new(0.0, 0.5, 0.0)).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 1);
    assert_eq!(children(&scene, pair), [(NONE, 0)]);
}

/// The broad phase tests the whole compound: if it is far away the pair is culled, and its detectors are reset.
#[test]
fn a_distant_compound_is_culled() {
    let mut scene = Scene::standard();
    let tool = scene.add("tool", tool()).unwrap();
    let organ = scene.add("organ", organ()).unwrap();
    let pair = scene.add_pair(tool, organ, PairOptions::default()).unwrap();
    for (x, near) in [(1.0, true), (90.0, false), (1.0, true)] {
        let compound = scene.geometry_mut::<Compound>(tool).unwrap();
        compound.child_mut::<Sphere>(0).unwrap().set_center(Point::new(x, 0.5, 0.5)).unwrap();
        let capsule = compound.child_mut::<Capsule>(1).unwrap();
        capsule.set_pose(Pose::translation(x + 40.0, 0.0, 0.0)).unwrap();
        let contacts = scene.step().unwrap().contacts;
        assert_eq!(contacts > 0, near);
        assert_eq!(scene.pair(pair).unwrap().outcome() == Outcome::Apart, !near);
    }
}

/// A mesh added later needs normals and a tree: the step prepares them.
#[test]
fn children_are_added_and_removed_between_steps() {
    let mut scene = Scene::standard();
    let body = scene.add("body", Compound::default().with(ball(0.5, 9.0))).unwrap();
    let probe = scene.add("probe", Sphere::new(Point::new(1.0, 1.0, -0.25), 0.5).unwrap()).unwrap();
    let pair = scene.add_pair(probe, body, PairOptions::default()).unwrap();
    assert_eq!(scene.step().unwrap().contacts, 0);
    scene.geometry_mut::<Compound>(body).unwrap().add_child(Box::new(organ()));
    scene.step().unwrap();
    assert_eq!(children(&scene, pair), [(NONE, 1)]);
    scene.geometry_mut::<Compound>(body).unwrap().remove_child(1);
    assert_eq!(scene.step().unwrap().contacts, 0);
}

#[test]
fn a_child_without_a_detector_is_an_error_that_names_it() {
    let mut scene = Scene::standard();
    let plane = || Plane::new(Point::origin(), Vector::y()).unwrap();
    let floor = scene.add("floor", plane()).unwrap();
    let refused = scene.add("refused", Compound::default().with(ball(0.0, 0.0)).with(plane())).unwrap();
    let error = scene.add_pair(floor, refused, PairOptions::default()).unwrap_err().to_string();
    assert!(error.contains("refused") && error.contains("child 1 of the second geometry"), "{error}");

    let tool = scene.add("tool", tool()).unwrap();
    scene.add_pair(tool, floor, PairOptions::default()).unwrap();
    scene.geometry_mut::<Compound>(tool).unwrap().add_child(Box::new(plane()));
    let error = scene.step().unwrap_err().to_string();
    assert!(error.contains("tool") && error.contains("child 2 of the first geometry"), "{error}");
    scene.geometry_mut::<Compound>(tool).unwrap().remove_child(2);
    scene
        .geometry_mut::<Compound>(tool)
        .unwrap()
        .add_child(Box::new(PointSet::new(vec![Point::new(0.0, -1.0, 0.0)]).unwrap()));
    assert_eq!(scene.step().unwrap().contacts, 1);
}
