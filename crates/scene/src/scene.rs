//! The scene type: owner of geometries and pairs.

use crate::body::Body;
use crate::broad_phase::BroadPhase;
use crate::events::EventLog;
use crate::exchange::Publisher;
use crate::group_pairs::GroupPairs;
use crate::ids::{MOST_GEOMETRIES, SceneTag};
use crate::object::Object;
use crate::shared::Shared;
use crate::{
    ContactFilter, GeometryId, Groups, Pair, PairId, SceneError, Snapshot, SnapshotReader, StepTimings,
};
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Executor, Registry, Serial};
use palpate_geometry::Geometry;
use std::any::{Any, type_name};
use std::collections::HashMap;

/// Geometries by name and id, pairs of them, and the contacts of the last step.
pub struct Scene {
    pub(crate) tag: SceneTag,
    pub(crate) registry: Registry,
    pub(crate) executor: Box<dyn Executor + Send>,
    /// Indexed by number; the entry of a removed geometry is `None`.
    pub(crate) objects: Vec<Option<Object>>,
    ids: HashMap<String, GeometryId>,
    /// In the order of their ids, without removed pairs.
    pub(crate) pairs: Vec<Pair>,
    /// Number of pair ids issued.
    pub(crate) pair_ids_given: u64,
    /// The indices in `pairs` of those that may have contacts or memory, ascending: all except culled pairs.
    pub(crate) active: Vec<usize>,
    /// The indices in `pairs` of those that are near in the current step, ascending.
    pub(crate) near: Vec<usize>,
    /// The indices in `pairs` of those with several detectors, ascending; `None` after a change of the pairs.
    pub(crate) with_parts: Option<Vec<usize>>,
    /// Whether the current step has rebound a pair.
    pub(crate) has_rebound: bool,
    pub(crate) group_pairs: GroupPairs,
    pub(crate) broad_phase: BroadPhase,
    pub(crate) event_log: EventLog,
    pub(crate) filter: Option<Box<dyn ContactFilter>>,
    pub(crate) publisher: Publisher<Snapshot>,
    pub(crate) shared: Shared,
    pub(crate) steps: u64,
    pub(crate) is_timed: bool,
    pub(crate) timings: StepTimings,
}

impl Scene {
    /// An empty scene that binds its pairs to the detectors of `registry` and runs on the calling thread.
    pub fn new(registry: Registry) -> Self {
        Self {
            tag: SceneTag::new(),
            registry,
            executor: Box::new(Serial),
            objects: Vec::new(),
            ids: HashMap::new(),
            pairs: Vec::new(),
            pair_ids_given: 0,
            active: Vec::new(),
            near: Vec::new(),
            with_parts: None,
            has_rebound: false,
            group_pairs: GroupPairs::default(),
            broad_phase: BroadPhase::default(),
            event_log: EventLog::default(),
            filter: None,
            publisher: Publisher::default(),
            shared: Shared::default(),
            steps: 0,
            is_timed: false,
            timings: StepTimings::default(),
        }
    }

    /// An empty scene with all built-in detectors.
    pub fn standard() -> Self {
        Self::new(Registry::standard())
    }

    /// Runs the loops of the detectors on `executor`. The contacts are the same bit for bit.
    #[must_use]
    pub fn with_executor(self, executor: Box<dyn Executor + Send>) -> Self {
        Self { executor, ..self }
    }

    /// The registry whose detectors are bound to pairs.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Adds a geometry in the default [`Groups`]. Errors: a name already in use, a kind that the [pairs by
    /// groups](Self::add_pairs_by_groups) do not support.
    pub fn add(&mut self, name: &str, geometry: impl Geometry) -> Result<GeometryId, SceneError> {
        self.add_boxed(name, Box::new(geometry), Groups::default())
    }

    /// Adds a geometry in the given groups. Errors as [`add`](Self::add).
    pub fn add_in(
        &mut self,
        name: &str,
        geometry: impl Geometry,
        groups: Groups,
    ) -> Result<GeometryId, SceneError> {
        self.add_boxed(name, Box::new(geometry), groups)
    }

    /// Adds a geometry whose type is known only at run time. Errors as [`add`](Self::add).
    pub fn add_boxed(
        &mut self,
        name: &str,
        geometry: Box<dyn Geometry>,
        groups: Groups,
    ) -> Result<GeometryId, SceneError> {
        self.insert(name, Body::Own(geometry), groups)
    }

    pub(crate) fn insert(
        &mut self,
        name: &str,
        geometry: Body,
        groups: Groups,
    ) -> Result<GeometryId, SceneError> {
        if let Some(id) = self.id(name) {
            return Err(SceneError::DuplicateName { name: name.to_owned(), id });
        }
        let exhausted = SceneError::IdsExhausted { what: "geometries", wanted: u64::from(MOST_GEOMETRIES) };
        let number = u32::try_from(self.objects.len()).ok().filter(|&number| number < MOST_GEOMETRIES);
        let id = self.geometry_id(number.ok_or(exhausted)?);
        self.objects.push(Some(Object::new(name.to_owned(), geometry, groups)));
        if let Err(refused) = self.check_rules_for(id.number) {
            self.objects.pop();
            return Err(refused);
        }
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// All geometries, in the order in which they were added. Cost: allocates a list of the ids.
    pub fn geometries(&self) -> impl ExactSizeIterator<Item = GeometryId> + use<> {
        let present = (0..).zip(&self.objects).filter(|(_, object)| object.is_some());
        let ids: Vec<GeometryId> = present.map(|(number, _)| self.geometry_id(number)).collect();
        ids.into_iter()
    }

    /// The geometry with this name.
    pub fn id(&self, name: &str) -> Option<GeometryId> {
        self.ids.get(name).copied()
    }

    /// The name of a geometry. Errors: an id of another scene.
    pub fn name(&self, id: GeometryId) -> Result<&str, SceneError> {
        Ok(&self.object(id)?.name)
    }

    /// The groups of a geometry. Errors: an id of another scene.
    pub fn groups(&self, id: GeometryId) -> Result<Groups, SceneError> {
        Ok(self.object(id)?.groups)
    }

    /// A geometry. Errors: an id of another scene.
    pub fn geometry(&self, id: GeometryId) -> Result<&dyn Geometry, SceneError> {
        Ok(&*self.object(id)?.geometry)
    }

    /// A geometry as the type `T`. Errors: an id of another scene, a geometry of another type.
    pub fn geometry_as<T: Geometry>(&self, id: GeometryId) -> Result<&T, SceneError> {
        let object = self.object(id)?;
        let any: &dyn Any = &*object.geometry;
        any.downcast_ref().ok_or_else(|| other_type::<T>(object))
    }

    /// Mutable access to a geometry of type `T`; the next step uses the change. Errors: an id of another scene, a
    /// geometry of another type or [shared](Self::add_shared) by another scene.
    pub fn geometry_mut<T: Geometry>(&mut self, id: GeometryId) -> Result<&mut T, SceneError> {
        // Two lookups: the error needs the object that a failed mutable borrow would still hold.
        self.geometry_as::<T>(id)?;
        let any: &mut dyn Any = self.own_mut(id)?;
        Ok(any.downcast_mut().expect("the geometry is a T, as was just seen"))
    }

    /// All pairs, in the order of their ids: those added one by one, then the pairs of groups that are currently near.
    /// Cost: allocates a list of the ids.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = PairId> + use<> {
        let ids: Vec<PairId> = self.pairs.iter().chain(&self.group_pairs.pairs).map(Pair::id).collect();
        ids.into_iter()
    }

    /// The pairs of two geometries, whichever of them is side A, in the order of their ids; those of self-contact if `b` is `a`.
    /// Includes the pair of groups if the two are currently near. Errors: an id of another scene. Cost: linear in the number
    /// of pairs.
    pub fn pairs_of(&self, a: GeometryId, b: GeometryId) -> Result<Vec<PairId>, SceneError> {
        self.object(a)?;
        self.object(b)?;
        let ids = (a.min(b), a.max(b));
        let all = self.pairs.iter().chain(&self.group_pairs.pairs);
        Ok(all.filter(|pair| pair.ordered_ids() == ids).map(Pair::id).collect())
    }

    /// A pair. Errors: an id of another scene, of a removed pair, or of a pair of groups whose geometries are currently
    /// apart.
    pub fn pair(&self, id: PairId) -> Result<&Pair, SceneError> {
        if id.is_of_groups() {
            self.own(id)?;
            let unknown = || SceneError::UnknownPair { id, count: self.pairs().len() };
            return self.group_pairs.find(id).ok_or_else(unknown);
        }
        Ok(&self.pairs[self.place(id)?])
    }

    /// The contacts of a pair in the last step; none for a pair of groups that is apart. Errors: an id of another scene
    /// or of a removed pair.
    pub fn contacts(&self, id: PairId) -> Result<&CollisionData, SceneError> {
        static NONE: CollisionData = CollisionData::new();
        if id.is_of_groups() {
            self.own(id)?;
            return Ok(self.group_pairs.find(id).map_or(&NONE, Pair::contacts));
        }
        Ok(self.pair(id)?.contacts())
    }

    /// The pairs whose detector ran in the last step, in the order of their ids.
    pub fn active_pairs(&self) -> impl Iterator<Item = &Pair> {
        self.active.iter().map(|&place| &self.pairs[place]).chain(&self.group_pairs.pairs)
    }

    /// The pairs that had contacts in the last step, in the order of their ids.
    pub fn pairs_in_contact(&self) -> impl Iterator<Item = &Pair> {
        self.active_pairs().filter(|pair| !pair.contacts().is_empty())
    }

    /// The contacts of all pairs in the last step, in the order of the pairs' ids.
    pub fn all_contacts(&self) -> impl Iterator<Item = (PairId, &Contact)> {
        self.active_pairs()
            .flat_map(|pair| pair.contacts().contacts.iter().map(|contact| (pair.id(), contact)))
    }

    /// The deepest contact of the last step; ties go to the first. `None` if there are no contacts.
    pub fn deepest(&self) -> Option<(PairId, &Contact)> {
        self.all_contacts().reduce(|best, next| if next.1.depth > best.1.depth { next } else { best })
    }

    /// Number of steps that succeeded.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A reader of the contacts for another thread. It starts with the last step that succeeded and receives all later steps as long
    /// as it exists.
    pub fn snapshots(&mut self) -> SnapshotReader {
        if !self.publisher.has_readers() {
            self.publish();
        }
        SnapshotReader { reader: self.publisher.reader() }
    }

    /// Turns the measurement of step times on or off.
    pub fn set_timed(&mut self, is_timed: bool) {
        self.is_timed = is_timed;
        self.timings = StepTimings::default();
    }

    /// The times of the phases of the last step; [`Pair::time`] is the time of each pair. Zero unless the scene is
    /// [timed](Self::set_timed).
    pub fn timings(&self) -> StepTimings {
        self.timings
    }

    pub(crate) fn geometry_id(&self, number: u32) -> GeometryId {
        GeometryId { scene: self.tag, number }
    }

    /// Makes the list of names anew.
    pub(crate) fn restore_names(&mut self) {
        let numbered = (0..).zip(&self.objects);
        let named = numbered.filter_map(|(number, object)| Some((object.as_ref()?.name.clone(), number)));
        self.ids = named.map(|(name, number)| (name, self.geometry_id(number))).collect();
    }

    pub(crate) fn forget_name(&mut self, name: &str) {
        self.ids.remove(name);
    }

    pub(crate) fn object(&self, id: GeometryId) -> Result<&Object, SceneError> {
        if id.scene != self.tag {
            return Err(SceneError::OtherScene { id });
        }
        let object = self.objects.get(id.index()).and_then(Option::as_ref);
        object.ok_or_else(|| SceneError::UnknownGeometry { id, count: self.geometries().len() })
    }

    pub(crate) fn object_mut(&mut self, id: GeometryId) -> Result<&mut Object, SceneError> {
        // Two lookups: the error needs the objects that a failed mutable borrow would still hold.
        self.object(id)?;
        Ok(self.objects[id.index()].as_mut().expect("the geometry is there, as was just seen"))
    }

    /// The index in `pairs` of a pair that was added one by one.
    pub(crate) fn place(&self, id: PairId) -> Result<usize, SceneError> {
        self.own(id)?;
        if id.is_of_groups() {
            return Err(SceneError::PairOfGroups { id });
        }
        let count = self.pairs.len();
        self.pairs.binary_search_by_key(&id, Pair::id).map_err(|_| SceneError::UnknownPair { id, count })
    }

    fn own(&self, id: PairId) -> Result<(), SceneError> {
        if id.scene == self.tag { Ok(()) } else { Err(SceneError::PairOfOtherScene { id }) }
    }
}

fn other_type<T>(object: &Object) -> SceneError {
    SceneError::OtherType {
        name: object.name.clone(),
        kind: object.geometry.kind(),
        wanted: type_name::<T>(),
    }
}
