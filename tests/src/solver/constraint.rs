//! A contact as a velocity constraint of two bodies.

use super::RigidBody;
use nalgebra::Matrix3;
use palpate_contact::Contact;
use palpate_math::{Point, Vector};

/// A contact between two bodies of a world.
pub(super) struct Constraint {
    pub(super) bodies: [usize; 2],
    normal: Vector,
    tangents: [Vector; 2],
    arms: [Vector; 2],
    inverse_inertias: [Matrix3<f64>; 2],
    /// The target velocity along the normal.
    target: f64,
    /// Effective masses along the normal and the tangents.
    masses: [f64; 3],
    /// Impulses along the normal and the tangents.
    pub(super) impulses: [f64; 3],
}

/// The effective mass along a direction.
fn mass(bodies: [&RigidBody; 2], arms: &[Vector; 2], inertias: &[Matrix3<f64>; 2], along: &Vector) -> f64 {
    let of = |side: usize| {
        let turn = arms[side].cross(along);
        bodies[side].inverse_mass + turn.dot(&(inertias[side] * turn))
    };
    1.0 / (of(0) + of(1))
}

impl Constraint {
    /// `target` is the required velocity along the direction, `warm` the impulse of the previous step.
    pub(super) fn new(
        numbers: [usize; 2],
        bodies: [&RigidBody; 2],
        contact: &Contact,
        target: f64,
        warm: Option<Vector>,
    ) -> Self {
        let normal = Vector::from(contact.direction);
        let place = nalgebra::center(&Point::from(contact.a.point), &Point::from(contact.b.point));
        let arms = bodies.map(|body| place.coords - body.pose.translation.vector);
        let inverse_inertias = bodies.map(RigidBody::inverse_inertia);
        let aside = normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
        let tangents = [aside, normal.cross(&aside)];
        let along = [normal, tangents[0], tangents[1]];
        let masses = along.map(|along| mass(bodies, &arms, &inverse_inertias, &along));
        let warm = warm.unwrap_or_default();
        let impulses = along.map(|along| warm.dot(&along));
        let impulses = [impulses[0].max(0.0), impulses[1], impulses[2]];
        Self { bodies: numbers, normal, tangents, arms, inverse_inertias, target, masses, impulses }
    }

    /// The total impulse on the first body.
    pub(super) fn impulse(&self) -> Vector {
        self.normal * self.impulses[0]
            + self.tangents[0] * self.impulses[1]
            + self.tangents[1] * self.impulses[2]
    }

    pub(super) fn apply(&self, bodies: &mut [RigidBody], impulse: &Vector) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let body = &mut bodies[self.bodies[side]];
            body.velocity += impulse * (sign * body.inverse_mass);
            body.spin += self.inverse_inertias[side] * self.arms[side].cross(impulse) * sign;
        }
    }

    /// The relative velocity of the first body at the contact.
    fn approach(&self, bodies: &[RigidBody]) -> Vector {
        let at = |side: usize| {
            let body = &bodies[self.bodies[side]];
            body.velocity + body.spin.cross(&self.arms[side])
        };
        at(0) - at(1)
    }

    /// One iteration: friction bounded by the current normal impulse, then the normal.
    pub(super) fn solve(&mut self, bodies: &mut [RigidBody], friction: f64) {
        if friction > 0.0 {
            let approach = self.approach(bodies);
            let mut wanted =
                [0, 1].map(|k| self.impulses[k + 1] - approach.dot(&self.tangents[k]) * self.masses[k + 1]);
            let size = wanted[0].hypot(wanted[1]);
            let most = friction * self.impulses[0];
            if size > most {
                wanted = wanted.map(|impulse| impulse * (most / size));
            }
            let change = [0, 1].map(|k| self.tangents[k] * (wanted[k] - self.impulses[k + 1]));
            (self.impulses[1], self.impulses[2]) = (wanted[0], wanted[1]);
            self.apply(bodies, &(change[0] + change[1]));
        }
        let lacking = self.target - self.approach(bodies).dot(&self.normal);
        let wanted = (self.impulses[0] + lacking * self.masses[0]).max(0.0);
        let change = wanted - self.impulses[0];
        self.impulses[0] = wanted;
        self.apply(bodies, &(self.normal * change));
    }
}
