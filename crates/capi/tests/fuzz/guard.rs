//! A guard of random bodies and pairs, and random steps of it.

use crate::geometry::{id, maybe_mut, number, pose, sound, three};
use palpate_capi::*;
use palpate_tests::Random;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// Particles of a step at most.
const MOST: usize = 24;

/// One guard; null until it is asked for.
pub(crate) struct Guarding {
    guard: *mut palpate_guard,
    /// How many particles and poses the last step had.
    counts: [usize; 2],
}

impl Guarding {
    pub(crate) fn new() -> Self {
        Self { guard: null_mut(), counts: [0; 2] }
    }

    /// One call.
    pub(crate) unsafe fn call(
        &mut self,
        random: &mut Random,
        scene: *mut palpate_scene,
        known: &[u64],
    ) -> palpate_status {
        let geometry = id(random, known);
        let (mut number_of_body, mut pair) = (0, 0);
        // SAFETY: all pointers are null or of living values.
        unsafe {
            match random.below(12) {
                0 => {
                    palpate_guard_free(self.guard);
                    palpate_guard_new(&mut self.guard)
                }
                1..=3 => {
                    let kind = [0, 1, 1, 4, 6, 5][random.below(6)];
                    let (index, body) = (random.below(4), maybe_mut(random, &mut number_of_body));
                    palpate_guard_add(self.guard, scene, geometry, kind, index, body)
                }
                4 => palpate_guard_replace(self.guard, random.below(4), scene, geometry),
                5 | 6 => {
                    let [a, b] = [0; 2].map(|_: usize| random.below(5));
                    palpate_guard_add_pair(self.guard, a, b, 0.01 * sound(random), &mut pair)
                }
                _ => self.step(random),
            }
        }
    }

    unsafe fn step(&mut self, random: &mut Random) -> palpate_status {
        let mut counts = [random.below(MOST), 3 + random.below(3)];
        if random.below(2) == 0 {
            counts = self.counts;
        }
        let [count, pose_count] = counts;
        let start: Vec<[f64; 3]> = (0..count).map(|_| three(random)).collect();
        let mut end: Vec<[f64; 3]> =
            start.iter().map(|p| p.map(|x| x + 0.1 * random.between(-1.0, 1.0))).collect();
        let before: Vec<palpate_pose> = (0..pose_count).map(|_| pose(random)).collect();
        let mut after: Vec<palpate_pose> = before.iter().map(|_| pose(random)).collect();
        let mut velocities = vec![[0.1; 6]; count.max(pose_count)];
        let (mut is_free, mut report, step) = (0, MaybeUninit::uninit(), number(random));
        let (from, to) = (start.as_ptr().cast(), end.as_mut_ptr().cast());
        let (poses, to_poses, out) = (before.as_ptr(), after.as_mut_ptr(), velocities.as_mut_ptr());
        // SAFETY: as above; the arrays have as many items as their counts.
        unsafe {
            match random.below(5) {
                0 => palpate_guard_is_free(
                    self.guard,
                    from,
                    to,
                    count,
                    poses,
                    to_poses,
                    pose_count,
                    &mut is_free,
                ),
                1 => palpate_guard_slow(self.guard, to, out.cast(), count, step),
                2 => palpate_guard_slow_bodies(self.guard, out.cast(), pose_count, step),
                _ => {
                    self.counts = counts;
                    let report = report.as_mut_ptr();
                    palpate_guard_hold(self.guard, from, to, count, poses, to_poses, pose_count, report)
                }
            }
        }
    }

    pub(crate) unsafe fn free(self) {
        // SAFETY: freed once.
        assert_eq!(unsafe { palpate_guard_free(self.guard) }, PALPATE_OK);
    }
}
