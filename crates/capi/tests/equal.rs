//! Rows, queries, haptics and recordings through C are those of Rust, bit for bit.
#![allow(clippy::unwrap_used)]

use palpate::geometry::pick::{Ray, first_hit, nearest_cell};
use palpate::geometry::{Geometry, Needs, Plane, Pose, Sphere, SurfaceMesh, signed_distance};
use palpate::haptics::{Coupling, CouplingOptions, Proxy, ProxyOptions};
use palpate::math::{Point, Vector};
use palpate::response::{Material, pbd, rigid};
use palpate::scene::{GeometryId, Groups, PairOptions, Scene};
use palpate_capi::*;
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

#[track_caller]
fn ok(status: palpate_status) {
    // SAFETY: never null, and it ends with a zero byte.
    let text = unsafe { CStr::from_ptr(palpate_last_error()) };
    assert_eq!(status, PALPATE_OK, "{text:?}");
}

/// The bytes of plain data.
fn bytes<T: Copy>(value: &T) -> Vec<u8> {
    // SAFETY: the types that are compared have no padding.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast::<u8>(), size_of::<T>()) }.to_vec()
}

/// A sheet of `n` × `n` vertices, 1 cm apart.
fn sheet(n: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
    let point =
        |k: usize| Point::new(0.01 * (k % n) as f64, 0.002 * (0.9 * k as f64).sin(), 0.01 * (k / n) as f64);
    let corner = |i: usize, j: usize| (j * n + i) as u32;
    let cell = |k: usize| {
        let (i, j) = (k % (n - 1), k / (n - 1));
        let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j), corner(i + 1, j + 1)];
        [[a, b, c], [c, b, d]]
    };
    ((0..n * n).map(point).collect(), (0..(n - 1) * (n - 1)).flat_map(cell).collect())
}

/// A ball, a floor and a sheet, in Rust and in C, with the same pairs.
struct Both {
    rust: Scene,
    ids: Vec<GeometryId>,
    c: *mut palpate_scene,
    own: Vec<palpate_geometry_id>,
}

const MARGIN: f64 = 0.004;

impl Both {
    fn new() -> Self {
        let (points, cells) = sheet(7);
        let ball = Sphere::new(Point::new(0.031, 0.009, 0.029), 0.01).unwrap();
        let geometries: [(&str, Box<dyn Geometry>); 3] = [
            ("ball", Box::new(ball)),
            ("floor", Box::new(Plane::new(Point::new(0.0, -0.001, 0.0), Vector::y()).unwrap())),
            ("sheet", Box::new(SurfaceMesh::new(points, cells).unwrap())),
        ];
        let mut both = Self { rust: Scene::standard(), ids: Vec::new(), c: null_mut(), own: Vec::new() };
        // SAFETY: all pointers are of living values.
        unsafe {
            ok(palpate_scene_new(null(), &mut both.c));
            for (name, geometry) in geometries {
                let json = CString::new(palpate::describe::to_json(&*geometry).unwrap().to_string()).unwrap();
                let (name_of_c, mut made, mut id) = (CString::new(name).unwrap(), null_mut(), 0);
                ok(palpate_geometry_json(json.as_ptr(), null(), &mut made));
                ok(palpate_scene_add(both.c, name_of_c.as_ptr(), made, null(), &mut id));
                both.own.push(id);
                both.ids.push(both.rust.add_boxed(name, geometry, Default::default()).unwrap());
            }
            for (a, b) in [(0, 1), (0, 2), (2, 1)] {
                let options = palpate_pair_options { margin: MARGIN, ..Default::default() };
                ok(palpate_scene_add_pair(both.c, both.own[a], both.own[b], &options, &mut 0));
                let options = PairOptions::default().with_margin(MARGIN);
                both.rust.add_pair(both.ids[a], both.ids[b], options).unwrap();
            }
        }
        both.step(0.0);
        both
    }

    /// Moves the ball and steps both.
    fn step(&mut self, y: f64) -> usize {
        let pose = Pose::translation(0.031, 0.009 + y, 0.029);
        self.rust.set_pose(self.ids[0], pose).unwrap();
        let mut report = palpate_step_report::default();
        // SAFETY: all pointers are of living values.
        unsafe {
            let pose =
                palpate_pose { position: pose.translation.vector.into(), rotation: [1.0, 0.0, 0.0, 0.0] };
            ok(palpate_scene_set_pose(self.c, self.own[0], &pose));
            ok(palpate_scene_step(self.c, &mut report));
        }
        assert_eq!(self.rust.step().unwrap().contacts, report.contacts);
        report.contacts
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // SAFETY: freed once.
        unsafe { palpate_scene_free(self.c) };
    }
}

fn body(geometry: palpate_geometry_id, kind: u32, index: u32) -> palpate_body {
    let zero = [0.0; 3];
    palpate_body { geometry, kind, index, center: zero, velocity: zero, spin: zero, mapping: null() }
}

#[test]
fn rows_of_pbd_move_particles_and_bodies_as_in_rust() {
    let mut both = Both::new();
    let (points, _) = sheet(7);
    let material = Material { compliance: 1e-6, ..Material::with_friction(0.3) };
    let material_of_c = palpate_material { friction: 0.3, compliance: 1e-6, ..palpate_material_default() };
    let pose = Pose::translation(0.031, 0.009, 0.029);
    let mut rows = pbd::Rows::new(0.01);
    let mut own = null_mut();
    // SAFETY: all pointers are of living values.
    ok(unsafe { palpate_pbd_new(0.01, &mut own) });
    let mut compared = 0;
    for step in 0..4 {
        both.step(-0.0005 * f64::from(step));
        let [mut particles, mut particles_of_c] = [points.clone(), points.clone()];
        let masses = vec![20.0; points.len()];
        let mut bodies = [pbd::RigidBody::new(pose, 5.0, Vector::repeat(900.0))];
        let sides = [pbd::Body::Rigid(0), pbd::Body::Static, pbd::Body::Particles(0)];
        let positions = pbd::Positions { particles: &particles, bodies: &bodies };
        let side = |id: GeometryId| sides[id.index()];
        rows.gather(both.rust.pairs_in_contact(), positions, side, |_| material).unwrap();
        let mut state = pbd::State {
            particles: &mut particles,
            previous: &points,
            inverse_masses: &masses,
            bodies: &mut bodies,
        };
        rows.warm_start(&mut state, 0.5);
        for _ in 0..5 {
            rows.iter_mut().for_each(|row| row.project_in(&mut state));
        }
        let pose_of_c =
            palpate_pose { position: pose.translation.vector.into(), rotation: [1.0, 0.0, 0.0, 0.0] };
        let mut bodies_of_c = [palpate_rigid_body {
            pose: pose_of_c,
            previous: pose_of_c,
            inverse_mass: 5.0,
            inverse_inertia: [900.0; 3],
        }];
        let state = palpate_pbd_state {
            particle_count: points.len(),
            body_count: 1,
            particles: particles_of_c.as_mut_ptr().cast(),
            previous: points.as_ptr().cast(),
            inverse_masses: masses.as_ptr(),
            bodies: bodies_of_c.as_mut_ptr(),
            ..palpate_pbd_state_default()
        };
        let given = [body(both.own[0], PALPATE_BODY_RIGID, 0), body(both.own[2], PALPATE_BODY_PARTICLES, 0)];
        // SAFETY: all pointers are of living values.
        let (count, entry_count) = unsafe {
            ok(palpate_pbd_gather(own, both.c, &state, given.as_ptr(), 2, &material_of_c, 1));
            ok(palpate_pbd_warm_start(own, &state, 0.5));
            ok(palpate_pbd_project(own, &state, 5));
            let (mut count, mut entries) = (0, 0);
            let asked = palpate_pbd_rows(own, &state, null_mut(), 0, &mut count, null_mut(), 0, &mut entries);
            assert_eq!(asked, PALPATE_BUFFER_TOO_SMALL);
            (count, entries)
        };
        assert_eq!(particles, particles_of_c);
        assert_eq!(bodies_of_c[0].pose.position, <[f64; 3]>::from(bodies[0].pose.translation.vector));
        assert_eq!(count, rows.len());
        let (mut list, mut entries) = (Vec::with_capacity(count), Vec::with_capacity(entry_count));
        // SAFETY: the lists have room for so many, which are written.
        unsafe {
            let (mut a, mut b) = (0, 0);
            let (to, to_entries) = (list.as_mut_ptr(), entries.as_mut_ptr());
            ok(palpate_pbd_rows(own, &state, to, count, &mut a, to_entries, entry_count, &mut b));
            list.set_len(a);
            entries.set_len(b);
        }
        let positions = pbd::Positions { particles: &particles, bodies: &bodies };
        for (row, wanted) in list.iter().zip(rows.iter()) {
            let row: &palpate_pbd_row = row;
            assert_eq!(row.gap.to_bits(), wanted.gap(positions).to_bits());
            assert_eq!((row.id, row.multipliers), (wanted.key().contact.id, wanted.multipliers()));
            let range = row.first_entry as usize..(row.first_entry + row.entry_count) as usize;
            let own: Vec<_> =
                entries[range].iter().map(|e: &palpate_pbd_entry| (e.particle, e.weight)).collect();
            assert_eq!(own, wanted.entries().iter().map(|e| (e.particle, e.weight)).collect::<Vec<_>>());
            assert_eq!(row.bodies[0] == 0, wanted.body_gradients(&bodies).next().is_some());
            assert!(row.pair != 0);
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
    // SAFETY: freed once.
    ok(unsafe { palpate_pbd_free(own) });
}

#[test]
fn rows_of_rigid_bodies_solve_as_in_rust() {
    let mut both = Both::new();
    let mut rows = rigid::Rows::new(rigid::Settings { slop: 1e-4, ..rigid::Settings::new(0.005) });
    let settings = palpate_rigid_settings { step: 0.005, slop: 1e-4, ..palpate_rigid_settings_default() };
    let (mut own, mut compared) = (null_mut(), 0);
    // SAFETY: all pointers are of living values.
    ok(unsafe { palpate_rigid_new(&settings, &mut own) });
    for step in 0..4 {
        both.step(-0.001 * f64::from(step));
        let pose = both.rust.pose(both.ids[0]).unwrap();
        let masses = [rigid::Mass::new(&pose, 2.0, &Vector::repeat(300.0))];
        let mut velocities = [rigid::Velocity { linear: Vector::new(0.1, -1.0, 0.0), angular: Vector::x() }];
        let side =
            |id: GeometryId| [rigid::Body::Dynamic(0), rigid::Body::Static, rigid::Body::Static][id.index()];
        let material = |_: &&palpate::scene::Pair| Material::with_friction(0.4);
        rows.gather(both.rust.pairs_in_contact(), &masses, &velocities, side, material).unwrap();
        let mut velocities_of_c = [palpate_velocity { linear: [0.1, -1.0, 0.0], angular: [1.0, 0.0, 0.0] }];
        let mass = palpate_mass {
            center: pose.translation.vector.into(),
            inverse: 2.0,
            inverse_inertia: [[300.0, 0.0, 0.0], [0.0, 300.0, 0.0], [0.0, 0.0, 300.0]],
        };
        let (given, material) = (
            body(both.own[0], PALPATE_BODY_RIGID, 0),
            palpate_material { friction: 0.4, ..palpate_material_default() },
        );
        rows.warm_start(&mut velocities, 1.0);
        for _ in 0..8 {
            rows.iter_mut().for_each(|row| row.solve(&mut velocities));
        }
        let mut list: Vec<palpate_rigid_row> = Vec::with_capacity(rows.len());
        // SAFETY: all pointers are of living values; so many rows are written.
        unsafe {
            let now = velocities_of_c.as_mut_ptr();
            ok(palpate_rigid_gather(own, both.c, &mass, now, 1, &given, 1, &material, 1));
            ok(palpate_rigid_warm_start(own, now, 1, 1.0));
            ok(palpate_rigid_solve(own, now, 1, 8));
            let mut count = 0;
            ok(palpate_rigid_rows(own, list.as_mut_ptr(), rows.len(), &mut count));
            list.set_len(count);
        }
        assert_eq!(velocities_of_c[0].linear, <[f64; 3]>::from(velocities[0].linear));
        assert_eq!(velocities_of_c[0].angular, <[f64; 3]>::from(velocities[0].angular));
        assert_eq!(list.len(), rows.len());
        for (row, wanted) in list.iter().zip(rows.iter()) {
            let [[linear, angular], _] = wanted.jacobian(1);
            assert_eq!(row.jacobian[1][0], [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]);
            assert_eq!((row.impulses, row.gap), (wanted.impulses(), wanted.gap()));
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
    // SAFETY: freed once.
    ok(unsafe { palpate_rigid_free(own) });
}

#[test]
fn queries_are_those_of_rust() {
    let mut both = Both::new();
    for &id in &both.ids {
        let geometry = both.rust.geometry_dyn_mut(id).unwrap();
        geometry.prepare(Needs::TREE | Needs::NORMALS);
    }
    let (ball, sheet) = (both.rust.geometry(both.ids[0]).unwrap(), both.rust.geometry(both.ids[2]).unwrap());
    let points: Vec<Point> =
        (0..50).map(|k| Point::new(0.0013 * f64::from(k), 0.01 - 0.0004 * f64::from(k), 0.03)).collect();
    let mut distances: Vec<palpate_distance> = Vec::with_capacity(50);
    let mut nearest: Vec<palpate_nearest> = Vec::with_capacity(50);
    let mut hits: Vec<palpate_hit> = Vec::with_capacity(50);
    let down = Vector::new(0.1, -1.0, 0.05);
    let above = |point: &Point| point + Vector::y() * 0.05;
    let rays: Vec<palpate_ray> = points
        .iter()
        .map(|p| palpate_ray { origin: above(p).into(), direction: down.into(), length: f64::INFINITY })
        .collect();
    // SAFETY: all pointers are of living values; all results are written.
    unsafe {
        let from = points.as_ptr().cast();
        ok(palpate_scene_signed_distances(both.c, both.own[0], from, 50, distances.as_mut_ptr()));
        distances.set_len(50);
        ok(palpate_scene_nearest(both.c, both.own[2], 0, from, 50, nearest.as_mut_ptr()));
        nearest.set_len(50);
        ok(palpate_scene_cast_rays(both.c, both.own[2], rays.as_ptr(), 50, hits.as_mut_ptr()));
        hits.set_len(50);
        let status = palpate_scene_signed_distances(both.c, both.own[2], from, 50, distances.as_mut_ptr());
        assert_eq!(status, PALPATE_UNSUPPORTED, "a sheet has no inside");
    }
    let mut hit = 0;
    for (k, point) in points.iter().enumerate() {
        let wanted = signed_distance(ball, point).unwrap().signed;
        assert_eq!((distances[k].distance, distances[k].gradient), (wanted.distance, wanted.gradient.into()));
        let wanted = nearest_cell(sheet, point).unwrap();
        assert_eq!(nearest[k].distance, wanted.distance);
        assert_eq!(
            (nearest[k].feature.cell, nearest[k].feature.point),
            (wanted.feature.cell, wanted.feature.point)
        );
        let wanted = first_hit(sheet, &Ray::new(above(point), down, f64::INFINITY).unwrap()).unwrap();
        assert_eq!(hits[k].distance, wanted.as_ref().map_or(f64::INFINITY, |found| found.distance));
        assert_eq!(hits[k].geometry, if wanted.is_some() { both.own[2] } else { 0 });
        hit += usize::from(wanted.is_some());
    }
    assert!((20..50).contains(&hit), "{hit}");
}

#[test]
fn queries_of_the_scene_are_those_of_rust() {
    let both = Both::new();
    let points: Vec<Point> =
        (0..60).map(|k| Point::new(0.004 * f64::from(k) - 0.1, 0.05 - 0.002 * f64::from(k), 0.01)).collect();
    let mut distances: Vec<palpate_distance> = Vec::with_capacity(60);
    let mut closest: Vec<palpate_closest> = Vec::with_capacity(60);
    // SAFETY: all pointers are of living values; all results are written.
    unsafe {
        let from = points.as_ptr().cast();
        ok(palpate_scene_signed_distances(both.c, 0, from, 60, distances.as_mut_ptr()));
        distances.set_len(60);
        ok(palpate_scene_closest(both.c, from, 60, 0.05, 1, u32::MAX, closest.as_mut_ptr()));
        closest.set_len(60);
        let status = palpate_scene_closest(both.c, from, 1, f64::NAN, 1, 1, closest.as_mut_ptr());
        assert_eq!(status, PALPATE_INVALID_ARGUMENT);
        assert_eq!(palpate_scene_closest(both.c, from, 1, 1.0, 1, 1, null_mut()), PALPATE_NULL);
    }
    let mut seen = std::collections::BTreeSet::new();
    for (k, point) in points.iter().enumerate() {
        let wanted = both.rust.signed_distance(point, Groups::default()).unwrap().unwrap().found.signed;
        assert_eq!((distances[k].distance, distances[k].gradient), (wanted.distance, wanted.gradient.into()));
        let wanted = both.rust.closest(point, 0.05, Groups::default()).unwrap();
        let own = |geometry| both.own[both.ids.iter().position(|id| *id == geometry).unwrap()];
        assert_eq!(closest[k].geometry, wanted.map_or(0, |found| own(found.geometry)));
        assert_eq!(closest[k].distance, wanted.map_or(f64::INFINITY, |found| found.found.distance));
        if let Some(found) = wanted {
            let feature = found.found.feature;
            assert_eq!((closest[k].feature.cell, closest[k].feature.point), (feature.cell, feature.point));
        }
        seen.insert(closest[k].geometry);
    }
    assert!(seen.len() >= 2, "{seen:?}");
}

#[test]
fn a_haptic_tool_stops_and_pushes_as_in_rust() {
    let mut both = Both::new();
    both.step(0.01);
    let options = ProxyOptions { reach: 0.002, ..ProxyOptions::default() };
    let mut proxy = Proxy::new(&both.rust, both.ids[0], options).unwrap();
    let mut coupling = Coupling::new(CouplingOptions::default()).unwrap();
    let mut own = null_mut();
    // SAFETY: all pointers are of living values.
    ok(unsafe { palpate_proxy_new(both.c, both.own[0], null(), &mut own) });
    let mut pressed = 0;
    for tick in 0..60 {
        let target = Pose::translation(0.031, 0.019 - 0.0005 * f64::from(tick), 0.029);
        let wanted = proxy.follow(&mut both.rust, &target).unwrap();
        let force = coupling.wrench(&target, &wanted, 1e-3).force;
        let place =
            palpate_pose { position: target.translation.vector.into(), rotation: [1.0, 0.0, 0.0, 0.0] };
        let (mut found, mut wrench) =
            (MaybeUninit::<palpate_tick>::uninit(), MaybeUninit::<palpate_wrench>::uninit());
        // SAFETY: all pointers are of living values, and both results are written.
        let (found, wrench) = unsafe {
            ok(palpate_proxy_follow(own, both.c, &place, found.as_mut_ptr()));
            ok(palpate_proxy_wrench(own, &place, 1e-3, wrench.as_mut_ptr()));
            (found.assume_init(), wrench.assume_init())
        };
        assert_eq!(found.pose.position, <[f64; 3]>::from(wanted.pose.translation.vector));
        assert_eq!((found.contacts, found.is_outside), (wanted.contacts, u32::from(wanted.is_outside)));
        assert_eq!(wrench.force, <[f64; 3]>::from(force));
        pressed += usize::from(force.y > 0.1);
    }
    assert!(pressed > 10, "{pressed}");
    // SAFETY: freed once.
    ok(unsafe { palpate_proxy_free(own) });
}

#[test]
fn a_session_that_c_records_replays_and_has_the_snapshot_of_rust() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.h5");
    let file = CString::new(path.to_str().unwrap()).unwrap();
    let mut both = Both::new();
    let (mut recorder, mut replay, mut contacts) = (null_mut(), null_mut(), Vec::new());
    // SAFETY: all pointers are of living values, and contacts are read before the next step.
    unsafe {
        ok(palpate_recorder_new(both.c, file.as_ptr(), &mut recorder));
        for step in 0..5 {
            both.step(-0.001 * f64::from(step));
            ok(palpate_recorder_record(recorder, both.c, 0.01 * f64::from(step)));
            contacts.push(read(&mut |pairs, count| palpate_scene_active_pairs(both.c, pairs, count)));
        }
        assert_eq!(palpate_recorder_record(recorder, both.c, 0.0), PALPATE_FILE, "time does not go back");
        ok(palpate_recorder_finish(recorder));
        assert_eq!(palpate_recorder_finish(recorder), PALPATE_INVALID_ARGUMENT);
        ok(palpate_recorder_free(recorder));
        ok(palpate_replay_open(file.as_ptr(), &mut replay));
        let (mut count, mut time) = (0, 0.0);
        ok(palpate_replay_frame_count(replay, &mut count));
        assert_eq!(count, 5);
        for (frame, wanted) in contacts.iter().enumerate().rev() {
            let found =
                read(&mut |pairs, count| palpate_replay_detect(replay, frame, &mut time, pairs, count));
            assert_eq!((&found, time), (wanted, 0.01 * frame as f64));
        }
        let (mut nothing, mut none) = (null(), 0);
        assert_eq!(
            palpate_replay_detect(replay, 5, null_mut(), &mut nothing, &mut none),
            PALPATE_OUT_OF_RANGE
        );
        ok(palpate_replay_free(replay));
        let (mut text, mut told, mut length) = (null_mut(), null(), 0);
        ok(palpate_snapshot_take(file.as_ptr(), &mut text));
        ok(palpate_text_get(text, &mut told, &mut length));
        let wanted = palpate::snapshot::session(&path, &Default::default()).unwrap().to_string();
        assert_eq!(CStr::from_ptr(told).to_str().unwrap(), wanted);
        let mut differences = 9;
        ok(palpate_snapshot_compare(told, told, &mut differences, null_mut()));
        assert_eq!((differences, length), (0, wanted.len()));
        palpate_text_free(text);
    }
    assert!(contacts.iter().all(|step| !step.is_empty()));
}

/// What a ring keeps is the end of what a recorder has, and the diff of both sessions says so.
#[test]
fn the_last_seconds_are_kept_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| CString::new(folder.path().join(name).to_str().unwrap()).unwrap();
    let [whole, rough, last] = ["whole.h5", "rough.h5", "last.h5"].map(named);
    let mut both = Both::new();
    let (mut exact, mut near, mut ring) = (null_mut(), null_mut(), null_mut());
    // SAFETY: all pointers are of living values, each freed once.
    unsafe {
        let options = palpate_ring_options { seconds: 0.055, depth: 0.003, ..palpate_ring_options_default() };
        ok(palpate_ring_new(both.c, &options, &mut ring));
        ok(palpate_recorder_new(both.c, whole.as_ptr(), &mut exact));
        let options =
            palpate_recorder_options { error: 1e-6, every: 2, ..palpate_recorder_options_default() };
        ok(palpate_recorder_new_with(both.c, rough.as_ptr(), &options, &mut near));
        let (mut fires, mut fired) = (0, 0);
        for step in 0..12 {
            both.step(-0.001 * f64::from(step));
            for recorder in [exact, near] {
                ok(palpate_recorder_record(recorder, both.c, 0.01 * f64::from(step)));
            }
            ok(palpate_ring_record(ring, both.c, 0.01 * f64::from(step), &mut fired));
            fires += fired;
        }
        let (mut frames, mut seconds) = (0, 0.0);
        ok(palpate_ring_size(ring, &mut frames, &mut seconds, null_mut()));
        assert!((frames, fires) == (6, 1) && (seconds - 0.05).abs() < 1e-12, "{frames} {fires} {seconds}");
        ok(palpate_ring_rearm(ring));
        assert_eq!(palpate_ring_record(ring, both.c, 0.0, null_mut()), PALPATE_INVALID_ARGUMENT);
        ok(palpate_ring_write(ring, last.as_ptr()));
        ok(palpate_ring_free(ring));
        for recorder in [exact, near] {
            ok(palpate_recorder_finish(recorder));
            ok(palpate_recorder_free(recorder));
        }
        let compare = |was: &CString, is: &CString, options: *const palpate_diff_options| {
            let (mut count, mut report, mut text, mut length) = (0, null_mut(), null(), 0);
            ok(palpate_diff(was.as_ptr(), is.as_ptr(), options, &mut count, &mut report));
            ok(palpate_text_get(report, &mut text, &mut length));
            let words = CStr::from_ptr(text).to_str().unwrap().to_owned();
            palpate_text_free(report);
            (count, words)
        };
        assert_eq!(compare(&whole, &whole, null()).0, 0);
        // Six frames are lost, the others are the same bits.
        let (count, words) = compare(&whole, &last, null());
        assert!(count == 6 && words.contains("is lost"), "{count} {words}");
        let mut options = palpate_diff_options_default();
        (options.policy, options.form) = (PALPATE_DIFF_TOLERANCE, PALPATE_REPORT_JSON);
        options.tolerance = 1e-12;
        let (strict, words) = compare(&whole, &rough, &options);
        assert!(strict > 6 && words.starts_with('{'), "{strict} {words}");
        options.policy = 7;
        let mut count = 0;
        let status = palpate_diff(whole.as_ptr(), last.as_ptr(), &options, &mut count, null_mut());
        assert_eq!(status, PALPATE_INVALID_ARGUMENT);
        let missing = named("missing.h5");
        let status = palpate_diff(missing.as_ptr(), last.as_ptr(), null(), &mut count, null_mut());
        assert_eq!(status, PALPATE_FILE);
    }
}

/// The bytes of all contacts.
unsafe fn read(
    ask: &mut dyn FnMut(*mut *const palpate_pair_contacts, *mut usize) -> palpate_status,
) -> Vec<u8> {
    let (mut pairs, mut count) = (null(), 0);
    ok(ask(&mut pairs, &mut count));
    let mut found = Vec::new();
    // SAFETY: the caller has not stepped since.
    unsafe {
        for pair in std::slice::from_raw_parts(pairs, count) {
            for place in 0..pair.count {
                found.extend(bytes(&*pair.contacts.add(place)));
            }
        }
    }
    found
}

// Proves: REQ-C-NO-HEAP
#[test]
fn a_settled_step_with_its_events_does_not_allocate() {
    let mut both = Both::new();
    // SAFETY: all pointers are of living values.
    let frame = |both: &mut Both, k: u32| unsafe {
        let (mut views, mut events, mut count) = (null(), null(), 0);
        let y = 0.009 - 0.001 * f64::from(k % 3);
        let pose = palpate_pose { position: [0.031, y, 0.029], rotation: [1.0, 0.0, 0.0, 0.0] };
        ok(palpate_scene_set_pose(both.c, both.own[0], &pose));
        ok(palpate_scene_step(both.c, null_mut()));
        ok(palpate_scene_active_pairs(both.c, &mut views, &mut count));
        ok(palpate_scene_events(both.c, &mut events, &mut count));
        count
    };
    // SAFETY: the scene lives.
    ok(unsafe { palpate_scene_set_events(both.c, 1) });
    let mut events: usize = (0..9).map(|k| frame(&mut both, k)).sum();
    let measured = allocation_counter::measure(|| (0..9).for_each(|k| events += frame(&mut both, k)));
    assert!(events > 100, "{events}");
    assert_eq!(measured.count_total, 0);
}
