//! palpate's contacts in a physics engine: rapier3d integrates bodies and joints, palpate finds and resolves the contacts.
//!
//! The bodies have no colliders of rapier's. In every step the velocities of its bodies, with gravity, go through palpate's
//! rows; rapier then moves the bodies and solves its joints.
//!
//! Run it with `cargo run --release -p palpate-benches --example rapier`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::nalgebra::{Matrix3, Quaternion, Translation3, UnitQuaternion};
use palpate::prelude::*;
use palpate::response::{Material, rigid};
use rapier3d_f64::prelude as rapier;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STEP: f64 = 1.0 / 240.0; // seconds
const GRAVITY: f64 = 9.81; // metres per second squared
const ITERATIONS: usize = 20;
const MARGIN: f64 = 0.012; // metres: how far the fastest box moves in a step
const HALF: [f64; 3] = [0.05, 0.03, 0.04]; // half sizes of the boxes, metres

/// Contacts of a scene, for the bodies of a world of rapier's.
struct Contacts {
    scene: Scene,
    /// Each with its geometry, in the order of palpate's bodies.
    bodies: Vec<(rapier::RigidBodyHandle, GeometryId)>,
    rows: rigid::Rows,
}

impl Contacts {
    /// Replaces the velocities of rapier's bodies by those after the contacts' impulses. Call it before the world's step.
    fn resolve(&mut self, world: &mut rapier::PhysicsWorld) -> Result<()> {
        let (mut masses, mut velocities) = (Vec::new(), Vec::new());
        for &(handle, geometry) in &self.bodies {
            let body = &world.bodies[handle];
            self.scene.set_pose(geometry, pose(body.position()))?;
            let properties = body.mass_properties();
            let inertia = properties.effective_world_inv_inertia;
            let [xy, xz, yz] = [inertia.m12, inertia.m13, inertia.m23];
            masses.push(rigid::Mass {
                center: vector(properties.world_com).into(),
                inverse: properties.effective_inv_mass.x,
                inverse_inertia: Matrix3::new(
                    inertia.m11,
                    xy,
                    xz, //
                    xy,
                    inertia.m22,
                    yz, //
                    xz,
                    yz,
                    inertia.m33,
                ),
            });
            let fall = Vector::y() * (-GRAVITY * STEP);
            velocities.push(rigid::Velocity {
                linear: vector(body.linvel()) + fall,
                angular: vector(body.angvel()),
            });
        }
        self.scene.step()?;
        let bodies = &self.bodies;
        let body = |id| {
            let index = bodies.iter().position(|&(_, geometry)| geometry == id);
            index.map_or(rigid::Body::Static, rigid::Body::Dynamic)
        };
        let pairs = self.scene.pairs_in_contact();
        self.rows.gather(pairs, &masses, &velocities, body, |_pair| Material::with_friction(0.5))?;
        self.rows.warm_start(&mut velocities, 1.0);
        for _ in 0..ITERATIONS {
            self.rows.iter_mut().for_each(|row| row.solve(&mut velocities));
        }
        for (&(handle, _), velocity) in self.bodies.iter().zip(&velocities) {
            let [linear, angular] =
                [velocity.linear, velocity.angular].map(|v| rapier::Vector::new(v.x, v.y, v.z));
            world.bodies[handle].set_linvel(linear, true);
            world.bodies[handle].set_angvel(angular, true);
        }
        Ok(())
    }
}

fn vector(v: rapier::Vector) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn pose(pose: &rapier::Pose) -> Pose {
    let (t, q) = (pose.translation, pose.rotation);
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z));
    Pose::from_parts(Translation3::new(t.x, t.y, t.z), rotation)
}

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
    let rows = rigid::Rows::new(rigid::Settings::new(STEP));
    Ok((world, Contacts { scene, bodies, rows }))
}

fn main() -> Result<()> {
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
