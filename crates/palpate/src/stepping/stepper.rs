//! The loop of a step.

use super::{Moving, StepError};
use nalgebra::Isometry3;
use palpate_math::Point;
use palpate_response::Material;
use palpate_response::guard::{Guard, GuardedBody, Moves, Report, Start};
use palpate_response::pbd::{Body, Rows};
use palpate_scene::{GeometryId, Pair, Scene};
use std::collections::BTreeSet;

/// Options of a [`Stepper`].
#[derive(Clone, Debug, PartialEq)]
pub struct StepperOptions {
    /// Seconds.
    pub step: f64,
    /// Substeps of the host's solver in a step: rows are made for their length.
    pub substeps: usize,
    /// The most detections in a step, at least 1. Default 3.
    pub detections: usize,
    /// Metres: the least distance between the surfaces of a pair that the guard keeps; negative to let radii overlap by that
    /// much. Rows that keep more than this leave nothing to the guard in most steps. Without radii it has to be positive.
    pub distance: f64,
    /// Geometries that the guard leaves out: kinds that it does not know.
    pub unguarded: Vec<GeometryId>,
}

impl StepperOptions {
    /// One substep of `step` seconds, and a guard that keeps `distance` metres.
    pub fn new(step: f64, distance: f64) -> Self {
        Self { step, substeps: 1, detections: 3, distance, unguarded: Vec::new() }
    }
}

/// What a step has done. [`Stepper::report`] says what the guard has shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stepped {
    /// Detections made.
    pub detections: usize,
    /// Metres: how far the motion is beyond what the last detection covers; 0 if that covers it.
    pub excess: f64,
    /// The number of motions that the guard has shortened.
    pub shortened: usize,
}

/// A geometry of the scene.
struct Side {
    id: GeometryId,
    moves: Moves,
    guarded: Option<GuardedBody>,
    /// The number of vertices.
    count: usize,
    /// Metres: of a rigid body, the distance of its farthest point from its origin.
    radius: f64,
    /// Metres: the least margin of its pairs.
    margin: f64,
}

/// The loop of a step over a scene: see the [module](super).
pub struct Stepper {
    options: StepperOptions,
    sides: Vec<Side>,
    guard: Guard,
    /// The pairs that the guard knows.
    guarded: BTreeSet<(GeometryId, GeometryId)>,
    rows: Rows,
    start: Moving,
    predicted: Moving,
    poses: [Vec<Isometry3<f64>>; 2],
}

impl Stepper {
    /// A stepper of all geometries of a scene; `moves` says what each moves with. Particles and bodies are indices of the
    /// [`Moving`] given in each step. Pairs of the scene may be added later, geometries not.
    ///
    /// Errors: a step that is not positive; a geometry that the guard does not know, unless it is listed as unguarded.
    pub fn new(
        scene: &Scene,
        options: StepperOptions,
        mut moves: impl FnMut(GeometryId) -> Moves,
    ) -> Result<Self, StepError> {
        if !(options.step > 0.0 && options.step.is_finite()) {
            return Err(StepError::Option { quantity: "the length of a step", found: options.step });
        }
        let rows = Rows::new(options.step / options.substeps.max(1) as f64);
        let (mut guard, mut sides) = (Guard::new(), Vec::new());
        for id in scene.geometries() {
            let (geometry, moves) = (scene.geometry(id)?, moves(id));
            let guarded = if options.unguarded.contains(&id) {
                None
            } else {
                let added = match (moves, scene.placement(id)?) {
                    (Moves::Fixed, Some(pose)) => guard.add_placed(geometry, &pose),
                    _ => guard.add(geometry, moves),
                };
                let refused = |reason| scene.name(id).map(|name| (name.to_owned(), reason));
                Some(match added.map_err(refused) {
                    Ok(body) => body,
                    Err(named) => {
                        let (name, reason) = named?;
                        return Err(StepError::NotGuarded { name, reason });
                    }
                })
            };
            let bounds = geometry.bounds_at_rest();
            let origin = geometry.pose().map_or_else(Point::origin, |pose| pose.translation.vector.into());
            let radius = (bounds.min - origin).abs().sup(&(bounds.max - origin).abs()).norm();
            let count = geometry.as_points().map_or(0, |points| points.len());
            sides.push(Side { id, moves, guarded, count, radius, margin: f64::INFINITY });
        }
        let (guarded, start, predicted) = (BTreeSet::new(), Moving::default(), Moving::default());
        Ok(Self { options, sides, guard, guarded, rows, start, predicted, poses: Default::default() })
    }

    /// One step: predicts by the velocities, and goes round the loop. `solve` moves from the start of the step to its end, with
    /// the rows given, and sets the velocities; it is called once per detection, each time from the start.
    ///
    /// Errors: of the scene, of rows, of the guard (a place that is not finite, by name: the end is then as the solver left it);
    /// particles or bodies that a geometry moves with and that do not exist.
    pub fn step(
        &mut self,
        scene: &mut Scene,
        moving: &mut Moving,
        material: impl FnMut(&Pair) -> Material,
        mut solve: impl FnMut(&mut Moving, &mut Rows),
    ) -> Result<Stepped, StepError> {
        self.try_step(scene, moving, material, |moving, rows| {
            solve(moving, rows);
            Ok(())
        })
    }

    /// The same with a solver that may fail: its error ends the step.
    pub fn try_step<E: From<StepError>>(
        &mut self,
        scene: &mut Scene,
        moving: &mut Moving,
        mut material: impl FnMut(&Pair) -> Material,
        mut solve: impl FnMut(&mut Moving, &mut Rows) -> Result<(), E>,
    ) -> Result<Stepped, E> {
        self.begin(scene, moving)?;
        moving.advance(self.options.step);
        let mut stepped = Stepped::default();
        loop {
            self.detect(scene, moving, &mut material)?;
            stepped.detections += 1;
            solve(moving, &mut self.rows)?;
            stepped.excess = self.excess(moving);
            // What is not finite is the guard's to refuse.
            let is_over = !(stepped.excess > 0.0 && stepped.excess.is_finite());
            if is_over || stepped.detections >= self.options.detections {
                break;
            }
            if self.is_free(moving)? {
                return Ok(stepped);
            }
        }
        stepped.shortened = self.hold(moving)?.shortened.len();
        Ok(stepped)
    }

    /// Begins a step: keeps the places and velocities as those of the start, and makes them the scene's previous state.
    pub fn begin(&mut self, scene: &mut Scene, moving: &Moving) -> Result<(), StepError> {
        self.start.copy(moving);
        self.place(scene, moving)?;
        scene.advance();
        Ok(())
    }

    /// Detects on the way from the start to where `moving` is, gathers the rows, and takes `moving` back to the start.
    pub fn detect(
        &mut self,
        scene: &mut Scene,
        moving: &mut Moving,
        mut material: impl FnMut(&Pair) -> Material,
    ) -> Result<(), StepError> {
        self.place(scene, moving)?;
        scene.step()?;
        self.know_pairs(scene)?;
        let sides = &self.sides;
        let body = |id: GeometryId| match sides.iter().find(|side| side.id == id).map(|side| side.moves) {
            Some(Moves::Particles(first)) => Body::Particles(first),
            Some(Moves::Body(index) | Moves::Tool(index)) => Body::Rigid(index),
            Some(Moves::Fixed) | None => Body::Static,
        };
        self.rows.gather(scene.pairs_in_contact(), moving.positions(), body, |pair| material(pair))?;
        self.predicted.copy(moving);
        moving.copy(&self.start);
        Ok(())
    }

    /// The rows of the last detection.
    pub fn rows(&mut self) -> &mut Rows {
        &mut self.rows
    }

    /// Metres: how much farther than half the margin of its pairs anything is from where the last detection expected it; 0 if
    /// that covers the motion.
    pub fn excess(&self, moving: &Moving) -> f64 {
        let mut excess = 0.0_f64;
        for side in &self.sides {
            let off = match side.moves {
                Moves::Particles(first) => {
                    let pairs = moving.particles.iter().zip(&self.predicted.particles);
                    let pairs = pairs.skip(first).take(side.count);
                    pairs.map(|(is, was)| (is - was).norm_squared()).fold(0.0, f64::max).sqrt()
                }
                Moves::Body(index) | Moves::Tool(index) => {
                    let [Some(is), Some(was)] =
                        [moving, &self.predicted].map(|all| all.bodies.get(index).map(|body| body.pose))
                    else {
                        continue;
                    };
                    // A chord is no longer than its arc; 2 |sin| of half the angle from the quaternion.
                    let turned = (is.rotation * was.rotation.inverse()).imag().norm();
                    (is.translation.vector - was.translation.vector).norm() + 2.0 * turned * side.radius
                }
                Moves::Fixed => 0.0,
            };
            excess = excess.max(off - 0.5 * side.margin);
        }
        excess
    }

    /// Shortens the motion since the start to what the guard allows, and takes from the velocities what was lost.
    pub fn hold(&mut self, moving: &mut Moving) -> Result<&Report, StepError> {
        self.take_poses(moving);
        let [start, end] = &mut self.poses;
        let places = Start { particles: &self.start.particles, poses: start };
        self.guard.hold(places, &mut moving.particles, end)?;
        moving.bodies.iter_mut().zip(end).for_each(|(body, pose)| body.pose = *pose);
        self.guard.slow(&moving.particles, &mut moving.velocities, self.options.step);
        self.guard.slow_bodies(&mut moving.body_velocities, self.options.step);
        Ok(self.guard.report())
    }

    /// Whether the guard lets the motion since the start through as it is: then no other detection is needed, wherever it leads.
    pub fn is_free(&mut self, moving: &Moving) -> Result<bool, StepError> {
        self.take_poses(moving);
        let places = Start { particles: &self.start.particles, poses: &self.poses[0] };
        Ok(self.guard.is_free(places, &moving.particles, &self.poses[1])?)
    }

    fn take_poses(&mut self, moving: &Moving) {
        for (poses, all) in self.poses.iter_mut().zip([&self.start, moving]) {
            poses.clear();
            poses.extend(all.bodies.iter().map(|body| body.pose));
        }
    }

    /// What the guard has done in the last step.
    pub fn report(&self) -> &Report {
        self.guard.report()
    }

    /// Moves the geometries of the scene to the particles and bodies.
    pub fn place(&self, scene: &mut Scene, moving: &Moving) -> Result<(), StepError> {
        self.check(scene, moving)?;
        for side in &self.sides {
            match side.moves {
                Moves::Particles(first) => {
                    scene.set_positions(side.id, &moving.particles[first..first + side.count])?;
                }
                Moves::Body(index) | Moves::Tool(index) => {
                    scene.set_pose(side.id, moving.bodies[index].pose)?;
                }
                Moves::Fixed => {}
            }
        }
        Ok(())
    }

    /// Whether everything exists that the geometries move with.
    fn check(&self, scene: &Scene, moving: &Moving) -> Result<(), StepError> {
        for side in &self.sides {
            let (what, wanted, found) = match side.moves {
                Moves::Particles(first) => {
                    ("particles", first.saturating_add(side.count), moving.particles.len())
                }
                Moves::Body(index) | Moves::Tool(index) => {
                    ("bodies", index.saturating_add(1), moving.bodies.len())
                }
                Moves::Fixed => continue,
            };
            if found < wanted {
                let name = scene.name(side.id)?.to_owned();
                return Err(StepError::TooFew { name, what, found, wanted });
            }
        }
        Ok(())
    }

    /// Tells the guard of the pairs of the scene, then of those that become near for the first time.
    fn know_pairs(&mut self, scene: &Scene) -> Result<(), StepError> {
        if self.guarded.is_empty() {
            for id in scene.pairs() {
                self.know(scene.pair(id)?)?;
            }
        }
        scene.active_pairs().try_for_each(|pair| self.know(pair))
    }

    fn know(&mut self, pair: &Pair) -> Result<(), StepError> {
        if !self.guarded.insert((pair.a(), pair.b())) {
            return Ok(());
        }
        let mut bodies = [None; 2];
        for (body, id) in bodies.iter_mut().zip([pair.a(), pair.b()]) {
            let side = self.sides.iter_mut().find(|side| side.id == id);
            let side = side.ok_or(StepError::UnknownGeometry { id })?;
            side.margin = side.margin.min(pair.margin());
            *body = side.guarded;
        }
        if let [Some(a), Some(b)] = bodies {
            self.guard.add_pair(a, b, self.options.distance)?;
        }
        Ok(())
    }
}
