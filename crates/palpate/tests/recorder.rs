//! A recorded scene replays to the contacts of the live run, bit for bit.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

mod record;

use palpate::contact::Contact;
use palpate::geometry::implicit::{
    Grid, ImplicitFunction, Intersection, Offset, Sample, SmoothUnion, Torus, Union,
};
use palpate::geometry::{Cone, Convex, Ellipsoid, ImplicitBody, Sidedness};
use palpate::prelude::*;
use palpate::record::{Precision, RecorderOptions};
use palpate::recording::{Reader, State};
use palpate::replay::{Replay, ReplayOptions};
use palpate::serde_json::json;
use record::{block, grid_of_points, organ, pose, record, rope, stubborn_hull};
use std::sync::Arc;

/// Every kind of geometry, all of them near each other.
fn every_kind(scene: &mut Scene) {
    let rest = pose(0, 0);
    scene
        .add("floor", Plane::new(Point::new(0.0, -0.4, 0.0), Vector::new(0.1, 1.0, -0.07)).unwrap())
        .unwrap();
    let sheet = Plane::new(Point::new(0.1, 0.0, 0.0), Vector::new(1.0, 0.3, 0.2)).unwrap();
    scene.add("sheet", sheet.with_two_sided(true)).unwrap();
    scene.add("organ", organ(1.0, 6).with_radius(0.01).unwrap()).unwrap();
    // An open surface that is declared closed.
    let (points, mut triangles) =
        (organ(0.7, 5).points().positions().to_vec(), organ(0.7, 5).triangles().to_vec());
    triangles.truncate(triangles.len() - 2);
    scene.add("shell", SurfaceMesh::new(points, triangles).unwrap().with_closed(true)).unwrap();
    scene.add("flesh", block()).unwrap();
    scene.add("probe", PointSet::new(grid_of_points()).unwrap().with_radius(0.03).unwrap()).unwrap();
    scene.add("thread", rope(9).with_radius(0.02).unwrap()).unwrap();
    scene.add("ball", Sphere::new(Point::origin(), 0.4).unwrap()).unwrap();
    scene.add("rod", Capsule::new(rest, 0.2, 0.9).unwrap()).unwrap();
    scene.add("drum", Cylinder::new(rest, 0.3, 0.8).unwrap()).unwrap();
    scene.add("brick", OrientedBox::new(rest, Vector::new(0.3, 0.5, 0.2)).unwrap()).unwrap();
    scene.add("cone", Cone::new(rest, 0.4, 0.9).unwrap()).unwrap();
    scene.add("egg", Ellipsoid::new(rest, Vector::new(0.5, 0.3, 0.4)).unwrap()).unwrap();
    let hull = Convex::new(rest, &grid_of_points()).unwrap().with_radius(0.05).unwrap();
    scene.add("hull", hull).unwrap();
    scene
        .add("ring", ImplicitBody::new(rest, Arc::new(Torus::new(rest, 0.5, 0.15).unwrap())).unwrap())
        .unwrap();
    scene.add("tool", tool()).unwrap();
}

/// A compound of five children, two of them removed; the last is a mesh.
fn tool() -> Compound {
    let rest = pose(3, 0);
    let mut tool = Compound::default()
        .with(Sphere::new(Point::origin(), 0.25).unwrap())
        .with(Capsule::new(rest, 0.1, 0.5).unwrap())
        .with(Cone::new(rest, 0.2, 0.4).unwrap())
        .with(rope(4))
        .with(organ(0.3, 4));
    tool.remove_child(0);
    tool.remove_child(3);
    tool
}

/// Moves all geometries to their poses in a step.
fn move_all(scene: &mut Scene, step: usize) {
    for (number, id) in scene.geometries().enumerate().skip(1) {
        move_one(scene.geometry_dyn_mut(id).unwrap(), number, step);
    }
}

fn move_one(geometry: &mut dyn Geometry, number: usize, step: usize) {
    let to = pose(number, step);
    let any: &mut dyn std::any::Any = geometry;
    macro_rules! pose_of {
        ($($shape:ident),*) => {
            $(if let Some(shape) = any.downcast_mut::<$shape>() {
                return shape.set_pose(to).unwrap();
            })*
        };
    }
    pose_of!(Sphere, Capsule, Cylinder, OrientedBox, Plane, Cone, Ellipsoid, Convex, ImplicitBody);
    let by = pose(number, step) * pose(number, step.saturating_sub(1)).inverse();
    macro_rules! points_of {
        ($($mesh:ident: $points:expr),*) => {
            $(if let Some(mesh) = any.downcast_mut::<$mesh>() {
                let points: fn(&$mesh) -> &PointSet = $points;
                let moved: Vec<Point> = points(mesh).positions().iter().map(|point| by * point).collect();
                return mesh.set_positions(&moved).unwrap();
            })*
        };
    }
    points_of!(PointSet: |m| m, LineMesh: |m| m.points(), SurfaceMesh: |m| m.points(), TetraMesh: |m| m.points());
    let tool = any.downcast_mut::<Compound>().unwrap();
    let numbers: Vec<u32> = tool.children().map(|(number, _)| number).collect();
    for child in numbers {
        move_one(tool.child_dyn_mut(child).unwrap(), number + child as usize, step);
    }
}

// Proves: REQ-REPLAY
#[test]
fn every_kind_replays_to_the_same_bits() {
    let mut scene = Scene::standard();
    every_kind(&mut scene);
    move_all(&mut scene, 0);
    scene.add_all_pairs().unwrap();
    for pair in scene.pairs().collect::<Vec<_>>() {
        scene.set_margin(pair, 0.01).unwrap();
    }
    let compared = record(&mut scene, 10, |scene, step| {
        if step > 0 {
            move_all(scene, step);
        }
    });
    for kind in GeometryKind::ORDER {
        let count = compared.get(kind.name()).copied().unwrap_or(0);
        assert!(count >= 100, "{kind}: {count} contacts of {compared:?}");
    }
    for object in ["cone", "egg", "hull", "shell", "sheet", "ring", "tool", "flesh"] {
        let count = compared.get(object).copied().unwrap_or(0);
        assert!(count >= 50, "{object}: {count} contacts of {compared:?}");
    }
}

/// Every built-in implicit function, each at its own position.
fn functions() -> Vec<(&'static str, Arc<dyn ImplicitFunction>)> {
    let at = pose(1, 1);
    let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::new(0.2, 0.1, 0.0), 0.5).unwrap());
    let brick: Arc<dyn ImplicitFunction> =
        Arc::new(OrientedBox::new(at, Vector::new(0.3, 0.4, 0.5)).unwrap());
    let ring: Arc<dyn ImplicitFunction> = Arc::new(Torus::new(at, 0.5, 0.2).unwrap());
    let mut turned = Sphere::new(Point::origin(), 0.45).unwrap();
    turned.set_pose(at).unwrap();
    let mut values = Vec::new();
    for k in 0..9_i32.pow(3) {
        let place = [k % 9, k / 9 % 9, k / 81].map(|n| f64::from(n) * 0.2 - 0.8);
        values.push(Point::from(place).coords.norm() - 0.55);
    }
    let grid = Grid::new(Point::new(-0.8, -0.8, -0.8), Vector::repeat(0.2), [9; 3], values).unwrap();
    let body = ImplicitBody::new(at, ring.clone()).unwrap().with_scale(1.0 / 3.0 + 0.5).unwrap();
    let both = || vec![ball.clone(), brick.clone()];
    let plane = Plane::new(Point::new(0.0, 0.1, 0.0), Vector::new(0.3, 1.0, 0.1)).unwrap();
    let cut: Vec<Arc<dyn ImplicitFunction>> = vec![ball.clone(), Arc::new(plane)];
    vec![
        ("sphere", Arc::new(turned)),
        ("box", brick.clone()),
        ("capsule", Arc::new(Capsule::new(at, 0.3, 0.4).unwrap())),
        ("cylinder", Arc::new(Cylinder::new(at, 0.4, 0.6).unwrap())),
        ("ellipsoid", Arc::new(Ellipsoid::new(at, Vector::new(0.5, 0.3, 0.4)).unwrap())),
        ("cone", Arc::new(Cone::new(at, 0.5, 0.8).unwrap())),
        ("convex", Arc::new(Convex::new(at, &grid_of_points()).unwrap().with_radius(0.1).unwrap())),
        ("torus", ring.clone()),
        ("grid", Arc::new(grid)),
        ("placed", Arc::new(body)),
        ("union", Arc::new(Union::new(both()).unwrap())),
        ("intersection", Arc::new(Intersection::new(cut).unwrap())),
        ("difference", Arc::new(Intersection::difference(vec![brick.clone(), ball.clone(), ring]).unwrap())),
        ("smooth_union", Arc::new(SmoothUnion::new(both(), 0.1).unwrap())),
        ("offset", Arc::new(Offset::new(Arc::new(Union::new(both()).unwrap()), 0.05).unwrap())),
    ]
}

// Proves: REQ-REPLAY
#[test]
fn every_implicit_function_replays_to_the_same_bits() {
    for (name, function) in functions() {
        let mut scene = Scene::standard();
        let body = ImplicitBody::new(pose(2, 0), function).unwrap().with_scale(1.1).unwrap();
        let body = scene.add("body", body).unwrap();
        let organ = organ(0.4, 4);
        let others = [
            scene.add("floor", Plane::new(Point::new(0.0, -0.2, 0.0), Vector::y()).unwrap()).unwrap(),
            scene.add("ball", Sphere::new(Point::new(0.2, 0.3, 0.0), 0.3).unwrap()).unwrap(),
            scene.add("probe", PointSet::new(grid_of_points()).unwrap()).unwrap(),
            scene.add("organ", organ).unwrap(),
        ];
        for other in others {
            if scene.add_pair(body, other, PairOptions::default()).is_err() {
                assert_eq!(scene.name(other).unwrap(), "floor", "{name}");
            }
        }
        let compared = record(&mut scene, 10, |scene, step| {
            scene.geometry_mut::<ImplicitBody>(body).unwrap().set_pose(pose(2, step)).unwrap();
        });
        assert!(compared["implicit"] >= 30, "{name}: {compared:?}");
    }
}

/// Sizes, cells and functions that change between steps.
// Proves: REQ-RECORD-ALL
#[test]
fn what_changes_between_steps_is_recorded() {
    let mut scene = Scene::standard();
    let ids = [
        scene.add("ball", Sphere::new(Point::new(0.0, 0.2, 0.0), 0.3).unwrap()).unwrap(),
        scene.add("probe", PointSet::new(grid_of_points()).unwrap()).unwrap(),
        scene.add("organ", organ(0.8, 5)).unwrap(),
        scene.add("flesh", block()).unwrap(),
        scene.add("solid", Cone::new(pose(1, 0), 0.5, 0.7).unwrap()).unwrap(),
        scene.add("body", ImplicitBody::new(pose(0, 0), functions()[1].1.clone()).unwrap()).unwrap(),
        scene.add("tool", tool()).unwrap(),
    ];
    let floor = scene.add("floor", Plane::new(Point::new(0.0, -0.1, 0.0), Vector::y()).unwrap()).unwrap();
    for id in ids {
        scene.add_pair(id, floor, PairOptions::default()).unwrap();
    }
    for pair in [[0, 1], [0, 2], [0, 3], [4, 2], [5, 0], [6, 2], [6, 0], [1, 2]] {
        scene.add_pair(ids[pair[0]], ids[pair[1]], PairOptions::default()).unwrap();
    }
    let compared = record(&mut scene, 12, |scene, step| {
        let ball = scene.geometry_mut::<Sphere>(ids[0]).unwrap();
        ball.set_radius(0.3 + 0.01 * step as f64).unwrap();
        let probe = scene.geometry_mut::<PointSet>(ids[1]).unwrap();
        probe.set_radius(0.001 * (step / 3) as f64).unwrap();
        match step {
            // A cut, by replacing the mesh: open, and declared closed later.
            4 | 7 => {
                let old = scene.geometry_as::<SurfaceMesh>(ids[2]).unwrap();
                let (points, triangles) = (old.points().positions().to_vec(), old.triangles().to_vec());
                let cut = SurfaceMesh::new(points, triangles[..triangles.len() - 3].to_vec()).unwrap();
                let cut = cut.with_closed(step == 7).with_sidedness(Sidedness::WindingNumber);
                *scene.geometry_mut::<SurfaceMesh>(ids[2]).unwrap() = cut;
            }
            // Compressed until cells invert; then rebuilt from the current vertices; then more cells are removed.
            2 => {
                let flesh = scene.geometry_mut::<TetraMesh>(ids[3]).unwrap();
                let mut points = flesh.points().positions().to_vec();
                points.iter_mut().take(4).for_each(|point| point.y = 0.9 - 2.0 * point.y);
                flesh.set_positions(&points).unwrap();
            }
            5 | 8 => {
                let old = scene.geometry_as::<TetraMesh>(ids[3]).unwrap();
                let (points, cells) = (old.points().positions().to_vec(), old.cells().to_vec());
                let kept = cells[..cells.len() - usize::from(step == 8)].to_vec();
                scene.replace(ids[3], Box::new(TetraMesh::new(points, kept).unwrap())).unwrap();
            }
            6 => {
                let hull = stubborn_hull(pose(1, 0)).with_radius(0.03).unwrap();
                scene.replace(ids[4], Box::new(hull)).unwrap();
            }
            9 => {
                let function = functions()[7].1.clone();
                *scene.geometry_mut::<ImplicitBody>(ids[5]).unwrap() =
                    ImplicitBody::new(pose(2, 3), function).unwrap().with_scale(0.9).unwrap();
                let tool = scene.geometry_mut::<Compound>(ids[6]).unwrap();
                *tool.child_mut::<Cone>(2).unwrap() = Cone::new(pose(2, 0), 0.3, 0.6).unwrap();
                let mesh = tool.child_mut::<SurfaceMesh>(4).unwrap();
                let (points, triangles) = (mesh.points().positions().to_vec(), mesh.triangles().to_vec());
                *mesh = SurfaceMesh::new(points, triangles[2..].to_vec()).unwrap();
            }
            _ => {}
        }
    });
    for (name, wanted) in [
        ("ball", 30),
        ("probe", 50),
        ("organ", 100),
        ("flesh", 15),
        ("solid", 20),
        ("body", 20),
        ("tool", 60),
    ] {
        assert!(compared[name] >= wanted, "{name}: {compared:?}");
    }
}

/// Two bodies of one kind and size are ordered by their coordinates when they are bound. The replay must keep the order
/// of the live run although it binds them at other coordinates.
#[test]
fn the_input_order_of_two_like_bodies_is_that_of_the_live_run() {
    let mut scene = Scene::standard();
    let rod = |x: f64| Capsule::new(pose(0, 1) * Pose::translation(x, 0.0, 0.0), 0.2, 0.7).unwrap();
    let tool = |x: f64| {
        let ball = Sphere::new(Point::new(x, 0.1, 0.3), 0.3).unwrap();
        Compound::default().with(ball).with(rod(x))
    };
    let ids = [
        scene.add("first", rod(-1.0)).unwrap(),
        scene.add("second", rod(1.0)).unwrap(),
        scene.add("third", tool(-2.0)).unwrap(),
        scene.add("fourth", tool(2.0)).unwrap(),
        scene.add("red", organ(0.5, 4)).unwrap(),
        scene.add("blue", organ(0.5, 4)).unwrap(),
    ];
    let shifted: Vec<Point> = organ(0.5, 4).points().positions().iter().map(|p| p + Vector::x()).collect();
    scene.geometry_mut::<SurfaceMesh>(ids[5]).unwrap().set_positions(&shifted).unwrap();
    scene.add_all_pairs().unwrap();
    scene.add_pair(ids[3], ids[3], PairOptions::default()).unwrap();
    let before: Vec<_> = scene.pairs().map(|pair| scene.pair(pair).unwrap().orders()).collect();
    // All bodies exchange sides before the recording starts.
    let sides = |scene: &mut Scene, step: usize| {
        let shift = 0.2 - 0.03 * step as f64;
        for (number, id) in ids.into_iter().enumerate() {
            let side = if number % 2 == 0 { shift } else { -shift };
            match number {
                0 | 1 => *scene.geometry_mut::<Capsule>(id).unwrap() = rod(side),
                2 | 3 => {
                    let tool = scene.geometry_mut::<Compound>(id).unwrap();
                    *tool.child_mut::<Capsule>(1).unwrap() = rod(side);
                    let ball = tool.child_mut::<Sphere>(0).unwrap();
                    ball.set_center(Point::new(side, 0.1, 0.3)).unwrap();
                }
                _ => {
                    let mesh = organ(0.5, 4);
                    let moved: Vec<Point> =
                        mesh.points().positions().iter().map(|p| p + Vector::x() * side).collect();
                    scene.geometry_mut::<SurfaceMesh>(id).unwrap().set_positions(&moved).unwrap();
                }
            }
        }
    };
    sides(&mut scene, 0);
    let mut anew = Scene::standard();
    anew.add("first", rod(0.2)).unwrap();
    anew.add("second", rod(-0.2)).unwrap();
    anew.add_all_pairs().unwrap();
    let order = anew.pair(anew.pairs().next().unwrap()).unwrap().orders();
    assert_ne!(order, before[0], "bound where the recording begins, the two are in the other order");
    let compared = record(&mut scene, 10, sides);
    assert!(compared["capsule"] >= 60 && compared["compound"] >= 100, "{compared:?}");
    assert!(compared["surface_mesh"] >= 60, "{compared:?}");
}

#[test]
fn detectors_settings_and_margins_are_recorded() {
    let mut scene = Scene::standard();
    let brick = OrientedBox::new(pose(0, 0), Vector::repeat(0.3)).unwrap();
    let brick = scene.add("brick", brick).unwrap();
    let organ = scene.add("organ", organ(0.8, 5)).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::new(0.6, 0.5, 0.1), 0.3).unwrap()).unwrap();
    let settings = json!({"manifold": false});
    let plain = scene.add_pair(brick, organ, PairOptions::default().with_margin(0.02)).unwrap();
    let chosen = PairOptions::default().with_settings(&settings).with_margin(0.1 + 0.2);
    let set = scene.add_pair(brick, organ, chosen).unwrap();
    let alias = PairOptions::default().with_detector("SurfaceMeshToSphereCD");
    scene.add_pair(organ, ball, alias).unwrap();
    scene.remove_pair(plain).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    scene.step().unwrap();
    recorder.record(&scene, 0.0).unwrap();
    recorder.finish().unwrap();
    let info = Reader::open(&path).unwrap().info().clone();
    assert_eq!(info.pairs.len(), 2);
    let all = info.pairs[0].settings.as_deref().unwrap();
    assert!(all.contains("\"manifold\":false") && all.contains("\"internal_edges\":\"as_given\""), "{all}");
    assert_eq!(
        (info.pairs[0].margin, info.pairs[0].detector.as_deref()),
        (0.1 + 0.2, Some("surface_mesh_convex"))
    );
    assert_eq!(info.pairs[1].detector.as_deref(), Some("SurfaceMeshToSphereCD"));
    let mut replay = Replay::open(&[&path], &ReplayOptions::default()).unwrap();
    replay.detect().unwrap();
    let live: Vec<Contact> = scene.all_contacts().map(|(_, contact)| *contact).collect();
    let again: Vec<Contact> = replay.scene().all_contacts().map(|(_, contact)| *contact).collect();
    assert!(live.len() > 3 && !scene.contacts(set).unwrap().contacts.is_empty(), "{}", live.len());
    assert!(live.len() == again.len() && live.iter().zip(&again).all(|(a, b)| a.same_bits(b)));
}

#[test]
fn a_recorder_that_is_dropped_leaves_what_it_has_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut scene = Scene::standard();
    scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    for step in 0..3 {
        recorder.record(&scene, f64::from(step)).unwrap();
    }
    assert_eq!(recorder.frame_count(), 3);
    drop(recorder);
    assert!(!path.exists());
    let reader = Reader::open(&path).unwrap();
    assert!(reader.is_unfinished());
    assert_eq!(reader.frame_count(), 3);
}

/// The error of starting a recording of a scene with one geometry.
fn refusal(geometry: impl Geometry) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::standard();
    scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    scene.add("mine", geometry).unwrap();
    Recorder::create(folder.path().join("session.h5"), &scene).err().unwrap().to_string()
}

/// A function that has no description, or describes itself as a ball.
struct Mine {
    ball: Option<Sphere>,
}

impl ImplicitFunction for Mine {
    fn sample(&self, point: &Point) -> Sample {
        let ball = self.ball.clone().unwrap_or_else(|| Sphere::new(Point::origin(), 1.0).unwrap());
        ImplicitFunction::sample(&ball, point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        Aabb::from_point(Point::origin()).grown(1.0 + level)
    }

    fn describe(&self) -> Option<palpate::geometry::implicit::Description<'_>> {
        self.ball.as_ref()?.describe()
    }
}

/// A user-defined geometry.
struct Foam;

impl Geometry for Foam {
    fn kind(&self) -> GeometryKind {
        GeometryKind::new("foam")
    }

    fn bounds(&self) -> Aabb {
        Aabb::EMPTY
    }

    fn version(&self) -> palpate::geometry::Version {
        palpate::geometry::Version::default()
    }
}

#[test]
fn geometries_that_cannot_be_described_are_named() {
    let silent: Arc<dyn ImplicitFunction> = Arc::new(Mine { ball: None });
    let body = |function| ImplicitBody::new(Pose::identity(), function).unwrap();
    let wanted = "geometry \"mine\": function: found a user-defined implicit function, wanted a built-in function, or \
                  one that implements `ImplicitFunction::describe`";
    assert_eq!(refusal(body(silent.clone())), wanted);
    let deep = Union::new(vec![functions()[0].1.clone(), silent.clone()]).unwrap();
    let deep = refusal(Compound::default().with(Foam).with(body(Arc::new(deep))));
    assert!(deep.starts_with("geometry \"mine[0]\": : found") || deep.contains("of kind foam"), "{deep}");
    assert!(refusal(Foam).contains("user-defined geometry of kind foam"), "{}", refusal(Foam));
    // A function that describes itself is recorded by its description.
    let telling = Mine { ball: Some(Sphere::new(Point::origin(), 1.0).unwrap()) };
    let mut scene = Scene::standard();
    let folder = tempfile::tempdir().unwrap();
    scene.add("mine", body(Arc::new(telling))).unwrap();
    assert!(Recorder::create(folder.path().join("session.h5"), &scene).is_ok());
}

#[test]
fn a_scene_that_changed_since_the_start_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut refuse = |change: &dyn Fn(&mut Scene, PairId), words: &str| {
        let mut scene = Scene::standard();
        let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
        let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap();
        scene.add("tool", tool()).unwrap();
        let pair = scene.add_pair(ball, floor, PairOptions::default()).unwrap();
        number += 1;
        let path = folder.path().join(format!("session{number}.h5"));
        let mut recorder = Recorder::create(&path, &scene).unwrap();
        recorder.record(&scene, 0.0).unwrap();
        change(&mut scene, pair);
        let message = recorder.record(&scene, 1.0).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        // The steps recorded before are intact.
        recorder.finish().unwrap();
        assert_eq!(Reader::open(&path).unwrap().frame_count(), 1);
    };
    let ball = |scene: &Scene| scene.id("ball").unwrap();
    let tool_id = |scene: &Scene| scene.id("tool").unwrap();
    refuse(
        &|scene, _| {
            scene.add("new", rope(3)).unwrap();
        },
        "geometry \"new\": found added, wanted absent, as at the start of the recording: start a new one",
    );
    refuse(
        &|scene, _| {
            let id = tool_id(scene);
            scene.geometry_mut::<Compound>(id).unwrap().remove_child(2);
        },
        "geometry \"tool[2]\": found removed, wanted present",
    );
    refuse(
        &|scene, _| {
            let id = tool_id(scene);
            scene.geometry_mut::<Compound>(id).unwrap().add_child(Box::new(rope(2)));
        },
        "geometry \"tool[5]\": found added, wanted absent",
    );
    refuse(
        &|scene, _| {
            scene.replace(ball(scene), Box::new(Capsule::new(pose(0, 0), 1.0, 1.0).unwrap())).unwrap()
        },
        "geometry \"ball\": found capsule, wanted sphere",
    );
    refuse(
        &|scene, pair| scene.remove_pair(pair).unwrap(),
        "the pairs of the scene: found no pair, wanted ball:floor",
    );
    refuse(
        &|scene, pair| scene.set_margin(pair, 0.5).unwrap(),
        "pair ball:floor, margin: found 0.5, wanted 0,",
    );
}

#[test]
fn what_changes_before_the_first_step_is_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut scene = Scene::standard();
    let thread = scene.add("thread", rope(5)).unwrap();
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    let points = rope(5).points().positions().to_vec();
    *scene.geometry_mut::<LineMesh>(thread).unwrap() = LineMesh::new(points, vec![[0, 1]]).unwrap();
    assert!(Recorder::create(&path, &scene).is_err(), "an unfinished recording is not overwritten");
    recorder.record(&scene, 0.0).unwrap();
    recorder.finish().unwrap();
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.info().objects[0].topology.indices(), [0, 1]);
    let mut recorder = Recorder::create(folder.path().join("other.h5"), &scene).unwrap();
    scene.add("more", rope(3)).unwrap();
    let message = recorder.record(&scene, 0.0).unwrap_err().to_string();
    assert!(message.contains("geometry \"more\": found added, wanted absent"), "{message}");
}

/// A recording with fewer bits and fewer steps is smaller, and its points are within what it states.
#[test]
fn points_are_kept_as_exactly_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let demo = [env!("CARGO_MANIFEST_DIR"), "../../data/demo.vtkhdf"].iter().collect::<std::path::PathBuf>();
    let mut replay = Replay::open(&[demo], &ReplayOptions::default()).unwrap();
    let mut record = |name: &str, precision: Precision, every: usize| {
        let path = folder.path().join(name);
        replay.load(0).unwrap();
        let options = RecorderOptions { precision, every, ..RecorderOptions::default() };
        let mut recorder = Recorder::create_as(&path, replay.scene(), options).unwrap();
        for frame in 0..30 {
            replay.load(frame).unwrap();
            recorder.record(replay.scene(), replay.time()).unwrap();
        }
        recorder.finish().unwrap();
        path
    };
    let exact = record("exact.h5", Precision::Exact, 1);
    let bytes = |path: &std::path::Path| std::fs::metadata(path).unwrap().len() as f64;
    let points = |path: &std::path::Path, number: usize| {
        let mut frame = palpate::recording::Frame::default();
        Reader::open(path).unwrap().read_frame(number, &mut frame).unwrap();
        let points = frame.states.iter().filter_map(|state| match state {
            State::Points(points) => Some(points.clone()),
            State::Primitive(_) => None,
        });
        points.flatten().collect::<Vec<_>>()
    };
    for (name, precision, every, error, share) in [
        ("near.h5", Precision::Within(1e-5), 1, 1e-5, 0.9),
        ("few.h5", Precision::Within(1e-5), 3, 1e-5, 0.6),
    ] {
        let path = record(name, precision, every);
        let part = bytes(&path) / bytes(&exact);
        assert!(part < share, "{name}: {part}");
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.frame_count(), 30_usize.div_ceil(every));
        assert!(reader.info().metadata.contains_key("precision"));
        let pairs = points(&exact, 27).into_iter().zip(points(&path, 27 / every));
        let distances: Vec<f64> = pairs.map(|(one, two)| (one - two).norm()).collect();
        let most = distances.iter().copied().fold(0.0, f64::max);
        assert!(most > 0.0 && most <= error && distances.len() > 1000, "{name}: {most}");
    }
    let third = Point::new(1.0 / 3.0, -2e-9, 1e5 / 7.0);
    let mut scene = Scene::standard();
    scene.add("points", PointSet::new(vec![third, Point::origin()]).unwrap()).unwrap();
    let path = folder.path().join("single.h5");
    let options = RecorderOptions { precision: Precision::Single, ..RecorderOptions::default() };
    let mut recorder = Recorder::create_as(&path, &scene, options).unwrap();
    recorder.record(&scene, 0.0).unwrap();
    recorder.finish().unwrap();
    assert_eq!(points(&path, 0)[0], third.map(|x| f64::from(x as f32)));
    let none = RecorderOptions { every: 0, ..RecorderOptions::default() };
    let refused = Recorder::create_as(folder.path().join("x.h5"), replay.scene(), none).err().unwrap();
    assert_eq!(refused.to_string(), "every: found 0, wanted 1 or more");
}

/// Quaternions whose length has drifted, minus zero, and a plane whose normal differs by rounding from that of its pose.
#[test]
fn states_keep_their_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut to = pose(1, 2);
    to.rotation = palpate::nalgebra::UnitQuaternion::new_unchecked(to.rotation.into_inner() * (1.0 + 1e-8));
    to.translation.vector.x = -0.0;
    let mut scene = Scene::standard();
    let rod = scene.add("rod", Capsule::new(to, 0.2, 0.7).unwrap()).unwrap();
    let normal = Vector::new(0.3, -0.2, 0.7);
    let floor = scene.add("floor", Plane::new(Point::new(0.0, -0.0, 1.0), normal).unwrap()).unwrap();
    scene.add_pair(rod, floor, PairOptions::default()).unwrap();
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    recorder.record(&scene, 0.0).unwrap();
    recorder.record(&scene, 0.5).unwrap();
    recorder.finish().unwrap();
    let mut replay = Replay::open(&[&path], &ReplayOptions::default()).unwrap();
    for frame in [0, 1, 0] {
        replay.load(frame).unwrap();
        let bits = |scene: &Scene, name: &str| -> Vec<u64> {
            scene.geometry(scene.id(name).unwrap()).unwrap().content().into_iter().map(f64::to_bits).collect()
        };
        assert_eq!(bits(replay.scene(), "rod"), bits(&scene, "rod"));
        assert_eq!(bits(replay.scene(), "floor"), bits(&scene, "floor"));
        let normal = |scene: &Scene| scene.geometry_as::<Plane>(scene.id("floor").unwrap()).unwrap().normal();
        assert_eq!(normal(replay.scene()), normal(&scene));
    }
    let mut frame = palpate::recording::Frame::default();
    Reader::open(&path).unwrap().read_frame(0, &mut frame).unwrap();
    assert!(matches!(&frame.states[0], State::Primitive(row) if row.position.x.is_sign_negative()));
}
