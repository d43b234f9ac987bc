//! One step: broad phase, derived data of what is near, detectors.

use crate::broad_phase::GroupLinks;
use crate::object::Object;
use crate::timings::Clock;
use crate::{Pair, Scene, SceneError};
use palpate_math::Aabb;

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Pairs whose detector ran.
    pub pairs_run: usize,
    /// Pairs, of those added one by one, that the broad phase proved apart.
    pub pairs_apart: usize,
    /// Contacts of all pairs together.
    pub contacts: usize,
}

impl Scene {
    /// The current coordinates and poses of every geometry become the previous ones: call it before moving them.
    pub fn advance(&mut self) {
        self.objects.iter_mut().flatten().for_each(Object::advance);
    }

    /// Finds the contacts of all pairs between the geometries as they are now. Pairs of a compound whose children came or
    /// went are bound again. Errors: a new child that no detector takes; a detector refuses, which only a user's geometry
    /// that does not keep its promises makes it do; a pair with a [placed](Scene::set_pose) geometry of which neither can be
    /// cloned. Then the scene has no contacts at all, and what other threads read stays as it was.
    ///
    /// Cost: one box per geometry, one box test per pair (or a tree's, when there are many), and for the pairs that are near the
    /// derived data of their geometries and the detector. Without a heap once it has settled.
    pub fn step(&mut self) -> Result<StepReport, SceneError> {
        let mut clock = Clock::start(self.is_timed);
        let done = self.step_timed(&mut clock);
        if done.is_err() {
            self.forget();
        }
        done
    }

    fn step_timed(&mut self, clock: &mut Clock) -> Result<StepReport, SceneError> {
        self.refresh()?;
        self.find_near()?;
        self.timings.broad_phase = clock.lap();
        self.prepare_near();
        self.timings.prepare = clock.lap();
        self.run_near()?;
        self.timings.detect = clock.lap();
        self.steps += 1;
        if self.publisher.has_readers() {
            self.publish();
        }
        self.timings.publish = clock.lap();
        Ok(self.report())
    }

    /// Binds again the pairs of compounds whose children came or went.
    fn refresh(&mut self) -> Result<(), SceneError> {
        for pair in self.pairs.iter_mut().chain(&mut self.group_pairs.pairs) {
            let (a, b) = (pair.a(), pair.b());
            let [Some(first), Some(second)] = [a, b].map(|id| self.objects[id.index()].as_ref()) else {
                continue;
            };
            if let Err(reason) = pair.refresh(&*first.geometry, &*second.geometry) {
                return Err(self.refused(a, b, reason));
            }
        }
        Ok(())
    }

    /// Finds the pairs whose boxes are near; puts apart those that were active and are not near any more.
    fn find_near(&mut self) -> Result<(), SceneError> {
        let (objects, groups) = (&self.objects, &self.group_pairs);
        let bounds = objects.iter().map(|object| object.as_ref().map_or(Aabb::EMPTY, Object::bounds));
        let by_groups = groups.has_rules().then(|| GroupLinks {
            widest_margin: groups.widest_margin(),
            margin: |low: u32, high: u32| match [low, high].map(|number| objects[number as usize].as_ref()) {
                [Some(low), Some(high)] => groups.margin(low, high),
                _ => None,
            },
        });
        self.broad_phase.update(bounds, by_groups);
        let near = self.broad_phase.near();
        for &place in &self.active {
            if near.binary_search(&place).is_err() {
                self.pairs[place].put_apart();
            }
        }
        self.active.clear();
        self.active.extend_from_slice(near);
        if self.group_pairs.has_rules() {
            let of_groups = self.broad_phase.near_of_groups();
            let updated = self.group_pairs.update(of_groups, &self.objects, &self.registry, self.tag);
            updated.map_err(|(a, b, reason)| self.refused(a, b, *reason))?;
        }
        Ok(())
    }

    /// Brings the derived data up to date that the near pairs need.
    fn prepare_near(&mut self) {
        let near = self.active.iter().map(|&place| &self.pairs[place]).chain(&self.group_pairs.pairs);
        for pair in near {
            let needs = pair.needs();
            for (id, needs) in [pair.a(), pair.b()].into_iter().zip(needs) {
                let object = self.objects[id.index()].as_mut().filter(|_| !needs.is_empty());
                if let Some(object) = object {
                    object.geometry.prepare(needs);
                }
            }
        }
    }

    fn run_near(&mut self) -> Result<(), SceneError> {
        let mut clock = Clock::start(self.is_timed);
        let count = self.active.len() + self.group_pairs.pairs.len();
        for number in 0..count {
            let pair = match self.active.get(number) {
                Some(&place) => &mut self.pairs[place],
                None => &mut self.group_pairs.pairs[number - self.active.len()],
            };
            let (a, b) = (pair.a(), pair.b());
            let [Some(first), Some(second)] = [a, b].map(|id| self.objects[id.index()].as_ref()) else {
                continue;
            };
            let run = pair.run(first, second, &*self.executor);
            pair.set_time(clock.lap());
            if let Err(reason) = run {
                return Err(self.refused(a, b, reason));
            }
        }
        Ok(())
    }

    /// Back to before the first step, as far as contacts and memory go.
    fn forget(&mut self) {
        self.pairs.iter_mut().for_each(Pair::forget);
        self.active.clear();
        self.active.extend(0..self.pairs.len());
        self.group_pairs.pairs.clear();
    }

    fn report(&self) -> StepReport {
        let pairs_run = self.active.len() + self.group_pairs.pairs.len();
        let contacts = self.active_pairs().map(|pair| pair.contacts().len()).sum();
        StepReport { pairs_run, pairs_apart: self.pairs.len() - self.active.len(), contacts }
    }

    /// Hands the contacts to other threads.
    pub(crate) fn publish(&mut self) {
        let pairs = self.active.iter().map(|&place| &self.pairs[place]).chain(&self.group_pairs.pairs);
        self.publisher.publish(self.steps, pairs);
    }
}
