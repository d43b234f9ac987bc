//! Pairs added one by one.

use crate::body::Body;
use crate::broad_phase::Link;
use crate::{GeometryId, Pair, PairId, PairOptions, Scene, SceneError};
use palpate_detect::{Bound, DetectError};
use palpate_geometry::Geometry;
use serde::Serialize;
use std::sync::Arc;

/// Result of [`Scene::add_all_pairs`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllPairs {
    /// The added pairs.
    pub bound: Vec<PairId>,
    /// The pairs of geometries for which the registry has no detector.
    pub unsupported: Vec<(GeometryId, GeometryId)>,
}

impl Scene {
    /// Adds the pair of `a` and `b` and binds its detector. If `b` is `a`, the pair is self-contact. Sides A and B of
    /// the contacts are `a` and `b`. Errors: an id of another scene, a pair that no detector supports (both objects and
    /// both kinds are named), an unknown detector, settings that the detector does not have, a margin that is negative
    /// or not finite.
    pub fn add_pair(
        &mut self,
        a: GeometryId,
        b: GeometryId,
        options: PairOptions,
    ) -> Result<PairId, SceneError> {
        let pair = self.bind(a, b, &Arc::new(options))?;
        Ok(self.enter(pair))
    }

    /// Adds all pairs of two different geometries for which the registry has a detector, regardless of their groups,
    /// lower ids first, with default options; lists the pairs without a detector. Pairs that are already in the scene
    /// are not changed, and are in neither list. Errors: none at present.
    pub fn add_all_pairs(&mut self) -> Result<AllPairs, SceneError> {
        self.add_all_pairs_with(PairOptions::default())
    }

    /// As [`add_all_pairs`](Self::add_all_pairs), with these options for each: a pair that cannot be bound with them counts as
    /// one without a detector. Errors: a margin that is negative or not finite.
    pub fn add_all_pairs_with(&mut self, options: PairOptions) -> Result<AllPairs, SceneError> {
        let mut all = AllPairs::default();
        let options = Arc::new(options);
        for (a, b) in self.new_pairs() {
            match self.bind(a, b, &options) {
                Ok(pair) => all.bound.push(self.enter(pair)),
                Err(_) => all.unsupported.push((a, b)),
            }
        }
        Ok(all)
    }

    /// Removes a pair from the scene; the ids of the others do not change. Errors: an id of another scene, of a removed
    /// pair, or of a pair of groups. Cost: linear in the number of pairs.
    pub fn remove_pair(&mut self, id: PairId) -> Result<(), SceneError> {
        let place = self.place(id)?;
        self.pairs.remove(place);
        self.with_parts = None;
        self.broad_phase.remove(place);
        self.active.retain(|&active| active != place);
        for active in &mut self.active {
            *active -= usize::from(*active > place);
        }
        Ok(())
    }

    /// Changes the margin of a pair, in metres, from the next step on. Errors: an id of another scene, of a removed
    /// pair or of a pair of groups; a margin that is negative or not finite.
    pub fn set_margin(&mut self, id: PairId, margin: f64) -> Result<(), SceneError> {
        let place = self.place(id)?;
        let pair = &mut self.pairs[place];
        let (a, b) = (pair.a(), pair.b());
        pair.set_margin(margin).map_err(|reason| self.refused(a, b, reason))?;
        self.broad_phase.set_margin(place, margin);
        Ok(())
    }

    /// Replaces the settings of a pair: a settings struct of its detector, or a JSON object with those that differ from the
    /// alias's or the defaults, as in [`PairOptions::with_settings`] (`json!({})` for none). Its margin, its detector and the
    /// [orders](Pair::orders) of its inputs do not change. The pair starts without memory, and has no contacts until the next
    /// step. A pair with a compound has the settings for all its children. Errors: an id of another scene, of a removed pair or
    /// of a pair of groups; a setting that the detector does not have (it is named) or a value that it does not accept; nothing
    /// is changed then.
    pub fn set_settings(&mut self, id: PairId, settings: impl Serialize) -> Result<(), SceneError> {
        let place = self.place(id)?;
        let pair = &self.pairs[place];
        let (a, b) = (pair.a(), pair.b());
        let options = pair.options().clone().with_settings(settings);
        let bound = pair.bound_with(&self.registry, [self.geometry(a)?, self.geometry(b)?], &options);
        let bound = bound.map_err(|reason| self.refused(a, b, reason))?;
        self.pairs[place].set_options(options, bound);
        self.activate(place);
        Ok(())
    }

    /// Keeps the [orders](Pair::orders) in which the inputs of a pair now reach its detectors: without this, two geometries of
    /// one kind are ordered by their content again whenever the pair is rebound. Errors: an id of another scene, of a removed
    /// pair or of a pair of groups.
    pub fn keep_orders(&mut self, id: PairId) -> Result<(), SceneError> {
        let place = self.place(id)?;
        self.pairs[place].keep_orders();
        Ok(())
    }

    /// Replaces a geometry by another one of any kind, with the same id, name, groups and user data. Its pairs are
    /// rebound with their options and start without memory; the pose at which the scene placed it is discarded. Errors:
    /// an id of another scene, a pair that no detector supports; nothing is changed then.
    pub fn replace(&mut self, id: GeometryId, mut geometry: Box<dyn Geometry>) -> Result<(), SceneError> {
        self.object(id)?;
        geometry.set_placement(None);
        let places: Vec<_> = (0..self.pairs.len()).filter(|&place| self.pairs[place].is_with(id)).collect();
        let rebound = places.iter().map(|&place| self.rebind(place, id, &*geometry));
        let rebound = rebound.collect::<Result<Vec<Bound>, _>>()?;
        let before = std::mem::replace(&mut self.object_mut(id)?.geometry, Body::Own(geometry));
        if let Err(refused) = self.check_rules_for(id.number) {
            self.object_mut(id)?.geometry = before;
            return Err(refused);
        }
        self.object_mut(id)?.frame = None;
        self.group_pairs.pairs.retain(|pair| !pair.is_with(id));
        for (place, bound) in places.into_iter().zip(rebound) {
            self.pairs[place].set_bound(bound);
            self.activate(place);
        }
        self.with_parts = None;
        Ok(())
    }

    /// Removes a geometry and all its pairs from the scene and returns the geometry. Its name can be reused; its id and
    /// those of its pairs are not reused. Of a geometry [shared](Self::add_shared) by another scene a copy is returned.
    /// Errors: an id of another scene or of a removed geometry, a shared geometry that cannot be cloned. Cost: linear in
    /// the number of pairs.
    pub fn remove(&mut self, id: GeometryId) -> Result<Box<dyn Geometry>, SceneError> {
        let object = self.object(id)?;
        if !object.geometry.is_own() {
            self.object_mut(id)?.geometry = Body::Own(object.cloned()?);
        }
        let pairs: Vec<PairId> = self.pairs.iter().filter(|pair| pair.is_with(id)).map(Pair::id).collect();
        pairs.into_iter().try_for_each(|pair| self.remove_pair(pair))?;
        self.group_pairs.pairs.retain(|pair| !pair.is_with(id));
        let object = self.objects[id.index()].take().expect("the geometry is there, as was just seen");
        self.forget_name(&object.name);
        Ok(object.geometry.into_boxed().expect("the scene owns it, as was just seen to"))
    }

    /// Binds the detector of a pair with `geometry` in place of `id`.
    fn rebind(&self, place: usize, id: GeometryId, geometry: &dyn Geometry) -> Result<Bound, SceneError> {
        let pair = &self.pairs[place];
        let side = |side: GeometryId| if side == id { Ok(geometry) } else { self.geometry(side) };
        let bound = pair.rebound(&self.registry, side(pair.a())?, side(pair.b())?);
        bound.map_err(|reason| self.refused(pair.a(), pair.b(), reason))
    }

    fn bind(&self, a: GeometryId, b: GeometryId, options: &Arc<PairOptions>) -> Result<Pair, SceneError> {
        let sides = [(a, self.geometry(a)?), (b, self.geometry(b)?)];
        let id = PairId { scene: self.tag, number: self.pair_ids_given };
        Pair::bind(&self.registry, id, sides, options).map_err(|reason| self.refused(a, b, reason))
    }

    fn enter(&mut self, pair: Pair) -> PairId {
        let id = pair.id();
        self.pair_ids_given += 1;
        self.broad_phase.push(Link { a: pair.a().number, b: pair.b().number, margin: pair.margin() });
        self.active.push(self.pairs.len());
        self.pairs.push(pair);
        self.with_parts = None;
        id
    }

    /// All unordered pairs of two geometries that are not in the scene yet.
    fn new_pairs(&self) -> Vec<(GeometryId, GeometryId)> {
        let mut known: Vec<_> = self.pairs.iter().map(Pair::ordered_ids).collect();
        known.sort_unstable();
        let ids: Vec<GeometryId> = self.geometries().collect();
        let all = ids.iter().enumerate().flat_map(|(at, &a)| ids[at + 1..].iter().map(move |&b| (a, b)));
        all.filter(|pair| known.binary_search(pair).is_err()).collect()
    }

    fn activate(&mut self, place: usize) {
        if let Err(at) = self.active.binary_search(&place) {
            self.active.insert(at, place);
        }
    }

    /// The error of a pair, with the names of its geometries.
    pub(crate) fn refused(&self, a: GeometryId, b: GeometryId, reason: DetectError) -> SceneError {
        let name = |id: GeometryId| self.name(id).unwrap_or_default().to_owned();
        SceneError::Pair { a: name(a), b: name(b), reason: Box::new(reason) }
    }
}
