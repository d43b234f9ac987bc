//! Meshes that are cut during a recording, and before it: a replay has the numbers of their cells, and so the same contacts.

use crate::record::live_run::LiveRun;
use crate::record::{block, organ, rope};
use palpate::contact::NONE;
use palpate::geometry::TypedGeometry;
use palpate::prelude::*;
use palpate::recording::{Reader, Topology};
use palpate::replay::{Replay, ReplayOptions};
use palpate::serde_json::{Value, from_str, json};

/// A mesh that is cut: by what is removed, divided and added in a step. The numbers are those of cells, modulo how many there are.
macro_rules! cut {
    ($scene:expr, $id:expr, $type:ty, $cells:ident, $step:expr) => {{
        let mesh = $scene.geometry_mut::<$type>($id).unwrap();
        let count = mesh.$cells().len();
        let present = |from: usize| {
            let numbers = (0..count).map(|k| ((from + k) % count) as u32);
            numbers.clone().find(|&cell| !mesh.is_removed(cell)).unwrap()
        };
        let (chosen, last) = (present(7 * $step), present(count - 1));
        let ids = |cell: u32| mesh.$cells()[cell as usize];
        match $step % 4 {
            1 => mesh.remove_cells(&[chosen]).unwrap(),
            2 => {
                let corners = ids(chosen).map(|id| mesh.points().positions()[id as usize].coords);
                let middle = Point::from(corners.iter().sum::<Vector>() / corners.len() as f64);
                mesh.split_cell(chosen, &middle).unwrap();
            }
            // Removed and added again: the cells are the same, in the same order, but the last has another number.
            3 => drop(mesh.replace_cells(&[last], &[], &[ids(last)]).unwrap()),
            _ => {
                let (cell, [first, ..]) = (ids(chosen), ids(chosen));
                let more = mesh.points().positions()[first as usize] + Vector::new(0.05, 0.04, 0.03);
                let mut new = cell;
                new[0] = mesh.points().len() as u32;
                mesh.replace_cells(&[chosen], &[more], &[new]).unwrap();
            }
        }
    }};
}

/// A thread, a surface and a volume, a compound with a surface, and what they touch.
fn scene() -> (Scene, [GeometryId; 4]) {
    let mut scene = Scene::standard();
    let ids = [
        scene.add("thread", rope(9).with_radius(0.05).unwrap()).unwrap(),
        scene.add("organ", organ(0.8, 5)).unwrap(),
        scene.add("flesh", block()).unwrap(),
        scene.add("tool", Compound::default().with(organ(0.6, 4))).unwrap(),
    ];
    let probes = [
        scene.add("ball", Sphere::new(Point::new(0.1, 0.1, 0.1), 0.7).unwrap()).unwrap(),
        scene.add("floor", Plane::new(Point::new(0.0, 0.1, 0.0), Vector::y()).unwrap()).unwrap(),
    ];
    for (number, &id) in ids.iter().enumerate() {
        for &other in probes.iter().chain(&ids[..number]) {
            scene.add_pair(id, other, PairOptions::default()).unwrap();
        }
    }
    (scene, ids)
}

/// Cuts every mesh, and moves them a little.
fn cut_all(scene: &mut Scene, ids: [GeometryId; 4], step: usize) {
    cut!(scene, ids[0], LineMesh, cells, step);
    cut!(scene, ids[1], SurfaceMesh, triangles, step);
    cut!(scene, ids[2], TetraMesh, cells, step);
    let tool = scene.geometry_mut::<Compound>(ids[3]).unwrap();
    let mesh = tool.child_mut::<SurfaceMesh>(0).unwrap();
    mesh.remove_cells(&[step as u32]).unwrap();
    for id in &ids[..3] {
        let geometry = scene.geometry_dyn_mut(*id).unwrap();
        let mut points = geometry.as_points().unwrap().positions().to_vec();
        points.iter_mut().for_each(|point| point.y += 0.01 * (point.x + step as f64).sin());
        geometry.set_positions(&points).unwrap();
    }
}

/// The number of contacts with a cell whose number a compacted mesh would not have. No contact names a removed cell.
fn contacts_numbered_on(scene: &Scene) -> usize {
    let mut found = 0;
    for (pair, contact) in scene.all_contacts() {
        let pair = scene.pair(pair).unwrap();
        for (id, cell) in [(pair.a(), contact.a.cell), (pair.b(), contact.b.cell)] {
            let (removed, count) = match TypedGeometry::of(scene.geometry(id).unwrap()) {
                TypedGeometry::LineMesh(mesh) => (mesh.removed_cells(), mesh.cells().len()),
                TypedGeometry::SurfaceMesh(mesh) => (mesh.removed_cells(), mesh.triangles().len()),
                TypedGeometry::TetraMesh(mesh) => (mesh.removed_cells(), mesh.cells().len()),
                _ => continue,
            };
            assert!(!removed.contains(&cell));
            found += usize::from(cell != NONE && cell as usize >= count - removed.len());
        }
    }
    found
}

// Proves: REQ-RECORD-ALL
#[test]
fn cut_meshes_replay_to_the_same_bits() {
    for is_cut_before in [false, true] {
        let (mut scene, ids) = scene();
        if is_cut_before {
            (1..4).for_each(|step| cut_all(&mut scene, ids, step));
        }
        let mut run = LiveRun::of(&scene);
        let mut numbered_on = 0;
        for step in 0..9 {
            if step > 0 {
                scene.advance();
                cut_all(&mut scene, ids, 4 + step);
            }
            scene.step().unwrap();
            run.record(&scene);
            numbered_on += contacts_numbered_on(&scene);
        }
        assert!(numbered_on > 30, "{numbered_on}");
        let compared = run.compare_replay_and_compact();
        for (name, wanted) in [("thread", 60), ("organ", 200), ("flesh", 100), ("tool", 200)] {
            assert!(compared[name] >= wanted, "{name}: {compared:?}");
        }
    }
}

/// What stands in the file: the cells that are left, and beside them the numbers of the others.
#[test]
fn a_cut_mesh_is_recorded_as_what_is_left_and_the_numbers_of_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let mut scene = Scene::standard();
    let id = scene.add("thread", rope(5)).unwrap();
    scene.add("ball", Sphere::new(Point::origin(), 0.5).unwrap()).unwrap();
    scene.geometry_mut::<LineMesh>(id).unwrap().remove_cells(&[2]).unwrap();
    let mut recorder = Recorder::create(&path, &scene).unwrap();
    recorder.record(&scene, 0.0).unwrap();
    scene.geometry_mut::<LineMesh>(id).unwrap().replace_cells(&[3], &[], &[[3, 4]]).unwrap();
    recorder.record(&scene, 1.0).unwrap();
    scene.geometry_mut::<LineMesh>(id).unwrap().compact();
    recorder.record(&scene, 2.0).unwrap();
    recorder.finish().unwrap();
    let mut reader = Reader::open(&path).unwrap();
    for (frame, removed) in [(0, json!([2])), (1, json!([2, 3])), (2, Value::Null)] {
        let Topology::Lines(cells) = reader.topology(0, frame).unwrap() else { panic!("no lines") };
        assert_eq!(cells, [[0, 1], [1, 2], [3, 4]]);
        let shape: Value = from_str(reader.shape(0, frame).unwrap().unwrap()).unwrap();
        assert_eq!(shape["removed"], removed, "frame {frame}");
    }
    assert_eq!(reader.topology_since(0, 2).unwrap(), 0, "the cells are stored once");
    let replay = Replay::open_undetected(&[&path], &ReplayOptions::default()).unwrap();
    let id = replay.scene().id("thread").unwrap();
    let thread = replay.scene().geometry_as::<LineMesh>(id).unwrap();
    assert_eq!(thread.cells(), [[0, 1], [1, 2], [NONE; 2], [3, 4]]);
}

/// A description of a cut mesh makes it again; wrong numbers are named.
#[test]
fn a_description_has_the_numbers_of_removed_cells() {
    let mut flesh = block();
    flesh.remove_cells(&[3, 8]).unwrap();
    let mut text = palpate::describe::to_json(&flesh).unwrap();
    assert_eq!(text["removed"], json!([3, 8]));
    let again = palpate::describe::from_json(&text).unwrap();
    assert_eq!(palpate::describe::to_json(again.as_ref()).unwrap(), text);
    for (removed, wanted) in [
        (json!([3, 3]), "cell 3 is named twice: wanted cells of the 15 in the mesh"),
        (json!([3, 15]), "cell 15 is not in the mesh: wanted cells of the 15 in the mesh"),
        (json!([-1]), "removed[0]: found -1, wanted whole numbers from 0 to 4294967294"),
    ] {
        text["removed"] = removed;
        let error = palpate::describe::from_json(&text).err().unwrap().to_string();
        assert!(error.contains(wanted), "{error}");
    }
}
