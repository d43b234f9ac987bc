//! The owner of geometries and pairs.

use crate::broad_phase::BroadPhase;
use crate::snapshot::Publisher;
use crate::{GeometryId, Groups, Pair, PairId, SceneError, SnapshotReader};
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Executor, Registry, Serial};
use palpate_geometry::{Geometry, Needs};
use std::any::{Any, type_name};
use std::collections::HashMap;

/// A geometry in a scene.
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) groups: Groups,
    /// What the detectors of its pairs need together.
    pub(crate) needs: Needs,
    pub(crate) geometry: Box<dyn Geometry>,
}

/// Geometries by name and id, pairs of them, and the contacts of the last step.
pub struct Scene {
    pub(crate) registry: Registry,
    pub(crate) executor: Box<dyn Executor + Send>,
    pub(crate) objects: Vec<Object>,
    ids: HashMap<String, GeometryId>,
    /// In the order of their ids; a removed pair is taken out.
    pub(crate) pairs: Vec<Pair>,
    /// How many pair ids were given.
    pub(crate) pair_ids_given: u32,
    /// The places in `pairs` of those that may have contacts or memory, ascending: all but those put apart.
    pub(crate) active: Vec<usize>,
    pub(crate) broad_phase: BroadPhase,
    pub(crate) publisher: Publisher,
    pub(crate) steps: u64,
}

impl Scene {
    /// An empty scene that binds its pairs with the detectors of `registry`, and runs on the calling thread.
    pub fn new(registry: Registry) -> Self {
        Self {
            registry,
            executor: Box::new(Serial),
            objects: Vec::new(),
            ids: HashMap::new(),
            pairs: Vec::new(),
            pair_ids_given: 0,
            active: Vec::new(),
            broad_phase: BroadPhase::default(),
            publisher: Publisher::default(),
            steps: 0,
        }
    }

    /// An empty scene with all of palpate's detectors.
    pub fn standard() -> Self {
        Self::new(Registry::standard())
    }

    /// The same scene, its detectors' loops run by `executor`. The contacts are the same to the last bit.
    #[must_use]
    pub fn with_executor(self, executor: Box<dyn Executor + Send>) -> Self {
        Self { executor, ..self }
    }

    /// The detectors with which pairs are bound.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Adds a geometry in the default [`Groups`]. Errors: a name that is taken.
    pub fn add(&mut self, name: &str, geometry: impl Geometry) -> Result<GeometryId, SceneError> {
        self.add_boxed(name, Box::new(geometry), Groups::default())
    }

    /// Adds a geometry in groups of its own. Errors: a name that is taken.
    pub fn add_in(
        &mut self,
        name: &str,
        geometry: impl Geometry,
        groups: Groups,
    ) -> Result<GeometryId, SceneError> {
        self.add_boxed(name, Box::new(geometry), groups)
    }

    /// Adds a geometry whose type is known only at run time. Errors: a name that is taken.
    pub fn add_boxed(
        &mut self,
        name: &str,
        geometry: Box<dyn Geometry>,
        groups: Groups,
    ) -> Result<GeometryId, SceneError> {
        if let Some(id) = self.id(name) {
            return Err(SceneError::DuplicateName { name: name.to_owned(), id });
        }
        let number = u32::try_from(self.objects.len())
            .map_err(|_| SceneError::IdsExhausted { what: "geometries", wanted: 1 << 32 })?;
        let id = GeometryId(number);
        self.objects.push(Object { name: name.to_owned(), groups, needs: Needs::empty(), geometry });
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// All geometries, in the order in which they were added.
    pub fn geometries(&self) -> impl ExactSizeIterator<Item = GeometryId> + use<> {
        (0..self.objects.len() as u32).map(GeometryId)
    }

    /// The geometry of this name.
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

    /// A geometry as the type `T`, to be moved or deformed; the next step sees the change. Errors: an id of another
    /// scene, a geometry of another type.
    pub fn geometry_mut<T: Geometry>(&mut self, id: GeometryId) -> Result<&mut T, SceneError> {
        // Looked up twice, since the error names the object that a failed borrow would still hold.
        self.geometry_as::<T>(id)?;
        let any: &mut dyn Any = &mut *self.objects[id.index()].geometry;
        Ok(any.downcast_mut().expect("the geometry is a T, as was just seen"))
    }

    /// A geometry whose type is known only at run time, to be moved or deformed. Errors: an id of another scene.
    pub fn geometry_dyn_mut(&mut self, id: GeometryId) -> Result<&mut dyn Geometry, SceneError> {
        self.object(id)?;
        Ok(&mut *self.objects[id.index()].geometry)
    }

    /// All pairs, in the order of their ids.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = PairId> + '_ {
        self.pairs.iter().map(Pair::id)
    }

    /// A pair. Errors: an id of another scene, or of a pair that was removed.
    pub fn pair(&self, id: PairId) -> Result<&Pair, SceneError> {
        Ok(&self.pairs[self.place(id)?])
    }

    /// The contacts of a pair in the last step. Errors: an id of another scene, or of a pair that was removed.
    pub fn contacts(&self, id: PairId) -> Result<&CollisionData, SceneError> {
        Ok(self.pair(id)?.contacts())
    }

    /// The contacts of all pairs in the last step, in the order of the pairs' ids.
    pub fn all_contacts(&self) -> impl Iterator<Item = (PairId, &Contact)> {
        let with_contacts = self.active.iter().map(|&place| &self.pairs[place]);
        with_contacts.flat_map(|pair| pair.contacts().contacts.iter().map(|contact| (pair.id(), contact)))
    }

    /// The contact of greatest depth in the last step, the first of several; none when nothing touches.
    pub fn deepest(&self) -> Option<(PairId, &Contact)> {
        self.all_contacts().reduce(|best, next| if next.1.depth > best.1.depth { next } else { best })
    }

    /// How many steps succeeded.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What another thread reads the contacts from: it begins with the last step and follows the steps to come, for as
    /// long as it is kept.
    pub fn snapshots(&mut self) -> SnapshotReader {
        if !self.publisher.has_readers() {
            self.publish();
        }
        self.publisher.reader()
    }

    pub(crate) fn object(&self, id: GeometryId) -> Result<&Object, SceneError> {
        let count = self.objects.len();
        self.objects.get(id.index()).ok_or(SceneError::UnknownGeometry { id, count })
    }

    /// Where in `pairs` the pair is.
    pub(crate) fn place(&self, id: PairId) -> Result<usize, SceneError> {
        let count = self.pairs.len();
        self.pairs.binary_search_by_key(&id, Pair::id).map_err(|_| SceneError::UnknownPair { id, count })
    }
}

fn other_type<T>(object: &Object) -> SceneError {
    SceneError::OtherType {
        name: object.name.clone(),
        kind: object.geometry.kind(),
        wanted: type_name::<T>(),
    }
}
