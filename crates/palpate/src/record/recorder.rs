//! The recorder.

use super::RecordError;
use super::objects::Objects;
use super::pairs::{check, pairs_of, pairs_of_groups, with_all_settings};
use super::precision::Precision;
use crate::recording::{Frame, PairInfo, SessionInfo, Writer, WriterOptions};
use crate::scene::Scene;
use std::collections::BTreeMap;
use std::path::Path;

/// What a recording says beside the scene, and under which names.
#[derive(Clone, Debug, PartialEq)]
pub struct RecorderOptions {
    /// Options of the file.
    pub writer: WriterOptions,
    /// Whatever is worth remembering.
    pub metadata: BTreeMap<String, String>,
    /// Whether objects get numbers for names: `object 1`, `object 2`, …
    pub anonymous: bool,
    /// How exactly points are kept. Every bit by default.
    pub precision: Precision,
    /// Of so many recorded steps one is kept, the first: 1 by default, all. Greater than 0.
    pub every: usize,
}

impl Default for RecorderOptions {
    fn default() -> Self {
        let (writer, metadata, precision) = (WriterOptions::default(), BTreeMap::new(), Precision::Exact);
        Self { writer, metadata, anonymous: false, precision, every: 1 }
    }
}

/// Records a scene step by step, so that a [`Replay`](crate::replay::Replay) finds the same contacts, bit for bit.
///
/// All built-in geometries can be recorded: shapes, meshes whose vertices move and whose cells change, implicit bodies
/// and compounds. A frame stores the geometry of the scene, not its contacts. During a recording geometries and pairs
/// must not be added or removed, and the margin and detector of a pair must not change. What changes before the first
/// step is recorded is the beginning: a first pose, other cells.
///
/// Frames survive a crash of the process, as with a [`Writer`]: a recorder that is dropped before
/// [`finish`](Self::finish) leaves its journal. Readers open the journal under the session's name, and
/// [`recover`](crate::recording::recover) converts it to the final file.
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
    /// The session, with its own names.
    info: SessionInfo,
    options: RecorderOptions,
    /// Steps that [`record`](Self::record) was called for.
    steps: usize,
    /// The pairs added one by one.
    pairs: Vec<PairInfo>,
    /// Number of rules for pairs of groups.
    groups: usize,
    frame: Frame,
}

impl Recorder {
    /// Starts a recording of a scene at `path`. The directory must exist, the file must not.
    ///
    /// # Errors
    /// As [`create_with`](Self::create_with).
    pub fn create(path: impl AsRef<Path>, scene: &Scene) -> Result<Self, RecordError> {
        Self::create_with(path, scene, WriterOptions::default())
    }

    /// Like [`create`](Self::create), with file options.
    ///
    /// # Errors
    /// A user-defined geometry, or an implicit function that does not describe itself; a scene without geometries; a
    /// file that exists or cannot be created.
    pub fn create_with(
        path: impl AsRef<Path>,
        scene: &Scene,
        options: WriterOptions,
    ) -> Result<Self, RecordError> {
        Self::create_as(path, scene, RecorderOptions { writer: options, ..RecorderOptions::default() })
    }

    /// Like [`create_with`](Self::create_with), with metadata, without names, or with fewer bits and steps.
    ///
    /// # Errors
    /// As [`create_with`](Self::create_with); an option that is not valid.
    pub fn create_as(
        path: impl AsRef<Path>,
        scene: &Scene,
        mut options: RecorderOptions,
    ) -> Result<Self, RecordError> {
        if options.every == 0 {
            let (found, wanted) = ("0".to_owned(), "1 or more".to_owned());
            return Err(RecordError::Option { option: "every", found, wanted });
        }
        if let Some(words) = options.precision.words()? {
            options.metadata.insert("precision".to_owned(), words);
        }
        let (tracked, objects) = Objects::of(scene)?;
        let pairs = pairs_of(scene)?;
        let all = with_all_settings(scene, &pairs)?.into_iter().chain(pairs_of_groups(scene)?).collect();
        let metadata = options.metadata.clone();
        let info = SessionInfo { objects, pairs: all, metadata, ..SessionInfo::default() };
        let writer = Writer::create(path, &named(&info, options.anonymous), options.writer)?;
        let groups = scene.rules_of_groups();
        let (frame, steps) = (Frame::default(), 0);
        Ok(Self { writer, objects: tracked, info, options, steps, pairs, groups, frame })
    }

    /// Records the current state of the scene. Call it after every [`Scene::step`], with the time in seconds, which
    /// must increase. Cost: a copy of all coordinates, a comparison of all cells, and one `write`; nothing for a step
    /// that [`RecorderOptions::every`] leaves out.
    ///
    /// # Errors
    /// Geometries, children of compounds or pairs were added or removed, or a pair changed; a shape can no longer be
    /// described; time does not increase; the disk is full. The step is then not recorded; later steps still can be.
    pub fn record(&mut self, scene: &Scene, time: f64) -> Result<(), RecordError> {
        if !self.steps.is_multiple_of(self.options.every) {
            self.steps += 1;
            return Ok(());
        }
        if self.frame_count() == 0
            && let Some(objects) = self.objects.again(scene, &self.info.objects)?
        {
            self.info.objects = objects;
            self.writer.begin_again(&named(&self.info, self.options.anonymous))?;
        }
        self.frame.time = time;
        self.objects.take(scene, &mut self.frame)?;
        check(&pairs_of(scene)?, &self.pairs)?;
        if scene.rules_of_groups() != self.groups {
            let [found, wanted] = [scene.rules_of_groups(), self.groups].map(|count| count.to_string());
            return Err(RecordError::Changed {
                what: "the number of rules for pairs of groups".to_owned(),
                found,
                wanted,
            });
        }
        self.options.precision.round(&mut self.frame);
        self.writer.append(&self.frame)?;
        self.steps += 1;
        self.objects.keep(scene, &self.frame)
    }

    /// Number of steps in the recording.
    pub fn frame_count(&self) -> usize {
        self.writer.frame_count()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// No step was recorded, or the file cannot be written; the journal is then kept.
    pub fn finish(self) -> Result<(), RecordError> {
        Ok(self.writer.finish()?)
    }
}

/// The session as it is written: with numbers for names if it is anonymous.
fn named(info: &SessionInfo, is_anonymous: bool) -> SessionInfo {
    let mut info = info.clone();
    if is_anonymous {
        anonymise(&mut info);
    }
    info
}

/// Replaces the names of objects by numbers.
fn anonymise(info: &mut SessionInfo) {
    let mut names = BTreeMap::new();
    for object in &mut info.objects {
        let name = format!("object {}", names.len() + 1);
        names.insert(std::mem::replace(&mut object.name, name.clone()), name);
    }
    let renamed = |name: &mut String| {
        if let Some(other) = names.get(name) {
            name.clone_from(other);
        }
    };
    for object in &mut info.objects {
        object.part_of.iter_mut().for_each(|part| renamed(&mut part.compound));
    }
    for pair in &mut info.pairs {
        renamed(&mut pair.a);
        renamed(&mut pair.b);
    }
}
