//! Geometries read by the scene of another thread: the same contacts as in their own scene, whole steps, in order.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_detect::Detection;
use palpate_geometry::{
    Capsule, Convex, Geometry, GeometryKind, LineMesh, Needs, OrientedBox, PointSet, Pose, Sphere,
    SurfaceMesh, TetraMesh, Version,
};
use palpate_math::{Aabb, Point, Vector};
use palpate_scene::{GeometryId, PairOptions, Scene, SceneError, SharedChange};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A cube of unit size with its diagonal edges, moved up and stretched by `step`.
fn corners(step: u32) -> Vec<Point> {
    let stretch = 1.0 + 0.01 * f64::from(step % 7);
    let corner = |k: u32| {
        let [x, y, z] = [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
        Point::new(x * stretch, y, z + 0.02 * f64::from(step % 5))
    };
    (0..8).map(corner).collect()
}

const TRIANGLES: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

const TETRAHEDRA: [[u32; 4]; 5] = [[0, 1, 2, 4], [1, 3, 2, 7], [1, 4, 5, 7], [2, 4, 7, 6], [1, 2, 4, 7]];

fn organs() -> Vec<(&'static str, Box<dyn Geometry>)> {
    vec![
        ("surface", Box::new(SurfaceMesh::new(corners(0), TRIANGLES.to_vec()).unwrap())),
        ("volume", Box::new(TetraMesh::new(corners(0), TETRAHEDRA.to_vec()).unwrap())),
        ("thread", Box::new(LineMesh::polyline(corners(0)).unwrap().with_radius(0.05).unwrap())),
        ("cloud", Box::new(PointSet::new(corners(0)).unwrap().with_radius(0.05).unwrap())),
    ]
}

/// Near the top of the cube, partly inside.
fn tools() -> Vec<(&'static str, Box<dyn Geometry>)> {
    let pose = Pose::translation(0.9, 0.95, 1.0);
    let hull: Vec<Point> = (0..8).map(|k| corners(0)[k] * 0.1).collect();
    vec![
        ("sphere", Box::new(Sphere::new(Point::new(0.9, 0.95, 1.0), 0.2).unwrap())),
        ("capsule", Box::new(Capsule::new(pose, 0.1, 0.3).unwrap())),
        ("box", Box::new(OrientedBox::new(pose, Vector::repeat(0.15)).unwrap())),
        ("hull", Box::new(Convex::new(pose, &hull).unwrap())),
        ("point", Box::new(PointSet::new(vec![Point::origin()]).unwrap())),
    ]
}

/// Adds the tools, and their pairs with these geometries.
fn with_tools(scene: &mut Scene, organs: &[GeometryId]) {
    for (name, tool) in tools() {
        let tool = scene.add_boxed(name, tool, palpate_scene::Groups::default()).unwrap();
        for &organ in organs {
            scene.add_pair(tool, organ, PairOptions::default().with_margin(0.05)).unwrap();
        }
    }
}

fn place_tools(scene: &mut Scene, step: u32) {
    let pose = Pose::translation(0.9, 0.9 + 0.01 * f64::from(step % 11), 1.0);
    for (name, _) in tools() {
        let id = scene.id(name).unwrap();
        scene.set_pose(id, pose).unwrap();
    }
}

/// All pairs of tools with organs that are deformed, and that are placed: to the bit as in the scene of the organs.
#[test]
fn a_local_query_finds_what_the_scene_of_the_geometry_finds() {
    let mut scene = Scene::standard();
    let organs: Vec<GeometryId> = organs()
        .into_iter()
        .map(|(name, organ)| scene.add_boxed(name, organ, palpate_scene::Groups::default()).unwrap())
        .collect();
    with_tools(&mut scene, &organs);
    let reader = scene.geometry_reader(&organs).unwrap();
    let mut local = Scene::standard();
    let shared = local.add_shared(reader).unwrap();
    assert_eq!(shared.len(), organs.len());
    with_tools(&mut local, &shared);
    let mut contacts = 0;
    for step in 1..60 {
        for &organ in &organs {
            if step % 3 == 0 {
                scene.set_pose(organ, Pose::translation(0.0, 0.01 * f64::from(step % 4), 0.0)).unwrap();
            } else {
                scene.set_positions(organ, &corners(step)).unwrap();
            }
        }
        place_tools(&mut scene, step);
        let report = scene.step().unwrap();
        assert!(local.update_shared().unwrap(), "a newer state");
        assert!(!local.update_shared().unwrap(), "the same state");
        assert_eq!(local.shared_step(shared[0]).unwrap(), Some(u64::from(step)));
        place_tools(&mut local, step);
        assert_eq!(local.step().unwrap(), report);
        for (own, other) in scene.pairs().zip(local.pairs()) {
            let [found, wanted] =
                [local.contacts(other), scene.contacts(own)].map(|found| &found.unwrap().contacts);
            // As text: the time of impact is not a number.
            assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "step {step}, {own}");
            contacts += found.len();
        }
    }
    assert!(contacts > 1_000, "{contacts} contacts");
}

/// Whether a geometry is where it should be, along x.
fn is_at(geometry: Option<&dyn Geometry>, x: f64) -> bool {
    (geometry.unwrap().bounds().center().x - x).abs() < 1e-12
}

/// The height of the cube tells the step: a reader never sees a mixture, and never an older state.
#[test]
fn readers_see_whole_steps_in_order() {
    let mut scene = Scene::standard();
    let [surface, volume] = [0, 1].map(|k| {
        let (name, organ) = organs().swap_remove(k);
        scene.add_boxed(name, organ, palpate_scene::Groups::default()).unwrap()
    });
    let height = |step: u64| step as f64;
    let reader = scene.geometry_reader(&[surface, volume]).unwrap();
    let is_done = AtomicBool::new(false);
    let follow = |mut reader: palpate_scene::GeometryReader| {
        let (mut last, mut distinct) = (0, 0);
        while distinct < 50 && !is_done.load(Ordering::Acquire) {
            let snapshot = reader.read();
            let step = snapshot.step();
            assert!(step >= last, "step {step} after {last}");
            for id in [surface, volume] {
                let geometry = snapshot.geometry(id).unwrap();
                let points = geometry.as_points().unwrap();
                assert!(points.positions().iter().all(|point| point.z == height(step)), "step {step}");
                assert!(geometry.is_prepared(Needs::TREE));
                assert_eq!(geometry.bounds().min.z, height(step));
            }
            distinct += usize::from(step > last);
            last = step;
            thread::yield_now();
        }
        distinct
    };
    let flat = |step: u64| -> Vec<Point> {
        corners(0).iter().map(|point| Point::new(point.x, point.y, height(step))).collect()
    };
    for id in [surface, volume] {
        scene.set_positions(id, &flat(0)).unwrap();
    }
    let reader = scene.geometry_reader(&reader.geometries().collect::<Vec<_>>()).unwrap();
    thread::scope(|scope| {
        let threads = [0; 2].map(|_| {
            let reader = reader.clone();
            scope.spawn(move || follow(reader))
        });
        while !threads.iter().all(|thread| thread.is_finished()) {
            for id in [surface, volume] {
                scene.set_positions(id, &flat(scene.steps() + 1)).unwrap();
            }
            scene.step().unwrap();
        }
        is_done.store(true, Ordering::Release);
        for thread in threads {
            assert_eq!(thread.join().unwrap(), 50);
        }
    });
}

#[test]
fn a_shared_geometry_is_changed_by_its_own_scene_only() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let mut local = Scene::standard();
    let there = local.add_shared(scene.geometry_reader(&[ball]).unwrap()).unwrap()[0];
    let refused = SceneError::SharedByOther { name: "ball".to_owned() };
    assert_eq!(local.set_pose(there, Pose::identity()).unwrap_err(), refused);
    assert_eq!(local.set_positions(there, &[]).unwrap_err(), refused);
    assert_eq!(local.geometry_mut::<Sphere>(there).unwrap_err(), refused);
    assert_eq!(local.geometry_dyn_mut(there).err(), Some(refused));
    assert!(local.geometry_as::<Sphere>(there).is_ok());
    local.advance();
    // Removed here, it lives on there.
    assert_eq!(local.remove(there).unwrap().kind(), GeometryKind::SPHERE);
    scene.step().unwrap();
    assert!(local.update_shared().is_ok() && local.geometry(there).is_err());
}

#[test]
fn a_geometry_that_was_removed_or_replaced_by_another_kind_is_named() {
    let mut scene = Scene::standard();
    let ids = ["one", "two"].map(|name| scene.add(name, Sphere::new(Point::origin(), 1.0).unwrap()).unwrap());
    let mut local = Scene::standard();
    let there = local.add_shared(scene.geometry_reader(&ids).unwrap()).unwrap();
    // Of the same kind, with another size.
    scene.replace(ids[0], Box::new(Sphere::new(Point::origin(), 2.0).unwrap())).unwrap();
    scene.step().unwrap();
    assert!(local.update_shared().unwrap());
    assert!((local.geometry(there[0]).unwrap().bounds().max.x - 2.0).abs() < 1e-12);
    let point = PointSet::new(vec![Point::origin()]).unwrap();
    scene.replace(ids[0], Box::new(point)).unwrap();
    scene.step().unwrap();
    let error = local.update_shared().unwrap_err().to_string();
    assert!(error.contains("\"one\" is a point_set") && error.contains("wanted a sphere"), "{error}");
    assert_eq!(local.geometry(there[0]).unwrap().kind(), GeometryKind::SPHERE, "the state at hand is kept");
    scene.remove(ids[0]).unwrap();
    scene.step().unwrap();
    let error = local.update_shared().unwrap_err().to_string();
    assert!(error.contains("\"one\" is not there"), "{error}");
    local.remove(there[0]).unwrap();
    assert!(local.update_shared().unwrap());
}

/// A cut opens a closed surface: the reader learns of it once, and of nothing when the organ only moves.
#[test]
fn a_reader_learns_that_a_solid_has_become_a_sheet() {
    let mut scene = Scene::standard();
    let organs = organs().into_iter().take(2);
    let ids: Vec<GeometryId> =
        organs.map(|(name, organ)| scene.add_boxed(name, organ, Default::default()).unwrap()).collect();
    let mut local = Scene::standard();
    let there = local.add_shared(scene.geometry_reader(&ids).unwrap()).unwrap();
    for step in 1..6 {
        ids.iter().for_each(|&id| scene.set_positions(id, &corners(step)).unwrap());
        if step == 3 {
            scene.geometry_mut::<SurfaceMesh>(ids[0]).unwrap().remove_cells(&[4]).unwrap();
            scene.geometry_mut::<TetraMesh>(ids[1]).unwrap().remove_cells(&[0]).unwrap();
        }
        scene.step().unwrap();
        assert!(local.update_shared().unwrap());
        let change = |k: usize, is_solid| SharedChange { id: there[k], was_solid: true, is_solid };
        let expected = if step == 3 { vec![change(0, false), change(1, true)] } else { vec![] };
        assert_eq!(local.shared_changes(), expected, "step {step}");
        assert!(!local.update_shared().unwrap() && local.shared_changes().is_empty());
    }
}

/// A geometry that cannot be cloned.
struct Single(Version);

impl Geometry for Single {
    fn kind(&self) -> GeometryKind {
        GeometryKind::new("single")
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_point(Point::origin())
    }

    fn version(&self) -> Version {
        self.0
    }
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let other = scene.add("other", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let single = scene.add("single", Single(Version::new())).unwrap();
    let error = scene.geometry_reader(&[ball, single]).err().unwrap().to_string();
    assert!(error.contains("\"single\"") && error.contains("cannot be cloned"), "{error}");
    let mut local = Scene::standard();
    assert!(local.geometry_reader(&[ball]).is_err(), "an id of another scene");
    local.add("other", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let refused = local.add_shared(scene.geometry_reader(&[ball, other]).unwrap());
    assert!(matches!(refused, Err(SceneError::DuplicateName { .. })));
    assert!(local.id("ball").is_none() && local.geometries().len() == 1);
    // A continuous detector needs a previous state.
    let mut local = Scene::standard();
    let mesh = SurfaceMesh::new(corners(0), TRIANGLES.to_vec()).unwrap();
    let mesh = scene.add("mesh", mesh).unwrap();
    let there = local.add_shared(scene.geometry_reader(&[mesh]).unwrap()).unwrap()[0];
    let tool = local.add("tool", SurfaceMesh::new(corners(1), TRIANGLES.to_vec()).unwrap()).unwrap();
    let options = PairOptions::default().with_detection(Detection::Continuous);
    local.add_pair(tool, there, options).unwrap();
    assert!(local.step().unwrap_err().to_string().contains("not prepared"));
}

/// A scene without readers publishes nothing, and a reader that comes later starts with the present.
#[test]
fn readers_come_and_go() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let cube = scene.add("cube", OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap()).unwrap();
    let first = scene.geometry_reader(&[ball]).unwrap();
    let kept = first.keep();
    assert!(kept.geometry(ball).is_some() && kept.geometry(cube).is_none());
    let mut second = scene.geometry_reader(&[cube, ball]).unwrap();
    for reader in [first.clone(), second.clone()] {
        let mut reader = reader;
        assert!(reader.read().geometry(cube).is_some() && reader.read().geometry(ball).is_some());
    }
    scene.set_pose(cube, Pose::translation(5.0, 0.0, 0.0)).unwrap();
    scene.step().unwrap();
    assert!(is_at(second.read().geometry(cube), 5.0));
    drop((first, second));
    scene.step().unwrap();
    scene.set_pose(ball, Pose::translation(3.0, 0.0, 0.0)).unwrap();
    let mut third = scene.geometry_reader(&[ball]).unwrap();
    assert!(is_at(third.read().geometry(ball), 3.0));
    assert!(third.read().geometry(cube).is_none());
    assert!(is_at(kept.geometry(ball), 0.0), "a kept snapshot does not change");
}
