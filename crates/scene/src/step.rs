//! One step: broad phase, derived data of near geometries, detectors.

use crate::broad_phase::GroupLinks;
use crate::object::Object;
use crate::timings::Clock;
use crate::{Pair, Scene, SceneError, StepTimings};
use palpate_math::Aabb;

/// Summary of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Number of near pairs: those whose detector ran, and those that are unchanged.
    pub pairs_run: usize,
    /// Number of near pairs that nothing changed for since the last step: they keep their contacts, and no detector ran.
    pub pairs_unchanged: usize,
    /// Number of pairs that the broad phase culled, of those added one by one.
    pub pairs_apart: usize,
    /// Total number of contacts.
    pub contacts: usize,
}

impl Scene {
    /// Makes the current coordinates and poses of all geometries the previous ones. Call it before moving them.
    pub fn advance(&mut self) {
        self.objects.iter_mut().flatten().for_each(Object::advance);
    }

    /// Clears the memory that detectors have of earlier steps: the next step finds what a first one would. For a scene that stands for
    /// several worlds in turn. Contacts and events stay; no heap.
    pub fn forget(&mut self) {
        self.pairs.iter_mut().chain(&mut self.group_pairs.pairs).for_each(Pair::forget_memory);
    }

    /// Finds the contacts of all pairs in the current state of the geometries. Pairs of a compound whose children were
    /// added or removed are rebound. Errors: a new child that no detector supports; a detector that fails, which
    /// happens only if a user-defined geometry violates its contract; a pair with a [placed](Scene::set_pose) geometry
    /// of which neither side can be cloned. After an error the scene is as before the step: the contacts are those of the
    /// last step that succeeded, and so is the snapshot for other threads.
    ///
    /// Cost: one box per geometry, one box test per pair (or a tree query if there are many), and for the near pairs
    /// the derived data of their geometries and the detector. A pair of which neither geometry has changed, nor its previous state, keeps
    /// its contacts without a look. A settled step does not allocate.
    pub fn step(&mut self) -> Result<StepReport, SceneError> {
        let mut clock = Clock::start(self.is_timed);
        let mut timings = StepTimings::default();
        if let Err(error) = self.find_contacts(&mut clock, &mut timings) {
            self.undo();
            return Err(error);
        }
        self.commit();
        self.find_events();
        self.steps += 1;
        if self.publisher.has_readers() {
            self.publish();
        }
        self.publish_geometries();
        timings.publish = clock.lap();
        self.timings = timings;
        Ok(self.report())
    }

    /// Finds the contacts, without a change that [`undo`](Self::undo) does not take back.
    fn find_contacts(&mut self, clock: &mut Clock, timings: &mut StepTimings) -> Result<(), SceneError> {
        self.refresh()?;
        self.find_near()?;
        timings.broad_phase = clock.lap();
        self.prepare_near();
        timings.prepare = clock.lap();
        self.run_near()?;
        timings.detect = clock.lap();
        Ok(())
    }

    /// Rebinds the pairs of compounds whose children were added or removed.
    fn refresh(&mut self) -> Result<(), SceneError> {
        self.near.clear();
        let with_parts = self.with_parts.take().unwrap_or_else(|| {
            (0..self.pairs.len()).filter(|&place| self.pairs[place].has_parts()).collect()
        });
        let rebound = self.rebind_changed(&with_parts);
        self.with_parts = Some(with_parts);
        rebound
    }

    fn rebind_changed(&mut self, with_parts: &[usize]) -> Result<(), SceneError> {
        for number in 0..with_parts.len() + self.group_pairs.pairs.len() {
            let pair = numbered(number, with_parts, &mut self.pairs, &mut self.group_pairs.pairs);
            let (a, b) = (pair.a(), pair.b());
            let [Some(first), Some(second)] = [a, b].map(|id| self.objects[id.index()].as_ref()) else {
                continue;
            };
            match pair.refresh(&*first.geometry, &*second.geometry) {
                Ok(has_changed) => self.has_rebound |= has_changed,
                Err(reason) => return Err(self.refused(a, b, reason)),
            }
        }
        Ok(())
    }

    /// Finds the pairs whose boxes are near.
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
        self.near.extend_from_slice(self.broad_phase.near());
        if self.group_pairs.has_rules() {
            let of_groups = self.broad_phase.near_of_groups();
            let updated = self.group_pairs.update(of_groups, &self.objects, &self.registry, self.tag);
            updated.map_err(|(a, b, reason)| self.refused(a, b, *reason))?;
        }
        Ok(())
    }

    /// Updates the derived data that the near pairs need.
    fn prepare_near(&mut self) {
        for number in 0..self.near.len() + self.group_pairs.pairs.len() {
            let pair = numbered(number, &self.near, &mut self.pairs, &mut self.group_pairs.pairs);
            if let [Some(first), Some(second)] =
                [pair.a(), pair.b()].map(|id| self.objects[id.index()].as_ref())
            {
                pair.refresh_copy(&*first.geometry, &*second.geometry);
            }
            let needs = pair.needs();
            for (id, needs) in [pair.a(), pair.b()].into_iter().zip(needs) {
                let object = self.objects[id.index()].as_mut().filter(|_| !needs.is_empty());
                // What is shared by another scene was prepared there.
                if let Some(geometry) = object.and_then(|object| object.geometry.own_mut()) {
                    geometry.prepare_by(needs, self.executor.tasks());
                }
            }
        }
    }

    fn run_near(&mut self) -> Result<(), SceneError> {
        let mut clock = Clock::start(self.is_timed);
        let count = self.near.len() + self.group_pairs.pairs.len();
        for number in 0..count {
            let pair = numbered(number, &self.near, &mut self.pairs, &mut self.group_pairs.pairs);
            let (a, b) = (pair.a(), pair.b());
            let [Some(first), Some(second)] = [a, b].map(|id| self.objects[id.index()].as_ref()) else {
                continue;
            };
            let run = pair.run(first, second, &*self.executor, self.filter.is_some());
            pair.set_time(clock.lap());
            if let Err(reason) = run {
                return Err(self.refused(a, b, reason));
            }
            if let Some(filter) = &mut self.filter {
                pair.filter(&mut **filter);
            }
        }
        Ok(())
    }

    /// Makes what was found the contacts of the step, and marks active pairs that are no longer near as culled.
    fn commit(&mut self) {
        self.group_pairs.commit();
        if std::mem::take(&mut self.has_rebound) {
            self.pairs.iter_mut().chain(&mut self.group_pairs.pairs).for_each(Pair::commit);
        }
        for &place in &self.active {
            if self.near.binary_search(&place).is_err() {
                self.pairs[place].put_apart();
            }
        }
        self.near.iter().for_each(|&place| self.pairs[place].publish());
        self.group_pairs.pairs.iter_mut().for_each(Pair::publish);
        std::mem::swap(&mut self.active, &mut self.near);
    }

    /// Puts the scene right after a panic that unwound from [`step`](Self::step) and was caught: one of a user's own geometry, or
    /// of a callback. The contacts are those of the last step that succeeded, and the detectors of the near pairs have no memory.
    /// Only to be called then.
    pub fn abandon_step(&mut self) {
        self.undo();
    }

    /// Gives back the state before the step. The detectors that ran have no memory.
    fn undo(&mut self) {
        self.near.iter().for_each(|&place| self.pairs[place].forget_memory());
        self.group_pairs.pairs.iter_mut().for_each(Pair::forget_memory);
        self.group_pairs.undo();
        self.has_rebound = false;
        self.pairs.iter_mut().chain(&mut self.group_pairs.pairs).for_each(Pair::undo);
    }

    fn report(&self) -> StepReport {
        let pairs_run = self.active.len() + self.group_pairs.pairs.len();
        let contacts = self.active_pairs().map(|pair| pair.contacts().len()).sum();
        let pairs_unchanged = self.active_pairs().filter(|pair| pair.is_unchanged()).count();
        let pairs_apart = self.pairs.len() - self.active.len();
        StepReport { pairs_run, pairs_unchanged, pairs_apart, contacts }
    }

    /// Publishes the contacts for other threads.
    pub(crate) fn publish(&mut self) {
        let pairs = self.active.iter().map(|&place| &self.pairs[place]).chain(&self.group_pairs.pairs);
        self.publisher.publish(|snapshot| snapshot.fill(self.steps, pairs));
    }
}

/// Returns a pair by its number: first the pairs at `places`, then those of groups.
fn numbered<'a>(
    number: usize,
    places: &[usize],
    pairs: &'a mut [Pair],
    of_groups: &'a mut [Pair],
) -> &'a mut Pair {
    match places.get(number) {
        Some(&place) => &mut pairs[place],
        None => &mut of_groups[number - places.len()],
    }
}
