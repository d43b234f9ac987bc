//! The state of a scene, kept and given back: for rollback.

use crate::body::Body;
use crate::broad_phase::{BroadPhase, Link};
use crate::events::EventLog;
use crate::group_pairs::Rule;
use crate::ids::SceneTag;
use crate::object::{Frame, Object};
use crate::pair::Kept;
use crate::{Groups, Pair, Scene, SceneError, StepTimings};
use palpate_detect::DetectError;
use palpate_geometry::Geometry;

/// The state of a scene at [`Scene::save`].
pub struct SavedScene {
    tag: SceneTag,
    /// Indexed by number.
    objects: Vec<Option<SavedObject>>,
    pairs: Vec<Kept>,
    active: Vec<usize>,
    rules: Vec<Rule>,
    of_groups: Vec<Kept>,
    event_log: EventLog,
    steps: u64,
}

struct SavedObject {
    name: String,
    groups: Groups,
    user_data: u64,
    geometry: Box<dyn Geometry>,
    frame: Option<Frame>,
    is_asleep: bool,
}

impl SavedObject {
    fn of(object: &Object) -> Result<Self, SceneError> {
        if !object.geometry.is_own() {
            return Err(SceneError::SharedByOther { name: object.name.clone() });
        }
        let Object { name, groups, user_data, frame, .. } = object;
        let geometry = object.cloned()?;
        let is_asleep = object.is_asleep();
        Ok(Self {
            name: name.clone(),
            groups: *groups,
            user_data: *user_data,
            geometry,
            frame: *frame,
            is_asleep,
        })
    }

    fn restored(&self) -> Result<Object, SceneError> {
        let refused = || SceneError::NotCloned { name: self.name.clone(), kind: self.geometry.kind() };
        let geometry = Body::Own(self.geometry.try_clone().ok_or_else(refused)?);
        let Self { name, groups, user_data, frame, .. } = self;
        let mut object = Object::new(name.clone(), geometry, *groups);
        if let Some(own) = object.geometry.own_mut() {
            own.set_placement(frame.map(|frame| frame.pose));
        }
        (object.user_data, object.frame) = (*user_data, *frame);
        object.set_asleep(self.is_asleep);
        Ok(object)
    }
}

impl Scene {
    /// Keeps the state of the scene: geometries with their previous states, names, pairs with their settings and contacts, groups,
    /// events, the number of steps. The memory of the detectors is cleared, here and when the state is given back, so that what
    /// follows is the same to the bit both times; the next step costs as much as a first one. The filter, the executor and the
    /// readers are not part of it.
    ///
    /// Errors: a geometry that cannot be cloned, or is [shared](Self::add_shared) by another scene. Cost: a copy of all geometries.
    pub fn save(&mut self) -> Result<SavedScene, SceneError> {
        // Sleeping geometries that the host has moved are searched again in the next step, here as in the restored scene.
        let asleep = self.objects.iter_mut().flatten().filter(|object| object.is_asleep());
        asleep.for_each(|object| object.set_asleep(true));
        let saved = |object: &Option<Object>| object.as_ref().map(SavedObject::of).transpose();
        let objects = self.objects.iter().map(saved).collect::<Result<_, _>>()?;
        self.forget();
        Ok(SavedScene {
            tag: self.tag,
            objects,
            pairs: self.pairs.iter().map(Pair::kept).collect(),
            active: self.active.clone(),
            rules: self.group_pairs.rules.clone(),
            of_groups: self.group_pairs.pairs.iter().map(Pair::kept).collect(),
            event_log: self.event_log.clone(),
            steps: self.steps,
        })
    }

    /// Gives the scene back the state that [`save`](Self::save) kept, any number of times. Geometries and pairs that were removed
    /// since are there again under their ids; ids that were given since are not given again. Errors: a state of another scene, a
    /// pair whose detector is not in the registry any more; nothing is changed then. Cost: a copy of all geometries, and the
    /// binding of all pairs.
    pub fn restore(&mut self, saved: &SavedScene) -> Result<(), SceneError> {
        if saved.tag != self.tag {
            return Err(SceneError::SavedElsewhere);
        }
        let restored = |object: &Option<SavedObject>| object.as_ref().map(SavedObject::restored).transpose();
        let mut objects = saved.objects.iter().map(restored).collect::<Result<Vec<_>, _>>()?;
        let bound = |kept: &Kept| {
            let geometry = |number: usize| {
                objects[number].as_ref().map(|object| &*object.geometry).ok_or(DetectError::BoundOtherwise {
                    name: "a pair".to_owned(),
                    bound: "geometries that are saved with it",
                })
            };
            let [a, b] = kept.sides;
            let pair = geometry(a.index())
                .and_then(|first| Ok((first, geometry(b.index())?)))
                .and_then(|(first, second)| Pair::restored(&self.registry, kept, [first, second]));
            pair.map_err(|reason| self.refused(a, b, reason))
        };
        let pairs = saved.pairs.iter().map(bound).collect::<Result<Vec<_>, _>>()?;
        let of_groups = saved.of_groups.iter().map(bound).collect::<Result<Vec<_>, _>>()?;
        // Numbers that were given since stay given.
        objects.resize_with(objects.len().max(self.objects.len()), || None);
        self.objects = objects;
        self.restore_names();
        self.broad_phase = BroadPhase::default();
        for pair in &pairs {
            let link = Link { a: pair.a().number, b: pair.b().number, margin: pair.margin() };
            self.broad_phase.push(link);
        }
        self.pairs = pairs;
        self.active.clone_from(&saved.active);
        self.near.clear();
        self.with_parts = None;
        self.has_rebound = false;
        self.group_pairs = crate::group_pairs::GroupPairs::default();
        self.group_pairs.rules.clone_from(&saved.rules);
        self.group_pairs.pairs = of_groups;
        self.event_log = saved.event_log.clone();
        self.steps = saved.steps;
        self.timings = StepTimings::default();
        if self.publisher.has_readers() {
            self.publish();
        }
        self.publish_geometries();
        Ok(())
    }
}
