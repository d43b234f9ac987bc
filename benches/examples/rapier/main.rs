//! palpate's contacts in a physics engine: rapier3d integrates bodies and joints, palpate finds and resolves the contacts.
//!
//! The bodies have no colliders of rapier's. In every step the velocities of its bodies, with gravity, go through palpate's
//! rows; rapier then moves the bodies and solves its joints.
//!
//! Run it with `cargo run --release -p palpate-benches --example rapier`; with `-- rest` it compares the time of
//! detection with rapier's own step while bodies fall and rest ([`rest`]); with `-- organ` it times a tool and a thread on an
//! organ that breathes ([`organ`]).
//!
//! With `-- scenes` rapier's whole pipeline runs on palpate as its [narrow phase](narrow_phase), in the scenes of its own
//! demonstrations ([`scenes`]), and with `-- heaps` on heaps of hulls ([`heaps`]); add the name of one, or `--json`.
#![allow(clippy::print_stdout)] // an example shows what it finds

mod contacts;
mod counted;
mod demo_scenes;
mod heaps;
mod judge;
mod narrow_phase;
mod organ;
mod rest;
mod scenes;
mod shapes;

use contacts::{Contacts, STEP};
use palpate::prelude::*;
use palpate::response::Material;
use rapier3d_f64::prelude as rapier;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const MARGIN: f64 = 0.012; // metres: how far the fastest box moves in a step
const HALF: [f64; 3] = [0.05, 0.03, 0.04]; // half sizes of the boxes, metres

/// Eight boxes that fall on a floor in three columns; a joint of rapier's holds the two on top together.
fn falling_boxes() -> Result<(rapier::PhysicsWorld, Contacts)> {
    // Gravity is applied with the contacts.
    let mut world = rapier::PhysicsWorld { gravity: rapier::Vector::ZERO, ..Default::default() };
    world.integration_parameters.dt = STEP;
    let mut scene = Scene::standard();
    scene.add("floor", Plane::new(Point::origin(), Vector::y())?)?;
    let mut bodies = Vec::new();
    let half = rapier::Vector::from_array(HALF);
    for number in 0..8 {
        let (level, column) = (f64::from(number / 3), f64::from(number % 3));
        let body = rapier::RigidBodyBuilder::dynamic()
            .translation(rapier::Vector::new(0.12 * column + 0.01 * level, 0.05 + 0.07 * level, 0.0))
            .additional_mass_properties(rapier::MassProperties::from_cuboid(1000.0, half))
            .can_sleep(false);
        let name = format!("box {number}");
        let geometry = scene.add(&name, OrientedBox::new(Pose::identity(), HALF.into())?)?;
        bodies.push((world.insert_body(body), geometry));
    }
    let middle = rapier::Vector::new(0.06, 0.0, 0.0);
    let joint = rapier::SphericalJointBuilder::new().local_anchor1(middle).local_anchor2(-middle);
    world.insert_impulse_joint(bodies[6].0, bodies[7].0, joint);
    scene.add_pairs_by_groups(PairOptions::default().with_margin(MARGIN))?;
    Ok((world, Contacts::new(scene, bodies, Material::with_friction(0.5))))
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(2).collect();
    match std::env::args().nth(1).as_deref() {
        Some("heaps") => return heaps::compare(&words),
        Some("scenes") => return scenes::compare(&words),
        Some("rest") => return rest::compare(),
        Some("organ") => return organ::measure(),
        _ => {}
    }
    let (mut world, mut contacts) = falling_boxes()?;
    for _ in 0..5 {
        for _ in 0..240 {
            contacts.resolve(&mut world)?;
            world.step();
        }
        let deepest = contacts.scene.deepest().map_or(0.0, |(_, contact)| contact.depth);
        println!("{} contacts, the deepest {:.2} mm", contacts.rows.len(), 1e3 * deepest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use contacts::pose;

    #[test]
    fn the_boxes_come_to_rest_and_the_joint_holds() {
        let (mut world, mut contacts) = falling_boxes().unwrap();
        let mut deepest = 0.0_f64;
        for _ in 0..1200 {
            contacts.resolve(&mut world).unwrap();
            world.step();
            deepest = contacts.scene.deepest().map_or(deepest, |(_, contact)| deepest.max(contact.depth));
        }
        assert!(deepest < 5e-3, "{deepest}");
        assert!(contacts.rows.len() >= 8, "{}", contacts.rows.len());
        let bodies: Vec<_> = contacts.bodies.iter().map(|&(handle, _)| &world.bodies[handle]).collect();
        for body in &bodies {
            assert!(body.linvel().length() < 1e-2, "{:?}", body.linvel());
            assert!(pose(body.position()).translation.y > 0.02);
        }
        let anchor = |k: usize, side: f64| pose(bodies[k].position()) * Point::new(0.06 * side, 0.0, 0.0);
        assert!((anchor(6, 1.0) - anchor(7, -1.0)).norm() < 2e-3);
    }
}
