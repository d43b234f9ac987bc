//! Places of tissue through which a shaft slides.

use crate::error::{Failure, Outcome};
use crate::input::{numbers_of, points, triples};
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::pbd::{bodies, step_of};
use crate::procedure::records;
use bytemuck::{Pod, Zeroable};
use palpate::response::pbd::{Positions, ShaftSegment, Sliding, State};
use pyo3::prelude::*;

/// A sliding constraint.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Record {
    tissue: [u32; 4],
    weights: [f64; 4],
    is_rigid: u32,
    body: u32,
    particles: [u32; 2],
    ends: [[f64; 3]; 2],
    weight: f64,
    compliance: f64,
    friction: f64,
    grip: f64,
    across: [f64; 3],
    along: f64,
    force: [f64; 3],
    offset: [f64; 3],
}

/// The layout of the record.
pub(crate) fn layout() -> Layout {
    layout!(
        "sliding", Record, tissue, weights, is_rigid, body, particles, ends, weight, compliance, friction,
        grip, across, along, force, offset
    )
}

fn index(value: u32, count: usize, what: &str, number: usize) -> Outcome<usize> {
    if (value as usize) < count {
        return Ok(value as usize);
    }
    Err(Failure::range(format!("sliding {number} names {what} {value}: wanted less than {count}")))
}

/// A constraint of Rust. Errors: a particle or body that is not there.
fn own(given: &Record, [particles, bodies]: [usize; 2], number: usize) -> Outcome<Sliding> {
    let mut tissue = [(0, 0.0); 4];
    for ((entry, &vertex), &weight) in tissue.iter_mut().zip(&given.tissue).zip(&given.weights) {
        if weight != 0.0 {
            *entry = (index(vertex, particles, "particle", number)?, weight);
        }
    }
    let shaft = if given.is_rigid == 0 {
        let [first, second] = given.particles;
        let of = |end| index(end, particles, "particle", number);
        ShaftSegment::Particles([of(first)?, of(second)?])
    } else {
        let body = index(given.body, bodies, "rigid body", number)?;
        ShaftSegment::Rigid { body, ends: given.ends.map(Into::into) }
    };
    let mut made = Sliding::new(&tissue, shaft, given.weight);
    (made.compliance, made.friction, made.grip) = (given.compliance, given.friction, given.grip);
    Ok(made.with_multipliers(given.across.into(), given.along))
}

/// Projects sliding constraints some times in a step; returns them, the particles and the poses of the bodies.
#[pyfunction]
pub(crate) fn project_slidings<'py>(
    py: Python<'py>,
    slidings: numpy::PyReadonlyArray1<'py, u8>,
    state: (Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<f64>, Bound<'py, PyAny>),
    step: f64,
    iterations: usize,
) -> Outcome<(Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
    let (step, mut given) = (step_of(step)?, records::<Record>(&slidings)?);
    let (particles, previous, inverse_masses, rigid) = state;
    let (mut particles, previous) = (points(&particles, "particles")?, points(&previous, "previous")?);
    let mut rigid = bodies(&rigid)?;
    let count = particles.len();
    if [previous.len(), inverse_masses.len()] != [count; 2] {
        let text = format!(
            "{} previous positions and {} inverse masses: wanted {count} of each",
            previous.len(),
            inverse_masses.len()
        );
        return Err(Failure::range(text));
    }
    let counts = [count, rigid.len()];
    let made = given.iter().enumerate().map(|(number, one)| own(one, counts, number));
    let mut made = made.collect::<Outcome<Vec<_>>>()?;
    let mut moved = State {
        particles: &mut particles,
        previous: &previous,
        inverse_masses: &inverse_masses,
        bodies: &mut rigid,
    };
    for _ in 0..iterations {
        made.iter_mut().for_each(|sliding| sliding.project(&mut moved, step));
    }
    let positions = Positions { particles: &particles, bodies: &rigid };
    for (to, from) in given.iter_mut().zip(&made) {
        let (across, along) = from.multipliers();
        (to.across, to.along) = (across.into(), along);
        to.force = from.force(&positions, step).into();
        to.offset = from.offset(&positions).into();
    }
    let poses: Vec<[f64; 7]> = rigid.iter().map(|body| numbers_of(&body.pose)).collect();
    Ok((bytes_of(py, given)?, bytes_of(py, triples(&particles))?, bytes_of(py, poses)?))
}
