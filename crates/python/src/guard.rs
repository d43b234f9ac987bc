//! The guard, which shortens motions so that nothing that was apart passes through anything.

use crate::error::{Failure, Outcome, detached};
use crate::geometry::Geometry;
use crate::input::{numbers, numbers_of, points, poses, triples};
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::pbd::step_of;
use bytemuck::{Pod, Zeroable};
use palpate::math::Vector;
use palpate::response::guard::{Guard as Own, GuardedBody, Mover, Moves, Report, Start};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// Bodies and pairs that are kept apart.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Guard(Mutex<State>);

#[derive(Default)]
struct State {
    guard: Own,
    bodies: Vec<GuardedBody>,
}

/// A motion that was shortened; `body` is 0 for a particle.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct ShortenedMotion {
    body: u32,
    reserved: u32,
    index: u64,
    pair: u64,
    lost: f64,
    lost_turn: f64,
}

/// A tool that did not get where it was moved to.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct HeldTool {
    tool: u64,
    pair: u64,
    missing: f64,
    direction: [f64; 3],
}

/// The layouts of the records.
pub(crate) fn layouts() -> [Layout; 2] {
    [
        layout!("shortened", ShortenedMotion, body, reserved, index, pair, lost, lost_turn),
        layout!("contradiction", HeldTool, tool, pair, missing, direction),
    ]
}

/// A report: the shortened motions, the contradictions, and `near`, `crossing`, `rounds` and `frozen`.
pub(crate) type Told<'py> = (Bytes<'py>, Bytes<'py>, [usize; 4]);

/// A report for Python.
pub(crate) fn told<'py>(py: Python<'py>, report: &Report) -> Outcome<Told<'py>> {
    let shortened = report.shortened.iter().map(|motion| {
        let (body, index) = match motion.mover {
            Mover::Particle(index) => (0, index),
            Mover::Body(index) => (1, index),
        };
        let (lost, lost_turn) = (motion.lost, motion.lost_turn);
        ShortenedMotion { body, reserved: 0, index: index as u64, pair: motion.pair as u64, lost, lost_turn }
    });
    let held = report.contradictions.iter().map(|held| HeldTool {
        tool: held.tool as u64,
        pair: held.pair as u64,
        missing: held.missing,
        direction: held.direction.into(),
    });
    let counts = [report.near, report.crossing, report.rounds, report.frozen];
    Ok((bytes_of(py, shortened.collect())?, bytes_of(py, held.collect())?, counts))
}

/// What a geometry moves with, from its word and index. Errors: another word.
pub(crate) fn moves_of(kind: &str, index: usize) -> Outcome<Moves> {
    Ok(match kind {
        "fixed" => Moves::Fixed,
        "particles" => Moves::Particles(index),
        "body" => Moves::Body(index),
        "tool" => Moves::Tool(index),
        other => {
            let wanted = "wanted fixed, particles, body or tool";
            return Err(Failure::argument(format!("a geometry moves with {other:?}: {wanted}")));
        }
    })
}

/// Velocities and spins from n × 6 numbers.
pub(crate) fn pairs_of(array: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<[Vector; 2]>> {
    let rows: Vec<[f64; 6]> = numbers(array, what)?;
    Ok(rows.iter().map(|[x, y, z, u, v, w]| [Vector::new(*x, *y, *z), Vector::new(*u, *v, *w)]).collect())
}

/// The six numbers of a velocity and a spin.
pub(crate) fn six([velocity, spin]: &[Vector; 2]) -> [f64; 6] {
    [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]
}

impl Guard {
    fn enter(&self) -> Outcome<MutexGuard<'_, State>> {
        self.0.try_lock().map_err(|_| Failure::busy("the guard"))
    }
}

impl State {
    fn body(&self, number: usize) -> Outcome<GuardedBody> {
        let count = self.bodies.len();
        let unknown = || Failure::range(format!("body {number} of the guard: wanted one of {count}, from 0"));
        self.bodies.get(number).copied().ok_or_else(unknown)
    }
}

/// Particles and poses, at the start of a step or its end.
type Places<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl Guard {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// Adds a geometry and returns its number.
    fn add(&self, py: Python<'_>, geometry: &Geometry, kind: &str, index: usize) -> Outcome<usize> {
        let (mut own, geometry, moves) = (self.enter()?, geometry.read(), moves_of(kind, index)?);
        let guard = &mut own.guard;
        let body = detached(py, || Ok(guard.add(geometry.as_ref(), moves)?))?;
        own.bodies.push(body);
        Ok(own.bodies.len() - 1)
    }

    /// Gives a body another geometry.
    fn replace(&self, py: Python<'_>, body: usize, geometry: &Geometry) -> Outcome {
        let (mut own, geometry) = (self.enter()?, geometry.read());
        let (body, guard) = (own.body(body)?, &mut own.guard);
        detached(py, || Ok(guard.replace(body, geometry.as_ref())?))
    }

    /// Keeps two bodies apart, or one from itself, and returns the number of the pair.
    fn add_pair(&self, a: usize, b: usize, distance: f64) -> Outcome<usize> {
        let mut own = self.enter()?;
        let (a, b) = (own.body(a)?, own.body(b)?);
        Ok(own.guard.add_pair(a, b, distance)?)
    }

    /// The particles and poses at the end of a step, shortened, and the report.
    fn hold<'py>(
        &self,
        py: Python<'py>,
        start: Places<'py>,
        end: Places<'py>,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>, Told<'py>)> {
        let mut own = self.enter()?;
        let (particles, at) = (points(&start.0, "start")?, poses(&start.1, "start_poses")?);
        let (mut ends, mut to) = (points(&end.0, "particles")?, poses(&end.1, "poses")?);
        let (guard, start) = (&mut own.guard, Start { particles: &particles, poses: &at });
        detached(py, || Ok(guard.hold(start, &mut ends, &mut to).map(drop)?))?;
        let report = told(py, own.guard.report())?;
        let to: Vec<[f64; 7]> = to.iter().map(numbers_of).collect();
        Ok((bytes_of(py, triples(&ends))?, bytes_of(py, to)?, report))
    }

    /// Whether a motion is proved to need no shortening.
    fn is_free(&self, py: Python<'_>, start: Places<'_>, end: Places<'_>) -> Outcome<bool> {
        let mut own = self.enter()?;
        let (particles, at) = (points(&start.0, "start")?, poses(&start.1, "start_poses")?);
        let (ends, to) = (points(&end.0, "particles")?, poses(&end.1, "poses")?);
        let (guard, start) = (&mut own.guard, Start { particles: &particles, poses: &at });
        detached(py, || Ok(guard.is_free(start, &ends, &to)?))
    }

    /// The velocities of all particles without what led against the last shortening.
    fn slow<'py>(
        &self,
        py: Python<'py>,
        particles: &Bound<'py, PyAny>,
        velocities: &Bound<'py, PyAny>,
        step: f64,
    ) -> Outcome<Bytes<'py>> {
        let (own, step) = (self.enter()?, step_of(step)?);
        let particles = points(particles, "particles")?;
        let mut velocities: Vec<Vector> =
            numbers(velocities, "velocities")?.into_iter().map(Vector::from).collect();
        if particles.len() != velocities.len() {
            let (found, wanted) = (velocities.len(), particles.len());
            return Err(Failure::range(format!("{found} velocities: wanted {wanted}, as particles")));
        }
        own.check(Mover::Particle, "particles", particles.len())?;
        own.guard.slow(&particles, &mut velocities, step);
        bytes_of(py, velocities.into_iter().map(Into::into).collect::<Vec<[f64; 3]>>())
    }

    /// The same for the velocities and spins of all bodies.
    fn slow_bodies<'py>(
        &self,
        py: Python<'py>,
        velocities: &Bound<'py, PyAny>,
        step: f64,
    ) -> Outcome<Bytes<'py>> {
        let (own, step) = (self.enter()?, step_of(step)?);
        let mut velocities = pairs_of(velocities, "velocities")?;
        own.check(Mover::Body, "velocities", velocities.len())?;
        own.guard.slow_bodies(&mut velocities, step);
        bytes_of(py, velocities.iter().map(six).collect::<Vec<_>>())
    }
}

impl State {
    /// Errors: a list that does not have all movers that were shortened.
    fn check(&self, of: impl Fn(usize) -> Mover, what: &str, found: usize) -> Outcome {
        let last = self.guard.report().shortened.iter().map(|motion| motion.mover);
        let index = |mover| match mover {
            Mover::Particle(index) | Mover::Body(index) => (of(index) == mover).then_some(index + 1),
        };
        let wanted = last.filter_map(index).max().unwrap_or(0);
        if found >= wanted {
            return Ok(());
        }
        Err(Failure::range(format!("{found} {what}: wanted all, {wanted} at least")))
    }
}
