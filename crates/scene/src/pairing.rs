//! Which pairs a scene detects: named one by one, by groups, or all that can be.

use crate::broad_phase::Link;
use crate::{GeometryId, Pair, PairId, PairOptions, Scene, SceneError};
use palpate_detect::{Bound, DetectError};
use palpate_geometry::{Geometry, Needs};

/// What [`Scene::add_all_pairs`] added, and what it could not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllPairs {
    /// The pairs that were added.
    pub bound: Vec<PairId>,
    /// The geometries for which the registry has no detector.
    pub unsupported: Vec<(GeometryId, GeometryId)>,
}

impl Scene {
    /// Adds the pair of `a` and `b` and binds its detector; `a` twice asks for the contacts of `a` with itself. The sides
    /// of its contacts are those of this call. Errors: an id of another scene, a pair that no detector takes (both
    /// objects and both kinds are named), an unknown detector, settings that are not its own, a margin that is no
    /// length.
    pub fn add_pair(
        &mut self,
        a: GeometryId,
        b: GeometryId,
        options: PairOptions<'_>,
    ) -> Result<PairId, SceneError> {
        let pair = self.bind(a, b, options)?;
        self.enter(pair)
    }

    /// Adds all pairs of two different geometries whose [`Groups`](crate::Groups) pass, lower ids first, with default
    /// options. Pairs that are in the scene already, with whatever detector, are left as they are. Errors: a pair that no
    /// detector takes; then none is added.
    pub fn add_pairs_by_groups(&mut self) -> Result<Vec<PairId>, SceneError> {
        let mut pairs = Vec::new();
        for (a, b) in self.new_pairs() {
            if self.object(a)?.groups.pass(self.object(b)?.groups) {
                pairs.push(self.bind(a, b, PairOptions::default())?);
            }
        }
        pairs.into_iter().map(|pair| self.enter(pair)).collect()
    }

    /// Adds all pairs of two different geometries that the registry has a detector for, whatever their groups, lower ids
    /// first, with default options; lists those it has none for. Pairs that are in the scene already are left as they
    /// are, and are in neither list. Errors: pair ids are exhausted.
    pub fn add_all_pairs(&mut self) -> Result<AllPairs, SceneError> {
        let mut all = AllPairs::default();
        for (a, b) in self.new_pairs() {
            match self.bind(a, b, PairOptions::default()) {
                Ok(pair) => all.bound.push(self.enter(pair)?),
                Err(_) => all.unsupported.push((a, b)),
            }
        }
        Ok(all)
    }

    /// Takes a pair out of the scene; the ids of the others stay. Errors: an id of another scene, or of a pair that was
    /// removed. Cost: linear in the number of pairs.
    pub fn remove_pair(&mut self, id: PairId) -> Result<(), SceneError> {
        let place = self.place(id)?;
        self.pairs.remove(place);
        self.broad_phase.remove(place);
        self.active.retain(|&active| active != place);
        for active in &mut self.active {
            *active -= usize::from(*active > place);
        }
        self.union_needs();
        Ok(())
    }

    /// Changes the margin of a pair, in metres, from the next step on. Errors: an id of another scene or of a pair that
    /// was removed, a margin that is no length.
    pub fn set_margin(&mut self, id: PairId, margin: f64) -> Result<(), SceneError> {
        let place = self.place(id)?;
        let pair = &mut self.pairs[place];
        let (a, b) = (pair.a(), pair.b());
        pair.set_margin(margin).map_err(|reason| self.refused(a, b, reason))?;
        self.broad_phase.set_margin(place, margin);
        Ok(())
    }

    /// Puts another geometry, of any kind, in place of one, under the same id, name and groups. Its pairs are bound
    /// again with the options they were added with, and begin without memory. Errors: an id of another scene, a pair that
    /// no detector takes; then nothing is changed.
    pub fn replace(&mut self, id: GeometryId, geometry: Box<dyn Geometry>) -> Result<(), SceneError> {
        self.object(id)?;
        let places: Vec<_> = (0..self.pairs.len()).filter(|&place| self.pairs[place].is_with(id)).collect();
        let rebound = places.iter().map(|&place| self.rebind(place, id, &*geometry));
        let rebound = rebound.collect::<Result<Vec<Bound>, _>>()?;
        self.objects[id.index()].geometry = geometry;
        for (place, bound) in places.into_iter().zip(rebound) {
            self.pairs[place].set_bound(bound);
            self.activate(place);
        }
        self.union_needs();
        Ok(())
    }

    /// The detector of a pair once `geometry` stands for `id`.
    fn rebind(&self, place: usize, id: GeometryId, geometry: &dyn Geometry) -> Result<Bound, SceneError> {
        let pair = &self.pairs[place];
        let side =
            |side: GeometryId| if side == id { geometry } else { &*self.objects[side.index()].geometry };
        let bound = pair.rebound(&self.registry, side(pair.a()), side(pair.b()));
        bound.map_err(|reason| self.refused(pair.a(), pair.b(), reason))
    }

    fn bind(&self, a: GeometryId, b: GeometryId, options: PairOptions<'_>) -> Result<Pair, SceneError> {
        let sides = [(a, self.geometry(a)?), (b, self.geometry(b)?)];
        Pair::bind(&self.registry, sides, options).map_err(|reason| self.refused(a, b, reason))
    }

    fn enter(&mut self, pair: Pair) -> Result<PairId, SceneError> {
        let id = PairId(self.pair_ids_given);
        let given = self.pair_ids_given.checked_add(1);
        self.pair_ids_given =
            given.ok_or(SceneError::IdsExhausted { what: "pairs", wanted: u64::from(u32::MAX) })?;
        self.broad_phase.push(Link { a: pair.a().0, b: pair.b().0, margin: pair.margin() });
        self.active.push(self.pairs.len());
        self.pairs.push(pair.numbered(id));
        self.note_needs(self.pairs.len() - 1);
        Ok(id)
    }

    /// All unordered pairs of two geometries that are not in the scene yet.
    fn new_pairs(&self) -> Vec<(GeometryId, GeometryId)> {
        let mut known: Vec<_> = self.pairs.iter().map(Pair::ordered_ids).collect();
        known.sort_unstable();
        let ids = || self.geometries();
        let all = ids().flat_map(|a| ids().skip(a.index() + 1).map(move |b| (a, b)));
        all.filter(|pair| known.binary_search(pair).is_err()).collect()
    }

    fn activate(&mut self, place: usize) {
        if let Err(at) = self.active.binary_search(&place) {
            self.active.insert(at, place);
        }
    }

    /// What each geometry must have prepared for all of its pairs together.
    pub(crate) fn union_needs(&mut self) {
        self.objects.iter_mut().for_each(|object| object.needs = Needs::empty());
        (0..self.pairs.len()).for_each(|place| self.note_needs(place));
    }

    fn note_needs(&mut self, place: usize) {
        let pair = &self.pairs[place];
        let [needs_a, needs_b] = pair.bound().needs();
        self.objects[pair.a().index()].needs |= needs_a;
        self.objects[pair.b().index()].needs |= needs_b;
    }

    /// The error of a pair, with the names of its geometries.
    pub(crate) fn refused(&self, a: GeometryId, b: GeometryId, reason: DetectError) -> SceneError {
        let name = |id: GeometryId| self.objects[id.index()].name.clone();
        SceneError::Pair { a: name(a), b: name(b), reason: Box::new(reason) }
    }
}
