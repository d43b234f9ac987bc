//! One step: prepare, find what is near, detect.

use crate::{Pair, Scene, SceneError};

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Pairs whose detector ran.
    pub pairs_run: usize,
    /// Pairs that the broad phase proved apart.
    pub pairs_apart: usize,
    /// Contacts of all pairs together.
    pub contacts: usize,
}

impl Scene {
    /// The current coordinates of every geometry become the previous ones: call it before moving them.
    pub fn advance(&mut self) {
        for object in &mut self.objects {
            object.geometry.advance();
        }
    }

    /// Finds the contacts of all pairs between the geometries as they are now. Pairs of a compound whose children came or
    /// went are bound again. Errors: a new child that no detector takes; a detector refuses, which only a user's geometry
    /// that does not keep its promises makes it do. Then the scene has no contacts at all, and what other threads read
    /// stays as it was.
    ///
    /// Cost: one box per geometry, one box test per pair (or a tree's, when there are many), and the detectors of the pairs
    /// that are near. Without a heap once it has settled.
    pub fn step(&mut self) -> Result<StepReport, SceneError> {
        if let Err(error) = self.refresh() {
            self.forget();
            return Err(error);
        }
        for object in &mut self.objects {
            object.geometry.prepare(object.needs);
        }
        self.broad_phase.update(self.objects.iter().map(|object| object.geometry.bounds()));
        self.put_apart();
        if let Err(error) = self.run_near() {
            self.forget();
            return Err(error);
        }
        self.steps += 1;
        if self.publisher.has_readers() {
            self.publish();
        }
        Ok(self.report())
    }

    /// Binds again the pairs of compounds whose children came or went.
    fn refresh(&mut self) -> Result<(), SceneError> {
        let mut changed = false;
        for place in 0..self.pairs.len() {
            let pair = &mut self.pairs[place];
            let (a, b) = (pair.a(), pair.b());
            let [first, second] = [a, b].map(|id| &*self.objects[id.index()].geometry);
            match pair.refresh(first, second) {
                Ok(again) => changed |= again,
                Err(reason) => return Err(self.refused(a, b, reason)),
            }
        }
        if changed {
            self.union_needs();
        }
        Ok(())
    }

    /// Puts apart what was active and is not near any more; what is near becomes what is active.
    fn put_apart(&mut self) {
        let near = self.broad_phase.near();
        for &place in &self.active {
            if near.binary_search(&place).is_err() {
                self.pairs[place].put_apart();
            }
        }
        self.active.clear();
        self.active.extend_from_slice(near);
    }

    fn run_near(&mut self) -> Result<(), SceneError> {
        for &place in &self.active {
            let pair = &mut self.pairs[place];
            let (a, b) = (pair.a(), pair.b());
            let [first, second] = [a, b].map(|id| &*self.objects[id.index()].geometry);
            if let Err(reason) = pair.run(first, second, &*self.executor) {
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
    }

    fn report(&self) -> StepReport {
        let pairs_run = self.active.len();
        let contacts = self.active.iter().map(|&place| self.pairs[place].contacts().len()).sum();
        StepReport { pairs_run, pairs_apart: self.pairs.len() - pairs_run, contacts }
    }

    /// Hands the contacts to other threads.
    pub(crate) fn publish(&mut self) {
        let pairs = self.active.iter().map(|&place| &self.pairs[place]);
        self.publisher.publish(self.steps, pairs);
    }
}
