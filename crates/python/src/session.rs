//! Recorded sessions: recorder, replay, snapshots.

use crate::batch::Found;
use crate::error::{Failure, Outcome, detached};
use crate::geometry::Geometry;
use crate::input::json;
use crate::memory::{Bytes, bytes_of};
use crate::scene::{Scene, detection};
use palpate::describe::{DescriptionError, Fields, number, text};
use palpate::record::{Precision, Recorder as Own, RecorderOptions};
use palpate::recording::PairInfo;
use palpate::replay::{Replay as OwnReplay, ReplayOptions};
use palpate::serde_json::Value;
use palpate::snapshot::{ContactSnapshot, Detail, SnapshotOptions, session, text_differences};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// Records a scene step by step.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Recorder(Mutex<Option<Own>>);

impl Recorder {
    fn enter(&self) -> Outcome<MutexGuard<'_, Option<Own>>> {
        self.0.try_lock().map_err(|_| Failure::busy("the recorder"))
    }
}

#[pymethods]
impl Recorder {
    /// `error` in metres: how far a kept point may be from where it was; 0 for every bit.
    #[new]
    fn new(path: PathBuf, scene: &Scene, error: f64, single: bool, every: usize) -> Outcome<Self> {
        let precision = match (error, single) {
            (0.0, false) => Precision::Exact,
            (0.0, true) => Precision::Single,
            _ => Precision::Within(error),
        };
        let options = RecorderOptions { precision, every, ..RecorderOptions::default() };
        Ok(Self(Mutex::new(Some(Own::create_as(path, &*scene.enter()?, options)?))))
    }

    fn record(&self, scene: &Scene, time: f64) -> Outcome {
        let (mut own, scene) = (self.enter()?, scene.enter()?);
        let recorder = own.as_mut().ok_or_else(|| Failure::argument("the recording is finished"))?;
        Ok(recorder.record(&scene, time)?)
    }

    fn frame_count(&self) -> Outcome<usize> {
        Ok(self.enter()?.as_ref().map_or(0, Own::frame_count))
    }

    /// Completes the file; of a finished recording nothing is done.
    fn finish(&self) -> Outcome {
        let recorder = self.enter()?.take();
        Ok(recorder.map_or(Ok(()), Own::finish)?)
    }
}

/// A recorded session.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Replay(Mutex<OwnReplay>);

fn pair(value: &Value) -> Result<PairInfo, DescriptionError> {
    let mut fields = Fields::new(value)?;
    let name = "the name of an object";
    let a = fields.required("a", name, text)?.to_owned();
    let b = fields.required("b", name, text)?.to_owned();
    let detector = fields.optional("detector", text)?.map(str::to_owned);
    let margin = fields.optional("margin", number::not_negative)?.unwrap_or(0.0);
    let settings = fields.optional("settings", |value| Ok(value.to_string()))?;
    fields.finish()?;
    Ok(PairInfo { a, b, detector, margin, settings, exchanged: Vec::new() })
}

fn pairs(value: &Value) -> Result<Vec<PairInfo>, DescriptionError> {
    let list = value.as_array().ok_or_else(|| DescriptionError::found(value, "a list of pairs"))?;
    list.iter().enumerate().map(|(place, value)| pair(value).map_err(|error| error.at_index(place))).collect()
}

fn options(value: &str) -> Outcome<ReplayOptions> {
    let value = json(value, "the options")?;
    let mut fields = Fields::new(&value)?;
    let options = ReplayOptions {
        pairs: fields.optional("pairs", pairs)?.unwrap_or_default(),
        margin: fields.optional("margin", number::not_negative)?,
        mesh_scale: fields.optional("mesh_scale", number::positive)?.unwrap_or(1.0),
        detection: fields.optional("detection", detection)?.unwrap_or_default(),
        ..ReplayOptions::default()
    };
    fields.finish()?;
    Ok(options)
}

impl Replay {
    fn enter(&self) -> Outcome<MutexGuard<'_, OwnReplay>> {
        self.0.try_lock().map_err(|_| Failure::busy("the replay"))
    }
}

#[pymethods]
impl Replay {
    /// Opens recordings and mesh files as one session.
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>, replay_options: &str, threads: usize) -> Outcome<Self> {
        let options = ReplayOptions { threads, ..options(replay_options)? };
        Ok(Self(Mutex::new(detached(py, || Ok(OwnReplay::open(&paths, &options)?))?)))
    }

    fn frame_count(&self) -> Outcome<usize> {
        Ok(self.enter()?.frame_count())
    }

    /// The pairs: the names of both objects, and the detector.
    fn pairs(&self) -> Outcome<Vec<(String, String, String)>> {
        let replay = self.enter()?;
        let named = replay.pairs().map(|pair| {
            let [a, b] = replay.names(pair)?;
            Ok((a.to_owned(), b.to_owned(), replay.scene().pair(pair)?.detector().to_owned()))
        });
        named.collect()
    }

    /// The names of the objects.
    fn objects(&self) -> Outcome<Vec<String>> {
        let replay = self.enter()?;
        let scene = replay.scene();
        scene.geometries().map(|id| Ok(scene.name(id)?.to_owned())).collect()
    }

    /// The contacts of frames, for each frame and pair: times, contacts, offsets and flags.
    #[allow(clippy::type_complexity, reason = "four arrays, as Python takes them")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        frames: Vec<usize>,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
        let mut replay = self.enter()?;
        let replay = &mut *replay;
        let (times, found) = detached(py, || {
            let (mut times, mut found) = (Vec::new(), Found::default());
            for frame in frames {
                replay.load(frame)?;
                replay.detect()?;
                times.push(replay.time());
                for pair in replay.pairs() {
                    let pair = replay.scene().pair(pair)?;
                    found.push(&pair.contacts().contacts, pair.status().flags.bits());
                }
            }
            Ok((times, Found::joined(vec![found])))
        })?;
        let (times, contacts) = (bytes_of::<f64>(py, times)?, bytes_of(py, found.contacts)?);
        Ok((times, contacts, bytes_of(py, found.ends)?, bytes_of(py, found.flags)?))
    }

    /// An object where it is in a frame, world frame.
    fn geometry(&self, name: &str, frame: usize) -> Outcome<Geometry> {
        let mut replay = self.enter()?;
        replay.load(frame)?;
        let scene = replay.scene();
        let id =
            scene.id(name).ok_or_else(|| Failure::Own("NotFoundError", format!("no object {name:?}")))?;
        crate::query::placed(scene.geometry(id)?, scene.placement(id)?)
    }
}

/// The contacts of a recorded session as text.
#[pyfunction]
#[pyo3(signature = (path, every, deepest, tolerance, unit_tolerance))]
pub(crate) fn take_snapshot(
    py: Python<'_>,
    path: PathBuf,
    every: usize,
    deepest: Option<usize>,
    tolerance: Option<f64>,
    unit_tolerance: f64,
) -> Outcome<String> {
    let detail = deepest.map_or(Detail::Contacts, Detail::Deepest);
    let options = SnapshotOptions { every, detail, tolerance, unit_tolerance };
    let snapshot: ContactSnapshot = detached(py, || Ok(session(path, &options)?))?;
    Ok(snapshot.to_string())
}

/// The differences of two snapshots, a line each.
#[pyfunction]
pub(crate) fn snapshot_differences(was: &str, now: &str) -> Outcome<Vec<String>> {
    Ok(text_differences(was, now)?.iter().map(ToString::to_string).collect())
}
