//! A solver that wants the worst.

use crate::oracle::Skin;
use crate::scene::{DISTANCE, Scene};
use crate::steps;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_response::ResponseError;
use palpate_response::guard::{Mover, Moves, Start};
use palpate_tests::Random;
use std::collections::BTreeSet;

/// What is done to a body in a step.
fn displace(random: &mut Random, scene: &Scene, body: usize, particles: &mut [Point], poses: &mut [Pose]) {
    // From a ten-thousandth of the size to ten times the size.
    let length = scene.size * 10.0_f64.powf(random.between(-4.0, 1.0));
    let center = Point::new(2.2, 1.1, 0.0) * scene.size;
    let range = scene.range(body);
    let points = &mut particles[range.clone()];
    let count = points.len();
    match (scene.bodies[body].moves, random.below(6)) {
        (Moves::Body(index) | Moves::Tool(index), mode) => {
            let pose = &mut poses[index];
            let place = Point::from(pose.translation.vector);
            let shift = match mode {
                0..3 => (center - place) * random.between(0.0, 2.0),
                _ => random.direction() * length,
            };
            let turn = match random.below(3) {
                0 => UnitQuaternion::identity(),
                // Half a turn about any axis.
                1 => UnitQuaternion::from_axis_angle(
                    &nalgebra::Unit::new_normalize(random.direction()),
                    std::f64::consts::PI,
                ),
                _ => random.rotation(),
            };
            *pose = Pose::from_parts(Translation3::from(place.coords + shift), turn * pose.rotation);
        }
        (_, 0) => points.iter_mut().for_each(|point| *point += random.vector() * length),
        (_, 1) => {
            let shift = random.direction() * length;
            points.iter_mut().for_each(|point| *point += shift);
        }
        (_, 2) => points.iter_mut().for_each(|point| *point += (center - *point) * 0.3),
        // The two halves exchanged.
        (_, 3) => (0..count / 2).for_each(|k| points.swap(k, k + count / 2)),
        (_, 4) => points.iter_mut().for_each(|point| *point = center + (center - *point)),
        _ => {
            let k = random.below(count);
            points[k] += random.direction() * length;
        }
    }
}

/// A wrong guard, which the tests have to see.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mutant {
    None,
    /// A pair of bodies is left out.
    Pair(usize),
    /// What was shortened most gets its wanted end.
    Restored,
}

/// What was seen at the end of a step.
#[derive(Debug, Default)]
struct Run {
    steps: usize,
    /// Steps in which the guard shortened something.
    acted: usize,
    /// Steps that end with something through something, or on its other side.
    crossed: usize,
    /// Steps in which the wanted places would.
    wanted_crossed: usize,
    frozen: usize,
    rounds: usize,
    near: usize,
    refused: usize,
    combinations: BTreeSet<[&'static str; 2]>,
}

/// The relations that no step may change: windings and linking numbers of all pairs.
fn relations(scene: &Scene, skins: &[Skin]) -> Vec<[Option<i64>; 3]> {
    let of = |[a, b]: &[usize; 2]| {
        let (a, b) = (&skins[*a], &skins[*b]);
        [a.containment(b), b.containment(a), a.linking(b)]
    };
    scene.pairs.iter().filter(|[a, b]| a != b).map(of).collect()
}

fn is_crossed(scene: &Scene, skins: &[Skin]) -> bool {
    scene.pairs.iter().any(|&[a, b]| skins[a].crosses(&skins[b], a == b))
        || skins.iter().flat_map(Skin::surface_points).any(|point| point.y <= scene.height_of_floor())
}

/// The pairs of kinds that cross, or whose relation has changed.
fn wrong_pairs(scene: &Scene, skins: &[Skin], held: &[[Option<i64>; 3]]) -> Vec<String> {
    let mut wrong = Vec::new();
    let now = relations(scene, skins);
    let mut relation = held.iter().zip(&now);
    for &[a, b] in &scene.pairs {
        let kinds = format!("{} {a}, {} {b}", scene.bodies[a].kind, scene.bodies[b].kind);
        if skins[a].crosses(&skins[b], a == b) {
            wrong.push(format!("{kinds}: crossing"));
        }
        if a != b
            && let Some((was, is)) = relation.next()
            && was != is
        {
            wrong.push(format!("{kinds}: {was:?} has become {is:?}"));
        }
    }
    wrong
}

fn skins(scene: &Scene) -> Vec<Skin> {
    (0..scene.bodies.len()).map(|body| scene.skin(body)).collect()
}

/// The least distance of two threads, brute force.
fn thread_distance(a: &Skin, b: &Skin) -> f64 {
    let mut least = f64::INFINITY;
    for first in &a.segments {
        let [p, q] = first.map(|id| a.points[id as usize]);
        for second in &b.segments {
            let [r, s] = second.map(|id| b.points[id as usize]);
            // The distance from a point of one to the other is convex along it: ternary search.
            let from = |t: f64| {
                let x = p + (q - p) * t;
                let along = s - r;
                let u = ((x - r).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
                (x - (r + along * u)).norm()
            };
            let [mut low, mut high] = [0.0, 1.0];
            for _ in 0..60 {
                let [left, right] = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
                if from(left) <= from(right) { high = right } else { low = left }
            }
            least = least.min(from(0.5 * (low + high))).min(from(0.0)).min(from(1.0));
        }
    }
    least
}

fn thread_distances(scene: &Scene, skins: &[Skin]) -> Vec<f64> {
    let is_loop = |body: usize| skins[body].is_loop;
    let pairs = scene.pairs.iter().filter(|[a, b]| a != b && is_loop(*a) && is_loop(*b));
    pairs.map(|[a, b]| thread_distance(&skins[*a], &skins[*b])).collect()
}

/// Threads that were farther apart than the guard keeps them are so; closer ones are no closer.
fn thickness_is_kept(scene: &Scene, states: [&[Skin]; 2]) {
    let kept = (2.0 * 0.02 + DISTANCE) * scene.size;
    let [before, after] = states.map(|skins| thread_distances(scene, skins));
    for (was, is) in before.iter().zip(&after) {
        assert!(*is >= was.min(kept) - 1e-9 * scene.size, "{was:e} has become {is:e}");
    }
}

impl Run {
    fn scene(&mut self, seed: u64, size: f64, steps: usize, mutant: Mutant) {
        let mut random = Random::named("adversary", seed);
        let without = if let Mutant::Pair(pair) = mutant { Some(pair) } else { None };
        let mut scene = Scene::new(&mut random, size, without);
        let mut before = skins(&scene);
        assert!(!is_crossed(&scene, &before), "seed {seed}: the scene begins with a crossing");
        let held = relations(&scene, &before);
        for step in 0..steps {
            self.steps += 1;
            let (start, start_poses) = (scene.particles.clone(), scene.poses.clone());
            let (mut wanted, mut poses) = (start.clone(), start_poses.clone());
            for body in 0..scene.bodies.len() {
                if !random.one_in(3) {
                    displace(&mut random, &scene, body, &mut wanted, &mut poses);
                }
            }
            if random.one_in(10) {
                self.refuse(&mut random, &mut scene, &wanted, &poses);
            }
            let (all_wanted, all_poses) = (wanted.clone(), poses.clone());
            let places = Start { particles: &start, poses: &start_poses };
            let report = scene.guard.hold(places, &mut wanted, &mut poses).unwrap();
            self.acted += usize::from(!report.is_empty());
            self.frozen += usize::from(report.frozen > 0);
            self.rounds = self.rounds.max(report.rounds);
            self.near += report.near;
            let most = report.shortened.iter().max_by(|a, b| a.lost.total_cmp(&b.lost)).copied();
            if mutant != Mutant::None && report.crossing > 0 {
                // Bodies overlap that their inscribed surfaces do not show: the guard itself says so.
                self.crossed += 1;
                return;
            }
            assert_eq!(report.crossing, 0, "seed {seed}, step {step}");
            if let (Mutant::Restored, Some(most)) = (mutant, most) {
                match most.mover {
                    Mover::Particle(k) => wanted[k] = all_wanted[k],
                    Mover::Body(k) => poses[k] = all_poses[k],
                }
            }
            let velocities: Vec<Vector> = wanted.iter().map(|_| random.vector()).collect();
            let mut slowed = velocities.clone();
            scene.guard.slow(&wanted, &mut slowed, 1e-3);
            let is_slower = |(is, was): (&Vector, &Vector)| is.norm() <= was.norm() * (1.0 + 1e-12);
            assert!(slowed.iter().zip(&velocities).all(is_slower));
            only_shorter([&start, &wanted, &all_wanted], [&start_poses, &poses, &all_poses]);
            (scene.particles, scene.poses) = (all_wanted, all_poses);
            self.wanted_crossed += usize::from(is_crossed(&scene, &skins(&scene)));
            (scene.particles, scene.poses) = (wanted, poses);
            let after = skins(&scene);
            let is_wrong = is_crossed(&scene, &after) || relations(&scene, &after) != held;
            self.crossed += usize::from(is_wrong);
            if is_wrong {
                let which = wrong_pairs(&scene, &after, &held);
                assert_ne!(mutant, Mutant::None, "seed {seed}, size {size}, step {step}: {which:?}");
                return;
            }
            if mutant == Mutant::None {
                thickness_is_kept(&scene, [&before, &after]);
            }
            before = after;
        }
        for [a, b] in &scene.pairs {
            let [a, b] = [scene.bodies[*a].kind, scene.bodies[*b].kind];
            self.combinations.insert([a.min(b), a.max(b)]);
        }
    }

    /// A place that is not finite is refused by name, and changes nothing.
    fn refuse(&mut self, random: &mut Random, scene: &mut Scene, particles: &[Point], poses: &[Pose]) {
        let (mut wanted, mut turned) = (particles.to_vec(), poses.to_vec());
        let (start, start_poses) = (scene.particles.clone(), scene.poses.clone());
        let expected = if wanted.is_empty() || (random.one_in(2) && !turned.is_empty()) {
            let index = random.below(turned.len());
            turned[index].translation.vector.y = f64::NAN;
            ResponseError::NotFinite { what: "the pose of body", index }
        } else {
            let bodies: Vec<usize> =
                (0..scene.bodies.len()).filter(|b| !scene.range(*b).is_empty()).collect();
            // A particle of the skin: one inside a block is none of the guard's.
            let range = scene.range(bodies[random.below(bodies.len())]);
            let index = range.start;
            wanted[index].z = f64::NAN;
            ResponseError::NotFinite { what: "particle", index }
        };
        let all = (format!("{wanted:?}"), format!("{turned:?}"));
        let places = Start { particles: &start, poses: &start_poses };
        assert_eq!(scene.guard.hold(places, &mut wanted, &mut turned).unwrap_err(), expected);
        assert_eq!((format!("{wanted:?}"), format!("{turned:?}")), all);
        self.refused += 1;
    }
}

/// No displacement became longer, no body turned farther.
fn only_shorter([start, end, wanted]: [&[Point]; 3], [from, to, aim]: [&[Pose]; 3]) {
    for ((start, end), wanted) in start.iter().zip(end).zip(wanted) {
        let (is, was) = ((end - start).norm(), (wanted - start).norm());
        assert!(is <= was * (1.0 + 1e-12) + 1e-13 * start.coords.norm(), "{is} is longer than {was}");
    }
    for ((from, to), aim) in from.iter().zip(to).zip(aim) {
        let shift = |pose: &Pose| (pose.translation.vector - from.translation.vector).norm();
        let turn = |pose: &Pose| pose.rotation.angle_to(&from.rotation);
        let size = from.translation.vector.norm();
        assert!(shift(to) <= shift(aim) * (1.0 + 1e-12) + 1e-13 * size, "{to} is farther than {aim}");
        assert!(turn(to) <= turn(aim) + 1e-7, "{to} is turned more than {aim}");
    }
}

/// A hundred thousand steps by `PALPATE_GUARD_STEPS=100000`.
// Proves: REQ-GUARD
#[test]
fn nothing_gets_through_anything_whatever_the_solver_wants() {
    let (steps, of_scene) = (steps("PALPATE_GUARD_STEPS", 600), 40);
    let mut run = Run::default();
    for seed in 0..steps.div_ceil(of_scene) as u64 {
        run.scene(seed, [1.0, 1e-3, 1e3][seed as usize % 3], of_scene, Mutant::None);
    }
    println!("{run:?}");
    assert_eq!(run.crossed, 0);
    // Often enough to mean something.
    assert!(10 * run.acted > 8 * run.steps && 10 * run.wanted_crossed > 7 * run.steps, "{run:?}");
    assert!(run.combinations.len() >= 50 && run.refused > 0, "{run:?}");
}

/// A guard that leaves something out is caught.
#[test]
fn a_wrong_guard_is_seen() {
    for mutant in [Mutant::Pair(0), Mutant::Pair(5), Mutant::Restored] {
        let mut run = Run::default();
        (0..12).for_each(|seed| run.scene(seed, 1.0, 40, mutant));
        println!("{mutant:?}: {run:?}");
        assert!(run.crossed >= 6, "{mutant:?}: {run:?}");
    }
}
