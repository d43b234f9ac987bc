//! Random calls with random arguments: each returns a status, and nothing else happens. `PALPATE_C_CALLS=1000000` sets how many.
#![allow(clippy::unwrap_used)]

mod geometry;
mod guard;
mod procedure;

use geometry::{FILTER, HOST, cells, geometry, id, maybe, maybe_mut, number, points, pose, sound, three};
use palpate_capi::*;
use palpate_tests::Random;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

/// Calls without the variable.
const CALLS: u64 = 20_000;
/// Geometries of a scene at most: detections stay cheap.
const MOST: usize = 12;

struct World {
    scene: *mut palpate_scene,
    geometries: Vec<palpate_geometry_id>,
    pairs: Vec<palpate_pair_id>,
    pbd: *mut palpate_pbd,
    rigid: *mut palpate_rigid,
    proxy: *mut palpate_proxy,
    reader: *mut palpate_reader,
    saved: *mut palpate_saved,
    procedure: procedure::Objects,
    guard: guard::Guarding,
    /// How often each status came.
    counts: [u64; 12],
    added: u64,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            scene: null_mut(),
            geometries: Vec::new(),
            pairs: Vec::new(),
            pbd: null_mut(),
            rigid: null_mut(),
            proxy: null_mut(),
            reader: null_mut(),
            saved: null_mut(),
            procedure: procedure::Objects::new(),
            guard: guard::Guarding::new(),
            counts: [0; 12],
            added: 0,
        };
        // SAFETY: all pointers are null or of living values.
        unsafe {
            assert_eq!(palpate_scene_new(null(), &mut world.scene), PALPATE_OK);
            assert_eq!(palpate_pbd_new(0.01, &mut world.pbd), PALPATE_OK);
            assert_eq!(palpate_rigid_new(null(), &mut world.rigid), PALPATE_OK);
        }
        world
    }

    /// One call.
    unsafe fn call(&mut self, random: &mut Random) -> palpate_status {
        // SAFETY: all pointers are null or of living values.
        unsafe {
            match random.below(31) {
                0..=2 => self.add(random),
                3 | 4 => self.pair(random),
                5..=8 => self.step(random),
                9..=11 => {
                    let (id, pose) = (id(random, &self.geometries), pose(random));
                    palpate_scene_set_pose(self.scene, id, maybe(random, &pose))
                }
                12 => {
                    let (id, points) = (id(random, &self.geometries), points(random));
                    palpate_scene_set_vertices(self.scene, id, maybe(random, &points))
                }
                13 => self.map(random),
                14 | 15 => self.cut(random),
                16 | 17 => self.query(random),
                18 | 19 => self.rows(random),
                20 => self.haptics(random),
                21 => self.texts(random),
                22 => self.remove(random),
                23 => self.hosts(random),
                24..=26 => self.procedure.call(random, self.scene, &self.geometries),
                27..=29 => self.guard.call(random, self.scene, &self.geometries),
                _ => self.others(random),
            }
        }
    }

    unsafe fn add(&mut self, random: &mut Random) -> palpate_status {
        let (mut id, name) = (0, CString::new(format!("g{}", self.added)).unwrap());
        self.added += u64::from(random.below(20) > 0);
        let options = palpate_add_options { user_data: 7, ..palpate_add_options_default() };
        // SAFETY: as above.
        unsafe {
            if self.geometries.len() >= MOST {
                let place = random.below(MOST);
                let old = self.geometries.swap_remove(place);
                palpate_scene_remove(self.scene, old);
            }
            let made = geometry(random);
            let status = palpate_scene_add(self.scene, name.as_ptr(), made, maybe(random, &options), &mut id);
            if status == PALPATE_OK {
                self.geometries.push(id);
            }
            status
        }
    }

    unsafe fn pair(&mut self, random: &mut Random) -> palpate_status {
        let mut options = palpate_pair_options_default();
        options.margin = if random.below(6) == 0 { number(random) } else { 0.01 };
        options.detection = random.below(4) as u32;
        let mut settings = palpate_settings_default();
        settings.manifold = random.below(4) as u32;
        settings.internal_edges = random.below(4) as u32;
        if random.below(3) == 0 {
            options.settings = &settings;
        }
        if random.below(5) == 0 {
            options.settings_json = c"{\"manifold\": false}".as_ptr();
        }
        let (a, b, mut pair) = (id(random, &self.geometries), id(random, &self.geometries), 0);
        // SAFETY: as above.
        unsafe {
            let status = palpate_scene_add_pair(self.scene, a, b, maybe(random, &options), &mut pair);
            if status == PALPATE_OK {
                self.pairs.push(pair);
            }
            if self.pairs.len() > 3 * MOST {
                let old = self.pairs.swap_remove(random.below(self.pairs.len()));
                palpate_scene_remove_pair(self.scene, old);
            }
            status
        }
    }

    unsafe fn step(&mut self, random: &mut Random) -> palpate_status {
        let (mut views, mut count, mut report) = (null(), 0, palpate_step_report::default());
        // SAFETY: as above.
        unsafe {
            if random.below(3) == 0 {
                palpate_scene_advance(self.scene);
            }
            let status = palpate_scene_step(self.scene, maybe_mut(random, &mut report));
            assert_eq!(palpate_scene_active_pairs(self.scene, &mut views, &mut count), PALPATE_OK);
            let mut total = 0;
            for view in std::slice::from_raw_parts(views, if views.is_null() { 0 } else { count }) {
                for place in 0..view.count {
                    assert!((*view.contacts.add(place)).depth.is_finite());
                }
                total += view.count;
            }
            assert!(total < 1_000_000);
            let mut events = null();
            assert_eq!(palpate_scene_events(self.scene, &mut events, &mut count), PALPATE_OK);
            status
        }
    }

    unsafe fn map(&mut self, random: &mut Random) -> palpate_status {
        let (id, mut vertices, mut count) = (id(random, &self.geometries), null_mut(), 0);
        // SAFETY: as above; the memory is written before it is taken over.
        unsafe {
            let status = palpate_scene_map_vertices(self.scene, id, &mut vertices, &mut count);
            if status == PALPATE_OK && count > 0 && random.below(4) > 0 {
                *vertices = number(random);
            }
            if random.below(3) > 0 { palpate_scene_unmap_vertices(self.scene, id) } else { status }
        }
    }

    unsafe fn cut(&mut self, random: &mut Random) -> palpate_status {
        let id = id(random, &self.geometries);
        let (numbers, at) = ([random.below(6) as u32, random.below(6) as u32], three(random));
        let (points, cells, mut first, mut added) = (points(random), cells(random), 0, 0);
        let (mut map, mut count) = ([0; 32], 0);
        // SAFETY: as above.
        unsafe {
            match random.below(4) {
                0 => palpate_scene_remove_cells(self.scene, id, numbers.as_ptr(), random.below(3)),
                1 => palpate_scene_add_cells(
                    self.scene,
                    id,
                    maybe(random, &points),
                    maybe(random, &cells),
                    &mut first,
                    &mut added,
                ),
                2 => {
                    palpate_scene_split_cell(self.scene, id, numbers[0], at.as_ptr(), &mut first, &mut added)
                }
                _ => palpate_scene_compact_cells(self.scene, id, map.as_mut_ptr(), map.len(), &mut count),
            }
        }
    }

    unsafe fn query(&mut self, random: &mut Random) -> palpate_status {
        let id = id(random, &self.geometries);
        let places = [three(random), three(random)];
        let ray = palpate_ray { origin: three(random), direction: three(random), length: sound(random) };
        let blank = [0_u8; 4096];
        let mut room = blank;
        let (positions, out) = (places.as_ptr().cast(), room.as_mut_ptr());
        // SAFETY: as above; the room is larger than two results, and its alignment is checked.
        unsafe {
            let out = out.add(out.align_offset(8));
            match random.below(4) {
                3 => {
                    let (within, groups) = (number(random), [1, u32::MAX, 0][random.below(3)]);
                    palpate_scene_closest(self.scene, positions, 2, within, groups, groups, out.cast())
                }
                0 => palpate_scene_signed_distances(self.scene, id, positions, 2, out.cast()),
                1 => palpate_scene_nearest(self.scene, id, random.below(3) as u32, positions, 2, out.cast()),
                _ => palpate_scene_cast_rays(self.scene, id, &ray, 1, out.cast()),
            }
        }
    }

    unsafe fn rows(&mut self, random: &mut Random) -> palpate_status {
        let mut particles = vec![[0.1; 3]; random.below(24)];
        let before = particles.clone();
        let masses = vec![1.0; particles.len()];
        let mut state = palpate_pbd_state_default();
        (state.particle_count, state.particles) = (particles.len(), particles.as_mut_ptr().cast());
        (state.previous, state.inverse_masses) = (before.as_ptr().cast(), masses.as_ptr());
        let body = |random: &mut Random, known: &[u64]| palpate_body {
            geometry: id(random, known),
            kind: random.below(7) as u32,
            index: random.below(4) as u32,
            center: three(random),
            velocity: three(random),
            spin: three(random),
            mapping: null(),
        };
        let bodies = [body(random, &self.geometries), body(random, &self.geometries)];
        let material = palpate_material { friction: number(random), ..palpate_material_default() };
        let mut velocities = [palpate_velocity { linear: [0.0; 3], angular: [0.0; 3] }; 3];
        let inverse_inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mass = [palpate_mass { center: three(random), inverse: 1.0, inverse_inertia }; 3];
        let (used, (mut count, mut entries)) = (random.below(3), (0, 0));
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0 => palpate_pbd_gather(
                    self.pbd,
                    self.scene,
                    &state,
                    bodies.as_ptr(),
                    used,
                    &material,
                    random.below(2),
                ),
                1 => palpate_pbd_project(self.pbd, maybe(random, &state), 2),
                2 => {
                    palpate_pbd_rows(self.pbd, &state, null_mut(), 0, &mut count, null_mut(), 0, &mut entries)
                }
                3 => palpate_rigid_gather(
                    self.rigid,
                    self.scene,
                    mass.as_ptr(),
                    velocities.as_ptr(),
                    3,
                    bodies.as_ptr(),
                    used,
                    &material,
                    random.below(2),
                ),
                4 => palpate_rigid_solve(self.rigid, velocities.as_mut_ptr(), random.below(4), 2),
                _ => palpate_rigid_rows(self.rigid, null_mut(), 0, &mut count),
            }
        }
    }

    unsafe fn haptics(&mut self, random: &mut Random) -> palpate_status {
        let (tool, target) = (id(random, &self.geometries), pose(random));
        // SAFETY: as above.
        unsafe {
            if self.proxy.is_null() || random.below(4) == 0 {
                palpate_proxy_free(self.proxy);
                return palpate_proxy_new(self.scene, tool, null(), &mut self.proxy);
            }
            let mut tick = std::mem::MaybeUninit::uninit();
            palpate_proxy_follow(self.proxy, self.scene, maybe(random, &target), tick.as_mut_ptr())
        }
    }

    unsafe fn texts(&mut self, random: &mut Random) -> palpate_status {
        let (id, pair) = (id(random, &self.geometries), id(random, &self.pairs));
        let (mut buffer, mut length) = ([0; 700], 0);
        let (to, capacity) = (buffer.as_mut_ptr(), random.below(buffer.len() + 1));
        // SAFETY: as above.
        unsafe {
            match random.below(5) {
                0 => palpate_scene_name(self.scene, id, to, capacity, &mut length),
                1 => palpate_scene_kind(self.scene, id, to, capacity, &mut length),
                2 => palpate_scene_geometry_json(self.scene, id, to, capacity, &mut length),
                3 => palpate_scene_detector(self.scene, pair, to, capacity, &mut length),
                _ => palpate_scene_settings_json(self.scene, pair, to, capacity, &mut length),
            }
        }
    }

    unsafe fn remove(&mut self, random: &mut Random) -> palpate_status {
        let (geometry, pair) = (id(random, &self.geometries), id(random, &self.pairs));
        // SAFETY: as above; ids that are removed stay in the lists: they dangle.
        unsafe {
            match random.below(3) {
                0 => palpate_scene_remove(self.scene, geometry),
                1 => palpate_scene_remove_pair(self.scene, pair),
                _ => {
                    let made = geometry::geometry(random);
                    palpate_scene_replace(self.scene, geometry, made)
                }
            }
        }
    }

    /// A pair with a detector of the host, a filter, a state to go back to, lines.
    unsafe fn hosts(&mut self, random: &mut Random) -> palpate_status {
        let (a, b, mut pair) = (id(random, &self.geometries), id(random, &self.geometries), 0);
        let mut options = palpate_pair_options_default();
        options.margin = sound(random) * 0.1;
        let (user, mut lines, mut count) = (random.below(40) as *mut c_void, null(), 0);
        // SAFETY: as above; the user data is a number.
        unsafe {
            match random.below(5) {
                0 => {
                    let function = if random.below(20) > 0 { Some(HOST) } else { None };
                    let options = maybe(random, &options);
                    let status =
                        palpate_scene_add_pair_by(self.scene, a, b, options, function, user, None, &mut pair);
                    if status == PALPATE_OK {
                        self.pairs.push(pair);
                    }
                    status
                }
                1 => {
                    let function = if random.below(2) > 0 { Some(FILTER) } else { None };
                    palpate_scene_set_filter(self.scene, function, user, None)
                }
                2 => {
                    palpate_saved_free(std::mem::replace(&mut self.saved, null_mut()));
                    palpate_scene_save(self.scene, &mut self.saved)
                }
                3 => palpate_scene_restore(self.scene, self.saved),
                _ => palpate_scene_debug_lines(self.scene, null(), &mut lines, &mut count),
            }
        }
    }

    unsafe fn others(&mut self, random: &mut Random) -> palpate_status {
        let (id, child) = (id(random, &self.geometries), random.below(4) as u32);
        let (pose, mut number, mut contacts, mut count) = (pose(random), 0, null(), 0);
        // SAFETY: as above.
        unsafe {
            match random.below(8) {
                7 => palpate_scene_set_asleep(self.scene, id, random.below(3) as u32),
                0 => palpate_scene_set_child_pose(self.scene, id, child, &pose),
                1 => palpate_scene_remove_child(self.scene, id, child),
                2 => {
                    let made = geometry(random);
                    palpate_scene_add_child(self.scene, id, made, &mut number)
                }
                3 => palpate_scene_set_events(self.scene, random.below(3) as u32),
                4 => palpate_scene_set_margin(
                    self.scene,
                    geometry::id(random, &self.pairs),
                    sound(random) * 0.1,
                ),
                5 if self.reader.is_null() => palpate_reader_new(self.scene, &mut self.reader),
                5 => palpate_reader_contacts(self.reader, &mut contacts, &mut count, null_mut()),
                _ => palpate_scene_add_pairs_between(null_mut(), 1, 1, null()),
            }
        }
    }

    /// Frees everything.
    unsafe fn free(self) -> [u64; 12] {
        // SAFETY: each is living or null, and freed once.
        unsafe {
            palpate_saved_free(self.saved);
            self.procedure.free();
            self.guard.free();
            assert_eq!(palpate_scene_free(self.scene), PALPATE_OK);
            assert_eq!(palpate_pbd_free(self.pbd), PALPATE_OK);
            assert_eq!(palpate_rigid_free(self.rigid), PALPATE_OK);
            assert_eq!(palpate_proxy_free(self.proxy), PALPATE_OK);
            assert_eq!(palpate_reader_free(self.reader), PALPATE_OK);
        }
        self.counts
    }
}

// Proves: REQ-C-HOSTILE
#[test]
fn random_calls_return_statuses() {
    let calls = std::env::var("PALPATE_C_CALLS").map_or(CALLS, |calls| calls.parse().unwrap());
    let mut totals = [0; 12];
    for round in 0..calls.div_ceil(1000) {
        let mut random = Random::named("calls of C", round);
        let mut world = World::new();
        for call in 0..1000 {
            // SAFETY: the world hands over living pointers or null.
            let status = unsafe { world.call(&mut random) };
            let text = || {
                // SAFETY: never null, and it ends with a zero byte.
                unsafe { CStr::from_ptr(palpate_last_error()) }.to_string_lossy().into_owned()
            };
            assert!(status != PALPATE_PANIC, "round {round}, call {call}: {}", text());
            assert!(status == PALPATE_OK || !text().is_empty());
            world.counts[usize::try_from(status).unwrap()] += 1;
        }
        // SAFETY: nothing uses it afterwards.
        let counts = unsafe { world.free() };
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    println!("statuses: {totals:?}");
    println!("counted: random calls of the C interface: {}", totals.iter().sum::<u64>());
    let share = |status: palpate_status| totals[usize::try_from(status).unwrap()] as f64 / calls as f64;
    assert!(share(PALPATE_OK) > 0.3, "{totals:?}");
    let wanted = [
        PALPATE_NULL,
        PALPATE_INVALID_ARGUMENT,
        PALPATE_INVALID_HANDLE,
        PALPATE_UNSUPPORTED,
        PALPATE_OUT_OF_RANGE,
    ];
    assert!(wanted.into_iter().all(|status| share(status) > 0.005), "{totals:?}");
}

/// A test of this program, with the allocator of gcc's address sanitizer, which tells at the end what was lost. `None` without gcc.
fn watched(test: &str, calls: u64) -> Option<std::process::Output> {
    let found = std::process::Command::new("gcc").arg("-print-file-name=libasan.so").output();
    let library = found.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let library = library.filter(|path| path.contains('/'));
    assert!(library.is_some() || std::env::var_os("PALPATE_C_TOOLS").is_none(), "gcc has no libasan.so");
    let mut program = std::process::Command::new(std::env::current_exe().unwrap());
    program
        .args([test, "--exact", "--ignored"])
        .env("LD_PRELOAD", library?)
        .env("ASAN_OPTIONS", "detect_leaks=1");
    Some(program.env("PALPATE_C_CALLS", calls.to_string()).output().unwrap())
}

#[test]
#[ignore = "run by random_calls_lose_nothing"]
fn calls_that_are_watched() {
    random_calls_return_statuses();
}

#[test]
#[ignore = "run by random_calls_lose_nothing"]
fn a_scene_that_is_not_freed() {
    let mut scene = null_mut();
    // SAFETY: the place is a living pointer.
    assert_eq!(unsafe { palpate_scene_new(null(), &mut scene) }, PALPATE_OK);
}

// Proves: REQ-C-HOSTILE
#[test]
fn random_calls_lose_nothing() {
    let calls = std::env::var("PALPATE_C_CALLS").map_or(5000, |calls| calls.parse().unwrap());
    let Some(output) = watched("calls_that_are_watched", calls) else { return };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    // What is lost is seen.
    let Some(output) = watched("a_scene_that_is_not_freed", 0) else { return };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("detected memory leaks"), "{told}");
}
