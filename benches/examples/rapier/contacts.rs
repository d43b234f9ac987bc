//! Contacts of a scene of palpate's for the bodies of a world of rapier's.

use super::Result;
use palpate::nalgebra::{Matrix3, Quaternion, Translation3, UnitQuaternion};
use palpate::prelude::*;
use palpate::response::{Material, rigid};
use rapier3d_f64::prelude as rapier;
use std::time::{Duration, Instant};

/// Seconds.
pub(crate) const STEP: f64 = 1.0 / 240.0;
/// Metres per second squared.
pub(crate) const GRAVITY: f64 = 9.81;
const ITERATIONS: usize = 20;

/// Contacts of a scene, for the bodies of a world of rapier's.
pub(crate) struct Contacts {
    pub(crate) scene: Scene,
    /// Each with its geometry, in the order of palpate's bodies.
    pub(crate) bodies: Vec<(rapier::RigidBodyHandle, GeometryId)>,
    pub(crate) rows: rigid::Rows,
    /// Of all bodies.
    pub(crate) material: Material,
    /// The floor, if it deforms, and where its vertices are in the next step.
    pub(crate) deforming: Option<(GeometryId, Vec<Point>)>,
    /// The time of the last detection, and of moving what deforms.
    pub(crate) detection: Duration,
}

impl Contacts {
    pub(crate) fn new(
        scene: Scene,
        bodies: Vec<(rapier::RigidBodyHandle, GeometryId)>,
        material: Material,
    ) -> Self {
        let rows = rigid::Rows::new(rigid::Settings::new(STEP));
        Self { scene, bodies, rows, material, deforming: None, detection: Duration::ZERO }
    }

    /// Replaces the velocities of rapier's bodies by those after the contacts' impulses. Call it before the world's step.
    pub(crate) fn resolve(&mut self, world: &mut rapier::PhysicsWorld) -> Result<()> {
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
        let started = Instant::now();
        if let Some((floor, vertices)) = &self.deforming {
            self.scene.set_positions(*floor, vertices)?;
        }
        self.scene.step()?;
        self.detection = started.elapsed();
        let bodies = &self.bodies;
        let body = |id| {
            let index = bodies.iter().position(|&(_, geometry)| geometry == id);
            index.map_or(rigid::Body::Static, rigid::Body::Dynamic)
        };
        let pairs = self.scene.pairs_in_contact();
        self.rows.gather(pairs, &masses, &velocities, body, |_pair| self.material)?;
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

pub(crate) fn pose(pose: &rapier::Pose) -> Pose {
    let (t, q) = (pose.translation, pose.rotation);
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z));
    Pose::from_parts(Translation3::new(t.x, t.y, t.z), rotation)
}
