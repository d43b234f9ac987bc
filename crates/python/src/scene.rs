//! Scenes: geometries, pairs, the step and its contacts.

use crate::error::{Failure, Outcome, detached};
use crate::geometry::{Geometry, positions};
use crate::input::{json, numbers_of, points, pose_of, poses};
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use bytemuck::{Pod, Zeroable};
use palpate::contact::NONE;
use palpate::describe::{DescriptionError, Fields, number, text};
use palpate::detect::{Detection, Pool};
use palpate::scene::{Change, Groups, PairOptions, SavedScene, Scene as Own};
use palpate::serde_json::Value;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// The id of a geometry in one scene.
#[pyclass(frozen, eq, hash, module = "palpate._palpate")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GeometryId(pub(crate) palpate::scene::GeometryId);

/// The id of a pair in one scene.
#[pyclass(frozen, eq, hash, module = "palpate._palpate")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PairId(pub(crate) palpate::scene::PairId);

#[pymethods]
impl GeometryId {
    /// The number.
    fn __index__(&self) -> usize {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.0)
    }
}

#[pymethods]
impl PairId {
    /// The number.
    fn __index__(&self) -> u64 {
        self.0.number()
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.0)
    }
}

/// A state of a scene.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Saved(SavedScene);

/// Geometries, pairs and contacts. One call at a time.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Scene(Mutex<Own>);

/// An event of a contact.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Event {
    pair: u64,
    id: u64,
    children: [u32; 2],
    change: u32,
    contact: u32,
}

/// The layout of an event.
pub(crate) fn layout() -> Layout {
    layout!("event", Event, pair, id, children, change, contact)
}

/// The options of a pair from JSON.
pub(crate) fn options(value: &str) -> Outcome<PairOptions> {
    let value = json(value, "the options")?;
    let mut fields = Fields::new(&value)?;
    let detector = fields.optional("detector", text)?.map(str::to_owned);
    let settings = fields.optional("settings", |value| Ok(value.clone()))?;
    let margin = fields.optional("margin", number::not_negative)?.unwrap_or(0.0);
    let detection = fields.optional("detection", detection)?.unwrap_or_default();
    fields.finish()?;
    Ok(PairOptions { detector, settings, margin, detection, ..PairOptions::default() })
}

/// Static or continuous detection, or both.
pub(crate) fn detection(value: &Value) -> Result<Detection, DescriptionError> {
    Ok(match text(value)? {
        "static" => Detection::Static,
        "continuous" => Detection::Continuous,
        "continuous_then_static" => Detection::ContinuousThenStatic,
        _ => return Err(DescriptionError::found(value, "static, continuous or continuous_then_static")),
    })
}

/// Runs a step without the interpreter's lock; what a failing callback leaves of it is abandoned.
pub(crate) fn detached_step<T: Send>(
    py: Python<'_>,
    scene: &mut Own,
    work: impl FnOnce(&mut Own) -> Outcome<T> + Send,
) -> Outcome<T> {
    let stepped = detached(py, || work(&mut *scene));
    if let Err(Failure::Callback(..) | Failure::Own("PanicError", _)) = &stepped {
        scene.abandon_step();
    }
    stepped
}

impl Scene {
    /// The scene, for one call. Errors: it is in another call.
    pub(crate) fn enter(&self) -> Outcome<MutexGuard<'_, Own>> {
        self.0.try_lock().map_err(|_| Failure::busy("the scene"))
    }

    /// Changes the scene without the interpreter's lock: it may call functions of the caller.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Own) -> Outcome<T> + Send,
    ) -> Outcome<T> {
        let mut scene = self.enter()?;
        let scene = &mut *scene;
        detached(py, || work(scene))
    }
}

#[pymethods]
impl Scene {
    #[new]
    fn new(threads: usize) -> Outcome<Self> {
        let scene = Own::standard();
        Ok(Self(Mutex::new(match threads {
            1 => scene,
            threads => scene.with_executor(Box::new(Pool::new(threads)?)),
        })))
    }

    fn add(
        &self,
        py: Python<'_>,
        name: &str,
        geometry: &Geometry,
        membership: u32,
        mask: u32,
    ) -> Outcome<GeometryId> {
        let shape = geometry.cloned()?;
        self.change(py, |scene| Ok(GeometryId(scene.add_boxed(name, shape, Groups { membership, mask })?)))
    }

    fn remove(&self, id: &GeometryId) -> Outcome {
        self.enter()?.remove(id.0)?;
        Ok(())
    }

    fn replace(&self, py: Python<'_>, id: &GeometryId, geometry: &Geometry) -> Outcome {
        let shape = geometry.cloned()?;
        self.change(py, |scene| Ok(scene.replace(id.0, shape)?))
    }

    fn geometry(&self, id: &GeometryId) -> Outcome<Geometry> {
        let scene = self.enter()?;
        let shape = scene.geometry(id.0)?;
        let copy = shape.try_clone();
        let copy =
            copy.ok_or_else(|| Failure::unsupported(format!("a {} cannot be copied", shape.kind())))?;
        Ok(Geometry::new(copy))
    }

    fn set_asleep(&self, id: &GeometryId, is_asleep: bool) -> Outcome {
        Ok(self.enter()?.set_asleep(id.0, is_asleep)?)
    }

    /// A copy of a geometry where the scene has placed it: its queries answer in the world.
    fn placed(&self, id: &GeometryId) -> Outcome<Geometry> {
        let scene = self.enter()?;
        crate::query::placed(scene.geometry(id.0)?, scene.placement(id.0)?)
    }

    /// The ids and names of all geometries.
    fn geometries(&self) -> Outcome<Vec<(GeometryId, String)>> {
        let scene = self.enter()?;
        scene.geometries().map(|id| Ok((GeometryId(id), scene.name(id)?.to_owned()))).collect()
    }

    fn pose(&self, id: &GeometryId) -> Outcome<[f64; 7]> {
        Ok(numbers_of(&self.enter()?.pose(id.0)?))
    }

    fn set_pose(&self, py: Python<'_>, id: &GeometryId, pose: [f64; 7]) -> Outcome {
        let pose = pose_of(pose)?;
        self.change(py, |scene| Ok(scene.set_pose(id.0, pose)?))
    }

    /// The poses of several geometries: n × 7.
    fn set_poses(
        &self,
        py: Python<'_>,
        ids: Vec<PyRef<'_, GeometryId>>,
        array: &Bound<'_, PyAny>,
    ) -> Outcome {
        let poses = poses(array, "poses")?;
        if poses.len() != ids.len() {
            return Err(Failure::argument(format!(
                "{} poses: wanted {}, one for each id",
                poses.len(),
                ids.len()
            )));
        }
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        self.change(py, |scene| {
            Ok(ids.into_iter().zip(poses).try_for_each(|(id, pose)| scene.set_pose(id, pose))?)
        })
    }

    fn vertices<'py>(&self, py: Python<'py>, id: &GeometryId) -> Outcome<Bytes<'py>> {
        bytes_of(py, positions(self.enter()?.geometry(id.0)?))
    }

    fn set_vertices(&self, id: &GeometryId, vertices: &Bound<'_, PyAny>) -> Outcome {
        let vertices = points(vertices, "vertices")?;
        Ok(self.enter()?.set_positions(id.0, &vertices)?)
    }

    fn advance(&self) -> Outcome {
        self.enter()?.advance();
        Ok(())
    }

    fn add_pair(&self, py: Python<'_>, a: &GeometryId, b: &GeometryId, options: &str) -> Outcome<PairId> {
        let options = self::options(options)?;
        self.change(py, |scene| Ok(PairId(scene.add_pair(a.0, b.0, options)?)))
    }

    fn add_pairs_between(&self, py: Python<'_>, first: u32, second: u32, options: &str) -> Outcome {
        let options = self::options(options)?;
        self.change(py, |scene| Ok(scene.add_pairs_between(first, second, options)?))
    }

    /// Adds all pairs that have a detector; returns them, and those that have none.
    #[allow(clippy::type_complexity, reason = "two lists, as Python takes them")]
    fn add_all_pairs(
        &self,
        py: Python<'_>,
        options: &str,
    ) -> Outcome<(Vec<PairId>, Vec<(GeometryId, GeometryId)>)> {
        let options = self::options(options)?;
        let all = self.change(py, |scene| Ok(scene.add_all_pairs_with(options)?))?;
        let unsupported = all.unsupported.into_iter().map(|(a, b)| (GeometryId(a), GeometryId(b)));
        Ok((all.bound.into_iter().map(PairId).collect(), unsupported.collect()))
    }

    fn remove_pair(&self, pair: &PairId) -> Outcome {
        Ok(self.enter()?.remove_pair(pair.0)?)
    }

    fn set_margin(&self, pair: &PairId, margin: f64) -> Outcome {
        Ok(self.enter()?.set_margin(pair.0, margin)?)
    }

    fn set_settings(&self, py: Python<'_>, pair: &PairId, settings: &str) -> Outcome {
        let settings = json(settings, "the settings")?;
        self.change(py, |scene| Ok(scene.set_settings(pair.0, settings)?))
    }

    /// All settings of a pair, as JSON.
    fn settings(&self, pair: &PairId) -> Outcome<String> {
        Ok(self.enter()?.pair(pair.0)?.settings().to_string())
    }

    /// A pair: its geometries, its detector, its margin and the flags of the last step.
    fn pair(&self, pair: &PairId) -> Outcome<(GeometryId, GeometryId, String, f64, Vec<&'static str>)> {
        let scene = self.enter()?;
        let pair = scene.pair(pair.0)?;
        let flags = pair.status().flags.names().collect();
        Ok((GeometryId(pair.a()), GeometryId(pair.b()), pair.detector().to_owned(), pair.margin(), flags))
    }

    /// All pairs; with `active` those that were near in the last step.
    fn pairs(&self, active: bool) -> Outcome<Vec<PairId>> {
        let scene = self.enter()?;
        Ok(match active {
            true => scene.active_pairs().map(|pair| PairId(pair.id())).collect(),
            false => scene.pairs().map(PairId).collect(),
        })
    }

    /// Finds the contacts; returns the numbers of pairs run, unchanged and apart, and of contacts.
    fn step(&self, py: Python<'_>) -> Outcome<(usize, usize, usize, usize)> {
        let mut scene = self.enter()?;
        let scene = &mut *scene;
        let report = detached_step(py, scene, |scene| Ok(scene.step()?))?;
        Ok((report.pairs_run, report.pairs_unchanged, report.pairs_apart, report.contacts))
    }

    /// The contacts of a pair in the last step, copied once.
    fn contacts<'py>(&self, py: Python<'py>, pair: &PairId) -> Outcome<Bytes<'py>> {
        bytes_of(py, self.enter()?.contacts(pair.0)?.contacts.clone())
    }

    /// The contacts of all pairs, in the order of the pairs, and the numbers of their pairs.
    fn all_contacts<'py>(&self, py: Python<'py>) -> Outcome<(Bytes<'py>, Bytes<'py>)> {
        let scene = self.enter()?;
        let (pairs, contacts) = scene.all_contacts().map(|(pair, contact)| (pair.number(), *contact)).unzip();
        Ok((bytes_of::<palpate::contact::Contact>(py, contacts)?, bytes_of::<u64>(py, pairs)?))
    }

    fn set_events(&self, is_on: bool) -> Outcome {
        self.enter()?.set_events(is_on);
        Ok(())
    }

    fn events<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        let scene = self.enter()?;
        let events = scene.events().iter().map(|event| Event {
            pair: event.pair.number(),
            id: event.key.id,
            children: event.key.children,
            change: match event.change {
                Change::Began => 0,
                Change::Persists => 1,
                Change::Ended => 2,
            },
            contact: event.contact.unwrap_or(NONE),
        });
        bytes_of(py, events.collect())
    }

    fn save(&self) -> Outcome<Saved> {
        Ok(Saved(self.enter()?.save()?))
    }

    fn restore(&self, py: Python<'_>, saved: &Saved) -> Outcome {
        self.change(py, |scene| Ok(scene.restore(&saved.0)?))
    }
}
