//! The loop of a step, with a solver in Python.

use crate::error::{Failure, Outcome};
use crate::guard::{Told, moves_of, pairs_of, six, told};
use crate::input::{numbers, points, triples};
use crate::memory::{Bytes, bytes_of};
use crate::pbd::{Pbd, bodies, row_of};
use crate::scene::{GeometryId, Scene, detached_step};
use crate::sides::{GivenMaterial, Materials};
use palpate::math::Vector;
use palpate::response::guard::Moves;
use palpate::scene::Pair;
use palpate::stepping::{Moving, Stepper as Own, StepperOptions};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Mutex;

/// A stepper of a scene.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Stepper(Mutex<Own>);

/// Particles, their velocities, bodies, and their velocities and spins.
type Given<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

fn moving_of((particles, velocities, rigid, spins): &Given<'_>) -> Outcome<Moving> {
    let moving = Moving {
        particles: points(particles, "particles")?,
        velocities: numbers(velocities, "velocities")?.into_iter().map(Vector::from).collect(),
        bodies: bodies(rigid)?,
        body_velocities: pairs_of(spins, "body_velocities")?,
    };
    let [particles, velocities] = [moving.particles.len(), moving.velocities.len()];
    let [bodies, spins] = [moving.bodies.len(), moving.body_velocities.len()];
    if [particles, bodies] == [velocities, spins] {
        return Ok(moving);
    }
    let found = format!("{particles} particles with {velocities} velocities, {bodies} bodies with {spins}");
    Err(Failure::range(format!("{found}: wanted as many of each")))
}

type Taken<'py> = (Bytes<'py>, Bytes<'py>, Bytes<'py>, Bytes<'py>);

fn taken<'py>(py: Python<'py>, moving: &Moving) -> Outcome<Taken<'py>> {
    let velocities: Vec<[f64; 3]> = moving.velocities.iter().map(|velocity| (*velocity).into()).collect();
    let rigid: Vec<[f64; 18]> = moving.bodies.iter().map(row_of).collect();
    let spins: Vec<[f64; 6]> = moving.body_velocities.iter().map(six).collect();
    let particles = bytes_of(py, triples(&moving.particles))?;
    Ok((particles, bytes_of(py, velocities)?, bytes_of(py, rigid)?, bytes_of(py, spins)?))
}

#[pymethods]
impl Stepper {
    #[new]
    fn new(
        scene: &Scene,
        lengths: (f64, f64),
        counts: (usize, usize),
        moves: Vec<(Py<GeometryId>, String, usize)>,
        unguarded: Vec<Py<GeometryId>>,
    ) -> Outcome<Self> {
        let scene = scene.enter()?;
        let mut known = HashMap::new();
        for (id, kind, index) in moves {
            scene.geometry(id.get().0)?;
            known.insert(id.get().0, moves_of(&kind, index)?);
        }
        for id in &unguarded {
            scene.geometry(id.get().0)?;
        }
        let options = StepperOptions {
            substeps: counts.0,
            detections: counts.1,
            unguarded: unguarded.iter().map(|id| id.get().0).collect(),
            ..StepperOptions::new(lengths.0, lengths.1)
        };
        let moves = |id| known.get(&id).copied().unwrap_or(Moves::Fixed);
        Ok(Self(Mutex::new(Own::new(&scene, options, moves)?)))
    }

    /// One step. `solve` gets what moves at the start of the step, and returns it at the end; `rows` are then those of the
    /// detection. Returns what moves, the number of detections, the excess, and the guard's report.
    fn step<'py>(
        &self,
        py: Python<'py>,
        scene: &Scene,
        moving: Given<'py>,
        materials: Vec<GivenMaterial>,
        rows: &Pbd,
        solve: Py<PyAny>,
    ) -> Outcome<(Taken<'py>, usize, f64, Told<'py>)> {
        let mut own = self.0.try_lock().map_err(|_| Failure::busy("the stepper"))?;
        let (mut scene, materials) = (scene.enter()?, Materials::read(materials));
        let (own, scene) = (&mut *own, &mut *scene);
        let mut moving = moving_of(&moving)?;
        let counts = [moving.particles.len(), moving.bodies.len()];
        let stepped = detached_step(py, scene, |scene| {
            let material = |pair: &Pair| materials.of(pair.id());
            own.try_step(scene, &mut moving, material, |state, made| {
                *state = rows.lend(made, counts, || Python::attach(|py| solved(py, &solve, state)))?;
                Ok(())
            })
        })?;
        let report = told(py, own.report())?;
        Ok((taken(py, &moving)?, stepped.detections, stepped.excess, report))
    }
}

/// What the solver returns. Errors: what it raises; other numbers of particles or bodies.
fn solved(py: Python<'_>, solve: &Py<PyAny>, state: &Moving) -> Outcome<Moving> {
    let answer: Given<'_> = solve.bind(py).call1((taken(py, state)?,))?.extract()?;
    let end = moving_of(&answer)?;
    let [found, wanted] = [&end, state].map(|moving| [moving.particles.len(), moving.bodies.len()]);
    if found == wanted {
        return Ok(end);
    }
    let [[particles, bodies], [wanted, wanted_bodies]] = [found, wanted];
    let text = format!("the solver returned {particles} particles and {bodies} bodies");
    Err(Failure::range(format!("{text}: wanted {wanted} and {wanted_bodies}")))
}
