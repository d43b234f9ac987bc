//! A contact as three velocity constraints.

use super::body::Velocity;
use super::settings::FrictionBound;
use crate::RowKey;
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
    /// The angular Jacobian, per constraint and side.
    pub(super) arms: [[Vector; 2]; 3],
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

/// The velocities of both sides; zero for a side that is not dynamic.
#[inline]
fn load(bodies: &[u32; 2], velocities: &[Velocity]) -> [Velocity; 2] {
    bodies.map(|body| if body == NONE { Velocity::default() } else { velocities[body as usize] })
}

#[inline]
fn store(bodies: &[u32; 2], velocities: &mut [Velocity], sides: &[Velocity; 2]) {
    for (body, side) in bodies.iter().zip(sides) {
        if *body != NONE {
            velocities[*body as usize] = *side;
        }
    }
}

impl Row {
    /// The rate of one constraint: `J v`, prescribed motions included.
    #[inline]
    pub(super) fn rate(&self, k: usize, [a, b]: &[Velocity; 2]) -> f64 {
        let linear = self.along[k].dot(&(a.linear - b.linear));
        linear + self.arms[k][0].dot(&a.angular) + self.arms[k][1].dot(&b.angular) + self.surface[k]
    }

    pub(super) fn warm_start(&self, velocities: &mut [Velocity]) {
        let mut sides = load(&self.bodies, velocities);
        self.apply_all(&mut sides, &self.impulses);
        store(&self.bodies, velocities, &sides);
    }

    /// Friction bounded by the present normal impulse, then the normal. All rates are read at once; what friction changes
    /// in the rate of the normal is added to it.
    #[inline]
    fn solve(&mut self, velocities: &mut [Velocity]) {
        let mut sides = load(&self.bodies, velocities);
        let mut normal_rate = self.rate(0, &sides);
        let mut changes = [0.0; 3];
        if self.friction[0] > 0.0 {
            let rates = [self.rate(1, &sides), self.rate(2, &sides)];
            let wanted = [0, 1].map(|k| self.impulses[k + 1] - rates[k] * self.masses[k + 1]);
            let wanted = self.bounded(wanted);
            for k in 0..2 {
                changes[k + 1] = wanted[k] - self.impulses[k + 1];
                self.impulses[k + 1] = wanted[k];
                normal_rate += self.coupling[k] * changes[k + 1];
            }
        }
        let lacking = self.target - normal_rate - self.softness * self.impulses[0];
        let wanted = (self.impulses[0] + lacking * self.masses[0]).max(0.0);
        changes[0] = wanted - self.impulses[0];
        self.impulses[0] = wanted;
        self.apply_all(&mut sides, &changes);
        store(&self.bodies, velocities, &sides);
    }

    #[inline]
    fn apply_all(&self, [a, b]: &mut [Velocity; 2], impulses: &[f64; 3]) {
        let impulse = self.along[0] * impulses[0] + self.along[1] * impulses[1] + self.along[2] * impulses[2];
        let turn = |side: usize| {
            let [normal, first, second] = &self.turns;
            normal[side] * impulses[0] + first[side] * impulses[1] + second[side] * impulses[2]
        };
        a.linear += impulse * self.inverse_masses[0];
        a.angular += turn(0);
        b.linear -= impulse * self.inverse_masses[1];
        b.angular += turn(1);
    }

    /// Friction impulses within their bound: beyond static friction they are those of dynamic friction.
    #[inline]
    fn bounded(&self, wanted: [f64; 2]) -> [f64; 2] {
        let [most, dynamic] = self.friction.map(|friction| friction * self.impulses[0]);
        match self.bound {
            FrictionBound::Cone => {
                let square = wanted[0] * wanted[0] + wanted[1] * wanted[1];
                if square <= most * most {
                    return wanted;
                }
                let factor = dynamic / square.sqrt();
                wanted.map(|impulse| impulse * factor)
            }
            FrictionBound::Pyramid => {
                wanted.map(|impulse| if impulse.abs() <= most { impulse } else { dynamic.copysign(impulse) })
            }
        }
    }

    fn solve_push(&mut self, velocities: &mut [Velocity]) {
        let mut sides = load(&self.bodies, velocities);
        let lacking = self.push_target - (self.rate(0, &sides) - self.surface[0]);
        let wanted = (self.push_impulse + lacking * self.masses[0]).max(0.0);
        self.apply_all(&mut sides, &[wanted - self.push_impulse, 0.0, 0.0]);
        self.push_impulse = wanted;
        store(&self.bodies, velocities, &sides);
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
        [[linear, self.0.arms[constraint][0]], [-linear, self.0.arms[constraint][1]]]
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
        let sides = load(&self.0.bodies, velocities);
        [0, 1, 2].map(|k| self.0.rate(k, &sides))
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
