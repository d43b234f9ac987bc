//! Places of tissue through which a shaft slides.

use super::pbd::{Arrays, arrays, palpate_pbd_state, rigid_bodies};
use super::rigid::checked_step;
use crate::input::{array_mut, flag};
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::palpate_pose;
use crate::wall::call;
use palpate::response::pbd::{Positions, ShaftSegment, Sliding, State};

/// Holds a place of a shaft at a place in tissue in the two directions across the shaft; along it friction resists. The host keeps one
/// for every crossing of a shaft, with the vertices and weights that the crossing had when it was new, and sets segment and weight
/// anew in every step. In every step (or substep) `across`, `along` begin at 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_sliding {
    /// The particles of the tissue; those of weight 0 are not looked at.
    pub tissue: [u32; 4],
    /// Their weights, which add up to 1.
    pub weights: [f64; 4],
    /// 0 if the ends of the segment are particles, 1 if they are points fixed in a rigid body.
    pub is_rigid: u32,
    /// The rigid body, if it is one.
    pub body: u32,
    /// The particles at the ends of the segment, if it has some.
    pub particles: [u32; 2],
    /// The ends in the body's frame, if it is of a rigid body.
    pub ends: [[f64; 3]; 2],
    /// The weight of the segment's second end.
    pub weight: f64,
    /// Across the shaft, metres per newton; 0 is rigid.
    pub compliance: f64,
    /// Coulomb's coefficient: of the force across, how much resists along the shaft.
    pub friction: f64,
    /// Newtons that resist along the shaft whatever the force across.
    pub grip: f64,
    /// The multiplier across the shaft, kilogram metres, accumulated since the step began.
    pub across: [f64; 3],
    /// The multiplier along the shaft.
    pub along: f64,
    /// The force of the shaft on the tissue, newtons, world frame: set by `palpate_sliding_project`.
    pub force: [f64; 3],
    /// The offset across the shaft of the tissue's place from the shaft's, metres: set by `palpate_sliding_project`.
    pub offset: [f64; 3],
}

/// A sliding constraint of no weights: rigid and without friction.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_sliding_default() -> palpate_sliding {
    palpate_sliding {
        tissue: [0; 4],
        weights: [0.0; 4],
        is_rigid: 0,
        body: 0,
        particles: [0; 2],
        ends: [[0.0; 3]; 2],
        weight: 0.0,
        compliance: 0.0,
        friction: 0.0,
        grip: 0.0,
        across: [0.0; 3],
        along: 0.0,
        force: [0.0; 3],
        offset: [0.0; 3],
    }
}

fn index(value: u32, count: usize, what: &str, number: usize) -> Outcome<usize> {
    if (value as usize) < count {
        return Ok(value as usize);
    }
    Err(Failure::range(format!("sliding {number} names {what} {value}: wanted less than {count}")))
}

/// A constraint of Rust. Errors: a particle or body that is not there, a negative quantity.
fn own(given: &palpate_sliding, [particles, bodies]: [usize; 2], number: usize) -> Outcome<Sliding> {
    let mut tissue = [(0, 0.0); 4];
    for ((entry, &vertex), &weight) in tissue.iter_mut().zip(&given.tissue).zip(&given.weights) {
        if weight != 0.0 {
            *entry = (index(vertex, particles, "particle", number)?, weight);
        }
    }
    let shaft = if flag(given.is_rigid, "is_rigid")? {
        let body = index(given.body, bodies, "rigid body", number)?;
        ShaftSegment::Rigid { body, ends: given.ends.map(Into::into) }
    } else {
        let [first, second] = given.particles;
        let of = |end| index(end, particles, "particle", number);
        ShaftSegment::Particles([of(first)?, of(second)?])
    };
    for (what, value) in
        [("compliance", given.compliance), ("friction", given.friction), ("grip", given.grip)]
    {
        if !(value >= 0.0 && value.is_finite()) {
            let text = format!("{what} of sliding {number} is {value}: wanted a finite number, 0 or more");
            return Err(Failure::argument(text));
        }
    }
    let mut made = Sliding::new(&tissue, shaft, given.weight);
    (made.compliance, made.friction, made.grip) = (given.compliance, given.friction, given.grip);
    Ok(made.with_multipliers(given.across.into(), given.along))
}

/// Projects sliding constraints in their order, `iterations` times, in a step of `step` seconds, moves the state, and sets their
/// multipliers, forces and offsets; with 0 iterations forces and offsets alone. Errors: a particle or body that is not there, a
/// compliance, friction or grip that is negative or not finite; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_sliding_project(
    slidings: *mut palpate_sliding,
    count: usize,
    state: *const palpate_pbd_state,
    step: f64,
    iterations: u32,
) -> palpate_status {
    call(|| {
        let step = checked_step(step)?;
        // SAFETY: by the rules of the header.
        let (given, arrays) = unsafe { (array_mut(slidings, count, "slidings")?, arrays(state)?) };
        let Arrays { particles, previous, inverse_masses, bodies } = arrays;
        let mut rigid = Vec::new();
        rigid_bodies(&mut rigid, bodies)?;
        let counts = [particles.len(), rigid.len()];
        let made = given.iter().enumerate().map(|(number, one)| own(one, counts, number));
        let mut made = made.collect::<Outcome<Vec<_>>>()?;
        let mut moved = State { particles, previous, inverse_masses, bodies: &mut rigid };
        for _ in 0..iterations {
            made.iter_mut().for_each(|sliding| sliding.project(&mut moved, step));
        }
        let positions = Positions { particles: moved.particles, bodies: moved.bodies };
        for (to, from) in given.iter_mut().zip(&made) {
            let (across, along) = from.multipliers();
            (to.across, to.along) = (across.into(), along);
            to.force = from.force(&positions, step).into();
            to.offset = from.offset(&positions).into();
        }
        for (to, from) in bodies.iter_mut().zip(&rigid) {
            to.pose = palpate_pose::of(&from.pose);
        }
        Ok(())
    })
}
