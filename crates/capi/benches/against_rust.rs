//! The same work through C and through Rust, in turns: `cargo bench -p palpate-capi`.
//!
//! The scene is that of the demo recording: organ, tool and thread, moved frame by frame. Each figure is the median of the
//! rounds' ratios. Allocations are counted over all frames once they have been stepped before.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use palpate::describe::{from_json, to_json};
use palpate::geometry::{Pose, SurfaceMesh};
use palpate::math::Point;
use palpate::replay::{Replay, ReplayOptions};
use palpate::scene::{GeometryId, Groups, PairId, PairOptions, Scene};
use palpate::serde_json::Value;
use palpate_capi::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::time::Instant;

const ROUNDS: usize = 41;

/// The demo: names, geometries and pairs as JSON, and the vertices of every frame.
struct Demo {
    objects: Vec<(String, Value)>,
    pairs: Vec<(usize, usize, f64)>,
    /// By frame and object.
    frames: Vec<Vec<Moved>>,
}

/// Where an object is in a frame.
enum Moved {
    Vertices(Vec<Point>),
    Pose(Pose),
}

impl Demo {
    fn read() -> Self {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.vtkhdf");
        let mut replay = Replay::open(&[file], &ReplayOptions::default()).unwrap();
        let mut frames = Vec::new();
        for frame in 0..replay.frame_count() {
            replay.load(frame).unwrap();
            let scene = replay.scene();
            let moved = |id| match scene.geometry(id).unwrap().as_points() {
                Some(points) => Moved::Vertices(points.positions().to_vec()),
                None => Moved::Pose(scene.pose(id).unwrap()),
            };
            frames.push(scene.geometries().map(moved).collect());
        }
        replay.load(0).unwrap();
        let scene = replay.scene();
        let object = |id| (scene.name(id).unwrap().to_owned(), to_json(scene.geometry(id).unwrap()).unwrap());
        let pair = |id: PairId| {
            let pair = scene.pair(id).unwrap();
            (pair.a().index(), pair.b().index(), pair.margin())
        };
        let (objects, pairs) = (scene.geometries().map(object).collect(), scene.pairs().map(pair).collect());
        Self { objects, pairs, frames }
    }
}

struct OfRust {
    scene: Scene,
    ids: Vec<GeometryId>,
}

impl OfRust {
    fn new(demo: &Demo) -> Self {
        let mut scene = Scene::standard();
        let add = |(name, json): &(String, Value)| {
            scene.add_boxed(name, from_json(json).unwrap(), Groups::default()).unwrap()
        };
        let ids: Vec<GeometryId> = demo.objects.iter().map(add).collect();
        for &(a, b, margin) in &demo.pairs {
            scene.add_pair(ids[a], ids[b], PairOptions::default().with_margin(margin)).unwrap();
        }
        Self { scene, ids }
    }

    fn frame(&mut self, objects: &[Moved]) -> usize {
        for (&id, moved) in self.ids.iter().zip(objects) {
            match moved {
                Moved::Vertices(points) => self.scene.set_positions(id, points).unwrap(),
                Moved::Pose(pose) => self.scene.set_pose(id, *pose).unwrap(),
            }
        }
        self.scene.step().unwrap().contacts
    }
}

struct OfC {
    scene: *mut palpate_scene,
    ids: Vec<palpate_geometry_id>,
}

fn ok(status: palpate_status) {
    assert_eq!(status, PALPATE_OK);
}

fn points<T>(values: &[T], scalar: u32) -> palpate_points {
    palpate_points {
        data: values.as_ptr().cast(),
        count: values.len(),
        stride: 0,
        scalar,
        mirror: 0,
        unit: 1.0,
    }
}

impl OfC {
    fn new(demo: &Demo) -> Self {
        let mut own = Self { scene: null_mut(), ids: Vec::new() };
        // SAFETY: all pointers are of living values.
        unsafe {
            ok(palpate_scene_new(null(), &mut own.scene));
            for (name, json) in &demo.objects {
                let [name, json] = [name.clone(), json.to_string()].map(|text| CString::new(text).unwrap());
                let (mut made, mut id) = (null_mut(), 0);
                ok(palpate_geometry_json(json.as_ptr(), null(), &mut made));
                ok(palpate_scene_add(own.scene, name.as_ptr(), made, null(), &mut id));
                own.ids.push(id);
            }
            for &(a, b, margin) in &demo.pairs {
                let (mut pair, options) = (0, palpate_pair_options { margin, ..Default::default() });
                ok(palpate_scene_add_pair(own.scene, own.ids[a], own.ids[b], &options, &mut pair));
            }
        }
        own
    }

    /// Moves, steps, and asks for all contacts, as a host does.
    fn frame(&mut self, objects: &[Moved]) -> usize {
        let (mut report, mut views, mut count) = (palpate_step_report::default(), null(), 0);
        // SAFETY: all pointers are of living values; a point is three `double`.
        unsafe {
            for (&id, moved) in self.ids.iter().zip(objects) {
                ok(match moved {
                    Moved::Vertices(list) => {
                        palpate_scene_set_vertices(self.scene, id, &points(list, PALPATE_F64))
                    }
                    Moved::Pose(pose) => {
                        let q = pose.rotation.coords;
                        let position = pose.translation.vector.into();
                        let pose = palpate_pose { position, rotation: [q.w, q.x, q.y, q.z] };
                        palpate_scene_set_pose(self.scene, id, &pose)
                    }
                });
            }
            ok(palpate_scene_step(self.scene, &mut report));
            ok(palpate_scene_active_pairs(self.scene, &mut views, &mut count));
        }
        report.contacts
    }
}

impl Drop for OfC {
    fn drop(&mut self) {
        // SAFETY: freed once.
        ok(unsafe { palpate_scene_free(self.scene) });
    }
}

/// The median ratio of the times of two jobs that are done in turns, and the median time of the second in microseconds.
fn ratio(mut first: impl FnMut(), mut second: impl FnMut()) -> (f64, f64) {
    let timed = |job: &mut dyn FnMut()| {
        let start = Instant::now();
        job();
        start.elapsed().as_secs_f64()
    };
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // Each is first in every second round.
        let (a, b) = if round % 2 == 0 {
            let a = timed(&mut first);
            (a, timed(&mut second))
        } else {
            let b = timed(&mut second);
            (timed(&mut first), b)
        };
        ratios.push(a / b);
        times.push(b);
    }
    ratios.sort_by(f64::total_cmp);
    times.sort_by(f64::total_cmp);
    (ratios[ROUNDS / 2], 1e6 * times[ROUNDS / 2])
}

/// A sheet of some 80,000 vertices.
fn sheet(phase: f64) -> Vec<Point> {
    let at = |k: usize| (k % 283, k / 283);
    let point = |k| {
        let (i, j) = at(k);
        Point::new(i as f64 * 1e-3, 1e-3 * (0.1 * i as f64 + phase).sin(), j as f64 * 1e-3)
    };
    (0..283 * 283).map(point).collect()
}

fn updates() {
    let triangles = (0..282_u32).flat_map(|j| (0..282).map(move |i| (i, j)));
    let triangles = triangles.map(|(i, j)| [j * 283 + i, (j + 1) * 283 + i, j * 283 + i + 1]).collect();
    let mesh = SurfaceMesh::new(sheet(0.0), triangles).unwrap();
    let mut scene = Scene::standard();
    let id = scene.add("sheet", mesh.clone()).unwrap();
    let json = CString::new(to_json(&mesh).unwrap().to_string()).unwrap();
    let (mut own, mut made, mut own_id) = (null_mut(), null_mut(), 0);
    // SAFETY: all pointers are of living values.
    unsafe {
        ok(palpate_scene_new(null(), &mut own));
        ok(palpate_geometry_json(json.as_ptr(), null(), &mut made));
        ok(palpate_scene_add(own, c"sheet".as_ptr(), made, null(), &mut own_id));
    }
    let places = [sheet(0.1), sheet(0.2)];
    let single: Vec<[f32; 3]> = places[0].iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect();
    let rust = |scene: &mut Scene| (0..20).for_each(|k| scene.set_positions(id, &places[k % 2]).unwrap());
    let double = || {
        for k in 0..20 {
            // SAFETY: all pointers are of living values.
            ok(unsafe { palpate_scene_set_vertices(own, own_id, &points(&places[k % 2], PALPATE_F64)) });
        }
    };
    let (f64_ratio, time) = ratio(double, || rust(&mut scene));
    let float = || {
        for _ in 0..20 {
            // SAFETY: all pointers are of living values.
            ok(unsafe { palpate_scene_set_vertices(own, own_id, &points(&single, PALPATE_F32)) });
        }
    };
    let (f32_ratio, _) = ratio(float, || rust(&mut scene));
    println!("update of {} vertices, Rust          {:>9.1} us", places[0].len(), time / 20.0);
    println!("update from double, C / Rust             {f64_ratio:>7.3}   (bar 1.05)");
    println!("update from float, C / Rust from double  {f32_ratio:>7.3}   (bar 1.3)");
    // SAFETY: freed once.
    ok(unsafe { palpate_scene_free(own) });
}

fn main() {
    let demo = Demo::read();
    let (mut rust, mut c) = (OfRust::new(&demo), OfC::new(&demo));
    let mut contacts = [0, 0];
    for frame in demo.frames.iter().chain(&demo.frames) {
        let found = [rust.frame(frame), c.frame(frame)];
        assert_eq!(found[0], found[1]);
        contacts = [contacts[0] + found[0], contacts[1] + found[1]];
    }
    let allocations = allocation_counter::measure(|| {
        for frame in &demo.frames {
            c.frame(frame);
        }
    });
    let all_of_c =
        || assert_eq!(demo.frames.iter().map(|frame| c.frame(frame)).sum::<usize>(), contacts[1] / 2);
    let all_of_rust =
        || assert_eq!(demo.frames.iter().map(|frame| rust.frame(frame)).sum::<usize>(), contacts[0] / 2);
    let (step, time) = ratio(all_of_c, all_of_rust);
    println!("demo: {} frames, {} contacts in all", demo.frames.len(), contacts[0] / 2);
    println!("step of the demo, Rust                 {:>9.1} us", time / demo.frames.len() as f64);
    println!("step of the demo, C / Rust               {step:>7.3}   (bar 1.03)");
    println!(
        "allocations of {} settled steps in C   {:>7}   (bar 0)",
        demo.frames.len(),
        allocations.count_total
    );
    updates();
}
