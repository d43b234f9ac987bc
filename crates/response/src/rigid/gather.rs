//! From the contacts of all pairs to rows.

use super::body::{Body, Mass, Velocity};
use super::row::Row;
use super::rows::Rows;
use super::settings::Settings;
use crate::tangents::{tangents, transported};
use crate::{Material, Motion, ResponseError, RowKey};
use nalgebra::{Matrix3, center};
use palpate_contact::{Contact, NONE, PairContacts, Side};
use palpate_math::{Point, Vector};

/// A side of a pair as its rows need it.
struct Half {
    body: u32,
    /// The centre of mass of a dynamic body.
    center: Point,
    /// With the scale of the material.
    inverse_mass: f64,
    inverse_inertia: Matrix3<f64>,
    motion: Option<Motion>,
    /// Before the solve.
    velocity: Velocity,
}

impl Half {
    fn new(body: &Body, scale: f64, masses: &[Mass], velocities: &[Velocity]) -> Self {
        let mut half = Self {
            body: NONE,
            center: Point::origin(),
            inverse_mass: 0.0,
            inverse_inertia: Matrix3::zeros(),
            motion: None,
            velocity: Velocity::default(),
        };
        match body {
            Body::Static => {}
            Body::Kinematic(motion) => half.motion = Some(*motion),
            Body::Dynamic(index) => {
                let Mass { center, inverse, inverse_inertia } = &masses[*index];
                half.body = *index as u32;
                half.center = *center;
                half.inverse_mass = inverse * scale;
                half.inverse_inertia = inverse_inertia * scale;
                half.velocity = velocities[*index];
            }
        }
        half
    }

    /// The lever arm to a point; zero for a side that is not dynamic.
    #[inline]
    fn lever(&self, place: &Point) -> Vector {
        if self.body == NONE { Vector::zeros() } else { place - self.center }
    }

    /// The product of the inverse inertia with a vector.
    #[inline]
    fn turned_by(&self, moment: &Vector) -> Vector {
        let m = &self.inverse_inertia;
        Vector::new(
            m.m11 * moment.x + m.m12 * moment.y + m.m13 * moment.z,
            m.m21 * moment.x + m.m22 * moment.y + m.m23 * moment.z,
            m.m31 * moment.x + m.m32 * moment.y + m.m33 * moment.z,
        )
    }

    /// The velocity of a prescribed motion at a point.
    #[inline]
    fn surface(&self, place: &Point) -> Vector {
        self.motion.as_ref().map_or_else(Vector::zeros, |motion| motion.velocity_at(place))
    }
}

/// What all rows of a pair have in common.
struct Pair<'a> {
    halves: [Half; 2],
    material: Material,
    settings: &'a Settings,
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
        self.previous.turn_over(&mut self.rows);
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
            // Two geometries of one body move together: no impulse between them does anything.
            let bodies = if bodies[0] == bodies[1] { [Body::Static; 2] } else { bodies };
            let [a, b] = material.inverse_mass_scale;
            let halves =
                [Half::new(&bodies[0], a, masses, velocities), Half::new(&bodies[1], b, masses, velocities)];
            let pair_terms = Pair { halves, material, settings: &self.settings };
            let previous = &mut self.previous;
            self.rows.extend(pair.contact_list().iter().map(|contact| {
                let key = RowKey { pair: number, contact: contact.key() };
                pair_terms.row(contact, key, previous.find(&key))
            }));
        }
        Ok(())
    }

    fn failed(&mut self, error: ResponseError) -> Result<(), ResponseError> {
        self.rows.clear();
        Err(error)
    }
}

impl Pair<'_> {
    /// The row of a contact, with the frame that the row of the same key had in the previous step.
    #[inline]
    fn row(&self, contact: &Contact, key: RowKey, previous: Option<&Row>) -> Row {
        let direction = Vector::from(contact.direction);
        let [first, second] = match previous {
            Some(row) if row.along[0] == direction => [row.along[1], row.along[2]],
            Some(row) => transported(&direction, &[row.along[1], row.along[2]]),
            None => tangents(&direction),
        };
        let along = [direction, first, second];
        let [a, b] = &self.halves;
        let place = center(&contact.a.surface_point(), &contact.b.surface_point());
        let levers = [a.lever(&place), b.lever(&place)];
        let moving = a.surface(&place) - b.surface(&place);
        let arm = |k: usize| [levers[0].cross(&along[k]), along[k].cross(&levers[1])];
        let arms = [arm(0), arm(1), arm(2)];
        let turn = |k: usize| [a.turned_by(&arms[k][0]), b.turned_by(&arms[k][1])];
        let turns = [turn(0), turn(1), turn(2)];
        let step = self.settings.step;
        let softness = self.settings.push_rate * self.material.compliance / (step * step);
        let linear = a.inverse_mass + b.inverse_mass;
        let mass = |k: usize, softness: f64| {
            let sum = linear + arms[k][0].dot(&turns[k][0]) + arms[k][1].dot(&turns[k][1]) + softness;
            if sum > 0.0 { 1.0 / sum } else { 0.0 }
        };
        let coupling = |k: usize| arms[0][0].dot(&turns[k][0]) + arms[0][1].dot(&turns[k][1]);
        let gap = -contact.depth - self.material.thickness;
        let [target, push_target] = self.settings.targets(gap);
        let mut row = Row {
            key,
            bodies: [a.body, b.body],
            along,
            levers,
            turns,
            inverse_masses: [a.inverse_mass, b.inverse_mass],
            masses: [mass(0, softness), mass(1, 0.0), mass(2, 0.0)],
            coupling: [coupling(1), coupling(2)],
            surface: [along[0].dot(&moving), along[1].dot(&moving), along[2].dot(&moving)],
            target,
            push_target,
            softness,
            friction: [self.material.friction.max(self.material.static_friction), self.material.friction],
            bound: self.settings.friction_bound,
            gap,
            impulses: [0.0; 3],
            push_impulse: 0.0,
            is_known: previous.is_some(),
        };
        if self.material.restitution > 0.0 {
            let approach = -row.rates(&[a.velocity, b.velocity])[0];
            // Only what touches within the step rebounds.
            if approach > self.material.rebound_speed && gap <= approach * step {
                row.target = row.target.max(self.material.restitution * approach);
            }
        }
        row
    }
}
