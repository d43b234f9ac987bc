//! From the contacts of all pairs to rows.

use super::body::{Body, Mass, Velocity};
use super::row::Row;
use super::rows::Rows;
use crate::tangents::{tangents, transported};
use crate::{Material, Motion, ResponseError, RowKey};
use nalgebra::{Matrix3, center};
use palpate_contact::{Contact, NONE, PairContacts, Side};
use palpate_math::Vector;

/// A side of a contact as the row needs it.
struct Half {
    body: u32,
    lever: Vector,
    inverse_mass: f64,
    inverse_inertia: Matrix3<f64>,
    /// The velocity of a prescribed motion.
    surface: Vector,
}

impl Rows {
    /// Replaces the rows by those of the contacts of `pairs`: one row per contact, in their order. The impulses of the
    /// present rows are kept for [`warm_start`](Self::warm_start).
    ///
    /// `masses` are those of all bodies where the contacts were found, `velocities` those before the solve, for
    /// restitution. `body` says what a geometry moves with, `material` how the pair meets; both are called once per side
    /// and pair.
    ///
    /// Errors: a body that does not exist, a negative quantity of a material; there are then no rows. Cost: linear in the
    /// contacts, and no heap once the lists are long enough.
    pub fn gather<P: PairContacts>(
        &mut self,
        pairs: impl IntoIterator<Item = P>,
        masses: &[Mass],
        velocities: &[Velocity],
        mut body: impl FnMut(P::Geometry) -> Body,
        mut material: impl FnMut(&P) -> Material,
    ) -> Result<(), ResponseError> {
        self.turn_over();
        let count = masses.len().min(velocities.len());
        self.body_count = count;
        for pair in pairs {
            let number = pair.pair_number();
            let bodies = [Side::A, Side::B].map(|side| body(pair.geometry(side)));
            let unknown = bodies.iter().find_map(|body| match body {
                Body::Dynamic(index) if *index >= count => Some(*index),
                _ => None,
            });
            let material = match (material(&pair).checked(number), unknown) {
                (Ok(material), None) => material,
                (Err(error), _) => return self.failed(error),
                (_, Some(found)) => {
                    return self.failed(ResponseError::UnknownBody { pair: number, found, count });
                }
            };
            for contact in pair.contact_list() {
                self.add(number, contact, &bodies, &material, masses, velocities);
            }
        }
        Ok(())
    }

    fn failed(&mut self, error: ResponseError) -> Result<(), ResponseError> {
        self.rows.clear();
        Err(error)
    }

    fn add(
        &mut self,
        pair: u64,
        contact: &Contact,
        bodies: &[Body; 2],
        material: &Material,
        masses: &[Mass],
        velocities: &[Velocity],
    ) {
        let key = RowKey { pair, contact: contact.key() };
        let direction = Vector::from(contact.direction);
        let memory = self.previous.find(&key);
        let is_known = memory.is_some();
        let [first, second] = memory.map_or_else(
            || tangents(&direction),
            |memory| match memory.direction == direction {
                true => memory.tangents,
                false => transported(&direction, &memory.tangents),
            },
        );
        let along = [direction, first, second];
        let place = center(&contact.a.surface_point(), &contact.b.surface_point());
        let scales = material.inverse_mass_scale;
        let half = |side: usize| -> Half {
            let still = |surface| Half {
                body: NONE,
                lever: Vector::zeros(),
                inverse_mass: 0.0,
                inverse_inertia: Matrix3::zeros(),
                surface,
            };
            match &bodies[side] {
                Body::Static => still(Vector::zeros()),
                Body::Kinematic(motion) => still(Motion::velocity_at(motion, &place)),
                Body::Dynamic(index) => {
                    let Mass { center, inverse, inverse_inertia } = &masses[*index];
                    Half {
                        body: *index as u32,
                        lever: place - center,
                        inverse_mass: inverse * scales[side],
                        inverse_inertia: inverse_inertia * scales[side],
                        surface: Vector::zeros(),
                    }
                }
            }
        };
        let halves = [half(0), half(1)];
        let moving = halves[0].surface - halves[1].surface;
        let arms = along.map(|along| [halves[0].lever.cross(&along), halves[1].lever.cross(&-along)]);
        let turns = arms.map(|[a, b]| [halves[0].inverse_inertia * a, halves[1].inverse_inertia * b]);
        let step = self.settings.step;
        let softness = self.settings.push_rate * material.compliance / (step * step);
        let linear = halves[0].inverse_mass + halves[1].inverse_mass;
        let mass = |k: usize, softness: f64| {
            let sum = linear + arms[k][0].dot(&turns[k][0]) + arms[k][1].dot(&turns[k][1]) + softness;
            if sum > 0.0 { 1.0 / sum } else { 0.0 }
        };
        let gap = -contact.depth - material.thickness;
        let [target, push_target] = self.settings.targets(gap);
        let mut row = Row {
            key,
            bodies: [halves[0].body, halves[1].body],
            along,
            arms,
            turns,
            inverse_masses: [halves[0].inverse_mass, halves[1].inverse_mass],
            masses: [mass(0, softness), mass(1, 0.0), mass(2, 0.0)],
            coupling: [1, 2].map(|k| arms[0][0].dot(&turns[k][0]) + arms[0][1].dot(&turns[k][1])),
            surface: along.map(|along| along.dot(&moving)),
            target,
            push_target,
            softness,
            friction: [material.friction.max(material.static_friction), material.friction],
            bound: self.settings.friction_bound,
            gap,
            impulses: [0.0; 3],
            push_impulse: 0.0,
            is_known,
        };
        if material.restitution > 0.0 {
            let sides = row.bodies.map(|body| match body {
                NONE => Velocity::default(),
                body => velocities[body as usize],
            });
            let approach = -row.rate(0, &sides);
            // Only what touches within the step rebounds.
            if approach > material.rebound_speed && gap <= approach * step {
                row.target = row.target.max(material.restitution * approach);
            }
        }
        self.rows.push(row);
    }
}
