//! From the contacts of all pairs to rows.

use super::body::{Body, Mass, Velocity};
use super::row::Row;
use super::rows::Rows;
use super::settings::Settings;
use super::solver_row::{Six, SolverRow, product, sum};
use crate::tangents::{tangents, transported};
use crate::{Material, Motion, ResponseError, RowKey};
use nalgebra::{Matrix3, center};
use palpate_contact::{Contact, NONE, PairContacts, Side};
use palpate_math::{Point, Vector};
use wide::f64x2;

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

    /// The velocity of a prescribed motion at a point.
    #[inline]
    fn surface(&self, place: &Point) -> Vector {
        self.motion.as_ref().map_or_else(Vector::zeros, |motion| motion.velocity_at(place))
    }
}

/// A vector of both sides: each coordinate of A and of B.
type Both = [f64x2; 3];

/// The same coordinate of both sides.
#[inline]
fn both(a: f64, b: f64) -> f64x2 {
    f64x2::new([a, b])
}

/// The cross product of a vector of each side with one.
#[inline]
fn crossed(sides: &Both, with: &Vector) -> Both {
    let [x, y, z] = [with.x, with.y, with.z].map(f64x2::splat);
    [sides[1] * z - sides[2] * y, sides[2] * x - sides[0] * z, sides[0] * y - sides[1] * x]
}

/// The numbers of each side from its linear and its angular part.
#[inline]
fn six_of_sides(linear: &Both, angular: &Both) -> [Six; 2] {
    let pair = |first: f64x2, second: f64x2| {
        let (first, second) = (first.to_array(), second.to_array());
        [both(first[0], second[0]), both(first[1], second[1])]
    };
    let (first, second, third) =
        (pair(linear[0], linear[1]), pair(linear[2], angular[0]), pair(angular[1], angular[2]));
    [[first[0], second[0], third[0]], [first[1], second[1], third[1]]]
}

/// What all rows of a pair have in common.
struct Pair<'a> {
    halves: [Half; 2],
    /// The inverse masses, that of B negated like its linear Jacobian.
    inverse_masses: f64x2,
    /// The inverse inertia of both sides, row by row.
    inverse_inertias: [Both; 3],
    material: Material,
    settings: &'a Settings,
}

impl<'a> Pair<'a> {
    fn new(halves: [Half; 2], material: Material, settings: &'a Settings) -> Self {
        let [a, b] = &halves;
        let inverse_masses = both(a.inverse_mass, -b.inverse_mass);
        let entry = |row: usize, column: usize| {
            both(a.inverse_inertia[(row, column)], b.inverse_inertia[(row, column)])
        };
        let inverse_inertias = [0, 1, 2].map(|row| [entry(row, 0), entry(row, 1), entry(row, 2)]);
        Self { halves, inverse_masses, inverse_inertias, material, settings }
    }
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
        for (row, solver) in self.rows.iter_mut().zip(&self.solver_rows) {
            row.last_impulses = solver.impulses;
        }
        self.previous.turn_over(&mut self.rows);
        self.solver_rows.clear();
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
            let pair_terms = Pair::new(halves, material, &self.settings);
            let (previous, rows) = (&mut self.previous, &mut self.rows);
            self.solver_rows.extend(pair.contact_list().iter().map(|contact| {
                let key = RowKey { pair: number, contact: contact.key() };
                let (row, solver) = pair_terms.row(contact, key, previous.find(&key));
                rows.push(row);
                solver
            }));
        }
        Ok(())
    }

    fn failed(&mut self, error: ResponseError) -> Result<(), ResponseError> {
        self.rows.clear();
        self.solver_rows.clear();
        Err(error)
    }
}

impl Pair<'_> {
    /// The row of a contact, with the frame that the row of the same key had in the previous step.
    #[inline]
    fn row(&self, contact: &Contact, key: RowKey, previous: Option<&Row>) -> (Row, SolverRow) {
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
        // The angular Jacobian is the lever times the direction for A, the direction times the lever for B.
        let [of_a, of_b] = &levers;
        let signed = [both(of_a.x, -of_b.x), both(of_a.y, -of_b.y), both(of_a.z, -of_b.z)];
        let arms = [crossed(&signed, &along[0]), crossed(&signed, &along[1]), crossed(&signed, &along[2])];
        let step = self.settings.step;
        let softness = self.settings.push_rate * self.material.compliance / (step * step);
        let jacobian = |k: usize| {
            let opposed = |part: f64| both(part, -part);
            six_of_sides(&[opposed(along[k].x), opposed(along[k].y), opposed(along[k].z)], &arms[k])
        };
        let jacobian = [jacobian(0), jacobian(1), jacobian(2)];
        let response = |k: usize| {
            let linear = |part: f64| f64x2::splat(part) * self.inverse_masses;
            let turned = |[x, y, z]: &Both| *x * arms[k][0] + *y * arms[k][1] + *z * arms[k][2];
            let [first, second, third] = &self.inverse_inertias;
            let angular = [turned(first), turned(second), turned(third)];
            six_of_sides(&[linear(along[k].x), linear(along[k].y), linear(along[k].z)], &angular)
        };
        let responses = [response(0), response(1), response(2)];
        let inverse = |k: usize| sum(product(&jacobian[k], &responses[k]));
        let normal = inverse(0);
        let mass = |sum: f64| if sum > 0.0 { 1.0 / sum } else { 0.0 };
        let masses = [mass(normal + softness), mass(inverse(1)), mass(inverse(2))];
        let gap = -contact.depth - self.material.thickness;
        let [target, push_target] = self.settings.targets(gap);
        let mut row = Row {
            key,
            bodies: [a.body, b.body],
            along,
            levers,
            inverse_masses: [a.inverse_mass, b.inverse_mass],
            masses,
            surface: [along[0].dot(&moving), along[1].dot(&moving), along[2].dot(&moving)],
            target,
            gap,
            last_impulses: [0.0; 3],
            is_known: previous.is_some(),
        };
        if self.material.restitution > 0.0 {
            let approach = -row.rates(&[a.velocity, b.velocity])[0];
            // Only what touches within the step rebounds.
            if approach > self.material.rebound_speed && gap <= approach * step {
                row.target = row.target.max(self.material.restitution * approach);
            }
        }
        let coupling = |k: usize| sum(product(&jacobian[0], &responses[k])) * masses[0];
        let scaled = |k: usize| {
            let [[a, b, c], [d, e, f]] = jacobian[k];
            let mass = f64x2::splat(masses[k]);
            [[a * mass, b * mass, c * mass], [d * mass, e * mass, f * mass]]
        };
        let offset = |k: usize, target: f64| (target - row.surface[k]) * masses[k];
        let solver = SolverRow {
            bodies: row.bodies,
            impulses: [0.0; 3],
            offsets: [offset(0, row.target), offset(1, 0.0), offset(2, 0.0)],
            kept: normal * masses[0],
            coupling: [coupling(1), coupling(2)],
            friction: [self.material.friction.max(self.material.static_friction), self.material.friction],
            scaled: [scaled(0), scaled(1), scaled(2)],
            responses,
            push_offset: push_target * masses[0],
            push_impulse: 0.0,
            bound: self.settings.friction_bound,
        };
        (row, solver)
    }
}
