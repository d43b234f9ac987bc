//! Depths, energy and jitter of a world, measured alike for both narrow phases: by parry's queries on the poses, and by the velocities.

use rapier3d_f64::parry::query;
use rapier3d_f64::prelude as rapier;

/// The largest and the mean depth of all pairs of colliders that overlap, metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depths {
    pub(crate) deepest: f64,
    pub(crate) mean: f64,
}

impl Depths {
    /// Measures all pairs of which one moves; two bodies that a joint holds together may overlap.
    pub(crate) fn of(world: &rapier::PhysicsWorld) -> Self {
        let mut boxes: Vec<_> = world.colliders.iter().map(|(_, one)| (one.compute_aabb(), one)).collect();
        boxes.sort_by(|(p, _), (q, _)| p.mins.x.total_cmp(&q.mins.x));
        let moves = |one: &rapier::Collider| one.parent().is_some_and(|body| world.bodies[body].is_dynamic());
        let (mut sum, mut count, mut deepest) = (0.0, 0.0, 0.0_f64);
        for (k, (bounds, one)) in boxes.iter().enumerate() {
            let after = boxes[k + 1..].iter().take_while(|(other, _)| other.mins.x <= bounds.maxs.x);
            for (other_bounds, other) in after {
                let apart = !rapier::BoundingVolume::intersects(bounds, other_bounds);
                if apart
                    || one.parent() == other.parent()
                    || !(moves(one) || moves(other))
                    || joined(world, one, other)
                {
                    continue;
                }
                let found = query::contact(one.position(), one.shape(), other.position(), other.shape(), 0.0);
                if let Ok(Some(contact)) = found {
                    let depth = -contact.dist.min(0.0);
                    (sum, count, deepest) = (sum + depth, count + 1.0, deepest.max(depth));
                }
            }
        }
        Self { deepest, mean: sum / f64::max(count, 1.0) }
    }
}

fn joined(world: &rapier::PhysicsWorld, one: &rapier::Collider, other: &rapier::Collider) -> bool {
    match (one.parent(), other.parent()) {
        (Some(a), Some(b)) => world.impulse_joints.joints_between(a, b).next().is_some(),
        _ => false,
    }
}

fn moving(world: &rapier::PhysicsWorld) -> impl Iterator<Item = &rapier::RigidBody> {
    world.bodies.iter().map(|(_, body)| body).filter(|body| body.is_dynamic())
}

/// Kinetic and potential energy of all bodies together, joules.
pub(crate) fn energy(world: &rapier::PhysicsWorld) -> f64 {
    let height = |body: &rapier::RigidBody| -world.gravity.dot(body.center_of_mass());
    moving(world).map(|body| body.kinetic_energy() + body.mass() * height(body)).sum()
}

/// How bodies that should rest move, over some steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jitter {
    first: Vec<rapier::Vector>,
    /// The largest speed, metres a second.
    pub(crate) speed: f64,
    squares: f64,
    count: f64,
    /// The largest displacement of a body and the mean of all since the first of these steps, metres.
    pub(crate) displacement: f64,
    pub(crate) drift: f64,
}

impl Jitter {
    /// Adds a step.
    pub(crate) fn add(&mut self, world: &rapier::PhysicsWorld) {
        if self.first.is_empty() {
            self.first = moving(world).map(|body| body.center_of_mass()).collect();
        }
        (self.displacement, self.drift) = (0.0, 0.0);
        for (body, first) in moving(world).zip(&self.first) {
            let speed = body.linvel().length();
            self.speed = self.speed.max(speed);
            self.squares += speed * speed;
            self.count += 1.0;
            let way = (body.center_of_mass() - *first).length();
            self.displacement = self.displacement.max(way);
            self.drift += way / self.first.len() as f64;
        }
    }

    /// The root of the mean square of all speeds.
    pub(crate) fn rms(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
