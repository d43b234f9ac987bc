//! From the contacts of all pairs to rows.

use super::body::{Body, Mass, Velocity};
use super::rolling::Rolling;
use super::row::Row;
use super::rows::Rows;
use super::settings::Settings;
use super::solver_row::{Six, SolverRow};
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
    #[inline]
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
    let [x, y, z] = [f64x2::splat(with.x), f64x2::splat(with.y), f64x2::splat(with.z)];
    [sides[1] * z - sides[2] * y, sides[2] * x - sides[0] * z, sides[0] * y - sides[1] * x]
}

/// Returns the dot product of the vectors of side A minus that of the vectors of side B.
#[inline]
fn difference(a: &Both, b: &Both) -> f64 {
    let [first, second] = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).to_array();
    first - second
}

/// Six numbers of each side: a direction times a factor of the side, and its angular part.
#[inline]
fn six_of_sides(along: &Vector, factors: f64x2, angular: &Both) -> [Six; 2] {
    let [x, y, z] = [angular[0].to_array(), angular[1].to_array(), angular[2].to_array()];
    let (xy, last) = (both(along.x, along.y), (f64x2::splat(along.z) * factors).to_array());
    let factors = factors.to_array();
    let side = |k: usize| [xy * f64x2::splat(factors[k]), both(last[k], x[k]), both(y[k], z[k])];
    [side(0), side(1)]
}

/// What all rows of a pair have in common.
struct Pair<'a> {
    halves: [Half; 2],
    /// The inverse masses; that of B is negated, since an impulse moves the two sides in opposite directions.
    inverse_masses: f64x2,
    /// The inverse inertias, row by row; that of B is negated.
    inverse_inertias: [Both; 3],
    material: Material,
    /// What compliance adds to the inverse mass along the normal.
    softness: f64,
    settings: &'a Settings,
}

impl<'a> Pair<'a> {
    #[inline]
    fn new(halves: [Half; 2], material: Material, settings: &'a Settings) -> Self {
        let [a, b] = &halves;
        let entry = |row: usize, column: usize| {
            both(a.inverse_inertia[(row, column)], -b.inverse_inertia[(row, column)])
        };
        let row = |row: usize| [entry(row, 0), entry(row, 1), entry(row, 2)];
        let inverse_inertias = [row(0), row(1), row(2)];
        let softness = settings.push_rate * material.compliance / (settings.step * settings.step);
        let inverse_masses = both(a.inverse_mass, -b.inverse_mass);
        Self { halves, inverse_masses, inverse_inertias, material, softness, settings }
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
        self.rolling.clear();
        let mut row_count = 0;
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
            for contact in pair.contact_list() {
                let row = slot(&mut self.rows, row_count, &Row::BLANK);
                let solver = slot(&mut self.solver_rows, row_count, &SolverRow::BLANK);
                row.key = RowKey { pair: number, contact: contact.key() };
                pair_terms.write(contact, self.previous.find(&row.key), row, solver);
                if material.rolling_friction > 0.0 {
                    let (bodies, scales) = (row.bodies, material.inverse_mass_scale);
                    let coefficient = material.rolling_friction;
                    self.rolling.push(Rolling::new(row_count, bodies, masses, scales, coefficient));
                }
                row_count += 1;
            }
        }
        self.rows.truncate(row_count);
        self.solver_rows.truncate(row_count);
        Ok(())
    }

    fn failed(&mut self, error: ResponseError) -> Result<(), ResponseError> {
        self.rows.clear();
        self.solver_rows.clear();
        self.rolling.clear();
        Err(error)
    }
}

/// An element of a list that is written anew: what was there before gives only its memory.
#[inline]
fn slot<'a, T: Clone>(list: &'a mut Vec<T>, index: usize, blank: &T) -> &'a mut T {
    if index == list.len() {
        list.push(blank.clone());
    }
    &mut list[index]
}

impl Pair<'_> {
    /// Multiplies the vector of each side by its inverse inertia; that of B is negated.
    #[inline]
    fn turned(&self, arm: &Both) -> Both {
        let row = |[x, y, z]: &Both| *x * arm[0] + *y * arm[1] + *z * arm[2];
        let [first, second, third] = &self.inverse_inertias;
        [row(first), row(second), row(third)]
    }

    /// Writes the row of a contact, but its key, with the frame that the row of the same key had in the previous step. It
    /// is written where it stays: a row is a kilobyte, and copying it would take half the time of computing it.
    #[inline]
    fn write(&self, contact: &Contact, previous: Option<&Row>, row: &mut Row, solver: &mut SolverRow) {
        let direction = Vector::from(contact.direction);
        // The previous frame is read where it is: a copy that is read in other pieces than it was written in is slow.
        let renewed;
        let [first, second] = match previous {
            Some(Row { along: [normal, first, second], .. }) if *normal == direction => [first, second],
            Some(Row { along: [_, first, second], .. }) => {
                renewed = transported(&Vector::from(contact.direction), &[*first, *second]);
                [&renewed[0], &renewed[1]]
            }
            None => {
                renewed = tangents(&Vector::from(contact.direction));
                [&renewed[0], &renewed[1]]
            }
        };
        let along = [direction, *first, *second];
        let [a, b] = &self.halves;
        let place = center(&contact.a.surface_point(), &contact.b.surface_point());
        let levers = [a.lever(&place), b.lever(&place)];
        let [of_a, of_b] = &levers;
        let both_levers = [both(of_a.x, of_b.x), both(of_a.y, of_b.y), both(of_a.z, of_b.z)];
        // The Jacobian is a direction and its arm for A, and their negatives for B.
        let arms = [0, 1, 2].map(|k: usize| crossed(&both_levers, &along[k]));
        // The frame is orthonormal: of the linear parts of J M⁻¹ Jᵀ only the diagonal is left.
        let linear = a.inverse_mass + b.inverse_mass;
        let (mut inverses, mut couplings, mut masses) = ([linear; 3], [0.0; 3], [0.0; 3]);
        for k in 0..3 {
            let turned = self.turned(&arms[k]);
            inverses[k] += difference(&arms[k], &turned);
            couplings[k] = difference(&arms[0], &turned);
            let softened = if k == 0 { inverses[k] + self.softness } else { inverses[k] };
            masses[k] = if softened > 0.0 { 1.0 / softened } else { 0.0 };
            let factors = both(masses[k], -masses[k]);
            let [x, y, z] = arms[k];
            let scaled = [x * factors, y * factors, z * factors];
            solver.scaled[k] = six_of_sides(&along[k], factors, &scaled);
            solver.responses[k] = six_of_sides(&along[k], self.inverse_masses, &turned);
        }
        let surface = match (&a.motion, &b.motion) {
            (None, None) => [0.0; 3],
            _ => {
                let moving = a.surface(&place) - b.surface(&place);
                [along[0].dot(&moving), along[1].dot(&moving), along[2].dot(&moving)]
            }
        };
        let gap = -contact.depth - self.material.thickness;
        let [mut target, push_target] = self.settings.targets(gap);
        row.bodies = [a.body, b.body];
        row.along = along;
        row.levers = levers;
        row.inverse_masses = [a.inverse_mass, b.inverse_mass];
        row.masses = masses;
        row.surface = surface;
        row.gap = gap;
        row.is_known = previous.is_some();
        if self.material.restitution > 0.0 {
            let approach = -row.rates(&[a.velocity, b.velocity])[0];
            // Only what touches within the step rebounds.
            if approach > self.material.rebound_speed && gap <= approach * self.settings.step {
                target = target.max(self.material.restitution * approach);
            }
        }
        row.target = target;
        solver.bodies = row.bodies;
        solver.impulses = [0.0; 3];
        let offset = |k: usize, target: f64| (target - surface[k]) * masses[k];
        solver.offsets = [offset(0, target), offset(1, 0.0), offset(2, 0.0)];
        solver.kept = inverses[0] * masses[0];
        solver.coupling = [couplings[1] * masses[0], couplings[2] * masses[0]];
        solver.friction = [self.material.friction.max(self.material.static_friction), self.material.friction];
        solver.push_offset = push_target * masses[0];
        solver.push_impulse = 0.0;
        solver.bound = self.settings.friction_bound;
    }
}
