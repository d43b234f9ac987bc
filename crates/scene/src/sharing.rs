//! Sharing geometries with the scenes of other threads.

use crate::body::{Body, SharedBody};
use crate::exchange::Publisher;
use crate::object::{Frame, Object};
use crate::shared::{Followed, NEEDS, Original, Shared, SharedChange, SharedGeometry};
use crate::{GeometryId, GeometryReader, GeometrySnapshot, Scene, SceneError};
use palpate_geometry::{Geometry, Pose};
use std::sync::Arc;

impl Scene {
    /// A reader of these geometries for another thread, which can query them while this scene is stepped: see
    /// [`add_shared`](Self::add_shared). It starts with the geometries as they are, and receives them as they are at the end
    /// of every step that succeeds from then on. Errors: an id of another scene, a geometry that cannot be cloned.
    ///
    /// Cost: two clones of every geometry, three once it is read. As long as a reader exists, a step copies the vertices of
    /// every shared mesh that has moved and refits the copy's tree; the step does not allocate once it has settled. A mesh
    /// that moves by [`set_pose`](Self::set_pose) alone costs nothing.
    pub fn geometry_reader(&mut self, ids: &[GeometryId]) -> Result<GeometryReader, SceneError> {
        let mut shared = Vec::with_capacity(ids.len());
        let mut slots =
            if self.shared.publisher.has_readers() { self.shared.ids.clone() } else { Vec::new() };
        for &id in ids {
            let object = self.object(id)?;
            object.cloned()?;
            let slot = slots.iter().position(|&other| other == id).unwrap_or_else(|| {
                slots.push(id);
                slots.len() - 1
            });
            let (name, groups, user_data) = (object.name.clone(), object.groups, object.user_data);
            shared.push(SharedGeometry { id, slot, name, groups, user_data });
        }
        for &id in ids {
            // The clones have the derived data of the original.
            if let Some(geometry) = self.object_mut(id)?.geometry.own_mut() {
                geometry.prepare(NEEDS);
            }
        }
        self.shared.ids = slots;
        self.publish_shared();
        Ok(GeometryReader { reader: self.shared.publisher.reader(), geometries: shared.into() })
    }

    /// Adds the geometries of a reader, which belong to another scene, with the names, groups and user data that they had
    /// there: pairs with them are detected in this scene. [`update_shared`](Self::update_shared) takes their newest state;
    /// only their own scene moves them. Returns their ids in this scene, in the order of the reader. Errors: a name that is
    /// in use, a geometry that was removed, kinds that the pairs by groups do not support; nothing is changed then.
    ///
    /// Pairs with continuous detectors fail in [`step`](Self::step): a shared geometry has no previous state.
    pub fn add_shared(&mut self, mut reader: GeometryReader) -> Result<Vec<GeometryId>, SceneError> {
        reader.read();
        let snapshot = reader.keep();
        let mut ids = Vec::with_capacity(reader.geometries.len());
        for shared in &*reader.geometries {
            let added = match SharedBody::new(&snapshot, shared.slot) {
                Some(body) => self.insert(&shared.name, Body::Shared(body), shared.groups),
                None => Err(SceneError::UnknownGeometry { id: shared.id, count: self.geometries().len() }),
            };
            match added {
                Ok(id) => ids.push(id),
                Err(refused) => {
                    for id in ids.into_iter().rev() {
                        self.take_back(id);
                    }
                    return Err(refused);
                }
            }
        }
        for (&id, shared) in ids.iter().zip(&*reader.geometries) {
            let object = self.object_mut(id)?;
            object.user_data = shared.user_data;
            object.frame = frame(snapshot.placement_at(shared.slot));
        }
        self.shared.followed.push(Followed { reader, taken: snapshot, ids: ids.clone() });
        Ok(ids)
    }

    /// Takes the newest finished state of all geometries that other scenes share with this one, for the next
    /// [`step`](Self::step). Never waits: if a state is just being published, the one at hand is kept. Returns whether there
    /// is a newer one. Errors: a geometry that was removed from its scene or replaced by one of another kind; then the state
    /// at hand is kept.
    ///
    /// Cost: constant for each geometry, without the heap.
    pub fn update_shared(&mut self) -> Result<bool, SceneError> {
        let objects = &mut self.objects;
        let Shared { followed, changes, .. } = &mut self.shared;
        let mut is_newer = false;
        changes.clear();
        for Followed { reader, taken, ids } in followed {
            let snapshot = reader.reader.read();
            // A snapshot that is held is not filled again.
            if Arc::ptr_eq(snapshot, taken) {
                continue;
            }
            let mut all = reader.geometries.iter().zip(&*ids);
            let changed = all.find_map(|(shared, id)| {
                let object = objects[id.index()].as_ref().filter(|object| !object.geometry.is_own())?;
                let (found, wanted) = (snapshot.at(shared.slot).map(Geometry::kind), object.geometry.kind());
                (found.as_ref() != Some(&wanted)).then(|| {
                    let found = found.map_or_else(|| "not there".to_owned(), |kind| format!("a {kind}"));
                    SceneError::SharedChanged { name: object.name.clone(), found, wanted }
                })
            });
            if let Some(changed) = changed {
                return Err(changed);
            }
            for (shared, id) in reader.geometries.iter().zip(&*ids) {
                let object = objects[id.index()].as_mut().filter(|object| !object.geometry.is_own());
                if let (Some(object), Some(body)) = (object, SharedBody::new(snapshot, shared.slot)) {
                    object.geometry = Body::Shared(body);
                    object.frame = frame(snapshot.placement_at(shared.slot));
                    changes.extend(changed_cells(*id, shared.slot, [taken, snapshot]));
                }
            }
            *taken = Arc::clone(snapshot);
            is_newer = true;
        }
        Ok(is_newer)
    }

    /// The geometries of other scenes whose cells are others since the last [`update_shared`](Self::update_shared): cut, replaced,
    /// with another child. Empty if they have only moved.
    pub fn shared_changes(&self) -> &[SharedChange] {
        &self.shared.changes
    }

    /// The number of steps that the scene of a shared geometry had made when it published the state at hand; `None` for a
    /// geometry of this scene. Errors: an id of another scene.
    pub fn shared_step(&self, id: GeometryId) -> Result<Option<u64>, SceneError> {
        Ok(self.object(id)?.geometry.shared_step())
    }

    /// Publishes the shared geometries, if anyone reads them.
    pub(crate) fn publish_geometries(&mut self) {
        if self.shared.publisher.has_readers() {
            self.publish_shared();
        } else if self.shared.publisher.has_published() {
            self.shared.publisher = Publisher::default();
            self.shared.ids.clear();
        }
    }

    fn publish_shared(&mut self) {
        let objects = &self.objects;
        self.shared.publish(self.steps, |id| {
            let object = objects[id.index()].as_ref()?;
            Some(Original { geometry: &*object.geometry, placement: object.placement() })
        });
    }

    /// A geometry of this scene's own, to change it.
    pub(crate) fn own_mut(&mut self, id: GeometryId) -> Result<&mut dyn Geometry, SceneError> {
        let object = self.own_object(id)?;
        object.changes += 1;
        Ok(object.geometry.own_mut().expect("the scene owns it, as was just seen"))
    }

    /// An object whose geometry is this scene's own.
    pub(crate) fn own_object(&mut self, id: GeometryId) -> Result<&mut Object, SceneError> {
        let object = self.object(id)?;
        if !object.geometry.is_own() {
            return Err(SceneError::SharedByOther { name: object.name.clone() });
        }
        self.object_mut(id)
    }

    /// Removes the geometry that was added last, which has no pairs.
    fn take_back(&mut self, id: GeometryId) {
        if let Some(object) = self.objects.pop().flatten() {
            debug_assert_eq!(id.index(), self.objects.len());
            self.forget_name(&object.name);
        }
    }
}

impl Object {
    /// A clone of the geometry. Errors: it cannot be cloned.
    pub(crate) fn cloned(&self) -> Result<Box<dyn Geometry>, SceneError> {
        let refused = || SceneError::NotCloned { name: self.name.clone(), kind: self.geometry.kind() };
        self.geometry.try_clone().ok_or_else(refused)
    }
}

/// What has changed between two states of a geometry, if its cells are others.
fn changed_cells(id: GeometryId, slot: usize, [before, now]: [&GeometrySnapshot; 2]) -> Option<SharedChange> {
    if before.topology_at(slot) == now.topology_at(slot) {
        return None;
    }
    let (was_solid, is_solid) = (before.is_solid_at(slot)?, now.is_solid_at(slot)?);
    Some(SharedChange { id, was_solid, is_solid })
}

fn frame(placement: Option<Pose>) -> Option<Frame> {
    placement.map(|pose| Frame { pose, previous: None })
}
