//! Loading frames into a scene.

use super::objects;
use super::parts::{Object, Place, make, objects_of, template, unknown};
use super::template::Form;
use super::threads::executor;
use super::{ReplayError, ReplayOptions};
use crate::detect::{Order, Registry};
use crate::geometry::Compound;
use crate::recording::{Frame, PairInfo, Reader, State};
use crate::scene::{GeometryId, Groups, PairId, PairOptions, Scene, StepReport};
use serde_json::Value;
use std::path::Path;

/// A recorded session and the scene that it drives.
///
/// Geometry is made from the first frame, and its pairs are bound; [`load`](Self::load) moves it in place to any frame,
/// [`detect`](Self::detect) finds the contacts of the frame that is loaded. A frame's contacts do not depend on which
/// frames were loaded before.
pub struct Replay {
    reader: Reader,
    scene: Scene,
    frame: Frame,
    objects: Vec<Object>,
    unsupported: Vec<(String, String)>,
    loaded: Option<usize>,
}

impl Replay {
    /// A replay of the session in one file, or in several plain VTKHDF files, with palpate's own detectors. Errors: as
    /// [`Replay::new`]; files that cannot be read.
    pub fn open<P: AsRef<Path>>(paths: &[P], options: &ReplayOptions) -> Result<Self, ReplayError> {
        Self::new(Reader::open_many(paths)?, Registry::standard(), options)
    }

    /// A replay of a session with the detectors of `registry`. Errors: a session without frames, an object of a kind
    /// that has no geometry, a pair of objects that are not there or have no detector, nothing to detect.
    pub fn new(mut reader: Reader, registry: Registry, options: &ReplayOptions) -> Result<Self, ReplayError> {
        if reader.frame_count() == 0 {
            return Err(ReplayError::NoFrames);
        }
        let mut scene = Scene::new(registry);
        if options.threads != 1 {
            scene = scene.with_executor(executor(options.threads)?);
        }
        let mut frame = Frame::default();
        reader.read_frame(0, &mut frame)?;
        let mut objects = objects_of(&reader)?;
        for object in 0..objects.len() {
            if objects[object].whole().is_none() {
                let geometry = make(&mut reader, &objects, object, (&frame, 0))?;
                let name = &reader.info().objects[object].name;
                objects[object].place = Place::Scene(scene.add_boxed(name, geometry, Groups::default())?);
            }
        }
        let mut replay = Self { reader, scene, frame, objects, unsupported: Vec::new(), loaded: None };
        replay.place(0)?;
        replay.add_pairs(options)?;
        replay.loaded = Some(0);
        Ok(replay)
    }

    /// The recording.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The scene as of the last [`load`](Self::load), with the contacts of the last [`detect`](Self::detect).
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The pairs that are detected.
    pub fn pairs(&self) -> impl Iterator<Item = PairId> + '_ {
        self.scene.pairs()
    }

    /// The names of the objects of a pair, side A first. Errors: a pair of another scene.
    pub fn names(&self, pair: PairId) -> Result<[&str; 2], ReplayError> {
        let pair = self.scene.pair(pair)?;
        Ok([self.scene.name(pair.a())?, self.scene.name(pair.b())?])
    }

    /// When all pairs were asked for: the names of those that the registry has no detector for.
    pub fn unsupported(&self) -> &[(String, String)] {
        &self.unsupported
    }

    /// The time of the frame that is loaded, in seconds.
    pub fn time(&self) -> f64 {
        self.frame.time
    }

    /// Moves the geometry to frame `index` (from 0); the frame before it becomes the previous state. Errors: a frame
    /// that is not there, that is damaged, or that holds what is no geometry.
    ///
    /// Cost: reading the frame and copying its coordinates. A frame that does not follow the one that is loaded costs
    /// the frame before it, and making the geometry anew.
    pub fn load(&mut self, index: usize) -> Result<(), ReplayError> {
        match self.loaded {
            Some(loaded) if loaded == index => Ok(()),
            Some(loaded) if loaded + 1 == index => self.follow(index),
            _ => self.jump(index),
        }
    }

    /// Finds the contacts of the frame that is loaded. Errors: a detector refuses.
    pub fn detect(&mut self) -> Result<StepReport, ReplayError> {
        Ok(self.scene.step()?)
    }

    fn follow(&mut self, index: usize) -> Result<(), ReplayError> {
        self.loaded = None;
        // The sizes of primitives before they are overwritten: one that changes is made anew.
        let sizes: Vec<_> = self.frame.states.iter().map(size).collect();
        self.reader.read_frame(index, &mut self.frame)?;
        self.scene.advance();
        for object in 0..self.objects.len() {
            self.objects[object].is_stale = false;
        }
        for change in &self.frame.shapes {
            let object = &mut self.objects[change.object];
            let info = &self.reader.info().objects[change.object];
            object.template = template(info, Some(&change.shape), index)?;
            object.is_stale = true;
        }
        for change in &self.frame.changes {
            self.objects[change.object].is_stale = true;
        }
        for (object, size_before) in sizes.into_iter().enumerate() {
            let is_stale = self.objects[object].is_stale || size(&self.frame.states[object]) != size_before;
            if is_stale || !self.move_to(object, index)? {
                let whole = self.objects[object].whole();
                self.objects[whole.unwrap_or(object)].is_stale = true;
            }
        }
        for object in 0..self.objects.len() {
            if self.objects[object].is_stale {
                self.remake(object, index)?;
            }
        }
        self.place(index)?;
        self.loaded = Some(index);
        Ok(())
    }

    fn jump(&mut self, index: usize) -> Result<(), ReplayError> {
        self.loaded = None;
        let start = index.saturating_sub(1);
        self.reader.read_frame(start, &mut self.frame)?;
        for object in 0..self.objects.len() {
            let info = &self.reader.info().objects[object];
            self.objects[object].template = template(info, self.reader.shape(object, start)?, start)?;
        }
        for object in 0..self.objects.len() {
            self.remake(object, start)?;
        }
        self.place(start)?;
        self.loaded = Some(start);
        self.load(index)
    }

    /// Places the meshes and compounds whose coordinates are in frames of their own.
    fn place(&mut self, frame: usize) -> Result<(), ReplayError> {
        for (object, info) in self.reader.info().objects.iter().enumerate().filter(|(_, info)| info.placed) {
            let Place::Scene(id) = self.objects[object].place else { continue };
            let of_mesh = self.frame.placements.iter().find(|placement| placement.object == object);
            let row = match (of_mesh, &self.frame.states[object]) {
                (Some(placement), _) => (placement.position, placement.rotation_wxyz),
                (None, State::Primitive(primitive)) => (primitive.position, primitive.rotation_wxyz),
                (None, State::Points(_)) => continue,
            };
            let pose = objects::placement(row.0, row.1).map_err(|reason| {
                let object = info.name.clone();
                ReplayError::Geometry { object, frame, reason }
            })?;
            self.scene.set_pose(id, pose)?;
        }
        Ok(())
    }

    /// Moves the geometry of an object in place; `false` when it has to be made anew.
    fn move_to(&mut self, object: usize, frame: usize) -> Result<bool, ReplayError> {
        let Object { template, place, .. } = &self.objects[object];
        let moved = match *place {
            // Its children are moved.
            Place::Scene(_) if matches!(template.form, Form::Compound) => return Ok(true),
            Place::Unmade => return Ok(false),
            Place::Scene(id) => {
                objects::move_to(self.scene.geometry_dyn_mut(id)?, template, &self.frame.states[object])
            }
            Place::Child { of, number } => {
                let Place::Scene(id) = self.objects[of].place else { return Ok(false) };
                let compound = self.scene.geometry_mut::<Compound>(id)?;
                match compound.child_dyn_mut(number) {
                    Some(child) => objects::move_to(child, template, &self.frame.states[object]),
                    None => Ok(false),
                }
            }
        };
        moved.map_err(|reason| {
            let object = self.reader.info().objects[object].name.clone();
            ReplayError::Geometry { object, frame, reason }
        })
    }

    /// Makes the geometry of an object of the scene anew; of a child nothing is done, since its compound is.
    fn remake(&mut self, object: usize, frame: usize) -> Result<(), ReplayError> {
        let Place::Scene(id) = self.objects[object].place else { return Ok(()) };
        let geometry = make(&mut self.reader, &self.objects, object, (&self.frame, frame))?;
        Ok(self.scene.replace(id, geometry)?)
    }

    fn add_pairs(&mut self, options: &ReplayOptions) -> Result<(), ReplayError> {
        let named = if options.pairs.is_empty() { &self.reader.info().pairs } else { &options.pairs };
        if named.is_empty() {
            return self.add_all_pairs(options.margin);
        }
        for PairInfo { a, b, detector, margin, settings, exchanged } in named.clone() {
            let settings: Option<Value> = match settings.as_deref().map(serde_json::from_str).transpose() {
                Ok(settings) => settings,
                Err(error) => return Err(ReplayError::Settings { a, b, reason: error.to_string() }),
            };
            let order = |&exchanged: &bool| if exchanged { Order::Swapped } else { Order::AsGiven };
            let orders: Vec<Order> = exchanged.iter().map(order).collect();
            let margin = options.margin.unwrap_or(margin);
            let pair = PairOptions { detector, settings, margin, orders };
            self.scene.add_pair(self.id(&a)?, self.id(&b)?, pair)?;
        }
        Ok(())
    }

    fn add_all_pairs(&mut self, margin: Option<f64>) -> Result<(), ReplayError> {
        let all = self.scene.add_all_pairs()?;
        if all.bound.is_empty() {
            let describe = |info: &crate::recording::ObjectInfo| format!("{} ({})", info.name, info.kind);
            let objects: Vec<_> = self.reader.info().objects.iter().map(describe).collect();
            return Err(ReplayError::NothingToDetect { objects: objects.join(", ") });
        }
        for pair in all.bound {
            self.scene.set_margin(pair, margin.unwrap_or(0.0))?;
        }
        for (a, b) in all.unsupported {
            let names = (self.scene.name(a)?.to_owned(), self.scene.name(b)?.to_owned());
            self.unsupported.push(names);
        }
        Ok(())
    }

    fn id(&self, name: &str) -> Result<GeometryId, ReplayError> {
        self.scene.id(name).ok_or_else(|| unknown(&self.reader, name))
    }
}

/// Returns the size of a primitive; `None` for geometries with vertices.
fn size(state: &State) -> Option<[f64; 3]> {
    match state {
        State::Points(_) => None,
        State::Primitive(primitive) => Some(primitive.size),
    }
}
