//! What an iteration reads of a row: Jacobians ready to be multiplied.
//!
//! Every row waits for the velocities that the row before it wrote, so the time of an iteration is the latency of one row.
//! Hence all that does not depend on velocities is computed when the row is gathered: the Jacobian times the effective
//! mass, `M⁻¹ Jᵀ`, and the terms of targets. Rates are sums of six products per body, added in pairs.

use super::body::Velocity;
use super::settings::FrictionBound;
use palpate_contact::NONE;
use palpate_math::Vector;
use wide::f64x2;

/// Six numbers of a body, linear before angular.
pub(super) type Six = [f64x2; 3];

/// Six numbers from a linear and an angular part.
#[inline]
fn six(linear: &Vector, angular: &Vector) -> Six {
    [f64x2::new([linear.x, linear.y]), f64x2::new([linear.z, angular.x]), f64x2::new([angular.y, angular.z])]
}

/// The angular part.
#[inline]
pub(super) fn angular(six: &Six) -> Vector {
    let [[_, x], [y, z]] = [six[1].to_array(), six[2].to_array()];
    Vector::new(x, y, z)
}

/// The velocity of a side; zero if it is not dynamic.
#[inline]
fn load(body: u32, velocities: &[Velocity]) -> Six {
    const REST: &Velocity =
        &Velocity { linear: Vector::new(0.0, 0.0, 0.0), angular: Vector::new(0.0, 0.0, 0.0) };
    let Velocity { linear, angular } = if body == NONE { REST } else { &velocities[body as usize] };
    six(linear, angular)
}

#[inline]
fn store(body: u32, velocities: &mut [Velocity], side: &Six) {
    if body != NONE {
        let [[x, y], [z, u], [v, w]] = side.map(f64x2::to_array);
        velocities[body as usize] = Velocity { linear: Vector::new(x, y, z), angular: Vector::new(u, v, w) };
    }
}

/// A row of a Jacobian times six numbers of each body, in two parts whose sum is the product.
#[inline]
fn product(jacobian: &[Six; 2], [a, b]: &[Six; 2]) -> f64x2 {
    let [ja, jb] = jacobian;
    let first = (ja[0] * a[0] + jb[0] * b[0]) + (ja[1] * a[1] + jb[1] * b[1]);
    first + (ja[2] * a[2] + jb[2] * b[2])
}

/// The sum of both parts.
#[inline]
fn sum(parts: f64x2) -> f64 {
    let [first, second] = parts.to_array();
    first + second
}

/// What an iteration reads of a row, and its impulses. The constraints are numbered: 0 the normal, 1 and 2 the tangents.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct SolverRow {
    /// [`NONE`] for a side that is not dynamic.
    pub(super) bodies: [u32; 2],
    /// Accumulated impulses.
    pub(super) impulses: [f64; 3],
    /// The impulses that the targets ask for, less those of prescribed motions: effective masses times velocities.
    pub(super) offsets: [f64; 3],
    /// The part of the normal impulse that softness leaves: 1 for a hard contact.
    pub(super) kept: f64,
    /// The normal impulse that undoes a unit impulse along either tangent.
    pub(super) coupling: [f64; 2],
    /// Static and dynamic.
    pub(super) friction: [f64; 2],
    /// The Jacobian times the effective mass, per constraint and side.
    pub(super) scaled: [[Six; 2]; 3],
    /// `M⁻¹ Jᵀ`, per constraint and side.
    pub(super) responses: [[Six; 2]; 3],
    /// The impulse that the split impulse asks for, and the accumulated one.
    pub(super) push_offset: f64,
    pub(super) push_impulse: f64,
    pub(super) bound: FrictionBound,
}

impl SolverRow {
    /// To be overwritten.
    pub(super) const BLANK: Self = Self {
        bodies: [NONE; 2],
        impulses: [0.0; 3],
        offsets: [0.0; 3],
        kept: 0.0,
        coupling: [0.0; 2],
        friction: [0.0; 2],
        scaled: [[[f64x2::ZERO; 3]; 2]; 3],
        responses: [[[f64x2::ZERO; 3]; 2]; 3],
        push_offset: 0.0,
        push_impulse: 0.0,
        bound: FrictionBound::Cone,
    };

    #[inline]
    fn sides(&self, velocities: &[Velocity]) -> [Six; 2] {
        self.bodies.map(|body| load(body, velocities))
    }

    /// Changes both sides by an impulse along a constraint.
    #[inline]
    fn apply(&self, k: usize, impulse: f64, sides: &mut [Six; 2]) {
        let impulse = f64x2::splat(impulse);
        for (side, response) in sides.iter_mut().zip(&self.responses[k]) {
            for (velocity, response) in side.iter_mut().zip(response) {
                *velocity += *response * impulse;
            }
        }
    }

    #[inline]
    fn store(&self, velocities: &mut [Velocity], sides: &[Six; 2]) {
        store(self.bodies[0], velocities, &sides[0]);
        store(self.bodies[1], velocities, &sides[1]);
    }

    /// Applies the present impulses.
    pub(super) fn warm_start(&self, velocities: &mut [Velocity]) {
        let mut sides = self.sides(velocities);
        for (k, &impulse) in self.impulses.iter().enumerate() {
            self.apply(k, impulse, &mut sides);
        }
        self.store(velocities, &sides);
    }

    /// Friction bounded by the present normal impulse, then the normal. All rates are read at once; what friction changes
    /// in the rate of the normal is added to it.
    #[inline]
    pub(super) fn solve(&mut self, velocities: &mut [Velocity]) {
        let sides = self.sides(velocities);
        let mut solved = sides;
        let [normal, first, second] = self.impulses;
        let mut wanted = (self.kept * normal + self.offsets[0]) - sum(product(&self.scaled[0], &sides));
        if self.friction[0] > 0.0 {
            let free = [
                (first + self.offsets[1]) - sum(product(&self.scaled[1], &sides)),
                (second + self.offsets[2]) - sum(product(&self.scaled[2], &sides)),
            ];
            let [most, dynamic] = [self.friction[0] * normal, self.friction[1] * normal];
            let (tangents, coupled) = match self.bound {
                FrictionBound::Cone => {
                    // What friction does to the normal is computed beside the square root.
                    let coupled = self.coupling[0] * free[0] + self.coupling[1] * free[1];
                    let square = free[0] * free[0] + free[1] * free[1];
                    let factor = if square <= most * most { 1.0 } else { dynamic / square.sqrt() };
                    ([free[0] * factor, free[1] * factor], coupled * factor)
                }
                FrictionBound::Pyramid => {
                    let side = |x: f64| if x.abs() <= most { x } else { dynamic.copysign(x) };
                    let tangents = [side(free[0]), side(free[1])];
                    (tangents, self.coupling[0] * tangents[0] + self.coupling[1] * tangents[1])
                }
            };
            wanted += (self.coupling[0] * first + self.coupling[1] * second) - coupled;
            self.apply(1, tangents[0] - first, &mut solved);
            self.apply(2, tangents[1] - second, &mut solved);
            (self.impulses[1], self.impulses[2]) = (tangents[0], tangents[1]);
        }
        let wanted = if wanted > 0.0 { wanted } else { 0.0 };
        self.impulses[0] = wanted;
        self.apply(0, wanted - normal, &mut solved);
        self.store(velocities, &solved);
    }

    pub(super) fn solve_push(&mut self, velocities: &mut [Velocity]) {
        let mut sides = self.sides(velocities);
        let lacking = self.push_offset - sum(product(&self.scaled[0], &sides));
        let wanted = (self.push_impulse + lacking).max(0.0);
        self.apply(0, wanted - self.push_impulse, &mut sides);
        self.push_impulse = wanted;
        self.store(velocities, &sides);
    }
}
