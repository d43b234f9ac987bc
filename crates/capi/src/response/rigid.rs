//! Rows of impulse solvers for rigid bodies.

use super::{Bodies, Materials, PairIds, motion_of, palpate_body, palpate_material};
use super::{PALPATE_BODY_KINEMATIC, PALPATE_BODY_RIGID, PALPATE_BODY_STATIC};
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, array, array_mut, flag, options, options_struct};
use crate::scene::palpate_scene;
use crate::status::{Failure, Outcome, palpate_status};
use crate::wall::call;
use palpate::nalgebra::Matrix3;
use palpate::response::Material;
use palpate::response::rigid::{Body, FrictionBound, Mass, Rows, Settings, Stabilization, Velocity};
use palpate::scene::Pair;

/// The rows of an impulse solver of the contacts of a step. One call at a time.
pub struct palpate_rigid(Guarded<Rigid>);

objects! { palpate_rigid: Rigid; }

/// The rows, and memory that is used again.
pub(crate) struct Rigid {
    pub(super) rows: Rows,
    pub(super) pairs: PairIds,
    bodies: Bodies,
    materials: Materials,
    masses: Vec<Mass>,
    /// How many bodies there were when the rows were gathered.
    count: usize,
}

/// Penetration is corrected by the velocity of the bodies: simple, and adds energy.
pub const PALPATE_BAUMGARTE: u32 = 0;
/// Penetration is corrected by pseudo-velocities, `palpate_rigid_solve_push`: adds none.
pub const PALPATE_SPLIT_IMPULSE: u32 = 1;

/// Settings of the rows of rigid bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_rigid_settings {
    /// Set by `palpate_rigid_settings_default`.
    pub struct_size: u32,
    /// `PALPATE_BAUMGARTE` (the default) or `PALPATE_SPLIT_IMPULSE`.
    pub stabilization: u32,
    /// 1 to bound each tangent by itself, for LCP solvers; 0 (the default) for Coulomb's cone.
    pub is_pyramid: u32,
    /// 0.
    pub reserved: u32,
    /// Seconds, greater than 0; 0.01 by default.
    pub step: f64,
    /// Metres of penetration that are left alone; 0 by default.
    pub slop: f64,
    /// The fraction of the rest that is corrected in a step; 0.2 by default.
    pub push_rate: f64,
    /// The greatest speed of that correction, metres per second; unlimited by default.
    pub most_push_speed: f64,
}

impl Default for palpate_rigid_settings {
    fn default() -> Self {
        let Settings { step, slop, push_rate, most_push_speed, .. } = Settings::new(0.01);
        Self {
            struct_size: size_of::<Self>() as u32,
            stabilization: PALPATE_BAUMGARTE,
            is_pyramid: 0,
            reserved: 0,
            step,
            slop,
            push_rate,
            most_push_speed,
        }
    }
}

options_struct! { palpate_rigid_settings 48; }

/// The default settings of rows of rigid bodies.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_rigid_settings_default() -> palpate_rigid_settings {
    palpate_rigid_settings::default()
}

/// A length of a step. Errors: not finite, not greater than 0.
pub(super) fn checked_step(step: f64) -> Outcome<f64> {
    if step > 0.0 && step.is_finite() {
        return Ok(step);
    }
    Err(Failure::argument(format!("the step is {step} seconds: wanted a number greater than 0")))
}

fn settings_of(given: &palpate_rigid_settings) -> Outcome<Settings> {
    let palpate_rigid_settings { slop, push_rate, most_push_speed, .. } = *given;
    for (what, value) in [("slop", slop), ("push_rate", push_rate), ("most_push_speed", most_push_speed)] {
        if value.is_nan() || value < 0.0 {
            return Err(Failure::argument(format!("{what} is {value}: wanted 0 or more")));
        }
    }
    let stabilization = match given.stabilization {
        PALPATE_BAUMGARTE => Stabilization::Baumgarte,
        PALPATE_SPLIT_IMPULSE => Stabilization::SplitImpulse,
        other => return Err(Failure::argument(format!("stabilization is {other}: wanted 0 or 1"))),
    };
    let is_pyramid = flag(given.is_pyramid, "is_pyramid")?;
    let friction_bound = if is_pyramid { FrictionBound::Pyramid } else { FrictionBound::Cone };
    let step = checked_step(given.step)?;
    Ok(Settings { step, slop, push_rate, most_push_speed, stabilization, friction_bound })
}

/// Centre of mass, mass and inertia of a rigid body at its present pose.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_mass {
    /// The centre of mass: world frame, metres.
    pub center: [f64; 3],
    /// One per kilogram; 0 for an immovable body.
    pub inverse: f64,
    /// The inverse of the inertia about the centre of mass, world frame, row by row.
    pub inverse_inertia: [[f64; 3]; 3],
}

/// The velocity of a rigid body.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_velocity {
    /// Of the centre of mass, metres per second.
    pub linear: [f64; 3],
    /// Radians per second, world frame.
    pub angular: [f64; 3],
}

const _: () = assert!(size_of::<palpate_velocity>() == size_of::<Velocity>());
const _: () = assert!(align_of::<palpate_velocity>() == align_of::<Velocity>());

/// Makes rows of rigid bodies. `settings` may be null. Free them with `palpate_rigid_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_new(
    settings: *const palpate_rigid_settings,
    rigid: *mut *mut palpate_rigid,
) -> palpate_status {
    call(|| {
        let out = Out::new(rigid, "the place for the rows")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let settings = settings_of(&unsafe { options(settings) }?)?;
        let rows = Rigid {
            rows: Rows::new(settings),
            pairs: PairIds::default(),
            bodies: Bodies::default(),
            materials: Materials::default(),
            masses: Vec::new(),
            count: 0,
        };
        out.put(boxed(palpate_rigid(Guarded::new("rigid rows", rows))));
        Ok(())
    })
}

/// Frees rows. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_free(rigid: *mut palpate_rigid) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(rigid) })
}

/// Replaces the rows by those of the contacts of the scene's last step: one per contact. `masses` and `velocities` are those of all
/// `count` rigid bodies, before the solve; `bodies` says what geometries move with, `materials` how pairs meet. Errors: a body
/// that does not exist, a negative quantity; there are then no rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_gather(
    rigid: *mut palpate_rigid,
    scene: *mut palpate_scene,
    masses: *const palpate_mass,
    velocities: *const palpate_velocity,
    count: usize,
    bodies: *const palpate_body,
    body_count: usize,
    materials: *const palpate_material,
    material_count: usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut rigid, mut scene) = unsafe { (enter(rigid, "the rigid rows")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header; a velocity of C is one of Rust.
        let (masses, velocities, given) = unsafe {
            (
                array(masses, count, "masses")?,
                array(velocities.cast::<Velocity>(), count, "velocities")?,
                array(bodies, body_count, "bodies")?,
            )
        };
        let Rigid { rows, pairs, bodies, materials: own, masses: own_masses, count: own_count } = &mut *rigid;
        let mut gather = || -> Outcome {
            bodies.read(&scene, given)?;
            // SAFETY: by the rules of the header.
            unsafe { own.read(&scene, materials, material_count) }?;
            own_masses.clear();
            own_masses.extend(masses.iter().map(|mass| Mass {
                center: mass.center.into(),
                inverse: mass.inverse,
                inverse_inertia: Matrix3::from_fn(|row, column| mass.inverse_inertia[row][column]),
            }));
            given.iter().try_for_each(|body| body_of(Some(body)).map(|_| ()))?;
            pairs.read(&mut scene);
            // Checked above: none fails.
            let side = |id| body_of(bodies.of(id, given)).unwrap_or(Body::Static);
            let found = scene.scene.pairs_in_contact();
            Ok(rows.gather(found, own_masses, velocities, side, |pair| own.of(pair.id()))?)
        };
        let gathered = gather();
        *own_count = count;
        if gathered.is_err() {
            // No rows, whatever went wrong.
            *own_count = 0;
            rows.gather(std::iter::empty::<&Pair>(), &[], &[], |_| Body::Static, |_| Material::HARD)?;
        }
        gathered
    })
}

fn body_of(body: Option<&palpate_body>) -> Outcome<Body> {
    let Some(body) = body else { return Ok(Body::Static) };
    Ok(match body.kind {
        PALPATE_BODY_STATIC => Body::Static,
        PALPATE_BODY_RIGID => Body::Dynamic(body.index as usize),
        PALPATE_BODY_KINEMATIC => Body::Kinematic(motion_of(body)?),
        other => {
            let text = format!("the kind of a body is {other}: wanted 0, 4 or 5 for rows of rigid bodies");
            return Err(Failure::argument(text));
        }
    })
}

impl Rigid {
    /// Works on the rows with the host's velocities, of as many bodies as when they were gathered.
    ///
    /// # Safety
    /// As the rules of the header say.
    unsafe fn with_velocities(
        &mut self,
        velocities: *mut palpate_velocity,
        count: usize,
        work: impl FnOnce(&mut Rows, &mut [Velocity]),
    ) -> Outcome {
        if count != self.count {
            let wanted = self.count;
            let text =
                format!("there are {count} velocities: wanted {wanted}, as when the rows were gathered");
            return Err(Failure::range(text));
        }
        // SAFETY: the caller's promise; a velocity of C is one of Rust.
        let velocities = unsafe { array_mut(velocities.cast::<Velocity>(), count, "velocities") }?;
        work(&mut self.rows, velocities);
        Ok(())
    }
}

/// Starts the rows with `factor` times the impulses of the rows of the same contacts before the last gathering, and applies them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_warm_start(
    rigid: *mut palpate_rigid,
    velocities: *mut palpate_velocity,
    count: usize,
    factor: f64,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        let mut rigid = enter(rigid, "the rigid rows")?;
        rigid.with_velocities(velocities, count, |rows, velocities| rows.warm_start(velocities, factor))
    })
}

/// Solves all rows `iterations` times by `solve`.
///
/// # Safety
/// As the rules of the header say.
unsafe fn iterate(
    rigid: *mut palpate_rigid,
    velocities: *mut palpate_velocity,
    count: usize,
    iterations: u32,
    solve: fn(&mut Rows, &mut [Velocity]),
) -> palpate_status {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        enter(rigid, "the rigid rows")?.with_velocities(velocities, count, |rows, velocities| {
            (0..iterations).for_each(|_| solve(rows, velocities));
        })
    })
}

/// Solves all rows in their order (projected Gauss-Seidel), each time rolling friction last, `iterations` times, and changes the
/// velocities.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_solve(
    rigid: *mut palpate_rigid,
    velocities: *mut palpate_velocity,
    count: usize,
    iterations: u32,
) -> palpate_status {
    let solve = |rows: &mut Rows, velocities: &mut [Velocity]| {
        rows.iter_mut().for_each(|row| row.solve(velocities));
        rows.solve_rolling(velocities);
    };
    // SAFETY: by the rules of the header.
    unsafe { iterate(rigid, velocities, count, iterations, solve) }
}

/// The same for split impulses: `velocities` are pseudo-velocities that begin at 0 in every step, move the poses once, and are then
/// forgotten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_solve_push(
    rigid: *mut palpate_rigid,
    velocities: *mut palpate_velocity,
    count: usize,
    iterations: u32,
) -> palpate_status {
    let solve = |rows: &mut Rows, velocities: &mut [Velocity]| {
        rows.iter_mut().for_each(|row| row.solve_push(velocities));
    };
    // SAFETY: by the rules of the header.
    unsafe { iterate(rigid, velocities, count, iterations, solve) }
}
