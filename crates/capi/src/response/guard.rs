//! The guard, which shortens motions so that nothing that was apart passes through anything.

use super::rigid::{checked_step, palpate_velocity};
use super::{PALPATE_BODY_PARTICLES, PALPATE_BODY_RIGID, PALPATE_BODY_STATIC};
use crate::handle::{Entered, Guarded, boxed, enter, free, objects};
use crate::input::{Out, array, array_mut};
use crate::scene::palpate_scene;
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{palpate_geometry_id, palpate_pose};
use crate::wall::call;
use palpate::geometry::Pose;
use palpate::math::{Point, Vector};
use palpate::response::guard::{Guard, GuardedBody, Mover, Moves, Report, Start};

/// The rigid body `index`, moved by the host: the other side of a pair gives up its motion first. For a guard alone.
pub const PALPATE_BODY_TOOL: u32 = 6;

/// Bodies and pairs that are kept apart, whatever a solver does. One call at a time.
pub struct palpate_guard(Guarded<Guarding>);

objects! { palpate_guard: Guarding; }

/// The guard, and memory that is used again.
#[derive(Default)]
pub(crate) struct Guarding {
    guard: Guard,
    bodies: Vec<(GuardedBody, Moves)>,
    /// How many particles and poses the last step had.
    counts: [usize; 2],
    start: Vec<Pose>,
    poses: Vec<Pose>,
    particles: Vec<Point>,
    shortened: Vec<palpate_shortened>,
    contradictions: Vec<palpate_contradiction>,
}

/// A motion that was shortened.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shortened {
    /// 0 for a particle, 1 for a rigid body or a tool.
    pub is_body: u32,
    /// 0.
    pub reserved: u32,
    /// The index of the particle, or of the pose.
    pub index: usize,
    /// The number of the pair that shortened it first.
    pub pair: usize,
    /// Metres: how far the end of the motion is from the wanted one; for a body, of its origin.
    pub lost: f64,
    /// Radians: the angle between the wanted rotation and that of the end; 0 for a particle.
    pub lost_turn: f64,
}

/// A tool that did not get where the host moved it to: something that does not give way is between.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_contradiction {
    /// The index of the tool's pose.
    pub tool: usize,
    /// The number of the pair that holds the tool back most.
    pub pair: usize,
    /// Metres: how far the tool, where the host wants it, is nearer to the other side of the pair than allowed.
    pub missing: f64,
    /// Unit, world frame: moves the tool away from the other side.
    pub direction: [f64; 3],
}

/// What a guard has done in a step; without shortened motions, nothing. The arrays are valid until the next call with the guard.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_guard_report {
    /// Every motion that was shortened: particles first, then bodies, by index.
    pub shortened: *const palpate_shortened,
    /// Their number.
    pub shortened_count: usize,
    /// Every tool that was cut short, by index.
    pub contradictions: *const palpate_contradiction,
    /// Their number.
    pub contradiction_count: usize,
    /// Pairs of elements that could meet in the step, each of which is proved not to.
    pub near: usize,
    /// Pairs of elements that touch or cross at the start of the step: these are not guarded.
    pub crossing: usize,
    /// Passes over the pairs; 1 if nothing was shortened.
    pub rounds: usize,
    /// Pairs of elements that were put back to where they were at the start, since nothing else helped.
    pub frozen: usize,
}

/// Makes a guard of nothing. Free it with `palpate_guard_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_new(guard: *mut *mut palpate_guard) -> palpate_status {
    call(|| {
        let out = Out::new(guard, "the place for the guard")?;
        out.put(std::ptr::null_mut());
        out.put(boxed(palpate_guard(Guarded::new("guard", Guarding::default()))));
        Ok(())
    })
}

/// Frees a guard. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_free(guard: *mut palpate_guard) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(guard) })
}

/// Adds a geometry of a scene as a body of the guard, and writes its number, from 0. `kind` says what it moves with:
/// `PALPATE_BODY_STATIC` (at rest where it is), `_PARTICLES` (vertex `v` of a mesh is particle `index + v`), `_RIGID` or `_TOOL` (the
/// pose `index`; a shape is taken in its own frame, coordinates of meshes and children of a compound in the frame of the pose). Topology,
/// sizes, and coordinates of what does not move with particles are copied. Errors: a kind of geometry that the guard does not know (an
/// implicit body without a Lipschitz constant); particles for what is no mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_add(
    guard: *mut palpate_guard,
    scene: *mut palpate_scene,
    geometry: palpate_geometry_id,
    kind: u32,
    index: usize,
    body: *mut usize,
) -> palpate_status {
    call(|| {
        let out = Out::new(body, "body")?;
        // SAFETY: by the rules of the header.
        let (mut own, scene) = unsafe { (enter(guard, "the guard")?, enter(scene, "the scene")?) };
        let (moves, id) = (moves_of(kind, index)?, scene.geometry(geometry)?);
        let (of_scene, placement) = (scene.scene.geometry(id)?, scene.scene.placement(id)?);
        let add = |own: &mut Guarding| {
            Ok(match (moves, placement) {
                (Moves::Fixed, Some(pose)) => own.guard.add_placed(of_scene, &pose),
                _ => own.guard.add(of_scene, moves),
            }?)
        };
        let added = own.run(add, |_| ())?;
        own.bodies.push((added, moves));
        out.put(own.bodies.len() - 1);
        Ok(())
    })
}

/// Gives a body another geometry, or the same one after a cut; pairs keep their distances, with the radii of the new one. Errors: as
/// `palpate_guard_add`; another number of parts of a compound; a distance that with the new radii is not above 0. Then nothing is
/// changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_replace(
    guard: *mut palpate_guard,
    body: usize,
    scene: *mut palpate_scene,
    geometry: palpate_geometry_id,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut own, scene) = unsafe { (enter(guard, "the guard")?, enter(scene, "the scene")?) };
        let ((body, moves), id) = (own.body(body)?, scene.geometry(geometry)?);
        let (of_scene, placement) = (scene.scene.geometry(id)?, scene.scene.placement(id)?);
        let replace = |own: &mut Guarding| {
            Ok(match (moves, placement) {
                (Moves::Fixed, Some(pose)) => own.guard.replace_placed(body, of_scene, &pose),
                _ => own.guard.replace(body, of_scene),
            }?)
        };
        own.run(replace, |_| ())
    })
}

/// Keeps two bodies at least `distance` metres apart between their surfaces, which include their radii, or one from itself; where they
/// are closer at the start of a step, they do not come closer. A negative distance allows radii to overlap by that much. Writes the
/// number of the pair, from 0; `pair` may be null. Errors: a distance that with the radii of both is not above 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_add_pair(
    guard: *mut palpate_guard,
    a: usize,
    b: usize,
    distance: f64,
    pair: *mut usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let mut own = unsafe { enter(guard, "the guard") }?;
        let ((a, _), (b, _)) = (own.body(a)?, own.body(b)?);
        let number = own.guard.add_pair(a, b, distance)?;
        if let Some(out) = Out::optional(pair) {
            out.put(number);
        }
        Ok(())
    })
}

/// Shortens the motion of a step from `start` and `start_poses` to `particles` and `poses` such that no pair comes closer than it may:
/// call it after the solver, with all particles (three `double` each, metres, world frame) and all poses (body to world). Every particle
/// is then no farther from its start than it was, every body is shifted and turned no farther; what is in no pair is unchanged.
/// `start` and `particles` may be one array, as may be `start_poses` and `poses`; `report` may be null. Errors: a place of a body that is
/// not finite; particles or poses that a body moves with and that do not exist. Then no motion is changed, and the guard has no last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_hold(
    guard: *mut palpate_guard,
    start: *const f64,
    particles: *mut f64,
    particle_count: usize,
    start_poses: *const palpate_pose,
    poses: *mut palpate_pose,
    pose_count: usize,
    report: *mut palpate_guard_report,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header; a point is three `double`.
        let (mut own, start) =
            unsafe { (enter(guard, "the guard")?, array(start.cast::<Point>(), particle_count, "start")?) };
        // SAFETY: as above. What is to be changed is copied, since it may be `start` itself.
        unsafe {
            own.read(array(start_poses, pose_count, "start_poses")?, array(poses, pose_count, "poses")?)?;
            let given = array(particles.cast_const().cast::<Point>(), particle_count, "particles")?;
            own.particles.clear();
            own.particles.extend_from_slice(given);
        }
        own.hold(start)?;
        own.counts = [particle_count, pose_count];
        for shortened in &own.guard.report().shortened {
            // SAFETY: the guard has checked that its indices are less than the counts, which are those of the host's arrays.
            unsafe {
                match shortened.mover {
                    Mover::Particle(index) => {
                        particles.cast::<Point>().add(index).write(own.particles[index]);
                    }
                    Mover::Body(index) => poses.add(index).write(palpate_pose::of(&own.poses[index])),
                }
            }
        }
        let told = own.told();
        if let Some(out) = Out::optional(report) {
            out.put(told);
        }
        Ok(())
    })
}

/// Writes 1 if the motion of a step is proved to need no shortening, so that `palpate_guard_hold` would change nothing, else 0. The guard
/// then has no last step: ask before it holds. Errors: as there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_is_free(
    guard: *mut palpate_guard,
    start: *const f64,
    particles: *const f64,
    particle_count: usize,
    start_poses: *const palpate_pose,
    poses: *const palpate_pose,
    pose_count: usize,
    is_free: *mut u32,
) -> palpate_status {
    call(|| {
        let out = Out::new(is_free, "is_free")?;
        // SAFETY: by the rules of the header; a point is three `double`.
        let (mut own, start, particles, start_poses, poses) = unsafe {
            (
                enter(guard, "the guard")?,
                array(start.cast::<Point>(), particle_count, "start")?,
                array(particles.cast::<Point>(), particle_count, "particles")?,
                array(start_poses, pose_count, "start_poses")?,
                array(poses, pose_count, "poses")?,
            )
        };
        own.read(start_poses, poses)?;
        own.counts = [0; 2];
        let is_free = |own: &mut Guarding| {
            let start = Start { particles: start, poses: &own.start };
            Ok(own.guard.is_free(start, particles, &own.poses)?)
        };
        let free = own.run(is_free, |own| own.guard.forget())?;
        out.put(u32::from(free));
        Ok(())
    })
}

/// Takes from the velocities of particles that the last `palpate_guard_hold` shortened what led against the shortening: none becomes
/// greater. `particles` are those that it left, `velocities` of all particles, three `double` each, in another array; `step` its seconds.
/// Errors: another number of particles than in that step, or no last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_slow(
    guard: *mut palpate_guard,
    particles: *const f64,
    velocities: *mut f64,
    particle_count: usize,
    step: f64,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header; a point and a vector are three `double`.
        let (own, particles, velocities) = unsafe {
            (
                enter(guard, "the guard")?,
                array(particles.cast::<Point>(), particle_count, "particles")?,
                array_mut(velocities.cast::<Vector>(), particle_count, "velocities")?,
            )
        };
        let step = checked_step(step)?;
        own.check(0, "particles", particle_count)?;
        own.guard.slow(particles, velocities, step);
        Ok(())
    })
}

/// The same for the velocities of all rigid bodies; those of tools are the host's, and stay. Errors: another number of bodies than in the
/// last step, or no last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_guard_slow_bodies(
    guard: *mut palpate_guard,
    velocities: *mut palpate_velocity,
    count: usize,
    step: f64,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header; a velocity of C is two vectors, as asserted below.
        let (own, velocities) = unsafe {
            (enter(guard, "the guard")?, array_mut(velocities.cast::<[Vector; 2]>(), count, "velocities")?)
        };
        let step = checked_step(step)?;
        own.check(1, "velocities", count)?;
        own.guard.slow_bodies(velocities, step);
        Ok(())
    })
}

const _: () = assert!(size_of::<palpate_velocity>() == size_of::<[Vector; 2]>());
const _: () = assert!(align_of::<palpate_velocity>() == align_of::<[Vector; 2]>());

fn moves_of(kind: u32, index: usize) -> Outcome<Moves> {
    Ok(match kind {
        PALPATE_BODY_STATIC => Moves::Fixed,
        PALPATE_BODY_PARTICLES => Moves::Particles(index),
        PALPATE_BODY_RIGID => Moves::Body(index),
        PALPATE_BODY_TOOL => Moves::Tool(index),
        other => {
            let text = format!("the kind of a body is {other}: wanted 0, 1, 4 or 6 for a guard");
            return Err(Failure::argument(text));
        }
    })
}

impl Entered<'_, Guarding> {
    /// Holds the step that was read. After an error there is no last step.
    fn hold(&mut self, start: &[Point]) -> Outcome {
        self.counts = [0; 2];
        let hold = |own: &mut Guarding| {
            let start = Start { particles: start, poses: &own.start };
            Ok(own.guard.hold(start, &mut own.particles, &mut own.poses).map(drop)?)
        };
        self.run(hold, |own| own.guard.forget())
    }
}

impl Guarding {
    fn body(&self, number: usize) -> Outcome<(GuardedBody, Moves)> {
        let count = self.bodies.len();
        let unknown = || Failure::range(format!("body {number} of the guard: wanted one of {count}, from 0"));
        self.bodies.get(number).copied().ok_or_else(unknown)
    }

    /// Reads the poses of a step. Errors: an invalid pose, by its list and number.
    fn read(&mut self, start: &[palpate_pose], end: &[palpate_pose]) -> Outcome {
        for (own, given, what) in [(&mut self.start, start, "start_poses"), (&mut self.poses, end, "poses")] {
            own.clear();
            for (number, pose) in given.iter().enumerate() {
                own.push(pose.checked().map_err(|failure| {
                    Failure::new(failure.status, format!("{what} {number}: {}", failure.text))
                })?);
            }
        }
        Ok(())
    }

    /// Errors: a list of another length than in the last step.
    fn check(&self, of: usize, what: &str, found: usize) -> Outcome {
        let wanted = self.counts[of];
        if found == wanted {
            return Ok(());
        }
        Err(Failure::range(format!("{found} {what}: wanted {wanted}, as in the last step of the guard")))
    }

    /// The report of the last step.
    fn told(&mut self) -> palpate_guard_report {
        let Self { guard, shortened, contradictions, .. } = self;
        let Report { near, crossing, rounds, frozen, .. } = *guard.report();
        shortened.clear();
        shortened.extend(guard.report().shortened.iter().map(|motion| {
            let (is_body, index) = match motion.mover {
                Mover::Particle(index) => (0, index),
                Mover::Body(index) => (1, index),
            };
            let (lost, lost_turn) = (motion.lost, motion.lost_turn);
            palpate_shortened { is_body, reserved: 0, index, pair: motion.pair, lost, lost_turn }
        }));
        contradictions.clear();
        contradictions.extend(guard.report().contradictions.iter().map(|held| palpate_contradiction {
            tool: held.tool,
            pair: held.pair,
            missing: held.missing,
            direction: held.direction.into(),
        }));
        palpate_guard_report {
            shortened: shortened.as_ptr(),
            shortened_count: shortened.len(),
            contradictions: contradictions.as_ptr(),
            contradiction_count: contradictions.len(),
            near,
            crossing,
            rounds,
            frozen,
        }
    }
}
