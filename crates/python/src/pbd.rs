//! Rows of position-based dynamics.

use crate::error::{Failure, Outcome};
use crate::input::{numbers, numbers_of, points, pose_of, triples};
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::scene::Scene;
use crate::sides::{Given, GivenMaterial, Materials, Side, Sides};
use bytemuck::{Pod, Zeroable};
use palpate::contact::NONE;
use palpate::math::{Point, Vector};
use palpate::response::Material;
use palpate::response::pbd::{Body, Positions, RigidBody, Rows, State};
use palpate::scene::Pair;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// The rows of the contacts of a step.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Pbd(Mutex<Own>);

struct Own {
    rows: Rows,
    /// Particles and bodies at the last gathering.
    counts: [usize; 2],
}

/// One particle of a row.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Entry {
    particle: u32,
    reserved: u32,
    weight: f64,
    scale: f64,
}

/// One contact as a constraint on its gap.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Row {
    pair: u64,
    id: u64,
    children: [u32; 2],
    direction: [f64; 3],
    tangents: [[f64; 3]; 2],
    gap: f64,
    multipliers: [f64; 3],
    first_entry: u32,
    entry_count: u32,
    bodies: [u32; 2],
    body_gradients: [[f64; 3]; 2],
    body_turns: [[f64; 3]; 2],
}

/// The layouts of the records.
pub(crate) fn layouts() -> [Layout; 2] {
    [
        layout!("pbd_entry", Entry, particle, reserved, weight, scale),
        layout!(
            "pbd_row",
            Row,
            pair,
            id,
            children,
            direction,
            tangents,
            gap,
            multipliers,
            first_entry,
            entry_count,
            bodies,
            body_gradients,
            body_turns
        ),
    ]
}

/// Rigid bodies from n × 18 numbers: the pose, the previous pose, the inverse mass, the inverse moments.
pub(crate) fn bodies(array: &Bound<'_, PyAny>) -> Outcome<Vec<RigidBody>> {
    let rows: Vec<[f64; 18]> = numbers(array, "bodies")?;
    let seven =
        |row: &[f64; 18], first: usize| -> [f64; 7] { std::array::from_fn(|place| row[first + place]) };
    let body = |row: &[f64; 18]| {
        let [pose, previous] = [0, 7].map(|first| pose_of(seven(row, first)));
        let inverse_inertia = Vector::new(row[15], row[16], row[17]);
        Ok(RigidBody { pose: pose?, previous: previous?, inverse_mass: row[14], inverse_inertia })
    };
    rows.iter().map(body).collect()
}

/// The eighteen numbers of a rigid body.
pub(crate) fn row_of(body: &RigidBody) -> [f64; 18] {
    let mut row = [0.0; 18];
    row[..7].copy_from_slice(&numbers_of(&body.pose));
    row[7..14].copy_from_slice(&numbers_of(&body.previous));
    row[14] = body.inverse_mass;
    row[15..].copy_from_slice(body.inverse_inertia.as_slice());
    row
}

/// A length of a step. Errors: not finite, not greater than 0.
pub(crate) fn step_of(step: f64) -> Outcome<f64> {
    if step > 0.0 && step.is_finite() {
        return Ok(step);
    }
    Err(Failure::argument(format!("the step is {step} seconds: wanted a number greater than 0")))
}

fn body_of(side: Side) -> Body<'static> {
    match side {
        Side::Static => Body::Static,
        Side::Particles(first) => Body::Particles(first),
        Side::Particle(index) => Body::Particle(index),
        Side::Rigid(index) => Body::Rigid(index),
        Side::Kinematic(motion) => Body::Kinematic(motion),
    }
}

impl Pbd {
    /// Has the rows, of so many particles and bodies, during a call.
    pub(crate) fn lend<T>(
        &self,
        rows: &mut Rows,
        counts: [usize; 2],
        during: impl FnOnce() -> Outcome<T>,
    ) -> Outcome<T> {
        let exchange = |rows: &mut Rows, counts: [usize; 2]| -> Outcome {
            let mut own = self.enter()?;
            std::mem::swap(&mut own.rows, rows);
            own.counts = counts;
            Ok(())
        };
        exchange(rows, counts)?;
        let result = during();
        let back = exchange(rows, [0; 2]);
        result.and_then(|value| back.map(|()| value))
    }

    fn enter(&self) -> Outcome<MutexGuard<'_, Own>> {
        self.0.try_lock().map_err(|_| Failure::busy("the PBD rows"))
    }
}

impl Own {
    fn check(&self, particles: usize, bodies: usize) -> Outcome {
        let [wanted, wanted_bodies] = self.counts;
        if [particles, bodies] == self.counts {
            return Ok(());
        }
        Err(Failure::range(format!(
            "{particles} particles and {bodies} bodies: wanted {wanted} and {wanted_bodies}, as when the rows were gathered"
        )))
    }
}

#[pymethods]
impl Pbd {
    #[new]
    fn new(step: f64) -> Outcome<Self> {
        Ok(Self(Mutex::new(Own { rows: Rows::new(step_of(step)?), counts: [0; 2] })))
    }

    /// Replaces the rows by those of the contacts of the scene's last step.
    fn gather(
        &self,
        scene: &Scene,
        particles: &Bound<'_, PyAny>,
        rigid: &Bound<'_, PyAny>,
        sides: Vec<Given>,
        materials: Vec<GivenMaterial>,
    ) -> Outcome {
        let (mut own, scene) = (self.enter()?, scene.enter()?);
        let (particles, rigid) = (points(particles, "particles")?, bodies(rigid)?);
        let (sides, materials) = (Sides::read(sides)?, Materials::read(materials));
        let positions = Positions { particles: &particles, bodies: &rigid };
        let of = |id| body_of(sides.of(id));
        own.counts = [particles.len(), rigid.len()];
        let gathered =
            own.rows.gather(scene.pairs_in_contact(), positions, of, |pair: &&Pair| materials.of(pair.id()));
        if gathered.is_err() {
            own.counts = [0; 2];
            let nothing: &[Point] = &[];
            own.rows.gather(std::iter::empty::<&Pair>(), nothing, |_| Body::Static, |_| Material::HARD)?;
        }
        Ok(gathered?)
    }

    /// All rows and their particles, in the given state.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        particles: &Bound<'py, PyAny>,
        rigid: &Bound<'py, PyAny>,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>)> {
        let own = self.enter()?;
        let (particles, rigid) = (points(particles, "particles")?, bodies(rigid)?);
        own.check(particles.len(), rigid.len())?;
        let positions = Positions { particles: &particles, bodies: &rigid };
        let mut entries: Vec<Entry> = Vec::new();
        let mut rows = Vec::with_capacity(own.rows.len());
        for row in own.rows.iter() {
            let first_entry = entries.len() as u32;
            entries.extend(row.entries().iter().map(|entry| Entry {
                particle: entry.particle,
                reserved: 0,
                weight: entry.weight,
                scale: entry.scale,
            }));
            let mut made = Row {
                pair: row.key().pair,
                id: row.key().contact.id,
                children: row.key().contact.children,
                direction: row.direction().into(),
                tangents: row.tangents().map(Into::into),
                gap: row.gap(positions),
                multipliers: row.multipliers(),
                first_entry,
                entry_count: entries.len() as u32 - first_entry,
                bodies: [NONE; 2],
                body_gradients: [[0.0; 3]; 2],
                body_turns: [[0.0; 3]; 2],
            };
            for (place, (body, [linear, angular])) in row.body_gradients(&rigid).take(2).enumerate() {
                made.bodies[place] = body as u32;
                made.body_gradients[place] = linear.into();
                made.body_turns[place] = angular.into();
            }
            rows.push(made);
        }
        Ok((bytes_of(py, rows)?, bytes_of(py, entries)?))
    }

    /// Starts from the multipliers of the last step (`warm` times), projects all rows some times, and returns the particles, and
    /// the poses of the bodies.
    fn project<'py>(
        &self,
        py: Python<'py>,
        state: (Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<f64>, Bound<'py, PyAny>),
        iterations: usize,
        warm: f64,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>)> {
        let mut own = self.enter()?;
        let (particles, previous, inverse_masses, rigid) = state;
        let (mut particles, previous) = (points(&particles, "particles")?, points(&previous, "previous")?);
        let mut rigid = bodies(&rigid)?;
        own.check(particles.len(), rigid.len())?;
        if [previous.len(), inverse_masses.len()] != [particles.len(); 2] {
            let text = format!(
                "{} previous positions and {} inverse masses: wanted {} of each",
                previous.len(),
                inverse_masses.len(),
                particles.len()
            );
            return Err(Failure::range(text));
        }
        let mut moved = State {
            particles: &mut particles,
            previous: &previous,
            inverse_masses: &inverse_masses,
            bodies: &mut rigid,
        };
        if warm > 0.0 {
            own.rows.warm_start(&mut moved, warm);
        }
        for _ in 0..iterations {
            own.rows.iter_mut().for_each(|row| row.project_in(&mut moved));
        }
        let poses: Vec<[f64; 7]> = rigid.iter().map(|body| numbers_of(&body.pose)).collect();
        Ok((bytes_of(py, triples(&particles))?, bytes_of(py, poses)?))
    }
}
