//! Particles, rigid bodies and their contacts, and the time step.

use super::Result;
use super::deformable::Deformable;
use super::grip::Grip;
use super::tetrahedron::Tetrahedron;
use palpate_detect::Detection;
use palpate_geometry::{Geometry, Pose};
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::guard::{Guard, Moves, Start};
use palpate_response::pbd::{Body, Distance, Positions, RigidBody, Rows, Sliding, State, Velocities};
use palpate_scene::{GeometryId, PairId, PairOptions, Scene};
use std::collections::BTreeMap;
use std::ops::Range;

/// Settings of the time step.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seconds; one detection per step.
    pub step: f64,
    /// Substeps of a step.
    pub substeps: usize,
    /// Projections of every constraint in a substep.
    pub iterations: usize,
    /// Sweeps of re-projected rows alone at the end of a substep: internal constraints have the compliance to give way.
    pub last_sweeps: usize,
    /// Whether rows are re-projected [on their elements](Rows::reproject_on_elements), not on the lines and planes through them.
    pub on_elements: bool,
    /// The fraction of the multipliers of the previous step that the rows begin a step with.
    pub warm: f64,
    /// Metres per second squared.
    pub gravity: Vector,
    /// The rate at which velocities decay, per second.
    pub damping: f64,
    /// Metres: contacts closer than this have rows.
    pub margin: f64,
    /// Of every pair; where a pair has no continuous detector it must be static.
    pub detection: Detection,
    /// Metres: whatever the solver does, the surfaces of a pair are kept this far apart (if negative, they overlap by no
    /// more), and never pass through each other. `None` leaves all to the rows.
    pub guard: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 1.0 / 120.0,
            substeps: 1,
            iterations: 20,
            last_sweeps: 0,
            on_elements: false,
            warm: 0.0,
            gravity: Vector::y() * -9.81,
            damping: 0.0,
            margin: 1e-3,
            detection: Detection::Static,
            guard: None,
        }
    }
}

/// What a geometry moves with.
#[derive(Clone, Debug)]
enum Side {
    Particles(Range<usize>),
    Rigid(usize),
    Static,
}

/// Deformable bodies, rigid bodies and what does not move.
pub struct World {
    /// The geometries, the pairs, and the contacts of the last step.
    pub scene: Scene,
    /// All particles.
    pub positions: Vec<Point>,
    /// Metres per second. A particle without inverse mass moves as its velocity says.
    pub velocities: Vec<Vector>,
    /// One per kilogram; 0 for what contacts and constraints do not move.
    pub inverse_masses: Vec<f64>,
    /// The rigid bodies.
    pub bodies: Vec<RigidBody>,
    /// Velocity and spin of the rigid bodies. A body without inverse mass moves as they say: a tool.
    pub body_velocities: Vec<[Vector; 2]>,
    /// The settings, which may change between steps.
    pub settings: Settings,
    /// The rows of the last step.
    pub rows: Rows,
    /// Particles that hands hold.
    pub grips: Vec<Grip>,
    /// Places of shafts that slide in tissue.
    pub slidings: Vec<Sliding>,
    /// The particles whose displacement the guard has shortened in the last step.
    pub held: usize,
    /// Made with the first step of a number of pairs.
    guard: (usize, Guard),
    /// Positions at the start of the substep.
    previous: Vec<Point>,
    distances: Vec<Distance>,
    tetrahedra: Vec<Tetrahedron>,
    sides: Vec<Side>,
    materials: BTreeMap<u64, Material>,
}

impl World {
    /// Nothing.
    pub fn new(settings: Settings) -> Self {
        Self {
            scene: Scene::standard(),
            positions: Vec::new(),
            velocities: Vec::new(),
            inverse_masses: Vec::new(),
            bodies: Vec::new(),
            body_velocities: Vec::new(),
            settings,
            rows: Rows::new(settings.step),
            grips: Vec::new(),
            slidings: Vec::new(),
            held: 0,
            guard: (0, Guard::new()),
            previous: Vec::new(),
            distances: Vec::new(),
            tetrahedra: Vec::new(),
            sides: Vec::new(),
            materials: BTreeMap::new(),
        }
    }

    /// Adds a deformable body; its particles are [`particles`](Self::particles) of its id.
    pub fn add_deformable(&mut self, name: &str, body: Deformable) -> Result<GeometryId> {
        let Deformable { geometry, positions, masses, distances, tetrahedra } = body;
        let first = self.positions.len();
        let last = first + positions.len();
        self.distances.extend(distances.into_iter().map(|mut each| {
            each.particles = each.particles.map(|particle| first + particle);
            each
        }));
        self.tetrahedra.extend(tetrahedra.into_iter().map(|each| each.shifted(first)));
        self.positions.extend(positions);
        self.inverse_masses.extend(masses.into_iter().map(|mass| 1.0 / mass));
        self.velocities.resize(last, Vector::zeros());
        self.add(name, geometry, Side::Particles(first..last))
    }

    /// Adds a rigid body: a geometry in the frame of its centre of mass and principal axes.
    pub fn add_rigid(
        &mut self,
        name: &str,
        geometry: Box<dyn Geometry>,
        body: RigidBody,
    ) -> Result<GeometryId> {
        self.bodies.push(body);
        self.body_velocities.push([Vector::zeros(); 2]);
        let id = self.add(name, geometry, Side::Rigid(self.bodies.len() - 1))?;
        self.scene.set_pose(id, body.pose)?;
        Ok(id)
    }

    /// Adds a tool: a rigid body that moves as its velocity says, whatever it touches. Returns its number among the
    /// [`bodies`](Self::bodies) too.
    pub fn add_tool(
        &mut self,
        name: &str,
        geometry: Box<dyn Geometry>,
        pose: Pose,
    ) -> Result<(GeometryId, usize)> {
        let id = self.add_rigid(name, geometry, RigidBody::new(pose, 0.0, Vector::zeros()))?;
        Ok((id, self.bodies.len() - 1))
    }

    /// Adds what does not move.
    pub fn add_static(&mut self, name: &str, geometry: Box<dyn Geometry>) -> Result<GeometryId> {
        self.add(name, geometry, Side::Static)
    }

    fn add(&mut self, name: &str, geometry: Box<dyn Geometry>, side: Side) -> Result<GeometryId> {
        let id = self.scene.add_boxed(name, geometry, palpate_scene::Groups::default())?;
        self.sides.push(side);
        Ok(id)
    }

    /// Lets two geometries collide, or one with itself.
    pub fn add_pair(&mut self, a: GeometryId, b: GeometryId, material: Material) -> Result<PairId> {
        let Settings { margin, detection, .. } = self.settings;
        let options = PairOptions::default().with_margin(margin).with_detection(detection);
        self.add_pair_with(a, b, material, options)
    }

    /// The same with options of the pair.
    pub fn add_pair_with(
        &mut self,
        a: GeometryId,
        b: GeometryId,
        material: Material,
        options: PairOptions,
    ) -> Result<PairId> {
        let pair = self.scene.add_pair(a, b, options)?;
        self.materials.insert(pair.number(), material);
        Ok(pair)
    }

    /// The particles of a geometry; empty if it is rigid or static.
    pub fn particles(&self, id: GeometryId) -> Range<usize> {
        match &self.sides[id.index()] {
            Side::Particles(range) => range.clone(),
            _ => 0..0,
        }
    }

    /// The volumes of all tetrahedra relative to those at rest.
    pub fn volumes(&self) -> impl Iterator<Item = f64> + '_ {
        self.tetrahedra.iter().map(|each| each.volume(&self.positions))
    }

    /// The largest overlap that the last step has left in a row, metres; 0 if there is none.
    pub fn overlap(&self) -> f64 {
        let positions = Positions { particles: &self.positions, bodies: &self.bodies };
        self.rows.iter().map(|row| -row.gap(positions)).fold(0.0, f64::max)
    }

    /// Kinetic energy of particles and bodies that can move, joules.
    pub fn kinetic_energy(&self) -> f64 {
        let moving = self.velocities.iter().zip(&self.inverse_masses).filter(|(_, inverse)| **inverse > 0.0);
        let particles: f64 = moving.map(|(velocity, inverse)| velocity.norm_squared() / inverse).sum();
        let bodies =
            self.bodies.iter().zip(&self.body_velocities).filter(|(body, _)| body.inverse_mass > 0.0);
        let turning = |body: &RigidBody, spin: &Vector| {
            let local = body.pose.rotation.inverse_transform_vector(spin);
            local.component_mul(&local).component_div(&body.inverse_inertia).sum()
        };
        let bodies: f64 = bodies
            .map(|(body, [velocity, spin])| velocity.norm_squared() / body.inverse_mass + turning(body, spin))
            .sum();
        0.5 * (particles + bodies)
    }

    /// One step of time, with one detection.
    pub fn step(&mut self) -> Result<()> {
        let step = self.settings.step / self.settings.substeps as f64;
        let start = (self.positions.clone(), self.poses());
        self.detect(step)?;
        let warm = self.settings.warm;
        for substep in 0..self.settings.substeps {
            self.predict(step);
            if substep == 0 && warm > 0.0 {
                let Self { positions: particles, previous, inverse_masses, bodies, rows, .. } = self;
                rows.warm_start(&mut State { particles, previous, inverse_masses, bodies }, warm);
            }
            self.solve(step);
        }
        self.hold(&start)
    }

    fn poses(&self) -> Vec<Pose> {
        self.bodies.iter().map(|body| body.pose).collect()
    }

    /// Finds the contacts of the whole step, and gathers their rows.
    ///
    /// The motion in which contacts are found is that of the step with internal constraints and with the rows of the step
    /// before: the solution leaves it only by what new contacts change, which the margin has to cover.
    fn detect(&mut self, step: f64) -> Result<()> {
        // The state at the start becomes the previous one of continuous detectors.
        self.place()?;
        self.scene.advance();
        let particles = (self.positions.clone(), self.velocities.clone());
        let bodies = (self.bodies.clone(), self.body_velocities.clone());
        for _ in 0..self.settings.substeps {
            self.predict(step);
            self.solve(step);
        }
        self.place()?;
        self.scene.step()?;
        let Self { scene, rows, sides, materials, .. } = self;
        rows.set_step(step);
        let body = |id: GeometryId| match &sides[id.index()] {
            Side::Particles(range) => Body::Particles(range.start),
            Side::Rigid(index) => Body::Rigid(*index),
            Side::Static => Body::Static,
        };
        let positions = Positions { particles: &self.positions, bodies: &self.bodies };
        rows.gather(scene.pairs_in_contact(), positions, body, |pair| materials[&pair.id().number()])?;
        (self.positions, self.velocities) = particles;
        (self.bodies, self.body_velocities) = bodies;
        Ok(())
    }

    /// Shortens the displacements of the step to what the guard allows.
    fn hold(&mut self, (start, start_poses): &(Vec<Point>, Vec<Pose>)) -> Result<()> {
        self.held = 0;
        let Some(distance) = self.settings.guard else { return Ok(()) };
        self.guard_pairs(distance)?;
        let mut poses = self.poses();
        let places = Start { particles: start, poses: start_poses };
        let report = self.guard.1.hold(places, &mut self.positions, &mut poses)?;
        self.held = report.shortened.len();
        self.guard.1.slow(&self.positions, &mut self.velocities, self.settings.step);
        self.bodies.iter_mut().zip(poses).for_each(|(body, pose)| body.pose = pose);
        Ok(())
    }

    /// Makes the guard, unless it is that of the present pairs.
    fn guard_pairs(&mut self, distance: f64) -> Result<()> {
        let pairs: Vec<PairId> = self.scene.pairs().collect();
        if self.guard.0 == pairs.len() {
            return Ok(());
        }
        let mut guard = Guard::new();
        let mut guarded = Vec::new();
        for (id, side) in self.scene.geometries().zip(&self.sides) {
            let moves = match side {
                Side::Particles(range) => Moves::Particles(range.start),
                Side::Rigid(index) if self.bodies[*index].inverse_mass == 0.0 => Moves::Tool(*index),
                Side::Rigid(index) => Moves::Body(*index),
                Side::Static => Moves::Fixed,
            };
            guarded.push(guard.add(self.scene.geometry(id)?, moves)?);
        }
        for pair in &pairs {
            let pair = self.scene.pair(*pair)?;
            guard.add_pair(guarded[pair.a().index()], guarded[pair.b().index()], distance)?;
        }
        self.guard = (pairs.len(), guard);
        Ok(())
    }

    /// Moves the geometries to the particles and bodies.
    fn place(&mut self) -> Result<()> {
        for (id, side) in self.scene.geometries().zip(&self.sides) {
            match side {
                Side::Particles(range) => self.scene.set_positions(id, &self.positions[range.clone()])?,
                Side::Rigid(index) => self.scene.set_pose(id, self.bodies[*index].pose)?,
                Side::Static => {}
            }
        }
        Ok(())
    }

    /// Moves everything by its velocity, after what is free has gained a velocity.
    fn move_on(&mut self, step: f64, gain: &Vector) {
        for ((place, velocity), inverse) in
            self.positions.iter_mut().zip(&self.velocities).zip(&self.inverse_masses)
        {
            let gain = if *inverse > 0.0 { *gain } else { Vector::zeros() };
            *place += (velocity + gain) * step;
        }
        for (body, [velocity, spin]) in self.bodies.iter_mut().zip(&self.body_velocities) {
            let gain = if body.inverse_mass > 0.0 { *gain } else { Vector::zeros() };
            body.predict(&(velocity + gain), spin, step);
        }
    }

    /// Begins a substep.
    fn predict(&mut self, step: f64) {
        self.previous.clone_from(&self.positions);
        self.move_on(step, &(self.settings.gravity * step));
        self.distances.iter_mut().for_each(Distance::begin_step);
        self.tetrahedra.iter_mut().for_each(Tetrahedron::begin);
        self.grips.iter_mut().for_each(Grip::begin);
        self.slidings.iter_mut().for_each(Sliding::begin_step);
        self.rows.begin_substep();
        self.reproject();
    }

    fn reproject(&mut self) {
        let positions = Positions { particles: &self.positions, bodies: &self.bodies };
        if self.settings.on_elements {
            self.rows.reproject_on_elements(positions);
        } else {
            self.rows.reproject(positions);
        }
    }

    /// Iterates, and takes the velocities.
    fn solve(&mut self, step: f64) {
        for _ in 0..self.settings.iterations {
            self.project_internal(step);
            self.project_rows();
        }
        for _ in 0..self.settings.last_sweeps {
            self.reproject();
            self.project_rows();
        }
        self.take_velocities(step);
        self.rebound();
    }

    /// Projects every internal constraint once.
    fn project_internal(&mut self, step: f64) {
        let Self {
            positions, previous, inverse_masses, bodies, distances, tetrahedra, grips, slidings, ..
        } = self;
        grips.iter_mut().for_each(|each| each.project(positions, inverse_masses, step));
        distances.iter_mut().for_each(|each| each.project(positions, inverse_masses, step));
        tetrahedra.iter_mut().for_each(|each| each.project(positions, inverse_masses, step));
        let mut state = State { particles: positions, previous, inverse_masses, bodies };
        slidings.iter_mut().for_each(|each| each.project(&mut state, step));
    }

    /// Projects every row once.
    fn project_rows(&mut self) {
        let Self { positions: particles, previous, inverse_masses, bodies, rows, .. } = self;
        let mut state = State { particles, previous, inverse_masses, bodies };
        rows.iter_mut().for_each(|row| row.project_in(&mut state));
    }

    /// Velocities from the displacements; what cannot be moved keeps its own.
    fn take_velocities(&mut self, step: f64) {
        let kept = 1.0 / (1.0 + self.settings.damping * step);
        for k in (0..self.positions.len()).filter(|&k| self.inverse_masses[k] > 0.0) {
            self.velocities[k] = (self.positions[k] - self.previous[k]) * (kept / step);
        }
        for (body, velocities) in self.bodies.iter().zip(&mut self.body_velocities) {
            if body.inverse_mass > 0.0 {
                *velocities = body.velocities(step).map(|velocity| velocity * kept);
            }
        }
    }

    /// Restitution; without it, rows that pushed keep no relative velocity.
    fn rebound(&mut self) {
        let mut velocities =
            Velocities { particles: &mut self.velocities, bodies: &mut self.body_velocities };
        for row in &mut self.rows {
            row.rebound_velocities(&mut velocities, &self.inverse_masses, &self.bodies);
        }
    }
}
