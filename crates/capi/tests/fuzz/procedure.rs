//! Needle and thread, blade, jaws, a tube in a tube, sliding constraints.

use crate::geometry::{id, maybe, number, points, sound, three};
use palpate_capi::*;
use palpate_tests::Random;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// One object of each kind; null until it is asked for.
pub(crate) struct Objects {
    tracker: *mut palpate_shaft_tracker,
    blade: *mut palpate_blade,
    grasp: *mut palpate_grasp_tracker,
    lumen: *mut palpate_lumen,
}

impl Objects {
    pub(crate) fn new() -> Self {
        Self { tracker: null_mut(), blade: null_mut(), grasp: null_mut(), lumen: null_mut() }
    }

    /// One call.
    pub(crate) unsafe fn call(
        &mut self,
        random: &mut Random,
        scene: *mut palpate_scene,
        known: &[u64],
    ) -> palpate_status {
        // SAFETY: all pointers are null or of living values.
        unsafe {
            match random.below(8) {
                0 => self.renew(random),
                1 | 2 => self.shaft(random, scene, known),
                3 => self.ask(random),
                4 | 5 => self.cut(random, scene, known),
                6 => self.jaws_and_tube(random, scene, known),
                _ => sliding(random),
            }
        }
    }

    unsafe fn renew(&mut self, random: &mut Random) -> palpate_status {
        let mut options = palpate_blade_options_default();
        if random.below(3) == 0 {
            (options.snap, options.least) = (number(random), number(random));
        }
        let branches = [points(random), points(random)];
        // SAFETY: as above.
        unsafe {
            match random.below(4) {
                0 => {
                    palpate_shaft_tracker_free(self.tracker);
                    palpate_shaft_tracker_new(number(random), random.below(3) as u32, &mut self.tracker)
                }
                1 => {
                    palpate_blade_free(self.blade);
                    palpate_blade_new(maybe(random, &options), &mut self.blade)
                }
                2 => {
                    palpate_grasp_tracker_free(self.grasp);
                    palpate_grasp_tracker_new(&mut self.grasp)
                }
                _ => {
                    palpate_lumen_free(self.lumen);
                    palpate_lumen_new(branches.as_ptr(), random.below(3), &mut self.lumen)
                }
            }
        }
    }

    unsafe fn shaft(
        &mut self,
        random: &mut Random,
        scene: *mut palpate_scene,
        known: &[u64],
    ) -> palpate_status {
        let (sections, tissue) = ([points(random), points(random)], id(random, known));
        let mut through = 0;
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0 => palpate_shaft_tracker_allow(self.tracker),
                1 => palpate_shaft_tracker_is_let_through(
                    self.tracker,
                    [0, 1, 2, u32::MAX][random.below(4)],
                    [0, 1, 3, u32::MAX][random.below(4)],
                    number(random),
                    number(random),
                    &mut through,
                ),
                2 if random.below(4) == 0 => palpate_shaft_tracker_reset(self.tracker),
                _ => palpate_shaft_tracker_update(
                    self.tracker,
                    scene,
                    tissue,
                    sections.as_ptr(),
                    random.below(3),
                ),
            }
        }
    }

    unsafe fn ask(&mut self, random: &mut Random) -> palpate_status {
        let (mut crossings, mut path, mut events, mut front, mut count) = (null(), null(), null(), null(), 0);
        let mut tip = MaybeUninit::uninit();
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0 => palpate_shaft_tracker_crossings(self.tracker, &mut crossings, &mut count),
                1 => palpate_shaft_tracker_path(self.tracker, &mut path, &mut count),
                2 => palpate_shaft_tracker_events(self.tracker, &mut events, &mut count),
                3 => palpate_shaft_tracker_tip(self.tracker, tip.as_mut_ptr()),
                4 => palpate_blade_front(self.blade, &mut front, &mut count),
                _ => palpate_blade_lift(self.blade),
            }
        }
    }

    unsafe fn cut(
        &mut self,
        random: &mut Random,
        scene: *mut palpate_scene,
        known: &[u64],
    ) -> palpate_status {
        let (mut before, now, mesh) = (points(random), points(random), id(random, known));
        before.count = if random.below(5) > 0 { now.count } else { before.count };
        let shift = three(random);
        let moved: Vec<[f64; 3]> = (0..now.count.min(6)).map(|k| shift.map(|x| x + 0.2 * k as f64)).collect();
        if random.below(3) > 0 && moved.len() == now.count {
            (before.data, before.scalar, before.stride) = (moved.as_ptr().cast(), PALPATE_F64, 0);
            before.count = moved.len();
        }
        let (mut division, mut swept, mut removed, mut count) = (MaybeUninit::uninit(), null(), null(), 0);
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0 => palpate_scene_swept_cells(
                    scene,
                    mesh,
                    maybe(random, &before),
                    &now,
                    &mut swept,
                    &mut count,
                ),
                1 => palpate_scene_cauterize(
                    scene,
                    mesh,
                    three(random).as_ptr(),
                    sound(random),
                    &mut removed,
                    &mut count,
                ),
                _ => palpate_blade_cut(
                    self.blade,
                    scene,
                    mesh,
                    maybe(random, &before),
                    maybe(random, &now),
                    division.as_mut_ptr(),
                ),
            }
        }
    }

    unsafe fn jaws_and_tube(
        &mut self,
        random: &mut Random,
        scene: *mut palpate_scene,
        known: &[u64],
    ) -> palpate_status {
        let (tissue, sections) = (id(random, known), [points(random), points(random)]);
        let mut contacts = [palpate_contact_default(); 4];
        for (place, contact) in contacts.iter_mut().enumerate() {
            contact.b.point = three(random);
            contact.direction[1] = if place < 2 { 1.0 } else { -1.0 };
        }
        let mut options = palpate_lumen_options_default();
        (options.radius, options.margin, options.reach) = (sound(random), sound(random), sound(random));
        let (mut grasp, mut found, mut count) = (MaybeUninit::uninit(), null(), 0);
        // SAFETY: as above.
        unsafe {
            if random.below(2) == 0 {
                let (first, second) = (contacts.as_ptr(), contacts[2..].as_ptr());
                let counts = [random.below(3), random.below(3)];
                return palpate_grasp_tracker_update(
                    self.grasp,
                    scene,
                    tissue,
                    first,
                    counts[0],
                    second,
                    counts[1],
                    sound(random),
                    grasp.as_mut_ptr(),
                );
            }
            palpate_lumen_contacts(
                self.lumen,
                scene,
                tissue,
                sections.as_ptr(),
                random.below(3),
                maybe(random, &options),
                &mut found,
                &mut count,
            )
        }
    }

    /// Frees everything.
    pub(crate) unsafe fn free(self) {
        // SAFETY: each is living or null, and freed once.
        unsafe {
            assert_eq!(palpate_shaft_tracker_free(self.tracker), PALPATE_OK);
            assert_eq!(palpate_blade_free(self.blade), PALPATE_OK);
            assert_eq!(palpate_grasp_tracker_free(self.grasp), PALPATE_OK);
            assert_eq!(palpate_lumen_free(self.lumen), PALPATE_OK);
        }
    }
}

unsafe fn sliding(random: &mut Random) -> palpate_status {
    let mut particles = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.1], [0.3; 3]];
    let (before, masses) = (particles, [1.0; 3]);
    let mut state = palpate_pbd_state_default();
    (state.particle_count, state.particles) = (random.below(4), particles.as_mut_ptr().cast());
    (state.previous, state.inverse_masses) = (before.as_ptr().cast(), masses.as_ptr());
    let mut sliding = palpate_sliding_default();
    sliding.tissue = [0; 4].map(|_: u32| random.below(4) as u32);
    sliding.weights = [0.5, 0.5, 0.0, number(random)];
    (sliding.is_rigid, sliding.body) = (random.below(3) as u32, random.below(2) as u32);
    sliding.particles = [random.below(4) as u32, random.below(4) as u32];
    (sliding.weight, sliding.friction, sliding.grip) = (number(random), number(random), sound(random));
    // SAFETY: as above.
    unsafe { palpate_sliding_project(&mut sliding, random.below(2), &state, sound(random), 3) }
}
