//! What a settled loop does not do: gain energy, touch the heap, depend on the number of threads.

use crate::client::{Around, Suture};
use crate::steps;
use palpate::detect::Pool;
use palpate::prelude::*;
use palpate::response::Material;
use palpate::response::guard::{Guard, Moves, Start};
use palpate::response::pbd::Distance;
use palpate::stepping::{Moving, Stepper, StepperOptions};
use palpate_tests::{Random, meshes};

const STEP: f64 = 2e-3; // seconds
const GRAVITY: f64 = 9.81;
const MASS: f64 = 1e-3; // kilograms, of a particle

/// Joules, kinetic and potential.
fn energy(moving: &Moving) -> f64 {
    let of =
        |(place, velocity): (&Point, &Vector)| MASS * (0.5 * velocity.norm_squared() + GRAVITY * place.y);
    moving.particles.iter().zip(&moving.velocities).map(of).sum()
}

/// A hundred thousand steps by `PALPATE_ENERGY_STEPS=100000`. The step is short, so that the fall is.
#[test]
fn a_guarded_free_fall_gains_no_energy_and_is_that_without_a_guard() {
    let (steps, step) = (steps("PALPATE_ENERGY_STEPS", 3_000), 2e-5);
    let mut random = Random::new(5);
    let (points, triangles) = meshes::sheet(&mut random, 6);
    let mut guard = Guard::new();
    let cloth =
        guard.add(&SurfaceMesh::new(points.clone(), triangles).unwrap(), Moves::Particles(0)).unwrap();
    guard.add_pair(cloth, cloth, 1e-3).unwrap();
    let mut moving = Moving::of_particles(points);
    let mut free = moving.clone();
    let mut before = energy(&moving);
    for _ in 0..steps {
        let start = moving.particles.clone();
        for each in [&mut moving, &mut free] {
            each.velocities.iter_mut().for_each(|velocity| velocity.y -= GRAVITY * step);
            each.advance(step);
        }
        guard.hold(Start { particles: &start, poses: &[] }, &mut moving.particles, &mut []).unwrap();
        guard.slow(&moving.particles, &mut moving.velocities, step);
        let now = energy(&moving);
        assert!(now <= before + 1e-12, "{before} J have become {now} J");
        before = now;
    }
    assert_eq!(moving, free);
}

/// A cloth is pinned above a ball and lies on it. The solver has lengths and gravity, but no contact: only the guard keeps the
/// cloth off the ball.
#[test]
fn a_guarded_resting_cloth_gains_no_energy() {
    let steps = steps("PALPATE_ENERGY_STEPS", 3_000);
    let mut random = Random::new(6);
    let (points, triangles) = meshes::sheet(&mut random, 8);
    let points: Vec<Point> =
        points.iter().map(|p| Point::new(0.1 * p.x, 0.056 + 1e-3 * p.y, 0.1 * p.z)).collect();
    let edge = |ids: &[u32; 3], k: usize| [ids[k], ids[(k + 1) % 3]].map(|id| id as usize);
    let mut edges: Vec<[usize; 2]> =
        triangles.iter().flat_map(|ids| (0..3).map(move |k| edge(ids, k))).collect();
    edges.iter_mut().for_each(|ids| ids.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    let mut lengths: Vec<Distance> = edges.into_iter().map(|ids| Distance::new(ids, &points, 1e-6)).collect();
    let mut scene = Scene::standard();
    let cloth = scene.add("cloth", SurfaceMesh::new(points.clone(), triangles).unwrap()).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 0.05).unwrap()).unwrap();
    scene.add_pair(cloth, ball, PairOptions::default().with_margin(1e-3)).unwrap();
    let moves = |id| if id == cloth { Moves::Particles(0) } else { Moves::Fixed };
    let options = StepperOptions { detections: 1, ..StepperOptions::new(STEP, 1e-4) };
    let mut stepper = Stepper::new(&scene, options, moves).unwrap();
    let from_axis = |k: &usize| points[*k].x.hypot(points[*k].z);
    let pinned = (0..points.len()).min_by(|i, j| from_axis(i).total_cmp(&from_axis(j))).unwrap();
    let mut masses = vec![1.0 / MASS; points.len()];
    masses[pinned] = 0.0;
    let mut moving = Moving::of_particles(points);
    let start = energy(&moving);
    let (mut acted, mut least, mut most_later) = (0, f64::INFINITY, 0.0_f64);
    for step in 0..steps {
        for velocity in &mut moving.velocities {
            *velocity = *velocity * 0.98 - Vector::y() * (GRAVITY * STEP);
        }
        moving.velocities[pinned] = Vector::zeros();
        let stepped = stepper.step(
            &mut scene,
            &mut moving,
            |_| Material::HARD,
            |moving, _rows| {
                let before = moving.particles.clone();
                moving.advance(STEP);
                lengths.iter_mut().for_each(Distance::begin_step);
                for _ in 0..10 {
                    lengths
                        .iter_mut()
                        .for_each(|length| length.project(&mut moving.particles, &masses, STEP));
                }
                moving.take_velocities(&before, &masses, STEP);
            },
        );
        acted += usize::from(stepped.unwrap().shortened > 0);
        let now = energy(&moving);
        assert!(now <= start + 1e-9, "step {step}: {start} J have become {now} J");
        least = least.min(now);
        if 2 * step > steps {
            most_later = most_later.max(now - least);
        }
    }
    println!("{acted} of {steps} steps held; at most {most_later:e} J above the least, of {start:e} J");
    assert!(2 * acted > steps, "{acted}");
    // What it has lost it does not get back, but for the swing of a hem.
    assert!(most_later < 1e-4 * start, "{most_later}");
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads() {
    let run = |threads: usize| {
        let mut suture = Suture::new(Around::Torus, 1.0, 1.0);
        let scene = std::mem::replace(&mut suture.scene, Scene::standard());
        suture.scene = scene.with_executor(Box::new(Pool::new(threads).unwrap()));
        (0..40).for_each(|_| {
            suture.step();
        });
        suture.moving.particles.iter().flat_map(|p| p.iter().map(|x| x.to_bits())).collect::<Vec<u64>>()
    };
    let one = run(1);
    assert!(run(2) == one && run(4) == one);
}
