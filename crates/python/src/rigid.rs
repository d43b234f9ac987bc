//! Rows of impulse solvers for rigid bodies.

use crate::error::{Failure, Outcome};
use crate::input::numbers;
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::scene::Scene;
use crate::sides::{Given, GivenMaterial, Materials, Side, Sides};
use bytemuck::{Pod, Zeroable};
use nalgebra::Matrix3;
use palpate::contact::NONE;
use palpate::math::{Point, Vector};
use palpate::response::Material;
use palpate::response::rigid::{Body, FrictionBound, Mass, Rows, Settings, Stabilization, Velocity};
use palpate::scene::Pair;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// The rows of the contacts of a step.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Rigid(Mutex<Own>);

struct Own {
    rows: Rows,
    /// Bodies at the last gathering.
    count: usize,
}

/// One contact as three velocity constraints.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Row {
    pair: u64,
    id: u64,
    children: [u32; 2],
    bodies: [u32; 2],
    direction: [f64; 3],
    tangents: [[f64; 3]; 2],
    jacobian: [[[f64; 6]; 2]; 3],
    effective_masses: [f64; 3],
    gap: f64,
    target: f64,
    impulses: [f64; 3],
}

/// The layout of a row.
pub(crate) fn layout() -> Layout {
    layout!(
        "rigid_row",
        Row,
        pair,
        id,
        children,
        bodies,
        direction,
        tangents,
        jacobian,
        effective_masses,
        gap,
        target,
        impulses
    )
}

fn velocities(array: &Bound<'_, PyAny>) -> Outcome<Vec<Velocity>> {
    let rows: Vec<[f64; 6]> = numbers(array, "velocities")?;
    let velocity = |[x, y, z, wx, wy, wz]: [f64; 6]| Velocity {
        linear: Vector::new(x, y, z),
        angular: Vector::new(wx, wy, wz),
    };
    Ok(rows.into_iter().map(velocity).collect())
}

fn body_of(side: Side) -> Body {
    match side {
        Side::Rigid(index) => Body::Dynamic(index),
        Side::Kinematic(motion) => Body::Kinematic(motion),
        _ => Body::Static,
    }
}

impl Rigid {
    fn enter(&self) -> Outcome<MutexGuard<'_, Own>> {
        self.0.try_lock().map_err(|_| Failure::busy("the rigid rows"))
    }
}

#[pymethods]
impl Rigid {
    #[new]
    fn new(
        step: f64,
        slop: f64,
        push_rate: f64,
        most_push_speed: f64,
        split: bool,
        pyramid: bool,
    ) -> Outcome<Self> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(Failure::argument(format!(
                "the step is {step} seconds: wanted a number greater than 0"
            )));
        }
        for (what, value) in [("slop", slop), ("push_rate", push_rate), ("most_push_speed", most_push_speed)]
        {
            if value.is_nan() || value < 0.0 {
                return Err(Failure::argument(format!("{what} is {value}: wanted 0 or more")));
            }
        }
        let stabilization = if split { Stabilization::SplitImpulse } else { Stabilization::Baumgarte };
        let friction_bound = if pyramid { FrictionBound::Pyramid } else { FrictionBound::Cone };
        let settings = Settings { step, slop, push_rate, most_push_speed, stabilization, friction_bound };
        Ok(Self(Mutex::new(Own { rows: Rows::new(settings), count: 0 })))
    }

    /// Replaces the rows by those of the contacts of the scene's last step; masses: n × 13 numbers, the centre of mass, the inverse
    /// mass, the inverse inertia row by row.
    fn gather(
        &self,
        scene: &Scene,
        masses: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
        sides: Vec<Given>,
        materials: Vec<GivenMaterial>,
    ) -> Outcome {
        let (mut own, scene) = (self.enter()?, scene.enter()?);
        let masses: Vec<[f64; 13]> = numbers(masses, "masses")?;
        let mass = |row: &[f64; 13]| Mass {
            center: Point::new(row[0], row[1], row[2]),
            inverse: row[3],
            inverse_inertia: Matrix3::from_row_slice(&row[4..]),
        };
        let masses: Vec<Mass> = masses.iter().map(mass).collect();
        let velocities = self::velocities(velocities)?;
        let (sides, materials) = (Sides::read(sides)?, Materials::read(materials));
        if sides.has_particles() {
            return Err(Failure::argument(
                "rows of rigid bodies have no particles: wanted rigid, kinematic or static",
            ));
        }
        let of = |id| body_of(sides.of(id));
        own.count = velocities.len();
        let material = |pair: &&Pair| materials.of(pair.id());
        let gathered = own.rows.gather(scene.pairs_in_contact(), &masses, &velocities, of, material);
        if gathered.is_err() {
            own.count = 0;
            own.rows.gather(std::iter::empty::<&Pair>(), &[], &[], |_| Body::Static, |_| Material::HARD)?;
        }
        Ok(gathered?)
    }

    fn rows<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        let own = self.enter()?;
        let rows = own.rows.iter().map(|row| Row {
            pair: row.key().pair,
            id: row.key().contact.id,
            children: row.key().contact.children,
            bodies: row.bodies().map(|body| body.map_or(NONE, |body| body as u32)),
            direction: row.direction().into(),
            tangents: row.tangents().map(Into::into),
            jacobian: [0, 1, 2].map(|constraint| {
                let sides = row.jacobian(constraint);
                sides.map(|[linear, angular]| [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z])
            }),
            effective_masses: row.effective_masses(),
            gap: row.gap(),
            target: row.target(),
            impulses: row.impulses(),
        });
        bytes_of(py, rows.collect())
    }

    /// Starts from the impulses of the last step (`warm` times), solves all rows some times, and returns the velocities; with
    /// `push` these are the pseudo-velocities of split impulses.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        velocities: &Bound<'py, PyAny>,
        iterations: usize,
        warm: f64,
        push: bool,
    ) -> Outcome<Bytes<'py>> {
        let mut own = self.enter()?;
        let mut velocities = self::velocities(velocities)?;
        if velocities.len() != own.count {
            let text = format!(
                "{} velocities: wanted {}, as when the rows were gathered",
                velocities.len(),
                own.count
            );
            return Err(Failure::range(text));
        }
        if warm > 0.0 && !push {
            own.rows.warm_start(&mut velocities, warm);
        }
        for _ in 0..iterations {
            own.rows.iter_mut().for_each(|row| match push {
                true => row.solve_push(&mut velocities),
                false => row.solve(&mut velocities),
            });
            if !push {
                own.rows.solve_rolling(&mut velocities);
            }
        }
        let six = |velocity: &Velocity| -> [f64; 6] {
            let (linear, angular) = (velocity.linear, velocity.angular);
            [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
        };
        bytes_of(py, velocities.iter().map(six).collect())
    }
}
