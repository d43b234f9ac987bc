//! A thread and a cloth fall over an organ, a soft block falls on the floor: the reference solver.
//!
//! Run it with `cargo run --release -p palpate-tests --example deformables`.
#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use palpate_detect::Detection;
use palpate_geometry::{Plane, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_response::Material as Surface;
use palpate_scene::PairOptions;
use palpate_tests::xpbd::{Deformable, Elasticity, Material, Result, Settings, World};
use palpate_tests::{Random, meshes};

fn main() -> Result<()> {
    let detection = Detection::ContinuousThenStatic;
    let mut world = World::new(Settings { damping: 0.5, detection, ..Settings::default() });
    let floor = world.add_static("floor", Box::new(Plane::new(Point::origin(), Vector::y())?))?;

    // An ellipsoid of 12, 4 and 8 cm that lies on the floor.
    let (vertices, triangles) = meshes::icosphere(3);
    let radii = Vector::new(0.06, 0.02, 0.04);
    let vertices = vertices.iter().map(|v| Point::from(v.coords.component_mul(&radii) + Vector::y() * 0.02));
    let organ = world.add_static("organ", Box::new(SurfaceMesh::new(vertices.collect(), triangles)?))?;

    // A thread of 20 cm, 1 mm thick.
    let points = (0..80).map(|k| Point::new(2.5e-3 * f64::from(k) - 0.1, 0.05, 0.02)).collect();
    let material = Material { mass: 1e-5, stretch: 0.0, bend: 1.0 };
    let thread = world.add_deformable("thread", Deformable::thread(points, 0.5e-3, material)?)?;

    // A square cloth of 10 cm, 1 mm thick.
    let number = |i: u32, j: u32| 17 * i + j;
    let place = |k: u32| [f64::from(k / 17), f64::from(k % 17)].map(|x| 0.1 * (x / 16.0 - 0.5));
    let points = (0..17 * 17).map(place).map(|[x, z]| Point::new(x, 0.06, z - 0.01)).collect();
    let cells = (0..16).flat_map(|i| (0..16).map(move |j| (i, j))).flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i, j + 1), number(i + 1, j), number(i + 1, j + 1)];
        [[a, b, c], [b, d, c]]
    });
    let material = Material { mass: 1e-4, stretch: 0.0, bend: 0.1 };
    let cloth = Deformable::cloth(points, cells.collect(), 0.5e-3, material)?;
    let cloth = world.add_deformable("cloth", cloth)?;

    // A block of 4 cm, as soft as a liver.
    let (points, cells) = meshes::tetra_block(&mut Random::new(1), [3, 3, 3], 0.0);
    let size = points.iter().map(|point| point.coords.amax()).fold(0.0, f64::max);
    let points = points.iter().map(|point| point * (0.02 / size) + Vector::new(0.15, 0.03, 0.0)).collect();
    let liver = Elasticity { young: 5e3, poisson: 0.45 };
    let block = world.add_deformable("block", Deformable::solid(points, cells, 1e3, liver)?)?;

    // What is thin or thinly covered needs continuous detection; a plane has no inside to come out of.
    let near_floor = PairOptions::default().with_margin(world.settings.margin);
    for soft in [thread, cloth, block] {
        world.add_pair_with(soft, floor, Surface::with_friction(0.5), near_floor.clone())?;
        world.add_pair(soft, organ, Surface::with_friction(0.3))?;
    }
    world.add_pair(thread, cloth, Surface::with_friction(0.3))?;

    println!(
        "{:>6} {:>9} {:>14} {:>11} {:>12}",
        "time", "contacts", "overlap in mm", "energy in J", "thread at"
    );
    for second in 1..=8 {
        (0..30).try_for_each(|_| world.step())?;
        let height = world.positions[world.particles(thread)][40].y;
        println!(
            "{:>5}s {:>9} {:>14.4} {:>11.2e} {:>9.1} mm",
            0.25 * f64::from(second),
            world.rows.len(),
            1e3 * world.overlap(),
            world.kinetic_energy(),
            1e3 * height,
        );
    }
    Ok(())
}
