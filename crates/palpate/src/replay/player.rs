//! Loading frames into a scene.

use super::objects::{self, KINDS, Refusal};
use super::threads::executor;
use super::{ReplayError, ReplayOptions};
use crate::detect::Registry;
use crate::geometry::Geometry;
use crate::recording::{Frame, PairInfo, Reader, State, Topology};
use crate::scene::{GeometryId, Groups, PairId, PairOptions, Scene, StepReport};
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
    ids: Vec<GeometryId>,
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
        let mut ids = Vec::new();
        for (object, info) in reader.info().objects.iter().enumerate() {
            let geometry = make(&reader, object, &info.topology, &frame, 0)?;
            ids.push(scene.add_boxed(&info.name, geometry, Groups::default())?);
        }
        let mut replay = Self { reader, scene, frame, ids, unsupported: Vec::new(), loaded: None };
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
        for (object, size_before) in sizes.into_iter().enumerate() {
            let state = &self.frame.states[object];
            if size(state) != size_before || !self.move_to(object, index)? {
                self.remake(object, index)?;
            }
        }
        let changes = std::mem::take(&mut self.frame.changes);
        for change in &changes {
            self.remake_with(change.object, &change.topology, index)?;
        }
        self.frame.changes = changes;
        self.loaded = Some(index);
        Ok(())
    }

    fn jump(&mut self, index: usize) -> Result<(), ReplayError> {
        self.loaded = None;
        let start = index.saturating_sub(1);
        self.reader.read_frame(start, &mut self.frame)?;
        for object in 0..self.ids.len() {
            self.remake(object, start)?;
        }
        self.loaded = Some(start);
        self.load(index)
    }

    fn move_to(&mut self, object: usize, frame: usize) -> Result<bool, ReplayError> {
        if self.frame.changes.iter().any(|change| change.object == object) {
            // Made anew with its new cells afterwards.
            return Ok(true);
        }
        let info = &self.reader.info().objects[object];
        let moved =
            objects::move_to(&mut self.scene, self.ids[object], &info.kind, &self.frame.states[object])?;
        moved.map_err(|reason| ReplayError::Geometry { object: info.name.clone(), frame, reason })
    }

    fn remake(&mut self, object: usize, frame: usize) -> Result<(), ReplayError> {
        let topology = self.reader.topology(object, frame)?;
        self.remake_with(object, &topology, frame)
    }

    fn remake_with(&mut self, object: usize, topology: &Topology, frame: usize) -> Result<(), ReplayError> {
        let geometry = make(&self.reader, object, topology, &self.frame, frame)?;
        Ok(self.scene.replace(self.ids[object], geometry)?)
    }

    fn add_pairs(&mut self, options: &ReplayOptions) -> Result<(), ReplayError> {
        let named = if options.pairs.is_empty() { &self.reader.info().pairs } else { &options.pairs };
        if named.is_empty() {
            return self.add_all_pairs(options.margin);
        }
        for PairInfo { a, b, detector, margin } in named.clone() {
            let margin = options.margin.unwrap_or(margin);
            let pair = PairOptions { detector, margin, ..PairOptions::default() };
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
        self.scene.id(name).ok_or_else(|| {
            let known: Vec<_> = self.reader.info().objects.iter().map(|info| info.name.as_str()).collect();
            ReplayError::UnknownObject { name: name.to_owned(), known: known.join(", ") }
        })
    }
}

/// The geometry of object `object` in the state that `frame` holds.
fn make(
    reader: &Reader,
    object: usize,
    topology: &Topology,
    frame: &Frame,
    index: usize,
) -> Result<Box<dyn Geometry>, ReplayError> {
    let info = &reader.info().objects[object];
    objects::make(info, topology, &frame.states[object]).map_err(|refusal| match refusal {
        Refusal::Geometry(reason) => {
            ReplayError::Geometry { object: info.name.clone(), frame: index, reason }
        }
        Refusal::UnknownKind => {
            ReplayError::UnknownKind { object: info.name.clone(), kind: info.kind.clone(), known: KINDS }
        }
    })
}

/// Returns the size of a primitive; `None` for geometries with vertices.
fn size(state: &State) -> Option<[f64; 3]> {
    match state {
        State::Points(_) => None,
        State::Primitive(primitive) => Some(primitive.size),
    }
}
