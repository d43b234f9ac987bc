//! The guard: its bodies, its pairs, and how it holds a step.

use super::extent::{Extent, largest_finite, of_body, of_particles};
use super::moves::{Moves, Part, Shape};
use super::report::{Contradiction, Mover, Report, Shortened};
use super::rigid::{Place, Rigid};
use super::search::{Parts, Search};
use super::step::{Stamps, Step, lowest_at};
use crate::ResponseError;
use crate::rotation::rotation_vector;
use nalgebra::Isometry3;
use palpate_geometry::Geometry;
use palpate_math::{Point, Vector};
use std::ops::Range;

/// The places of everything at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start<'a> {
    /// All particles, world frame, metres.
    pub particles: &'a [Point],
    /// The poses of all rigid bodies and tools, body to world.
    pub poses: &'a [Isometry3<f64>],
}

/// A body of a [`Guard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardedBody(usize);

/// Bounds the motion of a step such that nothing passes through anything, whatever a solver has done: see the
/// [module](super).
#[derive(Default)]
pub struct Guard {
    /// The parts of each body.
    bodies: Vec<Range<usize>>,
    parts: Vec<Part>,
    /// The pairs of parts, in the order of the pairs of bodies.
    pairs: Vec<Parts>,
    pair_count: usize,
    extents: Vec<Extent>,
    rigid: Vec<Rigid>,
    stamps: Stamps,
    search: Search,
    report: Report,
    /// A copy of the particles.
    ends: Vec<Point>,
}

/// The distance of two parts with their radii. Errors: one that is not above 0.
fn kept_by(distance: f64, [first, second]: [f64; 2], pair: usize) -> Result<f64, ResponseError> {
    let kept = distance + first + second;
    if kept > 0.0 && kept.is_finite() {
        Ok(kept)
    } else {
        Err(ResponseError::GuardedDistance { pair, found: kept })
    }
}

/// Passes over the pairs in which the gap of a pair is divided; then motions are halved; then they are taken back.
const DIVISIONS: usize = 32;
const HALVINGS: usize = 48;

/// Rounding errors of a coordinate that a distance along a direction may have.
const ROUNDINGS: f64 = 64.0;

impl Guard {
    /// A guard of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body: a mesh, a plane, a convex shape, an implicit body, or a compound of these. Its topology, its sizes, and the coordinates of
    /// what does not move with particles are copied: after a cut, [`replace`](Self::replace) the body.
    ///
    /// Errors: a kind that the guard does not know (an implicit body without a Lipschitz constant); particles for what is no
    /// mesh.
    pub fn add(&mut self, geometry: &dyn Geometry, moves: Moves) -> Result<GuardedBody, ResponseError> {
        let mut parts = Vec::new();
        Part::append(geometry, moves, &mut parts)?;
        Ok(self.added(parts))
    }

    /// Adds a body at rest whose coordinates are in the frame of a pose: a mesh or a compound that a scene places. Errors: as
    /// [`add`](Self::add).
    pub fn add_placed(
        &mut self,
        geometry: &dyn Geometry,
        pose: &Isometry3<f64>,
    ) -> Result<GuardedBody, ResponseError> {
        let mut parts = Vec::new();
        Part::append_fixed(geometry, pose, &mut parts)?;
        Ok(self.added(parts))
    }

    fn added(&mut self, parts: Vec<Part>) -> GuardedBody {
        let first = self.parts.len();
        self.parts.extend(parts);
        self.bodies.push(first..self.parts.len());
        GuardedBody(self.bodies.len() - 1)
    }

    /// Gives a body another geometry with as many parts: after a cut. Pairs keep their distances, with the radii of the new geometry.
    /// Errors: as [`add`](Self::add) and [`add_pair`](Self::add_pair); a body of another guard, another number of parts; then nothing
    /// is changed.
    pub fn replace(&mut self, body: GuardedBody, geometry: &dyn Geometry) -> Result<(), ResponseError> {
        let first = self.range(body)?.start;
        let moves = self.parts.get(first).map_or(Moves::Fixed, |part| part.moves);
        let mut parts = Vec::new();
        Part::append(geometry, moves, &mut parts)?;
        self.exchange(body, parts)
    }

    /// The same for a body that was [added at a pose](Self::add_placed). Errors: as [`replace`](Self::replace).
    pub fn replace_placed(
        &mut self,
        body: GuardedBody,
        geometry: &dyn Geometry,
        pose: &Isometry3<f64>,
    ) -> Result<(), ResponseError> {
        let mut parts = Vec::new();
        Part::append_fixed(geometry, pose, &mut parts)?;
        self.exchange(body, parts)
    }

    fn exchange(&mut self, body: GuardedBody, parts: Vec<Part>) -> Result<(), ResponseError> {
        let range = self.range(body)?;
        if parts.len() != range.len() {
            return Err(ResponseError::GuardedParts { found: parts.len(), wanted: range.len() });
        }
        let part = |k: usize| if range.contains(&k) { &parts[k - range.start] } else { &self.parts[k] };
        let kept = |of: &Parts| kept_by(of.distance, of.parts.map(|k| part(k).radius), of.pair);
        let kept = self.pairs.iter().map(kept).collect::<Result<Vec<f64>, _>>()?;
        self.pairs.iter_mut().zip(kept).for_each(|(of, kept)| of.kept = kept);
        self.parts[range].iter_mut().zip(parts).for_each(|(part, new)| *part = new);
        self.search.forget_solids();
        Ok(())
    }

    /// Keeps two bodies apart, or one from itself (elements that share a vertex are not asked): at least `distance` metres
    /// between their surfaces, which include their radii; where they are closer at the start of a step, they do not come
    /// closer. A negative distance allows radii to overlap by that much. Returns the number of the pair, from 0.
    ///
    /// Errors: a body of another guard; a distance that is not finite; one that with the radii of both is not above 0: what may
    /// touch cannot be told from what crosses.
    pub fn add_pair(
        &mut self,
        a: GuardedBody,
        b: GuardedBody,
        distance: f64,
    ) -> Result<usize, ResponseError> {
        let (first, second) = (self.range(a)?, self.range(b)?);
        let pair = self.pair_count;
        let before = self.pairs.len();
        for i in first {
            // Of one body, every two of its parts once, and each with itself.
            for j in second.clone().filter(|j| a != b || *j >= i) {
                let radii = [i, j].map(|part| self.parts[part].radius);
                let kept = kept_by(distance, radii, pair).inspect_err(|_| self.pairs.truncate(before))?;
                self.pairs.push(Parts { parts: [i, j], distance, kept, pair });
            }
        }
        self.pair_count += 1;
        Ok(pair)
    }

    fn range(&self, body: GuardedBody) -> Result<Range<usize>, ResponseError> {
        let count = self.bodies.len();
        self.bodies.get(body.0).cloned().ok_or(ResponseError::UnknownGuardedBody { found: body.0, count })
    }

    /// Shortens the motion from `start` to `particles` and `poses` such that no pair comes closer than it may, and returns what
    /// was shortened. Afterwards every particle is no farther from its start than it was, and every body is shifted and turned no
    /// farther; what is in no pair is unchanged.
    ///
    /// Errors: a place of a body that is not finite, by name; lists of different lengths; a particle or a pose that a body moves with
    /// and that does not exist. Then no motion is changed, and there is no last step: its [report](Self::report) is empty.
    ///
    /// Cost: a pass over the particles of the bodies, a query of a tree per cell of the smaller body of a pair that is near, and a few
    /// distances per pair of elements. No allocation once settled.
    pub fn hold(
        &mut self,
        start: Start<'_>,
        particles: &mut [Point],
        poses: &mut [Isometry3<f64>],
    ) -> Result<&Report, ResponseError> {
        self.begin(&start, particles, poses)?;
        self.shorten(&start, particles);
        for (pose, rigid) in poses.iter_mut().zip(&self.rigid) {
            *pose = rigid.pose;
        }
        Ok(&self.report)
    }

    /// Forgets the last step, and takes the motion of this one. Errors: as [`hold`](Self::hold).
    fn begin(
        &mut self,
        start: &Start<'_>,
        particles: &[Point],
        poses: &[Isometry3<f64>],
    ) -> Result<(), ResponseError> {
        self.stamps.begin(particles.len(), poses.len());
        self.report.clear();
        self.check(start, particles, poses)?;
        self.rigid.clear();
        self.rigid.extend(start.poses.iter().zip(poses).map(|(start, end)| Rigid::new(start, end)));
        for part in &self.parts {
            if let Moves::Tool(index) = part.moves {
                self.rigid[index].is_tool = true;
            }
        }
        self.find_extents(start, particles)
    }

    /// Whether the motion of a step is proved to need no shortening, so that [`hold`](Self::hold) would change nothing. Nothing is
    /// shortened here, and the [report](Self::report) is empty. Errors: as `hold`.
    ///
    /// Cost: as `hold` of a motion that needs none; a copy of the particles.
    pub fn is_free(
        &mut self,
        start: Start<'_>,
        particles: &[Point],
        poses: &[Isometry3<f64>],
    ) -> Result<bool, ResponseError> {
        self.begin(&start, particles, poses)?;
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        ends.extend_from_slice(particles);
        let Self { parts, rigid, stamps, extents, search, pairs, .. } = self;
        let tolerance = tolerance(extents);
        let step = Step { parts, start: start.particles, end: &mut ends, rigid, stamps, tolerance };
        search.begin();
        let is_free = search.is_free(&step, extents, pairs);
        self.ends = ends;
        Ok(is_free)
    }

    /// Shortens motions until every pair of elements that could meet is proved apart.
    fn shorten(&mut self, start: &Start<'_>, particles: &mut [Point]) {
        let Self { parts, rigid, stamps, extents, search, report, pairs, .. } = self;
        let tolerance = tolerance(extents);
        let mut step = Step { parts, start: start.particles, end: particles, rigid, stamps, tolerance };
        search.begin();
        let mut rounds = 0;
        // What was changed goes another way, and may meet what it did not.
        while search.update(&mut step, extents, pairs)
            && settle(&mut step, search, &mut rounds, &mut report.frozen)
        {}
        count(search, report, rounds.max(1));
        summarize(&step, search, report);
    }

    /// Forgets the last step: there is nothing to [slow](Self::slow).
    pub fn forget(&mut self) {
        self.stamps.begin(0, 0);
        self.report.clear();
    }

    /// What the last step has been shortened by.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Takes from the velocities of particles that were shortened what led against the shortening, at most to 0 along it: no
    /// velocity becomes greater. `step` is the length of the step in seconds; `velocities` are of all particles, metres per
    /// second.
    pub fn slow(&self, particles: &[Point], velocities: &mut [Vector], step: f64) {
        for change in &self.stamps.changes {
            let Mover::Particle(k) = change.mover else { continue };
            less(&mut velocities[k], &(change.wanted - particles[k]), step);
        }
    }

    /// The same for the velocities and spins of all rigid bodies (metres and radians per second, world frame). Those of tools are
    /// the host's, and stay.
    pub fn slow_bodies(&self, velocities: &mut [[Vector; 2]], step: f64) {
        for change in &self.stamps.changes {
            let Mover::Body(k) = change.mover else { continue };
            let Rigid { wanted_way, way, is_tool, .. } = &self.rigid[k];
            if !is_tool {
                for (velocity, (wanted, way)) in velocities[k].iter_mut().zip(wanted_way.iter().zip(way)) {
                    less(velocity, &(wanted - way), step);
                }
            }
        }
    }

    fn check(
        &self,
        start: &Start<'_>,
        particles: &[Point],
        poses: &[Isometry3<f64>],
    ) -> Result<(), ResponseError> {
        let lengths = [(start.particles.len(), particles.len()), (start.poses.len(), poses.len())];
        for ((wanted, found), what) in lengths.into_iter().zip(["particles", "poses"]) {
            if wanted != found {
                return Err(ResponseError::GuardedCount { what, found, wanted });
            }
        }
        for part in &self.parts {
            let (what, wanted, count) = match (part.moves, part.mesh()) {
                (Moves::Particles(first), Some(mesh)) => {
                    ("particles", first.saturating_add(mesh.vertices), particles.len())
                }
                (Moves::Body(index) | Moves::Tool(index), _) => {
                    ("poses", index.saturating_add(1), poses.len())
                }
                _ => continue,
            };
            if wanted > count {
                return Err(ResponseError::GuardedCount { what, found: count, wanted });
            }
        }
        let is_finite = |pose: &Isometry3<f64>| {
            pose.translation.vector.iter().chain(pose.rotation.coords.iter()).all(|x| x.is_finite())
        };
        match start.poses.iter().zip(poses).position(|(a, b)| !is_finite(a) || !is_finite(b)) {
            Some(index) => Err(ResponseError::NotFinite { what: "the pose of body", index }),
            None => Ok(()),
        }
    }

    /// The box of every part, and the trees of particles fitted to them. Errors: a particle that is not finite.
    fn find_extents(&mut self, start: &Start<'_>, end: &[Point]) -> Result<(), ResponseError> {
        let Self { parts, rigid, extents, .. } = self;
        extents.clear();
        for part in parts.iter_mut() {
            extents.push(match (part.moves, &mut part.shape) {
                (Moves::Particles(first), Shape::Mesh(mesh)) => {
                    of_particles(mesh, first, start.particles, end)?
                }
                (moves, shape) => of_body(shape, moves.pose().map(|index| &rigid[index])),
            });
        }
        Ok(())
    }
}

/// What rounding can make of a distance along a direction, metres.
fn tolerance(extents: &[Extent]) -> f64 {
    let largest = extents.iter().map(|extent| largest_finite(&extent.bounds)).fold(0.0, f64::max);
    ROUNDINGS * f64::EPSILON * largest
}

/// Takes from a velocity what has led along a lost displacement: no more than that, and not beyond 0.
fn less(velocity: &mut Vector, lost: &Vector, step: f64) {
    if let Some(along) = lost.try_normalize(0.0) {
        *velocity -= along * along.dot(velocity).max(0.0).min(lost.norm() / step);
    }
}

fn count(search: &Search, report: &mut Report, rounds: usize) {
    (report.near, report.crossing) = (search.near.len(), search.crossing.len() + search.touching.len());
    report.rounds = rounds;
}

/// Shortens motions until every pair that the search has found is proved apart. Returns whether it has shortened one.
fn settle(step: &mut Step<'_>, search: &mut Search, rounds: &mut usize, frozen: &mut usize) -> bool {
    let Search { near, memory, .. } = search;
    let mut has_changed = false;
    loop {
        let round = *rounds;
        *rounds += 1;
        let mut is_settled = true;
        for near in near.iter_mut() {
            if near.checked > 0 && step.changed(&near.a).max(step.changed(&near.b)) <= near.checked {
                continue;
            }
            near.checked = step.stamps.tick();
            if near.is_apart(step, memory) {
                continue;
            }
            is_settled = false;
            // Whatever was changed is asked again in the next round.
            near.checked = 0;
            near.has_held = true;
            if round < DIVISIONS {
                near.divide(step);
            } else {
                let factor = if round < DIVISIONS + HALVINGS { 0.5 } else { 0.0 };
                *frozen += usize::from(factor == 0.0);
                step.scale(&near.a, factor, near.pair);
                step.scale(&near.b, factor, near.pair);
            }
        }
        if is_settled {
            return has_changed;
        }
        has_changed = true;
    }
}

/// Lists what was shortened, and the tools that were held back.
fn summarize(step: &Step<'_>, search: &Search, report: &mut Report) {
    for change in &step.stamps.changes {
        let (lost, lost_turn) = match change.mover {
            Mover::Particle(k) => ((step.end[k] - change.wanted).norm(), 0.0),
            Mover::Body(k) => {
                let Rigid { wanted, pose, .. } = &step.rigid[k];
                let lost = (wanted.translation.vector - pose.translation.vector).norm();
                (lost, rotation_vector(&(wanted.rotation * pose.rotation.inverse())).norm())
            }
        };
        report.shortened.push(Shortened { mover: change.mover, pair: change.pair, lost, lost_turn });
        if let Mover::Body(tool) = change.mover
            && step.rigid[tool].is_tool
        {
            report.contradictions.extend(contradiction(step, search, tool));
        }
    }
    report.shortened.sort_unstable_by_key(|each| each.mover);
    report.contradictions.sort_unstable_by_key(|each| each.tool);
}

/// What holds a tool back most.
fn contradiction(step: &Step<'_>, search: &Search, tool: usize) -> Option<Contradiction> {
    let rigid = &step.rigid[tool];
    let wanted = Place::of(&rigid.wanted);
    let mut worst: Option<Contradiction> = None;
    for near in search.near.iter().filter(|near| near.has_held) {
        for (element, sign) in [(&near.a, 1.0), (&near.b, -1.0)] {
            let part = &step.parts[element.part];
            if part.moves != Moves::Tool(tool) {
                continue;
            }
            let direction = near.normal * sign;
            let lowest = lowest_at(part, element, &wanted, &direction, &near.origin);
            // Of an implicit body that wants to go beyond, what it lost.
            let lost = direction.dot(&(rigid.pose.translation.vector - rigid.wanted.translation.vector));
            let missing =
                if near.is_of_function() { lost } else { near.missing_of_tool(step, lowest, sign > 0.0) };
            if missing > 0.0 && worst.is_none_or(|worst| missing > worst.missing) {
                worst = Some(Contradiction { tool, pair: near.pair, missing, direction });
            }
        }
    }
    worst
}
