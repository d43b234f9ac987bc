//! A haptic tool, its coupling to a device, and tissue that another thread deforms.

use crate::error::{Failure, Outcome};
use crate::input::{numbers_of, pose_of};
use crate::memory::{Bytes, bytes_of};
use crate::scene::{GeometryId, Scene, detached_step};
use palpate::haptics::{Coupling as Spring, CouplingOptions, Proxy as Own, ProxyOptions, Tick as OwnTick};
use palpate::scene::{GeometryReader as Reader, SnapshotReader as Contacts};
use pyo3::prelude::*;
use std::sync::Mutex;

/// A tool that follows a target and stays outside.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Proxy(Mutex<Own>);

/// What a tick came to.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Tick(OwnTick);

#[pymethods]
impl Tick {
    /// The pose of the tool: seven numbers.
    fn pose(&self) -> [f64; 7] {
        numbers_of(&self.0.pose)
    }

    /// How far obstacles have pushed the tool, the numbers of contacts and detections, and whether it is outside.
    fn rest(&self) -> ([f64; 3], usize, usize, bool) {
        (self.0.pushed, self.0.contacts, self.0.detections, self.0.is_outside)
    }
}

#[pymethods]
impl Proxy {
    #[new]
    fn new(scene: &Scene, tool: &GeometryId, reach: f64, steps: usize) -> Outcome<Self> {
        let options = ProxyOptions { reach, steps };
        Ok(Self(Mutex::new(Own::new(&*scene.enter()?, tool.0, options)?)))
    }

    fn follow(&self, py: Python<'_>, scene: &Scene, target: [f64; 7]) -> Outcome<Tick> {
        let target = pose_of(target)?;
        let mut own = self.0.try_lock().map_err(|_| Failure::busy("the proxy"))?;
        let mut scene = scene.enter()?;
        let (own, scene) = (&mut *own, &mut *scene);
        detached_step(py, scene, |scene| Ok(Tick(own.follow(scene, &target)?)))
    }
}

/// A spring and a damper between a device and a proxy.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Coupling(Mutex<Spring>);

#[pymethods]
impl Coupling {
    #[new]
    fn new(
        stiffness: f64,
        damping: f64,
        angular_stiffness: f64,
        force_limit: f64,
        torque_limit: f64,
    ) -> Outcome<Self> {
        let options = CouplingOptions { stiffness, damping, angular_stiffness, force_limit, torque_limit };
        Ok(Self(Mutex::new(Spring::new(options)?)))
    }

    /// Force and torque.
    fn wrench(&self, device: [f64; 7], tick: &Tick, step: f64) -> Outcome<([f64; 3], [f64; 3])> {
        let device = pose_of(device)?;
        let mut own = self.0.try_lock().map_err(|_| Failure::busy("the coupling"))?;
        let wrench = own.wrench(&device, &tick.0, step);
        Ok((wrench.force.into(), wrench.torque.into()))
    }

    /// From the device, from obstacles, to the device.
    fn energy(&self) -> Outcome<(f64, f64, f64)> {
        let own = self.0.try_lock().map_err(|_| Failure::busy("the coupling"))?;
        let energy = own.energy();
        Ok((energy.from_device, energy.from_obstacles, energy.to_device))
    }
}

/// Geometries of a scene for another one.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct GeometryReader(Reader);

/// The contacts of a scene for another thread.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct SnapshotReader(Mutex<Contacts>);

#[pymethods]
impl SnapshotReader {
    /// The contacts of all pairs in the newest finished step, and its number.
    fn read<'py>(&self, py: Python<'py>) -> Outcome<(Bytes<'py>, u64)> {
        let mut own = self.0.try_lock().map_err(|_| Failure::busy("the reader"))?;
        let found = own.read();
        Ok((bytes_of(py, found.all_contacts().to_vec())?, found.step()))
    }
}

#[pyfunction]
pub(crate) fn snapshots(scene: &Scene) -> Outcome<SnapshotReader> {
    Ok(SnapshotReader(Mutex::new(scene.enter()?.snapshots())))
}

#[pyfunction]
pub(crate) fn geometry_reader(scene: &Scene, ids: Vec<PyRef<'_, GeometryId>>) -> Outcome<GeometryReader> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    Ok(GeometryReader(scene.enter()?.geometry_reader(&ids)?))
}

#[pyfunction]
pub(crate) fn add_shared(scene: &Scene, reader: &GeometryReader) -> Outcome<Vec<GeometryId>> {
    Ok(scene.enter()?.add_shared(reader.0.clone())?.into_iter().map(GeometryId).collect())
}

#[pyfunction]
pub(crate) fn update_shared(scene: &Scene) -> Outcome<bool> {
    Ok(scene.enter()?.update_shared()?)
}

/// The geometries whose cells have changed; whether they were solid, and whether they are.
#[pyfunction]
pub(crate) fn shared_changes(scene: &Scene) -> Outcome<Vec<(GeometryId, bool, bool)>> {
    let scene = scene.enter()?;
    Ok(scene
        .shared_changes()
        .iter()
        .map(|change| (GeometryId(change.id), change.was_solid, change.is_solid))
        .collect())
}

#[pyfunction]
pub(crate) fn shared_step(scene: &Scene, id: &GeometryId) -> Outcome<Option<u64>> {
    Ok(scene.enter()?.shared_step(id.0)?)
}
