//! The recordings: two scenes of rapier's, two of the XPBD solver of palpate's tests. In each a part is driven faster than its
//! solver can stop it, so that surfaces cross.

use super::Result;
use super::body::{Body, Kind, Recording, ball, sheet};
use super::rapier_side::{builder, vector};
use palpate::prelude::*;
use palpate::response::Material as Surface;
use palpate_tests::meshes::tetra_block;
use palpate_tests::random::Random;
use palpate_tests::xpbd::{Deformable, Elasticity, Material, Settings, World};
use rapier3d_f64::prelude as rapier;

const STEP: f64 = 1.0 / 240.0;

/// All recordings with so many frames.
pub(crate) fn all(frames: usize) -> Result<Vec<Recording>> {
    Ok(vec![
        cloth_on_cloth(frames)?,
        tool_on_block(frames)?,
        thread_in_block(frames)?,
        tool_in_cloth(frames)?,
    ])
}

/// Records two soft bodies of rapier's; `driven` gives the velocity of a particle that is driven, or fixed.
fn of_rapier(
    name: &'static str,
    bodies: [Body; 2],
    start: &[Vec<Point>; 2],
    frames: usize,
    driven: impl Fn(usize, &Point) -> Option<Vector>,
) -> Recording {
    let mut world = rapier::PhysicsWorld::default();
    world.integration_parameters.dt = STEP;
    world.integration_parameters.length_unit = 0.05;
    let held = [0, 1].map(|side| {
        let velocities = start[side].iter().map(|p| driven(side, p)).enumerate();
        velocities.filter_map(|(k, velocity)| Some((k, velocity?))).collect::<Vec<_>>()
    });
    let handles = [0, 1].map(|side| {
        let soft = builder(&bodies[side], &start[side]);
        let edges = if bodies[side].cells.is_empty() { soft.surface_edges() } else { soft.cell_edges() };
        let pinned: Vec<u32> = held[side].iter().map(|(k, _)| *k as u32).collect();
        world.insert_soft_body(
            soft.edges(edges).particle_mass(1e-3).particle_radius(5e-4).pinned_particles(pinned),
        )
    });
    let mut recording = Recording { name, bodies, frames: Vec::new() };
    for frame in 1..=frames {
        for side in 0..2 {
            let body = &mut world.soft_bodies[handles[side]];
            for &(k, velocity) in &held[side] {
                let place = start[side][k] + velocity * (STEP * frame as f64);
                body.set_particle_kinematic_target(k, vector(&place));
            }
        }
        world.step();
        recording.frames.push(handles.map(|handle| {
            world.soft_bodies[handle].particle_positions().map(|p| Point::new(p.x, p.y, p.z)).collect()
        }));
    }
    recording
}

/// A cloth falls on another that is held at its corners; its own corners are drawn down at 0.6 m/s.
fn cloth_on_cloth(frames: usize) -> Result<Recording> {
    let (first, triangles) = sheet(16, 0.16, Point::new(0.003, 0.01, 0.004));
    let (second, others) = sheet(20, 0.24, Point::origin());
    let bodies = [Body::of_triangles(Kind::Sheet, triangles), Body::of_triangles(Kind::Sheet, others)];
    let is_corner = |p: &Point, half: f64| p.x.abs() > half && p.z.abs() > half;
    let driven = |side: usize, p: &Point| match side {
        0 => is_corner(p, 0.075).then(|| Vector::y() * -0.6),
        _ => is_corner(p, 0.119).then(Vector::zeros),
    };
    Ok(of_rapier("cloth on cloth, rapier", bodies, &[first, second], frames, driven))
}

/// A block of tetrahedra whose base is fixed, and a closed tool driven into it at 0.3 m/s.
fn tool_on_block(frames: usize) -> Result<Recording> {
    let (block, cells) = tetra_block(&mut Random::new(7), [8, 5, 8], 0.1);
    let block: Vec<Point> = block.into_iter().map(|p| p * 0.06).collect();
    let (tool, triangles) = ball(600);
    let tool = tool.into_iter().map(|d| Point::new(0.002, 0.058, 0.003) + d * 0.018).collect();
    let bodies = [Body::of_triangles(Kind::Solid, triangles), Body::block(&block, cells)?];
    let driven = |side: usize, p: &Point| match side {
        0 => Some(Vector::new(0.02, -0.3, 0.0)),
        _ => (p.y < -0.03).then(Vector::zeros),
    };
    Ok(of_rapier("tool in a block, rapier", bodies, &[tool, block], frames, driven))
}

/// Records two bodies of the XPBD solver that collide; particles whose velocity is `driven` have no inverse mass.
fn of_xpbd(
    name: &'static str,
    bodies: [Body; 2],
    parts: [Deformable; 2],
    frames: usize,
    driven: impl Fn(usize, &Point) -> Option<Vector>,
) -> Result<Recording> {
    let settings =
        Settings { step: STEP, iterations: 4, damping: 2.0, gravity: Vector::zeros(), ..Settings::default() };
    let mut world = World::new(settings);
    let mut ids = Vec::new();
    for (side, mut part) in parts.into_iter().enumerate() {
        let velocities: Vec<_> = part.positions.iter().map(|p| driven(side, p)).collect();
        for (mass, velocity) in part.masses.iter_mut().zip(&velocities) {
            *mass = if velocity.is_some() { f64::INFINITY } else { *mass };
        }
        let id = world.add_deformable(["first", "second"][side], part)?;
        for (particle, velocity) in world.particles(id).zip(velocities) {
            world.velocities[particle] = velocity.unwrap_or_else(Vector::zeros);
        }
        ids.push(id);
    }
    world.add_pair(ids[0], ids[1], Surface::with_friction(0.2))?;
    let mut recording = Recording { name, bodies, frames: Vec::new() };
    for _ in 0..frames {
        world.step()?;
        recording.frames.push([0, 1].map(|side| world.positions[world.particles(ids[side])].to_vec()));
    }
    Ok(recording)
}

/// A thread drawn down through a soft block by its ends at 0.8 m/s.
fn thread_in_block(frames: usize) -> Result<Recording> {
    let (block, cells) = tetra_block(&mut Random::new(8), [8, 5, 8], 0.1);
    let block: Vec<Point> = block.into_iter().map(|p| p * 0.06).collect();
    let thread: Vec<Point> =
        (0..=60).map(|k| Point::new(0.003 * (f64::from(k) - 30.0), 0.045, 0.0021)).collect();
    let bodies = [Body::thread(thread.len()), Body::block(&block, cells.clone())?];
    let silk = Material { mass: 1e-5, stretch: 1e-6, bend: 1e-2 };
    let soft = Elasticity { young: 3e3, poisson: 0.4 };
    let parts = [Deformable::thread(thread, 5e-4, silk)?, Deformable::solid(block, cells, 1e3, soft)?];
    let driven = |side: usize, p: &Point| match side {
        0 => (p.x.abs() > 0.0885).then(|| Vector::new(0.0, -0.8, 0.05)),
        _ => (p.y < -0.03).then(Vector::zeros),
    };
    of_xpbd("thread in a block, XPBD", bodies, parts, frames, driven)
}

/// A closed tool driven through a cloth that is held at its rim, at 0.15 m/s.
fn tool_in_cloth(frames: usize) -> Result<Recording> {
    let (cloth, triangles) = sheet(20, 0.2, Point::origin());
    let (tool, others) = ball(600);
    let tool: Vec<Point> = tool.into_iter().map(|d| Point::new(0.001, 0.03, 0.002) + d * 0.02).collect();
    let bodies =
        [Body::of_triangles(Kind::Sheet, triangles.clone()), Body::of_triangles(Kind::Solid, others.clone())];
    let linen = Material { mass: 1e-4, stretch: 1e-5, bend: 1e-2 };
    let parts =
        [Deformable::cloth(cloth, triangles, 0.0, linen)?, Deformable::cloth(tool, others, 0.0, linen)?];
    let driven = |side: usize, p: &Point| match side {
        0 => (p.x.abs().max(p.z.abs()) > 0.099).then(Vector::zeros),
        _ => Some(Vector::new(0.02, -0.15, 0.01)),
    };
    of_xpbd("tool in a cloth, XPBD", bodies, parts, frames, driven)
}
