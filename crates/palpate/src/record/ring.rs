//! The last seconds of a scene, in bounded memory.

use super::RecordError;
use super::objects::Objects;
use super::pairs::{pairs_of, pairs_of_groups, with_all_settings};
use super::ring_frames::RingFrames;
use super::trigger::{Trigger, fired};
use crate::recording::{Frame, PairInfo, SessionInfo, Writer, WriterOptions};
use crate::scene::Scene;
use std::collections::BTreeMap;
use std::path::Path;

/// Starting a [`RingRecorder`] of a scene.
pub trait RecordRing {
    /// Keeps the last `seconds` of the scene in memory, at most 256 MiB of them.
    ///
    /// # Errors
    /// As [`RingRecorder::new`].
    fn ring_recorder(&self, seconds: f64) -> Result<RingRecorder, RecordError>;
}

impl RecordRing for Scene {
    fn ring_recorder(&self, seconds: f64) -> Result<RingRecorder, RecordError> {
        RingRecorder::new(self, RingOptions { seconds, ..RingOptions::default() })
    }
}

/// How much a [`RingRecorder`] keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct RingOptions {
    /// Seconds from the first kept step to the last, greater than 0. 10 by default.
    pub seconds: f64,
    /// Bytes of all kept steps together: older ones are dropped first, whatever `seconds` says. 256 MiB by default.
    pub bytes: usize,
    /// What [`RingRecorder::record`] tells of. None by default.
    pub triggers: Vec<Trigger>,
}

impl Default for RingOptions {
    fn default() -> Self {
        Self { seconds: 10.0, bytes: 256 << 20, triggers: Vec::new() }
    }
}

/// Keeps the last seconds of a scene, and writes them on request as a session that replays to the same contacts, to the last
/// bit (a continuous detector has no state before the first kept step).
///
/// Memory is bounded: a step that is dropped gives its buffers to the next, and what does not move is stored once.
///
/// ```
/// use palpate::prelude::*;
/// use palpate::record::{RecordRing, Trigger};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let mut scene = Scene::standard();
/// let ball = scene.add("ball", Sphere::new(Point::new(0.0, 1.0, 0.0), 0.5)?)?;
/// let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y())?)?;
/// scene.add_pair(ball, floor, PairOptions::default())?;
///
/// let mut ring = scene.ring_recorder(2.0)?;
/// ring.add_trigger(Trigger::Depth(0.2));
/// for step in 0..1000 {
///     scene.geometry_mut::<Sphere>(ball)?.set_center(Point::new(0.0, 1.0 - 0.001 * f64::from(step), 0.0))?;
///     scene.step()?;
///     if let Some(reason) = ring.record(&scene, 0.01 * f64::from(step))? {
///         assert!(reason.to_string().contains("depth"));
///         ring.write(folder.path().join("trainee.vtkhdf"))?;
///         break;
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct RingRecorder {
    options: RingOptions,
    info: SessionInfo,
    objects: Objects,
    /// The pairs, as they were when it started.
    pairs: Vec<PairInfo>,
    frames: RingFrames,
    /// What is taken of the scene before it is known whether it can be kept.
    taken: Frame,
    is_fired: bool,
}

impl RingRecorder {
    /// Starts with the geometries and pairs of a scene; during the recording none may be added or removed.
    ///
    /// # Errors
    /// Seconds that are not greater than 0; a geometry that cannot be described.
    pub fn new(scene: &Scene, options: RingOptions) -> Result<Self, RecordError> {
        if options.seconds.is_nan() || options.seconds <= 0.0 {
            let (found, wanted) = (options.seconds.to_string(), "a number greater than 0".to_owned());
            return Err(RecordError::Option { option: "seconds", found, wanted });
        }
        let (objects, infos) = Objects::of(scene)?;
        let pairs = pairs_of(scene)?;
        let all = with_all_settings(scene, &pairs)?.into_iter().chain(pairs_of_groups(scene)?).collect();
        let info = SessionInfo { objects: infos, pairs: all, ..SessionInfo::default() };
        let (frames, taken) = (RingFrames::default(), Frame::default());
        Ok(Self { options, info, objects, pairs, frames, taken, is_fired: false })
    }

    /// Adds a trigger.
    pub fn add_trigger(&mut self, trigger: Trigger) {
        self.options.triggers.push(trigger);
    }

    /// Keeps the current state of the scene, to be called after every [`Scene::step`] with a time in seconds that increases.
    /// Returns the first trigger that fires, once until [`rearm`](Self::rearm). Cost: a copy of what has moved.
    ///
    /// # Errors
    /// Geometries or pairs were added or removed; a shape can no longer be described; time does not increase. The step is then
    /// not kept.
    pub fn record(&mut self, scene: &Scene, time: f64) -> Result<Option<Trigger>, RecordError> {
        if self.frames.last_time().is_some_and(|last| time.is_nan() || time <= last) {
            let (found, wanted) = (format!("{time} s"), "a time after that of the last step".to_owned());
            return Err(RecordError::Option { option: "time", found, wanted });
        }
        if self.frames.len() == 0
            && let Some(objects) = self.objects.again(scene, &self.info.objects)?
        {
            self.info.objects = objects;
        }
        self.taken.time = time;
        self.objects.take(scene, &mut self.taken)?;
        if scene.pairs().filter(|id| !id.is_of_groups()).count() != self.pairs.len() {
            super::pairs::check(&pairs_of(scene)?, &self.pairs)?;
        }
        self.objects.keep(scene, &self.taken)?;
        self.frames.push(&mut self.taken, &mut self.info);
        while self.frames.len() > 1
            && (self.seconds() > self.options.seconds || self.bytes() > self.options.bytes)
        {
            self.frames.drop_first(&mut self.info);
        }
        if self.is_fired {
            return Ok(None);
        }
        let found = fired(scene, &self.options.triggers)?;
        self.is_fired = found.is_some();
        Ok(found)
    }

    /// Lets triggers fire again.
    pub fn rearm(&mut self) {
        self.is_fired = false;
    }

    /// The number of kept steps.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Seconds from the first kept step to the last.
    pub fn seconds(&self) -> f64 {
        self.frames.seconds()
    }

    /// Bytes of the kept steps: coordinates, poses, changed cells and shapes.
    pub fn bytes(&self) -> usize {
        self.frames.bytes()
    }

    /// Writes the kept steps as a session, and keeps them. An existing file is replaced.
    ///
    /// # Errors
    /// Nothing was recorded; the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        self.write_with(path, BTreeMap::new(), WriterOptions { overwrite: true, ..WriterOptions::default() })
    }

    /// [`write`](Self::write) with metadata, as why it was written, and with options of the file.
    ///
    /// # Errors
    /// As [`write`](Self::write); the file exists and may not be replaced.
    pub fn write_with(
        &self,
        path: impl AsRef<Path>,
        metadata: BTreeMap<String, String>,
        options: WriterOptions,
    ) -> Result<(), RecordError> {
        let info = SessionInfo { metadata, ..self.info.clone() };
        let mut writer = Writer::create(path, &info, options)?;
        let mut frame = Frame::default();
        for number in 0..self.frames.len() {
            self.frames.read(number, &mut frame);
            writer.append(&frame)?;
        }
        Ok(writer.finish()?)
    }
}
