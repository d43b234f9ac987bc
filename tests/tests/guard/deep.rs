//! Two closed meshes that begin deep inside each other come apart, by their contacts and the exit of the pair.

use crate::steps;
use nalgebra::Translation3;
use palpate::contact::ContactsOfPair;
use palpate::prelude::*;
use palpate::response::overlap::{ExitSettings, Exits, overlap};
use palpate::response::{Material, rigid};
use palpate_mesh_io::{Contents, read};
use palpate_tests::meshes::{self, CLOSED, Triangles};
use palpate_tests::{ALL_NEEDS, Random};
use std::path::PathBuf;

const STEP: f64 = 1.0 / 240.0; // seconds
const SIZE: f64 = 0.1; // metres, half of the largest extent of a body
const SLOP: f64 = 1e-4 * SIZE;

/// Generated meshes, or those of the shared folder that are closed.
fn bodies(random: &mut Random) -> Vec<Triangles> {
    let Some(shared) = std::env::var_os("PALPATE_SHARED").map(PathBuf::from) else {
        let bone = |(mut points, triangles): Triangles| {
            points.iter_mut().for_each(|p| *p = Point::new(p.x * (0.2 + 0.15 * p.y * p.y), p.y, p.z * 0.25));
            (points, triangles)
        };
        let low = Point::new(-0.9, -0.4, -0.7);
        return vec![
            meshes::torus(random, 16, 10),
            meshes::bumpy(random, 2, 0.1),
            meshes::box_surface(low, Point::from(-low.coords)),
            bone(meshes::icosphere(3)),
        ];
    };
    // The last has no closed surface.
    let files = CLOSED.iter().filter(|name| **name != "Ossicles.vtu");
    let body = |name: &&str| {
        let path = shared.join("data/meshes").join(name);
        let Contents { positions, triangles, tetrahedra, .. } = read(&path).unwrap();
        match tetrahedra.is_empty() {
            true => (positions, triangles),
            false => {
                let mesh = TetraMesh::new(positions, tetrahedra).unwrap();
                (mesh.points().positions().to_vec(), mesh.boundary_triangles().to_vec())
            }
        }
    };
    files.map(body).collect()
}

/// A mesh about the middle of its box, half of the largest extent of which is given.
fn sized((points, triangles): &Triangles, half: f64) -> SurfaceMesh {
    let used = || triangles.iter().flatten().map(|id| points[*id as usize]);
    let bounds = palpate::math::Aabb::from_points(used());
    let factor = 2.0 * half / bounds.size().max();
    let points = points.iter().map(|point| Point::from((point - bounds.center()) * factor)).collect();
    let mut mesh = SurfaceMesh::new(points, triangles.clone()).unwrap();
    mesh.prepare(ALL_NEEDS);
    mesh
}

struct Pushed {
    scene: Scene,
    pair: PairId,
    ids: [GeometryId; 2],
    poses: [Pose; 2],
    velocities: [rigid::Velocity; 2],
    moments: [Vector; 2],
    rows: rigid::Rows,
    exits: Exits,
}

impl Pushed {
    /// Two bodies that overlap, along a direction, by 2 to 50 % of the smaller one's size; `None` if they do not.
    fn new(random: &mut Random, bodies: &[Triangles]) -> Option<Self> {
        let halves = [SIZE, SIZE * random.between(0.5, 1.0)];
        let meshes = halves.map(|half| sized(&random.pick(bodies), half));
        let way = random.direction();
        let turns = [random.rotation(), random.rotation()];
        let extent = |k: usize, way: &Vector| {
            let heights = meshes[k].points().positions().iter().map(|p| way.dot(&(turns[k] * p.coords)));
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        let depth = 2.0 * halves[1] * random.between(0.02, 0.5);
        let place = way * (extent(0, &way) + extent(1, &-way) - depth);
        let poses = [
            Pose::from_parts(Translation3::identity(), turns[0]),
            Pose::from_parts(Translation3::from(place), turns[1]),
        ];
        let moments = [0, 1].map(|k: usize| {
            let half = meshes[k].bounds_at_rest().size() * 0.5;
            let square = half.component_mul(&half);
            Vector::new(square.y + square.z, square.x + square.z, square.x + square.y).map(|m| 3.0 / m)
        });
        let mut scene = Scene::standard();
        let [a, b] = meshes;
        let ids = [scene.add("a", a).unwrap(), scene.add("b", b).unwrap()];
        let pair = scene.add_pair(ids[0], ids[1], PairOptions::default()).unwrap();
        let settings = rigid::Settings {
            slop: SLOP,
            stabilization: rigid::Stabilization::SplitImpulse,
            ..rigid::Settings::new(STEP)
        };
        let mut pushed = Self {
            scene,
            pair,
            ids,
            poses,
            velocities: Default::default(),
            moments,
            rows: rigid::Rows::new(settings),
            exits: Exits::new(ExitSettings::new(SLOP)),
        };
        (pushed.detect() > 0.02 * SIZE * 0.5).then_some(pushed)
    }

    /// The deepest contact.
    fn detect(&mut self) -> f64 {
        for (id, pose) in self.ids.iter().zip(&self.poses) {
            self.scene.set_pose(*id, *pose).unwrap();
        }
        self.scene.step().unwrap();
        self.scene.deepest().map_or(0.0, |(_, contact)| contact.depth)
    }

    /// Joules of bodies of one kilogram.
    fn energy(&self) -> f64 {
        let of = |k: usize| {
            let rigid::Velocity { linear, angular } = self.velocities[k];
            let spin = self.poses[k].rotation.inverse_transform_vector(&angular);
            0.5 * (linear.norm_squared() + spin.component_mul(&spin).component_div(&self.moments[k]).sum())
        };
        of(0) + of(1)
    }

    /// One step; `with_exits` or by the contacts alone. Whether an exit was given.
    fn step(&mut self, with_exits: bool) -> bool {
        let Self { scene, pair, ids, poses, velocities, moments, rows, exits } = self;
        let pair = scene.pair(*pair).unwrap();
        let sides = [scene.geometry(pair.a()).unwrap(), scene.geometry(pair.b()).unwrap()];
        let contacts = match with_exits {
            true => exits.contacts(0, &pair.contacts().contacts, sides).unwrap(),
            false => &pair.contacts().contacts[..],
        };
        let pair = ContactsOfPair { number: 0, geometries: [pair.a(), pair.b()], contacts };
        let masses = [0, 1].map(|k: usize| rigid::Mass::new(&poses[k], 1.0, &moments[k]));
        let body = |id: GeometryId| rigid::Body::Dynamic(usize::from(id == ids[1]));
        rows.gather([pair], &masses, &velocities[..], body, |_| Material::HARD).unwrap();
        let mut pushes = [rigid::Velocity::default(); 2];
        for _ in 0..20 {
            for row in &mut *rows {
                row.solve(&mut velocities[..]);
            }
            for row in &mut *rows {
                row.solve_push(&mut pushes);
            }
        }
        for ((pose, velocity), push) in poses.iter_mut().zip(&*velocities).zip(&pushes) {
            pose.translation.vector += (velocity.linear + push.linear) * STEP;
            let turn = nalgebra::UnitQuaternion::from_scaled_axis((velocity.angular + push.angular) * STEP);
            pose.rotation = turn * pose.rotation;
        }
        exits.is_active(0)
    }
}

/// A thousand by `PALPATE_OVERLAPS=1000`.
#[test]
fn deep_overlaps_come_apart_in_a_second_and_gain_no_energy() {
    let cases = steps("PALPATE_OVERLAPS", 24);
    let mut random = Random::named("deep overlaps", 1);
    let bodies = bodies(&mut random);
    let (mut seen, mut contradicted, mut longest, mut locked_without, mut worst) = (0, 0, 0, 0, 0.0_f64);
    while seen < cases {
        let mut at = random.clone();
        let Some(mut pushed) = Pushed::new(&mut random, &bodies) else { continue };
        seen += 1;
        let (mut had_exit, mut steps, mut deepest) = (false, 0, f64::INFINITY);
        while steps < 240 && deepest > 2.0 * SLOP {
            had_exit |= pushed.step(true);
            steps += 1;
            deepest = pushed.detect();
            worst = worst.max(pushed.energy());
        }
        let shared = overlap(
            pushed.scene.geometry(pushed.ids[0]).unwrap(),
            pushed.scene.geometry(pushed.ids[1]).unwrap(),
        );
        let volume = shared.unwrap().map_or(0.0, |shared| shared.volume);
        assert!(deepest <= 2.0 * SLOP, "case {seen}: {deepest} m deep, {volume} m³ after {steps} steps");
        assert!(volume <= 1e-4 * SIZE.powi(3), "case {seen}: {volume} m³");
        contradicted += usize::from(had_exit);
        longest = longest.max(steps);
        if had_exit && locked_without < 3 {
            // Without exits, for comparison.
            let mut pushed = Pushed::new(&mut at, &bodies).unwrap();
            (0..240).for_each(|_| {
                pushed.step(false);
                deepest = pushed.detect();
            });
            locked_without += usize::from(deepest > 2.0 * SLOP);
        }
    }
    println!(
        "{seen} overlaps, {contradicted} with an exit, apart after at most {longest} steps, {worst:e} J;"
    );
    println!("  without exits at least {locked_without} lock");
    assert!(worst <= 1e-12, "{worst}");
    assert!(6 * contradicted >= seen, "{contradicted} of {seen}");
}
