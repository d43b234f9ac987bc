//! The guard through C is that of Rust, bit for bit, and nothing gets through.
#![allow(clippy::unwrap_used)]

use palpate::geometry::{Geometry, Plane, Pose, Sphere, SurfaceMesh};
use palpate::math::{Point, Vector};
use palpate::response::guard::{Guard, Mover, Moves, Report, Start};
use palpate_capi::*;
use palpate_tests::Random;
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// The side of the sheet in vertices, a centimetre apart.
const SIDE: usize = 7;
/// Metres: kept between all.
const DISTANCE: f64 = 1e-3;
const RADIUS: f64 = 0.01;
/// Seconds.
const STEP: f64 = 0.01;

#[track_caller]
fn ok(status: palpate_status) {
    // SAFETY: never null, and it ends with a zero byte.
    let text = unsafe { CStr::from_ptr(palpate_last_error()) };
    assert_eq!(status, PALPATE_OK, "{text:?}");
}

fn text_of_error() -> String {
    // SAFETY: as above.
    unsafe { CStr::from_ptr(palpate_last_error()) }.to_str().unwrap().to_owned()
}

fn sheet() -> (Vec<Point>, Vec<[u32; 3]>) {
    let point = |k: usize| Point::new(0.01 * (k % SIDE) as f64, 0.0, 0.01 * (k / SIDE) as f64);
    let corner = |i: usize, j: usize| (j * SIDE + i) as u32;
    let cell = |k: usize| {
        let (i, j) = (k % (SIDE - 1), k / (SIDE - 1));
        let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j), corner(i + 1, j + 1)];
        [[a, b, c], [c, b, d]]
    };
    ((0..SIDE * SIDE).map(point).collect(), (0..(SIDE - 1) * (SIDE - 1)).flat_map(cell).collect())
}

/// A tool, a free ball and a floor about a sheet, in a guard of each.
struct Both {
    rust: Guard,
    scene: *mut palpate_scene,
    c: *mut palpate_guard,
    ids: Vec<palpate_geometry_id>,
}

const KINDS: [u32; 4] = [PALPATE_BODY_PARTICLES, PALPATE_BODY_TOOL, PALPATE_BODY_RIGID, PALPATE_BODY_STATIC];

impl Both {
    fn new() -> Self {
        let (points, cells) = sheet();
        let ball = || Box::new(Sphere::new(Point::origin(), RADIUS).unwrap());
        let floor = Plane::new(Point::new(0.0, -0.02, 0.0), Vector::y()).unwrap();
        let geometries: [(&str, Box<dyn Geometry>, Moves); 4] = [
            ("sheet", Box::new(SurfaceMesh::new(points, cells).unwrap()), Moves::Particles(0)),
            ("tool", ball(), Moves::Tool(0)),
            ("ball", ball(), Moves::Body(1)),
            ("floor", Box::new(floor), Moves::Fixed),
        ];
        let mut both = Self { rust: Guard::new(), scene: null_mut(), c: null_mut(), ids: Vec::new() };
        let mut own = Vec::new();
        // SAFETY: all pointers are of living values.
        unsafe {
            ok(palpate_scene_new(std::ptr::null(), &mut both.scene));
            ok(palpate_guard_new(&mut both.c));
            for ((name, geometry, moves), kind) in geometries.into_iter().zip(KINDS) {
                let json = CString::new(palpate::describe::to_json(&*geometry).unwrap().to_string()).unwrap();
                let (name, mut made, mut id) = (CString::new(name).unwrap(), null_mut(), 0);
                ok(palpate_geometry_json(json.as_ptr(), std::ptr::null(), &mut made));
                ok(palpate_scene_add(both.scene, name.as_ptr(), made, std::ptr::null(), &mut id));
                both.ids.push(id);
                let (index, mut body) = (usize::from(kind == PALPATE_BODY_RIGID), 0);
                ok(palpate_guard_add(both.c, both.scene, id, kind, index, &mut body));
                assert_eq!(body, own.len());
                own.push(both.rust.add(&*geometry, moves).unwrap());
            }
            for (number, (a, b)) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (2, 3)].into_iter().enumerate() {
                let mut pair = 0;
                ok(palpate_guard_add_pair(both.c, a, b, DISTANCE, &mut pair));
                assert_eq!(pair, both.rust.add_pair(own[a], own[b], DISTANCE).unwrap());
                assert_eq!(pair, number);
            }
        }
        both
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // SAFETY: freed once.
        unsafe {
            ok(palpate_guard_free(self.c));
            ok(palpate_scene_free(self.scene));
        }
    }
}

fn of_c(pose: &Pose) -> palpate_pose {
    let turn = pose.rotation;
    palpate_pose { position: pose.translation.vector.into(), rotation: [turn.w, turn.i, turn.j, turn.k] }
}

/// Compares both reports.
fn same(wanted: &Report, found: &palpate_guard_report) {
    let counts = [found.near, found.crossing, found.rounds, found.frozen];
    assert_eq!(counts, [wanted.near, wanted.crossing, wanted.rounds, wanted.frozen]);
    assert_eq!(found.shortened_count, wanted.shortened.len());
    assert_eq!(found.contradiction_count, wanted.contradictions.len());
    for (k, wanted) in wanted.shortened.iter().enumerate() {
        // SAFETY: there are so many.
        let own = unsafe { &*found.shortened.add(k) };
        let mover = if own.is_body == 1 { Mover::Body(own.index) } else { Mover::Particle(own.index) };
        assert_eq!((mover, own.pair), (wanted.mover, wanted.pair));
        assert_eq!((own.lost, own.lost_turn), (wanted.lost, wanted.lost_turn));
    }
    for (k, wanted) in wanted.contradictions.iter().enumerate() {
        // SAFETY: there are so many.
        let own = unsafe { &*found.contradictions.add(k) };
        assert_eq!((own.tool, own.pair, own.missing), (wanted.tool, wanted.pair, wanted.missing));
        assert_eq!(own.direction, <[f64; 3]>::from(wanted.direction));
    }
}

// Proves: REQ-C-SAME
/// A sheet is thrown at the floor between a tool that is pressed down on it and a ball below.
#[test]
fn a_guard_of_c_holds_what_that_of_rust_holds() {
    let mut both = Both::new();
    let mut random = Random::new(11);
    let (mut particles, _) = sheet();
    let mut poses = [Pose::translation(0.03, 0.03, 0.03), Pose::translation(0.03, -0.012, 0.01)];
    poses[1].translation.vector.y = -0.02 + RADIUS + 2e-3;
    poses[1].translation.vector.x = 0.2;
    let [mut held, mut below, mut told, mut contradicted, mut free] = [0; 5];
    for _ in 0..60 {
        let (start, start_poses) = (particles.clone(), poses);
        let mut wanted: Vec<Point> = start
            .iter()
            .map(|p| p + Vector::y() * -random.between(0.0, 8e-3) + random.direction() * 1e-3)
            .collect();
        let mut wanted_poses = [
            Pose::translation(0.0, -random.between(0.0, 6e-3), 0.0) * poses[0],
            Pose::translation(-random.between(0.0, 5e-3), 0.0, 0.0) * poses[1],
        ];
        below += wanted.iter().filter(|p| p.y < -0.02).count();
        let (mut own, before) = (wanted.clone(), Start { particles: &start, poses: &start_poses });
        let [start_of_c, mut own_poses] =
            [&start_poses, &wanted_poses].map(|poses| poses.map(|pose| of_c(&pose)));
        let is_free = both.rust.is_free(before, &wanted, &wanted_poses).unwrap();
        let count = start.len();
        let (at, at_poses) = (start.as_ptr().cast(), start_of_c.as_ptr());
        let (mut is_free_of_c, mut report) = (7, MaybeUninit::uninit());
        // SAFETY: all pointers are of living values, of the lengths that are given.
        unsafe {
            let (to, to_poses) = (own.as_ptr().cast(), own_poses.as_ptr());
            ok(palpate_guard_is_free(both.c, at, to, count, at_poses, to_poses, 2, &mut is_free_of_c));
            let (to, to_poses) = (own.as_mut_ptr().cast(), own_poses.as_mut_ptr());
            ok(palpate_guard_hold(both.c, at, to, count, at_poses, to_poses, 2, report.as_mut_ptr()));
        }
        assert_eq!(is_free_of_c, u32::from(is_free));
        free += usize::from(is_free);
        let wanted_report = both.rust.hold(before, &mut wanted, &mut wanted_poses).unwrap();
        assert_eq!(is_free, wanted_report.is_empty());
        // SAFETY: written by the call that succeeded.
        same(wanted_report, &unsafe { report.assume_init() });
        (told, contradicted) =
            (told + wanted_report.shortened.len(), contradicted + wanted_report.contradictions.len());
        assert_eq!(own, wanted);
        assert_eq!(own_poses, wanted_poses.map(|pose| of_c(&pose)));
        held += usize::from(!wanted_report.is_empty());
        // From rounding: the distance of the start is kept where it was less.
        assert!(own.iter().all(|p| p.y >= -0.02 + 0.99 * DISTANCE), "{:?}", own.iter().map(|p| p.y));

        let velocities: Vec<Vector> =
            start.iter().zip(&wanted).map(|(from, to)| (to - from) * 3.0 / STEP).collect();
        let [mut slowed, mut slowed_of_c] = [velocities.clone(), velocities];
        let spin = [Vector::new(-1.0, -2.0, 0.5), Vector::new(0.1, 3.0, 0.2)];
        let [mut bodies, mut bodies_of_c] = [[spin; 2]; 2];
        both.rust.slow(&wanted, &mut slowed, STEP);
        both.rust.slow_bodies(&mut bodies, STEP);
        // SAFETY: as above; a velocity is two vectors.
        unsafe {
            ok(palpate_guard_slow(both.c, own.as_ptr().cast(), slowed_of_c.as_mut_ptr().cast(), count, STEP));
            ok(palpate_guard_slow_bodies(both.c, bodies_of_c.as_mut_ptr().cast(), 2, STEP));
        }
        assert_eq!((&slowed, bodies), (&slowed_of_c, bodies_of_c));
        (particles, poses) = (wanted, wanted_poses);
    }
    let counts = [held, below, told, contradicted, free];
    assert!(held > 20 && below > 100 && told > 300 && contradicted > 3 && free > 0, "{counts:?}");
}

/// What is wrong is an error with a name, and changes nothing.
#[test]
fn errors_name_what_is_wrong() {
    let both = Both::new();
    let (points, _) = sheet();
    let poses =
        [Pose::translation(0.03, 0.03, 0.03), Pose::translation(0.2, 0.0, 0.0)].map(|pose| of_c(&pose));
    // Through the floor: a call that went on would change every place.
    let mut ends: Vec<Point> = points.iter().map(|p| p - Vector::y() * 0.03).collect();
    let sunk = ends.clone();
    ends[5].y = f64::NAN;
    let mut to_poses = poses;
    let count = points.len();
    let check = |status: palpate_status, wanted: palpate_status, part: &str| {
        assert_eq!(status, wanted, "{}", text_of_error());
        assert!(text_of_error().contains(part), "{}", text_of_error());
    };
    // SAFETY: all pointers are of living values, of the lengths that are given.
    unsafe {
        let (c, scene, at) = (both.c, both.scene, points.as_ptr().cast());
        let mut body = 0;
        let added = palpate_guard_add(c, scene, both.ids[0], PALPATE_BODY_KINEMATIC, 0, &mut body);
        check(added, PALPATE_INVALID_ARGUMENT, "the kind of a body is 5: wanted 0, 1, 4 or 6");
        let added = palpate_guard_add(c, scene, both.ids[1], PALPATE_BODY_PARTICLES, 0, &mut body);
        assert_ne!(added, PALPATE_OK);
        let paired = palpate_guard_add_pair(c, 0, 4, DISTANCE, null_mut());
        check(paired, PALPATE_OUT_OF_RANGE, "body 4 of the guard: wanted one of 4");
        let replaced = palpate_guard_replace(c, 9, scene, both.ids[0]);
        check(replaced, PALPATE_OUT_OF_RANGE, "body 9 of the guard");
        ok(palpate_guard_replace(c, 0, scene, both.ids[0]));
        let (from, to) = (poses.as_ptr(), to_poses.as_mut_ptr());
        let held = palpate_guard_hold(c, at, ends.as_mut_ptr().cast(), count, from, to, 2, null_mut());
        check(held, PALPATE_OUT_OF_RANGE, "particle 5");
        assert!(ends[5].y.is_nan() && ends[..5] == sunk[..5] && ends[6..] == sunk[6..]);
        ends[5].y = sunk[5].y;
        let held = palpate_guard_hold(c, at, ends.as_mut_ptr().cast(), count, from, to, 1, null_mut());
        check(held, PALPATE_OUT_OF_RANGE, "poses");
        assert!(ends == sunk && to_poses == poses);
        to_poses[1].rotation = [2.0, 0.0, 0.0, 0.0];
        let to = to_poses.as_mut_ptr();
        let held = palpate_guard_hold(c, at, ends.as_mut_ptr().cast(), count, from, to, 2, null_mut());
        assert_ne!(held, PALPATE_OK);
        assert!(text_of_error().starts_with("poses 1: "), "{}", text_of_error());
        assert_eq!(ends, sunk);
        let slowed = palpate_guard_slow(c, at, ends.as_mut_ptr().cast(), count, STEP);
        check(slowed, PALPATE_OUT_OF_RANGE, "49 particles: wanted 0, as in the last step of the guard");
        // One array for both ends of the motion: nothing moves.
        let mut still = poses;
        let (both_ends, mut rest) = (still.as_mut_ptr(), points.clone());
        let places = rest.as_mut_ptr().cast::<f64>();
        ok(palpate_guard_hold(c, places, places, count, both_ends, both_ends, 2, null_mut()));
        assert!(rest == points && still == poses);
        let slowed = palpate_guard_slow_bodies(c, null_mut(), 0, 0.0);
        check(slowed, PALPATE_INVALID_ARGUMENT, "the step is 0 seconds");
        assert_eq!(palpate_guard_free(null_mut()), PALPATE_OK);
    }
}
