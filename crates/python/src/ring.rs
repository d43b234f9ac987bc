//! The last seconds of a scene, and the comparison of recordings.

use crate::error::{Failure, Outcome, detached};
use crate::scene::Scene;
use palpate::detect::Flags;
use palpate::diff::{Options, Policy, Tolerance, compare_files};
use palpate::record::{RingOptions, RingRecorder, Trigger};
use palpate::replay::ReplayOptions;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// Keeps the last seconds of a scene in bounded memory.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Ring(Mutex<RingRecorder>);

impl Ring {
    fn enter(&self) -> Outcome<MutexGuard<'_, RingRecorder>> {
        self.0.try_lock().map_err(|_| Failure::busy("the ring"))
    }
}

#[pymethods]
impl Ring {
    /// With triggers of depth (metres) and of flags, by their names.
    #[new]
    fn new(
        scene: &Scene,
        seconds: f64,
        bytes: usize,
        depth: Option<f64>,
        flags: Vec<String>,
    ) -> Outcome<Self> {
        let mut triggers: Vec<Trigger> = depth.map(Trigger::Depth).into_iter().collect();
        for name in flags {
            let flag = Flags::all().iter().find(|flag| flag.names().any(|known| known == name));
            let known = || Flags::all().names().collect::<Vec<_>>().join(", ");
            let flag = flag.ok_or_else(|| {
                Failure::argument(format!("flag: found {name:?}, wanted one of {}", known()))
            })?;
            triggers.push(Trigger::Flags(flag));
        }
        let options = RingOptions { seconds, bytes, triggers };
        Ok(Self(Mutex::new(RingRecorder::new(&*scene.enter()?, options)?)))
    }

    /// What fired, in words.
    fn record(&self, scene: &Scene, time: f64) -> Outcome<Option<String>> {
        let (mut ring, scene) = (self.enter()?, scene.enter()?);
        Ok(ring.record(&scene, time)?.map(|trigger| trigger.to_string()))
    }

    fn rearm(&self) -> Outcome {
        self.enter()?.rearm();
        Ok(())
    }

    /// Steps, seconds, bytes.
    fn size(&self) -> Outcome<(usize, f64, usize)> {
        let ring = self.enter()?;
        Ok((ring.frame_count(), ring.seconds(), ring.bytes()))
    }

    fn write(&self, path: PathBuf) -> Outcome {
        Ok(self.enter()?.write(path)?)
    }
}

/// The comparison of two recordings, files of contacts or snapshots: how many differences count, and the report as text, as JSON and
/// as JUnit XML. `policy` is `exact`, `tolerance` or `same_within`; `tolerances` are metres, radians, relative, of unitless numbers.
#[pyfunction]
pub(crate) fn diff(
    py: Python<'_>,
    paths: [PathBuf; 2],
    policy: &str,
    tolerances: [f64; 4],
    place: Option<f64>,
    allow_empty: bool,
) -> Outcome<(u64, String, String, String)> {
    let [length, angle, relative, unit] = tolerances;
    let tolerance = Tolerance { length, angle, relative, unit, place };
    let policy = match policy {
        "exact" => Policy::Exact,
        "tolerance" => Policy::Tolerance(tolerance),
        _ => Policy::SameWithin(tolerance),
    };
    let options = Options { policy, allow_empty, ..Options::default() };
    let compared = || {
        let [was, is] = &paths;
        Ok(compare_files([was, is], &options, &ReplayOptions::default(), &mut |_, _| ())?)
    };
    let report = detached(py, compared)?;
    let json = palpate::serde_json::to_string(&report);
    let json = json.map_err(|error| Failure::argument(format!("the report is not JSON: {error}")))?;
    Ok((report.counted(), report.to_string(), json, report.junit()))
}
