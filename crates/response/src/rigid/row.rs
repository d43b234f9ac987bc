//! A contact as three velocity constraints.

use super::body::Velocity;
use super::settings::FrictionBound;
use crate::RowKey;
use crate::warm::Keyed;
use palpate_contact::NONE;
use palpate_math::Vector;

/// The data of a row. The constraints are numbered: 0 the normal, 1 and 2 the tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: RowKey,
    /// [`NONE`] for a side that is not dynamic.
    pub(super) bodies: [u32; 2],
    /// The direction and both tangents: the linear Jacobian of A; that of B is the negative.
    pub(super) along: [Vector; 3],
    /// From the centres of mass to the middle of both surface points; zero for a side that is not dynamic.
    pub(super) levers: [Vector; 2],
    /// Inverse inertia times the angular Jacobian.
    pub(super) turns: [[Vector; 2]; 3],
    /// The inverse masses, with the scale of the material.
    pub(super) inverse_masses: [f64; 2],
    /// 1 / (J M⁻¹ Jᵀ + softness); 0 if neither side moves.
    pub(super) masses: [f64; 3],
    /// What a unit impulse along either tangent changes in the rate of the normal.
    pub(super) coupling: [f64; 2],
    /// Relative velocity of the prescribed motions along the constraints.
    pub(super) surface: [f64; 3],
    /// The velocity that the normal has to reach.
    pub(super) target: f64,
    /// The velocity of the split impulse.
    pub(super) push_target: f64,
    pub(super) softness: f64,
    /// Static and dynamic.
    pub(super) friction: [f64; 2],
    pub(super) bound: FrictionBound,
    pub(super) gap: f64,
    pub(super) impulses: [f64; 3],
    pub(super) push_impulse: f64,
    pub(super) is_known: bool,
}

impl Keyed for Row {
    #[inline]
    fn key(&self) -> &RowKey {
        &self.key
    }
}

/// The velocity of a side; zero if it is not dynamic.
#[inline]
fn load(body: u32, velocities: &[Velocity]) -> Velocity {
    if body == NONE { Velocity::default() } else { velocities[body as usize] }
}

#[inline]
fn store(body: u32, velocities: &mut [Velocity], side: &Velocity) {
    if body != NONE {
        velocities[body as usize] = *side;
    }
}

impl Row {
    #[inline]
    fn sides(&self, velocities: &[Velocity]) -> [Velocity; 2] {
        [load(self.bodies[0], velocities), load(self.bodies[1], velocities)]
    }

    /// The angular Jacobian of a constraint, for both sides.
    #[inline]
    pub(super) fn arms(&self, k: usize) -> [Vector; 2] {
        let [a, b] = &self.levers;
        [a.cross(&self.along[k]), self.along[k].cross(b)]
    }

    /// The velocity of A's point relative to B's, without prescribed motions.
    #[inline]
    fn between(&self, [a, b]: &[Velocity; 2]) -> Vector {
        let turning = a.angular.cross(&self.levers[0]) - b.angular.cross(&self.levers[1]);
        (a.linear - b.linear) + turning
    }

    /// The rate of one constraint, prescribed motions included: `J v` for the velocity between both points.
    #[inline]
    fn rate(&self, k: usize, between: &Vector) -> f64 {
        let along = &self.along[k];
        (along.x * between.x + along.y * between.y) + (along.z * between.z + self.surface[k])
    }

    /// The rates of the three constraints.
    pub(super) fn rates(&self, sides: &[Velocity; 2]) -> [f64; 3] {
        let between = self.between(sides);
        [self.rate(0, &between), self.rate(1, &between), self.rate(2, &between)]
    }

    pub(super) fn warm_start(&self, velocities: &mut [Velocity]) {
        let sides = self.sides(velocities);
        self.apply(velocities, &sides, &self.impulses);
    }

    /// Friction bounded by the present normal impulse, then the normal. All rates are read at once; what friction changes
    /// in the rate of the normal is added to it.
    #[inline]
    fn solve(&mut self, velocities: &mut [Velocity]) {
        let sides = self.sides(velocities);
        let between = self.between(&sides);
        let mut lacking = (self.target - self.softness * self.impulses[0]) - self.rate(0, &between);
        let mut changes = [0.0; 3];
        if self.friction[0] > 0.0 {
            let wanted = self.bounded([
                self.impulses[1] - self.rate(1, &between) * self.masses[1],
                self.impulses[2] - self.rate(2, &between) * self.masses[2],
            ]);
            changes[1] = wanted[0] - self.impulses[1];
            changes[2] = wanted[1] - self.impulses[2];
            (self.impulses[1], self.impulses[2]) = (wanted[0], wanted[1]);
            lacking -= self.coupling[0] * changes[1] + self.coupling[1] * changes[2];
        }
        let wanted = (self.impulses[0] + lacking * self.masses[0]).max(0.0);
        changes[0] = wanted - self.impulses[0];
        self.impulses[0] = wanted;
        self.apply(velocities, &sides, &changes);
    }

    /// Writes the velocities of both sides after impulses along the three constraints. The tangents come first: their
    /// impulses are known before that of the normal.
    #[inline]
    fn apply(&self, velocities: &mut [Velocity], [a, b]: &[Velocity; 2], impulses: &[f64; 3]) {
        let [normal, first, second] = *impulses;
        let impulse = (self.along[1] * first + self.along[2] * second) + self.along[0] * normal;
        let [of_normal, of_first, of_second] = &self.turns;
        let turned = |side: usize, angular: &Vector| {
            (angular + of_first[side] * first + of_second[side] * second) + of_normal[side] * normal
        };
        let a =
            Velocity { linear: a.linear + impulse * self.inverse_masses[0], angular: turned(0, &a.angular) };
        let b =
            Velocity { linear: b.linear - impulse * self.inverse_masses[1], angular: turned(1, &b.angular) };
        store(self.bodies[0], velocities, &a);
        store(self.bodies[1], velocities, &b);
    }

    /// Friction impulses within their bound: beyond static friction they are those of dynamic friction.
    #[inline]
    fn bounded(&self, wanted: [f64; 2]) -> [f64; 2] {
        let [most, dynamic] = [self.friction[0] * self.impulses[0], self.friction[1] * self.impulses[0]];
        match self.bound {
            FrictionBound::Cone => {
                let square = wanted[0] * wanted[0] + wanted[1] * wanted[1];
                if square <= most * most {
                    return wanted;
                }
                let factor = dynamic / square.sqrt();
                [wanted[0] * factor, wanted[1] * factor]
            }
            FrictionBound::Pyramid => {
                wanted.map(|impulse| if impulse.abs() <= most { impulse } else { dynamic.copysign(impulse) })
            }
        }
    }

    fn solve_push(&mut self, velocities: &mut [Velocity]) {
        let sides = self.sides(velocities);
        let lacking = self.push_target - self.along[0].dot(&self.between(&sides));
        let wanted = (self.push_impulse + lacking * self.masses[0]).max(0.0);
        let change = wanted - self.push_impulse;
        self.push_impulse = wanted;
        self.apply(velocities, &sides, &[change, 0.0, 0.0]);
    }
}

/// A row, to be read.
#[derive(Clone, Copy, Debug)]
pub struct RowRef<'a>(pub(super) &'a Row);

/// A row, to be solved.
#[derive(Debug)]
pub struct RowMut<'a>(pub(super) &'a mut Row);

impl RowRef<'_> {
    /// What finds the row again in another step.
    pub fn key(&self) -> RowKey {
        self.0.key
    }

    /// The dynamic bodies of side A and side B.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.0.bodies.map(|body| (body != NONE).then_some(body as usize))
    }

    /// The unit direction that moves A out of B.
    pub fn direction(&self) -> Vector {
        self.0.along[0]
    }

    /// Two unit vectors that complete the direction to a right-handed frame. They follow those of the previous step.
    pub fn tangents(&self) -> [Vector; 2] {
        [self.0.along[1], self.0.along[2]]
    }

    /// The Jacobian of one constraint (0 the normal, 1 and 2 the tangents), per side: linear and angular part. Panics if
    /// there is no such constraint.
    pub fn jacobian(&self, constraint: usize) -> [[Vector; 2]; 2] {
        let linear = self.0.along[constraint];
        let [a, b] = self.0.arms(constraint);
        [[linear, a], [-linear, b]]
    }

    /// The effective masses in kilograms; 0 if neither side moves.
    pub fn effective_masses(&self) -> [f64; 3] {
        self.0.masses
    }

    /// The gap in metres when the contact was found, less the thickness.
    pub fn gap(&self) -> f64 {
        self.0.gap
    }

    /// The velocity in metres per second that the normal constraint has to reach: negative while there is a gap, which may
    /// close within the step; the bias if it is penetrated and not stabilised by split impulses; the rebound.
    pub fn target(&self) -> f64 {
        self.0.target
    }

    /// The rates of the three constraints in metres per second, prescribed motions included.
    pub fn rates(&self, velocities: &[Velocity]) -> [f64; 3] {
        self.0.rates(&self.0.sides(velocities))
    }

    /// The accumulated impulses, newton seconds: 0 or more along the normal.
    pub fn impulses(&self) -> [f64; 3] {
        self.0.impulses
    }

    /// The total impulse on side A, newton seconds, world frame.
    pub fn impulse(&self) -> Vector {
        let Row { along, impulses, .. } = self.0;
        along[0] * impulses[0] + along[1] * impulses[1] + along[2] * impulses[2]
    }

    /// The bounds of the three impulses, with those of friction by the present normal impulse (the sides of the pyramid).
    pub fn bounds(&self) -> [[f64; 2]; 3] {
        let most = self.0.friction[0] * self.0.impulses[0];
        [[0.0, f64::INFINITY], [-most, most], [-most, most]]
    }

    /// Whether the previous step had a row with this key.
    pub fn is_known(&self) -> bool {
        self.0.is_known
    }
}

impl RowMut<'_> {
    /// The row, to be read.
    pub fn as_ref(&self) -> RowRef<'_> {
        RowRef(self.0)
    }

    /// One step of projected Gauss–Seidel: friction within the bound of the present normal impulse, then the normal.
    #[inline]
    pub fn solve(self, velocities: &mut [Velocity]) {
        self.0.solve(velocities);
    }

    /// One step of projected Gauss–Seidel on the split impulses: `velocities` are pseudo-velocities that begin at 0 in
    /// every step, move the poses once, and are then forgotten.
    pub fn solve_push(self, velocities: &mut [Velocity]) {
        self.0.solve_push(velocities);
    }
}
