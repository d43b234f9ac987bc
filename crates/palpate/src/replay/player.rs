//! Player of a recorded session: loads its frames into a scene.

use super::objects;
use super::parts::{Object, Place, make, objects_of, orient, template};
use super::template::Form;
use super::threads::executor;
use super::{ReplayError, ReplayOptions, SessionFiles};
use crate::detect::{DetectError, Detection, Order, Registry, nearest_name};
use crate::explain::{Explanation, explain};
use crate::geometry::Compound;
use crate::math::Point;
use crate::recording::{Frame, ObjectInfo, PairInfo, Reader, State};
use crate::scene::{GeometryId, Groups, PairId, PairOptions, Scene, SceneError, StepReport};
use serde_json::Value;
use std::path::Path;

/// A recorded session and the scene that it drives.
///
/// The geometries are created from the first frame, and the pairs are bound to them. [`load`](Self::load) moves the
/// geometries in place to any frame, [`detect`](Self::detect) finds the contacts of the loaded frame.
///
/// The contacts of a frame do not depend on the frames loaded before: the order in which two geometries of one kind reach their
/// detector is that of the recording, or else the one by their content in the first frame; the boundary of a tetrahedral mesh
/// is oriented as the recording says, or else by the cells' volumes in the frame in which they were new.
pub struct Replay {
    /// `None` if every object is a mesh from a file.
    reader: Option<Reader>,
    scene: Scene,
    frame: Frame,
    objects: Vec<Object>,
    unsupported: Vec<(String, String)>,
    loaded: Option<usize>,
}

impl Replay {
    /// A replay of the session in one file, or in several recordings and mesh files ([`SessionFiles::open`]), with the
    /// built-in detectors. Errors: as [`Replay::new`]; files that cannot be read.
    pub fn open<P: AsRef<Path>>(paths: &[P], options: &ReplayOptions) -> Result<Self, ReplayError> {
        Self::new(SessionFiles::open(paths, options)?, Registry::standard(), options)
    }

    /// [`Replay::open`] without pairs: to read the geometry of the frames.
    pub fn open_undetected<P: AsRef<Path>>(
        paths: &[P],
        options: &ReplayOptions,
    ) -> Result<Self, ReplayError> {
        Self::without_pairs(SessionFiles::open(paths, options)?, Registry::standard(), options)
    }

    /// A replay of a session (a [`Reader`] or [`SessionFiles`]) with the detectors of `registry`. Errors: a session
    /// without frames, an object of an unknown kind, two objects with one name, a pair with an unknown object or without
    /// a detector, nothing to detect.
    pub fn new(
        files: impl Into<SessionFiles>,
        registry: Registry,
        options: &ReplayOptions,
    ) -> Result<Self, ReplayError> {
        let mut replay = Self::without_pairs(files.into(), registry, options)?;
        replay.add_pairs(options)?;
        Ok(replay)
    }

    fn without_pairs(
        files: SessionFiles,
        registry: Registry,
        options: &ReplayOptions,
    ) -> Result<Self, ReplayError> {
        let SessionFiles { mut reader, objects: meshes } = files;
        let mut scene = Scene::new(registry);
        if options.threads != 1 {
            scene = scene.with_executor(executor(options.threads)?);
        }
        let mut frame = Frame::default();
        let mut objects = Vec::new();
        if let Some(reader) = &mut reader {
            if reader.frame_count() == 0 {
                return Err(ReplayError::NoFrames);
            }
            reader.read_frame(0, &mut frame)?;
            objects = objects_of(reader)?;
            for object in 0..objects.len() {
                orient(reader, &mut objects, object, (&frame, 0))?;
            }
            for object in 0..objects.len() {
                if objects[object].whole().is_none() {
                    let geometry = make(reader, &objects, object, (&frame, 0))?;
                    let name = &reader.info().objects[object].name;
                    objects[object].place =
                        Place::Scene(scene.add_boxed(name, geometry, Groups::default())?);
                }
            }
        }
        for (name, mesh) in meshes {
            scene.add_boxed(&name, mesh, Groups::default())?;
        }
        let mut replay = Self { reader, scene, frame, objects, unsupported: Vec::new(), loaded: None };
        replay.place(0)?;
        replay.loaded = Some(0);
        Ok(replay)
    }

    /// The recording; `None` if every object is a mesh from a file.
    pub fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }

    /// The number of frames; 1 if every object is a mesh from a file.
    pub fn frame_count(&self) -> usize {
        self.reader.as_ref().map_or(1, Reader::frame_count)
    }

    /// The seconds from one frame to the next, if constant.
    pub fn time_step(&self) -> Option<f64> {
        self.reader.as_ref().and_then(|reader| reader.info().time_step)
    }

    /// The objects of the recording.
    fn infos(&self) -> &[ObjectInfo] {
        self.reader.as_ref().map_or(&[], |reader| &reader.info().objects)
    }

    /// The scene as of the last [`load`](Self::load), with the contacts of the last [`detect`](Self::detect).
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The detected pairs.
    pub fn pairs(&self) -> impl Iterator<Item = PairId> + '_ {
        self.scene.pairs()
    }

    /// The names of the objects of a pair, side A first. Errors: a pair of another scene.
    pub fn names(&self, pair: PairId) -> Result<[&str; 2], ReplayError> {
        let pair = self.scene.pair(pair)?;
        Ok([self.scene.name(pair.a())?, self.scene.name(pair.b())?])
    }

    /// The names of the pairs without a detector, if all pairs were requested.
    pub fn unsupported(&self) -> &[(String, String)] {
        &self.unsupported
    }

    /// The time of the loaded frame, in seconds.
    pub fn time(&self) -> f64 {
        self.frame.time
    }

    /// Moves the geometries to frame `index` (from 0); the frame before it becomes the previous state. Errors: a frame
    /// that does not exist, is damaged, or does not contain valid geometry.
    ///
    /// Cost: reading the frame and copying its coordinates. A frame that does not directly follow the loaded one also
    /// costs reading the frame before it and recreating the geometries.
    pub fn load(&mut self, index: usize) -> Result<(), ReplayError> {
        match self.loaded {
            Some(loaded) if loaded == index => Ok(()),
            Some(loaded) if loaded + 1 == index => self.follow(index),
            _ => self.jump(index),
        }
    }

    /// Finds the contacts of the loaded frame. Errors: a detector fails.
    pub fn detect(&mut self) -> Result<StepReport, ReplayError> {
        Ok(self.scene.step()?)
    }

    /// Explains the contacts of a pair in the loaded frame, as [`explain`](crate::explain::explain); with a `place` in the
    /// world also what is there. Errors: a detector fails.
    pub fn explain(&mut self, pair: PairId, place: Option<Point>) -> Result<Explanation, ReplayError> {
        Ok(explain(&mut self.scene, pair, place)?)
    }

    fn follow(&mut self, index: usize) -> Result<(), ReplayError> {
        let count = self.frame_count();
        let Some(reader) = self.reader.as_mut().filter(|_| index < count) else {
            return Err(ReplayError::NoSuchFrame { frame: index, count });
        };
        self.loaded = None;
        // The sizes of primitives before they are overwritten: a primitive whose size changes is recreated.
        let sizes: Vec<_> = self.frame.states.iter().map(size).collect();
        reader.read_frame(index, &mut self.frame)?;
        self.scene.advance();
        for object in 0..self.objects.len() {
            self.objects[object].is_stale = false;
        }
        for change in &self.frame.shapes {
            let object = &mut self.objects[change.object];
            let info = &reader.info().objects[change.object];
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
        let count = self.frame_count();
        let Some(reader) = self.reader.as_mut().filter(|_| index < count) else {
            return Err(ReplayError::NoSuchFrame { frame: index, count });
        };
        self.loaded = None;
        let start = index.saturating_sub(1);
        reader.read_frame(start, &mut self.frame)?;
        for object in 0..self.objects.len() {
            let info = &reader.info().objects[object];
            self.objects[object].template = template(info, reader.shape(object, start)?, start)?;
        }
        for object in 0..self.objects.len() {
            self.remake(object, start)?;
        }
        self.place(start)?;
        self.loaded = Some(start);
        self.load(index)
    }

    /// Places the meshes and compounds whose coordinates are in their own frames.
    fn place(&mut self, frame: usize) -> Result<(), ReplayError> {
        let infos = self.reader.as_ref().map_or(&[][..], |reader| &reader.info().objects);
        // In the order of their objects.
        let mut placements = self.frame.placements.iter().peekable();
        for (object, info) in infos.iter().enumerate().filter(|(_, info)| info.placed) {
            let of_mesh = placements.next_if(|placement| placement.object == object);
            let Place::Scene(id) = self.objects[object].place else { continue };
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

    /// Moves the geometry of an object in place; `false` if it has to be recreated.
    fn move_to(&mut self, object: usize, frame: usize) -> Result<bool, ReplayError> {
        let Object { template, place, .. } = &self.objects[object];
        let moved = match *place {
            // Its children are moved instead.
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
            let object = self.infos()[object].name.clone();
            ReplayError::Geometry { object, frame, reason }
        })
    }

    /// Recreates the geometry of an object of the scene. Does nothing for a child, which is recreated with its compound.
    fn remake(&mut self, object: usize, frame: usize) -> Result<(), ReplayError> {
        let Place::Scene(id) = self.objects[object].place else { return Ok(()) };
        let Some(reader) = &mut self.reader else { return Ok(()) };
        orient(reader, &mut self.objects, object, (&self.frame, frame))?;
        for at in 0..self.objects[object].parts.len() {
            let part = self.objects[object].parts[at];
            orient(reader, &mut self.objects, part, (&self.frame, frame))?;
        }
        let geometry = make(reader, &self.objects, object, (&self.frame, frame))?;
        Ok(self.scene.replace(id, geometry)?)
    }

    fn add_pairs(&mut self, options: &ReplayOptions) -> Result<(), ReplayError> {
        let named = match (&options.pairs, &self.reader) {
            (pairs, Some(reader)) if pairs.is_empty() => reader.info().pairs.clone(),
            (pairs, _) => pairs.clone(),
        };
        if named.is_empty() {
            return self.add_all_pairs(options);
        }
        for PairInfo { a, b, detector, margin, settings, exchanged } in named {
            let settings: Option<Value> = match settings.as_deref().map(serde_json::from_str).transpose() {
                Ok(settings) => settings,
                Err(error) => return Err(ReplayError::Settings { a, b, reason: error.to_string() }),
            };
            let order = |&exchanged: &bool| if exchanged { Order::Swapped } else { Order::AsGiven };
            let orders: Vec<Order> = exchanged.iter().map(order).collect();
            let margin = options.margin.unwrap_or(margin);
            let detector = detector.filter(|_| options.detection != Detection::Continuous);
            let pair = PairOptions {
                detector,
                settings,
                margin,
                orders,
                detection: options.detection,
                own_detector: None,
            };
            let pair = self.add_pair([self.id(&a)?, self.id(&b)?], pair)?;
            self.scene.keep_orders(pair)?;
        }
        Ok(())
    }

    /// Adds a pair; without continuous detection if no such detector takes the two.
    fn add_pair(&mut self, [a, b]: [GeometryId; 2], options: PairOptions) -> Result<PairId, SceneError> {
        let still = PairOptions { detection: Detection::Static, ..options.clone() };
        let none = |reason: &DetectError| {
            matches!(reason, DetectError::NoContinuousDetector { .. } | DetectError::NoSelfDetector { .. })
        };
        match self.scene.add_pair(a, b, options) {
            Err(SceneError::Pair { reason, .. }) if none(&reason) => self.scene.add_pair(a, b, still),
            added => added,
        }
    }

    fn add_all_pairs(&mut self, options: &ReplayOptions) -> Result<(), ReplayError> {
        // Before so many are made.
        if let Some(reader) = &self.reader {
            reader.all_pairs()?;
        }
        let mut moving = Vec::new();
        if options.detection != Detection::Static {
            let detection = PairOptions::default().with_detection(options.detection);
            moving = self.scene.add_all_pairs_with(detection)?.bound;
        }
        let mut all = self.scene.add_all_pairs()?;
        all.bound.splice(..0, moving);
        if all.bound.is_empty() {
            let mut objects = Vec::new();
            for id in self.scene.geometries() {
                objects.push((self.scene.name(id)?, self.scene.geometry(id)?.kind()));
            }
            if let [(name, _)] = objects[..] {
                return Err(ReplayError::SingleObject { name: name.to_owned() });
            }
            let objects: Vec<_> = objects.iter().map(|(name, kind)| format!("{name} ({kind})")).collect();
            return Err(ReplayError::NothingToDetect { objects: objects.join(", ") });
        }
        for pair in all.bound {
            self.scene.set_margin(pair, options.margin.unwrap_or(0.0))?;
            self.scene.keep_orders(pair)?;
        }
        for (a, b) in all.unsupported {
            let names = (self.scene.name(a)?.to_owned(), self.scene.name(b)?.to_owned());
            self.unsupported.push(names);
        }
        Ok(())
    }

    fn id(&self, name: &str) -> Result<GeometryId, ReplayError> {
        self.scene.id(name).ok_or_else(|| {
            let known: Vec<&str> =
                self.scene.geometries().filter_map(|id| self.scene.name(id).ok()).collect();
            ReplayError::UnknownObject {
                name: name.to_owned(),
                nearest: nearest_name(name, known.iter().copied()).map(str::to_owned),
                known: known.join(", "),
            }
        })
    }
}

/// Returns the size of a primitive; `None` for geometries with vertices.
fn size(state: &State) -> Option<[f64; 3]> {
    match state {
        State::Points(_) => None,
        State::Primitive(primitive) => Some(primitive.size),
    }
}
