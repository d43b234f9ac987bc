//! The recorder.

use super::RecordError;
use super::objects::Objects;
use super::pairs::{check, pairs_of, pairs_of_groups, with_all_settings};
use crate::recording::{Frame, PairInfo, SessionInfo, Writer, WriterOptions};
use crate::scene::Scene;
use std::path::Path;

/// Records a scene step by step, so that a [`Replay`](crate::replay::Replay) finds the same contacts, to the last bit.
///
/// Everything that palpate has can be recorded: all shapes, meshes whose vertices move and whose cells change, implicit
/// bodies and compounds. What a frame keeps is the scene's geometry, not its contacts. Geometries and pairs must not come
/// or go while it is recorded; nor may a pair's margin or detector change.
///
/// Frames survive the death of the process as those of a [`Writer`] do: a recorder that is dropped before
/// [`finish`](Self::finish) leaves its journal, which readers open under the session's name, and
/// [`recover`](crate::recording::recover) makes the file of it.
///
/// ```
/// use palpate::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("session.h5");
/// let mut scene = Scene::standard();
/// let ball = scene.add("ball", Sphere::new(Point::new(0.0, 1.0, 0.0), 0.5)?)?;
/// let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y())?)?;
/// scene.add_pair(ball, floor, PairOptions::default())?;
///
/// let mut recorder = Recorder::create(&path, &scene)?;
/// for step in 0..10 {
///     scene.advance();
///     scene.geometry_mut::<Sphere>(ball)?.set_center(Point::new(0.0, 1.0 - 0.1 * f64::from(step), 0.0))?;
///     scene.step()?;
///     recorder.record(&scene, 0.01 * f64::from(step))?;
/// }
/// recorder.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct Recorder {
    writer: Writer,
    objects: Objects,
    /// Those that were added one by one.
    pairs: Vec<PairInfo>,
    /// How many rules pair groups.
    groups: usize,
    frame: Frame,
}

impl Recorder {
    /// Starts the recording `path` of a scene with these geometries and pairs; the directory must be there, the file must not.
    ///
    /// # Errors
    /// As [`create_with`](Self::create_with).
    pub fn create(path: impl AsRef<Path>, scene: &Scene) -> Result<Self, RecordError> {
        Self::create_with(path, scene, WriterOptions::default())
    }

    /// [`create`](Self::create) with options of the file.
    ///
    /// # Errors
    /// A geometry or an implicit function of a user's own, which nobody could make again; a scene without geometries; a file
    /// of that name, or none that can be made.
    pub fn create_with(
        path: impl AsRef<Path>,
        scene: &Scene,
        options: WriterOptions,
    ) -> Result<Self, RecordError> {
        let (tracked, objects) = Objects::of(scene)?;
        let pairs = pairs_of(scene)?;
        let all = with_all_settings(scene, &pairs)?.into_iter().chain(pairs_of_groups(scene)?).collect();
        let info = SessionInfo { objects, pairs: all, ..SessionInfo::default() };
        let writer = Writer::create(path, &info, options)?;
        let groups = scene.rules_of_groups();
        Ok(Self { writer, objects: tracked, pairs, groups, frame: Frame::default() })
    }

    /// Records the scene as it is now: call it after every [`Scene::step`], with the time in seconds, which has to rise. Cost: a
    /// copy of all coordinates, a comparison of all cells, and one `write`.
    ///
    /// # Errors
    /// Geometries, children of compounds or pairs came or went, or a pair changed; a shape became one that cannot be
    /// described; time does not rise; the disk is full. The step is then not part of the recording, which may go on.
    pub fn record(&mut self, scene: &Scene, time: f64) -> Result<(), RecordError> {
        self.frame.time = time;
        self.objects.take(scene, &mut self.frame)?;
        if self.frame_count() == 0 {
            self.objects.check_first(&self.frame)?;
        }
        check(&pairs_of(scene)?, &self.pairs)?;
        if scene.rules_of_groups() != self.groups {
            let [found, wanted] = [scene.rules_of_groups(), self.groups].map(|count| count.to_string());
            return Err(RecordError::Changed {
                what: "the rules that pair groups".to_owned(),
                found,
                wanted,
            });
        }
        self.writer.append(&self.frame)?;
        self.objects.keep(scene, &self.frame)
    }

    /// How many steps were recorded.
    pub fn frame_count(&self) -> usize {
        self.writer.frame_count()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// No step was recorded, or the file cannot be written; then the journal stays.
    pub fn finish(self) -> Result<(), RecordError> {
        Ok(self.writer.finish()?)
    }
}
