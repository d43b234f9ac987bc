//! Rows of position-based dynamics.

use super::{Bodies, Materials, PairIds, mapping_of, motion_of, palpate_body, palpate_material};
use super::{
    PALPATE_BODY_KINEMATIC, PALPATE_BODY_MAPPED, PALPATE_BODY_PARTICLE, PALPATE_BODY_PARTICLES,
    PALPATE_BODY_RIGID, PALPATE_BODY_STATIC,
};
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, array, array_mut, options, options_struct};
use crate::scene::palpate_scene;
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::palpate_pose;
use crate::wall::call;
use palpate::math::Point;
use palpate::response::Material;
use palpate::response::pbd::{Body, Positions, RigidBody, Rows, State};
use palpate::scene::Pair;

/// The rows of position-based dynamics (PBD, XPBD) of the contacts of a step. One call at a time.
pub struct palpate_pbd(Guarded<Pbd>);

objects! { palpate_pbd: Pbd; }

/// The rows, and memory that is used again.
pub(crate) struct Pbd {
    pub(super) rows: Rows,
    pub(super) pairs: PairIds,
    bodies: Bodies,
    materials: Materials,
    rigid: Vec<RigidBody>,
    /// How many particles and rigid bodies there were when the rows were gathered.
    counts: [usize; 2],
}

/// A rigid body of XPBD.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_rigid_body {
    /// From body to world. The body's origin is its centre of mass, its axes are the principal ones.
    pub pose: palpate_pose,
    /// The pose at the start of the step.
    pub previous: palpate_pose,
    /// One per kilogram; 0 for an immovable body.
    pub inverse_mass: f64,
    /// One over the principal moments, along the body's axes.
    pub inverse_inertia: [f64; 3],
}

/// The host's particles and rigid bodies, which rows read and move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_pbd_state {
    /// Set by `palpate_pbd_state_default`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The number of particles.
    pub particle_count: usize,
    /// The number of rigid bodies.
    pub body_count: usize,
    /// Positions of the particles, three `double` each, metres.
    pub particles: *mut f64,
    /// Positions at the start of the step, three `double` each.
    pub previous: *const f64,
    /// One per kilogram for each particle; 0 for one that does not move.
    pub inverse_masses: *const f64,
    /// The rigid bodies.
    pub bodies: *mut palpate_rigid_body,
}

impl Default for palpate_pbd_state {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            reserved: 0,
            particle_count: 0,
            body_count: 0,
            particles: std::ptr::null_mut(),
            previous: std::ptr::null(),
            inverse_masses: std::ptr::null(),
            bodies: std::ptr::null_mut(),
        }
    }
}

options_struct! { palpate_pbd_state size_of::<Self>(); }

/// A state without particles and rigid bodies.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_pbd_state_default() -> palpate_pbd_state {
    palpate_pbd_state::default()
}

/// The arrays of a state.
pub(super) struct Arrays<'a> {
    pub(super) particles: &'a mut [Point],
    pub(super) previous: &'a [Point],
    pub(super) inverse_masses: &'a [f64],
    pub(super) bodies: &'a mut [palpate_rigid_body],
}

/// # Safety
/// As the rules of the header say.
pub(super) unsafe fn arrays<'a>(given: *const palpate_pbd_state) -> Outcome<Arrays<'a>> {
    if given.is_null() {
        return Err(Failure::null("state"));
    }
    // SAFETY: the caller's promise; a point is three `double`.
    unsafe {
        let given = options(given)?;
        let count = given.particle_count;
        Ok(Arrays {
            particles: array_mut(given.particles.cast(), count, "particles")?,
            previous: array(given.previous.cast(), count, "previous")?,
            inverse_masses: array(given.inverse_masses, count, "inverse_masses")?,
            bodies: array_mut(given.bodies, given.body_count, "bodies of the state")?,
        })
    }
}

pub(super) fn rigid_bodies(to: &mut Vec<RigidBody>, given: &[palpate_rigid_body]) -> Outcome {
    to.clear();
    for body in given {
        to.push(RigidBody {
            pose: body.pose.checked()?,
            previous: body.previous.checked()?,
            inverse_mass: body.inverse_mass,
            inverse_inertia: body.inverse_inertia.into(),
        });
    }
    Ok(())
}

/// Makes rows for steps (or substeps) of `step` seconds, greater than 0. Free them with `palpate_pbd_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_new(step: f64, pbd: *mut *mut palpate_pbd) -> palpate_status {
    call(|| {
        let out = Out::new(pbd, "the place for the rows")?;
        out.put(std::ptr::null_mut());
        let rows = Pbd {
            rows: Rows::new(super::rigid::checked_step(step)?),
            pairs: PairIds::default(),
            bodies: Bodies::default(),
            materials: Materials::default(),
            rigid: Vec::new(),
            counts: [0; 2],
        };
        out.put(boxed(palpate_pbd(Guarded::new("PBD rows", rows))));
        Ok(())
    })
}

/// Frees rows. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_free(pbd: *mut palpate_pbd) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(pbd) })
}

/// Replaces the rows by those of the contacts of the scene's last step: one per contact, in the order of the pairs and of their
/// contacts. `state` has the positions in which the contacts were found; `bodies` says what geometries move with (those not
/// listed do not); `materials` how pairs meet. Errors: a particle or body that does not exist, a negative quantity; there are
/// then no rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_gather(
    pbd: *mut palpate_pbd,
    scene: *mut palpate_scene,
    state: *const palpate_pbd_state,
    bodies: *const palpate_body,
    body_count: usize,
    materials: *const palpate_material,
    material_count: usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut pbd, mut scene) = unsafe { (enter(pbd, "the PBD rows")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header.
        let (arrays, given) = unsafe { (arrays(state)?, array(bodies, body_count, "bodies")?) };
        let Pbd { rows, pairs, bodies, materials: own, rigid, counts } = &mut *pbd;
        let mut gather = || -> Outcome {
            bodies.read(&scene, given)?;
            // SAFETY: by the rules of the header.
            unsafe { own.read(&scene, materials, material_count) }?;
            rigid_bodies(rigid, arrays.bodies)?;
            // What a side moves with is asked for without a way to fail: everything is checked before.
            for body in given {
                // SAFETY: by the rules of the header.
                unsafe { body_of(Some(body)) }?;
            }
            pairs.read(&mut scene);
            let positions = Positions { particles: arrays.particles, bodies: rigid };
            let side = |id| {
                // SAFETY: by the rules of the header.
                unsafe { body_of(bodies.of(id, given)) }.unwrap_or(Body::Static)
            };
            Ok(rows.gather(scene.scene.pairs_in_contact(), positions, side, |pair| own.of(pair.id()))?)
        };
        let gathered = gather();
        *counts = [arrays.particles.len(), arrays.bodies.len()];
        if gathered.is_err() {
            // No rows, whatever went wrong.
            *counts = [0; 2];
            let nothing: &[Point] = &[];
            rows.gather(std::iter::empty::<&Pair>(), nothing, |_| Body::Static, |_| Material::HARD)?;
        }
        gathered
    })
}

/// # Safety
/// As the rules of the header say.
unsafe fn body_of<'a>(body: Option<&palpate_body>) -> Outcome<Body<'a>> {
    let Some(body) = body else { return Ok(Body::Static) };
    let index = body.index as usize;
    Ok(match body.kind {
        PALPATE_BODY_STATIC => Body::Static,
        PALPATE_BODY_PARTICLES => Body::Particles(index),
        PALPATE_BODY_PARTICLE => Body::Particle(index),
        // SAFETY: the caller's promise.
        PALPATE_BODY_MAPPED => Body::Mapped(&unsafe { mapping_of(body) }?.mapping),
        PALPATE_BODY_RIGID => Body::Rigid(index),
        PALPATE_BODY_KINEMATIC => Body::Kinematic(motion_of(body)?),
        other => return Err(Failure::argument(format!("the kind of a body is {other}: wanted 0 to 5"))),
    })
}

impl Pbd {
    /// Works on the rows with the host's state, which has as many particles and bodies as when they were gathered.
    ///
    /// # Safety
    /// As the rules of the header say.
    pub(super) unsafe fn with_state(
        &mut self,
        state: *const palpate_pbd_state,
        work: impl FnOnce(&mut Rows, &PairIds, &mut State<'_>) -> Outcome,
    ) -> Outcome {
        // SAFETY: the caller's promise.
        let Arrays { particles, previous, inverse_masses, bodies } = unsafe { arrays(state) }?;
        let found = [particles.len(), bodies.len()];
        if found != self.counts {
            let [particles, rigid] = self.counts;
            let text = format!(
                "the state has {} particles and {} rigid bodies: wanted {particles} and {rigid}, as when the rows were gathered",
                found[0], found[1]
            );
            return Err(Failure::range(text));
        }
        rigid_bodies(&mut self.rigid, bodies)?;
        let mut own = State { particles, previous, inverse_masses, bodies: &mut self.rigid };
        work(&mut self.rows, &self.pairs, &mut own)?;
        for (to, from) in bodies.iter_mut().zip(&self.rigid) {
            to.pose = palpate_pose::of(&from.pose);
        }
        Ok(())
    }
}

/// Starts the rows with `factor` times the multipliers that the rows of the same contacts had before the last gathering, and moves
/// the state accordingly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_warm_start(
    pbd: *mut palpate_pbd,
    state: *const palpate_pbd_state,
    factor: f64,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        enter(pbd, "the PBD rows")?.with_state(state, |rows, _, state| {
            rows.warm_start(state, factor);
            Ok(())
        })
    })
}

/// Projects all rows in their order, gap and friction, `iterations` times, and moves the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_project(
    pbd: *mut palpate_pbd,
    state: *const palpate_pbd_state,
    iterations: u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        enter(pbd, "the PBD rows")?.with_state(state, |rows, _, state| {
            for _ in 0..iterations {
                rows.iter_mut().for_each(|row| row.project_in(state));
            }
            Ok(())
        })
    })
}
